"""Morlet rotary encodings in models of transformers: bits, bounds, caches, padding, files; each check is seen failing."""
from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import mope_theory as mt
from mope_impl.nn import parameter_groups
from tests.mope_impl.integrations.models import FAMILIES, LENGTH, SCALINGS, encoding, reference_tables, row_by_row, tiny, tokens

pytestmark = pytest.mark.requires("transformers")

ROOT = Path(__file__).resolve().parents[3]
SIGMA = 9.0
IDS = tokens(2, 11)
FLOATS = [torch.float64, torch.float32, torch.bfloat16]


@pytest.fixture(scope="module")
def hf() -> Any:
    from mope_impl.integrations import transformers

    return transformers


def logits(model: Any, ids: torch.Tensor = IDS, **options: Any) -> torch.Tensor:
    with torch.no_grad():
        return model(ids, **options).logits


# ── the tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_without_an_envelope_no_bit_of_the_logits_changes(hf, family, dtype, attention):
    plain = logits(tiny(family, dtype=dtype, attention=attention))
    model = hf.use_morlet_rotary(tiny(family, dtype=dtype, attention=attention), math.inf, learned=False)
    assert torch.equal(logits(model), plain)
    narrow = hf.use_morlet_rotary(tiny(family, dtype=dtype, attention=attention), SIGMA, learned=False)
    assert not torch.equal(logits(narrow), plain)


@pytest.mark.parametrize("converted", [torch.nn.Module.bfloat16, torch.nn.Module.half, torch.nn.Module.double])
def test_a_conversion_of_the_model_is_the_hosts_own(hf, converted):
    """It rounds the frequencies of a plain model, and so those of the host, but no width."""
    plain = logits(converted(tiny()))
    model = converted(hf.use_morlet_rotary(tiny(), math.inf, learned=False))
    assert torch.equal(logits(model), plain)
    assert encoding(model).sigma.dtype in (torch.float32, torch.float64)


def check_scaled(hf: Any, scaling: str) -> None:
    """The variants of RoPE keep their frequencies and their factor of cos and sin, also beyond the trained length."""
    for ids in (IDS, tokens(1, LENGTH + 9)):
        plain, model = tiny(scaling=scaling), hf.use_morlet_rotary(tiny(scaling=scaling), math.inf, learned=False)
        assert torch.equal(logits(model, ids), logits(plain, ids))


@pytest.mark.parametrize("scaling", SCALINGS)
def test_scaled_rope_stays_as_it_is(hf, scaling):
    check_scaled(hf, scaling)
    assert (encoding(tiny(scaling="yarn")).attention_scaling > 1.1) is True
    beyond = tokens(1, LENGTH + 9)
    assert not torch.equal(logits(tiny(scaling=scaling), beyond), logits(tiny(), beyond))


def check_tables(hf: Any, phase: str, dtype: torch.dtype, family: str = "Llama") -> None:
    """Both tables are within a bound of their true values, and the model's attention uses them.

    The envelope is off by 6·2⁻⁵³ of itself and then rounded once to float32 or wider, unit u. With the host's tables, exact for
    this purpose, there is one product more, and one rounding to the dtype, unit v: below (2u + v)(1 + 2⁻⁷) of the value. The
    exact phase is off by (|θ|(ln base + 3) + 5)·2⁻⁵³ instead, and rounded to float32 and to the dtype: the same bound, and that.
    """
    scaling = "yarn" if phase == "host" and family == "Llama" else None
    model = hf.use_morlet_rotary(tiny(family, dtype=dtype, scaling=scaling), SIGMA, phase=phase, learned=False)
    with torch.no_grad():
        encoding(model).sigma.copy_(torch.linspace(3.0, 40.0, encoding(model).pairs))
    positions, sigma = np.array([0, 1, 2, 7, 30, 1000]), encoding(model).sigma.tolist()
    pairs = len(sigma)
    given = torch.from_numpy(positions)[None]
    if phase == "host":
        wide = torch.promote_types(dtype, torch.float32)
        with torch.no_grad():
            own = encoding(tiny(family, scaling=scaling))(torch.empty(0, dtype=wide), given)
        size, _ = reference_tables(positions, sigma, [0.0] * pairs)
        true = [table[0].double().numpy() * size for table in own]
        phase_error = np.zeros_like(size)
    else:
        omega = [100.0 ** (-2 * j / (2 * pairs)) for j in range(pairs)]
        true = list(reference_tables(positions, sigma, omega))
        phase_error = (np.abs(np.outer(positions, omega * 2)) * (math.log(100.0) + 3) + 5) * 2.0**-53
    with torch.no_grad():
        found = encoding(model)(torch.empty(0, dtype=dtype), given)
    u, v = (torch.finfo(one).eps / 2 for one in (torch.promote_types(dtype, torch.float32), dtype))
    for table, value in zip(found, true, strict=True):
        assert (table.dtype, table.shape) == (dtype, (1, len(positions), 2 * pairs))
        bound = np.abs(value) * (2 * u + v + 8 * 2.0**-53) * (1 + 2.0**-7) + phase_error + 2.0**-126
        assert (np.abs(table[0].double().numpy() - value) <= bound).all()
    with torch.no_grad():
        tables = encoding(model)(torch.empty(0, dtype=dtype), torch.arange(IDS.shape[1])[None])
    for attention in ("eager", "sdpa"):
        replaced = tiny(family, dtype=dtype, scaling=scaling, attention=attention)
        replaced.base_model.rotary_emb.forward = lambda x, position_ids: tables
        model.set_attn_implementation(attention)
        assert torch.equal(logits(model), logits(replaced))


