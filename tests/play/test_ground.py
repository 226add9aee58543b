"""Ground of the page: a seed gives the hills of Python, and heights have its bits."""

import numpy as np
import pytest

from twobone import creature
from twobone.terrain.ground import Flat, HeightArray, Noise, Slope, Steps

HEIGHTS = np.random.default_rng(3).uniform(-0.3, 0.3, (40, 30))
GROUNDS = [
    *(Flat(0.3), Slope(12.0), Steps(0.2, 1.1), Noise(0.25, 1.9, seed=5)),
    *(HeightArray(HEIGHTS, 1.7, (-25.0, -40.0)), HeightArray(HEIGHTS[:1], 0.4)),
]
NAN, INFINITE = float("nan"), float("inf")


@pytest.fixture
def answer(modules):
    """Return a function that runs JavaScript: an expression of `given`."""

    def run(names, expression, **given):
        return modules(
            {f"scenes/creature/{name}": parts for name, parts in names.items()}, expression, given
        )

    return run


def test_seeds_give_the_random_numbers_of_numpy(answer):
    seeds = [*range(40), 2**31, 2**32 - 1, 2**32, 123456789012345, 2**53 - 1]
    found = answer(
        {"random": "generator"},
        """given.seeds.map((seed) => {
             const draw = generator(seed), order = draw.permutation(24), odd = draw.permutation(3);
             const list = (value) => Array.from({ length: 24 }, value);
             return [order, odd, list(draw.random), list(() => draw.uniform(-2, Math.PI))];
           })""",
        seeds=seeds,
    )
    for seed, values in zip(seeds, found, strict=True):
        draw = np.random.default_rng(seed)
        wanted = draw.permutation(24), draw.permutation(3), draw.random(24)
        for each, other in zip(values, (*wanted, draw.uniform(-2.0, np.pi, 24)), strict=True):
            assert each == other.tolist(), seed


def test_grounds_of_a_formula_have_the_same_heights(answer):
    draw = np.random.default_rng(1)
    places = np.concatenate(
        [draw.uniform(-50.0, 50.0, (200, 2)), draw.integers(-9, 9, (50, 2)), [[0.55, 0.55]]]
    )
    found = answer(
        {"ground": "makeGround"},
        """given.formulas.map(makeGround)
             .map((ground) => given.places.map(([x, z]) => ground.height(x, z)))""",
        formulas=[ground.formula() for ground in GROUNDS],
        places=places,
    )
    for ground, heights in zip(GROUNDS, found, strict=True):
        assert heights == ground.height(*places.T).tolist(), ground


def test_grounds_for_an_animal_are_those_of_python(answer):
    kinds = ["flat", "slope", "steps", 0.0, 0.05, 0.15, 0.25]
    seeds = [*range(10), 4_000_000_000]
    found = answer(
        {"ground": "makeTerrain"},
        """given.kinds.map((kind) =>
             given.seeds.map((seed) => makeTerrain(kind, given.length, seed).formula))""",
        kinds=kinds,
        seeds=seeds,
        length=creature.animal("dog").length,
    )
    for kind, row in zip(kinds, found, strict=True):
        for seed, each in zip(seeds, row, strict=True):
            wanted = creature.make_terrain(kind, "dog", seed=seed).formula()
            assert each.pop("kind") == wanted.pop("kind")
            assert each == wanted


REFUSED = """given.calls.map(([name, ...all]) => {
  try {
    ({ makeGround, makeTerrain })[name](...all);
    return "";
  } catch (error) {
    return error instanceof CreatureError ? error.message : error.stack;
  }
})"""


def test_ground_that_is_none_is_refused(answer):
    array = HeightArray([[0.0, 1.0]], 1.0).formula()
    refused = {
        "`rms` must be finite, got NaN or infinity.": ("makeTerrain", NAN, 1.0),
        "`seed` must be a whole number, got Infinity.": ("makeTerrain", 0.1, 1.0, INFINITE),
        "`seed` must be at least 0, got -3.": ("makeTerrain", 0.1, 1.0, -3),
        "`level` must be finite, got NaN or infinity.": (
            "makeGround",
            {"kind": "flat", "level": NAN},
        ),
        "`rise` must be at most 1e+09, got 2000000000.": (
            "makeGround",
            {"kind": "slope", "rise": [0, 2e9]},
        ),
        "`heights` must be finite, got NaN or infinity.": (
            "makeGround",
            array | {"heights": [[0.0, NAN]]},
        ),
        "`kind` must be one of flat, slope, steps, noise, array, got lake.": (
            "makeGround",
            {"kind": "lake"},
        ),
    }
    names = {"ground": "makeGround, makeTerrain", "arguments": "CreatureError"}
    assert answer(names, REFUSED, calls=[*refused.values()]) == [*refused]
