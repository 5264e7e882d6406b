r"""Morlet rotary encodings in Llama-style models of Hugging Face's transformers.

Such a model forms one pair of tables, cos and sin of ω_j b for each position b and pair of channels j, in a module ``rotary_emb``
that all its layers share, and turns queries and keys by them. :func:`use_morlet_rotary` puts a module in its place whose tables
carry the envelope besides:

.. math:: (\cos\omega_j b,\ \sin\omega_j b) \mapsto e^{-b^2/2\sigma_j^2}\,(\cos\omega_j b,\ \sin\omega_j b)

A score of a query at m and a key at n follows the product kernel e^{iω(m−n)} e^{−(m²+n²)/2σ²}. Each token is encoded once, at its
own position, so that keys in a cache stay what they were; positions are the model's ``position_ids``, which start anew in each
packed document and skip the padding. As envelopes fade with the distance from position 0, choose σ beyond the longest text.

**Phase.** With ``phase="host"`` the tables are the model's own, scaled variants of RoPE and their factor included, times the
envelope: σ = ∞ changes no bit of the logits. With ``phase="exact"`` they are the channels of
:func:`mope_impl.functional.morlet_encoding`, formed in float64; a model whose frequencies are not base^(−2j/d) is refused then.

**Files.** The model becomes one of the class ``MorletLlamaForCausalLM`` (``Morlet`` before the name that it had) with a
configuration of ``model_type`` ``"morlet_llama"``, so that no program takes its files for those of a plain Llama.
``save_pretrained`` keeps σ among the weights and the rest in the configuration; :func:`from_pretrained`, or the class itself,
which this module has by that name, reads both. ``AutoModelForCausalLM`` does so once the class has been named in the process.
"""
from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from functools import cache
from os import PathLike
from typing import Any, ClassVar, cast

import torch
from torch import Tensor, nn

from mope_impl import functional as F
from mope_impl.nn import frequencies
from mope_impl.nn.base import Wide

try:
    import transformers
    from transformers import conversion_mapping
except ImportError as fault:
    raise ImportError("mope_impl.integrations.transformers needs transformers: pip install 'mope[hf]'") from fault

__all__ = ["MorletRotaryEmbedding", "from_pretrained", "morlet_class", "use_morlet_rotary"]

PHASES = ("host", "exact")
PREFIX = "Morlet"
STYLE = (
    "one rotary module, base_model.rotary_emb, that gives tables cos and sin of position_ids, (batch, tokens, channels), whose "
    "second half repeats the first"
)
"""What a Llama-style model has."""


