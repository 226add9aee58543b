"""Trunks that bend, in pictures, films and models: each part sits where the trunk is."""

import io
import json
import struct

import numpy as np
import pytest

import handmade
from twobone import creature
from twobone.creature import Appearance, Capsule, Ellipsoid
from twobone.errors import FileError
from twobone.pictures import figure, rig, trunk
from twobone.pictures.keyframes import at_rate
from twobone.pictures.model import write_glb
from twobone.pictures.scene import Animal
from twobone.pictures.trunk import Seat, Trunk
from twobone.pictures.walking import draw
from twobone.rotations import (
    multiply,
    nlerp,
    normalize,
    rotate,
    rotation_vector_to_quaternion,
)

GROUND = creature.make_terrain(0.25, "centipede", seed=4)
WALK = creature.walk("centipede", terrain=GROUND, seconds=1.0, seed=4)
DOG = creature.walk("dog", terrain=0.15, seconds=1.0, turn=0.5, seed=2)
HALFWAY = 30
AHEAD = np.array([0.0, 0.0, 1.0])


def made(count=4):
    """Return a trunk that winds: its stations, from any numbers."""
    draw = np.random.default_rng(count)
    along = np.cumsum(draw.uniform(0.3, 1.0, count)) - 1.0
    places = np.stack([0.2 * draw.standard_normal(count) for _ in range(3)], axis=-1)
    turns = rotation_vector_to_quaternion(0.4 * draw.standard_normal((count, 3)))
    return Trunk(along, places + along[:, None] * AHEAD, turns)


def drawn(walk=WALK, frame=HALFWAY):
    """Return the figure of a walk and its pose in a frame."""
    animal = Animal(walk)
    return animal.figure, animal.poses.at(frame)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_trunk_goes_through_its_stations_in_their_direction(count):
    line = made(count)
    for k, z in enumerate(line.along):
        at = trunk.seat(line, z)
        np.testing.assert_allclose(at.place, line.places[k], atol=1e-15)
        assert abs(np.dot(at.rotation, line.rotations[k])) == pytest.approx(1.0, abs=1e-12)
        for step in (1e-6, -1e-6):  # to both sides: smooth
            near = trunk.seat(line, z + step)
            way = (near.place - at.place) / step
            np.testing.assert_allclose(way, rotate(at.rotation, AHEAD), atol=1e-5)
            assert abs(np.dot(near.rotation, at.rotation)) == pytest.approx(1.0, abs=1e-9)


def test_beyond_its_ends_a_trunk_is_straight():
    line = made()
    for end, z in ((0, line.along[0] - 0.7), (-1, line.along[-1] + 0.4)):
        at = trunk.seat(line, z)
        np.testing.assert_array_equal(at.rotation, line.rotations[end])
        off = rotate(line.rotations[end], (z - line.along[end]) * AHEAD)
        np.testing.assert_allclose(at.place, line.places[end] + off, atol=1e-15)


def test_a_straight_trunk_moves_all_its_parts_alike():
    turn, offset = normalize(np.array([0.1, 0.4, -0.2, 0.9])), np.array([1.0, 2.0, 3.0])
    along = np.array([-0.4, 0.1, 0.6])
    line = Trunk(along, offset + rotate(turn, along[:, None] * AHEAD), np.tile(turn, (3, 1)))
    for z in (-1.0, -0.4, -0.2, 0.3, 0.6, 2.0):
        at = trunk.space(line, z)
        np.testing.assert_allclose(at.place, offset, atol=1e-12)
        np.testing.assert_allclose(at.rotation, turn, atol=1e-12)


