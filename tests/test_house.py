"""The house: imports go one way, the formula is pure, public names are sorted and documented."""

import ast
import functools
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
import typing
from pathlib import Path

import pytest

import conftest
import twobone
import twobone.motion
import twobone.play
import twobone.pose
import twobone.robots
import twobone.rotations

SOURCE = Path(twobone.__file__).parent
ROOMS = [
    "starting",
    "errors",
    "core",
    "rotations",
    "pose",
    "terrain",
    "files",
    "motion",
    "creature",
    "robots",
    "pictures",
    "film",
    "play",
    "commands",
    "cli",
]  # each may import those before
PURE = [
    "core/exact.py",
    "core/formula.py",
    "core/scaling.py",
    "core/fitting.py",
    "core/easing.py",
    "core/vectors.py",
    "rotations/quaternions.py",
    "rotations/frames.py",
    "rotations/angles.py",
]
# What all tests may use, besides `twobone.errors`, the command line, and what the pages of
# `docs/reference`, docs/guarantees.md, README and the examples name.
DOORS = ("", ".creature", ".motion", ".play", ".pose", ".robots", ".rotations")
# Test modules that need more, and why.
INSIDE = {
    "engines.py": (["core.engine"], "chooses the engine for all other tests"),
    "formula_arguments.py": (["core"], "libraries and dtypes that a formula takes as arguments"),
    "limb_programs.py": (["core"], "which formulas of limbs became programs, and who may run them"),
    "differentiated.py": (["core"], "an oracle: differentiates the package's own formula"),
    "exact_derivatives.py": (["core", "pose"], "an oracle: runs the formulas in 350 bits"),
    "browsing.py": (["play"], "opens pages in browsers, and makes pages of our own"),
    "looks.py": (["pictures"], "colours that pictures and the page share"),
    "drawn.py": (["pictures"], "what of an animal is drawn where, for tests of walks"),
    "test_house.py": (["core", "rotations"], "names modules whose text it reads"),
    "steps_measured.py": (["terrain"], "makes grounds whose heights are quick to compute"),
    "test_benchmarks.py": (["commands.bench_rows"], "the benchmarks measure rows of this command"),
    "creature/test_stepping_printed.py": (
        ["terrain.heights"],
        "gives grounds that are printed their numbers",
    ),
    "film/": (["pictures"], "a film is painted of the scene and seen by the camera of pictures"),
    "play/": (
        ["creature", "motion", "pictures", "terrain"],
        "each module of the page is the twin of one of these, and is compared with it",
    ),
    "printed/": (["core.exact"], "a module as those that are printed"),
    "test_printing.py": (["core"], "lets the library of floats run what was printed"),
}
LIBRARY_MODULES = ("arrays.py", "for_accelerators.py", "torch_programs.py", "torch_graphs.py")
ANGLES = "rotations/angles.py"  # the only one of them that knows sines
PROJECT = Path(__file__).parents[1]


def modules():
    return sorted(SOURCE.rglob("*.py"))


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(node):
    """Yield the statements of a node, and those inside of them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child
            yield from statements(child)


def room(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@functools.cache
def imported(path):
    """Return the names of all modules that a file imports, anywhere in it."""
    found = []
    for node in statements(tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def imported_from_below(path):
    """Return the names that a file imports from rooms below its own."""
    targets = {name: name.removeprefix("twobone.").split(".")[0] for name in imported(path)}
    own = ROOMS.index(room(path))
    inside = {name for name in targets if name.startswith("twobone.") and targets[name] in ROOMS}
    return {name for name in inside if ROOMS.index(targets[name]) > own}


def test_imports_go_one_way():
    doors = {SOURCE / "__init__.py", SOURCE / "__main__.py"}  # they lead everywhere
    found = {path: imported_from_below(path) for path in modules() if path not in doors}
    assert {path: names for path, names in found.items() if names} == {}


def dotted(path):
    """Return the name under which a file of the package is imported."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {dotted(path) for path in modules()}


@functools.cache
def public_names():
    """Return the names of all that is public: what the doors offer and what is documented."""
    if not (PROJECT / "docs").exists():
        pytest.skip("only an installed package, no project around it")
    found = {f"twobone.errors.{name}" for name in vars(twobone.errors) if name[0] != "_"}
    found.add("twobone.cli.run")
    for door in (importlib.import_module(f"twobone{each}") for each in DOORS):
        found |= {door.__name__, *(f"{door.__name__}.{name}" for name in door.__all__)}
    pages = [*(PROJECT / "docs" / "reference").glob("*.md"), PROJECT / "docs" / "guarantees.md"]
    for page in [*pages, PROJECT / "README.md", *PROJECT.glob("examples/*.py")]:
        text = page.read_text(encoding="utf-8")
        found |= set(re.findall(r"\btwobone(?:\.\w+)+", text))
        for module, names in re.findall(r"from (twobone[\w.]*) import ([\w, ]+)", text):
            found |= {f"{module}.{name.strip()}" for name in names.split(",")}
    # A class brings its methods along, and a module leads to what is public in it.
    return found | {name for name in MODULES if any(each.startswith(f"{name}.") for each in found)}


