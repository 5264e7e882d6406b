"""The model written a second time, in NumPy, head by head and formula by formula, with a bound for each rounding."""
from __future__ import annotations

import math

import numpy as np

from mope_impl.nn import GPT
from tests.mope_impl.nn.running_error import Array, Bounded, U, exact, rounded


def logits(model: GPT, tokens: Array) -> Bounded:
    """(T, vocabulary) for tokens (T,), dropout off."""
    config = model.config
    state = {name: value.detach().double().numpy() for name, value in model.state_dict().items()}
    x = exact(state["embedding.weight"][tokens])
    if config.encoding in ("learned", "rotary+learned"):
        x = x + exact(state["encoding.table"][: len(tokens)])
    if config.encoding == "sinusoidal":
        x = x + sinusoids(len(tokens), config.width, config.base)
    if config.encoding == "morlet":
        x = x + packets(len(tokens), state["encoding.log_omega"], state["encoding.log_sigma"])
    for layer in range(config.layers):
        part = {name.split(".", 2)[2]: value for name, value in state.items() if name.startswith(f"blocks.{layer}.")}
        x = x + attention(config, part, normalised(x, part, "norm_attention."))
        inner = normalised(x, part, "norm_feed_forward.") @ exact(part["feed_forward.expand.weight"].T)
        inner = (inner + exact(part["feed_forward.expand.bias"])).gelu()
        x = x + (inner @ exact(part["feed_forward.contract.weight"].T) + exact(part["feed_forward.contract.bias"]))
    return normalised(x, state, "norm.") @ exact(state["embedding.weight"].T)


def normalised(x: Bounded, state: dict[str, Array], name: str) -> Bounded:
    mean = x.mean()
    deviation = (x.variance(mean) + exact(1e-5)).sqrt()
    return (x - mean) / deviation * exact(state[name + "weight"]) + exact(state[name + "bias"])


def attention(config, state: dict[str, Array], x: Bounded) -> Bounded:
    length, size = len(x.value), config.width // config.heads
    seen = np.tril(np.ones((length, length), dtype=bool))
    q, k, v = (x @ exact(part.T) for part in np.split(state["attention.project.weight"], 3))
    out = []
    for head in range(config.heads):
        own = slice(head * size, (head + 1) * size)
        a, b = q[:, own], k[:, own]
        if config.encoding in ("rotary", "rotary+learned"):
            a, b = turned(a, config.base, config.layout), turned(b, config.base, config.layout)
        weights = (a @ b.swap() * exact(1 / math.sqrt(size))).softmax(seen)
        if config.gate != "none":
            gated = weights * gates(config, state, x, head)
            gated = Bounded(np.where(seen, gated.value, 0), np.where(seen, gated.error, 0))
            total = gated.sum()
            assert (total.value > 1e-6).all(), "the clamp is not what is tested here"
            weights = gated / total
        out.append(weights @ v[:, own])
    joined = Bounded(np.concatenate([y.value for y in out], -1), np.concatenate([y.error for y in out], -1))
    return joined @ exact(state["attention.output.weight"].T) + exact(state["attention.output.bias"])


def gates(config, state: dict[str, Array], x: Bounded, head: int) -> Bounded:
    """(T, T): the gate of each key for each query, mixed over projections by a softmax."""
    names = ("weight", "bias", "sharpness", "threshold")
    directions, biases, alphas, taus = (np.atleast_1d(state[f"attention.gate.{name}"][head]) for name in names)
    directions = directions.reshape(-1, config.width)
    shares = exact(state["attention.gate.mixture"][head]).softmax(np.array(True)) if config.projections > 1 else exact([1.0])
    mixed = None
    for i, (u, c, alpha, tau) in enumerate(zip(directions, biases, alphas, taus, strict=True)):
        energy = (x @ exact(u[:, None]) + exact(c))[:, 0]
        rows = [standard(energy, t + 1 if config.gate == "causal" else len(energy.value)) for t in range(len(energy.value))]
        z = Bounded(np.stack([row.value for row in rows]), np.stack([row.error for row in rows]))
        gate = ((z - exact(tau)) * exact(alpha)).sigmoid() * shares[i]
        mixed = gate if mixed is None else mixed + gate
    return mixed


def standard(energy: Bounded, count: int) -> Bounded:
    """Scores of all energies among the first ``count``, population statistics."""
    first = energy[:count]
    mean = first.mean()
    if count == 1:  # the deviation is 0: the score of the one is 0, and nothing else is seen
        return rounded(np.zeros_like(energy.value), 0.0)
    deviation = first.variance(mean).sqrt()
    return (energy - mean) / deviation


def sinusoids(length: int, width: int, base: float) -> Bounded:
    """Even channels sin, odd cos. The phase is off by a few units of itself and of the logarithm of the base."""
    table, phase = np.empty((length, width)), np.empty((length, width))
    for i in range(width // 2):
        for b in range(length):
            angle = b / base ** (2 * i / width)
            table[b, 2 * i], table[b, 2 * i + 1] = math.sin(angle), math.cos(angle)
            phase[b, 2 * i : 2 * i + 2] = angle
    return rounded(table, (4 + math.log(base)) * U * phase + 4 * U)


def packets(length: int, log_omega: Array, log_sigma: Array) -> Bounded:
    """Even channels cos · envelope, odd sin · envelope, under the constraint as published.

    Phase and exponent follow ω and σ, a few units of themselves off.
    """
    table, error = np.empty((length, 2 * len(log_omega))), np.empty((length, 2 * len(log_omega)))
    for i, (first, second) in enumerate(zip(log_omega, log_sigma, strict=True)):
        omega, sigma = min(math.exp(first), 0.95 * math.pi), max(math.exp(second), 1e-3)
        if omega * sigma < 5:
            omega = 5 / sigma
        for b in range(length):
            exponent = b * b / (2 * sigma * sigma)
            envelope = math.exp(-exponent)
            table[b, 2 * i : 2 * i + 2] = math.cos(omega * b) * envelope, math.sin(omega * b) * envelope
            error[b, 2 * i : 2 * i + 2] = envelope * (16 * omega * b + 32 * exponent + 8) * U
    return rounded(table, error)


def turned(x: Bounded, base: float, layout: str) -> Bounded:
    """RoPE of one head (T, D), pair by pair."""
    length, size = x.value.shape
    value, error = np.empty_like(x.value), np.empty_like(x.error)
    places = np.arange(length)
    for i in range(size // 2):
        one, two = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + size // 2)
        angle = places / base ** (2 * i / size)
        off = (4 + math.log(base)) * U * angle + 4 * U
        cos, sin = rounded(np.cos(angle), off), rounded(np.sin(angle), off)
        for channel, new in ((one, x[:, one] * cos - x[:, two] * sin), (two, x[:, one] * sin + x[:, two] * cos)):
            value[:, channel], error[:, channel] = new.value, new.error
    return Bounded(value, error)
