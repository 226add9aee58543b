"""The constants of the page's walker are those of the Python module with the same name."""

import importlib
import re

import numpy as np
import pytest

from node_scripts import PAGE

TWINS = {
    "arguments": "terrain.arguments",
    "elementary": "core.elementary",
    "ground": "terrain.landforms",
}
ALONE = ("random", "types")  # what NumPy does, and types
# Words, a number in the middle of a line of Python, and what each computes from other constants in
# an order or to a last bit of its own.
OWN = {"BORDER", "EIGHT", "FRACTIONS", "GLIDE", "GLIDES", "KINDS", "NEARER", "PARTS"}
# A constant in capitals, the first of a declaration or a later one, as prettier writes them.
DECLARED = re.compile(r"^(?:(?:export )?(?:const|let) |  )([A-Z][A-Z0-9_]*) =", re.MULTILINE)
MODULES = [path.stem for path in sorted(PAGE.glob("walker/*.js")) if path.stem not in ALONE]


def constants(module, modules):
    """Return the values of all that a module of the page declares in capitals, exported or not."""
    code = modules.text(f"walker/{module}")
    names = ", ".join(sorted(set(DECLARED.findall(code))))
    modules.add(f"walker/all_of_{module}", f"{code}\nexport const CONSTANTS = {{ {names} }};")
    return modules({f"walker/all_of_{module}": "CONSTANTS"}, "CONSTANTS")


@pytest.mark.parametrize("module", MODULES)
def test_constants_are_those_of_the_twin(module, modules):
    twin = importlib.import_module(f"twobone.{TWINS.get(module, f'creature.{module}')}")
    for name, value in constants(module, modules).items():
        if name not in OWN:
            assert np.array_equal(numbers(value), numbers(getattr(twin, name))), name


def numbers(value):
    array = np.array([*value.values()] if isinstance(value, dict) else value)
    pairs = np.stack([array.real, array.imag], -1) if array.dtype.kind == "c" else array
    return pairs.astype(np.float64).ravel()


def test_they_are_found(modules):
    names = {name for module in MODULES for name in constants(module, modules)}
    assert len(names) > 120
    assert names > OWN | {"AGILE", "STRAY", "LEAVES", "JUMP", "CREST", "COSINE", "GLANCES", "PLACE"}