def is_public(name):
    """Return whether a dotted name, or a class that it is an attribute of, is public."""
    parts = name.split(".")
    inside = [".".join(parts[:i]) for i in range(2, len(parts) + 1)]
    return name in public_names() or any(
        each in public_names() and each not in MODULES for each in inside
    )


def used(path):
    """Return the dotted names of the package that a file of tests uses.

    They are read from imports, from attributes of what was imported, and from names in quotes that
    are patched or imported.
    """
    bound, found, nodes = {}, set(imported(path)), list(ast.walk(tree(path)))
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                bound |= {alias.asname: alias.name} if alias.asname else {top: top}
        elif isinstance(node, ast.ImportFrom):
            names = {alias.asname or alias.name: alias.name for alias in node.names}
            bound |= {name: f"{node.module}.{full}" for name, full in names.items()}
    for node in nodes:
        if isinstance(node, ast.Call) and name_of(node.func) in PATCHES:
            quoted = [each.value for each in node.args if isinstance(each, ast.Constant)]
            found |= {each for each in quoted if isinstance(each, str)}
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if parts and isinstance(node, ast.Name) and bound.get(node.id) in MODULES:
            name = bound[node.id]
            for part in reversed(parts):
                name = f"{name}.{part}" if name in MODULES else name
            found.add(name)
    return {name for name in found if name.startswith("twobone.") and not name.endswith("__")}


PATCHES = ("setattr", "setitem", "import_module", "patch", "object")  # the last of patch.object


def name_of(function):
    """Return the last name of what is called, such as "setattr" of `monkeypatch.setattr`."""
    return getattr(function, "attr", getattr(function, "id", None))


TESTS = PROJECT / "tests"
FILES_OF_TESTS = [
    path.relative_to(TESTS).as_posix()
    for path in sorted(TESTS.rglob("*.py"))
    if not path.name.startswith("fails_")  # what type checkers must reject, such as no names
]


def private_names(name):
    """Return what a file of tests uses that is neither public nor in its own rooms."""
    first = name.split("/")[0].removesuffix(".py")
    rooms = [first.removeprefix("test_")]
    for entry, (more, _) in INSIDE.items():
        rooms += more if name.startswith(entry) else []
    inside = tuple(f"twobone.{each}" for each in rooms)
    within = tuple(f"{each}." for each in inside)
    found = {each for each in used(TESTS / name) if each not in inside}
    return {each for each in found if not each.startswith(within) and not is_public(each)}


def test_tests_use_what_is_public_and_what_is_in_their_own_room():
    found = {name: private_names(name) for name in FILES_OF_TESTS}
    assert {name: names for name, names in found.items() if names} == {}


def test_what_a_test_uses_is_seen_however_it_is_named(tmp_path):
    path = tmp_path / "test_something.py"
    path.write_text(
        "import twobone\n"
        "from twobone import creature as animals\n"
        "from twobone.core.engine import KERNEL\n"
        "def test(monkeypatch):\n"
        "    twobone.solve(animals.walk('dog'), animals.gaits.wave(0.5), twobone.pose._secret)\n"
        "    monkeypatch.setattr('twobone.files.rows.BLOCK', 7)\n"
    )
    public = {"creature", "creature.walk", "pose", "solve"}
    private = {"core.engine.KERNEL", "creature.gaits", "creature.gaits.wave", "pose._secret"}
    private |= {"files.rows.BLOCK"}
    assert used(path) == {f"twobone.{name}" for name in public | private}
    assert {name for name in used(path) if is_public(name)} == {f"twobone.{n}" for n in public}
    assert is_public("twobone.Limb.reach")
    assert is_public("twobone.creature.measures.slide")


def test_every_room_is_known():
    assert all(
        (SOURCE / room / "__init__.py").exists() for room in ROOMS if (SOURCE / room).is_dir()
    )
    doors = {"__init__", "__main__"}
    assert {room(path) for path in modules()} <= {*ROOMS, *doors}


