"""How commands end: a code and at most one line, wherever output goes and whenever signals come."""

import os
import signal

import pytest

import apart
from twobone.commands import endings

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals, pipes and forks of POSIX"),
    pytest.mark.slow,
]

LENGTHS = ("--r1", "2", "--r2", "1.5")
PRINTING = {
    "version": ("--version",),
    "help": ("--help",),
    "nothing": (),
    "one target": ("solve", "1", "2", *LENGTHS),
    "a report": ("walk", "--report", "--seconds", "0.1", "--quiet"),
    "a benchmark": ("bench", "--count", "1", "--seconds", "0"),
    "an address": ("play", "--port", "0", "--no-browser"),
}
UNPRINTABLE = {  # where standard output goes: the code, the line
    "/dev/full": (2, "twobone: No space left on device\n"),
    "unread": (141, ""),
    "closed": (2, "twobone: standard output is closed\n"),
}
WRITING = {
    "o.csv": ("solve", "1", "2", *LENGTHS, "-o", "o.csv"),
    "w.npz": ("walk", "--seconds", "0.1", "--out", "w.npz"),
    "p.html": ("play", "--export", "p.html"),
}
MISTAKE = ("solve", "absent.csv", *LENGTHS)
UNHEARD = ["/dev/full", "unread", "closed"]
if not os.path.exists("/dev/full"):
    UNPRINTABLE.pop("/dev/full")
    UNHEARD.remove("/dev/full")

WORK = {
    f"a {name}": f"""
with replacing("o.csv") as file:
    file.write(b"half")
    signal.raise_signal(signal.{name})
"""
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
}
WORK |= {
    f"a second {name}": f"""
with replacing("o.csv") as file:
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.raise_signal(signal.{name})
        sys.exit("went on")
"""
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
}
WORK |= {
    f"a swallowed {name}": f"""
class Swallows:
    def __del__(self):
        signal.raise_signal(signal.{name})
with replacing("o.csv") as file:
    Swallows()
    sys.exit("went on")
"""
    for name in ("SIGINT", "SIGTERM")
}
WORK["while a mistake is told"] = """
class Mistake(endings.TwoBoneError):
    def __str__(self):
        signal.raise_signal(signal.SIGINT)
        return "mistake"
raise Mistake
"""
WORK["while nobody reads on"] = """
end, there = os.pipe()
os.dup2(there, 1)
os.set_blocking(1, False)
try:
    while True:
        os.write(1, bytes(1000))
except BlockingIOError:
    os.set_blocking(1, True)
print("more" * 500)
signal.raise_signal(signal.SIGINT)
"""
# What takes long and ends no other way: a compiler.
LIGHT = """
os.environ["CC"] = "no-such-compiler"
"""


def cases():
    """Return all runs by name, so that they share one Python."""
    for stdout in UNPRINTABLE:
        for name, words in PRINTING.items():
            yield (stdout, name), (LIGHT + apart.command(*words), {"stdout": stdout})
    for name, words in WRITING.items():
        closed = {"stdout": "closed", "stderr": "closed"}
        yield name, (LIGHT + apart.command(*words), closed)
    for stderr in UNHEARD:
        yield stderr, (apart.command(*MISTAKE), {"stderr": stderr})
    for name, work in WORK.items():
        body = "\n    ".join(work.strip().splitlines())
        yield name, (f"def work():\n    {body}\nsys.exit(endings.end(work))", {})


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    names, runs = zip(*cases(), strict=True)
    return dict(zip(names, apart.run(folder, runs), strict=True))


# --- where output goes --------------------------------------------------------------------


@pytest.mark.parametrize("name", PRINTING)
@pytest.mark.parametrize("stdout", UNPRINTABLE)
def test_what_prints_tells_that_it_cannot(ended, stdout, name):
    code, said = UNPRINTABLE[stdout]
    assert ended[stdout, name] == (code, "", said, {})


@pytest.mark.parametrize(("name", "start"), [("o.csv", "j"), ("w.npz", "PK"), ("p.html", "<!d")])
def test_what_writes_a_file_needs_no_output(ended, name, start):
    assert ended[name][:3] == (0, "", "")
    [(written, text)] = ended[name].files.items()
    assert (written, text[: len(start)]) == (name, start)


@pytest.mark.parametrize("stderr", UNHEARD)
def test_a_mistake_has_its_code_where_nobody_can_be_told(ended, stderr):
    assert ended[stderr] == (2, "", "", {})


# --- signals ------------------------------------------------------------------------------

INTERRUPTED = (130, "", "twobone: interrupted\n", {})


def test_a_signal_undoes_what_is_half_done(ended):
    assert ended["a SIGINT"] == INTERRUPTED
    assert ended["a SIGTERM"] == (143, "", "", {})
    assert ended["a SIGHUP"] == (129, "", "", {})


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_second_signal_ends_it_at_once_and_leaves_nothing(ended, name):
    assert ended[f"a second {name}"] == (-getattr(signal, name), "", "", {})


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_is_heard_where_exceptions_are_swallowed(ended, name):
    assert ended[f"a swallowed {name}"] == (-getattr(signal, name), "", "", {})


def test_a_signal_while_a_mistake_is_told_is_one_line(ended):
    assert ended["while a mistake is told"] == INTERRUPTED


def test_a_signal_does_not_wait_for_who_reads(ended):
    assert ended["while nobody reads on"] == INTERRUPTED


def test_signals_are_as_before_at_the_end(capsys):
    def handlers():
        return [signal.getsignal(number) for number in endings.SIGNALS]

    before = handlers()
    assert endings.end(lambda: signal.raise_signal(signal.SIGINT)) == 130
    assert capsys.readouterr().err == "twobone: interrupted\n"
    assert handlers() == before
    assert endings.end(lambda: None) == 0
    assert handlers() == before
