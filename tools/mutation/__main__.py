"""Change the source in one place at a time, and see that a test goes red each time.

    python tools/mutation --count 60           a sample, the same one until the source changes
    python tools/mutation pose                 every mutant of a room (days for all of them)
    python tools/mutation core/exact.py        every mutant of a module
    python tools/mutation --function two_sum   every mutant of the functions of that name

A mutant is caught if a test of its room fails. Those that are not caught must stand in
survivors.toml with the reason why no test can or should notice them. Works on copies.
"""

import argparse
import compileall
import contextlib
import hashlib
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

import mutants

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = Path("src/twobone")
ROOMS = ("core", "rotations", "pose", "creature", "robots")  # of formulas; others on demand
IGNORED = (".git", ".venv", "__pycache__", ".hypothesis", ".pytest_cache", "build", "node_modules")
# Test files that see most of a room or module; those with a module's name come before them. This is
# only an order: a mutant that they miss meets all other tests of its room.
FIRST = {
    "core": ["golden", "policies_accuracy", "edges"],
    "rotations": ["quaternions", "operations", "accuracy"],
    "pose": ["limb", "controls", "transport"],
    "pose/bending.py": ["peer_cases", "corrections"],
    "pose/corrections.py": ["peer_cases"],
    "pose/faults.py": ["peer_cases", "corrections"],
    "creature": ["stepping", "animals", "walker", "walks"],
    "creature/contacts.py": ["measures"],
    "creature/polygons.py": ["measures"],
    "robots": ["limbs"],
}
# Rooms whose tests guard another room or module too.
BESIDE = {"rotations": ["pose"], "core/vectors.py": ["rotations", "pose"]}
# Loading them takes most of the time of a short test, so every mutant gets them loaded.
LIBRARIES = ["numpy", "pytest", "hypothesis", "mpmath", "sympy", "array_api_strict", "torch"]
PYTEST = ["-qx", "-pno:cacheprovider", "-oaddopts=--import-mode=importlib"]
# Seconds of the processor: six times those of the slowest test that is not marked as slow.
SECONDS_OF_A_TEST = 60
SECONDS_OF_THE_CLOCK = 600  # for a test that waits, beside ten others that keep the cores busy


class Outcome(NamedTuple):
    mutant: mutants.Mutant
    test: str  # that failed; empty: none did
    seconds: float


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "where", nargs="*", default=ROOMS, help="rooms or modules, such as core/exact.py"
    )
    parser.add_argument("--function", help="only functions of this name")
    parser.add_argument("--count", type=int, help="only so many, chosen by a hash of each")
    parser.add_argument("--seed", default="", help="choose others")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument(
        "--slow", action="store_true", help="survivors meet the slow tests and those of PyTorch too"
    )
    parser.add_argument("--list", action="store_true", help="print the mutants, and run nothing")
    options = parser.parse_args()
    explained = tomllib.loads((Path(__file__).parent / "survivors.toml").read_text("utf-8"))
    chosen = chosen_of(options, explained["elsewhere"])
    if options.list:
        for module, mutant in chosen:
            print(f"{module}:{mutant.line} {mutant.kind}: {mutant.key}")
        return
    reasons = {key: each["reason"] for each in explained["survivors"] for key in each["mutants"]}
    known = [mutant for _, mutant in chosen if mutant.key in reasons]
    started = time.monotonic()
    survivors, outcomes = [], []
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), options.jobs, options.slow)
        for outcome in run.all([each for each in chosen if each[1].key not in reasons]):
            outcomes.append(outcome)
            caught = f"caught   {outcome.seconds:5.1f} s" if outcome.test else "SURVIVED"
            print(f"{caught} {outcome.mutant.key}  [{outcome.test}]", flush=True)
            if not outcome.test:
                survivors.append(outcome.mutant)
    seconds = time.monotonic() - started
    used = os.times()
    print(
        f"{len(outcomes)} mutants in {seconds:.0f} s"
        f" ({used.children_user + used.children_system:.0f} s of processors),"
        f" {len(survivors)} not caught;"
        f" {len(known)} more are explained in survivors.toml"
    )
    if survivors:
        keys = "".join(f"\n  {mutant.key}" for mutant in survivors)
        sys.exit(f"Write a test for each of these, or its reason into survivors.toml:{keys}")