@pytest.mark.parametrize("family", ["Llama", "GPTNeoX"])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("phase", ["host", "exact"])
def test_tables_are_within_the_bound(hf, phase, dtype, family):
    check_tables(hf, phase, dtype, family)


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_the_exact_phase_keeps_tokens_apart_where_float32_does_not(hf, attention):
    """At 2²⁴ positions of float32 are two apart; tokens there are what they are a whole number of turns before."""
    far = torch.tensor([[2**24, 2**24 + 1]])
    for phase, apart in (("host", False), ("exact", True)):
        module = encoding(hf.use_morlet_rotary(tiny(attention=attention), math.inf, phase=phase, learned=False))
        cos, _ = module(torch.empty(0), far)
        assert (not torch.equal(cos[0, 0], cos[0, 1])) is apart


# ── caches, padding, packed documents, generation ────────────────────────────────────────────────────────────────────────


@pytest.fixture(params=["Llama", "Qwen2"])
def exact_sums(hf, request, monkeypatch):
    """A function that makes a model whose sums go term by term, changed already."""
    return lambda phase="host": hf.use_morlet_rotary(row_by_row(tiny(request.param), monkeypatch), SIGMA, phase=phase)


def check_cache(model: Any) -> None:
    """Token by token, and in two parts, a cache gives the logits of the whole text, bit for bit."""
    whole = logits(model)
    for parts in ([1] * IDS.shape[1], [4, 1, 6]):
        found, cache = [], None
        with torch.no_grad():
            for ids in IDS.split(parts, 1):
                out = model(ids, cache=cache, use_cache=True)
                cache = out.cache
                found.append(out.logits)
        assert torch.equal(torch.cat(found, 1), whole)


def check_padding(model: Any) -> None:
    """Padding on the left moves nothing: texts of two lengths give, bit for bit, what they give alone."""
    padded = torch.cat((torch.zeros(2, 3, dtype=torch.long), IDS), 1)
    mask = torch.ones_like(padded)
    mask[0, :3] = mask[1, :5] = 0
    positions = (mask.cumsum(-1) - 1).clamp(min=0)
    together = logits(model, padded, attention_mask=mask, position_ids=positions)
    for row, start in ((0, 3), (1, 5)):
        assert torch.equal(together[row, start:], logits(model, padded[row : row + 1, start:])[0])


def check_packing(model: Any) -> None:
    """Two documents in one row, positions from 0 in each, give bit for bit what they give alone."""
    positions = torch.cat((torch.arange(6), torch.arange(IDS.shape[1] - 6)))[None]
    packed = logits(model, IDS[:1], position_ids=positions, use_cache=False)[0]
    alone = [logits(model, part)[0] for part in (IDS[:1, :6], IDS[:1, 6:])]
    assert torch.equal(packed, torch.cat(alone))


