"""Hocks: where legs are bent below the knee, in films, pictures and models of the same walk."""

import io
import re

import numpy as np
import pytest

import handmade
from twobone import creature
from twobone.creature import Hock
from twobone.errors import FileError
from twobone.pictures import camera, figure, hocks, model, scene, walking
from twobone.rotations import multiply, rotate, rotation_vector_to_quaternion

DOG = creature.walk("dog", terrain=0.15, seconds=3.0, fps=20, seed=3)
HIND = [0, 1]
OWN = creature.animal("dog").appearance.hocks[0]


def places(walk):
    """Return the hocks of a walk, (T, L, 3)."""
    rotation = figure.unit_rotations(walk.body_rotation)
    return hocks.hock_points(figure.hocks_of(walk), walk, rotation)


def one_leg(knees, feet):
    """Return a walk of one leg with a hock, whose hip is at the origin."""
    walk = handmade.make_walk(len(knees) / 20.0, fps=20)
    knees, feet = (np.asarray(points, np.float64)[:, None] for points in (knees, feet))
    turn = np.tile([0.0, 0.0, 0.0, 1.0], (len(knees), 1))
    return walk._replace(
        **{name: getattr(walk, name)[:, :1] for name in ("stance", "ground")},
        hips=0.0 * knees,
        knees=knees,
        feet=feet,
        bones=np.ones((1, 2)),
        body_position=0.0 * walk.body_position,
        body_rotation=turn,
        leg_hocks=np.array([OWN]),
    )


def test_a_hock_is_behind_the_shin_in_the_plane_of_the_leg():
    found, hips, knees, feet = (part[:, HIND] for part in (places(DOG), *DOG[3:6]))
    shins, offsets = feet - knees, found - knees
    lengths = np.linalg.norm(shins, axis=-1)
    along = np.sum(offsets * shins, axis=-1) / lengths**2
    np.testing.assert_allclose(along, OWN.along, rtol=1e-12)
    behind = offsets - along[..., None] * shins
    np.testing.assert_allclose(np.linalg.norm(behind, axis=-1), OWN.behind * lengths, rtol=1e-9)
    # Away from the side to which the thigh bends the leg, and not out of its plane.
    normals = np.cross(knees - hips, shins)
    sizes = np.linalg.norm(normals, axis=-1)
    assert np.max(np.abs(np.sum(behind * normals, axis=-1)) / sizes) < 1e-12
    assert np.all(np.sum(behind * (knees - hips), axis=-1) < 0.0)
    # It keeps its angle, and what is solved is as it was.
    upper, lower = found - knees, feet - found
    cosines = np.sum(upper * lower, axis=-1)
    cosines /= np.linalg.norm(upper, axis=-1) * np.linalg.norm(lower, axis=-1)
    np.testing.assert_allclose(cosines, cosines[0, 0], rtol=1e-12)
    assert 30.0 < np.degrees(np.arccos(cosines[0, 0])) < 45.0


def test_other_legs_are_not_bent():
    np.testing.assert_array_equal(places(DOG)[:, 2:], DOG.feet[:, 2:])
    straight = DOG._replace(leg_hocks=DOG.leg_hocks * [1.0, 0.0, 1.0, 1.0])
    assert figure.hocks_of(straight) == [None] * 4
    assert places(straight) is straight.feet
    assert places(DOG._replace(leg_hocks=None)) is DOG.feet


