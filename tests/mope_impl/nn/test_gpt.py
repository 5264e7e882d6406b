"""The model: its parameters, its values against a second writing in NumPy, and that no token sees a later one."""
from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from mope_impl import functional as F
from mope_impl.nn import ENCODINGS, GPT, GPTConfig, MorletEncoding, attention
from tests.mope_impl.nn.gpt_reference import logits

SMALL = GPTConfig(vocabulary=11, context=12, layers=2, heads=2, width=16)
GATES = [("none", 1), ("published", 1), ("published", 2), ("causal", 1), ("causal", 2), ("causal", 4)]
VARIANTS = [replace(SMALL, encoding=e, gate=g, projections=p) for e, (g, p) in itertools.product(ENCODINGS, GATES)]
NAMES = [f"{c.encoding}-{c.gate}-{c.projections}" for c in VARIANTS]


def model(config: GPTConfig, dtype: torch.dtype = torch.float32, spread: float = 0.2) -> GPT:
    """With parameters away from where they start, so that each of them counts."""
    torch.manual_seed(0)
    made = GPT(config).to(dtype)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(spread * torch.randn(parameter.shape, dtype=torch.float64).to(dtype))
    return made


def text(config: GPTConfig, batch: int = 2, length: int | None = None, seed: int = 1) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(config.vocabulary, (batch, length or config.context), generator=generator)


def count(config: GPTConfig) -> int:
    with torch.device("meta"):
        return sum(p.numel() for p in GPT(config).parameters())


# ── parameters ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_published_numbers_of_parameters() -> None:
    base = GPTConfig()
    assert count(base) == 4_816_640
    assert count(replace(base, gate="published")) - count(base) == count(replace(base, gate="causal")) - count(base) == 12_432
    assert count(replace(base, encoding="none")) == 4_816_640 - 65_536
    assert count(replace(base, encoding="morlet")) == 4_816_640 - 65_536 + 256
    assert count(replace(base, encoding="morlet", center="learned")) == 4_816_640 - 65_536 + 384
    assert count(replace(base, encoding="rotary+learned")) == 4_816_640
    for same in ("sinusoidal", "rotary", "alibi"):
        assert count(replace(base, encoding=same)) == count(replace(base, encoding="none"))
    assert count(replace(base, encoding="morlet-rotary")) - count(replace(base, encoding="none")) == 6 * 16
    assert count(replace(base, encoding="morlet-relative")) - count(replace(base, encoding="none")) == 6 * 8 * 16


@pytest.mark.parametrize("projections", [2, 4])
def test_a_gate_of_several_projections_has_a_share_for_each(projections: int) -> None:
    more = count(replace(GPTConfig(), gate="published", projections=projections)) - count(GPTConfig())
    assert more == 6 * 8 * (projections * (256 + 3) + projections)


def test_every_parameter_is_put_back_by_the_module_that_has_it() -> None:
    for config in (replace(SMALL, encoding="morlet", gate="causal", projections=2), replace(SMALL, encoding="morlet-relative")):
        torch.manual_seed(3)
        made = GPT(config)
        start = {name: p.detach().clone() for name, p in made.named_parameters()}
        with torch.no_grad():
            for parameter in made.parameters():
                parameter.fill_(7.0)
        made.reset_parameters()
        assert not any((p == 7.0).any() for p in made.parameters())
        for name, parameter in made.named_parameters():
            assert (parameter.std() > 0) == (start[name].std() > 0), name


def test_variants_that_seed_each_module_by_name_share_what_they_have_in_common() -> None:
    def seeded(config: GPTConfig) -> dict[str, Tensor]:
        made = GPT(config)
        for name, module in made.named_modules():
            if next(module.parameters(recurse=False), None) is not None:
                torch.manual_seed(sum(map(ord, name)))
                module.reset_parameters()
        return made.state_dict()

    first, second = seeded(SMALL), seeded(replace(SMALL, encoding="morlet", gate="causal"))
    common = first.keys() & second.keys()
    assert {"embedding.weight", "blocks.1.attention.project.weight", "norm.bias"} <= common
    assert all(torch.equal(first[name], second[name]) for name in common)


def test_initial_values() -> None:
    torch.manual_seed(0)
    state = GPT().state_dict()
    for name, value in state.items():
        if value.dim() == 2:  # n draws: the deviation is known to 1/√2n of itself, here to 6 of them
            assert value.std().item() == pytest.approx(0.02, rel=6 / math.sqrt(2 * value.numel())), name
            assert abs(value.mean().item()) < 6 * 0.02 / math.sqrt(value.numel()), name
        else:
            assert torch.equal(value, torch.full_like(value, float("norm" in name and name.endswith("weight")))), name


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────

