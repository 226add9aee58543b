"""What type checkers say: scripts that must pass, and scripts that must fail where they say so.

Each line of a script that ends in `# error` must be reported by mypy and by pyright, and no other
line may be. Examples and documents must pass mypy too, but for functions without annotations.
Each checker runs once, which takes it up to a minute.
"""

import ast
import collections
import doctest
import importlib.util
import inspect
import json
import os
import re
import site
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import twobone
import twobone.play
import twobone.pose
from twobone import creature
from twobone.files import recordings
from twobone.film import encoder
from twobone.pictures import model, svg, walking

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
SCRIPTS = sorted([*HERE.glob("passes_*.py"), *HERE.glob("fails_*.py")])
LIBRARIES = {"torch": ("torch",), "jax": ("jax",), "dask": ("dask", "array_api_strict")}


def missing(script):
    """Return the libraries that a script needs and that are not installed."""
    needed = LIBRARIES.get(script.stem.partition("_")[2], ())
    return [name for name in needed if not importlib.util.find_spec(name)]


def marked(script):
    """Return the lines of a script that must be reported."""
    lines = script.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# error")}


def run(checker, *options, **environment):
    """Return what a checker prints of all scripts; skip where there is no such checker."""
    if not importlib.util.find_spec(checker):
        pytest.skip(f"{checker} is not installed")
    command = [sys.executable, "-m", checker, *options]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, cwd=HERE
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def where_twobone_is():
    """Return the variable that tells a checker of a package beside the installed ones."""
    folder = str(Path(twobone.__file__).parents[1])
    return "" if folder in site.getsitepackages() else folder


def by_mypy(files, cache):
    """Return what mypy reports: messages by file and line."""
    options = ["--strict", "--config-file=", "--follow-imports=silent", "--output=json"]
    options += [f"--cache-dir={cache}", *map(str, files)]
    found = collections.defaultdict(list)
    for line in run("mypy", *options, MYPYPATH=where_twobone_is()).splitlines():
        said = json.loads(line)
        if said["severity"] == "error":
            found[HERE / said["file"], said["line"]].append(said["message"])
    return found


def by_pyright(files):
    """Return what pyright reports: messages by file and line."""
    options = ["--outputjson", "--pythonpath", sys.executable, *map(str, files)]
    found = collections.defaultdict(list)
    paths = os.pathsep.join(filter(None, [where_twobone_is(), os.environ.get("PYTHONPATH")]))
    for said in json.loads(run("pyright", *options, PYTHONPATH=paths))["generalDiagnostics"]:
        if said["severity"] == "error":
            found[Path(said["file"]), said["range"]["start"]["line"] + 1].append(said["message"])
    return found


def differences(files, found):
    """Return what a checker reports and should not, and what it should report and does not."""
    wanted = {(file, line) for file in files for line in marked(file)}
    extra = [f"{file.name}:{line}: {found[file, line]}" for file, line in set(found) - wanted]
    silent = [f"{file.name}:{line}: not reported" for file, line in wanted - set(found)]
    return sorted(extra + silent)


def present():
    return [script for script in SCRIPTS if not missing(script)]


def test_mypy_reports_the_lines_that_are_marked_and_no_others(pytestconfig, tmp_path):
    kept = getattr(pytestconfig, "cache", None)  # there is none with `-p no:cacheprovider`
    files = [*present(), *documents(tmp_path)]
    found = by_mypy(files, kept.mkdir("mypy") if kept else tmp_path)
    assert not differences(files, found)


