"""The constants of the page's walker are those of the Python module with the same name."""

import ast
import importlib
import re

import numpy as np
import pytest

import node_scripts

WALKER = node_scripts.PAGE / "walker"
TWINS = {
    "arguments": "terrain.arguments",
    "elementary": "core.elementary",
    "ground": "terrain.landforms",
}
ALONE = ("random", "types")  # what NumPy does, and types
# Numbers, and lists of numbers.
CONSTANT = re.compile(
    r"(?:const|,) ([A-Z][A-Z0-9_]+) = (\[[-+0-9.e,\s\[\]]*\]|[-+0-9.e]+)(?=;|, [A-Z])"
)
COMPUTED = {"FRACTIONS", "NEARER"}  # grows in a loop; a number in the middle of a line of Python
MODULES = [path.stem for path in sorted(WALKER.glob("*.js")) if path.stem not in ALONE]


def constants(module):
    """Return the names and values of the constants of a module of the page."""
    text = (WALKER / f"{module}.js").read_text(encoding="utf-8")
    found = {name: " ".join(value.split()) for name, value in CONSTANT.findall(text)}
    return {name: ast.literal_eval(value) for name, value in found.items() if name not in COMPUTED}


@pytest.mark.parametrize("module", MODULES)
def test_constants_are_those_of_the_twin(module):
    twin = importlib.import_module(f"twobone.{TWINS.get(module, f'creature.{module}')}")
    for name, value in constants(module).items():
        wanted = np.array(getattr(twin, name), np.float64)
        assert np.array_equal(np.array(value, np.float64), wanted), name


def test_they_are_found():
    names = {name for module in MODULES for name in constants(module)}
    assert len(names) > 90
    assert {"AGILE", "STRAY", "LEAVES", "JUMP", "CREST", "COSINE", "GLANCES", "PLACE"} <= names
