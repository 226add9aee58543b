"""The house: imports go one way, the formula is pure, public names are sorted and documented."""

import ast
import functools
import inspect
import re
import subprocess
import sys
import tomllib
import typing
from pathlib import Path

import pytest

import conftest
import flip_signs
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
    "core/vectors.py",
    "rotations/quaternions.py",
    "rotations/frames.py",
    "rotations/angles.py",
]
LIBRARY_MODULES = ("arrays.py", "for_accelerators.py", "torch_programs.py", "torch_graphs.py")
ANGLES = "rotations/angles.py"  # the only one of them that knows sines
PROJECT = Path(__file__).parents[1]


def modules():
    return sorted(SOURCE.rglob("*.py"))


@functools.cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def room(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path):
    """Return the names of all modules that a file imports, anywhere in it."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_one_way(path):
    if path.name in ("__init__.py", "__main__.py") and path.parent == SOURCE:
        return  # the doors: they lead everywhere
    for name in imported(path):
        top, _, rest = name.partition(".")
        if top == "twobone" and rest:
            target = rest.split(".")[0]
            if target in ROOMS:
                assert ROOMS.index(target) <= ROOMS.index(room(path)), f"{path} imports {name}"


def test_every_flip_is_of_what_stands_in_the_source():
    for path, old, _ in flip_signs.CORE + flip_signs.POSE + flip_signs.CREATURE + flip_signs.ROBOTS:
        assert old in (SOURCE / path).read_text(encoding="utf-8"), f"{path}: {old}"


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
    allowed = {
        "typing.Any",
        "typing.NamedTuple",
        "twobone.core.exact",
        "twobone.core.exact.Array",
        "twobone.core.exact.Real",
        "twobone.core.formula",
        "twobone.core.formula.dot",
        "twobone.core.scaling",
        "twobone.core.scaling.ReachableRange",
        "twobone.core.scaling.ScaledSolution",
        "twobone.core.vectors",
        "twobone.rotations.quaternions",
    }
    assert set(imported(path)) <= allowed
    banned = (ast.If, ast.While, ast.Try, ast.With, ast.Lambda, ast.Raise, ast.Assert, ast.Global)
    for node in ast.walk(tree(path)):
        assert not isinstance(node, banned) or is_choice_of_space(node), ast.dump(node)
        if isinstance(node, ast.BinOp):
            operators = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.BitAnd, ast.BitOr, ast.Pow)
            assert isinstance(node.op, operators)
            if isinstance(node.op, ast.Pow):
                assert isinstance(node.left, ast.Constant), "powers of constants only"
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "xp":
            assert node.attr in ("sqrt", "where", "constant", *(["xp"] if name == ANGLES else []))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "xp.xp":
            assert node.attr in ("sin", "cos", "atan2")


def is_choice_of_space(node):
    """Say whether this is `if not pole`: the one choice, made by shape, between plane and space."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "not pole"


@pytest.mark.parametrize("name", PURE)
def test_each_function_of_the_formula_returns_once(name):
    for node in ast.walk(tree(SOURCE / name)):
        if isinstance(node, ast.FunctionDef):
            returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)]
            choices = [n for n in ast.walk(node) if isinstance(n, ast.If)]
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


def test_the_doors_hold_names_and_nothing_else():
    allowed = (ast.ImportFrom, ast.Assign, ast.Expr)
    for room in ("motion", "pose", "robots", "rotations"):
        assert all(isinstance(node, allowed) for node in tree(SOURCE / room / "__init__.py").body)
    # The front door opens rooms only when they are asked for: see ARCHITECTURE.md.
    more = [node for node in tree(SOURCE / "__init__.py").body if not isinstance(node, allowed)]
    first, second, names, opener = map(ast.unparse, more)
    assert (first, second) == ("import importlib", "import typing")
    assert names.startswith("if typing.TYPE_CHECKING:\n    from twobone import ")
    assert names.count("\n") == names.count("\n    from twobone") == 7
    assert opener.startswith("if not typing.TYPE_CHECKING:\n\n    def __getattr__(name)")


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
    assert {each.name for each in vendored} >= {"three", "fflate", "xla"}
    assert {each / "LICENSE" for each in vendored} <= listed


def test_what_was_skipped_is_told_in_one_line():
    reasons = ["Skipped: torch is not installed", f"Skipped: {conftest.SLOW}", "Skipped: no root"]
    assert conftest.not_tested(reasons) == (
        "Not tested: 1 slow (`pytest --skipped` runs it); without PyTorch 1; for other reasons 1."
    )
    assert conftest.not_tested(["jax.jit is not installed"] * 2) == "Not tested: without JAX 2."
