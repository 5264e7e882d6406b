"""Rotary encodings timed side by side with those of other packages, in one run on one machine; nothing is asserted of times."""
