"""Bounds on long walks: ten at a time, flat and rough, with turning and changes of speed.

`tests/walk_bounds.py`, run by hand, walks all of them for a minute.
"""

import pytest

import walk_bounds
from slow import slow
from walk_bounds import CASES

SECONDS = 8
LONG = ("insect", "dog")  # walk longer where it is rough


def all_walks():
    for name, case in CASES.items():
        for roughness in case.grounds:
            yield name, roughness, 20 if roughness and name in LONG else SECONDS


@pytest.mark.parametrize(
    ("name", "roughness", "seconds"),
    slow(*all_walks()),
)
def test_walks_hold_their_bounds(name, roughness, seconds):
    ten = walk_bounds.walk_ten(CASES[name].animal, roughness, seconds)
    wrong = [walk_bounds.broken(CASES[name], walk_bounds.figures(*walk)) for walk in ten]
    assert wrong == [{}] * walk_bounds.COUNT


def test_bounds_that_are_broken_are_named():
    case = CASES["insect"]
    walk, ground = next(walk_bounds.walk_ten(case.animal, 0.0, 1.0))
    walk.feet[-20:] += 1e-3
    found = walk_bounds.broken(case, walk_bounds.figures(walk, ground))
    assert {"slide", "bone_error"} < set(found)
    assert found["slide"] == (pytest.approx(3**0.5 * 1e-3), 0.0)
