"""Sessions that check the project: `nox` runs the first two, `nox --list` names all.

They run in the environment that nox is installed in, so that large packages are installed once:
`nox -s environment` installs what they need. Sessions that need another environment make it.
"""

import glob
import os
import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.5"
nox.options.default_venv_backend = "none"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["check", "tests"]

BIN = str(Path(sys.executable).parent)
os.environ["PATH"] = BIN + os.pathsep + os.environ["PATH"]  # also if this environment is not active
PINNED = ("-c", ".ci/constraints.txt")
NODE_TOOLS = Path(".ci/page/node_modules")
WORKFLOWS = sorted(glob.glob(".github/workflows/*.yml"))
# For the sanitizers, which can load neither PyTorch nor JAX.
OF_THE_KERNEL = [
    *(f"tests/core/test_{name}.py" for name in ("kernel", "kernel_derivatives", "golden")),
    *(f"tests/core/test_{name}.py" for name in ("programs", "reverse_programs", "slopes", "xla")),
    *("tests/pose/test_limb_kernel.py", "tests/pose/test_programs.py"),
    "tests/creature/test_kernel.py",
]


def newest_python():
    """Return the newest supported Python that is installed here, also by pyenv."""
    for version in ("3.14", "3.13"):
        kept = glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin/python"))
        if kept or shutil.which(f"python{version}"):
            return kept[0] if kept else version
    return "3.14"


def install_node_tools(session):
    """Install the tools of the page, unless those that are pinned are already there."""
    lock, installed = Path(".ci/page/package-lock.json"), NODE_TOOLS / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        session.run("npm", "ci", "--prefix=.ci/page", "--silent", "--no-audit", "--no-fund")


@nox.session
def environment(session):
    """Install all that the other sessions need: PyTorch, JAX, other libraries, tools."""
    groups = nox.project.dependency_groups(nox.project.load_toml(), "peers", "release", "coverage")
    extras = "twobone[dev,docs,torch,jax]"
    session.run("python", "-c", "import twobone", silent=True)  # never from the package index
    # Most of what is in these packages is never imported: what is gets compiled then.
    session.run("python", "-m", "pip", "install", "-q", "--no-compile", *PINNED, extras, *groups)
    session.run("npm", "ci", "--prefix=.ci/page", "--silent", "--no-audit", "--no-fund")


@nox.session
def browsers(session):
    """Install the browsers of the page's tests that are not there, on Debian or Ubuntu."""
    programs = {  # of each package, any of which will do
        "chromium-headless-shell": ("chromium-headless-shell", "chromium", "google-chrome"),
        "firefox-esr": ("firefox-esr", "firefox"),
        "webkit2gtk-driver": ("WebKitWebDriver",),
        "xvfb": ("Xvfb",),
    }
    missing = [each for each in programs if not any(map(shutil.which, programs[each]))]
    if not missing:
        return
    rights = [] if os.geteuid() == 0 else ["sudo"]
    session.run(*rights, "apt-get", "update", "-qq")
    session.run(*rights, "apt-get", "install", "-y", "-qq", *missing, silent=True)


@nox.session
def check(session):
    """Format and lint all sources, and check the types of Python and of the page."""
    install_node_tools(session)
    session.run("pre-commit", "run", "--all-files", "--show-diff-on-failure")
    session.run("pyright", "--pythonpath", sys.executable)
    session.run(str(NODE_TOOLS / ".bin/tsc"), "-p", ".ci/page")
    page = ["-c", ".ci/page/eslint.config.mjs", "src/twobone/play/page"]
    session.run(str(NODE_TOOLS / ".bin/eslint"), *page)


@nox.session
def tests(session):
    """Run the tests, or those that are named after `--`."""
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def skipped(session):
    """Run the tests that the last run skipped: slow ones, and those that missed a package."""
    workers = f"-n{(os.cpu_count() or 1) + 1}"  # one of them waits for a page at most times
    slowest = ["--durations=40", "--durations-min=4"]
    session.run("python", "-m", "pytest", "-q", "--skipped", workers, *slowest)


@nox.session
def nightly(session):
    """Run the tests that every night has time for, but not every change."""
    session.run("python", "-m", "pytest", "-q", "--nightly")


@nox.session
def coverage(session):
    """Name lines and branches that no test reaches, unless a comment there has a reason."""
    report = f"{session.create_tmp()}/coverage.json"
    measured = ["--cov", f"--cov-report=json:{report}", "--slow", "--no-browsers"]
    session.run("python", "-m", "pytest", "-q", *measured, *session.posargs)
    session.run("python", "tools/unreached.py", report)


