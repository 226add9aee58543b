"""Animals from measures: they walk, and measures that contradict each other say so."""

import numpy as np
import pytest

from slow import all_but
from twobone import creature
from twobone.creature import measures
from twobone.errors import ArrayTypeError, CreatureError, ShapeError

# As one measures them on a drawing: metres.
DRAWN = {
    "humanoid": {"legs": 2, "hips": 0.92, "hind": (0.445, 0.425, 0.155), "ankles": 0.09},
    "child": {"legs": 2, "hips": 0.5, "hind": (0.24, 0.24, 0.1), "width": 0.14},
    "robot on two legs": {"legs": 2, "hips": 0.5, "hind": (0.3, 0.3), "width": 0.2},
    "ostrich": {"legs": 2, "hips": 1.1, "hind": (0.36, 0.52, 0.5), "neck_length": 0.6},
    "dinosaur": {"legs": 2, "hips": 3.0, "hind": (1.25, 1.2, 0.9), "tail_length": 3.5},
    "giant": {"legs": 2, "hips": 9.0, "hind": (4.6, 4.6, 1.5), "ankles": 0.9},
    "horse": {"legs": 4, "hips": 1.25, "trunk": 1.12, "hind": (0.45, 0.44, 0.47)}
    | {"fore": (0.40, 0.44, 0.45), "width": 0.34},
    "giraffe": {"legs": 4, "hips": (1.9, 2.3), "trunk": 1.4, "hind": (0.75, 0.7, 0.7)}
    | {"fore": (0.75, 0.95, 0.8), "width": 0.5, "neck_length": 1.9, "tail_length": 0.8},
    "mouse": {"legs": 4, "hips": 0.028, "trunk": 0.05, "hind": (0.014, 0.014, 0.01)}
    | {"fore": (0.012, 0.013, 0.007), "width": 0.016, "tail_length": 0.07},
    "cat": {"legs": 4, "hips": 0.23, "trunk": 0.3, "hind": (0.1, 0.1, 0.09)}
    | {"fore": (0.1, 0.1, 0.05), "width": 0.1, "tail_length": 0.3},
    "elephant": {"legs": 4, "hips": 1.8, "trunk": 1.9, "hind": (1.0, 0.8, 0.25)}
    | {"fore": (1.0, 0.85, 0.25), "width": 0.9},
    "dachshund": {
        "legs": 4,
        "hips": 0.16,
        "trunk": 0.42,
        "hind": (0.07, 0.07, 0.06),
        "width": 0.14,
    },
    "lizard": {"legs": 4, "hips": 0.06, "trunk": 0.18, "hind": (0.06, 0.06, 0.03)}
    | {"width": 0.06, "stance": 0.18, "tail_length": 0.25},
    "crocodile": {"legs": 4, "hips": 0.3, "trunk": 1.2, "hind": (0.3, 0.3, 0.12)}
    | {"width": 0.5, "stance": 1.0, "tail_length": 1.5},
    "table": {"legs": 4, "hips": 0.7, "trunk": 1.2, "hind": (0.4, 0.36), "width": 0.7},
    "tall": {"legs": 4, "hips": 2.0, "trunk": 0.5, "hind": (1.05, 1.05, 0.3), "width": 0.4},
    "long": {"legs": 4, "hips": 0.5, "trunk": 3.0, "hind": (0.28, 0.27, 0.1), "width": 0.3},
    "wide": {"legs": 4, "hips": 1.0, "trunk": 0.8, "hind": (0.4, 0.4, 0.3), "width": 0.9},
    "alien": {"legs": 6, "hips": 0.9, "trunk": 1.5, "hind": (0.42, 0.42, 0.25), "width": 0.4},
    "tripod": {"legs": 6, "hips": 0.5, "trunk": 0.8, "hind": (0.5, 0.6), "width": 0.3}
    | {"stance": 1.1},
    "ant": {"legs": 6, "hips": 0.04, "trunk": 0.04, "hind": (0.06, 0.05, 0.02), "width": 0.02}
    | {"stance": 0.12},
    "beetle": {"legs": 6, "hips": 0.02, "trunk": 0.05, "hind": (0.03, 0.03, 0.01), "width": 0.03}
    | {"stance": 0.08},
    "hexapod": {"legs": 6, "hips": 0.1, "trunk": 0.24, "hind": (0.1, 0.14), "width": 0.2}
    | {"stance": 0.4},
    "octopod": {"legs": 8, "hips": 0.6, "trunk": 1.0, "hind": (0.7, 0.6, 0.2), "width": 0.4}
    | {"stance": 1.8},
    "crab": {"legs": 8, "hips": 0.62, "trunk": 1.2, "hind": (0.8, 0.68, 0.26), "width": 1.2}
    | {"stance": 3.0},
    "eight": {"legs": 8, "hips": 1.0, "trunk": 3.0, "hind": (0.55, 0.55, 0.2), "width": 0.6},
    "sleipnir": {"legs": 8, "hips": 1.25, "trunk": 1.8, "hind": (0.45, 0.44, 0.47)}
    | {"fore": (0.40, 0.44, 0.45), "width": 0.34},
    "woodlouse": {"legs": 14, "hips": 0.1, "trunk": 0.3, "hind": (0.1, 0.1), "width": 0.1}
    | {"stance": 0.22},
    "centipede": {"legs": 40, "hips": 0.45, "trunk": 9.5, "hind": (0.48, 0.40, 0.17)}
    | {"width": 0.44, "stance": 1.4},
    "millipede": {"legs": 80, "hips": 0.1, "trunk": 4.0, "hind": (0.1, 0.1), "width": 0.1}
    | {"stance": 0.25},
}
FEW = ("humanoid", "horse", "alien", "tripod", "lizard")


