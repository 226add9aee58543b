"""Figures of animals: what is drawn contains the hips, and touches neither ground nor legs."""

import numpy as np
import pytest

import handmade
from drawn import distance, is_inside
from slow import all_but, slow
from twobone import creature
from twobone.creature import Capsule, Ellipsoid
from twobone.errors import FileError
from twobone.pictures import camera, figure, legs, scene, shapes, walking
from twobone.pictures.walking import BODY
from twobone.rotations import inverse, multiply, normalize, rotate

WALK = handmade.make_walk(0.5)


def figure_of(walk, hips=None):
    return figure.figure_of(walk, hips, float(walk.bones.sum(1).max()))


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_the_body_contains_the_hips_and_is_no_deeper_than_its_belly(name):
    animal = creature.Walker(name).animal
    drawn, anatomy = figure.figure_of_animal(animal), animal.anatomy
    hips = [[leg.aside, leg.up, anatomy.along[leg.station]] for leg in anatomy.legs]
    inside = [is_inside(part, np.array(hips)) for part in drawn.of("body")]
    assert np.all(np.any(inside, axis=0))
    lowest = min(
        shapes.part_shape(figure.part_in_body(drawn, part), drawn.leg).points[:, 1].min()
        for part in drawn.of("body")
    )
    assert lowest >= -anatomy.belly - 0.01 * drawn.leg


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_the_trunk_is_one_piece_and_head_and_tail_are_in_it(name):
    """Each part of the body begins in another; so do head and tail."""
    drawn = figure.figure_of_animal(creature.animal(name))
    parts = [figure.part_in_body(drawn, part) for part in drawn.of(*BODY)]
    meshes = [shapes.part_shape(part, drawn.leg).points for part in parts]
    reached, left = {0}, set(range(1, len(parts)))
    while True:
        more = {
            i
            for i in left
            if any(
                np.any(is_inside(parts[k], meshes[i])) or np.any(is_inside(parts[i], meshes[k]))
                for k in reached
            )
        }
        if not more:
            break
        reached, left = more, left - more
    assert not left, [parts[i] for i in left]


def test_feet_that_were_not_recorded_are_turned_as_the_body():
    walk = creature.walk("dog", seconds=0.5)
    found = figure.foot_rotations(walk._replace(foot_rotation=None))
    assert found.shape == walk.foot_rotation.shape
    body = np.repeat(walk.body_rotation[:1, None], 4, axis=1)
    np.testing.assert_allclose(found[:1], body, atol=1e-12)
    np.testing.assert_allclose(figure.foot_rotations(walk), normalize(walk.foot_rotation))


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "dog", "spider"))
@pytest.mark.parametrize(("speed", "turn"), [(0.6, 0.0), *slow((1.0, 0.5))])
def test_parts_are_above_the_ground_and_away_from_the_legs(name, speed, turn):
    full = creature.animal(name).walking_speed
    walk = creature.walk(name, seconds=3.0, fps=20, speed=speed * full, turn=turn)
    drawn = figure_of(walk)
    poses = figure.poses_of(drawn, walk)
    joints = legs.points_of(walk, slice(None))
    for part in drawn.of("body", "head", "tail"):
        points = shapes.part_shape(part, drawn.leg).points
        [(place, turned)] = poses.spaces_of(part)
        place, turned = place[:, None], turned[:, None]
        world = place + rotate(turned, points)
        assert np.min(world[..., 1]) > 0.1 * drawn.leg, part
        hips, knees, ankles, feet = np.moveaxis(
            rotate(inverse(turned)[:, None], joints - place[:, None]), 2, 0
        )
        # Stifles of a horse are in its flanks.
        assert name == "horse" or not np.any(is_inside(part, knees)), part
        # Hips are in the body; a crab that goes sideways steps between its claws, and the tail of
        # a horse hangs between its legs.
        if (
            part.node == "body"
            or (name == "crab" and turn)
            or (name, part.node) == ("horse", "tail")
        ):
            continue
        for leg, radii in enumerate(drawn.legs):
            for start, end, thick in (
                (hips, knees, (radii.hip, radii.knee)),
                (knees, ankles, (radii.knee, radii.ankle)),
                (ankles, feet, (radii.ankle, radii.tip)),
            ):
                away = distance(points, start[:, leg, None], end[:, leg, None], thick)
                assert np.min(away) > 0.0, (part, leg)


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "insect"))
def test_feet_stand_on_the_ground(name):
    walk = creature.walk(name, seconds=2.0, fps=20)
    drawn = figure_of(walk)
    rotation = figure.foot_rotations(walk)
    for part in drawn.of("foot"):
        points = shapes.part_shape(part, drawn.leg).points
        world = walk.feet[:, :, None] + rotate(rotation[:, :, None], points)
        lowest = np.min(world[..., 1], axis=-1)
        assert np.min(lowest) > -0.01 * drawn.leg
        assert np.max(np.abs(lowest[walk.stance])) < 0.02 * drawn.leg


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_a_figure_is_that_of_its_animal(name):
    walk = creature.walk(name, seconds=0.1)
    drawn, other = figure_of(walk), figure.figure_of_animal(creature.animal(name))
    assert len(drawn.parts) == len(other.parts)
    for part, same in zip(drawn.parts, other.parts, strict=True):
        for value, wanted in zip(part, same, strict=True):
            np.testing.assert_array_equal(value, wanted)
    assert drawn.legs == other.legs


