"""The table of animals of the page: what it draws and solves is what Python has."""

import json

import numpy as np
import pytest

from twobone import creature
from twobone.pictures import figure
from twobone.play.animals_table import as_json, camel, entry
from twobone.play.schema import DUTY_FACTORS
from twobone.rotations import rotate


def test_all_animals_are_in_the_table_and_it_is_json(table):
    assert table.keys() == creature.ANIMALS.keys()
    assert json.loads(json.dumps(table, allow_nan=False)) == table


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", creature.ANIMALS)
def test_an_animal_is_described_as_pictures_draw_it(name, table):
    told = table[name]
    drawn = figure.figure_of_animal(creature.animal(name))
    assert len(told["parts"]) == len(drawn.parts)
    for part, own in zip(told["parts"], drawn.parts, strict=True):
        whole = figure.part_in_body(drawn, own)
        assert (part["paint"], part["node"]) == (own.paint, own.node)
        if isinstance(own, creature.Capsule):
            np.testing.assert_allclose(part["start"], whole.start)
            np.testing.assert_allclose(part["end"], whole.end)
            np.testing.assert_allclose(part["radii"], own.radii)
        else:
            np.testing.assert_allclose(part["centre"], whole.centre)
            np.testing.assert_allclose(part["half"], own.half)
            # Rows are the ellipsoid's axes in the body.
            np.testing.assert_allclose(part["axes"], rotate(figure.turn_of(own), np.eye(3)))
    assert told["radii"] == [pytest.approx(each._asdict(), rel=1e-11) for each in drawn.legs]
    assert told["colours"] == {name: list(pair) for name, pair in drawn.colours.items()}
    assert told["length"] == creature.animal(name).length


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", creature.ANIMALS)
def test_an_animal_that_stands_is_in_its_box(name, table):
    told = table[name]
    centre, half = (np.array(told["box"][key]) for key in ("centre", "half"))
    walker = creature.Walker(name)
    state = walker.state
    place = state.stations.mean(axis=0)
    for points in (state.hips, state.knees, state.feet):
        assert np.all(np.abs(points - place - centre) <= half + 1e-9)
    low = np.min(state.feet, axis=0) - place
    assert abs((centre - half)[1] - low[1]) < 0.05 * told["length"]  # it is no larger
    assert abs(centre[0]) < 1e-6


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", creature.ANIMALS)
def test_an_animal_walks_with_the_numbers_of_its_anatomy(name, table):
    """Names are those that printed JavaScript has; nothing else of the anatomy changes."""
    told, animal = table[name]["anatomy"], creature.animal(name)
    for field, value in animal.anatomy._asdict().items():
        found = told[camel(field)]
        if field in ("legs", "gaits", "links"):
            assert [list(each.values()) for each in found] == json.loads(json.dumps(value))
            assert list(found[0]) == [camel(each) for each in value[0]._fields]
        elif field == "manner":
            assert found == {camel(key): each for key, each in value._asdict().items()}
        else:
            assert found == json.loads(json.dumps(value))


def test_top_speeds_are_those_of_python_for_all_duty_factors_of_the_page(table):
    limits = table["dog"]["limits"]
    told = {duty: each["topSpeed"] for duty, each in limits.items()}
    assert list(told) == [f"{duty:g}" for duty in DUTY_FACTORS]
    for duty, speed in told.items():
        dog = creature.animal("dog")
        assert speed == (dog if duty == "0" else dog.with_gait(None, float(duty))).top_speed
    assert told["0.85"] < told["0.5"] < told["0"]


def test_what_the_page_changes_of_an_anatomy_is_what_python_changes(modules):
    """The duty factor, and how much the body moves."""
    dog = creature.animal("dog")
    found = modules(
        {"scenes/creature/animal": "anatomyOf"},
        "given.choices.map(([duty, share]) => anatomyOf(given.entry, duty, share))",
        {"entry": entry(dog), "choices": [(0, 1), (0.75, 1), (0, 0.5)]},
    )
    wanted = dog, dog.with_gait(None, 0.75), dog.with_liveliness(0.5)
    for each, animal in zip(found, wanted, strict=True):
        assert each == json.loads(json.dumps(as_json(animal.anatomy)))
