"""What animals look like: descriptions are checked, mirrored, and come back from recordings."""

import numpy as np
import pytest

from twobone import creature
from twobone.creature import Appearance, Capsule, Ellipsoid, LegRadii
from twobone.creature.appearance import (
    Pivot,
    both,
    fault_of,
    from_rows,
    pivot_of,
    radii_of,
    to_rows,
)
from twobone.creature.palette import array_to_palette, pairs_of, palette_to_array
from twobone.errors import ArrayTypeError, CreatureError

TRUNK = Ellipsoid("body", (0.0, 0.0, 0.0), (0.2, 0.2, 0.4))
TAIL = Capsule("light", (0.0, 0.1, -0.4), (0.0, 0.3, -0.6), (0.05, 0.02), "tail")


def own(appearance):
    """Return a dog that looks otherwise."""
    return creature.animal("dog")._replace(appearance=appearance)


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_built_in_animals_have_valid_appearances(name):
    animal = creature.animal(name)
    assert fault_of(animal.appearance) is None
    nodes = {part.node for part in animal.appearance.parts}
    assert {"body", "head"} <= nodes
    assert "accent" in {part.paint for part in animal.appearance.parts}


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_a_recording_has_the_appearance_of_its_animal(name):
    animal = creature.animal(name)
    walk = creature.walk(name, seconds=0.1)
    found = from_rows(walk.body_parts, walk.body_pivots, walk.neck_links)
    places = {pivot.node: pivot.place for pivot in found.pivots}
    links = animal.anatomy.links
    assert places == {each.node: pivot_of(animal.appearance, each.node) for each in links}
    assert walk.neck_links[:, 1].tolist() == [each.parent for each in links]
    assert found.parts == tuple(animal.appearance.parts)
    assert (found.head, found.tail) == (animal.appearance.head, animal.appearance.tail)
    legs = radii_of(animal.appearance, len(walk.bones))
    np.testing.assert_array_equal(walk.leg_radii, legs)


def test_animals_without_an_appearance_make_recordings_without_one():
    walk = creature.walk(own(None), seconds=0.1)
    assert walk.body_parts is walk.body_pivots is walk.leg_radii is None
    creature.Walker(own(Appearance((TRUNK, TAIL))))


def test_legs_are_alike_or_given_in_pairs_from_rear_to_front():
    thick, thin = LegRadii(hip=0.1), LegRadii()
    assert radii_of(Appearance((TRUNK,)), 3) == [thin] * 3
    given = Appearance((TRUNK,), (thick, thin))
    assert radii_of(given, 6) == [thick, thick, thin, thin, thin, thin]
    assert to_rows(given, 2, ()).radii.shape == (2, 8)


def test_parts_are_attached_to_links_that_the_anatomy_has():
    arm = Capsule("body", (0.0, 0.0, 0.0), (0.0, 0.0, 0.1), (0.1, 0.1), "arm_left")
    with pytest.raises(CreatureError, match=r"`appearance.parts\[1\].node` must be one of body, "):
        creature.Walker(own(Appearance((TRUNK, arm))))


def test_mirror_images_are_on_the_other_side():
    eye = Ellipsoid("light", (0.1, 0.2, 0.3), (0.02, 0.03, 0.04), 2.0, (0.4, 0.5, 0.6), "head")
    assert both(eye)[0] == eye
    assert both(eye)[1].centre == (-0.1, 0.2, 0.3)
    # A mirrored rotation vector keeps its part along the mirror's normal.
    assert both(eye)[1].turn == (0.4, -0.5, -0.6)
    ear = Capsule("body", (0.1, 0.0, 0.0), (0.3, 0.1, 0.2), (0.05, 0.01), "head")
    assert both(ear)[1] == ear._replace(start=(-0.1, 0.0, 0.0), end=(-0.3, 0.1, 0.2))


