"""Legs of three segments, in films, pictures and models of the same walk."""

import io
import re

import numpy as np
import pytest

import handmade
from twobone import creature
from twobone.pictures import camera, figure, legs, model, scene, walking
from twobone.rotations import rotate, rotation_vector_to_quaternion

DOG = creature.walk("dog", terrain=0.15, seconds=2.0, fps=20, seed=3)
TWO_BONES = handmade.make_walk(0.5)


def test_legs_with_a_third_segment_have_an_ankle():
    assert legs.has_ankle(DOG.bones).all()
    assert not legs.has_ankle(TWO_BONES.bones).any()
    points = legs.points_of(DOG, 7)
    np.testing.assert_array_equal(points[1, 2], DOG.ankles[7, 1])
    np.testing.assert_array_equal(legs.points_of(DOG, [7, 9])[0], points)


@pytest.mark.parametrize("walk", [DOG, TWO_BONES], ids=["three", "two"])
def test_a_film_shows_a_cone_for_each_segment(walk):
    animal = scene.Animal(walk)
    view = camera.follow(animal, handmade.flat)(7)
    solids = animal.solids(7, view)
    thighs, shins, lowest = (
        [s for s in solids if s.paint == paint] for paint in ("thighs", "shins", "metatarsi")
    )
    count = len(walk.bones)
    assert (len(thighs), len(shins)) == (count, count)
    assert len(lowest) == (count if walk is DOG else 0)
    for leg, radii in enumerate(animal.figure.legs):
        hip, knee, ankle, foot = view.to_space(legs.points_of(walk, 7)[leg])
        own = [shins[leg], *lowest[leg : leg + 1]]
        np.testing.assert_allclose(thighs[leg].start, hip, atol=1e-5)
        np.testing.assert_allclose(thighs[leg].end, knee, atol=1e-5)
        np.testing.assert_allclose(own[0].start, knee, atol=1e-5)
        assert thighs[leg].radii == (radii.hip, figure.KNEECAP * radii.knee)
        bone = (ankle if walk is DOG else knee) - foot
        tip = foot + radii.tip * bone / np.linalg.norm(bone)
        np.testing.assert_allclose(own[-1].end, tip, atol=1e-5)
        if walk is DOG:
            np.testing.assert_allclose(own[0].end, ankle, atol=1e-5)
            heel = ankle + radii.heel * bone / np.linalg.norm(bone)
            np.testing.assert_allclose(own[1].start, heel, atol=1e-5)
            assert own[0].radii == (radii.knee, radii.ankle)
            assert own[1].radii == (figure.KNEECAP * radii.ankle, radii.tip)
        else:
            assert own[0].radii == (radii.knee, radii.tip)


def test_balls_of_no_size_are_left_out():
    points = legs.points_of(DOG, 0)[0]
    radii = creature.LegRadii(joint=0.1, foot=0.0)
    assert [paint for paint, *_ in legs.balls_of(points, radii, 0.7)] == ["joints", "joints"]
    assert len(legs.balls_of(points, radii._replace(joint=0.0, foot=0.1), 0.7)) == 1


def test_a_picture_shows_legs_that_are_bent_twice():
    text = walking.draw(DOG, handmade.flat)
    ways = re.findall(r'class="limb \w+-shins"[^>]* d="([^"]*)"', text)
    assert len(ways) > 4
    assert {line.count("L") for way in ways for line in re.split("M", way)[1:]} == {2}
    straight = walking.draw(TWO_BONES, handmade.flat)
    ways = re.findall(r'class="limb \w+-shins"[^>]* d="([^"]*)"', straight)
    assert {line.count("L") for way in ways for line in re.split("M", way)[1:]} == {1}
    # Two filled shapes below the knee of each leg of the last pose, or one.
    shins = r'class="mark leg \w+-(?:shins|metatarsi)"'
    assert len(re.findall(shins, text)) == 2 * 4
    assert len(re.findall(shins, straight)) == 6


def test_models_of_legs_with_and_without_a_third_segment_can_be_told_apart():
    files = []
    for walk in (DOG, TWO_BONES):
        file = io.BytesIO()
        model.write_glb(file, walk)
        files.append(file.getvalue())
    assert files[0].count(b'"metatarsus_') == 4
    assert b"metatarsus" not in files[1]


@pytest.mark.parametrize("after", [1.0, -1.0])  # the leg bends to the same side or to the other
def test_planes_do_not_jump_where_a_leg_becomes_straight(after):
    bend = np.linspace(0.5, -0.5, 41)
    bend[18:23] = 0.0
    bend[bend < 0.0] *= -after
    first = np.stack([0.0 * bend, -np.cos(bend), np.sin(bend)], axis=-1)
    second = first * [1.0, 1.0, -1.0]
    # Meanwhile the plane of the leg turns slowly.
    turn = np.linspace(0.0, 1.0, 41)[:, None] * [0.0, 1.0, 0.0]
    first, second = (rotate(rotation_vector_to_quaternion(turn), v) for v in (first, second))
    [found] = np.moveaxis(legs.leg_normals(first[:, None], second[:, None]), 1, 0)
    assert np.max(np.linalg.norm(np.diff(found, axis=0), axis=-1)) < 0.2
    # A straight leg keeps the plane that it had last.
    last = np.array([np.cos(turn[17, 1]), 0.0, -np.sin(turn[17, 1])])
    np.testing.assert_allclose(np.abs(found[18:23] @ last), 1.0, atol=1e-9)


def test_a_leg_that_is_never_bent_has_its_knee_in_front():
    down = np.tile([0.0, -1.0, 0.0], (5, 1, 1))
    np.testing.assert_array_equal(legs.leg_normals(down, 2.0 * down), [[[1.0, 0.0, 0.0]]] * 5)


def test_a_heel_lies_under_the_ankle_away_from_the_knee():
    points = np.array([[0.0, 1.0, 0.0], [0.0, 0.5, 0.1], [0.0, 0.1, 0.0], [0.0, 0.0, 0.2]])
    _, _, (_, heel, *_) = legs.cones_of(points, creature.LegRadii(under=0.05), True, 1.0)
    under = heel - points[2]
    assert np.linalg.norm(under) == pytest.approx(0.05)
    assert under @ (points[3] - points[2]) == pytest.approx(0.0, abs=1e-12)
    assert under[1] < 0.0
    assert under[2] < 0.0
    in_line = np.array([[0.0, 1.0], [0.0, 0.6], [0.0, 0.2], [1e-9, 0.0]])  # seen from the front
    _, _, (_, heel, *_) = legs.cones_of(in_line, creature.LegRadii(under=0.05), True, 1.0)
    np.testing.assert_allclose(heel, in_line[2], atol=1e-6)
