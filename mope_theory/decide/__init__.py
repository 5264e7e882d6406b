"""Decision procedure for exponential polynomials: proved equal, proved different, or refused; never a guess."""
from . import elementary, integrals, powers, series, sums, values  # noqa: F401  (they register their handlers)
from .equality import equal
from .field import Element, Field, Refused
from .normal_form import NormalForm, constant, exponential, normal_form, unfold
from .opaque import field_for
from .series import summable
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
    "summable",
    "unfold",
]
