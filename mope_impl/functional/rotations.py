"""Rotary encodings of queries and keys: each pair of channels is multiplied by a complex factor of its position.

Common to all of them:

**Shapes.** q is (B, H, T, D), k the same or with fewer heads (grouped queries), each of which serves H_q / H_k consecutive heads
of q. Positions are (T,), (B, T) or (1, T): integers or floats, any order and sign, \\|b\\| ≤ 2⁵³. Parameters are (n,), or (H, n)
with a row for each head of k; all n are equal, 2n ≤ D.

**Channels.** The first 2n channels are encoded, the others pass through untouched (partial rotary width, as in GPT-NeoX).
``layout="half"`` pairs channel i with channel i + n, as Llama and GPT-NeoX do; ``layout="interleaved"`` pairs channel 2i with
channel 2i + 1, as the paper on RoPE and GPT-J do. Weights made for one do not fit the other: channels 0, n, 1, n + 1, … of the
first are channels 0, 1, 2, 3, … of the second.

**Numbers.** The result for q has the dtype of q, that for k the dtype of k. The factors of all positions are formed in float64,
whatever the dtypes of the parameters and the autocast state, and rounded once to float32, or kept where q or k is float64; the
product is formed in that arithmetic and rounded to the dtype of the result. A channel is off by at most
4·2⁻²⁴(|x₀| + |x₁|) times the size of the factor for float32 or better, see :mod:`.tables`. Gradients of a parameter are added up
in that arithmetic over sequences, heads, q and k, then in float64 over positions, and rounded once. Inputs are never written, and
results share no memory with them.

On a GPU, with Triton's kernels (:mod:`.backend`), the kernel that uses the factors forms them in float64, and rounds cosines and
envelope each; a channel is off by at most 5·2⁻²⁴ in the place of 4, and gradients of a parameter are added up in float64.

**Speed.** These functions form the factors in each call. For many layers form them once, by
:func:`mope_impl.functional.rotary_table`, and turn queries and keys by :func:`mope_impl.functional.rotate`.
"""
from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .backend import kernel, uses_triton
from .heads import check_head_parameters, check_queries_and_keys, check_token_positions, widened
from .tables import check_layout, factors, rotate
from .validation import check_positive


def rotary(q: Tensor, k: Tensor, positions: Tensor, omega: Tensor, *, layout: str = "half") -> tuple[Tensor, Tensor]:
    r"""Rotary encoding (RoPE) of queries and keys.

    .. math:: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, e^{i\omega b}

    A score of a query at m and a key at n sees m − n alone.

    Args:
        q, k: (B, H, T, D) each, k may have fewer heads; float64, float32, bfloat16 or float16, not necessarily the same.
        positions: b in tokens, (T,) or (B, T).
        omega: frequencies in radians per token, (n,) or (heads of k, n), 2n ≤ D, \|ω\| ≤ 8192.
        layout: ``"half"`` or ``"interleaved"``; see the head of :mod:`mope_impl.functional.rotations`.

    Returns:
        q and k, encoded, of the shapes and dtypes they had.

    Raises:
        ValueError: for a wrong type, dtype, layout, shape or device.

    Source: the rotary encoding of RoFormer; claim ``phase.rope-angle``.
    """
    _check(q, k, positions, {"omega": omega}, layout)
    return _encoded("rotary", q, k, positions, (omega,), layout)


def morlet_rotary(
    q: Tensor, k: Tensor, positions: Tensor, omega: Tensor, sigma: Tensor | None = None, *, layout: str = "half"
) -> tuple[Tensor, Tensor]:
    r"""Rotary encoding of queries and keys under a Gaussian envelope.

    .. math:: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, e^{i\omega b}\, e^{-b^2/2\sigma^2}

    A score of a query at m and a key at n follows the product kernel e^{iω(m−n)} e^{−(m²+n²)/2σ²}: for finite σ it depends on
    both positions, not on their distance alone.

    Args:
        q, k, positions, omega, layout: as for :func:`rotary`.
        sigma: widths of the envelope in tokens, (n,) or (heads of k, n), in (0, ∞]; ∞ is the rotary encoding exactly, bit for
            bit, with gradient 0, and so is None, which costs no envelope.

    Returns:
        q and k, encoded, of the shapes and dtypes they had.

    Raises:
        ValueError: as for :func:`rotary`; for σ ≤ 0 or NaN if sigma is a plain CPU tensor outside functorch, compilation and
            export. Elsewhere such a σ gives NaN in its channels.

    Source: definition of the mother wavelet in the place of the rotation; claim ``limit.rope-score``.
    """
    if sigma is None:
        return rotary(q, k, positions, omega, layout=layout)
    _check(q, k, positions, {"omega": omega, "sigma": sigma}, layout)
    check_positive("sigma", sigma, "widths in (0, ∞]")
    return _encoded("morlet_rotary", q, k, positions, (omega, sigma), layout)


