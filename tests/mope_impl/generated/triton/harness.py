"""What the tests of the Triton kernels share: files loaded from changed text, tensors in any layout, and guarded memory.

Without a GPU the kernels run in Triton's interpreter (tests/conftest.py switches it on); with one, the same tests run there.
"""
from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
import torch
from torch import Tensor

from mope_impl.generated import triton as folder

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SENTINEL = -12345.0
MARGIN = 4096
"""Guard elements on each side of a tensor: more than a planted fault writes beyond it."""

_numbers = count()


def source(name: str) -> str:
    """The committed text of a kernel."""
    return (Path(folder.__file__).parent / f"{name}.py").read_text(encoding="utf-8")


def loaded(text: str, directory: Path) -> ModuleType:
    """A module from text, by way of a file: Triton reads the source of a kernel from one."""
    path = directory / f"kernel_{next(_numbers)}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def changed(name: str, old: str, new: str, directory: Path) -> ModuleType:
    """A kernel with one planted fault."""
    text = source(name)
    assert old in text
    return loaded(text.replace(old, new), directory)


def placed(x: Tensor, form: str) -> Tensor:
    """The same values on the device, in another layout of memory, between guards; ``expanded`` has stride 0 in the first axis."""
    if form == "expanded":
        return placed(x[:1], "contiguous").expand(x.shape)
    order = list(range(x.dim()))
    if form == "transposed" and x.dim() > 1:
        order[-1], order[-2] = order[-2], order[-1]
    step = 3 if form == "odd" else 1
    shape = [x.shape[axis] for axis in order]
    store = torch.full((MARGIN + step * x.numel() + MARGIN,), 77, dtype=x.dtype, device=DEVICE)
    view = store[MARGIN : MARGIN + step * x.numel() : step].view(shape).permute([order.index(axis) for axis in range(x.dim())])
    view.copy_(x)
    return view


@contextmanager
def guarded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Memory that operators allocate meanwhile stands between guards, which are checked at the end; no element in it may be left
    unwritten, but in what has no axes and stands for a shape, which none may write."""
    real, stores, shapes = Tensor.new_empty, [], []

    def new_empty(self: Tensor, size, *, dtype: torch.dtype | None = None, **options) -> Tensor:
        if not isinstance(size, tuple) or options:  # the interpreter's own, and gradients that are not asked for
            return real(self, size, dtype=dtype, **options)
        numel = torch.Size(size).numel()
        store = real(self, (MARGIN + numel + MARGIN,), dtype=dtype or self.dtype)
        store.fill_(SENTINEL)
        (stores if size else shapes).append(store)
        return store[MARGIN : MARGIN + numel].view(size)

    with monkeypatch.context() as patch:
        patch.setattr(Tensor, "new_empty", new_empty)
        yield
    filled = torch.tensor(SENTINEL, dtype=torch.float64)
    for store in stores:
        mark = filled.to(store.dtype)
        outside = torch.cat((store[:MARGIN], store[store.numel() - MARGIN :])).cpu()
        assert (outside == mark).all(), "written outside"
        assert not (store[MARGIN : store.numel() - MARGIN].cpu() == mark).any(), "an element was not written"
    assert all((store.cpu() == filled.to(store.dtype)).all() for store in shapes), "written where a shape was kept"


def whole(x: Tensor) -> Tensor:
    """A copy of all memory that a tensor is a view of."""
    return torch.empty(0, dtype=x.dtype, device=x.device).set_(x.untyped_storage()).clone()
