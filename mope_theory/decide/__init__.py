"""Decision procedure for exponential polynomials: proved equal, proved different, or refused; never a guess."""
from . import elementary, equality, integrals, opaque, powers, series, sign, sums, values  # noqa: F401  (some register handlers)
from .field import Element, Field, Refused
from .guard import guarded
from .normal_form import NormalForm, constant, exponential, normal_form, unfold

equal, field_for, summable = guarded(equality.equal), guarded(opaque.field_for), guarded(series.summable)
positive, nonnegative, is_real = guarded(sign.positive), guarded(sign.nonnegative), guarded(sign.is_real)
is_smooth_series = guarded(series.is_smooth_series)
increasing, decreasing = guarded(sign.increasing), guarded(sign.decreasing)

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
    "is_smooth_series",
    "nonnegative",
    "normal_form",
    "positive",
    "summable",
    "unfold",
]
