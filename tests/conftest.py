"""One `xp` fixture for all array libraries; those that are not installed say so."""

import base64
import functools
import gc
import importlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from engines import KERNEL, SETS, engines_as_they_were

# Several workers share the cores, and tensors are small: PyTorch's threads would only wait for
# each other. It reads this when it is first imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A job in the background may ignore Ctrl-C, and one under nohup SIGHUP; so would the programs that
# tests start, but tests send them these signals.
for ignorable in {"SIGINT", "SIGHUP", "SIGTERM"} & {each.name for each in signal.Signals}:
    if signal.getsignal(signal.Signals[ignorable]) is signal.SIG_IGN:
        usual = signal.default_int_handler if ignorable == "SIGINT" else signal.SIG_DFL
        signal.signal(signal.Signals[ignorable], usual)

if importlib.util.find_spec("hypothesis"):  # the tests of wheels do without
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "timings are no assertions",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("timings are no assertions")

LIBRARIES = ("numpy", "array_api_strict", "torch", "jax", "jax.jit")
# For what JAX compiles for seconds: each of its two ways has one of the types.
LIBRARIES_AND_TYPES = [
    *((name, dtype) for name in LIBRARIES[:3] for dtype in ("float64", "float32")),
    ("jax", "float32"),
    ("jax.jit", "float64"),
]

SKIPPED = "twobone/skipped"  # in pytest's cache
LEFT_OUT = pytest.StashKey()  # reasons of tests that are not even started, by their ids
SLOW, NIGHTLY, SAMPLED = "slow", "nightly", "sampled"
NAMES = {
    "torch": "PyTorch",
    "jax": "JAX",
    "jax.jit": "JAX",
    "sympy": "SymPy",
}  # of packages in reasons


def pytest_addoption(parser):
    parser.addoption(
        "--skipped",
        action="store_true",
        help="run only what the last run skipped: slow tests, and those that missed a package",
    )
    parser.addoption("--slow", action="store_true", help="run the slow tests too")
    parser.addoption("--nightly", action="store_true", help="run only what runs every night")
    parser.addoption("--no-browsers", action="store_true", help="leave out tests in browsers")


def pytest_configure(config):
    config.stash[LEFT_OUT] = {}
    gc.disable()  # until all tests are collected


def pytest_collection_finish(session):
    """Keep what was collected out of the garbage collector's way: all of it stays to the end.

    Compilers of PyTorch and JAX make many objects that live on: it need not look that often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20)
    gc.enable()


def pytest_collection_modifyitems(config, items):
    """Leave out what would be skipped: to report thousands of tests one by one takes seconds."""
    mark_others_of_samples(items)
    if config.option.skipped:
        skipped = set(config.cache.get(SKIPPED, []))
        items[:] = [each for each in items if {each.nodeid, each.nodeid.split("::")[0]} & skipped]
    if config.option.nightly:
        items[:] = [each for each in items if each.get_closest_marker("nightly")]
    reasons = {item: why_not(item) for item in items}
    left_out = {item: reason for item, reason in reasons.items() if reason}
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=list(left_out))
    config.stash[LEFT_OUT] = {item.nodeid: reason for item, reason in left_out.items()}


def mark_others_of_samples(items):
    """Mark the cases of a sampled test, or of a sampled module, all but the first of every n."""
    seen = Counter()
    for item in items:
        for node, sampled in item.iter_markers_with_node(SAMPLED):
            of = node.nodeid.partition("[")[0]  # all cases of a test have one name
            every, mark = (*sampled.args, SLOW)[:2]
            is_left_out = seen[of] % every > 0
            seen[of] += 1
            if is_left_out:
                item.add_marker(mark)
                break  # it is none of the module's cases


def why_not(item):
    """Return why a test cannot run here, or None if it can, as far as it tells beforehand."""
    told = item.config.option
    if item.get_closest_marker("nightly") and not told.nightly:
        return NIGHTLY
    if item.get_closest_marker("slow") and not (told.slow or told.skipped or told.nightly):
        return SLOW
    names = set(item.fixturenames)
    if told.no_browsers and {"browser", "driver"} & names:
        return "no browsers were wanted"
    needed = {"playwright"} if "browser" in names else set()
    if hasattr(item, "callspec"):  # the fixture `xp` and its like have a parameter for each library
        values = item.callspec.params.values()
        needed |= {value for value in values if isinstance(value, str) and value in NAMES}
    missing = [name for name in sorted(needed) if not is_installed(name.partition(".")[0])]
    return f"{missing[0]} is not installed" if missing else None


@functools.cache
def is_installed(package):
    return importlib.util.find_spec(package) is not None


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # a worker of xdist tells its controller
        session.config.workeroutput[SKIPPED] = session.config.stash[LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    if hasattr(node, "workeroutput"):
        node.config.stash[LEFT_OUT] |= node.workeroutput.get(SKIPPED, {})


def pytest_terminal_summary(terminalreporter, config):
    """Say in two lines what was not tested and why; remember it for `pytest --skipped`."""
    reports = terminalreporter.getreports("skipped")
    left_out = config.stash[LEFT_OUT]
    told = config.option
    ran = not (told.skipped or told.nightly or told.collectonly)
    if ran and hasattr(config, "cache"):  # unless -p no:cacheprovider
        config.cache.set(SKIPPED, sorted({*left_out, *(report.nodeid for report in reports)}))
    if reports or left_out:
        reasons = [*left_out.values(), *(report.longrepr[2] for report in reports)]
        terminalreporter.write_line(not_tested(reasons))


def not_tested(reasons):
    """Return two lines about tests that did not run, given the reason of each.

    >>> print(not_tested(["Skipped: torch is not installed", SLOW, NIGHTLY, "Skipped: no root"]))
    Not tested: 1 slow; without PyTorch 1; for other reasons 1; 1 nightly.
    `pytest --skipped` runs these, as far as what they miss is installed by then.
    """
    packages, slow, nightly = Counter(), reasons.count(SLOW), reasons.count(NIGHTLY)
    for reason in reasons:
        missing = re.search(r"(\S+) is not installed", reason)
        if missing:
            packages[NAMES.get(missing[1], missing[1])] += 1
    others = len(reasons) - slow - nightly - packages.total()
    parts = [f"{slow} slow"] * bool(slow)
    parts += [f"without {name} {count}" for name, count in packages.most_common()]
    parts += [f"for other reasons {others}"] * bool(others)
    parts += [f"{nightly} nightly"] * bool(nightly)
    way = "`pytest --skipped` runs these, as far as what they miss is installed by then."
    return f"Not tested: {'; '.join(parts)}.\n{way}"


class Arrays:
    """Make arrays of one library, take them back, and compile functions where it can."""

    def __init__(self, name):
        self.name = name
        package = pytest.importorskip(name.partition(".")[0], reason=f"{name} is not installed")
        if name.startswith("jax"):
            package.config.update("jax_enable_x64", True)
            package = importlib.import_module("jax.numpy")
        self.package = package

    def __call__(self, values, dtype="float64"):
        values = np.array(values, dtype=dtype)  # a copy: PyTorch warns of read-only arrays
        return values if self.name == "numpy" else self.package.asarray(values)

    def back(self, array):
        return array.detach().numpy() if self.name == "torch" else np.asarray(array)

    def compiled(self, function):
        return importlib.import_module("jax").jit(function) if self.name == "jax.jit" else function


@pytest.fixture(params=LIBRARIES)
def xp(request):
    return Arrays(request.param)


@pytest.fixture
def state_home(tmp_path_factory, monkeypatch):
    """Return a folder of the test for what is kept for the user between runs."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