def test_between_stations_it_arches_as_a_bent_beam():
    """The middle of a beam whose ends are pitched by 0.1 both ways is higher by 0.1 L / 4."""
    pitch = rotation_vector_to_quaternion(np.array([[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]]))
    line = Trunk(np.array([0.0, 2.0]), np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 2.0]]), pitch)
    at = trunk.seat(line, 1.0)
    np.testing.assert_allclose(at.place, [0.0, np.sin(0.1) * 2.0 / 4.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(at.rotation, nlerp(*pitch, 0.5), atol=1e-15)


@pytest.mark.parametrize("walk", [WALK, DOG], ids=["centipede", "dog"])
def test_parts_of_the_body_sit_on_the_trunk(walk):
    shape, pose = drawn(walk)
    line = Trunk(walk.along, walk.stations[HALFWAY], walk.station_rotations[HALFWAY])
    for part in shape.of("body"):
        [(at, turn)] = pose.spaces_of(part)
        along = figure.along_of(part)
        seat = trunk.seat(line, along)
        np.testing.assert_allclose(at + rotate(turn, along * AHEAD), seat.place, atol=1e-12)
        np.testing.assert_allclose(np.abs(np.dot(turn, seat.rotation)), 1.0, atol=1e-12)


def test_links_rotate_about_pivots_on_what_bears_them():
    nod = rotation_vector_to_quaternion(np.random.default_rng(1).normal(size=(4, 3)))
    neck = np.tile(nod, (len(DOG.time), 1, 1))
    shape, pose = drawn(DOG._replace(neck=neck))
    front, turn = DOG.stations[HALFWAY, -1], DOG.station_rotations[HALFWAY, -1]
    pivots, bearer, rotation = shape.pivots, DOG.along[-1] * AHEAD, turn
    for link, node in enumerate(["neck", "head", "ear_left"]):
        [(at, found)] = pose.spaces_of(shape.of(node)[0])
        np.testing.assert_allclose(found, multiply(turn, nod[link]), atol=1e-12)
        np.testing.assert_allclose(at, front + rotate(rotation, pivots[node] - bearer), atol=1e-12)
        front, bearer, rotation = at, pivots[node], found


def test_the_head_follows_the_last_link_of_a_neck_that_is_not_described():
    nod = rotation_vector_to_quaternion(np.array([[0.3, 0.0, 0.0], [0.0, 0.5, 0.1]]))
    spider = creature.walk("spider", seconds=0.1)
    of_body_and_head = spider.body_parts[:, 0] < 3  # of links, the head is the first one
    spider = spider._replace(body_parts=spider.body_parts[of_body_and_head], neck_links=None)
    shape, pose = drawn(spider._replace(neck=np.tile(nod, (len(spider.time), 1, 1))), 0)
    turn = spider.station_rotations[0, -1]
    [(_, found)] = pose.spaces_of(shape.of("head")[0])
    np.testing.assert_allclose(found, multiply(turn, nod[1]), atol=1e-12)


def test_without_rotations_links_are_as_at_rest():
    turn = DOG.station_rotations[HALFWAY, -1]
    shape, pose = drawn(DOG._replace(neck=None))
    [(_, found)] = pose.spaces_of(shape.of("head")[0])
    np.testing.assert_allclose(found, turn, atol=1e-12)


TAIL = (
    Ellipsoid("body", (0.0, 0.0, 0.0), (0.2, 0.1, 0.5)),
    Capsule("body", (0.0, 0.0, -0.5), (0.0, 0.0, -0.9), (0.1, 0.1), "tail"),
    Capsule("body", (0.0, 0.0, -0.9), (0.0, 0.0, -1.3), (0.1, 0.1), "tail"),
    Capsule("body", (0.0, 0.0, -1.3), (0.0, 0.0, -1.7), (0.1, 0.1), "tail"),
)


def test_links_of_a_tail_are_a_chain():
    shape = figure.make_figure(Appearance(TAIL, tail=(0.0, 0.0, -0.5)), (), 2.0)
    np.testing.assert_allclose(shape.tail, [0.0, 0.0, -2.4])
    bends = 0.3 * np.array([[0.0, 1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 2.0, 0.0]])
    links = np.tile(rotation_vector_to_quaternion(bends), (len(DOG.time), 1, 1))
    pose = figure.poses_of(shape, DOG._replace(tail=links)).at(HALFWAY)
    rear, turn = DOG.stations[HALFWAY, 0], DOG.station_rotations[HALFWAY, 0]
    end = rear + rotate(turn, (-1.0 - DOG.along[0]) * AHEAD)  # the pivot
    for part, link in zip(shape.of("tail"), links[0], strict=True):
        [(at, found)] = pose.spaces_of(part)
        np.testing.assert_allclose(found, multiply(turn, link), atol=1e-12)
        np.testing.assert_allclose(at + rotate(found, part.start), end, atol=1e-12)
        end = at + rotate(found, part.end)
    # With one link all move alike, and with none as the trunk does.
    for tail in (links[:, :1], None):
        pose = figure.poses_of(shape, DOG._replace(tail=tail)).at(HALFWAY)
        spaces = [pose.spaces_of(part)[0] for part in shape.of("tail")]
        for at, found in spaces:
            np.testing.assert_allclose(at, spaces[0].place, atol=1e-12)
            own = turn if tail is None else multiply(turn, tail[0, 0])
            np.testing.assert_allclose(found, own, atol=1e-12)


def test_a_tail_to_both_sides_is_straight_behind():
    ends = [Capsule("body", (0.0, 0.0, -0.5), (x, 0.1, -1.0), (0.1, 0.1), "tail") for x in (1, -1)]
    shape = figure.make_figure(Appearance((TAIL[0], *ends), tail=(0.0, 0.0, -0.5)), (), 1.0)
    np.testing.assert_allclose(shape.tail, [0.0, 0.1, -0.5])


def test_hips_are_found_in_the_straight_body():
    anatomy = creature.animal("dog").anatomy
    wanted = [[leg.aside, leg.up, anatomy.along[leg.station]] for leg in anatomy.legs]
    found = figure.hips_in_body(DOG)
    np.testing.assert_allclose(found, np.tile(wanted, (len(DOG.time), 1, 1)), atol=1e-12)
    stations = [leg.station for leg in creature.animal("centipede").anatomy.legs]
    np.testing.assert_array_equal(figure.stations_of_legs(WALK), stations)


def test_a_picture_of_it_can_be_drawn():
    stiff = WALK._replace(
        stations=WALK.body_position[:, None] + rotate(WALK.body_rotation[:, None], STRAIGHT),
        station_rotations=np.repeat(WALK.body_rotation[:, None], 10, axis=1),
    )
    assert draw(WALK, GROUND) != draw(stiff, GROUND)


STRAIGHT = WALK.along[:, None] * AHEAD


def nodes_of(walk, **options):
    file = io.BytesIO()
    write_glb(file, walk, **options)
    data = file.getvalue()
    length = struct.unpack("<I", data[12:16])[0]
    model = json.loads(data[20 : 20 + length])
    return {node["name"]: node for node in model["nodes"]}, model


def test_the_model_has_a_joint_for_each_station():
    nodes, model = nodes_of(WALK)
    spine = ["body", *(f"spine_{number}" for number in range(1, 10))]
    assert set(spine) <= set(nodes)
    assert "spine_10" not in nodes
    numbers = [model["nodes"].index(nodes[name]) for name in spine]
    assert set(numbers) <= set(model["skins"][0]["joints"])
    for name, after in zip(spine, numbers[1:], strict=False):
        assert after in nodes[name]["children"]
    # Each lies ahead of the one behind it, along its +y.
    gaps = np.diff(WALK.along)
    wanted = np.stack([0.0 * gaps, gaps, 0.0 * gaps], axis=-1)
    found = [nodes[name]["translation"] for name in spine[1:]]
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    # Legs, head and tail are on their stations.
    names = {k: node["name"] for k, node in enumerate(model["nodes"])}
    below = {name: {names[k] for k in nodes[name].get("children", ())} for name in spine}
    assert below["spine_9"] == {"head", "thigh_left_1", "thigh_right_1"}
    assert below["spine_6"] == {"spine_7", "thigh_left_4", "thigh_right_4"}
    assert below["body"] == {"spine_1", "tail_1", "thigh_left_10", "thigh_right_10"}
    assert {names[k] for k in nodes["tail_1"]["children"]} == {"tail_2"}


def test_an_animal_with_one_station_has_no_spine():
    nodes, _ = nodes_of(creature.walk("bird", seconds=0.2))
    assert not any(name.startswith("spine") for name in nodes)
    assert "thigh_left" in nodes


@pytest.mark.parametrize("walk", [WALK, DOG], ids=["centipede", "dog"])
def test_in_every_key_the_legs_are_where_the_recording_has_them(walk):
    shape = figure.figure_of(walk, None, float(walk.bones.sum(1).max()))
    bones = rig.make_rig(walk, shape, rig.root_of(walk))
    places = {bone.name: place for bone, place in zip(bones.bones, bones.places, strict=True)}
    names = rig.leg_names(figure.hips_in_body(walk)[0], bones.size)
    for leg, name in enumerate(names):
        for part, points in (
            ("thigh", walk.hips),
            ("shin", walk.knees),
            ("metatarsus", walk.ankles),
            ("foot", walk.feet),
        ):
            np.testing.assert_allclose(places[f"{part}_{name}"], points[:, leg], atol=1e-6)


def test_between_frames_the_trunk_is_interpolated():
    found = at_rate(WALK, 120.0)
    np.testing.assert_array_equal(found.stations[::2], WALK.stations)
    np.testing.assert_allclose(found.stations[1::2], 0.5 * (WALK.stations[1:] + WALK.stations[:-1]))
    for name in ("station_rotations", "tail", "neck"):
        own = getattr(WALK, name)
        middle = nlerp(own[1:], own[:-1], 0.5)
        dots = np.abs(np.sum(getattr(found, name)[1::2] * middle, axis=-1))
        np.testing.assert_allclose(dots, 1.0, atol=1e-12)


@pytest.mark.parametrize("name", ["stations", "along"])
def test_an_absurd_trunk_is_refused(tmp_path, name):
    walk = WALK._replace(**{name: 1e15 * getattr(WALK, name)})
    with pytest.raises(FileError, match=f"field {name}: expected sizes up to"):
        write_glb(tmp_path / "walk.glb", walk)
    assert not (tmp_path / "walk.glb").exists()
    message = "an animal of nonzero size" if name == "stations" else "field along: expected stati"
    with pytest.raises(FileError, match=message):
        draw(walk)


@pytest.mark.slow
def test_rotations_of_stations_may_be_of_any_length():
    huge = WALK._replace(station_rotations=2.0**900 * WALK.station_rotations)
    assert draw(huge, GROUND) == draw(WALK, GROUND)
    walk = handmade.make_walk(0.5)
    none = walk._replace(station_rotations=0.0 * walk.station_rotations)
    assert "mark ink" in draw(none, handmade.hills)
    assert isinstance(trunk.seat(figure.trunk_of(none), 0.3), Seat)
