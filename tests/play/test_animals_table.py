"""The table of animals of the page: what it draws and solves is what Python has."""

import json

import numpy as np
import pytest

from twobone import creature
from twobone.pictures import figure
from twobone.play.animals_table import animals_table
from twobone.rotations import rotate


def test_all_animals_are_in_the_table_and_it_is_json():
    table = animals_table()
    assert table.keys() == creature.ANIMALS.keys()
    assert json.loads(json.dumps(table, allow_nan=False)) == table


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_an_animal_is_described_as_pictures_draw_it(name):
    told = animals_table()[name]
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
    assert told["radii"] == [radii._asdict() for radii in drawn.legs]
    assert told["hocks"] == [hock and hock._asdict() for hock in drawn.hocks]
    assert any(told["hocks"]) == (name == "dog")
    assert told["extent"] > 0.2 * drawn.leg