class MorletRotaryEmbedding(Wide):
    r"""The tables of a Llama-style model under Gaussian envelopes, one width for each pair of channels.

    .. math:: \cos = e^{-b^2/2\sigma_j^2} \cos\omega_j b, \qquad \sin = e^{-b^2/2\sigma_j^2} \sin\omega_j b

    Args:
        host: the rotary module of the model, which stays within this one.
        sigma: widths in tokens, one or one for each pair, in (0, ∞]; kept in float32. Learned widths are finite, and kept as
            log σ.
        phase: ``"host"`` for the tables of ``host``, ``"exact"`` for those of :func:`mope_impl.functional.morlet_encoding`.
        learned: whether σ is a parameter.

    Shapes: hidden states of any shape (their dtype and device count), position_ids (B, T), integer → cos and sin (B, T, 2n) for
    n pairs, of the dtype of the hidden states. With either phase a table is formed in float32 or wider and rounded once to it.

    Raises:
        ValueError: for a phase or widths that are none, and where the phase of ``host`` is not that of ``"exact"``.

    Source: definition of the mother wavelet in the place of the rotation; claim ``limit.rope-score``.
    """

    no_decay: ClassVar[frozenset[str]] = frozenset({"log_sigma"})

    def __init__(self, host: nn.Module, sigma: float | Sequence[float], *, phase: str = "host", learned: bool = True) -> None:
        super().__init__()
        if phase not in PHASES:
            raise ValueError(f"phase: got {phase!r}, expected 'host' or 'exact'")
        self.host, self.phase, self.learned = host, phase, learned
        device = cast(Tensor, host.inv_freq).device
        self.pairs = cast(Tensor, host.inv_freq).numel()
        self.initial = _widths(sigma, self.pairs, learned)
        if phase == "exact":
            self.base = _exact_base(host)
        empty = torch.empty(self.pairs, device=device, dtype=torch.float32)
        if learned:
            self.log_sigma = nn.Parameter(empty)
        else:
            self.register_buffer("sigma", empty)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Put the widths to their initial values."""
        with torch.no_grad():
            if self.learned:
                self.log_sigma.copy_(torch.tensor([math.log(value) for value in self.initial], device="cpu"))
            else:
                cast(Tensor, self.sigma).copy_(torch.tensor(self.initial, device="cpu"))

    def widths(self) -> Tensor:
        """σ in tokens as the tables use it, (n,), float64, differentiable."""
        return self.log_sigma.to(torch.float64).exp() if self.learned else cast(Tensor, self.sigma).to(torch.float64)

    def settings_of_config(self) -> dict[str, Any]:
        """What a configuration keeps, as JSON does, which has no ∞."""
        return {"sigma": [str(value) for value in self.initial], "phase": self.phase, "learned": self.learned}

    def forward(self, x: Tensor, position_ids: Tensor) -> tuple[Tensor, Tensor]:
        wide = torch.promote_types(x.dtype, torch.float32)
        sigma = self.widths().to(x.device)
        if self.phase == "exact":
            omega = frequencies.ladder(self.base, 2 * self.pairs, sigma.device)
            factors = F.morlet_encoding(position_ids, omega, sigma, dtype=wide)
            tables = [factors[..., channel::2].repeat(*[1] * (factors.dim() - 1), 2) for channel in (0, 1)]
        else:
            # Asked for in the wide dtype, so that the tables are rounded once, after the envelope.
            own = self.host(torch.empty(0, dtype=wide, device=x.device), position_ids)
            envelope = F.morlet_encoding(position_ids, torch.zeros_like(sigma), sigma, dtype=wide)[..., 0::2]
            tables = [table * torch.cat((envelope, envelope), -1) for table in own]
        return tables[0].to(x.dtype), tables[1].to(x.dtype)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> MorletRotaryEmbedding:
        """Conversions leave σ in float32 or wider; those of the host are its own."""
        if recurse:
            self.host._apply(fn)
        return super()._apply(fn, recurse=False)

    def extra_repr(self) -> str:
        return f"pairs={self.pairs}, phase={self.phase!r}, learned={self.learned}"


def use_morlet_rotary(
    model: Any, sigma: float | Sequence[float], *, phase: str = "host", learned: bool = True
) -> Any:
    r"""Give a Llama-style model Morlet rotary encodings in place of its rotary ones.

    .. math:: (x_0 + i x_1) \mapsto (x_0 + i x_1)\, e^{i\omega_j b}\, e^{-b^2/2\sigma_j^2}

    Args:
        model: a ``transformers.PreTrainedModel`` that forms its tables in one module, as Llama, Mistral, Qwen2 and GPT-NeoX do.
        sigma: widths of the envelope in tokens, one for all pairs of channels or one for each, in (0, ∞]; finite if learned.
        phase: ``"host"``: the model's own cos and sin times the envelope; ``"exact"``: ours, formed in float64.
        learned: whether σ is a parameter, ``rotary_emb.log_sigma``, of the model. Weight decay would pull σ to one token: make
            the groups of the optimiser by :func:`mope_impl.nn.parameter_groups`.

    Returns:
        The same model, changed in place; its class and the class of its configuration have ``Morlet`` before their names.

    Raises:
        ValueError: for a model that is not Llama-style, one that has a Morlet rotary encoding already, or one of a scaled RoPE
            together with ``phase="exact"``; for a phase or widths that are none.

    Source: definition of the mother wavelet in the place of the rotation; claim ``limit.rope-score``.
    """
    encoding = MorletRotaryEmbedding(_rotary_module(model), sigma, phase=phase, learned=learned)
    made, shared = morlet_class(cast(Any, type(model))), model.config
    own = copy.deepcopy(shared)  # other models may have the same one
    own.__class__, own.morlet_rotary = made.config_class, encoding.settings_of_config()
    for part in model.modules():
        if getattr(part, "config", None) is shared:
            part.config = own
    model.base_model.rotary_emb, model.__class__ = encoding, made
    model._keep_in_fp32_modules_strict = {*(model._keep_in_fp32_modules_strict or ()), *KEPT_WIDE}
    return model


def from_pretrained(path: str | PathLike[str], **options: Any) -> Any:
    """Load a model that was saved after :func:`use_morlet_rotary`, with the class that it had.

    Args:
        path: the folder, or the name on a hub, as for the method of that name in transformers.
        options: as for that method.

    Raises:
        ValueError: if the model has no Morlet rotary encoding, and where transformers does.
    """
    settings, _ = transformers.PretrainedConfig.get_config_dict(path)
    name = next(iter(settings.get("architectures") or ()), "a model of no class")
    host = getattr(transformers, name.removeprefix(PREFIX), None)
    if not name.startswith(PREFIX) or host is None:
        raise ValueError(f"{path}: got {name}, expected a model that use_morlet_rotary has changed")
    return morlet_class(host).from_pretrained(path, **options)


class _Morlet:
    """What the Morlet class of a model adds to it: the encoding is there before weights are loaded."""

    _keep_in_fp32_modules_strict: ClassVar[Any] = None

    def __init__(self, config: Any, *args: Any, **options: Any) -> None:
        super().__init__(config, *args, **options)  # type: ignore[call-arg]
        settings = config.morlet_rotary
        if not isinstance(settings, dict) or not {"sigma"} <= set(settings) <= {"sigma", "phase", "learned"}:
            raise ValueError(f"config.morlet_rotary: got {settings!r}, expected a dict of sigma, and phase and learned if wanted")
        base = self.base_model  # type: ignore[attr-defined]
        base.rotary_emb = MorletRotaryEmbedding(base.rotary_emb, **settings)

    @classmethod
    def from_pretrained(cls, *args: Any, output_loading_info: bool = False, **options: Any) -> Any:
        model, info = super().from_pretrained(*args, output_loading_info=True, **options)  # type: ignore[misc]
        if any("rotary_emb" in key for key in info["missing_keys"]):  # weights of a plain model: σ begins as configured
            model.base_model.rotary_emb.reset_parameters()
        return (model, info) if output_loading_info else model


KEPT_WIDE = ("rotary_emb.log_sigma", "rotary_emb.sigma")
"""Patterns of the names of tensors that loading in 16 bits leaves in float32."""


@cache
def morlet_class(host: Any) -> Any:
    """The class of the models of another class under Morlet rotary encodings; transformers' automatic classes know it then."""
    config = _config_class(host.config_class)
    made = type(
        PREFIX + host.__name__,
        (_Morlet, host),
        {
            "__module__": __name__,
            "__doc__": f"{host.__name__} with a Morlet rotary encoding.",
            "config_class": config,
            "_keep_in_fp32_modules_strict": {*(host._keep_in_fp32_modules_strict or ()), *KEPT_WIDE},
        },
    )
    _share_names(host.__name__, made.__name__)
    if host.__name__.endswith("ForCausalLM"):
        transformers.AutoModelForCausalLM.register(config, made, exist_ok=True)
    return made