def chosen_of(options, elsewhere):
    """Return the mutants that were asked for, each with its module."""
    chosen = []
    for where in options.where:
        path = PROJECT / PACKAGE / where
        if not path.exists():
            sys.exit(f"{PACKAGE / where} does not exist")
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            name = str(module.relative_to(PROJECT / PACKAGE))
            if name not in elsewhere:
                found = mutants.of(module.read_text("utf-8"), name.removesuffix(".py"))
                chosen += [(name, mutant) for mutant in found]
    if options.function:
        wanted = f".{options.function}: "
        chosen = [each for each in chosen if wanted in each[1].key]

    def order(each):
        return hashlib.sha256(f"{options.seed}{each[1].key}".encode()).digest()

    # A change of the source moves few mutants into the sample or out of it.
    return sorted(chosen, key=order)[: options.count]


class Run:
    """Copies of the project, and a process for each mutant."""

    def __init__(self, folder, jobs, slow):
        for name in LIBRARIES:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        self.slow = slow
        self.copies = [folder / str(i) for i in range(jobs)]
        for copy in self.copies:
            shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns(*IGNORED))
            compileall.compile_dir(copy / "src", quiet=2)
        self.red = {}  # whether a test fails without any mutant too

    def all(self, chosen):
        """Yield the outcome of each mutant, several at a time."""
        waiting, idle, busy = list(chosen), list(self.copies), {}
        try:
            while waiting or busy:
                while waiting and idle:
                    module, mutant = waiting.pop(0)
                    copy = idle.pop()
                    self.put(copy, module, mutant.of(self.source(module)))
                    work = _Work(copy, module, mutant, stages(module, self.slow), time.monotonic())
                    busy[work.start()] = work
                pid, status = os.waitpid(-1, 0)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)  # what its tests have started and left
                work = busy.pop(pid)
                test = work.result(status)
                if not test and work.stages:
                    busy[work.start()] = work
                    continue
                if test and self.fails_anyway(work.copy, module=work.module, test=test):
                    work.deselected.append(test)
                    self.put(work.copy, work.module, work.mutant.of(self.source(work.module)))
                    work.again()
                    busy[work.start()] = work
                    continue
                self.put(work.copy, work.module, self.source(work.module))
                idle.append(work.copy)
                yield Outcome(work.mutant, test, time.monotonic() - work.started)
        finally:
            for pid in busy:
                os.killpg(pid, signal.SIGKILL)

    def source(self, module):
        return (PROJECT / PACKAGE / module).read_text("utf-8")

    def put(self, copy, module, source):
        path = copy / PACKAGE / module
        path.write_text(source, "utf-8")
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
            compiled.unlink()  # two sources may have the same size and second

    def fails_anyway(self, copy, module, test):
        """Return whether a test that failed does so without the mutant; asked once of each test."""
        if test not in self.red:
            self.put(copy, module, self.source(module))
            work = _Work(copy, module, None, [[test]], 0.0)
            self.red[test] = bool(work.result(os.waitpid(work.start(), 0)[1]))
            if self.red[test]:
                print(f"fails without a mutant, and is left out: {test}", flush=True)
        return self.red[test]


