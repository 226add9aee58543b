"""The picture of a walk: sound as XML, and it shows what the recording says."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import handmade
import twobone
from slow import all_but
from twobone import creature
from twobone.errors import FileError
from twobone.pictures import figure, theme, walking
from twobone.pictures.footprints import footprints

WALK = handmade.make_walk(4.0, fps=30)
NAME = "{http://www.w3.org/2000/svg}"


def drawn(recording, terrain=handmade.hills):
    text = walking.draw(recording, terrain)
    assert "nan" not in text.lower().replace("finance", "")
    return ElementTree.fromstring(text)


def bars(picture, frames, rows):
    """Return which feet are down, (frames, rows), as the bars say."""
    [group] = [part for part in picture.iter(f"{NAME}g") if part.get("id") == "steps"]
    left = walking.MARGIN + walking.LABEL
    scale = (walking.WIDTH - walking.MARGIN - left) / frames
    found = np.zeros((frames, rows), bool)
    boxes = [[float(bar.get(name)) for name in ("x", "y", "width")] for bar in group]
    tops = sorted({box[1] for box in boxes})
    assert len(tops) == rows
    for x, y, width in boxes:
        start, stop = ((edge - left) / scale for edge in (x, x + width))
        assert abs(start - round(start)) < 0.05
        found[round(start) : round(stop), tops.index(y)] = True
    return found


def test_bars_are_where_feet_are_down(tmp_path):
    walking.write_svg(tmp_path / "walk.svg", WALK, handmade.hills)
    picture = ElementTree.parse(tmp_path / "walk.svg").getroot()
    found = bars(picture, len(WALK.time), 6)
    # From front to rear, left before right: legs are given from rear to front.
    np.testing.assert_array_equal(found, WALK.stance[:, [4, 2, 0, 5, 3, 1]])
    words = "".join(picture.itertext())
    assert all(name in words for name in ("L1", "L3", "R1", "R3", "from above"))


def test_of_a_long_walk_some_seconds_are_drawn():
    walk = handmade.make_walk(40.0, fps=20)
    looked = walking._look_at(walk)
    first, last = walking.step_frames(looked)
    assert last - first == 240
    found = bars(drawn(walk), 241, 6)
    np.testing.assert_array_equal(found, walk.stance[first : last + 1, [4, 2, 0, 5, 3, 1]])
    start, stop = looked.window
    assert 0 < start < stop < len(walk.time) - 1
    assert np.ptp(looked.along[start : stop + 1]) > 2.0 * np.ptp(WALK.hips[0, :, 2])


def test_each_footprint_is_marked_once():
    text = walking.draw(WALK, handmade.hills)
    found = footprints(WALK)
    left = sum(bool(handmade.HIPS[leg, 0] > 0) for leg in found.leg)
    assert text.count('<circle class="mark target"') == left
    assert text.count('<circle class="line target"') == len(found.leg) - left
    # It walks to the right, so its left side is above.
    rows = [
        [
            float(y)
            for y in re.findall(f'<circle class="{kind} target" cx="[^"]*" cy="([^"]*)"', text)
        ]
        for kind in ("mark", "line")
    ]
    assert max(rows[0]) < min(rows[1])
    for leg, first, after, place in zip(*found, strict=True):
        assert np.all(WALK.stance[first:after, leg])
        assert first == 0 or not WALK.stance[first - 1, leg]
        assert after == len(WALK.time) or not WALK.stance[after, leg]
        np.testing.assert_array_equal(WALK.feet[first, leg], place)


def test_the_polygon_is_what_feet_on_the_ground_span():
    text = walking.draw(WALK, handmade.hills)
    [way] = re.findall(r'class="wash across" d="([^"]*)z"', text)
    corners = np.array([pair.split() for pair in re.split("[ML]", way)[1:]], float)
    moment = walking._look_at(WALK).window[1]
    feet = WALK.feet[moment][WALK.stance[moment]][:, [2, 0]]
    # The page is the world, turned and made smaller: distances say which foot is which.
    size = max(np.linalg.norm(a - b) for a in corners for b in corners)
    scale = size / max(np.linalg.norm(a - b) for a in feet for b in feet)
    assert 3 <= len(corners) <= len(feet)
    ways = np.diff([*corners, corners[0], corners[1]], axis=0)
    turns = ways[:-1, 0] * ways[1:, 1] - ways[:-1, 1] * ways[1:, 0]
    assert np.all(turns < 0) or np.all(turns > 0)
    apart = sorted(np.linalg.norm(a - b) / scale for a in corners for b in corners)
    known = [np.linalg.norm(a - b) for a in feet for b in feet]
    assert all(min(abs(one - other) for other in known) < 0.02 for one in apart)


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "insect"))
def test_animals_are_drawn_small_and_inside_the_page(name):
    walk = creature.walk(name, terrain=0.15, seconds=10.0, fps=10, seed=1)
    text = walking.draw(walk, creature.make_terrain(0.15, name, seed=1))
    assert len(text) < 200_000
    picture = ElementTree.fromstring(text)
    wide, tall = (float(picture.get(side)) for side in ("width", "height"))
    for way in re.findall(r' d="([^"]*)"', text):
        points = np.array(
            [pair.split() for pair in re.split("[ML]", way.replace("z", ""))[1:]], float
        )
        assert np.all(points > -1.0)
        assert np.all(points < [wide + 1.0, tall + 1.0])
    for kind in ("limb", "mark leg"):
        for paint in ("thighs", "shins"):
            assert re.search(f'class="{kind} \\w+-{paint}"', text)
    assert re.search(r'class="mark shaded \w+-body"', text)
    assert name in ("bird", "human") or "wash across" in text  # it may stand on one foot


def style_of(text, paint):
    """Return the colours of a paint of an animal in a picture: light, then dark."""
    return re.findall(rf"\.\w+-{paint}{{color:(#\w+)}}", text)


def test_an_animal_has_its_own_colours_on_both_backgrounds():
    blue = creature.Palette(body=("#0000FE", "#8888FE"), shins="#00FE00")
    animal = creature.animal("dog")
    animal = animal._replace(appearance=animal.appearance._replace(palette=blue))
    text = walking.draw(creature.walk(animal, seconds=0.2))
    assert style_of(text, "body") == ["#0000FE", "#8888FE"]
    assert style_of(text, "shins") == ["#00FE00", "#00FE00"]
    assert style_of(text, "light") == list(blue.light)
    # In the middle of a gradient is the colour itself.
    assert re.search(r"-body-1{stop-color:#0000FE}.*-body-1{stop-color:#8888FE}", text)
    bones = walking.draw(creature.walk(animal, seconds=0.2), bones=True)
    assert style_of(bones, "body") == ["#0000FE", "#8888FE"]
    assert style_of(bones, "thighs") == list(theme.FIRST)
    assert style_of(bones, "shins") == list(theme.SECOND)


def test_pictures_of_different_animals_share_no_names():
    """They may be in one page, where names of classes and gradients are those of the page."""
    names = [
        set(re.findall(r'id="(a[^"]+)"', walking.draw(creature.walk(name, seconds=0.1))))
        for name in ("dog", "crab")
    ]
    assert len(names[0]) > 5
    assert names[0].isdisjoint(names[1])


def test_shadows_lie_on_the_ground_and_fade_below_feet_that_swing():
    walk = creature.walk("dog", seconds=3.0, fps=20)
    looked = walking._look_at(walk)
    text = walking.draw(walk, 0.0)
    spots = re.findall(r'<ellipse [^>]*opacity="([^"]*)" cx="([^"]*)" cy="([^"]*)"', text)
    body, *feet = np.array(spots, float)
    assert len(feet) == 4
    assert np.ptp([spot[2] for spot in (body, *feet)]) == 0.0  # level ground
    moment = looked.window[1]
    high = walk.feet[moment, :, 1] - walk.ground[moment]
    assert np.any(high > 0.02)
    for (strength, *_), above, down in zip(feet, high, walk.stance[moment], strict=True):
        assert strength == 1.0 if down else strength < 1.0 or above < 0.01
    ahead = walking._along(looked, moment, walk.feet[moment])[:, 0]
    order = [spot[1] for spot in feet]
    np.testing.assert_array_equal(np.argsort(order), np.argsort(ahead))


def test_feet_on_the_ground_stand_on_the_profile():
    walk = handmade.make_walk(3.0, fps=30, terrain=lambda x, z: 0.3 * np.sin(1.3 * z), sway=0.0)
    looked = walking._look_at(walk)
    profile = walking._profile(looked, lambda x, z: 0.3 * np.sin(1.3 * z), -3.0, 5.0)
    first, last = looked.window
    for number in range(first, last + 1, 7):
        for leg in np.nonzero(walk.stance[number])[0]:
            ahead, high = walking._along(looked, number, walk.feet[number, leg])
            assert abs(np.interp(ahead, *profile.T) - high) < 0.03


@pytest.mark.slow
def test_walks_that_go_nowhere_or_backwards_are_drawn():
    still = handmade.make_walk(1.0, fps=20, speed=1e-9)
    back = handmade.make_walk(3.0, fps=20)
    back = back._replace(**{name: getattr(back, name)[::-1] for name in back._fields[1:8]})
    one = WALK.select(slice(1))
    air = WALK._replace(stance=~WALK.stance & False)
    tall = WALK._replace(station_rotations=0.0 * WALK.station_rotations)
    for walk in (still, back, one, air, tall):
        drawn(walk)
        drawn(walk, None)


def test_walks_that_cannot_be_drawn_say_why():
    feet = WALK.feet.copy()
    feet[3, 2, 1] = np.nan
    with pytest.raises(FileError, match="field feet: expected finite numbers, got nan"):
        walking.draw(WALK._replace(feet=feet))
    with pytest.raises(twobone.CreatureError, match="must return finite heights"):
        walking.draw(WALK, lambda x, z: x + np.inf)


def test_legs_beyond_count_are_refused():
    more = ("hips", "knees", "ankles", "feet", "stance", "ground")
    many = {name: np.repeat(getattr(WALK, name), 50, axis=1) for name in more}
    walk = WALK._replace(bones=np.repeat(WALK.bones, 50, axis=0), **many)
    with pytest.raises(FileError, match=r"at most 256 rows \(legs\) for a picture, got 300"):
        walking.draw(walk, handmade.hills)


def test_parts_on_the_midline_are_drawn_in_their_order_also_where_the_head_turns():
    """Left parts are behind them, and right ones in front; it goes to the right."""
    walk = creature.walk("dog", seconds=0.2)
    for yaw in (-0.5, 0.5):
        turn = np.array([0.0, np.sin(0.5 * yaw), 0.0, np.cos(0.5 * yaw)])
        looked = walking._look_at(walk._replace(neck=np.tile(turn, (len(walk.time), 4, 1))))
        found = [part for part, _ in walking._outlines(looked, 5, walking.BODY)]
        places = {id(part): number for number, part in enumerate(looked.figure.parts)}
        inside = [figure.part_in_body(looked.figure, part) for part in found]
        aside = [float(figure.middle_of(part)[0]) for part in inside]
        assert aside == sorted(aside, reverse=True)
        middle = [places[id(part)] for part, x in zip(found, aside, strict=True) if x == 0.0]
        assert middle == sorted(middle)
        assert len(middle) > 10
