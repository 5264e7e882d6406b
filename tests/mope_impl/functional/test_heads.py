"""What queries, keys and their parameters may be: every wrong argument is one clear line that names it."""
from __future__ import annotations

import pytest
import torch
from torch import Tensor

from mope_impl import functional as F

Q, K = torch.ones(2, 6, 4, 8), torch.ones(2, 3, 4, 8)
P = torch.arange(4)
OMEGA, SIGMA = torch.ones(3), torch.ones(3)
ROW_OF_EACH_QUERY = (
    "omega: got 6 heads, expected 3, one row for each head of k: it serves 2 consecutive heads of q, and scores see the "
    "distance only where both are turned alike"
)


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"q": [1.0]}, "q: got list, expected a torch.Tensor"),
        ({"k": None}, "k: got NoneType, expected a torch.Tensor"),
        ({"q": Q.long()}, "q: got torch.int64, expected float64, float32, bfloat16 or float16"),
        ({"k": K.to(torch.float8_e4m3fn)}, "k: got torch.float8_e4m3fn, expected float64"),
        ({"q": Q.to_sparse()}, "q: got a tensor of layout torch.sparse_coo, expected torch.strided"),
        ({"q": Q[0]}, r"q: got shape \(6, 4, 8\), expected \(batch, heads, tokens, channels\)"),
        ({"k": K[None]}, r"k: got shape \(1, 2, 3, 4, 8\), expected \(batch, heads, tokens, channels\)"),
        ({"k": K[:1]}, "k: got 1 batch, expected 2 as q has"),
        ({"k": K[:, :, :3]}, "k: got 3 tokens, expected 4 as q has"),
        ({"k": K[..., :6]}, "k: got 6 channels, expected 8 as q has"),
        ({"k": torch.ones(2, 4, 4, 8)}, "k: got 4 heads, expected a divisor of the 6 heads of q"),
        ({"k": torch.ones(2, 12, 4, 8)}, "k: got 12 heads, expected a divisor of the 6 heads of q"),
        ({"k": K[:, :0]}, "k: got 0 heads, expected a divisor of the 6 heads of q"),
        ({"k": K.to("meta")}, "k: got device meta, expected cpu as q is on"),
        ({"positions": [0, 1, 2, 3]}, "positions: got list, expected a torch.Tensor"),
        ({"positions": P > 1}, "positions: got dtype torch.bool, expected integers of 8 to 64 bits"),
        ({"positions": P[:3]}, r"positions: got shape \(3,\), expected \(4,\) or \(2, 4\) for q of shape \(2, 6, 4, 8\)"),
        ({"positions": P.expand(3, 4)}, r"positions: got shape \(3, 4\), expected \(4,\) or \(2, 4\)"),
        ({"positions": P.expand(2, 6, 4)}, r"positions: got shape \(2, 6, 4\), expected \(4,\) or \(2, 4\)"),
        ({"positions": torch.tensor(3)}, r"positions: got shape \(\), expected \(4,\) or \(2, 4\)"),
        ({"positions": P.to("meta")}, "positions: got device meta, expected cpu as q is on"),
        ({"omega": 0.5}, "omega: got float, expected a torch.Tensor"),
        ({"omega": OMEGA.long()}, "omega: got torch.int64, expected float64, float32, bfloat16 or float16"),
        ({"omega": OMEGA[0]}, r"omega: got shape \(\), expected \(n,\), or \(heads, n\)"),
        ({"omega": torch.ones(2, 6, 3)}, r"omega: got shape \(2, 6, 3\), expected \(n,\), or \(heads, n\)"),
        ({"omega": torch.ones(5)}, "omega: got 5 pairs, expected at most 4 for 8 channels"),
        ({"omega": torch.ones(6, 3)}, ROW_OF_EACH_QUERY),
        ({"omega": torch.ones(2, 3)}, "omega: got 2 heads, expected 3, one row for each head of k"),
        ({"omega": torch.ones(2, 3), "k": Q}, "omega: got 2 heads, expected 6, one row for each head$"),
        ({"omega": OMEGA.to("meta")}, "omega: got device meta, expected cpu as q is on"),
        ({"sigma": torch.ones(2)}, "sigma: got 2 pairs, expected 3 as omega has"),
        ({"sigma": torch.ones(6, 3)}, "sigma: got 6 heads, expected 3, one row for each head of k"),
        ({"sigma": SIGMA.to(torch.complex64)}, "sigma: got torch.complex64, expected float64"),
        ({"layout": "halves"}, "layout: got 'halves', expected 'half' or 'interleaved'"),
        ({"layout": None}, "layout: got None, expected 'half' or 'interleaved'"),
    ],
)
def test_a_wrong_argument_is_one_clear_error(changed, message):
    arguments = {"q": Q, "k": K, "positions": P, "omega": OMEGA, "sigma": SIGMA, "layout": "half"} | changed
    with pytest.raises(ValueError, match=message) as caught:
        F.morlet_rotary(**arguments)
    assert "\n" not in str(caught.value)
    if "sigma" not in changed:
        del arguments["sigma"]
        with pytest.raises(ValueError, match=message):
            F.rotary(**arguments)
        with pytest.raises(ValueError, match=message):
            F.xpos_rotary(**arguments, zeta=SIGMA)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_nested_tensors_are_refused():
    def nested(*shapes: tuple[int, ...]) -> Tensor:
        return torch.nested.nested_tensor([torch.ones(shape) for shape in shapes], layout=torch.jagged)

    with pytest.raises(ValueError, match=r"q: got a nested tensor, expected a padded one, \(batch, heads, tokens, channels\)"):
        F.rotary(nested((3, 4, 8), (2, 4, 8)), K, P, OMEGA)
    with pytest.raises(ValueError, match=r"positions: got a nested tensor, expected \(4,\) or \(2, 4\)"):
        F.rotary(Q, K, nested((3,), (2,)), OMEGA)


def test_a_device_without_float64_is_refused(monkeypatch):
    """Such a device (mps) would form the phase in float32, silently."""
    monkeypatch.setattr(F.validation, "WITHOUT_FLOAT64", frozenset({"meta"}))
    with pytest.raises(ValueError, match="positions: got device meta, which has no float64; expected a device with float64"):
        F.rotary(*(x.to("meta") for x in (Q, K, P, OMEGA)))