def check_generation(model: Any) -> None:
    """Greedy generation with a cache and padding on the left takes the largest logit of the whole text each time."""
    padded = torch.cat((torch.zeros(2, 2, dtype=torch.long), IDS), 1)
    mask = torch.ones_like(padded)
    mask[0, :2] = mask[1, :4] = 0
    options = {"max_new_tokens": 5, "do_sample": False, "eos_token_id": None, "pad_token_id": 0}
    found = model.generate(padded, attention_mask=mask, **options)
    for row, start in ((0, 2), (1, 4)):
        text = padded[row : row + 1, start:]
        for _ in range(5):
            text = torch.cat((text, logits(model, text)[:, -1:].argmax(-1)), 1)
        assert torch.equal(found[row, start:], text[0])


CHECKS = {"cache": check_cache, "padding": check_padding, "packing": check_packing, "generation": check_generation}


@pytest.mark.parametrize("phase", ["host", "exact"])
@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_every_way_to_a_token_gives_the_same_bits(exact_sums, check, phase):
    check(exact_sums(phase))


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_generation_works_in_16_bits(hf, attention):
    model = hf.use_morlet_rotary(tiny(dtype=torch.bfloat16, attention=attention), SIGMA)
    assert model.generate(IDS, attention_mask=torch.ones_like(IDS), max_new_tokens=3, do_sample=False).shape[1] > IDS.shape[1]


# ── planted faults ───────────────────────────────────────────────────────────────────────────────────────────────────────


def from_zero(own: Any) -> Any:
    """Positions of the call and not of the text."""
    return lambda self, x, position_ids: own(self, x, torch.arange(position_ids.shape[-1])[None].expand_as(position_ids))


def twice(own: Any) -> Any:
    """The envelope on the tables that have it already."""

    def forward(self: Any, x: torch.Tensor, position_ids: torch.Tensor) -> Any:
        size = torch.exp(-(((position_ids[..., None] / self.widths().float()) ** 2) / 2)).repeat(1, 1, 2)
        return tuple(table * size.to(table.dtype) for table in own(self, x, position_ids))

    return forward


def swapped(own: Any) -> Any:
    """Widths side by side for pairs that lie one half after the other."""

    def forward(self: Any, x: torch.Tensor, position_ids: torch.Tensor) -> Any:
        cos, sin = own(self, x, position_ids)
        return tuple(t.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2) for t in (cos, sin))

    return forward


def factor_lost(own: Any) -> Any:
    """Tables of length 1 whatever the model multiplies them by."""
    return lambda self, x, position_ids: tuple(t / self.host.attention_scaling for t in own(self, x, position_ids))


def rounded_twice(own: Any) -> Any:
    """The host's tables in 16 bits before the envelope."""

    def forward(self: Any, x: torch.Tensor, position_ids: torch.Tensor) -> Any:
        cos, sin = self.host(x, position_ids)
        size = torch.exp(-(((position_ids[..., None] / self.widths()) ** 2) / 2)).repeat(1, 1, 2)
        return (cos * size).to(x.dtype), (sin * size.to(x.dtype)).to(x.dtype)

    return forward


def width_squared(own: Any) -> Any:
    """e^{−b²/2σ} for e^{−b²/2σ²}."""

    def forward(self: Any, x: torch.Tensor, position_ids: torch.Tensor) -> Any:
        changed = copy.copy(self)
        changed.widths = lambda: self.widths().sqrt()
        return own(changed, x, position_ids)

    return forward