@cache
def _config_class(host: Any) -> Any:
    config: Any = type(
        PREFIX + host.__name__,
        (host,),
        {
            "__module__": __name__,
            "__doc__": f"{host.__name__} with the settings of a Morlet rotary encoding.",
            "__annotations__": {"morlet_rotary": dict[str, Any] | None},
            "model_type": f"morlet_{host.model_type}",
            "morlet_rotary": None,
        },
    )
    transformers.AutoConfig.register(config.model_type, config, exist_ok=True)
    _share_names(host.model_type, config.model_type)
    return config


def _share_names(host: str, made: str) -> None:
    """Let the files of a kind of model, or of a class, hold weights as those of another do: the experts of a mixture, say."""
    mapping = conversion_mapping.get_checkpoint_conversion_mapping(host)
    if mapping is not None:
        conversion_mapping.register_checkpoint_conversion_mapping(made, mapping, overwrite=True)


def __getattr__(name: str) -> Any:
    """``MorletLlamaForCausalLM``, ``MorletLlamaConfig`` and so on, by name: so they are imported and unpickled."""
    host: Any = getattr(transformers, name.removeprefix(PREFIX), None) if name.startswith(PREFIX) else None
    for base, made in ((transformers.PreTrainedModel, morlet_class), (transformers.PretrainedConfig, _config_class)):
        if isinstance(host, type) and issubclass(host, base):
            return made(cast(Any, host))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _rotary_module(model: Any) -> nn.Module:
    """The rotary module of a Llama-style model. Raises ValueError for any other model, naming what was looked for."""
    name = type(model).__name__
    if not isinstance(model, transformers.PreTrainedModel):
        raise ValueError(f"model: got {name}, expected a transformers.PreTrainedModel")
    module = getattr(model.base_model, "rotary_emb", None)
    if isinstance(module, MorletRotaryEmbedding):
        raise ValueError(f"model: {name} has a Morlet rotary encoding already, another envelope would be applied on top of it")
    others = [m for m in model.modules() if isinstance(getattr(m, "inv_freq", None), Tensor)]
    if not isinstance(module, nn.Module) or others != [module] or not _is_llama_style(module):
        raise ValueError(f"model: {name} is not Llama-style; looked for {STYLE}")
    return module


