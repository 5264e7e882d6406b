"""Decision procedure for exponential polynomials: proved equal, proved different, or refused; never a guess."""
from .field import Element, Field, Refused
from .normal_form import NormalForm, constant, equal, exponential, field_for, normal_form, unfold
from .sign import decreasing, increasing, is_real, nonnegative, positive

__all__ = [
    "Element",
    "Field",
    "NormalForm",
    "Refused",
    "constant",
    "decreasing",
    "equal",
    "exponential",
    "field_for",
    "increasing",
    "is_real",
    "nonnegative",
    "normal_form",
    "positive",
    "unfold",
]