@pytest.mark.parametrize(
    "fault, check",
    [
        (from_zero, "cache"), (from_zero, "padding"), (from_zero, "packing"), (from_zero, "generation"),
        (twice, "tables"), (swapped, "tables"), (factor_lost, "tables"), (width_squared, "tables"), (rounded_twice, "tables"),
        (factor_lost, "scaled"), (swapped, "scaled"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_seen(hf, exact_sums, monkeypatch, fault, check):
    monkeypatch.setattr(hf.MorletRotaryEmbedding, "forward", fault(hf.MorletRotaryEmbedding.forward))
    with pytest.raises(AssertionError):
        if check == "tables":
            check_tables(hf, "host", torch.bfloat16)
        elif check == "scaled":
            check_scaled(hf, "yarn")
        else:
            CHECKS[check](exact_sums())


# ── learning ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("phase", ["host", "exact"])
def test_the_gradient_of_the_width_is_that_of_the_tables(hf, phase):
    """d log σ = Σ (table · gradient of the table) b²/σ², over both tables, halves and positions.

    The gradients of the tables are those of a plain model that is given the same ones. Each of the 2·2·22 terms is a product of
    four factors, and exp, off by 12 units of 2⁻⁵³ together at most, and the sum adds one unit a term.
    """
    model = hf.use_morlet_rotary(tiny(dtype=torch.float64), SIGMA, phase=phase).double()
    positions = torch.arange(IDS.shape[1])[None]
    loss = lambda m: m(IDS).logits.square().mean()  # noqa: E731
    loss(model).backward()
    with torch.no_grad():
        tables = encoding(model)(torch.empty(0, dtype=torch.float64), positions)
    plain = tiny(dtype=torch.float64).double()
    leaves = tuple(table.clone().requires_grad_() for table in tables)
    plain.base_model.rotary_emb.forward = lambda x, position_ids: leaves
    loss(plain).backward()
    sigma = encoding(model).widths().detach()
    products = torch.stack([leaf.grad * leaf.detach() for leaf in leaves]).unflatten(-1, (2, -1))
    terms = (products * (positions[0, :, None, None] / sigma) ** 2).reshape(-1, sigma.numel())
    found = encoding(model).log_sigma.grad
    bound = (12 + len(terms)) * 2.0**-53 * terms.abs().sum(0)
    assert (found.abs() > 1e-4).all()
    assert ((found - terms.sum(0)).abs() <= bound + 2.0**-53 * found.abs()).all()


def test_decay_leaves_the_widths_alone(hf):
    model = hf.use_morlet_rotary(tiny(), SIGMA)
    (_, exempt) = parameter_groups(model, 0.1)
    assert [id(parameter) for parameter in exempt["params"]] == [id(encoding(model).log_sigma)]
    assert not list(encoding(hf.use_morlet_rotary(tiny(), SIGMA, learned=False)).parameters())


def test_it_compiles_whole_and_trains_under_checkpointing(hf):
    model = hf.use_morlet_rotary(tiny(), SIGMA)
    assert torch.equal(torch.compile(model.base_model, fullgraph=True, backend="eager")(IDS, use_cache=False)[0],
                       model.base_model(IDS, use_cache=False)[0])  # fmt: skip
    gradients = []
    for checkpointing in (False, True):
        model = hf.use_morlet_rotary(tiny(), SIGMA).train()
        if checkpointing:
            model.activation_checkpointing_enable()
        model(IDS, use_cache=False).logits.square().mean().backward()
        gradients.append(encoding(model).log_sigma.grad)
    assert torch.equal(*gradients)


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def changed(hf: Any, family: str, phase: str, learned: bool) -> Any:
    """A model whose widths are no longer those that it began with."""
    model = hf.use_morlet_rotary(tiny(family), SIGMA if learned else math.inf, phase=phase, learned=learned)
    with torch.no_grad():
        own = encoding(model).log_sigma if learned else encoding(model).sigma
        own.copy_(torch.linspace(1.0, 3.0, own.numel()) if learned else torch.tensor([3.0, math.inf] * (own.numel() // 2)))
    return model


@pytest.mark.parametrize("learned", [True, False])
@pytest.mark.parametrize("phase", ["host", "exact"])
@pytest.mark.parametrize("family", ["Llama", "GPTNeoX"])
def test_files_keep_widths_and_phase(hf, tmp_path, family, phase, learned):
    import transformers

    model = changed(hf, family, phase, learned)
    model.save_pretrained(tmp_path, max_shard_size="10KB")
    assert (tmp_path / "model.safetensors.index.json").is_file()
    json.loads((tmp_path / "config.json").read_text(), parse_constant=pytest.fail)  # nothing that JSON has not
    readers = (hf.from_pretrained, type(model).from_pretrained, transformers.AutoModelForCausalLM.from_pretrained)
    for read in readers:
        again = read(tmp_path, attn_implementation="eager")
        assert type(again) is type(model)
        assert (encoding(again).phase, encoding(again).learned) == (phase, learned)
        assert torch.equal(logits(again), logits(model))
    narrow = hf.from_pretrained(tmp_path, dtype=torch.bfloat16)
    assert torch.equal(encoding(narrow).widths(), encoding(model).widths())
    assert logits(narrow).dtype == torch.bfloat16
    narrow.save_pretrained(tmp_path / "again")
    assert torch.equal(encoding(hf.from_pretrained(tmp_path / "again")).widths(), encoding(model).widths())
    for copied in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(logits(copied), logits(model))


def check_experts(hf: Any, folder: Path) -> None:
    """A plain model from files, changed, saved and read again, is the same."""
    import transformers

    tiny("Mixtral").save_pretrained(folder / "plain")
    plain = transformers.AutoModelForCausalLM.from_pretrained(folder / "plain", attn_implementation="eager")
    assert torch.equal(logits(plain), logits(tiny("Mixtral")))
    model = hf.use_morlet_rotary(plain, SIGMA)
    model.save_pretrained(folder / "morlet")
    again, info = hf.from_pretrained(folder / "morlet", attn_implementation="eager", output_loading_info=True)
    assert not info["missing_keys"]
    assert torch.equal(logits(again), logits(model))


def test_files_lay_out_weights_as_those_of_the_host(hf, tmp_path):
    check_experts(hf, tmp_path)


def test_a_layout_of_weights_that_is_lost_is_seen(hf, tmp_path, monkeypatch):
    from transformers import conversion_mapping

    mappings = dict(conversion_mapping._checkpoint_conversion_mapping_cache or {})
    monkeypatch.setattr(conversion_mapping, "_checkpoint_conversion_mapping_cache", mappings)
    for name in [one for one in mappings if "morlet" in one.lower()]:
        del mappings[name]
    with pytest.raises(AssertionError):
        check_experts(hf, tmp_path)


def test_another_process_reads_the_files_and_one_without_mope_refuses(hf, tmp_path):
    model = changed(hf, "Llama", "host", True)
    model.save_pretrained(tmp_path)
    torch.save(logits(model), tmp_path / "logits.pt")
    code = f"""
import torch, transformers
try:
    transformers.AutoModelForCausalLM.from_pretrained({str(tmp_path)!r})
    raise SystemExit("a plain program took the files")
except ValueError as fault:
    assert "morlet_llama" in str(fault), fault
from mope_impl.integrations.transformers import MorletLlamaForCausalLM, from_pretrained
ids, wanted = torch.tensor({IDS.tolist()}), torch.load({str(tmp_path / "logits.pt")!r})
for read in (from_pretrained, MorletLlamaForCausalLM.from_pretrained, transformers.AutoModelForCausalLM.from_pretrained):
    with torch.no_grad():
        assert torch.equal(read({str(tmp_path)!r}, attn_implementation="eager")(ids).logits, wanted)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_weights_of_a_plain_model_begin_with_the_configured_width(hf, tmp_path):
    tiny().save_pretrained(tmp_path)
    config = hf.MorletLlamaConfig.from_pretrained(tmp_path, morlet_rotary={"sigma": SIGMA})
    model = hf.MorletLlamaForCausalLM.from_pretrained(tmp_path, config=config, attn_implementation="eager")
    assert torch.equal(logits(model), logits(hf.use_morlet_rotary(tiny(), SIGMA)))
    with pytest.raises(ValueError, match=r"config.morlet_rotary: got None, expected a dict of sigma"):
        hf.MorletLlamaForCausalLM.from_pretrained(tmp_path)
    with pytest.raises(ValueError, match=r"got LlamaForCausalLM, expected a model that use_morlet_rotary has changed"):
        hf.from_pretrained(tmp_path)


def test_a_base_model_alone_can_be_changed(hf):
    model = hf.use_morlet_rotary(tiny().base_model, SIGMA)
    assert mt.citation(model) == mt.citation("morlet_rotary")
    assert type(model).__name__ == "MorletLlamaModel"
    assert model.config.model_type == "morlet_llama"
    with pytest.raises(AttributeError, match="MorletNothing"):
        _ = hf.MorletNothing


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────────────


def other(family: str) -> Any:
    """A model whose tables, if any, are no tables of Llama."""
    import transformers

    sizes: dict[str, Any] = {"vocab_size": 24, "hidden_size": 32, "intermediate_size": 16, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16}
    if family == "GPT2":
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=24, n_embd=32, n_layer=1, n_head=2))
    if family == "Gemma3":  # two kinds of layers, each with its base
        return transformers.Gemma3ForCausalLM(transformers.Gemma3TextConfig(**sizes, **heads, pad_token_id=0))
    config = transformers.CohereConfig(**sizes, num_attention_heads=2, pad_token_id=0)  # frequencies side by side
    return transformers.CohereForCausalLM(config)


@pytest.mark.parametrize("family", ["GPT2", "Gemma3", "Cohere"])
def test_a_model_of_another_style_is_refused_by_what_was_looked_for(hf, family):
    model = other(family)
    with pytest.raises(ValueError, match=r"is not Llama-style; looked for one rotary module, base_model\.rotary_emb") as fault:
        hf.use_morlet_rotary(model, SIGMA)
    assert type(model).__name__ in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_configuration_that_models_share_stays_as_it_is(hf, tmp_path):
    import transformers

    shared = tiny().config
    one, other = transformers.LlamaForCausalLM(shared), transformers.LlamaForCausalLM(shared)
    hf.use_morlet_rotary(one, SIGMA)
    assert (one.config.model_type, other.config.model_type) == ("morlet_llama", "llama")
    parts = [part for part in one.modules() if hasattr(part, "config")]
    assert len(parts) > 3
    assert all(part.config is one.config for part in parts)
    other.save_pretrained(tmp_path)
    assert type(transformers.AutoModelForCausalLM.from_pretrained(tmp_path)).__name__ == "LlamaForCausalLM"


def test_an_envelope_goes_on_once(hf):
    model = hf.use_morlet_rotary(tiny(), SIGMA)
    with pytest.raises(ValueError, match="MorletLlamaForCausalLM has a Morlet rotary encoding already"):
        hf.use_morlet_rotary(model, SIGMA)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_the_exact_phase_refuses_a_scaled_rope(hf, tmp_path, scaling):
    with pytest.raises(ValueError, match=f"phase: 'exact' is plain RoPE, got a model of rope_type '{scaling}'"):
        hf.use_morlet_rotary(tiny(scaling=scaling), SIGMA, phase="exact")
    hf.use_morlet_rotary(tiny(scaling=scaling), SIGMA).save_pretrained(tmp_path)
    settings = json.loads((tmp_path / "config.json").read_text())
    settings["morlet_rotary"]["phase"] = "exact"
    (tmp_path / "config.json").write_text(json.dumps(settings))
    with pytest.raises(ValueError, match="phase: 'exact' is plain RoPE"):
        hf.from_pretrained(tmp_path)


def test_the_exact_phase_refuses_other_frequencies(hf):
    model = tiny()
    encoding(model).inv_freq *= 1 + 2.0**-18
    with pytest.raises(ValueError, match="got a model of other frequencies"):
        hf.use_morlet_rotary(model, SIGMA, phase="exact")
    for dtype in (torch.bfloat16, torch.float16):
        assert encoding(hf.use_morlet_rotary(tiny().to(dtype), SIGMA, phase="exact")).phase == "exact"


@pytest.mark.parametrize(
    "options, says",
    [
        ({"sigma": 0.0}, "sigma: got a value that is zero, negative or NaN"),
        ({"sigma": math.nan}, "sigma: got a value that is zero, negative or NaN"),
        ({"sigma": math.inf}, "sigma: got ∞, where nothing is learned"),
        ({"sigma": [1.0, 2.0, 3.0]}, "sigma: got 3 widths, expected one, or 4"),
        ({"sigma": "wide"}, "sigma: got 'wide', expected a width"),
        ({"sigma": None}, "sigma: got None, expected a width"),
        ({"sigma": 9.0, "phase": "own"}, "phase: got 'own', expected 'host' or 'exact'"),
    ],
)
def test_bad_arguments_leave_the_model_as_it_is(hf, options, says):
    model = tiny()
    with pytest.raises(ValueError, match=says):
        hf.use_morlet_rotary(model, **options)
    assert type(model).__name__ == "LlamaForCausalLM"
    assert torch.equal(logits(model), logits(tiny()))
    assert torch.equal(encoding(hf.use_morlet_rotary(model, torch.tensor([2.0, 4.0, 8.0, 16.0]))).widths().round(), torch.tensor(
        [2.0, 4.0, 8.0, 16.0], dtype=torch.float64))  # fmt: skip


def test_what_is_no_model_is_refused(hf):
    with pytest.raises(ValueError, match=r"model: got Linear, expected a transformers\.PreTrainedModel"):
        hf.use_morlet_rotary(torch.nn.Linear(2, 2), SIGMA)


def test_the_extra_is_named_where_transformers_is_missing():
    code = "import sys, mope_impl.integrations; sys.modules['transformers'] = None; import mope_impl.integrations.transformers"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: mope_impl.integrations.transformers needs transformers: pip install 'mope[hf]'"
    )