@pytest.mark.parametrize("name", PURE)
def test_the_formula_is_written_in_the_tiny_language(name):
    """Assignments and one return; arithmetic, comparisons, `xp.sqrt`, `xp.where`, `xp.constant`."""
    path = SOURCE / name
    outside = {"typing.Any", "typing.NamedTuple", "typing.TypeAlias"}
    outside |= {"collections.abc.Callable", "collections.abc.Sequence"}
    pure = {"twobone." + pure.removesuffix(".py").replace("/", ".") for pure in PURE}
    for found in set(imported(path)) - outside:
        assert found in pure or found.rpartition(".")[0] in pure, found
    banned = (ast.If, ast.While, ast.Try, ast.With, ast.Lambda, ast.Raise, ast.Assert, ast.Global)
    for node in ast.walk(tree(path)):
        assert not isinstance(node, banned) or is_choice_of_space(node) or is_shortcut(node), (
            ast.dump(node)
        )
        if isinstance(node, ast.BinOp):
            operators = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.BitAnd, ast.BitOr, ast.Pow)
            assert isinstance(node.op, operators)
            if isinstance(node.op, ast.Pow):
                assert isinstance(node.left, ast.Constant), "powers of constants only"
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "xp":
            allowed = ("sqrt", "where", "constant", "none")
            assert node.attr in (*allowed, *(["xp"] if name == ANGLES else []))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "xp.xp":
            assert node.attr in ("sin", "cos", "atan2")