@pytest.mark.parametrize(
    ("appearance", "message"),
    [
        (Appearance(()), "`appearance.parts` must be parts of which the first is an Ellipsoid"),
        (Appearance((TAIL, TRUNK)), "the first is an Ellipsoid, got"),
        (Appearance((TRUNK._replace(node="head"),)), r"`appearance.parts\[0\].node` must be body"),
        (Appearance((TRUNK, 5)), r"parts\[1\]` must be an Ellipsoid or a Capsule, got 5"),
        (
            Appearance((TRUNK, TAIL._replace(paint="red"))),
            r"parts\[1\].paint` must be one of body,",
        ),
        (Appearance((TRUNK, TAIL._replace(node="ear"))), r"parts\[1\].node` must be one of body, "),
        (
            Appearance((TRUNK._replace(half=(0.1, 0.0, 0.1)),)),
            r"half` must be 3 numbers from 1e-06",
        ),
        (Appearance((TRUNK._replace(power=0.5),)), "power` must be a number from 1 to 20, got 0.5"),
        (
            Appearance((TRUNK._replace(centre=(0.0, np.nan, 0.0)),)),
            "centre` must be 3 numbers from",
        ),
        (
            Appearance((TRUNK, TAIL._replace(radii=(0.1, -0.1)))),
            "radii` must be 2 numbers from 0 to",
        ),
        (Appearance((TRUNK, TAIL._replace(end="tip"))), r"end` must be 3 numbers from -100 to 100"),
        (Appearance((TRUNK,), head=(0.0, 1.0)), "`appearance.head` must be 3 numbers"),
        (
            Appearance((TRUNK,), pivots=(Pivot("neck", TRUNK.centre), Pivot("tail", TRUNK.centre))),
            r"`appearance.pivots\[1\]` must be a Pivot of head, .* at 3 numbers from -100 to 100",
        ),
        (
            Appearance((TRUNK,), legs=()),
            "`appearance.legs` must be LegRadii, or some for each pair",
        ),
        (Appearance((TRUNK,), legs=(0.1, 0.2)), "`appearance.legs` must be LegRadii of 8 numbers"),
        (
            Appearance((TRUNK,), LegRadii(hip=-1.0)),
            "`appearance.legs` must be LegRadii of 8 numbers",
        ),
    ],
)
def test_invalid_appearances_say_why(appearance, message):
    with pytest.raises(CreatureError, match=message):
        creature.Walker(own(appearance))


@pytest.mark.parametrize(
    ("palette", "message"),
    [
        (
            creature.Palette(body="red"),
            r'`appearance.palette.body` must be "#RRGGBB", or two of them',
        ),
        (
            creature.Palette(feet=("#000000",)),
            r"`appearance.palette.feet` must .* got \('#000000',\)",
        ),
        (creature.Palette(dark=("#000000", "#00000")), "`appearance.palette.dark` must"),
        (creature.Palette(light=5), "`appearance.palette.light` must be .* got 5"),
        (("#000000",) * 9, "`appearance.palette` must be a Palette, got"),
    ],
)
def test_invalid_palettes_say_why(palette, message):
    with pytest.raises(CreatureError, match=message):
        creature.Walker(own(Appearance((TRUNK,), palette=palette)))


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_a_recording_has_the_palette_of_its_animal(name):
    palette = creature.animal(name).appearance.palette
    numbers = creature.walk(name, seconds=0.1).palette
    assert palette_to_array(array_to_palette(numbers)).tolist() == numbers.tolist()
    assert pairs_of(array_to_palette(numbers)) == pairs_of(palette)


def contrast(one, other):
    """Return the contrast of two colours, #RRGGBB, as WCAG defines it."""

    def light(colour):
        parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
        parts = np.where(parts > 0.04045, ((parts + 0.055) / 1.055) ** 2.4, parts / 12.92)
        return float(parts @ [0.2126, 0.7152, 0.0722])

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_animals_are_seen_on_both_backgrounds(name):
    """Body and thighs have the contrast of marks."""
    pairs = pairs_of(creature.animal(name).appearance.palette)
    for ground, of in (("#FBFAF7", 0), ("#14171C", 1)):
        assert contrast(pairs["body"][of], ground) >= 3.0
        assert contrast(pairs["thighs"][of], ground) >= 3.0


def test_an_appearance_is_no_list():
    with pytest.raises(ArrayTypeError, match="`appearance` must be an Appearance or None, got"):
        creature.Walker(own([TRUNK]))