def test_pyright_reports_the_lines_that_are_marked_and_no_others():
    assert not differences(present(), by_pyright(present()))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_says_what_it_checks(script):
    if missing(script):
        pytest.skip(f"{missing(script)[0]} is not installed")
    tree = ast.parse(script.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    count = len(marked(script))
    assert count == 0 if script.stem.startswith("passes") else count > 10


# --- examples and documents ---------------------------------------------------------------

# MuJoCo, which an example needs, has no types.
LENIENT = "# mypy: allow-untyped-defs, allow-untyped-calls, allow-redefinition\n"
LENIENT += '# mypy: disable-error-code="import-untyped"\n'


def documents(folder):
    """Write examples and the sessions of documents as scripts; return their paths."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in PROJECT.glob("examples/*.py")}
    texts = {name: text for name, text in texts.items() if not missing_of(text)}
    for page in [*PROJECT.glob("README.md"), *PROJECT.glob("docs/*.md")]:
        texts[page.stem] = session(page.read_text(encoding="utf-8"))
    paths = []
    for name, text in texts.items():
        paths.append(folder / f"document_{name}.py")
        paths[-1].write_text(LENIENT + text, encoding="utf-8")
    return paths


def missing_of(text):
    """Return the libraries that an example imports and that are not installed."""
    names = set(re.findall(r"^ *import (\w+)", text, flags=re.MULTILINE))
    return [name for name in names if not importlib.util.find_spec(name)]


def session(text):
    """Return the examples of a page as one script, but for those that raise."""
    text = re.sub(r"^```.*$", "", text, flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_examples(text)
    return "".join(example.source for example in examples if not example.exc_msg)


# --- without a checker --------------------------------------------------------------------


def public():
    """Return public functions and classes, by name."""
    for room in (twobone, twobone.pose, twobone.play, creature, svg):
        for name in room.__all__:
            yield f"{room.__name__}.{name}", getattr(room, name)
    for function in (
        recordings.read_recording,
        recordings.write_recording,
        model.write_glb,
        walking.write_svg,
        encoder.write_mp4,
    ):
        yield f"{function.__module__}.{function.__name__}", function


def functions():
    """Return public functions and methods of public classes, by name."""
    for name, thing in public():
        if inspect.isclass(thing):
            for part, method in vars(thing).items():
                if inspect.isfunction(method) and (part == "__init__" or part[0] != "_"):
                    yield f"{name}.{part}", method
        elif inspect.isfunction(thing):
            yield name, thing


FUNCTIONS = {function: name for name, function in functions()}
each_function = pytest.mark.parametrize(
    "function", FUNCTIONS, ids=lambda function: FUNCTIONS[function]
)


@each_function
def test_annotations_are_complete_and_can_be_resolved(function):
    parameters = set(inspect.signature(function).parameters) - {"self"}
    assert typing.get_type_hints(function).keys() == {*parameters, "return"}


@each_function
def test_overloads_have_the_parameters_and_defaults_of_the_function(function):
    real = inspect.signature(function).parameters
    for overload in typing.get_overloads(function):
        said = dict(inspect.signature(overload).parameters)
        for name in [n for n, each in said.items() if each.kind is each.VAR_KEYWORD]:
            del said[name]  # options that a TypedDict lists
            [listed] = typing.get_args(typing.get_type_hints(overload)[name])
            options = {n: each for n, each in real.items() if each.kind is each.KEYWORD_ONLY}
            assert listed.__annotations__.keys() == options.keys()
        assert set(said) <= set(real)
        for parameter, there in said.items():
            assert there.kind == real[parameter].kind
            needed = there.default is inspect.Parameter.empty
            assert needed or there.default == real[parameter].default
        left_out = [parameter for parameter in real if parameter not in said]
        assert all(real[name].default is not inspect.Parameter.empty for name in left_out)


def test_the_package_says_that_it_has_types():
    assert (Path(twobone.__file__).parent / "py.typed").exists()


def test_results_are_plain_named_tuples_though_checkers_take_parameters():
    """What walks trees of arrays may flatten only named tuples whose sole base is `tuple`."""
    for _, thing in public():
        # An animal is no result: it checks what it is made of, which takes a class of its own.
        if inspect.isclass(thing) and issubclass(thing, tuple) and thing is not creature.Animal:
            assert thing.__bases__ == (tuple,)
    assert twobone.Reach[int, int]


def layers():
    """Return the words for layers of a diagram."""
    word, _ = typing.get_args(typing.get_type_hints(svg.diagram)["show"])
    return typing.get_args(word)


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (
            typing.get_args(typing.get_args(twobone.Unreachable)[0]),
            lambda: twobone.solve([1.0, 0.0], 1.0, 1.0, unreachable="no such word"),  # type: ignore
        ),
        (
            typing.get_args(creature.AnimalName),
            lambda: creature.animal("no such word"),  # type: ignore
        ),
        (layers(), lambda: svg.diagram([1.0, 0.0], 1.0, 1.0, show="no such word")),  # type: ignore
    ],
    ids=["policies", "animals", "layers"],
)
def test_the_words_of_a_type_are_those_that_are_known(words, known):
    """An error lists what is known."""
    with pytest.raises(twobone.TwoBoneError) as caught:
        known()
    assert ", ".join(words) in str(caught.value).replace('"', "")


@pytest.mark.parametrize("word", typing.get_args(creature.TerrainName))
def test_each_word_for_a_terrain_makes_one(word):
    assert abs(creature.make_terrain(word).height(0.0, 0.0)) < 2.0