@pytest.fixture
def engines():
    """Return an object that chooses the engine: see `engines.py`."""
    with engines_as_they_were() as found:
        yield found


@pytest.fixture(params=["compiled", "numpy"])
def both_engines(request, engines):
    """Let the kernel answer, if it is there, and then NumPy."""
    if request.param == "compiled" and KERNEL is None:
        pytest.skip("the kernel is not built")
    engines.use(request.param)


@pytest.fixture(params=SETS)
def instruction_set(request, engines):
    """Let the kernel use one of its instruction sets."""
    engines.use(request.param)
    return request.param


# Answers one file after the other: a line of the input is its bytes in base64.
VALIDATE = """
const validator = require("gltf-validator");
require("readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const bytes = new Uint8Array(Buffer.from(line, "base64"));
  console.log(JSON.stringify((await validator.validateBytes(bytes, { maxIssues: 0 })).issues));
});
"""


@pytest.fixture(scope="session")
def start_node():
    """Return a function that starts node with the tools of `.ci/page`, those that are installed."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed")
    tools = Path(__file__).parents[1] / ".ci" / "page" / "node_modules"
    paths = [str(tools), *filter(None, [os.environ.get("NODE_PATH")])]
    env = {**os.environ, "NODE_PATH": os.pathsep.join(paths)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return lambda code, **options: subprocess.Popen(
        [found, "-e", code], env=env, **pipes, **options
    )


@pytest.fixture(scope="session")
def node(start_node):
    """Return a function that runs JavaScript in node."""

    def run(code, data=b""):
        with start_node(code, stderr=subprocess.PIPE) as started:
            found, said = started.communicate(data, timeout=300)
        if started.returncode:
            raise subprocess.CalledProcessError(started.returncode, "node", found, said)
        return found

    return run


@pytest.fixture(scope="session")
def node_with(node):
    """Return a function that gives `node`, and skips where it has not the packages asked for."""

    def with_packages(*names):
        try:
            node("".join(f"require({json.dumps(name)});" for name in names))
        except subprocess.CalledProcessError:
            pytest.skip(f"{names[-1]} is not installed: npm ci --prefix .ci/page")
        return node

    return with_packages


@pytest.fixture(scope="session")
def validate(node_with, start_node):
    """Return a function that gives what Khronos' validator finds; skip where there is none."""
    node_with("gltf-validator")
    with start_node(VALIDATE) as validator:

        def issues(data):
            validator.stdin.write(base64.b64encode(data) + b"\n")
            validator.stdin.flush()
            return json.loads(validator.stdout.readline())

        yield issues
        validator.communicate()
