"""What modules share: a versioned state, and for encodings the dtype of the result apart from that of the parameters."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn

from mope_impl.functional import DTYPES, check_dtype


class Versioned(nn.Module):
    """Base of every module.

    ``no_decay`` names the parameters that weight decay must leave alone, see :func:`mope_impl.nn.parameter_groups`.

    ``settings`` names the attributes, of plain types, that decide what the parameters mean and show in none of them. They
    are kept beside the version in the metadata of a state dict, and a state with others is refused. Where the metadata is
    lost, as in a plain dictionary or a file of safetensors, neither can be checked.
    """

    no_decay: ClassVar[frozenset[str]] = frozenset()
    settings: ClassVar[tuple[str, ...]] = ()
    _version: int = 1

    def reset_parameters(self) -> None:
        """Put every parameter to its initial value, on whatever device it is."""

    def _save_to_state_dict(self, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        metadata = getattr(destination, "_metadata", {}).get(prefix[:-1])
        if metadata is not None:
            metadata.update({name: getattr(self, name) for name in self.settings})

    def _load_from_state_dict(
        self,
        state_dict: Mapping[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        version, name = local_metadata.get("version"), type(self).__name__
        place = prefix.rstrip(".") or name
        if version is not None and version > self._version:
            error_msgs.append(
                f"{place}: the state is of version {version} of {name}, this code reads versions up to "
                f"{self._version}; update mope to load it"
            )
            return
        for setting in self.settings:
            own = getattr(self, setting)
            saved = local_metadata.get(setting, own)
            if saved != own:
                error_msgs.append(
                    f"{place}: the state is of {name}({setting}={saved!r}), where its parameters mean something else than with "
                    f"{setting}={own!r}; load it into a module that is built with {setting}={saved!r}"
                )
                return
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class Wide(Versioned):
    """Base of the modules whose parameters stay float32 or wider: a frequency of 8 bits puts whole positions out of phase.

    A conversion of the module (``.to``, ``.half``, a parent's ``.bfloat16`` …) is applied to the parameters only down to
    float32; one to any other dtype than float64, float32, bfloat16 and float16 is a ValueError. Parameters that are loaded
    from a narrower state are widened to float32.
    """

    def _parameter(self, *shape: int, device: torch.device | str | None, dtype: torch.dtype) -> nn.Parameter:
        """An uninitialised parameter, float32 or wider."""
        return nn.Parameter(torch.empty(shape, device=device, dtype=torch.promote_types(dtype, torch.float32)))

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        def at_least_float32(tensor: Tensor) -> Tensor:
            moved = fn(tensor)
            if moved.dtype == tensor.dtype:
                return moved
            check_dtype(f"conversion of {type(self).__name__}", moved.dtype)
            return tensor.to(moved.device) if moved.dtype in NARROW else moved

        return super()._apply(at_least_float32, recurse)

    def _load_from_state_dict(
        self,
        state_dict: Mapping[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        wide = dict(state_dict)
        for key in (prefix + name for name in self._parameters):
            value = wide.get(key)
            if not isinstance(value, Tensor):
                continue  # what is missing, or no tensor, is said below
            try:
                check_dtype(key, value.dtype)
            except ValueError as fault:
                error_msgs.append(str(fault))
                return
            if value.dtype in NARROW:  # assigned as it is, it would be a narrow parameter
                wide[key] = value.to(torch.float32)
        super()._load_from_state_dict(wide, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


class Encoding(Wide):
    """Base of the modules that turn positions into vectors.

    ``dtype`` is the dtype of the result. A conversion of the module sets it, whatever becomes of the parameters: results are
    formed in float64 and rounded once to ``dtype``, which is float64, float32, bfloat16 or float16.
    """

    def __init__(self, dtype: torch.dtype | None) -> None:
        super().__init__()
        self.dtype = chosen_dtype(dtype)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        with torch.no_grad():
            # Modules hand conversions down as a function of a tensor: an empty one shows the dtype that is asked for.
            asked = fn(torch.empty(0, dtype=self.dtype, device=self._device()))
        check_dtype(f"conversion of {type(self).__name__}", asked.dtype)
        self.dtype = asked.dtype
        return super()._apply(fn, recurse)

    def _device(self) -> torch.device:
        return next((p.device for p in self.parameters()), torch.device("cpu"))


NARROW = frozenset(dtype for dtype in DTYPES if dtype.itemsize < torch.float32.itemsize)
"""Dtypes narrower than float32: of results, never of parameters."""


def chosen_dtype(dtype: torch.dtype | None) -> torch.dtype:
    """The dtype, or the default one for None; ValueError for one that results and parameters do not have."""
    chosen = torch.get_default_dtype() if dtype is None else dtype
    check_dtype("dtype", chosen)
    return chosen


def check_pairs(d_model: int, name: str = "d_model") -> int:
    """Number of pairs of channels; ValueError unless ``d_model`` is a positive even integer."""
    if isinstance(d_model, bool) or not isinstance(d_model, int) or d_model <= 0 or d_model % 2:
        raise ValueError(f"{name}: got {d_model!r}, expected a positive even integer")
    return d_model // 2