def stages(module, slow):
    """Return the arguments of pytest for the tests that a mutant meets, one after the other."""
    room, stem = module.split("/")[0], Path(module).stem
    rooms = [*BESIDE.get(module, []), room, *BESIDE.get(room, [])]
    every = [
        str(path.relative_to(PROJECT))
        for each in rooms
        for path in sorted((PROJECT / "tests" / each).glob("test_*.py"))
    ]
    own = [each for each in every if each.startswith(f"tests/{room}/test_{stem}")]
    names = [*FIRST.get(module, []), *FIRST.get(room, [])]
    usual = [f"tests/{room}/test_{name}.py" for name in names]
    first = [each for each in dict.fromkeys([*own, *usual]) if each in every]
    rest = [each for each in every if each not in first]
    found = [*([each] for each in first), rest] if rest else [[each] for each in first]
    if "torch" not in module:  # PyTorch's tests compile, and see the same formulas as NumPy's
        found = [["-k", "not jax and not torch", *each] for each in found]
    return found + ([["-k", "not jax", "--slow", *every]] if slow else [])


class _Work:
    """What one mutant has been through, and what is left."""

    def __init__(self, copy, module, mutant, stages, started):
        self.copy, self.module, self.mutant, self.started = copy, module, mutant, started
        self.every = stages
        self.deselected = []
        self.again()

    def again(self):
        self.stages = list(self.every)

    def start(self):
        """Run the next tests in a process of its own, and return its number."""
        tests = [*self.stages.pop(0), *(f"--deselect={each}" for each in self.deselected)]
        self.report = self.copy / "failed"
        self.report.unlink(missing_ok=True)
        pid = os.fork()
        if pid:
            return pid
        try:
            os.setpgid(0, 0)
            os.chdir(self.copy)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for each in (0, 1, 2):
                os.dup2(nowhere, each)
            source = str(self.copy / "src")
            sys.dont_write_bytecode = True
            sys.path[0] = source
            paths = [source, os.environ.get("PYTHONPATH")]  # for the programs that tests start
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
            pytest = importlib.import_module("pytest")
            plugin = _FirstFailure(self.report, source)
            code = pytest.main([*PYTEST, *tests], plugins=[plugin])
            os._exit(code)
        finally:
            os._exit(70)

    def result(self, status):
        """Return the test that failed, or nothing."""
        code = os.waitstatus_to_exitcode(status)
        if code in (0, 5):  # 5: no test was left
            return ""
        if self.report.exists():
            return self.report.read_text("utf-8")
        return f"exit {code}"  # the mutant ended the process


class _FirstFailure:
    """Write down which test fails first, and end one that does not end."""

    def __init__(self, report, source):
        self.report = report
        self.source = source

    def pytest_sessionstart(self):
        """Let hypothesis be content with the first example that fails, however long it is."""
        with contextlib.suppress(ImportError):
            hypothesis = importlib.import_module("hypothesis")
            needed = [
                phase for phase in hypothesis.Phase if phase.name not in ("shrink", "explain")
            ]
            profile = hypothesis.settings(phases=needed)  # else as those of conftest.py
            hypothesis.settings.register_profile("first failure", profile)
            hypothesis.settings.load_profile("first failure")

    def pytest_collection_finish(self):
        package = importlib.import_module("twobone")
        if not str(package.__file__).startswith(self.source):
            self.note("twobone is not that of the copy: an editable install hides it")

    def note(self, test):
        if not self.report.exists():
            self.report.write_text(test, "utf-8")

    def pytest_collectreport(self, report):
        if report.failed:
            self.note(report.nodeid)

    def pytest_runtest_logstart(self, nodeid):
        def end(*_):
            self.note(f"{nodeid} (not ended after {SECONDS_OF_A_TEST} s)")
            os._exit(1)

        for each in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(each, end)
        signal.setitimer(signal.ITIMER_PROF, SECONDS_OF_A_TEST)
        signal.alarm(SECONDS_OF_THE_CLOCK)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.note(report.nodeid)

    def pytest_runtest_logfinish(self):
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


if __name__ == "__main__":
    os.environ |= {
        "TWOBONE_ENGINE": "numpy",  # the kernel's tests hold it against these formulas
        "OMP_NUM_THREADS": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "CI": "1",  # hypothesis takes the same examples each time
        "PYTHONHASHSEED": "0",
    }
    main()
