"""Files of torch: their text interpreted on symbolic tensors of any size, and held against the specification."""
