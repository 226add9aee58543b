"""Bounds on long walks: ten at a time, flat and rough, with turning and changes of speed.

`tools/walk_bounds.py`, run by hand, walks all of them for a minute.
"""

import numpy as np
import pytest

import walk_bounds
from slow import slow
from twobone import creature
from twobone.creature import animals
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


@pytest.mark.parametrize(
    ("name", "figure", "seed", "seconds"),
    slow(
        # Feet stood on behind a crest, or under the body, while the body went on.
        ("insect", "depth_of_shins", 661050, 11),
        ("centipede", "knees_inside", 661050, 14),
        ("centipede", "knee_plane_rotation", 310010, 7),
    ),
)
def test_legs_on_steep_hills_that_once_met_the_ground_or_the_body(name, figure, seed, seconds):
    ten = walk_bounds.walk_ten(creature.animal(name), walk_bounds.STEEP, seconds, seed)
    worse, bound = walk_bounds.BOUNDS[figure]
    assert worse(walk_bounds.figures(*walk)[figure] for walk in ten) <= bound


@pytest.mark.parametrize("name", slow(*creature.ANIMALS))
def test_slow_walks_go_on_over_hills(name):
    """At a tenth of full speed: steps are short, and still every foot gets over the ground."""
    animal = creature.animal(name)
    length, share, dt = animals.length(animal), 0.1, 1 / 30
    walker = walk_bounds.ten_walkers(animal, 0.25, seed=700)
    begin, blocked = walker.place, np.zeros(walk_bounds.COUNT)
    seconds = 2.0 * length / (share * animal.speed)
    for _ in range(round(seconds / dt)):
        walker.step(dt, share * animal.speed)
        blocked += dt * walker.blocked
    way = np.linalg.norm(walker.place - begin, axis=1)
    assert np.median(way) > 0.8 * 2.0 * length
    # One may come to a hole in which its foot finds no ground, and stop.
    assert np.sort(way)[1] > 0.5 * 2.0 * length
    assert np.sort(blocked)[-2] < 3.0