def test_recordings_without_a_description_have_a_plain_body():
    walk = creature.walk("dog", seconds=0.1)
    plain = walk._replace(body_parts=None, body_pivots=None, leg_radii=None)
    hips = figure.hips_in_body(plain)
    drawn = figure_of(plain, hips)
    assert len(drawn.parts) == 5
    usual = drawn.leg * np.array(figure.LegRadii())
    np.testing.assert_array_equal(drawn.legs, np.tile(usual, (4, 1)))
    wanted_parts = figure.plain(hips, drawn.leg)._replace(head=(0.0, 0.0, 0.0))
    wanted_parts = figure.make_figure(wanted_parts, (), drawn.leg).parts
    for part, wanted in zip(drawn.parts, wanted_parts, strict=True):
        found = figure.part_in_body(drawn, part)
        np.testing.assert_allclose(found.centre, wanted.centre, atol=1e-12)
        np.testing.assert_allclose(found.half, wanted.half, rtol=1e-12)
    assert "mark ink" in walking.draw(plain)


def changed(name, where, value):
    walk = creature.walk("dog", seconds=0.1)
    values = getattr(walk, name).copy()
    values[where] = value
    return walk._replace(**{name: values})


@pytest.mark.parametrize(
    ("walk", "message"),
    [
        (changed("body_parts", (1, 0), 99.0), r"field body_parts: .*parts\[1\].node` to be one of"),
        (changed("body_parts", (1, 1), 0.5), r"field body_parts: .*parts\[1\].paint` to be one of"),
        (changed("body_parts", (0, 2), 0.0), "the first is an Ellipsoid"),
        (changed("body_parts", (2, 2), -1.0), r"parts\[2\].power` to be a number from 1 to 20"),
        (changed("body_parts", (2, 3), 1e9), r"parts\[2\].\w+` to be 3 numbers from -100 to 100"),
        (changed("body_pivots", (0, 1), 1e9), "`head` to be 3 numbers"),
        (
            changed("leg_radii", (1, 1), -1.0),
            "field leg_radii: expected radii from 0 to 100, got",
        ),
        (changed("neck_links", (0, 1), 2), "links, after those that bear them, .* got neck"),
        (
            changed("palette", (3, 0, 1), 300.0),
            "field palette: expected colours from 0 to 255, got 300",
        ),
    ],
)
def test_recordings_of_invalid_bodies_say_why(walk, message):
    with pytest.raises(FileError, match=message):
        walking.draw(walk)


# --- outlines -----------------------------------------------------------------------------

