"""Points at which the statements are tried, and the members that are out of reach of trying."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction as F
from typing import Any

import mpmath as mp

from tests.mope_theory.claims.numeric import Samples, grid, number
from tests.mope_theory.claims.values import (
    GATES,
    ONE_GATE,
    PAIR,
    PLACED,
    PLACES,
    POSITIONS,
    ROOT_5,
    SHAPES,
    SPECTRUM,
    TOKENS,
    TRANSFORM,
    VECTORS,
    WAVES,
    X_FIRST,
    X_OTHER,
    X_SECOND,
    W,
    least_at_the_boundary,
    loss,
    matrix,
    saddle,
    sequence,
)


@dataclass(frozen=True)
class Trial:
    """Statements of one side of a claim, at some points, and the truth that is expected there."""

    id: str
    side: str = "ours"
    members: tuple[int, ...] | None = None
    """Members of the conjunction, all of it if None."""
    points: tuple[Mapping[str, Any], ...] = ({},)
    samples: Samples = field(default_factory=dict)
    closed: Mapping[type, Callable[..., Any]] = field(default_factory=dict)
    truth: bool = True
    digits: int = 20
    faults: bool = True
    """Whether planted faults must be seen at these points."""


def _boundary(omega: Any, *losses: Callable[..., Any]) -> Trial:
    """The multipliers at one point of ωσ = 5; neighbours lie inside and along the boundary."""
    sigma = 5 / omega
    factors = [1 + mp.mpf(i) / 200 for i in (0, 1, 2)]
    around = [*factors, *(1 / x for x in factors[1:])]
    return Trial(
        "learning.multipliers",
        points=tuple({"omega": omega, "sigma": sigma, "lambda": F(1, 10), "gamma": 2, "L": loss} for loss in losses),
        samples={
            "epsilon": (1,),
            "nu": [omega * x for x in around],
            "rho": [sigma * x for x in around],
            "L": (saddle,),
            "omega": (ROOT_5,),
            "sigma": (ROOT_5,),
        },
    )


TRIALS: tuple[Trial, ...] = (
    Trial("definition.envelope", "published", points=(*(s | p | {"b": F(5, 3)} for s in SHAPES for p in PLACES),)),
    Trial(
        "definition.envelope",
        points=tuple(s | {"b": b} for s in SHAPES for b in (0, F(17, 10), F(-9, 5), F(47, 100), F(-48, 100), F(471, 100))),
    ),
    Trial("phase.rope-angle", "published", points=tuple(PLACED)),
    Trial("kernel.product", "published", points=tuple(PLACED)),
    Trial(
        "kernel.cross-correlation", "published", points=tuple(grid(omega=(F(13, 10),), sigma=(F(3, 2), F(2, 5)), d=(0, F(7, 4))))
    ),
    Trial("kernel.factorisation", points=tuple(PLACED)),
    Trial(
        "kernel.not-stationary", members=(0, 1, 2, 3, 4), points=tuple(p | {"s": s} for p in PLACED for s in (0, 1, -4, F(2, 3)))
    ),
    Trial(
        "kernel.not-stationary",
        members=(5,),
        points=tuple(
            {"N": 2, "w": w, "varpi": sequence(1, 2), "varsigma": sequence(3, F(1, 2))}
            for w in (sequence(1, 2), sequence(0, 1), sequence(0, 0))
        ),
        samples={"j": (0, 1, 2), "k": (0, 1, 2), "g": (sequence(3, 1, 2), lambda d: 3 * mp.exp(mp.mpc(0, d)))},
    ),
    Trial(
        "kernel.rank-one",
        points=(
            {"N": 4, "f": lambda m: 2 * mp.mpf(3) ** m * mp.expj(m), "h": lambda n: 5 * mp.mpf(3) ** -n * mp.expj(-n)},
            {"N": 4, "f": lambda m: 2 * mp.mpf(3) ** m * mp.expj(m), "h": lambda n: 5 * mp.mpf(3) ** -n * mp.expj(n)},
            {"N": 3, "f": lambda m: 1 + m * m, "h": lambda n: 1},
        ),
        samples={
            "g": (lambda d: 10 * mp.mpf(3) ** d * mp.expj(d), lambda d: 1 + d),
            "zeta": (1, 3),
            "omega": (1, 0),
            "C": (2, 1),
            "C'": (5, 1),
        },
    ),
    Trial(
        "kernel.rank",
        points=tuple(
            PAIR | {"N": 3, "D": d, "x": x, "a": a} for d in (1, 2, 3) for x in POSITIONS for a in (*VECTORS, sequence(0))
        ),
        samples={"U": (matrix((1, 2), (0, 1), (3, 1)),), "V": (matrix((1, 0), (1, 1), (2, 2)),)},
    ),
    Trial("kernel.tiling", points=tuple(p | {"delta": d} for p in PLACED[::4] for d in (1, F(3, 4), 2))),
    Trial(
        "kernel.discrete",
        points=tuple({"omega": F(13, 10), "sigma": s, "d": d} for s in (F(3, 2), F(2, 5), F(27, 100)) for d in (0, 1, -3)),
        digits=40,
    ),
    Trial(
        "kernel.positive-definite",
        points=tuple(
            s | {"N": 3, "d": F(5, 4), "x": x, "z": z, "a": a}
            for s in SHAPES[:2]
            for x in (*POSITIONS, sequence(1, 1, 0))
            for z in TOKENS
            for a in VECTORS
        ),
    ),
    Trial("kernel.frequency-mixture", points=tuple(s | {"d": d} for s in SHAPES for d in (0, F(3, 2)))),
    Trial(
        "limit.sinusoidal",
        members=(0, 1, 2, 4, 5, 6, 7),
        points=tuple(PAIR | {"b": F(7, 4), "T": 2, "i": 1, "D": 8} for _ in range(1)),
        samples={"b": lambda sigma: (-2, F(1, 3), 2)},
    ),
    Trial("limit.sinusoidal", members=(3,), points=(W,), samples={"b": lambda sigma: (1, mp.ceil(sigma), 100 * sigma)}),
    Trial("limit.sinusoidal", "published", points=({"i": 1, "D": 8},), samples={"b": (0, 1)}, truth=False),
    Trial("limit.rope-kernel", "published", points=tuple(s | {"d": F(9, 4)} for s in SHAPES)),
    Trial(
        "limit.rope-kernel", points=tuple(s | {"d": F(9, 4)} for s in SHAPES), samples={"d": lambda sigma: (1, mp.ceil(sigma))}
    ),
    Trial(
        "limit.rope-score",
        points=tuple(
            place
            | {
                "c": F(1, 2),
                "d": F(7, 2),
                "N": 2,
                "q": q,
                "kappa": sequence(2, F(1, 2), -1, 1),
                "varpi": sequence(1, F(1, 3)),
                "varsigma": sequence(2, 5),
            }
            for place in PLACES
            for q in (sequence(1, -1, F(1, 3), 2), sequence(0))
        ),
        samples={"q": (sequence(0), sequence(1)), "kappa": (sequence(0),), "m": (0, 3), "n": (0, 1)},
    ),
    Trial(
        "limit.rope-score",
        "published",
        truth=False,
        points=({"c": F(1, 2), "N": 2, "varpi": sequence(1, F(1, 3)), "varsigma": sequence(2, 5)},),
        samples={"q": (sequence(0), sequence(1)), "kappa": (sequence(0),), "m": (0, 3), "n": (0, 1)},
    ),
    Trial(
        "limit.indistinguishable",
        points=tuple(
            {"omega": F(13, 10), "b": b, "d": b, "T": 7, "p": p, "sigma": sigma}
            for b in (7, F(3, 2), -7, 0)
            for p in (3, 8, 11, 24)
            for sigma in (1, 7 * mp.sqrt(2) ** (p - 1), 7 * mp.sqrt(2) ** p, 4096 * 7)
        ),
    ),
    Trial(
        "limit.alibi",
        points=tuple(
            s | {"d": d, "d_1": d, "d_2": -5, "mu": mu, "y": F(2, 3)}
            for s in SHAPES[:3]
            for d in (0, 1, F(-3, 2))
            for mu in (F(1, 4), 2)
        ),
        samples={"y": (0, 1)},
        digits=30,
    ),
    Trial(
        "limit.alibi",
        points=({"omega": 1, "sigma": 1, "d": 1, "d_1": 1, "d_2": 2, "mu": F(1, 4), "y": 1},),
        samples={"y": (0, 1)},
        digits=30,
    ),
    Trial(
        "limit.alibi",
        "published",
        points=({"mu": F(1, 4)}, {"mu": 2}),
        samples={"sigma": (1, 2, F(1, 2), F(1, 4), 5), "d": (0, 1, 2, 3)},
        truth=False,
    ),
    Trial("limit.no-position", points=({"omega": 1, "d": 0}, {"omega": 1, "d": 1}, {"omega": -3, "d": F(-5, 2)})),
    Trial("uncertainty.bound", "published", points=(W,), samples={"sigma": (F(1, 2), 2)}, truth=False),
    Trial("uncertainty.bound", members=(1,), points=(W,)),
    Trial(
        "uncertainty.bound",
        members=(0,),
        points=tuple({"phi": phi} for phi in WAVES),
        closed=TRANSFORM,
    ),
    Trial("uncertainty.equality", members=(0, 1, 2, 3, 4), points=tuple(SHAPES[1:3]), closed=SPECTRUM),
    Trial("uncertainty.equality", "published", points=(PAIR,), closed=SPECTRUM, truth=False),
    Trial(
        "uncertainty.equality",
        members=(5,),
        points=tuple({"phi": phi} for phi in WAVES),
        closed=TRANSFORM,
        samples={"C": (2, mp.mpc(0, 2)), "nu": (1,), "b_0": (0, 1), "rho": (1, 1 / mp.sqrt(2))},
    ),
    Trial("admissibility.fourier", points=tuple(s | {"xi": xi} for s in SHAPES[:2] for xi in (0, F(6, 5)))),
    Trial("admissibility.dc", points=(PAIR, {"omega": F(5, 2), "sigma": 2})),
    Trial("admissibility.strict", members=(0,), points=(PAIR,)),
    Trial("admissibility.one-sided", points=(*SHAPES, {"omega": mp.pi(), "sigma": F(3, 2)})),
    Trial("alias.nyquist", points=tuple(s | {"j": j, "k": k} for s in SHAPES for j in (0, 3, -5) for k in (1, -2))),
    Trial(
        "alias.admissibility",
        points=tuple(s | {"k": k} for s in (*SHAPES, {"omega": F(335, 100), "sigma": F(149, 100)}) for k in (1, -2)),
        samples={"j": (0, 1, -4), "k": (1, 2, 3, 7)},
    ),
    Trial(
        "alias.admissibility",
        "published",
        truth=False,
        samples={
            "omega": [F(k, 1000) for k in (1105, 1110, 1115, 3345, 3350, 3355)],
            "sigma": [F(k, 1000) for k in (4495, 4500, 4505, 1485, 1490, 1495)],
        },
    ),
    Trial("locality.reach", points=tuple({"omega": 1, "sigma": s, "b": b} for s in (4, F(901, 200), 6) for b in (17, -20, 3))),
    Trial(
        "locality.centre",
        points=tuple(
            p | {"s": F(-1, 2), "N": N, "b_0": F(7, 5), "b_q": mp.mpc(1, 2), "b_k": -1} for p in PLACED[::3] for N in (3, 5)
        ),
        samples={"b_q": (mp.mpc(1, 2), 0, F(1, 2)), "b_k": (mp.mpc(1, -2), 0, F(1, 2))},
    ),
    Trial(
        "locality.centre",
        "published",
        points=(PAIR,),
        samples={"b_0": (0, F(255, 2), 128), "j": (0, 1, 128, 255), "k": (0, 1, 128, 255)},
        truth=False,
    ),
    Trial(
        "learning.gradients", points=tuple(s | {"b": b} for s in SHAPES for b in (0, F(7, 4), mp.sqrt(2) * number(s["sigma"])))
    ),
    Trial("learning.clamp", points=tuple({"omega": w, "sigma": 2, "theta": t, "L": loss} for w in (1, 2, 3) for t in (0, 1, 2))),
    Trial("learning.start", "published", truth=False),
    Trial(
        "learning.forced", points=tuple(grid(omega=(F(1, 10), 1, 2, 3, 50), sigma=(F(1, 10000), F(1, 2), 1, F(1675, 1000), 2)))
    ),
    Trial("learning.decay", points=({"i": 0}, {"i": 50}, {"i": 127})),
    _boundary(ROOT_5, loss, least_at_the_boundary, saddle),
    Trial("gate.parameters"),
    Trial(
        "gate.causality",
        "published",
        points=({"N": 3}, {"N": 4}),
        truth=False,
        samples=ONE_GATE | {"X": (X_FIRST,), "Y": (X_SECOND,), "j_q": (1,)},
    ),
    Trial(
        "gate.causal-form",
        points=tuple(gate | {"N": 3, "e": e} for gate in GATES for e in (sequence(1, 2), sequence(3, -1), sequence(1, 1))),
        samples={"X": (X_FIRST, X_OTHER), "Y": (X_SECOND, X_OTHER)},
    ),
    Trial(
        "gate.threshold",
        points=tuple(
            {"N": 5, "e": e, "tau": t, "m": F(3, 2), "sigma": 2}
            for e in (sequence(1, 0, 0, 0, 0), sequence(3, 1, 4, 1, 5), sequence(2))
            for t in (F(1, 10), F(7, 20), F(19, 10))
        ),
    ),
    Trial("gate.threshold", "published", samples={"N": (2, 5), "e": (sequence(1, 0),)}, truth=False),
    Trial("report.arithmetic"),
    Trial("report.units"),
    Trial("report.units", "published", truth=False),
    Trial("report.parameters"),
    Trial("report.parameters", "published", truth=False),
)

OUT_OF_REACH: dict[tuple[str, str], tuple[int, ...] | None] = {
    ("admissibility.strict", "published"): None,
    ("admissibility.strict", "ours"): (1, 2, 3),
    **{
        (f"experiment.{name}", side): None
        for name, side in (
            ("table", "published"),
            ("leak", "published"),
            ("leak", "ours"),
            ("superadditive", "published"),
            ("superadditive", "ours"),
            ("boundary", "published"),
            ("synthetic", "ours"),
            ("extensions", "published"),
        )
    },
}
"""Members that no trial reaches: improper integrals, which are tried by hand, and measured quantities. None is all of them."""
