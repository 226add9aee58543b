"""Assigning to an attribute of a public object is checked, or refused; never ignored."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import twobone
from twobone import creature

SKELETON = twobone.Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
OBJECTS = [
    twobone.Soft(0.1),
    twobone.Stretch(1.2),
    twobone.Limits(20.0, 170.0),
    twobone.Soft(0.1) | twobone.Stretch(1.2),
    SKELETON,
    twobone.Limb(SKELETON, 0, 1, 2),
    creature.Flat(),
    creature.Slope(10.0),
    creature.Steps(0.1, 1.0),
    creature.Noise(0.1, 2.0),
    creature.HeightArray(np.zeros((3, 3)), 1.0),
    creature.as_terrain(lambda x, z: 0.0 * x),
    creature.Walker("insect"),
]
CHECKED = (AttributeError, twobone.TwoBoneError)


def kind(thing):
    return type(thing).__name__


def attributes(thing):
    """Return the public names of an object that are not methods."""
    names = [name for name in dir(thing) if not name.startswith("_")]
    return [name for name in names if not inspect.ismethod(getattr(thing, name))]


def is_mutable_class(found):
    """Return whether a public class is neither a tuple, an exception nor an enumeration."""
    return inspect.isclass(found) and not issubclass(found, tuple | BaseException | int)


def test_every_public_class_is_tried():
    bases, elsewhere = {twobone.Policy}, {twobone.Page}  # tests/play tries the page
    public = [getattr(room, name) for room in (twobone, creature) for name in room.__all__]
    wanted = {found for found in public if is_mutable_class(found)} - bases - elsewhere
    assert wanted <= {type(thing) for thing in OBJECTS}


@pytest.mark.parametrize("thing", OBJECTS, ids=kind)
def test_no_attribute_takes_nonsense_and_a_misspelt_one_is_told(thing):
    for name in [*attributes(thing), "misspelt"]:
        before = getattr(thing, name, None)
        with pytest.raises(CHECKED, match=name):
            setattr(thing, name, "nonsense")
        with pytest.raises(AttributeError):
            delattr(thing, name)
        now = getattr(thing, name, None)
        assert now is before or repr(now) == repr(before)


@pytest.mark.parametrize(
    "array", [SKELETON.offsets, SKELETON.rotations, *SKELETON.rest], ids=lambda array: array.shape
)
def test_the_arrays_of_a_skeleton_are_read_only(array):
    """`rest` and the limbs of a skeleton are computed from them once."""
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 2.0


@pytest.mark.parametrize("thing", OBJECTS, ids=kind)
def test_objects_are_copied(thing):
    again = [copy.copy(thing), copy.deepcopy(thing)]
    if kind(thing) != "HeightFunction":  # a lambda cannot be pickled
        again.append(pickle.loads(pickle.dumps(thing)))
    assert all(repr(each) == repr(thing) for each in again)


def test_classes_of_users_may_have_attributes_of_their_own():
    class Named(creature.Slope):
        def __init__(self):
            super().__init__(5.0)
            self.name = "a ramp"

    ramp = Named()
    ramp.name = "a steep ramp"
    assert ramp.name == "a steep ramp"
    del ramp.name
    assert not hasattr(ramp, "name")
    with pytest.raises(AttributeError, match=r"`degrees`: Slope.* is immutable; create a new one"):
        ramp.degrees = 3.0


@pytest.mark.parametrize(
    ("terrain", "message"),
    [
        ("hills", r"`terrain` must be a number, a terrain .* got 'hills'"),
        (None, r"`terrain` must be .*, got None"),
        (creature.Flat, r"`terrain` must be .*, got the class Flat"),
        (float("nan"), r"`terrain` must be finite, got nan"),
    ],
)
def test_the_terrain_of_a_walker_is_checked_as_when_it_is_made(terrain, message):
    walker = creature.Walker("insect", 0.5)
    with pytest.raises(twobone.TwoBoneError, match=message):
        walker.terrain = terrain
    assert walker.terrain.height(0.0, 0.0) == 0.5
    with pytest.raises(twobone.TwoBoneError, match=message):
        creature.Walker("insect", terrain)


@pytest.mark.parametrize("terrain", [0.1, lambda x, z: 0.1 + 0.0 * x], ids=["number", "function"])
def test_the_terrain_of_a_walker_takes_whatever_the_constructor_takes(terrain):
    walker = creature.Walker("insect")
    walker.terrain = terrain
    walker.step(0.1, 1.0)
    assert walker.terrain.height(0.0, 0.0) == 0.1
