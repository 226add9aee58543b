"""One `xp` fixture for all array libraries; those that are not installed say so."""

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


SKIPPED = "twobone/skipped"  # in pytest's cache
SLOW = "slow: run by `pytest --skipped`"
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


def pytest_collection_modifyitems(config, items):
    if not config.option.skipped:
        for item in items:
            if item.get_closest_marker("slow") and not config.option.slow:
                item.add_marker(pytest.mark.skip(reason=SLOW))
        return
    skipped = set(config.cache.get(SKIPPED, []))
    items[:] = [item for item in items if {item.nodeid, item.nodeid.partition("::")[0]} & skipped]


def pytest_terminal_summary(terminalreporter, config):
    """Say in one line what was not tested and why; remember it for `pytest --skipped`."""
    reports = terminalreporter.getreports("skipped")
    ran = not (config.option.skipped or config.option.collectonly)
    if ran and hasattr(config, "cache"):  # unless -p no:cacheprovider
        config.cache.set(SKIPPED, sorted(report.nodeid for report in reports))
    if reports:
        terminalreporter.write_line(not_tested([report.longrepr[2] for report in reports]))


def not_tested(reasons):
    """Return one line about skipped tests, given the reason of each.

    >>> not_tested(["Skipped: torch is not installed", "Skipped: " + SLOW, "Skipped: no root"])
    'Not tested: 1 slow (`pytest --skipped` runs it); without PyTorch 1; for other reasons 1.'
    """
    packages, slow = Counter(), 0
    for reason in reasons:
        missing = re.search(r"(\S+) is not installed", reason)
        if missing:
            packages[NAMES.get(missing[1], missing[1])] += 1
        slow += reason.endswith(SLOW)
    others = len(reasons) - slow - packages.total()
    parts = [f"{slow} slow (`pytest --skipped` runs {'it' if slow == 1 else 'them'})"] * bool(slow)
    parts += [f"without {name} {count}" for name, count in packages.most_common()]
    parts += [f"for other reasons {others}"] * bool(others)
    return f"Not tested: {'; '.join(parts)}."


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


VALIDATE = """
const validator = require("gltf-validator");
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
  const options = { maxIssues: 0 };
  const report = await validator.validateBytes(new Uint8Array(Buffer.concat(chunks)), options);
  console.log(JSON.stringify(report.issues));
});
"""


@pytest.fixture(scope="session")
def node():
    """Return a function that runs JavaScript in node with the tools of `.ci/page`, if installed."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed")
    tools = Path(__file__).parents[1] / ".ci" / "page" / "node_modules"
    paths = [str(tools), *filter(None, [os.environ.get("NODE_PATH")])]
    env = {**os.environ, "NODE_PATH": os.pathsep.join(paths)}

    def run(code, data=b""):
        return subprocess.run(
            [found, "-e", code], input=data, capture_output=True, check=True, timeout=300, env=env
        ).stdout

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
def validate(node_with):
    """Return a function that gives what Khronos' validator finds; skip where there is none."""
    node = node_with("gltf-validator")
    return lambda data: json.loads(node(VALIDATE, data))