def is_choice_of_space(node):
    """Say whether this is `if not pole`: the one choice, made by shape, between plane and space."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "not pole"


def is_shortcut(node):
    """Say whether this leaves out what no row needs, where the library can tell."""
    return isinstance(node, ast.If) and ast.unparse(node.test).startswith("not xp.none(")


@pytest.mark.parametrize("name", PURE)
def test_each_function_of_the_formula_returns_once(name):
    for node in ast.walk(tree(SOURCE / name)):
        if isinstance(node, ast.FunctionDef):
            returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)]
            choices = [n for n in ast.walk(node) if is_choice_of_space(n)]
            assert len(returns) == 1 + len(choices), node.name


def test_nobody_but_arrays_and_one_module_of_each_library_knows_which_there_are():
    libraries = {"torch", "jax", "dask", "cupy", "array_api_compat"}
    for path in modules():
        if path.parent.name == "core" and path.name in LIBRARY_MODULES:
            continue
        own = path.stem.removeprefix("for_")
        for name in imported(path):
            assert name.partition(".")[0] not in libraries - {own}, path.name


@pytest.mark.parametrize(
    "door",
    [twobone, twobone.motion, twobone.play, twobone.pose, twobone.robots, twobone.rotations],
    ids=lambda door: door.__name__,
)
def test_public_names_are_sorted_documented_and_all_there_is(door):
    names = door.__all__
    assert names == sorted(names)
    public = {name for name in vars(door) if not name.startswith("_")}
    assert {name for name in public if not inspect.ismodule(getattr(door, name))} <= set(names)
    for name in names:
        thing = getattr(door, name)
        is_type_alias = typing.get_origin(thing) is not None  # Python gives it no docstring
        assert is_type_alias or inspect.getdoc(thing), name
        if inspect.isfunction(thing):
            assert ">>>" in thing.__doc__, f"{name} shows no example"
            assert "Returns" in thing.__doc__, name
            for parameter in inspect.signature(thing).parameters:
                assert re.search(rf"\b{parameter}\b", thing.__doc__), f"{name}: {parameter}"


@pytest.mark.parametrize("room", ["creature", "motion", "pose", "robots", "rotations"])
def test_the_doors_hold_names_and_nothing_else(room):
    allowed = (ast.ImportFrom, ast.Assign, ast.Expr)
    assert all(isinstance(node, allowed) for node in tree(SOURCE / room / "__init__.py").body)


def test_the_front_door_opens_no_room_until_it_is_asked_for():
    rooms = {name.split(".")[1] for name in loaded_by("import twobone") if "twobone." in name}
    assert rooms == {"core", "errors", "starting"}


def test_type_checkers_see_the_names_of_the_front_door_that_there_are_at_run_time():
    """They read imports that no program runs; at run time a function finds those names."""
    seen = {}
    for node in ast.walk(tree(SOURCE / "__init__.py")):
        if isinstance(node, ast.ImportFrom):
            seen |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
    assert set(twobone.__all__) <= set(seen)
    for name, (module, original) in seen.items():
        found, wanted = getattr(twobone, name), getattr(importlib.import_module(module), original)
        # `twobone.play` is the room, and calls the function of its name.
        assert found is wanted or getattr(found, name, None) is wanted, name


def test_no_room_has_a_name_that_says_nothing():
    for path in SOURCE.rglob("*"):
        if "vendor" in path.parts:  # libraries name their files themselves
            continue
        assert path.stem not in ("utils", "helpers", "common", "base", "manager", "misc")


def loaded_by(statement):
    """Return the modules that a fresh Python has after a statement."""
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_is_light():
    extra = loaded_by("import twobone") - loaded_by("import numpy")
    heavy = {
        "torch",
        "jax",
        "scipy",
        "array_api_compat",
        "dask",
        "click",
        "rich_click",
        "rich",
        "sympy",
        "websockets",
    }
    assert not heavy & {name.partition(".")[0] for name in extra}
    own = {name for name in extra if name.startswith("twobone")}
    assert len(extra - own) <= 4, sorted(extra - own)


@pytest.mark.parametrize(
    "name", ["play.export", "pose.Limb", "robots.read_urdf", "rotations.slerp"]
)
def test_a_room_is_there_when_it_is_first_asked_for(name):
    loaded_by(f"import twobone; twobone.{name}")


def test_solving_numpy_arrays_loads_no_other_library():
    loaded = loaded_by("import twobone; twobone.solve([1.0, 1.0], 1.0, 1.0)")
    assert not {"torch", "jax", "scipy", "array_api_compat", "dask"} & loaded


def test_the_version_is_the_one_in_the_changelog():
    changelog = PROJECT / "CHANGELOG.md"
    if not changelog.exists():
        pytest.skip("only an installed package, no project around it")
    assert f"## {twobone.__version__}" in changelog.read_text(encoding="utf-8")


def test_the_licences_of_all_that_is_vendored_are_in_the_metadata():
    configuration = PROJECT / "pyproject.toml"
    if not configuration.exists():
        pytest.skip("only an installed package, no project around it")
    patterns = tomllib.loads(configuration.read_text(encoding="utf-8"))["project"]["license-files"]
    listed = {path for pattern in patterns for path in PROJECT.glob(pattern)}
    vendored = [each for each in (PROJECT / "src").rglob("vendor/*") if each.is_dir()]
    assert {each.name for each in vendored} >= {"three", "xla"}
    assert {each / "LICENSE" for each in vendored} <= listed


def test_what_was_not_tested_is_told_in_two_lines():
    reasons = ["Skipped: torch is not installed", conftest.SLOW, "Skipped: no root"]
    first, second = conftest.not_tested(reasons).splitlines()
    assert first == "Not tested: 1 slow; without PyTorch 1; for other reasons 1."
    assert second.startswith("`pytest --skipped` runs these")
    found = conftest.not_tested(["jax.jit is not installed"] * 2)
    assert found.startswith("Not tested: without JAX 2.\n")


LEFT_OUT = """
import pytest
@pytest.mark.slow
def test_of_a_minute(): pass
def test_of_a_moment(): pass
@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", range(4))
def test_of_cases(case): pass
@pytest.mark.slow
@pytest.mark.sampled(2, "nightly")
@pytest.mark.parametrize("case", range(4))
def test_of_nights(case): pass
@pytest.mark.parametrize("library", ["jax"])
def test_of_a_library(library): pass
def test_without_a_root(): pytest.skip("no root")
"""
SAMPLED = """
import pytest
pytestmark = pytest.mark.sampled(2)
def test_first(): pass
def test_second(): pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_is_slow_or_misses_a_package_is_left_out_and_run_when_asked_for(tmp_path, workers):
    (tmp_path / "test_these.py").write_text(LEFT_OUT)
    (tmp_path / "test_those.py").write_text(SAMPLED)
    for path in ("conftest.py", "engines.py"):
        (tmp_path / path).write_text((PROJECT / "tests" / path).read_text("utf-8"), "utf-8")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n  slow: takes long\n  nightly: takes longer\n"
        "  sampled(n): so do most cases\n"
    )
    (tmp_path / "hide.py").write_text("import sys\nsys.modules['jax'] = None\n")

    def run(*options):
        command = [sys.executable, "-m", "pytest", "-q", "-n", workers, *options]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
        return done.stdout.splitlines()

    hidden = ["-p", "hide"]
    *_, first, second, counts = run(*hidden)
    assert first == "Not tested: 6 slow; without JAX 1; for other reasons 1; 2 nightly."
    assert "--skipped" in second
    assert counts.startswith("4 passed, 1 skipped")  # xdist counts no others
    if workers == "2":
        return
    *_, first, second, counts = run("--skipped", *hidden)
    assert first == "Not tested: without JAX 1; for other reasons 1; 2 nightly."
    assert counts.startswith("6 passed, 1 skipped")
    *_, first, second, counts = run("--slow", *hidden)
    assert counts.startswith("10 passed, 1 skipped")
    assert run("--nightly", *hidden)[-1].startswith("2 passed")