def test_hocks_move_with_the_animal():
    turn, offset = rotation_vector_to_quaternion(np.array([0.4, -1.1, 0.7])), [3.0, -1.0, 2.0]
    moved = DOG._replace(
        body_rotation=multiply(turn, DOG.body_rotation),
        **{
            name: rotate(turn, getattr(DOG, name)) + offset
            for name in ("body_position", "hips", "knees", "feet")
        },
    )
    wanted = rotate(turn, places(DOG)) + offset
    np.testing.assert_allclose(places(moved), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("after", [1.0, -1.0])  # the leg bends to the same side or to the other
def test_hocks_do_not_jump_where_a_leg_becomes_straight(after):
    bend = np.linspace(0.5, -0.5, 41)
    bend[18:23] = 0.0
    bend[bend < 0.0] *= -after
    first = np.stack([0.0 * bend, -np.cos(bend), np.sin(bend)], axis=-1)
    second = first * [1.0, 1.0, -1.0]
    # Meanwhile the plane of the leg turns slowly.
    turn = np.linspace(0.0, 1.0, 41)[:, None] * [0.0, 1.0, 0.0]
    first, second = (rotate(rotation_vector_to_quaternion(turn), v) for v in (first, second))
    found = places(one_leg(first, first + second))[:, 0]
    steps = np.linalg.norm(np.diff(found, axis=0), axis=-1)
    assert np.max(steps) < 0.06
    # A straight leg keeps the plane that it had last.
    last = -OWN.behind * np.array([np.sin(turn[17, 1]), 0.0, np.cos(turn[17, 1])])
    wanted = np.array([0.0, -1.0 - OWN.along, 0.0]) + last
    np.testing.assert_allclose(found[18:23], [wanted] * 5, atol=1e-9)


def test_a_leg_that_is_never_bent_has_its_hock_behind():
    down = np.tile([0.0, -1.0, 0.0], (5, 1))
    found = places(one_leg(down, 2.0 * down))
    np.testing.assert_allclose(found, [[[0.0, -1.0 - OWN.along, -OWN.behind]]] * 5, atol=1e-12)
    # Also where the shin lies across the body, or has no length.
    across = np.tile([1.0, 0.0, 0.0], (5, 1))
    found = places(one_leg(across, 2.0 * across))[:, 0]
    np.testing.assert_allclose(np.linalg.norm(found[0] - [1.0, 0.0, 0.0]), np.hypot(*OWN[:2]))
    np.testing.assert_array_equal(places(one_leg(down, down))[:, 0], down)


@pytest.mark.parametrize(
    "row",
    [[1.5, 0.1, 0.02, 0.0], [0.5, -0.1, 0.02, 0.0], [0.5, 0.1, -1.0, 0.0], [0.5, 0.1, 0, 1e9]],
)
def test_recordings_of_invalid_hocks_say_why(row):
    walk = DOG._replace(leg_hocks=np.array([row] * 4))
    for draw in (walking.draw, lambda walk: model.write_glb(io.BytesIO(), walk)):
        with pytest.raises(FileError, match="field leg_hocks: expected 2 numbers from 0 to 1"):
            draw(walk)


def test_a_film_shows_two_cones_from_knee_to_foot():
    view = camera.follow(DOG, handmade.flat)(7)
    animal = scene.Animal(DOG, camera.span_of(DOG))
    shins = [part for part in animal.solids(7, view) if part.paint == "shins"]
    assert len(shins) == 2 * 2 + 2
    radii, hock = animal.figure.legs[0], animal.figure.hocks[0]
    assert hock == Hock(*(OWN[:2]), *(animal.leg * value for value in OWN[2:]))
    for leg in HIND:
        lower, metatarsus = shins[2 * leg : 2 * leg + 2]
        knee, bend, foot = (
            view.to_space(points[7, leg]) for points in (DOG.knees, places(DOG), DOG.feet)
        )
        np.testing.assert_allclose(lower.start, knee, atol=1e-5)
        np.testing.assert_allclose(lower.end, bend, atol=1e-5)
        up = (bend - foot) / np.linalg.norm(bend - foot)
        np.testing.assert_allclose(metatarsus.start, bend + hock.heel * up, atol=1e-5)
        np.testing.assert_allclose(metatarsus.end, foot + radii.ankle * up, atol=1e-5)
        assert lower.radii == (radii.knee, hock.radius)
        assert metatarsus.radii == (hock.radius, radii.ankle)


def test_a_picture_shows_legs_that_are_bent_twice():
    text = walking.draw(DOG, handmade.flat)
    ways = re.findall(r'class="limb second"[^>]* d="([^"]*)"', text)
    assert len(ways) > 4
    lines = [line for way in ways for line in re.split("M", way)[1:]]
    assert sorted({line.count("L") for line in lines}) == [1, 2]  # fore legs, hind legs
    straight = walking.draw(DOG._replace(leg_hocks=None), handmade.flat)
    ways = re.findall(r'class="limb second"[^>]* d="([^"]*)"', straight)
    assert {line.count("L") for way in ways for line in re.split("M", way)[1:]} == {1}
    # One more filled shape for each hind leg of the last pose.
    shins = 'class="mark second"'
    assert text.count(shins) == straight.count(shins) + 2
