"""The benchmark's arithmetic, tables and files, on made-up times; and that its competitors do train. No time is asserted."""
from __future__ import annotations

import io
import json
import math
import random

import pytest
import torch
from rich.console import Console
from scipy.stats import binom

from benchmarks import competitors, training_step
from benchmarks.competitors import OURS, PEER, PEER_WITH_BIASES, PEERS, Case, Size, Told
from benchmarks.training_step import compared, goals, main, middle, tables

TINY = Size(layers=1, heads=2, width=16, context=8, batch=4, dropout=0.0)
CASE = Case(TINY, "float32", False, "cpu", 1)
TOLD = {
    PEER: Told(1000, 10_000, 2_000_000),
    "rotary": Told(900, 10_400, 2_200_000),
    "morlet": Told(910, 10_600, None),
}
SECONDS = {PEER: [0.2, 0.3, 0.1], "rotary": [0.1, 0.3, 0.1], "morlet": [0.125, 0.2, 0.1]}

# A model of one layer with the interface of the peer, which the tests do not have.
STAND_IN = '''
from dataclasses import dataclass
import torch
from torch import nn
print("a word that belongs in no table")

@dataclass
class GPTConfig:
    block_size: int
    vocab_size: int
    n_layer: int
    n_head: int
    n_embd: int
    dropout: float
    bias: bool

class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.inner = nn.Embedding(config.vocab_size, config.n_embd)
        self.outer = nn.Linear(config.n_embd, config.vocab_size, bias=config.bias)

    def configure_optimizers(self, weight_decay, learning_rate, betas, device_type):
        return torch.optim.AdamW(self.parameters(), lr=learning_rate, betas=betas, weight_decay=weight_decay)

    def forward(self, tokens, targets):
        logits = self.outer(self.inner(tokens))
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
'''


@pytest.fixture
def peer(tmp_path):
    (tmp_path / "model.py").write_text(STAND_IN)
    return tmp_path


def test_a_median_and_the_interval_that_holds_it():
    for n in (1, 2, 5, 6, 7, 15, 40):
        values = [float(one) for one in range(n)]
        random.Random(n).shuffle(values)
        found = middle(values)
        assert found.median == (n - 1) / 2
        # The largest k whose two tails, P(Bin < k) each, leave 95 %: by SciPy's binomial law.
        ks = [k for k in range(1, n) if 2 * binom.cdf(k - 1, n, 0.5) <= 0.05]
        assert (found.low, found.high) == ((ks[-1] - 1, n - ks[-1]) if ks else (None, None))
    with pytest.raises(ValueError, match="got no values"):
        middle([])


def test_ratios_are_taken_within_rounds():
    rows = {row["name"]: row for row in compared(CASE, TOLD, SECONDS)}
    # 0.2/0.1, 0.3/0.3, 0.1/0.1; the ratio of the medians would be 2.
    assert rows["rotary"]["speed_to_peer"]["median"] == 1.0
    assert rows["morlet"]["speed_to_rotary"]["median"] == 1.0
    assert rows[PEER]["speed_to_peer"]["median"] == 1.0
    assert rows["rotary"]["tokens_per_second"] == 4 * 8 / 0.1
    assert rows["rotary"]["tensor_memory_to_peer"] == 1.04
    assert rows["rotary"]["resident_memory_to_peer"] == 1.1
    assert rows["morlet"]["resident_memory_to_peer"] is None
    assert rows["morlet"]["rounds"] == SECONDS["morlet"]
    assert rows["rotary"]["seconds"]["low"] is None  # three rounds are too few for an interval


def test_goals_go_by_the_medians():
    met = {(one["name"], one["goal"]): one["met"] for one in goals(compared(CASE, TOLD, SECONDS))}
    assert met == {
        ("rotary", "tokens/s at least nanoGPT's"): True,
        ("morlet", "tokens/s within 3 % of rotary"): True,
        ("rotary", "tensors at most 1.05 × nanoGPT's"): True,
        ("morlet", "tensors at most 1.05 × nanoGPT's"): False,
        ("rotary", "process at most 1.05 × nanoGPT's"): False,
    }
    slower = {**SECONDS, "rotary": [0.21, 0.31, 0.11], "morlet": [0.22, 0.32, 0.12]}
    assert [one["met"] for one in goals(compared(CASE, TOLD, slower))][:2] == [False, False]


def test_a_comparison_without_the_peer_has_no_ratios_to_it():
    rows = compared(CASE, TOLD, {"morlet": [0.1, 0.2]})
    assert not {"speed_to_rotary"} & rows[0].keys()
    assert "speed_to_peer" not in compared(CASE, {"morlet": TOLD["morlet"]}, {"morlet": [0.1, 0.2]})[0]
    assert "tensor_memory_to_peer" not in compared(CASE, {"morlet": TOLD["morlet"]}, {"morlet": [0.1, 0.2]})[0]