def _is_llama_style(module: Any) -> bool:
    """Whether the tables that a rotary module gives for a few positions are those of Llama."""
    pairs, place = module.inv_freq.numel(), module.inv_freq.device
    try:
        with torch.no_grad():
            tables = module(torch.empty(0, device=place), torch.arange(4, device=place)[None])
        shapes = [table.shape == (1, 4, 2 * pairs) and table.is_floating_point() for table in tables]
        return len(shapes) == 2 and all(shapes) and all(torch.equal(*table.chunk(2, -1)) for table in tables)
    except Exception:  # whatever it is that another kind of module makes of such a call
        return False


def _exact_base(host: Any) -> float:
    """The base of the frequencies of a rotary module. Raises ValueError where they are not base^(−2j/d)."""
    kind, factor = host.rope_type, host.attention_scaling
    if kind != "default" or factor != 1.0:
        raise ValueError(f"phase: 'exact' is plain RoPE, got a model of rope_type {kind!r}; phase='host' keeps the tables it has")
    base, own = float(host.config.rope_parameters["rope_theta"]), host.inv_freq
    if not own.is_meta:  # while files are loaded it is: what they say was checked when they were written
        ours = frequencies.ladder(base, 2 * own.numel(), own.device)
        # In float32 the exponent is off by 2⁻²⁴ of itself and is at most 1, the power by a few units more, the reciprocal by one;
        # a model in 16 bits has rounded its frequencies to 2⁻⁸ of themselves once more.
        unit = torch.finfo(own.dtype).eps / 2
        if not bool((own.to(torch.float64) / ours - 1).abs().le((math.log(base) + 8) * 2.0**-24 + unit).all()):
            raise ValueError("phase: 'exact' turns by base^(-2j/d), got a model of other frequencies; phase='host' keeps them")
    return base


def _widths(sigma: Any, pairs: int, learned: bool) -> tuple[float, ...]:
    """One width for each pair, as float32 holds it. Raises ValueError for what are none."""
    given = sigma.tolist() if isinstance(sigma, Tensor) else sigma
    given = list(given) if isinstance(given, (list, tuple)) else [given] * pairs
    try:
        values = tuple(torch.tensor([float(value) for value in given], dtype=torch.float32, device="cpu").tolist())
    except (TypeError, ValueError):
        raise ValueError(f"sigma: got {sigma!r}, expected a width in (0, ∞], or one for each pair of channels") from None
    if len(values) != pairs:
        raise ValueError(f"sigma: got {len(values)} widths, expected one, or {pairs} as the model has pairs of channels")
    if not all(value > 0 for value in values):
        raise ValueError("sigma: got a value that is zero, negative or NaN, expected widths in (0, ∞]")
    if learned and math.inf in values:
        raise ValueError("sigma: got ∞, where nothing is learned (its gradient is 0), expected finite widths, or learned=False")
    return values
