"""Files of Triton: kernels and host code interpreted at concrete shapes and strides, and held against the specification."""