PARTS = {
    "ellipsoid": Ellipsoid("body", np.array([0.1, 0.2, 0.3]), np.array([0.2, 0.1, 0.4])),
    "box": Ellipsoid("body", np.zeros(3), np.array([0.2, 0.1, 0.4]), 4.0, (0.3, -0.5, 0.2)),
    "capsule": Capsule("body", np.array([0.1, 0.0, 0.2]), np.array([-0.2, 0.3, 0.5]), (0.2, 0.1)),
    "ball": Capsule("body", np.ones(3), np.ones(3), (0.3, 0.2)),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_an_outline_is_around_what_is_seen(part):
    turn, place = normalize(np.array([0.3, -0.2, 0.5, 0.7])), np.array([1.0, 2.0, 3.0])
    axes = rotate(normalize(np.array([0.1, 0.6, -0.2, 0.5])), np.eye(3))[:2]
    found = figure.outline(part, place, turn, axes, count=400)
    points = (place + rotate(turn, shapes.part_shape(part, 0.5).points)) @ axes.T
    angles = np.linspace(0.0, 2.0 * np.pi, 50)
    for direction in np.stack([np.cos(angles), np.sin(angles)], axis=-1):
        farthest, seen = np.max(found @ direction), np.max(points @ direction)
        assert farthest - seen < 0.02  # the mesh is inside, by its coarseness
        assert farthest > seen - 1e-4
    assert len(figure.outline(part, place, turn, axes)) == 24


# --- films --------------------------------------------------------------------------------


def test_solids_are_where_the_parts_are():
    walk = creature.walk("dog", seconds=0.5)
    turn = np.tile(normalize(np.array([0.1, 0.2, 0.3, 1.0])), (len(walk.time), 1))
    walk = walk._replace(neck=np.repeat(turn[:, None], 4, axis=1))
    animal = scene.Animal(walk)
    view = camera.follow(animal, handmade.flat)(7)
    solids = animal.solids(7, view)
    pose = animal.poses.at(7)
    [nose] = [
        s
        for s in solids
        if isinstance(s, scene.Lump) and np.max(s.half) > 0.028 * animal.leg and s.paint == "dark"
    ]
    part = next(
        p
        for p in animal.figure.parts
        if p.node == "head"
        and p.paint == "dark"
        and isinstance(p, Ellipsoid)
        and np.max(p.half) > 0.028 * animal.leg
    )
    [(place, rotation)] = pose.spaces_of(part)
    np.testing.assert_allclose(
        nose.centre, view.to_space(place + rotate(rotation, part.centre)), atol=1e-5
    )
    body = walk.station_rotations[7, -1]
    pivots = animal.figure.pivots
    neck = rotate(body, pivots["neck"] - [0.0, 0.0, walk.along[-1]])
    head = rotate(multiply(body, turn[7]), pivots["head"] - pivots["neck"])
    np.testing.assert_allclose(place, walk.stations[7, -1] + neck + head, atol=1e-12)
    assert np.abs(np.dot(rotation, body)) < 0.95  # the head has a rotation of its own
    paws = [s for s in solids if s.paint == "feet"]
    assert len(paws) == 4
    for paw, foot in zip(paws, walk.feet[7], strict=True):
        assert np.linalg.norm(paw.centre - view.to_space(foot)) < 0.06 * animal.leg


def test_a_capsule_without_length_is_a_ball():
    dog = creature.animal("dog")
    trunk, *_ = dog.appearance.parts
    nose = Capsule("accent", (0.0, 0.1, 0.5), (0.0, 0.1, 0.5), (0.05, 0.05))
    walk = creature.walk(
        dog._replace(appearance=dog.appearance._replace(parts=(trunk, nose))), seconds=0.1
    )
    animal = scene.Animal(walk)
    view = camera.follow(animal, handmade.flat)(0)
    [ball] = [solid for solid in animal.solids(0, view) if solid.paint == "accent"]
    assert ball.start is ball.end
    assert ball.radii[0] == pytest.approx(0.05 * animal.leg)