PUBLISHED = {
    "learned": {},
    "none": {"encoding": "none"},
    "sinusoidal": {"encoding": "sinusoidal"},
    "rotary, half": {"encoding": "rotary", "layout": "half"},
    "rotary + learned, interleaved": {"encoding": "rotary+learned"},
    "Morlet": {"encoding": "morlet"},
    "EGA-1": {"gate": "published"},
    "EGA-2": {"gate": "published", "projections": 2},
    "EGA-4": {"gate": "published", "projections": 4},
    "EGA-1, causal": {"gate": "causal"},
    "EGA-2, causal": {"gate": "causal", "projections": 2},
    "EGA-1 + Morlet": {"encoding": "morlet", "gate": "published"},
}


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("written_out", [True, False])
def test_the_values_of_a_second_writing(name: str, written_out: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the running error bound of the reference: that is each evaluation within one of the exact value.

    Both ways of attention: the one that is written out, and the framework's.
    """
    monkeypatch.setattr(attention, "written_out_is_faster", lambda q: written_out)
    compare(replace(SMALL, layers=1, **PUBLISHED[name]), 0.2, 1e-7)


@pytest.mark.parametrize("name", ["learned", "rotary + learned, interleaved"])
def test_the_values_of_two_layers(name: str) -> None:
    """A layer multiplies the bound, which allows for the worst, by some thousands."""
    compare(replace(SMALL, **PUBLISHED[name]), 0.1, 1e-4)


def compare(config: GPTConfig, spread: float, widest: float) -> None:
    made = model(config, torch.float64, spread).eval()
    tokens = text(config)
    found = made(tokens).detach().numpy()
    for row, given in zip(found, tokens.numpy(), strict=True):
        expected = logits(made, given)
        assert expected.error.max() < widest * np.abs(expected.value).max(), "the bound is too wide to test anything"
        assert (np.abs(row - expected.value) <= 2 * expected.error).all()


def test_a_planted_fault_is_seen_in_the_values() -> None:
    """Each is small against a logit, and large against the bound."""
    config = replace(SMALL, layers=1, gate="causal")
    made = model(config, torch.float64).eval()
    tokens = text(config, batch=1)
    expected = logits(made, tokens[0].numpy())
    for name in ("norm.bias", "encoding.table", "blocks.0.attention.gate.threshold", "blocks.0.attention.output.bias"):
        parameter = made.get_parameter(name)
        with torch.no_grad():  # one number: a shift of all channels is taken away by the next normalisation
            parameter.view(-1)[0] += 1e-5
            assert (np.abs(made(tokens)[0].numpy() - expected.value) > 2 * expected.error).any(), name
            parameter.view(-1)[0] -= 1e-5


@pytest.mark.parametrize("config", VARIANTS, ids=NAMES)
def test_the_weights_of_attention_are_those_that_the_output_is_made_with(config: GPTConfig) -> None:
    """Rows sum to 1, later keys have none, and values summed with them give the output of the first block's attention.

    In float64; two evaluations of sums of 12 terms of size 1, of a gate whose scores are off by some hundred units.
    """
    made = model(config, torch.float64).eval()
    tokens = text(config)
    weights = made.attention_weights(tokens)
    assert [tuple(w.shape) for w in weights] == [(2, 2, 12, 12)] * 2
    assert all(torch.equal(w.triu(1), torch.zeros_like(w)) for w in weights)
    assert all(torch.allclose(w.sum(-1), torch.ones(2, 2, 12, dtype=w.dtype), rtol=0, atol=64 * 2.0**-53) for w in weights)
    x, places = made.embed(tokens)
    block = made.blocks[0]
    inner = block.norm_attention(x)
    layer, place = block.attention, places[0]
    values = layer.queries_keys_values(inner, place)[2]
    summed = layer.output((weights[0] @ values).transpose(1, 2).flatten(-2))
    largest = values.abs().max() * layer.output.weight.abs().sum(-1).max()
    assert torch.allclose(layer(inner, place), summed, rtol=0, atol=(1000 * 2.0**-53 * largest).item())


def test_wide_envelopes_are_the_rotary_encoding() -> None:
    """At σ = 10⁹ an envelope is 1 to rounding, and the three rotary encodings have the same logits but for that."""
    tokens = text(SMALL)
    found = {}
    for encoding in ("rotary", "morlet-rotary", "morlet-relative"):
        made = model(replace(SMALL, encoding="rotary"), torch.float64).eval()
        wide = GPT(replace(SMALL, encoding=encoding, sigma=1e9)).double().eval()
        wide.load_state_dict(made.state_dict(), strict=False)
        found[encoding] = wide(tokens)
    expected = logits(made, tokens[0].numpy())
    for encoding in ("morlet-rotary", "morlet-relative"):
        gap = (found[encoding][0] - found["rotary"][0]).abs().detach().numpy()
        assert (gap <= 4 * expected.error).all()
    narrow = GPT(replace(SMALL, encoding="morlet-relative", sigma=2.0)).double().eval()
    narrow.load_state_dict(made.state_dict(), strict=False)
    assert (narrow(tokens) - found["rotary"]).abs().max() > 1e-3


def test_the_loss_is_the_mean_cross_entropy() -> None:
    made, tokens = model(SMALL, torch.float64).eval(), text(SMALL)
    targets = text(SMALL, seed=5)
    chances = made(tokens).detach().numpy()
    chances = chances - np.log(np.exp(chances).sum(-1, keepdims=True))
    expected = -np.mean([chances[i, j, targets[i, j]] for i in range(2) for j in range(12)])
    assert made(tokens, targets).item() == pytest.approx(expected, rel=1000 * 2.0**-53)


# ── causality ────────────────────────────────────────────────────────────────────────────────────────────────────────


def leaks(made: GPT, training: bool, changed: int) -> bool:
    """Whether a change of one token moves a bit of any output before it."""
    made.train(training)
    tokens = text(made.config)
    other = tokens.clone()
    other[:, changed] = (other[:, changed] + 1) % made.config.vocabulary
    out = []
    for given in (tokens, other):
        torch.manual_seed(4)
        out.append(made(given).detach())
    assert not torch.equal(out[0][:, changed:], out[1][:, changed:]), "the change is not seen at all"
    return not torch.equal(out[0][:, :changed], out[1][:, :changed])


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("config", VARIANTS, ids=NAMES)
def test_a_later_token_moves_no_bit_before_it_unless_the_gate_is_the_published_one(config: GPTConfig, training: bool) -> None:
    """The first row of weights has one entry, 1 under any gate, and only then is nothing seen of the later token."""
    made = model(config)
    for changed in (1, 2, 5, 11):
        assert leaks(made, training, changed) is (config.gate == "published" and changed > 1), changed


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("gate", ["none", "causal", "published"])
def test_it_is_the_same_without_dropout_of_weights_and_with_attention_written_out(
    gate: str, training: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for encoding in ("learned", "morlet-rotary", "alibi"):
        made = model(replace(SMALL, encoding=encoding, gate=gate, attention_dropout=0.0))
        assert leaks(made, training, 5) is (gate == "published")
        with monkeypatch.context() as patch:
            patch.setattr(attention, "written_out_is_faster", lambda q: True)
            assert leaks(made, training, 5) is (gate == "published")


@pytest.mark.parametrize("gate", ["none", "causal"])
def test_it_is_causal_under_autocast_too(gate: str) -> None:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for encoding in ("learned", "rotary", "morlet", "morlet-relative"):
            assert not leaks(model(replace(SMALL, encoding=encoding, gate=gate, dropout=0.0)), True, 5)


@pytest.mark.parametrize(
    "compiling, dtype, length, expected",
    [
        (True, torch.bfloat16, 512, True),
        (False, torch.bfloat16, 512, False),
        (True, torch.float32, 512, False),
        (True, torch.bfloat16, 513, False),
    ],
)
def test_attention_is_written_out_where_a_compiler_makes_it_fast(
    compiling: bool, dtype: torch.dtype, length: int, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: compiling)
    assert attention.written_out_is_faster(torch.zeros(1, 1, length, 2, dtype=dtype)) is expected


def test_without_the_mask_it_would_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "written_out_is_faster", lambda q: True)
    for place in ("mope_impl.functional.causal._seen", "mope_impl.nn.attention.seen"):
        monkeypatch.setattr(place, lambda x: torch.ones(12, 12, dtype=torch.bool))
    for encoding in ("learned", "morlet-relative"):
        assert leaks(model(replace(SMALL, encoding=encoding, dropout=0.0)), True, 5)


# ── as a module ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("index", [i for i, c in enumerate(VARIANTS) if c.projections == 1], ids=lambda i: NAMES[i])
def test_one_graph_without_breaks(index: int) -> None:
    """Every encoding with every gate; half of them without dropout, where attention takes another way."""
    config = replace(VARIANTS[index], layers=1, dropout=0.1 * (index % 4 < 2))
    made, tokens = model(config), text(config)
    torch._dynamo.reset()
    whole = torch.compile(made, fullgraph=True, backend="eager")
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = whole(tokens, tokens)
    loss.backward()
    assert loss.dtype == torch.float32
    assert all(p.grad is not None and p.grad.dtype == torch.float32 and p.grad.isfinite().all() for p in made.parameters())


@pytest.mark.requires("g++")
@pytest.mark.parametrize("change", [{"encoding": "morlet-rotary", "gate": "causal"}, {"encoding": "morlet-relative"}])
def test_compiled_it_has_the_same_values_and_gradients(change: dict[str, str]) -> None:
    """In float64. Logits within twice the bound for one evaluation; the sum of squares of gradients to half the digits.

    The bound for a gradient is not derived: half the digits of float64 tell any wrong term from rounding.
    """
    config = replace(SMALL, layers=1, dropout=0.0, **change)
    made, tokens = model(config, torch.float64), text(config)
    torch._dynamo.reset()
    whole = torch.compile(made, fullgraph=True)
    found = {}
    for name, call in (("eager", made), ("compiled", whole)):
        made.zero_grad()
        loss = call(tokens, tokens)
        loss.backward()
        found[name] = loss.item(), torch.cat([p.grad.flatten() for p in made.parameters()])
    assert found["compiled"][0] == pytest.approx(found["eager"][0], rel=2.0**-26)
    assert torch.allclose(found["compiled"][1], found["eager"][1], rtol=0, atol=2.0**-26 * found["eager"][1].abs().max().item())


def test_autocast_leaves_what_is_known_of_positions_alone() -> None:
    positions = torch.arange(12)
    for encoding in ("sinusoidal", "morlet", "rotary", "morlet-rotary", "alibi"):
        made = model(replace(SMALL, encoding=encoding))
        parts = [made.embed(text(SMALL))[1][0], made.encoding and made.encoding(positions)]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            again = [made.embed(text(SMALL))[1][0], made.encoding and made.encoding(positions)]
        for one, other in zip((*parts[0], parts[1]), (*again[0], again[1]), strict=True):
            assert (one is None and other is None) or torch.equal(one, other)


def test_generation() -> None:
    made, tokens = model(SMALL), text(SMALL, length=10)
    out = made.generate(tokens, 5, temperature=0.0)
    assert out.shape == (2, 15)
    assert torch.equal(out[:, :10], tokens)
    made.eval()
    assert torch.equal(out[:, 14], made(out[:, 2:14])[:, -1].argmax(-1))  # it sees the last 12
    made.train()
    drawn = [made.generate(tokens, 8, top_k=1, generator=torch.Generator().manual_seed(s)) for s in (1, 2)]
    assert torch.equal(*drawn)
    assert torch.equal(drawn[0][:, 10], out[:, 10])
    wild = [made.generate(tokens, 8, temperature=100.0, generator=torch.Generator().manual_seed(s)) for s in (1, 2, 1)]
    assert torch.equal(wild[0], wild[2])
    assert not torch.equal(wild[0], wild[1])
    assert made.training
    assert torch.equal(made.generate(tokens, 0), tokens)


def test_an_interior_start_and_the_ladder() -> None:
    made = GPT(replace(SMALL, encoding="morlet", product=10.0, frequencies="geometric", base=100.0))
    assert isinstance(made.encoding, MorletEncoding)
    omega, sigma = made.encoding.frequencies_and_widths()
    expected = [100.0 ** (-2 * i / 16) for i in range(8)]
    assert omega.tolist() == pytest.approx(expected, rel=2.0**-22)  # log ω up to 4 is stored to 2⁻²⁴ of itself
    assert (omega * sigma).tolist() == pytest.approx([10.0] * 8, rel=2.0**-20)
    inside = GPT(replace(SMALL, encoding="morlet", constraint="bounded", product=20.0)).encoding
    omega, sigma = inside.frequencies_and_widths()
    assert (omega * sigma).tolist() == pytest.approx([20.0] * 8, rel=2.0**-20)
    edge = GPT(replace(SMALL, encoding="morlet", constraint="bounded")).encoding
    omega, sigma = edge.frequencies_and_widths()
    assert (omega * sigma).tolist() == pytest.approx([5.25] * 8, rel=2.0**-20)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"vocabulary": 0}, "vocabulary: got 0, expected a positive integer"),
        ({"layers": 2.0}, "layers: got 2.0, expected a positive integer"),
        ({"context": True}, "context: got True, expected a positive integer"),
        ({"dropout": 1.0}, r"dropout: got 1.0, expected a number in \[0, 1\)"),
        ({"dropout": None}, r"dropout: got None, expected a number in \[0, 1\)"),
        ({"attention_dropout": -0.1}, r"attention_dropout: got -0.1, expected a number in \[0, 1\)"),
        ({"encoding": "rope"}, "encoding: got 'rope', expected one of 'none', 'learned', "),
        ({"gate": "energy"}, "gate: got 'energy', expected one of 'none', 'published', 'causal'"),
        ({"constraint": "hard"}, "constraint: got 'hard', expected one of "),
        ({"base": -1.0}, "base: got -1.0, expected a positive finite number"),
        ({"sigma": math.inf}, "sigma: got inf, expected a positive finite number"),
        ({"projections": 3, "gate": "causal"}, "projections: got 3, expected one of 1, 2, 4"),
        ({"projections": 2}, "projections: got 2, expected 1 where gate is 'none'"),
        ({"heads": 3}, "heads: got 3, expected a divisor of the width, 16"),
        ({"heads": 16, "encoding": "rotary"}, "heads: got 16, which leaves 1 channels a head, expected an even number"),
        ({"width": 15, "heads": 3, "encoding": "morlet"}, "width: got 15, expected an even number for encoding='morlet'"),
        ({"constraint": "bounded", "product": 4.0}, "product: got 4, expected 5 or more for constraint='bounded'"),
    ],
)
def test_a_wrong_configuration_is_one_clear_error(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(SMALL, **change)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([[1, 2]], "tokens: got list, expected a torch.Tensor"),
        ([torch.ones(2, 3)], r"tokens: got torch.float32 of shape \(2, 3\), expected torch.int64, \(batch, tokens\)"),
        ([torch.ones(3).long()], r"tokens: got torch.int64 of shape \(3,\), expected torch.int64, \(batch, tokens\)"),
        ([torch.ones(2, 13).long()], "tokens: got 13 of them, expected at most 12, the rows of its table"),
        ([torch.full((2, 3), 11)], "tokens: got a symbol outside 0 … 10, the vocabulary"),
        ([torch.ones(2, 3).long(), torch.ones(2, 4).long()], r"targets: got shape \(2, 4\), expected \(2, 3\) as tokens has"),
        ([torch.ones(2, 3).long(), torch.ones(2, 3)], r"targets: got torch.float32 of shape \(2, 3\), expected torch.int64"),
    ],
)
def test_wrong_tokens_are_one_clear_error(arguments: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model(SMALL)(*arguments)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"number": -1}, "number: got -1, expected an integer ≥ 0"),
        ({"temperature": -1.0}, "temperature: got -1.0, expected a number ≥ 0"),
        ({"top_k": 0}, "top_k: got 0, expected a positive integer or None"),
        ({"tokens": torch.ones(2, 0).long()}, "tokens: got none, expected one to begin with"),
    ],
)
def test_a_wrong_wish_for_generation_is_one_clear_error(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model(SMALL).generate(**({"tokens": text(SMALL), "number": 1} | arguments))


def test_positions_beyond_the_context_where_there_is_no_table() -> None:
    for encoding in ("rotary", "morlet", "alibi", "morlet-relative"):
        assert model(replace(SMALL, encoding=encoding))(text(SMALL, length=30)).shape == (2, 30, 11)


def test_the_functions_of_the_layers_are_those_of_the_library() -> None:
    """Turning by a table is the rotary encoding: float32 products of factors rounded once, within three roundings each."""
    q, k = torch.randn(2, 2, 12, 8), torch.randn(2, 2, 12, 8)
    omega, positions = torch.tensor([1.0, 0.5, 0.1, 0.01], dtype=torch.float64), torch.arange(12)
    for layout in ("half", "interleaved"):
        found = [F.rotate(x, F.rotary_table(positions, omega), layout=layout) for x in (q, k)]
        for one, other in zip(found, F.rotary(q, k, positions, omega, layout=layout), strict=True):
            assert torch.allclose(one, other, rtol=0, atol=6 * 2.0**-24 * q.abs().max().item() * 2)