@nox.session
def mutation(session):
    """Change the source in a sample of places, or those named after `--`: a test must notice."""
    modules = [f"core/{name}.py" for name in ("exact", "formula", "scaling", "fitting", "easing")]
    sample = [*modules, "--seed", "2", "--count", "6"]  # none of them takes a minute
    session.run("python", "tools/mutation", *(session.posargs or sample))


@nox.session(venv_backend="venv")
def without_a_compiler(session):
    """Install the package where nothing can be compiled, and build the wheel for any machine."""
    broken = {"CC": "/bin/false", "CXX": "/bin/false"}
    session.install(*PINNED, ".[play]", env=broken)
    said = session.run("twobone", "--version", silent=True)
    if "engine: numpy" not in said:
        session.error(said)
    pure = ["-C", "wheel.cmake=false", "-C", "wheel.py-api=py3"]
    wheels = session.create_tmp()
    session.run("pip", "wheel", "-q", "--no-deps", "-w", wheels, *pure, ".")
    if not glob.glob(f"{wheels}/twobone-*-py3-none-any.whl"):
        session.error(f"no wheel for any machine: {os.listdir(wheels)}")


@nox.session(venv_backend="venv")
def sanitizer(session):
    """Test the kernel with every address and operation checked."""
    session.install(
        *PINNED,
        *("-C", "cmake.define.TWOBONE_SANITIZE=ON", "-C", "install.strip=false"),
        ".[test]",
    )
    library = session.run("gcc", "-print-file-name=libasan.so", silent=True, external=True)
    checked = {"TWOBONE_ENGINE": "compiled", "ASAN_OPTIONS": "detect_leaks=0"}
    checked["LD_PRELOAD"] = library.strip()
    quiet = ["-q", "-n2", "-pno:cacheprovider"]
    session.run("python", "-m", "pytest", *quiet, *OF_THE_KERNEL, env=checked)


@nox.session(venv_backend="venv", python=newest_python())
def newest(session):
    """Test the kernel with the newest Python."""
    session.install(*PINNED, ".", "pytest")
    alone = ["-q", "-oaddopts=--import-mode=importlib", "-pno:cacheprovider"]
    session.run("pytest", *alone, "tests/core/test_golden.py", "tests/core/test_kernel.py")


@nox.session
def vendored(session):
    """Reduce three.js again: the result must be what the package has."""
    there = "tools/vendor_three"
    session.run("npm", "ci", f"--prefix={there}", "--silent", "--no-audit", "--no-fund")
    session.run("node", f"{there}/vendor.mjs", "--check")


@nox.session
def docs(session):
    """Build the documentation; warnings are errors."""
    session.run("sphinx-build", "-W", "docs", "site")
    if "knee" not in Path("site/searchindex.js").read_text("utf-8"):
        session.error("the search index has no words")
    if not Path("site/_static/live.html").stat().st_size:
        session.error("the live page is empty")


@nox.session
def release(session):
    """Lint the workflows, make an sdist in dist/, and check its files and metadata."""
    schema = ["check-jsonschema", "--builtin-schema"]
    session.run(*schema, "vendor.github-workflows", *WORKFLOWS)
    session.run(*schema, "vendor.citation-file-format", "CITATION.cff")
    session.run("zizmor", "--offline", "-q", *WORKFLOWS)
    session.run("python", "-m", "build", "-q", "--sdist")
    sdist = max(glob.glob("dist/*.tar.gz"), key=os.path.getmtime)
    session.run("twine", "check", "--strict", sdist)
    session.run("python", "release/check.py", "sdist", sdist)


@nox.session
def bits(session):
    """Compare answers of the kernel with those of the Python formula, bit for bit."""
    session.run("python", "tools/kernel_bits.py", "--count", "500000")


@nox.session
def without_vectors(session):
    """Compare the kernel's loops without vectors, as on processors other than x86."""
    session.run("python", "tools/kernel_processors.py", "--count", "3000", "without vectors")


@nox.session
def instructions(session):
    """Count the instructions of the kernel; none of the counts may have grown."""
    session.run("python", "benchmarks/instructions.py")


@nox.session
def accuracy(session):
    """Measure accuracy and speed, briefly."""
    session.run("python", "benchmarks/accuracy.py", "--count", "20000")
    session.run("twobone", "bench", "--count", "1", "--count", "100000")
