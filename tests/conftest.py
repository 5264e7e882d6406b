"""Settings that every test runs under: the Hypothesis profile, and what a missing tool means."""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import count as numbers

import pytest
import torch
from hypothesis import HealthCheck, settings

from mope_impl.cli.tools import missing, tools

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    max_examples=100,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", settings.get_profile("fixed"), derandomize=False, max_examples=1000)
# The same examples on every run; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# Before anything loads triton, which reads it once: without a GPU its kernels run in its interpreter.
if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")

STRICT = "MOPE_STRICT_TOOLS"
"""Where this variable is 1, a test that would be skipped fails, unless what it lacks cannot be had on every machine."""

_excused = pytest.StashKey[bool]()


_numbers = numbers()


@pytest.fixture(autouse=True)
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test keeps evidence in a folder of its own, which is not there yet: what one has judged is no evidence in another."""
    monkeypatch.setenv("MOPE_CACHE_DIR", str(tmp_path_factory.getbasetemp() / f"evidence-{next(_numbers)}"))


LACKING = "missing tool"
"""The property of a report that names a tool its test did not find; reports come home from other processes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of the book come last: where processes share the tests, others wait for the one that builds it."""
    items.sort(key=lambda item: "book" in item.path.parts[-2:-1])


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked ``requires`` where a tool is missing, by a reason that says how to get it."""
    names = [name for mark in item.iter_markers("requires") for name in mark.args]
    wrong = [name for name in names if name not in tools()]
    if wrong:
        pytest.fail(f"requires({', '.join(map(repr, wrong))}): not in mope_impl/cli/tools.py", pytrace=False)
    lacking = missing(*names)
    if not lacking:
        return
    item.user_properties += [(LACKING, tool.name) for tool in lacking]
    item.stash[_excused] = not any(tool.everywhere for tool in lacking)
    pytest.skip("; ".join(f"needs {tool.name} ({tool.source})" for tool in lacking))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Turn every skip into a failure where the tools are promised to be there: unchecked is not passed."""
    report = yield
    strict = os.environ.get(STRICT) == "1"
    if strict and report.skipped and not hasattr(report, "wasxfail") and not item.stash.get(_excused, False):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{reason}\n{STRICT}=1: a skipped test is a failure"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count the tests that each missing tool took away."""
    reports = {id(r): r for kind in ("skipped", "error") for r in terminalreporter.stats.get(kind, ())}.values()
    names = Counter(str(value) for report in reports for key, value in getattr(report, "user_properties", ()) if key == LACKING)
    for name, count in sorted(names.items()):
        tests = "1 test" if count == 1 else f"{count} tests"
        terminalreporter.write_line(f"missing tool: {name}, needed by {tests} (see mope doctor)")
