"""What a missing tool does to a test: a counted skip on a bare machine, a failure where the tools are promised."""
from __future__ import annotations

from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
NO_TOOL = """
from dataclasses import replace
from mope_impl.cli import tools
tools._TOOLS = tuple(replace(t, find=lambda: None) if t.name in ("chromium", "cuda") else t for t in tools._TOOLS)
"""


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Run one test under our conftest on a machine without Chromium and GPU."""
    future = "from __future__ import annotations\n"
    pytester.makeconftest(CONFTEST.replace(future, future + NO_TOOL, 1))
    pytester.makeini("[pytest]\nmarkers =\n    requires(*tools): tools\n")

    def run(body: str, strict: bool) -> pytest.RunResult:
        monkeypatch.setenv("MOPE_STRICT_TOOLS", "1" if strict else "0")
        pytester.makepyfile(f"import pytest\n{body}")
        return pytester.runpytest_subprocess("-ra", "-p", "no:cacheprovider")

    return run


USES_CHROMIUM = """
@pytest.mark.requires("chromium")
def test_page():
    assert True
"""


def test_a_missing_tool_is_a_counted_skip(run):
    result = run(USES_CHROMIUM, strict=False)
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["missing tool: chromium, needed by 1 test (see mope doctor)"])
    result.stdout.fnmatch_lines(["SKIPPED*needs chromium (Debian: chromium)"])


def test_a_missing_tool_is_a_failure_where_tools_are_promised(run):
    result = run(USES_CHROMIUM, strict=True)
    assert result.parseoutcomes() == {"errors": 1}
    assert result.ret == 1


def test_any_other_skip_is_a_failure_too(run):
    result = run("def test_page():\n    pytest.importorskip('no_such_module')", strict=True)
    result.assert_outcomes(failed=1)


def test_a_gpu_is_promised_nowhere(run):
    result = run('@pytest.mark.requires("cuda")\ndef test_kernel():\n    assert True', strict=True)
    result.assert_outcomes(skipped=1)


def test_a_tool_that_is_there_lets_the_test_run(run):
    result = run('@pytest.mark.requires("python")\ndef test_kernel():\n    assert True', strict=True)
    result.assert_outcomes(passed=1)


def test_a_mistyped_tool_is_an_error(run):
    result = run('@pytest.mark.requires("cromium")\ndef test_page():\n    assert True', strict=False)
    assert result.parseoutcomes() == {"errors": 1}
    result.stdout.fnmatch_lines(["*requires('cromium'): not in mope_impl/cli/tools.py*"])