def test_the_tables_fit_a_terminal_and_leave_nothing_out():
    seconds = {name: [10 * one for one in values * 5] for name, values in SECONDS.items()}
    out = io.StringIO()
    for table in tables("paper, bfloat16, compiled", compared(CASE, TOLD, seconds)):
        Console(file=out, width=80).print(table)
    text = out.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert "1.000 to 1.000" not in text  # of a competitor to itself
    for word in ("nanoGPT", "rotary", "morlet", "2000.0", "1.000 to 2.000", "1.040", "1.100", "–"):
        assert word in text


def test_peak_of_a_step_is_what_it_holds_at_most():
    def step() -> None:
        first = torch.ones(1 << 20)
        second = torch.ones(2 << 20)
        del first
        torch.ones(1 << 19)
        del second

    assert competitors.peak_bytes(step) == 4 * (3 << 20)


def test_what_stands_is_counted_once():
    model = torch.nn.Linear(8, 8, bias=False)
    model.again = model.weight  # shared under two names
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(8)).sum().backward()
    optimizer.step()
    assert competitors.standing_bytes(model, optimizer) == 3 * 8 * 8 * 4 + 4  # weight, two means, the number of the step


@pytest.mark.parametrize("name", [*PEERS, *OURS])
def test_each_competitor_trains(peer, name):
    threads = torch.get_num_threads()
    try:
        step, (model, optimizer), wait = competitors.built(name, CASE, peer)
        before = [one.detach().clone() for one in model.parameters()]
        step()
        step()
        wait()
    finally:
        torch.set_num_threads(threads)
    moved = [not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True)]
    assert any(moved)
    assert all(math.isfinite(float(one.detach().sum())) for one in model.parameters())
    assert len(optimizer.state) > 0


def test_the_peer_has_biases_where_it_is_said_to(peer):
    threads = torch.get_num_threads()
    try:
        with_biases, without = (
            {name for name, _ in competitors.built(one, CASE, peer)[1][0].named_parameters()} for one in (PEER_WITH_BIASES, PEER)
        )
    finally:
        torch.set_num_threads(threads)
    assert with_biases - without == {"outer.bias"}


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setitem(training_step.SIZES, "cpu", TINY)


@pytest.mark.usefixtures("small")
def test_a_run_prints_and_writes_what_it_measured(peer, tmp_path, capsys):
    call = ["--nanogpt", str(peer), "--competitors", PEER, "morlet", "--precision", "float32", "--mode", "eager"]
    call += ["--launches", "2", "--rounds", "3", "--steps", "1", "--threads", "1", "--out", str(tmp_path / "new/out")]
    assert main(call) == 0
    (path,) = (tmp_path / "new/out").iterdir()
    found = json.loads(path.read_text(encoding="utf-8"))
    assert path.name == f"training_step-{training_step.slug(found['device'])}.json"
    assert {"date", "versions", "source", "peer", "launches", "rounds", "steps"} < found.keys()
    assert found["peer"]["sha256"] == competitors.peer_digest(peer)
    (case,) = found["cases"]
    assert (case["size"], case["width"], case["precision"], case["mode"]) == ("cpu", 16, "float32", "eager")
    for row in case["rows"]:
        assert len(row["rounds"]) == 6
        assert row["seconds"]["median"] == pytest.approx(sorted(row["rounds"])[2] / 2 + sorted(row["rounds"])[3] / 2, rel=1e-4)
        assert row["parameters"] > 0 < row["tensor_bytes"]
    out = capsys.readouterr().out
    assert "morlet" in out
    assert "belongs in no table" not in out


@pytest.mark.usefixtures("small")
def test_a_competitor_that_fails_is_named_in_one_line(peer, tmp_path, capsys):
    (peer / "model.py").write_text(STAND_IN.replace("def forward", "def backward"))
    assert main(["--nanogpt", str(peer), "--competitors", PEER, "--rounds", "1", "--out", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"{PEER}: ")
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "call, says",
    [
        (["--nanogpt", "nowhere"], "nowhere: no such file; expected model.py of nanoGPT, or its folder"),
        ([], "--nanogpt"),
        (["--nanogpt", "nowhere", "--rounds", "0"], "--rounds: got 0, expected 1 or more"),
    ],
)
def test_wrong_usage_is_told(call, says, capsys):
    with pytest.raises(SystemExit) as caught:
        main(call)
    assert caught.value.code == 2
    assert says in capsys.readouterr().err


def test_a_file_that_is_no_such_model_is_refused(tmp_path):
    (tmp_path / "model.py").write_text("GPT = 1\n")
    with pytest.raises(ValueError, match="has no GPT and GPTConfig"):
        competitors.peer_module(tmp_path)
