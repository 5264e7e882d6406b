"""The numerical form of the specification in place of the plain formula."""
from __future__ import annotations

from dataclasses import replace

from ..checks import require_equal, require_lowerable
from ..ir import Formula


def numerical(formula: Formula) -> Formula:
    """Guarantees: if there is a numerical form, the channels are its channels, proved equal to the formula's."""
    form = formula.spec.numerical
    if form is None:
        return formula
    formed = replace(formula, channels=form.channels, bindings=dict(form.bindings))
    for symbol, value in form.bindings.items():
        require_lowerable(value, f"{symbol} in the numerical form of {formula.spec.name}")
    for k, (plain, channel) in enumerate(zip(formula.channels, form.channels, strict=True)):
        what = f"numerical form of {formula.spec.name}, channel {k}"
        require_lowerable(channel, what)
        require_equal(plain, formed.in_inputs(channel), what)
    return formed
