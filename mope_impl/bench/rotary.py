"""The rotary benchmark: everyone's forward pass, and forward and backward, eager and compiled, over the copy of q and k.

The copy is the floor: whoever returns new tensors reads and writes as much. It is measured in the same rounds, forward, and
forward and backward, where q, k and their two gradients are copied.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import torch
from torch import Tensor

from .contenders import CONTENDERS, PACKAGES, Built, Contender, Missing, Setting, is_right
from .rounds import measured
from .statistics import middle, ratios

__all__ = ["PACKAGES", "Plan", "goals", "is_there", "planned", "run"]

Mode = Literal["eager", "compiled"]
Pass = Literal["forward", "forward and backward"]
MODES: tuple[Mode, ...] = ("eager", "compiled")
PASSES: tuple[Pass, ...] = ("forward", "forward and backward")
FLOOR = "copy of q and k"
CHECKED = 256
"""Tokens of the sequences that results are checked on before anything is timed."""


SIZES = {"cpu": (4, 8, 2048, 64), "cuda": (4, 32, 8192, 128), "quick": (1, 4, 256, 64)}
"""Batch, heads, tokens and channels of q and k, those of the first two as the goals have them."""


@dataclass(frozen=True)
class Plan:
    """What is measured and how long."""

    settings: tuple[Setting, ...]
    rounds: int
    calls: int
    modes: tuple[Mode, ...] = MODES
    aims: bool = True
    """Whether the sizes are those that the goals speak of."""


def is_there(device: str) -> bool:
    """Whether torch sees such a device."""
    return device == "cpu" or torch.cuda.is_available()


def planned(device: str, quick: bool, rounds: int | None, threads: int | None) -> Plan:
    """The plan of ``mope bench``; the threads are set."""
    if threads is not None:
        torch.set_num_threads(threads)
    dtypes = (torch.float32, torch.bfloat16) if device == "cpu" else (torch.bfloat16,)
    settings = tuple(Setting(*SIZES["quick" if quick else device], dtype, device) for dtype in dtypes)
    return Plan(settings, rounds or (3 if quick else 21), 10 if device == "cuda" else 1, aims=not quick)


class _Copy(torch.autograd.Function):
    """A copy whose gradient is a copy, too."""

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad.clone()


def act(built: Built, at: Setting, which: Pass) -> Callable[[], object]:
    """One call: the results of the forward pass, or the gradients of q, k and the parameters."""
    q, k = (at.drawn(seed).requires_grad_(which != "forward") for seed in (1, 2))
    if which == "forward":

        def forward() -> object:
            with torch.no_grad():
                return built.turn(q, k)

        return forward
    upstream, inputs = (at.drawn(3), at.drawn(4)), (q, k, *built.learned)
    return lambda: torch.autograd.grad(built.turn(q, k), inputs, upstream)


def run(
    plan: Plan,
    contenders: Sequence[Contender] = CONTENDERS,
    timed: Callable[..., dict[str, list[float]]] = measured,
    say: Callable[[str], object] = lambda text: None,
) -> Iterator[dict[str, Any]]:
    """One case after another: a dtype, a mode and a pass, with a row for each contender and the goals."""
    for at in plan.settings:
        here = [one for one in contenders if one.device in (None, at.device.partition(":")[0])]
        for mode in plan.modes:
            say(f"{_name(at.dtype)}, {mode}: building and checking")
            ready, absent = _built(here, at, mode)
            for which in PASSES:
                say(f"{_name(at.dtype)}, {mode}, {which}")
                yield _case(plan, at, mode, which, here, ready, absent, timed)


def _built(
    contenders: Sequence[Contender], at: Setting, mode: Mode
) -> tuple[dict[str, Built], dict[str, dict[str, str]]]:
    """Those that are there and right, and why the others are not."""
    ready, absent = {}, {}
    small = replace(at, batch=1, tokens=min(at.tokens, CHECKED))
    for one in contenders:
        try:
            right = is_right(one, small, one.build(small))
            built = one.build(at)
        except Missing as fault:
            absent[one.name] = {"missing": str(fault)}
            continue
        except Exception as fault:
            absent[one.name] = {"failed": _line(fault)}
            continue
        if not right:
            absent[one.name] = {"wrong": "its results are not those of the rotary encoding: not timed"}
            continue
        if mode == "compiled":
            built = replace(built, turn=torch.compile(built.turn, fullgraph=one.ours, dynamic=False))
        ready[one.name] = built
    return ready, absent


def _case(
    plan: Plan,
    at: Setting,
    mode: Mode,
    which: Pass,
    contenders: Sequence[Contender],
    ready: Mapping[str, Built],
    absent: Mapping[str, Mapping[str, str]],
    timed: Callable[..., dict[str, list[float]]],
) -> dict[str, Any]:
    acts: dict[str, Callable[[], object]] = {}
    reasons = {name: dict(why) for name, why in absent.items()}
    copies = Built(lambda q, k: (_Copy.apply(q), _Copy.apply(k)))
    for name, built in {FLOOR: copies, **ready}.items():
        acts[name] = act(built, at, which)
        try:
            acts[name]()
        except Exception as fault:  # a package that does not compile, or has no backward pass
            del acts[name]
            reasons[name] = {"failed": _line(fault)}
    wait = torch.cuda.synchronize if at.device.startswith("cuda") else _nothing
    seconds = timed(acts, plan.rounds, plan.calls, wait=wait)
    rows = [_row(FLOOR, None, seconds), *(
        _row(one.name, one, seconds) if one.name in acts else {"name": one.name, "ours": one.ours, **reasons[one.name]}
        for one in contenders)]  # fmt: skip
    sizes = {name: getattr(at, name) for name in ("batch", "heads", "tokens", "channels")}
    case = {**sizes, "dtype": _name(at.dtype), "mode": mode, "pass": which, "rows": rows}
    return {**case, "goals": goals(case, at.device) if plan.aims else []}


def _row(name: str, contender: Contender | None, seconds: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    own = seconds[name]
    row: dict[str, Any] = {"name": name, "ours": contender is not None and contender.ours}
    if contender is not None:
        row |= {"layout": contender.layout, "kind": contender.kind}
        if contender.kind == "morlet":
            plain = name.replace("morlet_rotary", "rotary")
            if plain in seconds:
                row["to_rotary"] = asdict(ratios(own, seconds[plain]))
    row |= {"seconds": asdict(middle(own)), "to_copy": asdict(ratios(own, seconds[FLOOR]))}
    return row | {"rounds": [float(f"{one:.5g}") for one in own]}


LIMITS: Mapping[tuple[str, str, str], float] = {
    ("cpu", "eager", "forward"): 1.4,
    ("cpu", "eager", "forward and backward"): 2.0,
    ("cpu", "compiled", "forward"): 1.25,
    ("cpu", "compiled", "forward and backward"): 1.5,
    **{("cuda", mode, which): 1 / 0.9 for mode in MODES for which in PASSES},
}
"""Of the median ratio to the copy, for a rotation with or without an envelope; on a GPU 90 % of the bandwidth of the copy. On a
CPU they are set for float32."""
LEARNED = 2.0
"""The same for learned parameters, compiled."""


def goals(case: Mapping[str, Any], device: str) -> list[dict[str, Any]]:
    """What was aimed at in a case, and whether it is met, by the measured numbers alone."""
    found = []
    timed = [row for row in case["rows"] if "to_copy" in row]
    peers = [row for row in timed if not row["ours"] and row["name"] != FLOOR]
    fastest = min(peers, key=lambda row: float(row["to_copy"]["median"]), default=None)
    kind = device.partition(":")[0]
    limit = LIMITS[kind, case["mode"], case["pass"]]
    aimed = kind != "cpu" or case["dtype"] == "float32"
    plain = ("rotary", "call") if kind == "cuda" else ("rotary",)  # there one kernel forms the factors and uses them

    def goal(row: Mapping[str, Any], text: str, value: float, most: float) -> None:
        found.append({"name": row["name"], "goal": text, "value": value, "limit": most, "met": value <= most})

    for row in timed:
        if not row["ours"]:
            continue
        own = row["to_copy"]["median"]
        if row["kind"] in ("morlet", *plain) and aimed:
            goal(row, "to the copy", own, limit)
        if row["kind"] == "learned" and case["mode"] == "compiled" and aimed:
            goal(row, "to the copy", own, LEARNED)
        if "to_rotary" in row:
            ratio = row["to_rotary"]
            goal(row, "to plain rotation", ratio["median"] if ratio["low"] is None else ratio["low"], 1.0)
        if row["kind"] in plain and fastest is not None:
            goal(row, f"{fastest['name']}'s", own, fastest["to_copy"]["median"])
    return found


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _line(fault: Exception) -> str:
    text = " ".join(str(fault).split())
    return f"{type(fault).__name__}: {text[:200]}"


def _nothing() -> None:
    pass
