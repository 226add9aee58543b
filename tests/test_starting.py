"""The first moments of the command: Ctrl-C while it imports, an environment it cannot use."""

import os
import signal
import subprocess
import sys

import pytest

import twobone
from twobone import starting

SOURCE = os.path.dirname(os.path.dirname(twobone.__file__))
SCRIPT = ["-c", "import sys; from twobone_command import main; sys.exit(main())"]
WAYS = pytest.mark.parametrize("way", [SCRIPT, ["-m", "twobone"]], ids=["script", "module"])
posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def run(way, *arguments, stand_ins=None, **environment):
    """Run the command; modules in `stand_ins` come before all others."""
    path = os.pathsep.join(filter(None, [str(stand_ins or ""), SOURCE]))
    return subprocess.run(
        [sys.executable, *way, *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=300,
        check=False,
    )


@posix
@WAYS
@pytest.mark.parametrize("name", ["numpy", "rich_click"])
def test_ctrl_c_while_it_imports_prints_nothing(way, name, tmp_path):
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT); raise SystemExit('went on')"
    (tmp_path / f"{name}.py").write_text(code)
    done = run(way, "--version", stand_ins=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@WAYS
@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("TWOBONE_THREADS", "abc", "must be a positive integer, got 'abc'."),
        ("TWOBONE_ENGINE", "x\ny", r"""must be "numpy" or "compiled", got 'x\ny'."""),
    ],
)
def test_an_environment_it_cannot_use_is_told_in_one_line(way, name, value, wanted):
    done = run(way, "--version", **{name: value})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"twobone: `{name}` {wanted}\n"


def test_as_a_library_it_raises():
    done = run(["-c", "import twobone"], TWOBONE_ENGINE="x")
    assert done.returncode == 1
    assert done.stderr.endswith(
        """EngineError: `TWOBONE_ENGINE` must be "numpy" or "compiled", got 'x'.\n"""
    )


@posix
def test_as_a_library_it_leaves_ctrl_c_alone():
    code = "import signal, twobone; print(signal.getsignal(signal.SIGINT).__name__)"
    assert run(["-c", code]).stdout == "default_int_handler\n"


@posix
@WAYS
def test_where_ctrl_c_is_ignored_it_stays_ignored(way, tmp_path):
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT); raise SystemExit('went on')"
    (tmp_path / "rich_click.py").write_text(code)
    command = f"trap '' INT; exec {sys.executable} {way[0]} \"$1\" --version"
    done = subprocess.run(
        ["sh", "-c", command, "sh", way[1]],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), SOURCE])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "went on\n")


@pytest.mark.parametrize(
    ("words", "arguments", "is_ours"),
    [
        (["-m", "twobone"], [], True),
        (["-mtwobone"], ["solve"], True),
        (["-W", "error", "-Bm", "twobone"], ["-m", "x"], True),
        (["-m", "pytest"], ["twobone"], False),
        (["-m", "other"], ["-m", "twobone"], False),
    ],
)
def test_only_python_m_twobone_is_the_command(words, arguments, is_ours, monkeypatch):
    monkeypatch.setattr(sys, "orig_argv", ["python", *words, *arguments])
    monkeypatch.setattr(sys, "argv", ["-m", *arguments])
    assert starting.is_command() == is_ours
    monkeypatch.setattr(sys, "argv", ["/where/it/is/__main__.py", *arguments])
    assert not starting.is_command()
