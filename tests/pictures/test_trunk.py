"""Trunks that bend, in pictures, films and models: each part sits where the trunk is."""

import json
import struct

import numpy as np
import pytest

from twobone import creature
from twobone.errors import FileError
from twobone.files.recordings import read_recording, write_recording
from twobone.pictures import figure, trunk
from twobone.pictures.keyframes import at_rate, make_keys, place
from twobone.pictures.model import write_glb
from twobone.pictures.scene import Animal
from twobone.pictures.walking import draw
from twobone.rotations import inverse, multiply, rotate

GROUND = creature.make_terrain(0.25, "centipede", seed=4)
WALK = creature.walk("centipede", terrain=GROUND, seconds=1.0, seed=4)
HALFWAY = 30


def height(along, frame=HALFWAY):
    return np.polynomial.polynomial.polyval(along, WALK.body_bend[frame])


def drawn(walk=WALK, frame=HALFWAY):
    """Return the figure of a walk and its pose in a frame."""
    animal = Animal(walk, 5.0)
    return animal.figure, figure.pose_of(animal.figure, walk, animal.rotations, frame)


def test_heights_and_pitches_are_those_of_the_polynomial():
    bend = np.array([0.2, -0.3, 0.1, 0.05])
    along = np.linspace(-2.0, 2.0, 9)
    heights, turns = trunk.carried(np.tile(bend, (9, 1)), along)
    np.testing.assert_allclose(heights, np.polynomial.polynomial.polyval(along, bend))
    ahead = rotate(turns, [0.0, 0.0, 1.0])
    slopes = np.polynomial.polynomial.polyval(along, [-0.3, 0.2, 0.15])
    np.testing.assert_allclose(ahead[:, 1] / ahead[:, 2], slopes, atol=1e-12)
    np.testing.assert_allclose(ahead[:, 0], 0.0, atol=1e-15)


def test_a_trunk_without_bend_moves_nothing():
    offset, turn = trunk.moved(np.zeros(4), 1.3)
    assert offset.tolist() == [0.0, 0.0, 0.0]
    assert turn.tolist() == [0.0, 0.0, 0.0, 1.0]


def test_segments_head_and_tail_sit_on_the_trunk():
    shape, pose = drawn()
    back = inverse(WALK.body_rotation[HALFWAY])
    for part in shape.of("body"):
        [(at, turn)] = pose.places_of(part)
        middle = rotate(back, at + rotate(turn, part.centre) - WALK.body_position[HALFWAY])
        along = figure.along_of(part)
        _, own = trunk.carried(WALK.body_bend[HALFWAY], along)
        off = rotate(own, part.centre - [0.0, 0.0, along])
        np.testing.assert_allclose(middle - off, [0.0, height(along), along], atol=1e-12)
    for node in ("head", "tail"):
        [(at, _)] = pose.places_of(shape.of(node)[0])
        pivot = shape.pivots[node]
        own = rotate(back, at - WALK.body_position[HALFWAY])
        np.testing.assert_allclose(own - pivot, height(pivot[2]) * trunk.UP, atol=1e-12)


def test_a_head_pitches_with_the_end_of_the_trunk():
    still = WALK._replace(head_rotation=None)
    shape, pose = drawn(still)
    [(_, turn)] = pose.places_of(shape.of("head")[0])
    _, pitch = trunk.carried(WALK.body_bend[HALFWAY], shape.pivots["head"][2])
    np.testing.assert_allclose(turn, multiply(WALK.body_rotation[HALFWAY], pitch), atol=1e-12)


def test_a_picture_of_it_can_be_drawn():
    assert draw(WALK, GROUND) != draw(WALK._replace(body_bend=None), GROUND)


def nodes_of(path):
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    model = json.loads(data[20 : 20 + length])
    return {node["name"]: node for node in model["nodes"]}, model


def test_the_model_has_a_joint_for_each_segment(tmp_path):
    write_glb(tmp_path / "walk.glb", WALK)
    nodes, model = nodes_of(tmp_path / "walk.glb")
    spine = [f"spine_{number}" for number in range(1, 11)]
    assert set(spine) <= set(nodes)
    assert "spine_11" not in nodes
    numbers = [model["nodes"].index(nodes[name]) for name in spine]
    assert set(numbers) <= set(nodes["body"]["children"])
    assert set(numbers) <= set(model["skins"][0]["joints"])
    for name in spine:
        x, y, z = nodes[name]["translation"]
        assert x == 0.0
        assert y == pytest.approx(height(z, 0), abs=1e-6)
    forward = [nodes[name]["translation"][2] for name in spine]
    assert forward == sorted(forward, reverse=True)
    assert nodes["head"]["translation"][1] != pytest.approx(nodes["tail"]["translation"][1])


def test_a_stiff_animal_has_no_spine(tmp_path):
    write_glb(tmp_path / "dog.glb", creature.walk("dog", seconds=0.2))
    assert not any(name.startswith("spine") for name in nodes_of(tmp_path / "dog.glb")[0])


def test_in_every_key_the_legs_are_where_the_recording_has_them():
    found = place(make_keys(WALK))
    for name in ("hips", "knees", "feet"):
        np.testing.assert_allclose(getattr(found, name), getattr(WALK, name), atol=1e-5)


def test_between_frames_the_trunk_is_interpolated():
    found = at_rate(WALK, 120.0)
    np.testing.assert_array_equal(found.body_bend[::2], WALK.body_bend)
    np.testing.assert_allclose(
        found.body_bend[1::2], 0.5 * (WALK.body_bend[1:] + WALK.body_bend[:-1])
    )


@pytest.mark.parametrize("suffix", ["npz", "json"])
def test_it_is_kept_in_files(tmp_path, suffix):
    path = tmp_path / f"walk.{suffix}"
    write_recording(path, WALK)
    assert np.array_equal(read_recording(path).body_bend, WALK.body_bend)


@pytest.mark.parametrize("bend", [1e200, -1e5])
def test_a_recording_with_an_absurd_bend_is_refused(tmp_path, bend):
    walk = WALK._replace(body_bend=np.full_like(WALK.body_bend, bend))
    with pytest.raises(FileError, match="body_bend"):
        write_glb(tmp_path / "walk.glb", walk)
    assert not (tmp_path / "walk.glb").exists()
    with pytest.raises(FileError, match="bent by at most 100 lengths") as caught:
        draw(walk)
    assert caught.value.field == "body_bend"
