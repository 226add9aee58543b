"""Figures of animals: what is drawn contains the hips, and touches neither ground nor legs."""

import numpy as np
import pytest

import handmade
from drawn import distance, is_inside
from slow import all_but, slow
from twobone import creature
from twobone.creature import Capsule, Ellipsoid
from twobone.errors import FileError
from twobone.pictures import camera, figure, hocks, scene, shapes, walking
from twobone.rotations import normalize, rotate

WALK = handmade.make_walk(0.5)


def figure_of(walk, hips=None):
    return figure.figure_of(walk, hips, float(walk.bones.sum(1).max()))


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_the_body_contains_the_hips_and_is_no_deeper_than_its_size(name):
    animal = creature.Walker(name).animal
    drawn = figure.figure_of_animal(animal)
    inside = [is_inside(part, animal.legs.hips) for part in drawn.of("body")]
    assert np.all(np.any(inside, axis=0))
    lowest = min(
        shapes.part_shape(figure.part_in_body(drawn, part), drawn.leg).points[:, 1].min()
        for part in drawn.of("body", "head", "tail")
    )
    assert lowest >= -0.5 * animal.body.size[1]


def test_feet_that_were_not_recorded_are_turned_as_the_body():
    walk = creature.walk("dog", seconds=0.2)
    body = figure.unit_rotations(walk.body_rotation)
    found = figure.foot_rotations(walk._replace(foot_rotation=None), body)
    assert found.shape == walk.foot_rotation.shape
    wanted = figure.unit_rotations(walk.foot_rotation)
    np.testing.assert_allclose(figure.foot_rotations(walk, None), wanted)


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "dog", "spider"))
@pytest.mark.parametrize(("speed", "turn"), [(0.6, 0.0), *slow((1.0, 0.5))])
def test_parts_are_above_the_ground_and_away_from_the_legs(name, speed, turn):
    full = creature.animal(name).speed
    walk = creature.walk(name, seconds=4.0, fps=20, speed=speed * full, turn=turn)
    drawn = figure_of(walk)
    rotation = figure.unit_rotations(walk.body_rotation)
    back = rotation * [-1.0, -1.0, -1.0, 1.0]

    def in_body(points):
        return rotate(back[:, None], points - walk.body_position[:, None])

    bends = hocks.hock_points(drawn.hocks, walk, rotation)
    joints = (in_body(points) for points in (walk.hips, walk.knees, bends, walk.feet))
    hips, knees, bends, feet = joints
    for part in drawn.of("body", "head", "tail"):
        whole = figure.part_in_body(drawn, part)
        points = shapes.part_shape(whole, drawn.leg).points
        world = walk.body_position[:, None] + rotate(rotation[:, None], points)
        assert np.min(world[..., 1]) > 0.15 * drawn.leg, part
        assert not np.any(is_inside(whole, knees)), part
        if part.node == "body":  # hips are in the body
            continue
        for leg, radii in enumerate(drawn.legs):
            hock = drawn.hocks[leg]
            shin = (
                [(knees, bends, (radii.knee, hock.radius)), (bends, feet, (hock.radius,) * 2)]
                if hock
                else [(knees, feet, (radii.knee, radii.ankle))]
            )
            for start, end, thick in ((hips, knees, (radii.hip, radii.knee)), *shin):
                away = distance(points, start[:, leg, None], end[:, leg, None], thick)
                assert np.min(away) > 0.0, (part, leg)


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "insect"))
def test_feet_stand_on_the_ground(name):
    walk = creature.walk(name, seconds=2.0, fps=20)
    drawn = figure_of(walk)
    rotation = figure.foot_rotations(walk, figure.unit_rotations(walk.body_rotation))
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
    assert drawn.hocks == other.hocks


def test_recordings_without_a_description_have_a_plain_body():
    walk = creature.walk("dog", seconds=0.1)
    plain = walk._replace(body_parts=None, body_pivots=None, leg_radii=None)
    hips = figure.hips_in_body(plain, figure.unit_rotations(plain.body_rotation))
    drawn = figure_of(plain, hips)
    assert len(drawn.parts) == 5
    usual = drawn.leg * np.array(figure.LegRadii())
    np.testing.assert_array_equal(drawn.legs, np.tile(usual, (4, 1)))
    wanted_parts = figure.plain(hips, drawn.leg)._replace(head=(0.0, 0.0, 0.0))
    wanted_parts = figure.make_figure(wanted_parts, (), drawn.leg, ()).parts
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
        (changed("body_parts", (1, 0), 9.0), r"field body_parts: .*parts\[1\].node` to be one of"),
        (changed("body_parts", (1, 1), 0.5), r"field body_parts: .*parts\[1\].paint` to be one of"),
        (changed("body_parts", (0, 2), 0.0), "the first is an Ellipsoid"),
        (changed("body_parts", (2, 2), -1.0), r"parts\[2\].power` to be a number from 1 to 20"),
        (changed("body_parts", (2, 3), 1e9), r"parts\[2\].\w+` to be 3 numbers from -100 to 100"),
        (changed("body_pivots", (0, 1), 1e9), "`head` to be 3 numbers"),
        (
            changed("leg_radii", (1, 1), -1.0),
            "field leg_radii: expected radii from 0 to 100, got",
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
    walk = walk._replace(head_rotation=turn)
    view = camera.follow(walk, handmade.flat)(7)
    animal = scene.Animal(walk, camera.span_of(walk))
    solids = animal.solids(7, view)
    pose = figure.pose_of(animal.figure, walk, animal.rotations, 7)
    [nose] = [
        s
        for s in solids
        if isinstance(s, scene.Lump) and np.max(s.half) < 0.031 * animal.leg and s.paint == "body"
    ]
    part = next(
        p
        for p in animal.figure.parts
        if p.node == "head"
        and p.paint == "body"
        and isinstance(p, Ellipsoid)
        and np.max(p.half) < 0.031 * animal.leg
    )
    [(place, rotation)] = pose.places["head"]
    np.testing.assert_allclose(
        nose.centre, view.to_space(place + rotate(rotation, part.centre)), atol=1e-5
    )
    body = figure.unit_rotations(walk.body_rotation)[7]
    pivot = walk.body_position[7] + rotate(body, animal.figure.pivots["head"])
    np.testing.assert_allclose(place, pivot, atol=1e-12)
    assert np.abs(np.dot(rotation, body)) < 0.95  # the head has a rotation of its own
    paws = [s for s in solids if s.paint == "feet"]
    assert len(paws) == 4
    for paw, foot in zip(paws, walk.feet[7], strict=True):
        assert np.linalg.norm(paw.centre - view.to_space(foot)) < 0.06 * animal.leg