def xpos_rotary(
    q: Tensor, k: Tensor, positions: Tensor, omega: Tensor, zeta: Tensor, *, layout: str = "half"
) -> tuple[Tensor, Tensor]:
    r"""Rotary encoding of queries and keys with an exponential scale (xPos).

    .. math:: q: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, e^{i\omega b}\, \zeta^{b}, \qquad
              k: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, e^{i\omega b}\, \zeta^{-b}

    A score of a query at m and a key at n is multiplied by ζ^{m−n}: it sees the distance alone, and falls with it for ζ < 1 in
    causal attention. ζ = 1 is the rotary encoding.

    Args:
        q, k, positions, omega, layout: as for :func:`rotary`.
        zeta: decay per token, (n,) or (heads of k, n), positive and finite. The range of the numbers is soon exceeded: for
            \|b ln ζ\| beyond 88 a float32 key overflows, or a query underflows. Count positions from the middle of the sequence,
            or bring ζ closer to 1; the original takes ζ = γ^{1/512}, 0.28 < γ < 1.

    Returns:
        q and k, encoded, of the shapes and dtypes they had.

    Raises:
        ValueError: as for :func:`rotary`; for ζ ≤ 0 or NaN if zeta is a plain CPU tensor outside functorch, compilation and
            export. Elsewhere such a ζ gives NaN in its channels.

    Source: the extrapolatable position embedding xPos; claim ``kernel.rank-one``.
    """
    _check(q, k, positions, {"omega": omega, "zeta": zeta}, layout)
    check_positive("zeta", zeta, "decays in (0, ∞)")
    turn, decay = widened(omega), widened(zeta)
    rate = torch.log(torch.where(decay > 0, decay, torch.nan))
    return _encoded("xpos_rotary", q, k, positions, (turn, rate), layout, (turn, -rate))


def _check(q: Tensor, k: Tensor, positions: Tensor, parameters: dict[str, Tensor], layout: str) -> None:
    check_layout(layout)
    check_queries_and_keys(q, k)
    check_token_positions(positions, q)
    check_head_parameters(parameters, q, k)


def _encoded(
    name: str,
    q: Tensor,
    k: Tensor,
    positions: Tensor,
    parameters: tuple[Tensor, ...],
    layout: str,
    of_keys: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """q and k by the factors that a kernel makes; keys have parameters of their own or the same ones, and so the same factors."""
    places, turn = widened(positions), kernel(name, q)
    if uses_triton(q):
        shared = tuple(map(widened, parameters))
        turned = _fused(turn, q, places, _for_queries(shared, q, k), layout)
        return turned, _fused(turn, k, places, of_keys or shared, layout)
    dtype = torch.promote_types(torch.promote_types(q.dtype, k.dtype), torch.float32)
    table = factors(turn, places, parameters, dtype)
    own = table if of_keys is None else factors(turn, places, of_keys, dtype)
    return _by_groups(q, table, layout), rotate(k, own, layout=layout)


def _fused(turn: Callable[..., Tensor], x: Tensor, positions: Tensor, parameters: tuple[Tensor, ...], layout: str) -> Tensor:
    """Queries or keys through a kernel that forms the factors by itself, once for all heads that share them."""
    width = 2 * parameters[0].shape[-1]
    turned = turn(x[..., :width], positions, *parameters, layout=layout)
    return turned if width == x.shape[-1] else torch.cat((turned, x[..., width:]), -1)


def _for_queries(parameters: tuple[Tensor, ...], q: Tensor, k: Tensor) -> tuple[Tensor, ...]:
    """Parameters of the heads of k for those of q: head i of q goes with head i // (H_q / H_k)."""
    groups = q.shape[1] // k.shape[1]
    return tuple(value if value.dim() == 1 else value.repeat_interleave(groups, 0) for value in parameters)


def _by_groups(q: Tensor, table: Tensor, layout: str) -> Tensor:
    """Queries by a table of the heads of k, each of which serves several consecutive ones of q."""
    heads = table.shape[-3]
    if heads in (1, q.shape[1]):
        return rotate(q, table, layout=layout)
    return rotate(q.unflatten(1, (heads, -1)), table.unsqueeze(-3), layout=layout).flatten(1, 2)
