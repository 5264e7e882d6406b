"""Every kernel under the transforms of torch, at odd strides and dtypes: equal to the plain call, bit by bit where it can be."""
from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from tests.mope_impl.consistency.cases import every_kernel
from tests.mope_impl.consistency.harness import Case, generated, gradients, leaves, outputs, slope_excess, upstream_for
from tests.mope_impl.consistency.regimes import small

pytestmark = pytest.mark.parametrize("name", every_kernel())


def call(case: Case, *inputs: Tensor, **changed: object) -> tuple[Tensor, ...]:
    return outputs(case, generated(case.name)(*(inputs or case.inputs.values()), **(case.options | changed)))


def all_equal(left: tuple[Tensor, ...], right: tuple[Tensor, ...]) -> bool:
    return len(left) == len(right) and all(map(torch.equal, left, right))


def test_first_and_second_derivatives(name: str) -> None:
    case = small(name)
    given = tuple(leaves(case).values())
    assert torch.autograd.gradcheck(lambda *x: call(case, *x), given)
    assert torch.autograd.gradgradcheck(lambda *x: call(case, *x), given)


def test_vmap_over_each_input_equals_the_loop(name: str) -> None:
    case = small(name)
    for place, (key, value) in enumerate(case.inputs.items()):
        stacked = torch.stack((value, value * 0.5, value * 1.25))
        dims = tuple(0 if k == place else None for k in range(len(case.inputs)))
        others = case.inputs | {key: stacked}
        mapped = torch.vmap(lambda *x: call(case, *x), in_dims=dims)(*others.values())
        loop = [call(case, *(case.inputs | {key: one}).values()) for one in stacked]
        assert all_equal(mapped, tuple(torch.stack(column) for column in zip(*loop, strict=True))), key


def test_jacrev_equals_the_loop(name: str) -> None:
    case = small(name)
    given = leaves(case)
    places = tuple(range(len(given)))
    jacobians = torch.func.jacrev(lambda *x: torch.stack(call(case, *x)), argnums=places)(*case.inputs.values())
    rows = [
        torch.autograd.grad(value, list(given.values()), retain_graph=True)
        for value in torch.stack(call(case, *given.values())).flatten()
    ]
    for place, jacobian in enumerate(jacobians):
        expected = torch.stack([row[place] for row in rows])
        assert torch.equal(jacobian.reshape(expected.shape), expected)


def test_forward_mode_is_refused_and_never_silently_zero(name: str) -> None:
    case = small(name)
    with pytest.raises(NotImplementedError, match="implement the jvp function"):
        torch.func.jacfwd(lambda x: call(case, x, *list(case.inputs.values())[1:]))(next(iter(case.inputs.values())))


def test_autocast_changes_no_bit(name: str) -> None:
    case = small(name, torch.float32)
    upstream = upstream_for(case, torch.Generator().manual_seed(1))
    plain, slopes = call(case), gradients(case, generated(name), upstream)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert all_equal(call(case), plain)
        again = gradients(case, generated(name), upstream)
    assert all(torch.equal(again[k], slopes[k]) for k in slopes)


def test_meta_tensors_give_shapes_and_gradients(name: str) -> None:
    case = small(name, torch.bfloat16)
    given = {k: v.to("meta").requires_grad_() for k, v in case.inputs.items()}
    found = call(case, *given.values())
    assert {(one.shape, one.dtype, one.device.type) for one in found} == {(case.shape, torch.bfloat16, "meta")}
    slopes = torch.autograd.grad([one.sum() for one in found], list(given.values()))
    assert [(s.shape, s.device.type) for s in slopes] == [(x.shape, "meta") for x in given.values()]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_a_narrow_result_is_the_full_one_rounded_once(name: str, dtype: torch.dtype) -> None:
    case = small(name, dtype)
    full = call(case, dtype=torch.float64)
    assert all_equal(call(case), tuple(one.to(dtype) for one in full))


def test_the_dtype_of_the_result_is_that_of_its_deciding_inputs(name: str) -> None:
    case = small(name, torch.float32)
    options = {k: v for k, v in case.options.items() if k != "dtype"}
    for x in case.spec.inputs:
        wide = case.with_inputs(**{x.name: case.inputs[x.name].double()})
        found = outputs(case, generated(name)(*wide.inputs.values(), **options))
        assert {one.dtype for one in found} == {torch.float64 if x.kind == "float" else torch.float32}, x.name


def strided(value: Tensor) -> Tensor:
    """The same values with a gap after each, and the first axis in reverse order of memory."""
    wide = torch.stack((value, value + 1), -1)
    return wide.flip(0).contiguous()[..., 0].flip(0) if value.dim() else wide[..., 0]