def made(name, **changed):
    return creature.make_animal(name, **(DRAWN[name] | changed))


@pytest.mark.parametrize("name", all_but(DRAWN, *FEW))
@pytest.mark.parametrize("rough", [0.0, 0.15])
def test_it_walks_without_sliding_and_above_the_ground(name, rough):
    animal = made(name)
    ground = creature.make_terrain(rough, animal, seed=2)
    walk = creature.walk(animal, terrain=ground, seconds=6.0, seed=2)
    found = creature.report(walk, ground)
    assert (found.slide, found.unreachable, found.depth_of_feet) == (0.0, 0, 0.0)
    assert found.bone_error < 4.0
    assert found.depth_of_legs <= 0.01 * found.leg
    belly = measures.depth_of_belly(walk.stations, animal.anatomy.belly, ground)
    assert belly <= 0.01 * found.leg
    way = np.linalg.norm((walk.body_position[-1] - walk.body_position[0])[[0, 2]])
    assert way > 0.4 * 6.0 * 0.6 * animal.walking_speed  # it may turn aside on hills


@pytest.mark.parametrize("name", DRAWN)
def test_it_stands_as_it_was_measured(name):
    drawn = DRAWN[name]
    animal = made(name)
    anatomy = animal.anatomy
    assert animal.name == name
    assert animal.legs == drawn["legs"]
    heights = [anatomy.height + leg.up for leg in anatomy.legs]
    high = np.broadcast_to(drawn["hips"], 2)
    assert (heights[0], heights[-1]) == pytest.approx(tuple(high))
    assert anatomy.along[-1] - anatomy.along[0] == pytest.approx(drawn.get("trunk", 0.0))
    left, right = anatomy.legs[:2]
    if "width" in drawn:
        assert left.aside - right.aside == pytest.approx(drawn["width"])
    stance = drawn.get("stance", left.aside - right.aside)
    assert left.foot_aside - right.foot_aside == pytest.approx(stance)
    last = anatomy.legs[-1]
    assert (left.upper, left.lower, left.third)[: len(drawn["hind"])] == drawn["hind"]
    fore = drawn.get("fore", drawn["hind"])
    assert (last.upper, last.lower, last.third)[: len(fore)] == pytest.approx(fore)
    if "ankles" in drawn:
        assert left.third * np.sin(left.rest) == pytest.approx(drawn["ankles"])


@pytest.mark.parametrize("name", DRAWN)
def test_its_looks_fit_it(name):
    """Girdles hold the hips, above the ground; lengths are over that of a leg."""
    anatomy, appearance = made(name)
    girdles = [
        part
        for part in appearance.parts
        if isinstance(part, creature.Ellipsoid) and part.node == "body"
    ]
    assert min(part.centre[1] - part.half[1] for part in girdles) > -anatomy.height / anatomy.reach
    for leg in anatomy.legs[::2]:
        hip = np.array([leg.aside, leg.up, anatomy.along[leg.station]]) / anatomy.reach
        away = [np.abs(hip - part.centre) / part.half for part in girdles]
        assert min(part.max() for part in away) < 1.1
    assert any(part.node == "head" for part in appearance.parts)
    assert any(part.node == "tail" for part in appearance.parts) == (anatomy.tail > 0)


