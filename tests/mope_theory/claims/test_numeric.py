"""Every statement is tried at points, and faults planted in it are seen there."""
from __future__ import annotations

from collections.abc import Iterator

import mpmath as mp
import pytest
import sympy as sp

import mope_theory as mt
from mope_theory.claims.expected import EXPECTED
from mope_theory.claims.uncertainty import wave as phi
from mope_theory.statement import And, Equal, Less, Statement, TendsTo
from mope_theory.symbols import N, b, k, omega, psi, sigma, xi
from mope_theory.vocabulary.gates import output, tokens
from mope_theory.vocabulary.spectra import Fourier, psi_hat
from tests.mope_theory.claims.faults import faulty
from tests.mope_theory.claims.numeric import DIGITS, CannotEvaluate, Point
from tests.mope_theory.claims.trials import OUT_OF_REACH, TRIALS, Trial
from tests.mope_theory.claims.values import SPECTRUM, WAVES, WITNESS, X_FIRST, X_SECOND


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mp.workdps(DIGITS):
        yield


def members(statement: Statement) -> tuple[Statement, ...]:
    return statement.body if isinstance(statement, And) else (statement,)


def spoken_of(trial: Trial) -> tuple[Statement, ...]:
    statement = mt.claim(trial.id).statements[trial.side]
    if not trial.truth:
        return (statement,)
    chosen = members(statement)
    return chosen if trial.members is None else tuple(chosen[k] for k in trial.members)


@pytest.mark.parametrize("trial", TRIALS, ids=[f"{t.id}-{t.side}-{n}" for n, t in enumerate(TRIALS)])
def test_a_statement_is_what_it_should_be_at_points(trial: Trial) -> None:
    mp.mp.dps = trial.digits
    places = [Point(values, trial.samples, trial.closed) for values in trial.points]
    for statement in spoken_of(trial):
        assert [place.holds(statement) for place in places] == [trial.truth] * len(places), statement.text()
        if trial.truth and trial.faults:
            survivors = [f.text() for f in faulty(statement) if all(place.holds(f) for place in places)]
            assert survivors == []


def test_every_member_of_every_statement_is_tried() -> None:
    for claim in mt.claims():
        for side, statement in claim.statements.items():
            tried: set[int] = set()
            every = range(len(members(statement)))
            for trial in TRIALS:
                if (trial.id, trial.side) == (claim.id, side):
                    tried.update(every if trial.members is None else trial.members)
            beyond = OUT_OF_REACH.get((claim.id, side), ())
            assert tried.isdisjoint(every if beyond is None else beyond), (claim.id, side)
            assert tried | set(every if beyond is None else beyond) == set(every), (claim.id, side)



EXPECTED_FALSE = {(t.id, t.side) for t in TRIALS if not t.truth}


def test_what_is_expected_to_be_false_is_seen_to_fail() -> None:
    """Published statements that are to be corrected or refuted; that of admissibility.strict is tried below."""
    wrong = {(id, "published") for id, verdict in EXPECTED.items() if verdict in ("corrected", "refuted")}
    assert wrong - {("admissibility.strict", "published")} == EXPECTED_FALSE


@pytest.mark.parametrize("frequency, width", [(3, 2), (0.5, 1)])
def test_the_integral_of_admissibility_grows_on_both_sides_of_the_boundary(frequency: float, width: float) -> None:
    """From ε to ε/10 it grows by 2|ψ̂(0)|² ln 10, so it is not finite; with the carrier corrected nothing is left at 0."""
    claim = mt.claim("admissibility.strict")
    assert isinstance(claim.ours, And)
    _, diverges, rate, corrected = claim.ours.body
    assert isinstance(diverges, TendsTo)
    assert isinstance(rate, TendsTo)
    assert diverges.limit is sp.oo
    point = Point({"omega": frequency, "sigma": width}, closed=SPECTRUM)
    near, far = (point.at(diverges.var, mp.mpf(e), diverges.expr) for e in ("1e-7", "1e-8"))
    growth = point.value(rate.limit) * mp.log(10)
    assert growth > 0
    assert abs(far - near - growth) < 1e-5 * growth
    assert rate.expr == diverges.expr / sp.log(1 / diverges.var)
    integrand = corrected.conclusion.body[0].rhs.function
    assert 0 < point.at(xi, mp.mpf("1e-3"), integrand) < 0.01
    assert point.at(xi, mp.mpf("1e-6"), integrand) < point.at(xi, mp.mpf("1e-5"), integrand)
    published = claim.published
    whole = published.body.body.body[0].hypothesis.lhs
    assert whole.function == sp.Abs(psi_hat(xi, omega, sigma)) ** 2 / sp.Abs(xi)


@pytest.mark.parametrize("wave", WAVES)
def test_the_transforms_of_the_sample_waves_are_their_fourier_integrals(wave: object) -> None:
    point = Point({"phi": wave, "xi": mp.mpf("0.7")})
    head = Fourier(phi, xi)
    assert abs(point.value(head) - wave.hat(mp.mpf("0.7"))) < 1e-15
    assert abs(point.value(head) - wave.hat(mp.mpf("0.8"))) > 1e-3


def test_the_counterexample_to_causality_has_the_outputs_that_the_claim_names() -> None:
    """0.9351 and 0.6480 at the second token, by a third that comes later; with the causal prefix both agree."""
    reason = mt.claim("gate.causality").reason
    seen = []
    for x, figure in ((X_FIRST, "0.9351"), (X_SECOND, "0.6480")):
        point = Point(WITNESS | {"X": x, "N": 3})
        value = point.value(output(tokens, sp.S.One, sp.S.Zero, sp.Lambda(k, N)))
        assert abs(value - mp.mpf(figure)) < 5e-5
        assert figure in reason
        seen.append(point.value(output(tokens, sp.S.One, sp.S.Zero, sp.Lambda(k, sp.Integer(2)))))
    assert seen[0] == seen[1]


def test_faults_are_planted() -> None:
    count = sum(1 for t in TRIALS if t.truth and t.faults for s in spoken_of(t) for _ in faulty(s))
    assert count > 150


def test_what_has_no_value_is_an_error_and_not_a_pass() -> None:
    with pytest.raises(CannotEvaluate, match="no value for b"):
        Point({"omega": 1, "sigma": 1}).holds(Equal(psi(b, omega, sigma), psi(b, omega, sigma)))
    with pytest.raises(CannotEvaluate, match="gamma"):
        Point().holds(Less(sp.S.Zero, sp.gamma(3, evaluate=False)))