@pytest.mark.parametrize("change", [strided, lambda x: x.t().contiguous().t() if x.dim() == 2 else x.clone()], ids=["gaps", "t"])
def test_any_strides_of_inputs(name: str, change: Callable[[Tensor], Tensor]) -> None:
    case = small(name)
    given = {k: change(v) for k, v in case.inputs.items()}
    assert all_equal(call(case, *given.values()), call(case))


def test_any_strides_of_the_gradient(name: str) -> None:
    """Gradients arrive expanded, stride 0, from a sum, or transposed."""
    case = small(name)
    ones = tuple(torch.ones(case.shape, dtype=torch.float64) for _ in case.spec.channels)
    plain = gradients(case, generated(name), ones)
    for change in (
        lambda v: torch.ones((), dtype=torch.float64).expand(v.shape),
        lambda v: v.transpose(0, -1).contiguous().transpose(0, -1),
    ):
        found = gradients(case, generated(name), tuple(map(change, ones)))
        assert max(slope_excess(case, found, ones).values()) <= 1
        assert found.keys() == plain.keys()


def test_integer_numbers_are_the_same_numbers_and_get_no_gradient(name: str) -> None:
    case = small(name)
    numbers = [x.name for x in case.spec.inputs if x.kind == "number"]
    whole = case.with_inputs(**{k: torch.arange(case.inputs[k].numel()).reshape(case.inputs[k].shape) for k in numbers})
    wide = case.with_inputs(**{k: whole.inputs[k].double() for k in numbers})
    assert all_equal(call(whole), call(wide))
    given = upstream_for(case, torch.Generator().manual_seed(2))
    assert set(gradients(whole, generated(name), given)) == set(case.inputs) - set(numbers)


def test_each_input_alone_gets_the_gradient_that_it_gets_among_all(name: str) -> None:
    case = small(name)
    together = gradients(case, generated(name), upstream_for(case, torch.Generator().manual_seed(3)))
    for key in case.inputs:
        given = {k: v.clone().requires_grad_(k == key) for k, v in case.inputs.items()}
        upstream = upstream_for(case, torch.Generator().manual_seed(3))
        (alone,) = torch.autograd.grad(call(case, *given.values()), [given[key]], upstream)
        assert torch.equal(alone, together[key])


def test_inputs_are_never_written_and_results_may_be(name: str) -> None:
    case = small(name)
    before = {k: v.clone() for k, v in case.inputs.items()}
    given = leaves(case)
    result = generated(name)(*given.values(), **case.options)
    (result[0] if isinstance(result, tuple) else result).mul_(2.0).sum().backward()
    assert all(torch.equal(case.inputs[k], before[k]) and torch.equal(given[k].detach(), before[k]) for k in before)
    assert any(leaf.grad is not None for leaf in given.values())


def test_nan_goes_where_it_belongs_and_nowhere_else(name: str) -> None:
    """A NaN in one element of an input: the elements of the result that are made of it, and no other."""
    case = small(name)
    for key, value in case.inputs.items():
        spoilt = value.clone()
        spoilt.view(-1)[0] = torch.nan
        bad = case.with_inputs(**{key: spoilt})
        for channel, out in zip(case.spec.channels, call(bad), strict=True):
            made_of_it = [any(math.isnan(point[symbol]) for symbol in channel.free_symbols) for point in bad.points]
            assert out.isnan().flatten().tolist() == made_of_it, key


def test_a_batch_equals_its_rows(name: str) -> None:
    """One more axis in front of a starred input."""
    case = small(name)
    stars = [x.name for x in case.spec.inputs if any(axis.startswith("*") for axis in x.own)]
    batch = case.with_inputs(**{k: torch.stack((case.inputs[k], case.inputs[k] * 0.5)) for k in stars})
    rows = [call(case.with_inputs(**{k: batch.inputs[k][i] for k in stars})) for i in range(2)]
    assert all_equal(call(batch), tuple(torch.stack(column) for column in zip(*rows, strict=True)))


def test_a_long_sum_stays_under_the_bound(name: str) -> None:
    case = small(name)
    stars = [x.name for x in case.spec.inputs if any(axis.startswith("*") for axis in x.own)]
    longer = torch.cat if len(case.spec.axes) == 2 else torch.stack  # more positions, or a batch
    long = case.with_inputs(**{k: longer([case.inputs[k]] * 64) for k in stars})
    upstream = upstream_for(long, torch.Generator().manual_seed(4))
    worst = slope_excess(long, gradients(long, generated(name), upstream), upstream)
    assert max(worst.values()) <= 1, worst