def test_legs_in_between_are_in_between():
    first = {"legs": 6, "hips": (0.8, 1.0), "trunk": 1.0, "hind": (0.4, 0.4, 0.2)}
    anatomy = creature.make_animal(**first, fore=(0.5, 0.5, 0.3)).anatomy
    np.testing.assert_allclose([leg.upper for leg in anatomy.legs[::2]], [0.4, 0.45, 0.5])
    np.testing.assert_allclose([leg.third for leg in anatomy.legs[::2]], [0.2, 0.25, 0.3])
    heights = [anatomy.height + leg.up for leg in anatomy.legs[::2]]
    np.testing.assert_allclose(heights, [0.8, 0.9, 1.0])


def test_lower_ankles_make_an_animal_stand_on_its_soles():
    toes, soles = (made("humanoid", ankles=high).anatomy.legs[0] for high in (0.14, 0.09))
    assert toes.rest > soles.rest


def test_fields_replace_what_is_derived():
    animal = made("horse", stride=1.8, duty_high=0.4, belly=0.1)
    anatomy = animal.anatomy
    assert (anatomy.stride, anatomy.belly) == (1.8, 0.1)
    assert {gait.duty_high for gait in anatomy.gaits} == {0.4}
    trot = made("horse", gait="trot")
    assert len(trot.anatomy.gaits) == 1
    plain = creature.Appearance((creature.Ellipsoid("body", (0, 0, 0), (0.1, 0.1, 0.4)),))
    assert made("horse", appearance=plain).appearance == plain


def test_an_animal_twice_as_large_is_the_same_at_another_pace():
    """As Froude has it: sizes double, times grow by the square root."""

    def scaled(value):
        return tuple(2.0 * part for part in value) if isinstance(value, tuple) else 2.0 * value

    small = made("horse").anatomy
    drawn = {k: v if k == "legs" else scaled(v) for k, v in DRAWN["horse"].items()}
    large = creature.make_animal(**drawn).anatomy
    assert large.height == pytest.approx(2.0 * small.height)
    assert large.legs[0].rest == pytest.approx(small.legs[0].rest)
    assert large.quick == pytest.approx(np.sqrt(2.0) * small.quick)
    assert large.travel == pytest.approx(2.0 * small.travel)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"legs": 3}, "`legs` must be an even number from 2 to 128, got 3"),
        ({"legs": 4.0}, "`legs` must be an even number"),
        ({"hips": 0.0}, "`hips` must be"),
        ({"hips": (1.0, -1.0)}, r"`hips\[1\]` must be"),
        (
            {"hips": 2.0},
            r"`hind` must be longer, so .* \(or put the hips lower\), got bones of 0.89",
        ),
        ({"hips": 0.6}, r"`hind` must be shorter, so that the leg can fold"),
        ({"fore": (0.2, 0.2, 0.2)}, "`fore` must be longer"),
        ({"stance": 4.0}, r"`hind` must be longer, .* \(or put the feet nearer \(stance\)\)"),
        ({"trunk": None}, "`trunk` must be given: the distance from hind hips to fore hips"),
        ({"width": float("nan")}, "`width` must be"),
        ({"tail_length": -1.0}, "`tail_length` must be a length, 0 for none, got -1"),
        ({"gait": "tripod"}, "`gait` must be walk, trot, pace or bound on fewer than six legs"),
        ({"colour": 1}, "`animal` must have the fields name, height, .* beside the measures"),
        ({"belly": -1.0}, "`belly` must be from 0"),
    ],
)
def test_measures_that_make_no_animal_say_what_to_change(changed, message):
    with pytest.raises(CreatureError, match=message):
        made("horse", **changed)


def test_measures_of_other_kinds_say_so():
    with pytest.raises(ArrayTypeError, match="`hind` must be two or three lengths"):
        made("horse", hind=0.5)
    with pytest.raises(ShapeError, match="`hind` must be two or three lengths"):
        made("horse", hind=(0.5, 0.4, 0.3, 0.2))
    with pytest.raises(ShapeError, match="`hips` must be one number, or two"):
        made("horse", hips=(1.0, 1.0, 1.0))
    with pytest.raises(CreatureError, match="`trunk` must be omitted for an animal on two legs"):
        made("humanoid", trunk=1.0)
    with pytest.raises(CreatureError, match=r"`hips` must be at least 0\.0.* ten times as large"):
        made("horse", hips=0.01)


def test_a_width_of_a_thousand_kilometres_is_told():
    with pytest.raises(CreatureError, match=r"^`width` must be at most 1e\+06, got "):
        made("horse", width=1e7)
