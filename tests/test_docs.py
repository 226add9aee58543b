"""The documents hold: their examples run, their pictures are fresh, the files they name exist."""

import ast
import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import twobone
import twobone.robots
import twobone.rotations
from slow import all_but
from twobone import creature

ALIASES = {  # of types, and a mapping: the functions that take them tell of them
    f"twobone.creature.{name}"
    for name in ("ANIMALS", "AnimalName", "GAITS", "GaitName", "Ground", "TerrainName", "Recording")
}
WITH_EXAMPLES = [
    f"docs/{name}.md" for name in ("derivation", "policies", "limbs", "robots", "walking")
]
BUILT = "_static/live.html"  # by docs/conf.py
PROJECT = Path(__file__).parents[1]
PAGES = sorted(
    page
    for page in [*PROJECT.glob("README.md"), *PROJECT.glob("docs/**/*.md")]
    if "generated" not in page.parts
)
OPTIONS = doctest.ELLIPSIS

QUICK = [page for page in PAGES if page.name not in ("walking.md", "animals.md")]
pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: name_of(page))


def name_of(page):
    """Return the path of a page inside the project."""
    return page.relative_to(PROJECT).as_posix()


def python_blocks(page):
    """Return the sessions of a page as one text, with lines where they stand on the page."""
    kept, inside, session = [], False, False
    for line in page.read_text(encoding="utf-8").splitlines():
        fence = line.startswith("```")
        if fence:
            inside, session = line.startswith("```python"), False
        session = session or (inside and line.startswith(">>>"))
        kept.append("" if fence or not session else line)
    return "\n".join(kept) + "\n"


def run(text, name, **names):
    """Run a session; return how many examples there were and what went wrong."""
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    said = []
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.append)
    return result.attempted, "".join(said)


@pytest.mark.parametrize("page", all_but(PAGES, *QUICK), ids=lambda page: name_of(page))
def test_the_examples_of_a_page_run(page):
    attempted, said = run(python_blocks(page), page.name)
    assert not said, said
    assert attempted >= (8 if name_of(page) in WITH_EXAMPLES else 0)


def test_a_wrong_example_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("text\n```python\n>>> 1 + 1\n3\n```\n```python\nnot a session\n```\n")
    attempted, said = run(python_blocks(page), "page")
    assert attempted == 1
    assert "Expected:\n    3" in said


def modules():
    found = pkgutil.walk_packages(twobone.__path__, "twobone.")
    return ["twobone", *(module.name for module in found if module.name != "twobone.__main__")]


@pytest.mark.parametrize("name", modules())
def test_the_examples_of_a_module_run(name, state_home):
    try:
        module = importlib.import_module(name)
    except ImportError as missing:
        pytest.skip(f"{missing.name} is not installed")
    if module.__file__.endswith(".py") and ">>>" not in inspect.getsource(module):
        return  # to look for examples takes longer than all else
    finder = doctest.DocTestFinder(exclude_empty=True)
    for test in finder.find(module):
        said = []
        doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.append)
        assert not said, "".join(said)


# --- what pages point at ------------------------------------------------------------------

NAMED = re.compile(
    r"(?<![\w/:.-])((?:\.{1,2}/|\.?[\w-]+/)(?:[\w.-]+/)*[\w.-]+\.[a-z]{1,5})(?![\w/])"
)


SOURCES = [PROJECT / "src" / "twobone" / folder for folder in ("", "play", "play/page")]


def named_files(text):
    """Return what looks like `path/to/file.ext`, but for addresses of the web."""
    text = re.sub(r"https?://\S+|\b(?:[\w-]+\.)+(?:org|com|io|net)/\S+", "", text)
    return sorted(set(NAMED.findall(text)))


@pages
def test_every_file_a_page_names_exists(page):
    missing = [
        name
        for name in named_files(page.read_text(encoding="utf-8"))
        if not any((place / name).exists() for place in (PROJECT, page.parent, *SOURCES))
    ]
    assert not set(missing) - {BUILT}


def test_every_public_name_and_every_example_has_its_place():
    reference = "".join(
        page.read_text(encoding="utf-8") for page in PAGES if page.parent.name == "reference"
    )
    names = {f"twobone.{name}" for name in twobone.__all__} - {"twobone.play", "twobone.Page"}
    names |= {f"twobone.rotations.{name}" for name in twobone.rotations.__all__}
    names |= {f"twobone.robots.{name}" for name in twobone.robots.__all__}
    names |= {f"twobone.creature.{name}" for name in creature.__all__} - ALIASES
    missing = {name for name in names if f"   {name}\n" not in reference}
    assert not missing - {"twobone.Unreachable"}  # a type alias: policies.md tells of it
    listed = (PROJECT / "docs" / "examples.md").read_text(encoding="utf-8")
    assert not [path.name for path in PROJECT.glob("examples/*.py") if path.name not in listed]


def test_the_list_of_modules_is_fresh(monkeypatch):
    monkeypatch.syspath_prepend(PROJECT / "docs")
    script = importlib.import_module("first_lines")
    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run docs/first_lines.py"


def test_names_of_files_are_found_in_text():
    text = "see `src/a/b.py`, [it](pictures/c.svg) and https://x.org/d/e.html, x.org/f/g.html"
    assert named_files(text) == ["pictures/c.svg", "src/a/b.py"]


@pages
def test_every_link_to_a_page_of_ours_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / link).exists(), link


def test_every_function_of_the_table_stands_where_it_says():
    text = (PROJECT / "docs" / "derivation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\| `([\w/.]+)` \| `(\w+)` \|$", text, flags=re.MULTILINE)
    assert len(rows) > 10
    for path, function in rows:
        tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert function in names, f"{path} has no {function}"


# --- pictures -----------------------------------------------------------------------------


def made_pictures():
    spec = importlib.util.spec_from_file_location(
        "make_pictures", PROJECT / "docs/make_pictures.py"
    )
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.pictures()


@pytest.mark.slow
def test_the_pictures_are_those_that_the_script_makes():
    made = made_pictures()
    kept = {path.name: path for path in (PROJECT / "docs" / "pictures").glob("*.svg")}
    assert set(made) == set(kept)
    stale = [name for name, text in made.items() if kept[name].read_bytes() != text.encode()]
    assert not stale, "run docs/make_pictures.py"


def test_pictures_are_small():
    sizes = {path.name: path.stat().st_size for path in (PROJECT / "docs/pictures").glob("*.svg")}
    assert max(sizes.values()) < 90_000, sizes


def test_every_picture_is_shown():
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    pictures = {path.name for path in (PROJECT / "docs" / "pictures").glob("*.svg")}
    unseen = {name for name in pictures if f"pictures/{name}" not in texts}
    assert not unseen - {"whole.svg"}  # that one is README's


def test_every_field_of_what_creatures_return_is_described_beside_it():
    """The reference shows these comments, each with a capital letter, which no unit may get."""
    for name in creature.__all__:
        thing = getattr(creature, name)
        if hasattr(thing, "_fields"):
            source = inspect.getsource(thing)
            for field in thing._fields:
                found = re.search(rf"^    {field}: .*?  # (.*)$", source, re.MULTILINE)
                assert found, f"{name}.{field}"
                assert not re.match(r"(?:m|s|mm|rad|eps|m/s)\b", found[1]), found
