"""The .glb of a walk: sound as a file, and its nodes are where the recording has them."""

import io
import itertools
import json
import struct
import tracemalloc

import numpy as np
import pytest

import handmade
import twobone
from gltf_files import matrix
from slow import all_but
from twobone import creature
from twobone.creature import Flat
from twobone.errors import FileError
from twobone.files.recordings import Recording
from twobone.pictures import figure, keyframes, legs, model, rig, shapes, skin
from twobone.rotations import (
    multiply,
    quaternion_to_matrix,
    rotate,
    rotation_vector_to_quaternion,
)

SIZES = {5126: "<f4", 5121: "u1", 5123: "<u2", 5125: "<u4"}
WIDTHS = {"SCALAR": (), "VEC3": (3,), "VEC4": (4,), "MAT4": (4, 4)}
PARTS = ("thigh", "shin", "foot")
LEGS = [f"{side}_{number}" for number in (3, 2, 1) for side in ("left", "right")]


class Parsed:
    """A .glb, read back by the letter of the specification."""

    def __init__(self, data):
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        assert size % 4 == 0
        self.scene = json.loads(data[20 : 20 + size])
        more, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert kind == b"BIN\0"
        assert more % 4 == 0
        self.binary = data[28 + size :]
        assert len(self.binary) == more
        assert [self.scene["buffers"][0]["byteLength"]] == [more]

    def accessor(self, index):
        accessor = self.scene["accessors"][index]
        view = self.scene["bufferViews"][accessor["bufferView"]]
        dtype, width = np.dtype(SIZES[accessor["componentType"]]), WIDTHS[accessor["type"]]
        start, count = view["byteOffset"], accessor["count"]
        assert start % 4 == 0
        assert view["byteLength"] == count * int(np.prod(width, dtype=int)) * dtype.itemsize
        assert 0 <= start <= start + view["byteLength"] <= len(self.binary)
        values = np.frombuffer(self.binary, dtype, view["byteLength"] // dtype.itemsize, start)
        return values.reshape(count, *width)

    def channels(self, clip="walk"):
        """Yield node, path, times and values of an animation."""
        [clip] = [one for one in self.scene["animations"] if one["name"] == clip]
        for channel in clip["channels"]:
            sampler = clip["samplers"][channel["sampler"]]
            assert sampler["interpolation"] == "LINEAR"
            values = self.accessor(sampler["output"]), self.accessor(sampler["input"])
            yield channel["target"]["node"], channel["target"]["path"], *values[::-1]

    def matrices(self, time=None, clip="walk"):
        """Return the matrix of each node by name, as the specification tells players to.

        Without a time it is at rest, as viewers show it that play nothing.
        """
        rest = {
            "translation": np.zeros(3),
            "rotation": np.array([0, 0, 0, 1.0]),
            "scale": np.ones(3),
        }
        nodes = [
            {path: np.array(node.get(path, usual)) for path, usual in rest.items()}
            for node in self.scene["nodes"]
        ]
        for node, path, times, values in self.channels(clip) if time is not None else ():
            nodes[node][path] = between(path, times, values, time)
        found = {}

        def walk(index, above):
            node = self.scene["nodes"][index]
            found[node["name"]] = above @ matrix(**nodes[index])
            for child in node.get("children", ()):
                walk(child, found[node["name"]])

        for root in self.scene["scenes"][0]["nodes"]:
            walk(root, np.eye(4))
        assert len(found) == len(self.scene["nodes"])
        return found

    def points(self, time=None):
        """Return hips, knees and feet of six legs: rear to front, left before right."""
        found = self.matrices(time)
        rows = [[found[f"{part}_{leg}"][:3, 3] for leg in LEGS] for part in PARTS]
        return np.array(rows)


def between(path, times, values, time):
    """Interpolate as the specification has it (Appendix C)."""
    values = values.astype(np.float64)
    i = int(np.clip(np.searchsorted(times, time, "right") - 1, 0, max(len(times) - 2, 0)))
    if len(times) == 1 or time <= times[i]:
        return values[i]
    share = (time - times[i]) / (float(times[i + 1]) - float(times[i]))
    a, b = values[i], values[i + 1]
    if path != "rotation":
        return a + share * (b - a)
    dot = np.dot(a, b)
    angle = np.arctan2(np.linalg.norm(a * np.sign(dot) - b) * np.linalg.norm(a + b), 2 * abs(dot))
    if angle < 1e-9:
        return a
    first, second = np.sin(angle * (1 - share)), np.sign(dot) * np.sin(angle * share)
    return (first * a + second * b) / np.sin(angle)


def written(recording, terrain=None, **options):
    file = io.BytesIO()
    model.write_glb(file, recording, terrain, **options)
    return file.getvalue()


# --- walks of every kind ------------------------------------------------------------------

WALK = handmade.make_walk(1.0)


def stretched():
    """Feet lower than the bones reach, as if these gave."""
    feet = WALK.feet - [0.0, 0.3, 0.0]
    return WALK._replace(ankles=feet, feet=feet)


def loose():
    """Hips that are not fixed to the body."""
    return WALK._replace(hips=WALK.hips + 0.01 * np.sin(9 * WALK.time)[:, None, None])


def straight():
    """Legs that are straight from time to time, or always, and then bend to the other side."""
    way = np.array([0.6, -0.8, 0.0])
    knees = WALK.hips + 1.6 * way
    bend = 0.3 * np.sin(7 * WALK.time)[:, None] * np.array([1, -1, 1, 0, 0, 1.0])
    bend[20:30] = 0.0
    turn = np.stack([0.6 * np.cos(bend) + 0.8 * np.sin(bend), 0.6 * np.sin(bend)], axis=-1)
    feet = knees + 1.2 * np.stack(
        [turn[..., 0], turn[..., 1] - 0.8 * np.cos(bend), np.zeros(bend.shape)], axis=-1
    )
    return WALK._replace(knees=knees, ankles=feet, feet=feet)


def unlike():
    """Legs of two kinds."""
    bones = handmade.BONES.copy()
    bones[2:4] = [1.5, 1.3, 0.0]
    knees = WALK.hips + np.array([0.0, 0.9, 1.2])
    knees = np.where(bones[:, :1] == 1.6, WALK.hips + np.array([0.0, 0.96, 1.28]), knees)
    feet = knees + [0, -1, 0] * bones[:, 1:2]
    return WALK._replace(bones=bones, knees=knees, ankles=feet, feet=feet)


def head_over_heels():
    """A body that turns over three times, with quaternions of either sign."""
    turn = rotation_vector_to_quaternion(WALK.time[:, None] * [18.0, 3.0, 1.0])
    about = lambda points: rotate(turn[:, None], points - WALK.body_position[:, None])  # noqa: E731
    signs = np.where(np.arange(len(turn)) % 3 == 0, -2.0, 1.0)[:, None]  # of any length, too
    return WALK._replace(
        station_rotations=(multiply(turn, WALK.body_rotation) * signs)[:, None],
        hips=about(WALK.hips),
        knees=about(WALK.knees),
        ankles=about(WALK.ankles),
        feet=about(WALK.feet),
        stations=np.zeros_like(WALK.stations),
    )


def with_ankles(walk):
    """Bend some legs of a walk below the knee, one of them beside the foot."""
    along, behind = [0.6, 0.6, 1.0, 1.0, 0.5, 0.5], [0.2, 0.2, 0.3, 0.3, 0.0, 0.0]
    return handmade.with_ankles(walk, along, behind)


KINDS = {
    "usual": WALK,
    "ankles": with_ankles(WALK),
    "stretched ankles": with_ankles(stretched()),
    "winding": handmade.winding(WALK),
    "elsewhere": handmade.turned(WALK, [0.0, 0.8, 0.0, 0.6], [3.0, -1.0, 2.0]),
    "stretched": stretched(),
    "loose": loose(),
    "straight": straight(),
    "unlike": unlike(),
    "head over heels": head_over_heels(),
    "one frame": handmade.make_walk(0.5, fps=2),
    "late": WALK._replace(time=WALK.time + 1e6),
}
kinds = pytest.mark.parametrize("walk", KINDS.values(), ids=KINDS)


@pytest.fixture(scope="module")
def whole():
    """Return a walk of 4 s on hills, as a file."""
    return written(handmade.make_walk(4.0), handmade.hills)


@pytest.mark.sampled(4)
@kinds
def test_hips_knees_and_feet_are_where_the_recording_has_them(walk):
    model = Parsed(written(walk))
    times = next(model.channels())[2]
    for frame in {0, 1 % len(times), len(times) // 2, len(times) * 5 // 6, len(times) - 1}:
        points = model.points(float(times[frame]))
        np.testing.assert_allclose(points[0], walk.hips[frame], rtol=0, atol=1e-6)
        np.testing.assert_allclose(points[1], walk.knees[frame], rtol=0, atol=1e-6)
        np.testing.assert_allclose(points[2], walk.feet[frame], rtol=0, atol=1e-6)
    assert times[0] == 0.0
    np.testing.assert_allclose(times, walk.time - walk.time[0], rtol=1e-6, atol=1e-9)


@pytest.mark.sampled(4)
@kinds
def test_at_rest_the_nodes_are_as_the_skin_is_bound(walk):
    model = Parsed(written(walk))
    names, bind = bound(model)
    rests = model.matrices()
    for name, held in zip(names, bind, strict=True):
        np.testing.assert_allclose(rests[name], held, rtol=0, atol=1e-5)
    np.testing.assert_allclose(rests["root"], np.eye(4), atol=1e-7)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", creature.ANIMALS)
def test_at_rest_an_animal_stands_on_level_ground(name):
    """However steep the ground of its walk is."""
    hills = creature.make_terrain(0.2, name, seed=3)
    found = Parsed(written(creature.walk(name, terrain=hills, seconds=3.0, turn=0.3))).matrices()
    anatomy = creature.animal(name).anatomy
    legs = sorted(part[6:] for part in found if part.startswith("thigh"))
    for leg in legs:
        foot, hip = found[f"foot_{leg}"][:3, 3], found[f"thigh_{leg}"][:3, 3]
        assert abs(foot[1]) < 1e-6 * anatomy.reach
        assert hip[1] == pytest.approx(anatomy.hip, rel=0.1)
        np.testing.assert_allclose(found[f"socket_{leg}"][1, 1], 1.0, atol=1e-6)
        # Left and right legs are mirror images.
        other = leg.replace("left", "right") if "left" in leg else leg.replace("right", "left")
        for part in ("thigh", "shin", "foot"):
            mirrored = found[f"{part}_{other}"][:3, 3] * [-1.0, 1.0, 1.0]
            np.testing.assert_allclose(found[f"{part}_{leg}"][:3, 3], mirrored, atol=1e-5)
    spine = [node for part, node in found.items() if part.startswith(("body", "spine"))]
    for node in spine:
        np.testing.assert_allclose(node[:3, 1], [0.0, 0.0, 1.0], atol=1e-6)
        np.testing.assert_allclose(node[:3, 0], [1.0, 0.0, 0.0], atol=1e-6)
        np.testing.assert_allclose(node[1, 3], spine[0][1, 3], atol=1e-6)


@pytest.mark.parametrize(
    ("hips", "names"),
    [
        ([[0.2, 0, 0], [-0.2, 0, 0]], ["left", "right"]),
        ([[-0.2, 0, 1], [0.2, 0, 1], [-0.2, 0, -1], [0.2, 0, -1]], "right_1 left_1 right_2 left_2"),
        ([[0.2, 0, -1], [-0.2, 0, -1], [0, 0, 1]], ["left", "right", "middle"]),
        ([[0.2, 0, -1], [0.2, 0, 0], [1e-5, 0, 1]], ["left_2", "left_1", "middle"]),
    ],
)
def test_legs_are_called_left_and_right_from_front_to_rear(hips, names):
    names = names.split() if isinstance(names, str) else names
    legs = [i % 6 for i in range(len(hips))]
    offsets = rotate(WALK.body_rotation[:, None], np.array(hips, np.float64))
    walk = WALK._replace(
        **{
            name: getattr(WALK, name)[:, legs]
            for name in ("knees", "ankles", "feet", "stance", "ground")
        },
        bones=WALK.bones[legs],
        hips=WALK.body_position[:, None] + offsets,
    )
    found = Parsed(written(walk)).matrices(0.0)
    for i, name in enumerate(names):
        np.testing.assert_allclose(found[f"thigh_{name}"][:3, 3], walk.hips[0, i], atol=1e-6)
        np.testing.assert_allclose(found[f"foot_{name}"][:3, 3], walk.feet[0, i], atol=1e-6)


@pytest.mark.sampled(4)
@kinds
def test_turns_are_unit_quaternions_that_go_the_short_way(walk):
    model = Parsed(written(walk))
    turns = [values for _, path, _, values in model.channels() if path == "rotation"]
    assert len(turns) >= 3 * walk.feet.shape[1]  # thigh, shin and foot
    for values in turns:
        np.testing.assert_allclose(np.linalg.norm(values, axis=-1), 1.0, rtol=0, atol=2e-7)
        assert np.all(np.sum(values[1:] * values[:-1], axis=-1) >= 0.0)


def turns_of(walk, part):
    """Return the rotations of the bones of a kind, (T, L, 4)."""
    shape = figure.figure_of(walk, figure.hips_in_body(walk), float(walk.bones.sum(1).max()))
    bones = rig.make_rig(walk, shape, rig.root_of(walk)).bones
    turns = [bone.turn for bone in bones if bone.name.startswith(part)]
    return np.stack(np.broadcast_arrays(*turns), axis=1)


def test_knees_are_hinges():
    """The leg's plane is that of thigh and shin: nothing but +x turns the knee."""
    for walk in (WALK, straight()):
        assert np.abs(turns_of(walk, "shin")[..., 1:3]).max() < 1e-6
    # Where the leg bends to the other side the thigh does not turn over.
    thighs = turns_of(straight(), "thigh")
    assert np.sum(thighs[1:] * thighs[:-1], axis=-1).min() > 0.99


def test_what_never_changes_is_not_animated():
    usual = {(node, path) for node, path, *_ in Parsed(written(WALK)).channels()}
    assert len(usual) == 4 + 18
    paths = [path for _, path, *_ in Parsed(written(stretched())).channels()]
    assert (paths.count("scale"), paths.count("translation")) == (12, 2 + 12)
    # Four legs have a metatarsus, and a trunk of three stations moves these.
    bent = {(node, path) for node, path, *_ in Parsed(written(with_ankles(WALK))).channels()}
    assert len(bent) == len(usual) + 4
    winds = {(node, path) for node, path, *_ in Parsed(written(handmade.winding(WALK))).channels()}
    assert len(winds) > len(usual) + 6
    paths = [path for _, path, *_ in Parsed(written(with_ankles(stretched()))).channels()]
    assert (paths.count("scale"), paths.count("translation")) == (16, 2 + 16)
    paths = [path for _, path, *_ in Parsed(written(loose())).channels()]
    assert paths.count("translation") >= 2 + 6


def test_stretched_bones_are_drawn_from_joint_to_joint():
    walk = stretched()
    model = Parsed(written(walk))
    found = model.matrices(float(next(model.channels())[2][30]))
    end = found["shin_left_2_stretched"] @ [0.0, 1.2, 0.0, 1.0]
    np.testing.assert_allclose(end[:3], walk.feet[30, 2], rtol=0, atol=1e-6)
    walk = with_ankles(walk)
    model = Parsed(written(walk))
    found = model.matrices(float(next(model.channels())[2][30]))
    end = found["shin_left_3_stretched"] @ [0.0, 1.2 * np.hypot(0.6, 0.2), 0.0, 1.0]
    np.testing.assert_allclose(end[:3], walk.ankles[30, 0], rtol=0, atol=1e-6)
    end = found["metatarsus_left_3_stretched"] @ [0.0, 1.2 * np.hypot(0.4, 0.2), 0.0, 1.0]
    np.testing.assert_allclose(end[:3], walk.feet[30, 0], rtol=0, atol=1e-6)


# --- the rig ------------------------------------------------------------------------------

DOG = creature.walk("dog", terrain=0.1, seconds=2.0, seed=1)


@pytest.fixture(scope="module")
def dog():
    return Parsed(written(DOG))


def bound(model):
    """Return the skin's joints by name, with the matrices that its mesh is bound to."""
    [skin] = model.scene["skins"]
    inverse = np.swapaxes(model.accessor(skin["inverseBindMatrices"]), 1, 2).astype(np.float64)
    names = [model.scene["nodes"][node]["name"] for node in skin["joints"]]
    return names, np.linalg.inv(inverse)


def skinned(model, time):
    """Return the vertices of the mesh, (V, 3), the names of the joints that hold them most."""
    names, bind = bound(model)
    found = model.matrices(time)
    moves = np.array([found[name] @ np.linalg.inv(b) for name, b in zip(names, bind, strict=True)])
    [mesh] = [mesh for mesh in model.scene["meshes"] if mesh["name"] == "animal"]
    places, owners = [], []
    for primitive in mesh["primitives"]:
        attributes = {name: model.accessor(k) for name, k in primitive["attributes"].items()}
        joints, weights = attributes["JOINTS_0"], attributes["WEIGHTS_0"].astype(np.float64) / 255.0
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
        assert np.all(np.diff(weights, axis=1) <= 0.02)  # the strongest first, but for rounding
        points = np.column_stack([attributes["POSITION"], np.ones(len(joints))])
        places.append(np.einsum("vk,vkij,vj->vi", weights, moves[joints], points)[:, :3])
        owners += [names[joint] for joint in joints[:, 0]]
    return np.concatenate(places), np.array(owners)


def test_all_joints_are_below_one_root(dog):
    names, _ = bound(dog)
    nodes = dog.scene["nodes"]
    [skin] = dog.scene["skins"]
    assert nodes[skin["skeleton"]]["name"] == names[0] == "root"
    parents = {k: i for i, node in enumerate(nodes) for k in node.get("children", ())}
    for joint in skin["joints"][1:]:
        assert parents[joint] in skin["joints"]
    chain = [parents[joint] for joint in skin["joints"]]
    above = {name: nodes[k]["name"] for name, k in zip(names, chain, strict=True)}
    assert above["root"] == "rig"
    assert [above[name] for name in ("body", "spine_1", "head")] == ["root", "body", "neck"]
    assert {above[name] for name in ("neck", "thigh_left_1")} == {"spine_1"}
    assert {above[name] for name in ("tail_1", "thigh_right_2")} == {"body"}
    assert above["ear_left"] == "head"
    assert [above[f"tail_{k}"] for k in (2, 3, 4)] == ["tail_1", "tail_2", "tail_3"]
    for number in ("left_1", "left_2", "right_1", "right_2"):
        assert above[f"shin_{number}"] == f"thigh_{number}"
        assert above[f"metatarsus_{number}"] == f"shin_{number}"
        assert above[f"foot_{number}"] == f"metatarsus_{number}"
        assert above[f"socket_{number}"] == f"foot_{number}"
    # A mesh with a skin is at the top: the transforms of nodes above it are ignored.
    roots = [nodes[k] for k in dog.scene["scenes"][0]["nodes"]]
    assert [node for node in roots if "skin" in node] == [
        node for node in nodes if "mesh" in node and "skin" in node
    ]


def test_the_mesh_is_bound_to_an_animal_that_stands(dog):
    names, bind = bound(dog)
    places = {name: matrix[:3, 3] for name, matrix in zip(names, bind, strict=True)}
    np.testing.assert_allclose(bind[0], np.eye(4), atol=1e-6)
    assert 0.6 < places["body"][1] < 0.75
    assert places["body"][2] < -0.3 < 0.3 < places["spine_1"][2]
    assert all(abs(places[f"foot_{leg}"][1]) < 1e-6 for leg in ("left_1", "right_2"))
    assert places["foot_left_1"][0] > 0.05 > -0.05 > places["foot_right_1"][0]
    assert places["head"][2] > places["thigh_left_1"][2] > places["thigh_left_2"][2]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "walk", [DOG, WALK, stretched(), loose()], ids=["dog", "insect", "stretched", "loose"]
)
def test_the_mesh_follows_the_bones(walk):
    model = Parsed(written(walk))
    times = next(model.channels())[2]
    bends = walk.ankles
    for frame in (0, 17, 44):
        places, owners = skinned(model, float(times[frame]))
        names = [n for n in bound(model)[0] if n.startswith("thigh") and "stretched" not in n]
        for name in names:
            leg = int(
                np.argmin(
                    np.linalg.norm(
                        walk.hips[frame] - model.matrices(float(times[frame]))[name][:3, 3], axis=-1
                    )
                )
            )
            bones = [
                (name, (walk.hips, walk.knees)),
                (name.replace("thigh", "shin"), (walk.knees, bends)),
            ]
            if (lowest := name.replace("thigh", "metatarsus")) in bound(model)[0]:
                bones.append((lowest, (bends, walk.feet)))
            for bone, ends in bones:
                own = places[np.char.startswith(owners, bone)]
                start, end = (points[frame, leg] for points in ends)
                axis = (end - start) / np.linalg.norm(end - start)
                along = (own - start) @ axis
                aside = np.linalg.norm(own - start - along[:, None] * axis, axis=-1)
                thick = 0.14 * walk.bones.sum(1).max()
                assert aside.max() < thick
                assert -thick < along.min() < 0.2 * thick
                assert 0.7 * np.linalg.norm(end - start) < along.max()
                assert along.max() < np.linalg.norm(end - start) + thick


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "dog"))
def test_the_mesh_of_all_parts_is_where_films_have_it(name):
    """In a film each part is stiff; where the mesh bends, it is near."""
    walk = creature.walk(name, terrain=0.15, seconds=1.0, turn=0.4, seed=4)
    model = Parsed(written(walk))
    leg = float(walk.bones.sum(1).max())
    shape = figure.figure_of(walk, None, leg)
    poses = figure.poses_of(shape, walk)
    for frame in (0, 25, 60):
        found, _ = skinned(model, float(np.float32(walk.time[frame])))
        for part in shape.parts:
            bands = 1 if part.node == "foot" else skin.BANDS
            points = shapes.part_shape(part, leg, bands).points[::37]
            most = 1e-5 if part.node == "foot" else 0.08
            for place, turn in poses.at(frame).spaces_of(part):
                wanted = place + rotate(turn, points)
                away = np.linalg.norm(wanted[:, None] - found, axis=-1).min(axis=1)
                assert away.max() < most * leg, (part, frame)


def test_the_mesh_bends_smoothly_along_the_trunk():
    """Neighbours in the mesh follow nearly the same bones."""
    model = Parsed(written(DOG))
    names, _ = bound(model)
    [mesh] = [mesh for mesh in model.scene["meshes"] if mesh["name"] == "animal"]
    paints = [material["name"] for material in model.scene["materials"]]
    for primitive in mesh["primitives"]:
        attributes = {name: model.accessor(k) for name, k in primitive["attributes"].items()}
        joints, weights = attributes["JOINTS_0"], attributes["WEIGHTS_0"] / 255.0
        table = np.zeros((len(joints), len(names)))
        for k in range(4):
            np.add.at(table, (np.arange(len(joints)), joints[:, k]), weights[:, k])
        edges = model.accessor(primitive["indices"]).reshape(-1, 3)[:, :2]
        steps = np.abs(table[edges[:, 0]] - table[edges[:, 1]]).sum(axis=1) / 2
        size = np.linalg.norm(
            attributes["POSITION"][edges[:, 0]] - attributes["POSITION"][edges[:, 1]], axis=1
        )
        # From one bone to the next over a length of at least a few centimetres.
        assert np.max(steps / np.maximum(size, 0.02)) < 25.0
        if paints[primitive["material"]] == "body":
            trunk = [names.index(name) for name in ("body", "spine_1")]
            both = np.min(table[:, trunk], axis=1) > 0.2
            assert np.count_nonzero(both) > 20
        if paints[primitive["material"]] == "thighs":
            shoulder = table[:, names.index("spine_1")], table[:, names.index("thigh_left_1")]
            assert np.any((shoulder[0] > 0.2) & (shoulder[1] > 0.2))


@pytest.mark.slow
def test_the_root_moves_on_the_ground_and_has_the_heading():
    walk = creature.walk("dog", seconds=3.0, turn=0.4)
    model = Parsed(written(walk))
    for frame in (0, 60, 150):
        found = model.matrices(float(walk.time[frame]))
        root = found["root"]
        np.testing.assert_allclose(root[1, :3], [0.0, 1.0, 0.0], atol=1e-6)  # upright
        assert root[1, 3] == pytest.approx(0.0, abs=1e-6)
        away = root[[0, 2], 3] - walk.body_position[frame, [0, 2]]
        assert np.hypot(*away) < 0.1
        forward = rotate(walk.body_rotation[frame], np.array([0.0, 0.0, 1.0]))
        turned = np.arctan2(root[0, 2], root[2, 2]) - np.arctan2(forward[0], forward[2])
        assert abs(np.remainder(turned + np.pi, 2.0 * np.pi) - np.pi) < 0.02
        np.testing.assert_allclose(found["body"][:3, 3], walk.stations[frame, 0], atol=1e-6)
    # The body's sway is not in the root's path, which is straight for a straight walk.
    straight = creature.walk("bird", seconds=4.0, turn=0.0)
    path = rig.root_of(straight).place[60:-60, 0]
    assert np.ptp(path) < 0.5 * np.ptp(straight.body_position[60:-60, 0])


def test_each_bone_lies_along_its_node(dog):
    for frame in (0, 40, 100):
        found = dog.matrices(float(DOG.time[frame]))
        points = legs.points_of(DOG, frame)
        for leg, name in enumerate(("left_2", "right_2", "left_1", "right_1")):
            for bone, part in enumerate(("thigh", "shin", "metatarsus")):
                start, end = points[leg, bone : bone + 2]
                node = found[f"{part}_{name}"]
                np.testing.assert_allclose(node[:3, 3], start, rtol=0, atol=1e-6)
                way = (end - start) / np.linalg.norm(end - start)
                np.testing.assert_allclose(node[:3, 1], way, rtol=0, atol=1e-6)
            # Thigh and shin turn about the same axis: the knee is a hinge.
            axes = [found[f"{part}_{name}"][:3, 0] for part in ("thigh", "shin")]
            np.testing.assert_allclose(axes[1], axes[0], rtol=0, atol=1e-6)


def test_sockets_stand_as_the_feet_do(dog):
    wanted = figure.foot_rotations(DOG)
    legs = ["left_2", "right_2", "left_1", "right_1"]
    for frame in (0, 40, 100):
        found = dog.matrices(float(DOG.time[frame]))
        for leg, name in enumerate(legs):
            socket = found[f"socket_{name}"]
            np.testing.assert_allclose(socket[:3, 3], DOG.feet[frame, leg], atol=1e-6)
            turn = quaternion_to_matrix(wanted[frame, leg])
            np.testing.assert_allclose(socket[:3, :3], turn, atol=1e-6)
    # While it stands, a foot whose rotation was not recorded does not rotate; the body may.
    turning = creature.walk("bird", seconds=4.0, turn=1.0)._replace(foot_rotation=None)
    feet = figure.foot_rotations(turning)
    both = turning.stance[1:] & turning.stance[:-1]
    assert np.max(np.abs(np.diff(feet, axis=0))[both]) == 0.0
    assert np.min(np.abs(np.sum(feet[1:] * feet[:-1], axis=-1))) > 0.99


def test_head_and_tail_rotate_about_their_pivots():
    turn = rotation_vector_to_quaternion(np.array([0.0, 0.5, 0.0]))
    still = DOG._replace(neck=None, tail=None)
    straight = np.array([0.0, 0.0, 0.0, 1.0])
    walk = still._replace(neck=np.tile([straight, turn, turn, turn], (len(DOG.time), 1, 1)))
    turned, straight = (Parsed(written(one)).matrices(1.0) for one in (walk, still))
    np.testing.assert_allclose(turned["neck"][:3, 3], straight["neck"][:3, 3], atol=1e-6)
    np.testing.assert_allclose(turned["tail"], straight["tail"], atol=1e-6)
    relative = straight["head"][:3, :3].T @ turned["head"][:3, :3]
    assert np.arccos((np.trace(relative) - 1.0) / 2.0) == pytest.approx(0.5, abs=1e-5)


def test_bones_point_to_the_next_of_their_chain(dog):
    """Blender draws a bone along +y."""
    found = dog.matrices()
    chains = ["body spine_1", "neck head", "tail_1 tail_2 tail_3 tail_4"]
    legs = [part[6:] for part in found if part.startswith("thigh")]
    chains += [f"thigh_{leg} shin_{leg} metatarsus_{leg} foot_{leg}" for leg in legs]
    for chain in chains:
        for name, after in itertools.pairwise(chain.split()):
            way = found[after][:3, 3] - found[name][:3, 3]
            way /= np.linalg.norm(way)
            np.testing.assert_allclose(found[name][:3, 1], way, atol=1e-5)
    for name in (f"foot_{legs[0]}", "head"):  # towards the toes, and the muzzle
        assert found[name][2, 1] > 0.9
    assert found["root"][1, 1] == 1.0


def test_a_tail_without_length_follows_its_bone():
    dog = creature.animal("dog")
    trunk = dog.appearance.parts[0]
    stub = creature.Ellipsoid("accent", dog.appearance.tail, (0.1, 0.1, 0.1), node="tail")
    dog = dog._replace(appearance=dog.appearance._replace(parts=(trunk, stub)))
    walk = creature.walk(dog, seconds=0.1, fps=20)
    leg = float(walk.bones.sum(1).max())
    shape = figure.figure_of(walk, None, leg)
    assert np.linalg.norm(shape.tail) == 0.0
    made = rig.make_rig(walk, shape, rig.root_of(walk))
    names = {bone.name: number for number, bone in enumerate(made.bones)}
    [piece] = skin._tail(skin.Body(made, shape, walk, names))
    assert [*piece.weights] == [names["tail_1"]]
    np.testing.assert_array_equal(piece.weights[names["tail_1"]], np.ones(len(piece.shape.points)))


# --- loops --------------------------------------------------------------------------------

CYCLE = creature.walk_cycle("dog", speed=0.9, fps=30)


@pytest.fixture(scope="module")
def loop():
    return Parsed(written(CYCLE, loop=True))


def test_a_loop_is_in_place_and_closed(loop):
    assert [clip["name"] for clip in loop.scene["animations"]] == ["walk", "walk_root_motion"]
    root = next(i for i, node in enumerate(loop.scene["nodes"]) if node["name"] == "root")
    both = [
        {(node, path) for node, path, *_ in loop.channels(clip)}
        for clip in ("walk", "walk_root_motion")
    ]
    assert both[0] == both[1]  # none is left where the other clip has moved it
    for node, path, times, values in loop.channels():
        if node == root:
            np.testing.assert_array_equal(values, 0.0 * values)
        np.testing.assert_array_equal(values[-1], values[0])
        np.testing.assert_allclose(times, np.arange(len(times)) / 30.0, atol=1e-6)
        if path == "translation":
            assert np.ptp(values[:, 1]) < 0.2  # +y is forward along the trunk
    body = [loop.matrices(float(time))["body"][:3, 3] for time in CYCLE.time]
    assert np.ptp(body, axis=0)[2] < 0.05


def test_the_root_motion_of_a_loop_has_its_speed_and_feet_do_not_slide(loop):
    root = next(i for i, node in enumerate(loop.scene["nodes"]) if node["name"] == "root")
    [moved] = [values for node, _, _, values in loop.channels("walk_root_motion") if node == root]
    frames = len(CYCLE.time) - 1
    steps = np.diff(moved, axis=0)
    np.testing.assert_allclose(steps * 30.0, np.tile([0.0, 0.0, 0.9], (frames, 1)), atol=1e-3)
    found = [loop.matrices(float(time), "walk_root_motion") for time in CYCLE.time]
    for leg, name in enumerate(("left_2", "right_2", "left_1", "right_1")):
        feet = np.array([each[f"foot_{name}"][:3, 3] for each in found])
        planted = CYCLE.stance[1:, leg] & CYCLE.stance[:-1, leg]
        assert np.max(np.abs(np.diff(feet, axis=0))[planted]) < 1e-6
        np.testing.assert_allclose(feet[CYCLE.stance[:, leg], 1], 0.0, atol=1e-6)


def test_what_a_recording_does_not_have_its_keys_do_not_have():
    bare = CYCLE._replace(tail=None, neck=None, blocked=None)
    moved, _ = keyframes.in_place(bare)
    assert moved.tail is moved.neck is None
    np.testing.assert_array_equal(moved.feet, keyframes.in_place(CYCLE)[0].feet)
    slower = keyframes.at_rate(bare, 15)
    assert slower.tail is slower.neck is slower.blocked is None
    np.testing.assert_array_equal(slower.feet, keyframes.at_rate(CYCLE, 15).feet)


def test_a_loop_has_no_ground(loop):
    assert [mesh["name"] for mesh in loop.scene["meshes"]] == ["animal"]
    both = written(CYCLE, 0, loop=True)
    assert both == written(CYCLE, loop=True)


def test_a_walk_that_does_not_end_as_it_began_is_no_loop():
    with pytest.raises(
        twobone.CreatureError, match="`loop` must be of a recording whose last pose"
    ):
        written(DOG, loop=True)


@pytest.mark.parametrize("rate", [24, 30, 60])
def test_keys_of_other_rates_are_those_of_the_walk(rate):
    model = Parsed(written(DOG, keys=rate))
    times = next(model.channels())[2].astype(np.float64)
    np.testing.assert_allclose(times, np.arange(len(times)) / rate, atol=1e-6)
    assert len(times) == 2 * rate + 1
    walk = keyframes.at_rate(DOG, rate)
    named = ["left_2", "right_2", "left_1", "right_1"]
    for number in (0, 7, 30, len(times) - 1):
        found = model.matrices(float(np.float32(times[number])))
        for leg, name in enumerate(named):
            for part, points in (
                ("thigh", walk.hips),
                ("shin", walk.knees),
                ("metatarsus", walk.ankles),
                ("foot", walk.feet),
            ):
                place = found[f"{part}_{name}"][:3, 3]
                np.testing.assert_allclose(place, points[number, leg], rtol=0, atol=1e-6)
    step = 60 // rate if 60 % rate == 0 else 5  # of 24 keys a second, every other is a frame
    every = 1 if 60 % rate == 0 else 2
    for name in ("hips", "knees", "ankles", "feet", "stations", "stance"):
        np.testing.assert_array_equal(getattr(walk, name)[::every], getattr(DOG, name)[::step])
    # Between two frames, too, feet in stance are where they stand, and bones keep their lengths.
    planted = walk.stance[1:] & walk.stance[:-1]
    assert np.max(np.abs(np.diff(walk.feet, axis=0))[planted]) < 1e-12
    points = np.moveaxis(legs.points_of(walk, slice(None)), 2, 0)
    for bone, (a, b) in enumerate(itertools.pairwise(points)):
        lengths = np.linalg.norm(b - a, axis=-1)
        np.testing.assert_allclose(lengths, np.tile(DOG.bones[:, bone], (len(a), 1)), rtol=1e-12)


@pytest.mark.parametrize("rate", [0, -24, np.nan, np.inf, 2000, "24", [24]])
def test_rates_that_make_no_model_say_so(rate):
    with pytest.raises(twobone.CreatureError, match="`keys` must be a number of keys per second"):
        written(WALK, keys=rate)


# --- as a file ----------------------------------------------------------------------------


def test_accessors_are_in_range_and_their_bounds_true(whole):
    model = Parsed(whole)
    bounded = 0
    for index, accessor in enumerate(model.scene["accessors"]):
        values = model.accessor(index)
        assert np.isfinite(values).all()
        if "min" in accessor:
            bounded += 1
            np.testing.assert_array_equal(np.ravel(values.min(axis=0)), accessor["min"])
            np.testing.assert_array_equal(np.ravel(values.max(axis=0)), accessor["max"])
    primitives = [p for mesh in model.scene["meshes"] for p in mesh["primitives"]]
    inputs = {sampler["input"] for sampler in model.scene["animations"][0]["samplers"]}
    demanded = {p["attributes"]["POSITION"] for p in primitives} | inputs
    assert all("min" in model.scene["accessors"][index] for index in demanded)
    assert bounded == len(demanded)
    for primitive in primitives:
        count = len(model.accessor(primitive["attributes"]["POSITION"]))
        assert len(model.accessor(primitive["attributes"]["NORMAL"])) == count
        indices = model.accessor(primitive["indices"])
        assert len(indices) % 3 == 0
        assert indices.max() == count - 1  # none too many, none for nothing
        assert primitive["material"] < len(model.scene["materials"])


def test_times_increase(whole):
    times = next(Parsed(whole).channels())[2]
    assert len(times) == 240
    assert np.all(np.diff(times) > 0)


def test_it_is_small_and_core_gltf(whole):
    assert len(whole) < 360_000
    scene = Parsed(whole).scene
    assert "extensionsUsed" not in scene
    assert [mesh["name"] for mesh in scene["meshes"]] == ["animal", "ground"]
    names = [material["name"] for material in scene["materials"]]
    assert len(set(names)) == len(names)


def test_equal_walks_make_equal_bytes():
    assert written(WALK, handmade.hills) == written(WALK, handmade.hills)


def test_materials_are_matt_and_coloured_as_light(whole):
    for material in Parsed(whole).scene["materials"]:
        surface = material["pbrMetallicRoughness"]
        assert surface["metallicFactor"] == 0.0
        assert surface["roughnessFactor"] > 0.5
    # sRGB's #3B, #42, #52 in linear units.
    colour = Parsed(whole).scene["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"]
    assert colour == pytest.approx([0.043735, 0.054480, 0.084376, 1.0], abs=1e-5)


# --- shapes -------------------------------------------------------------------------------

SOLIDS = {
    "capsule": shapes.capsule(1.6, 0.1, 0.06),
    "thick capsule": shapes.capsule(0.01, 0.1, 0.02),
    "no bone": shapes.capsule(0.0, 0.1, 0.1),
    "ball": shapes.ball(0.2, 3.0),
    "box": shapes.rounded_box(np.array([1.0, 0.5, 2.0]), (1.0, 2.0, 3.0), 4.0),
}


@pytest.mark.parametrize("shape", SOLIDS.values(), ids=SOLIDS)
def test_solids_are_seen_from_outside(shape):
    a, b, c = (shape.points[shape.triangles[:, i]] for i in range(3))
    faces = np.cross(b - a, c - a)
    area = np.linalg.norm(faces, axis=-1)
    assert area.min() > 0.0
    for corner in range(3):
        along = np.sum(faces * shape.normals[shape.triangles[:, corner]], axis=-1) / area
        assert along.min() > 0.5
    np.testing.assert_allclose(np.linalg.norm(shape.normals, axis=-1), 1.0, rtol=0, atol=1e-12)
    # Closed: each edge is passed once in each direction, poles apart.
    assert np.linalg.norm(faces.sum(axis=0)) < 1e-9 * area.sum()


def test_a_capsule_reaches_from_end_to_end():
    points = SOLIDS["capsule"].points
    assert points[:, 1].min() == pytest.approx(-0.1)
    assert points[:, 1].max() == pytest.approx(1.66)


def test_ground_is_that_of_the_terrain_and_bears_the_walk(whole):
    model = Parsed(whole)
    [mesh] = [mesh for mesh in model.scene["meshes"] if mesh["name"] == "ground"]
    attributes = mesh["primitives"][0]["attributes"]
    points = model.accessor(attributes["POSITION"]).astype(np.float64)
    normals = model.accessor(attributes["NORMAL"])
    x, y, z = points.T
    np.testing.assert_allclose(y, handmade.hills(x, z), rtol=0, atol=1e-6)
    slope_x = 0.12 * 1.1 * np.cos(1.1 * x + 0.3) * np.cos(0.8 * z)
    slope_z = -0.12 * 0.8 * np.sin(1.1 * x + 0.3) * np.sin(0.8 * z)
    wanted = np.stack([-slope_x, np.ones(len(x)), -slope_z], axis=-1)
    wanted /= np.linalg.norm(wanted, axis=-1, keepdims=True)
    np.testing.assert_allclose(normals, wanted, rtol=0, atol=1e-3)
    triangles = model.accessor(mesh["primitives"][0]["indices"]).reshape(-1, 3)
    a, b, c = (points[triangles[:, i]][:, [0, 2]] for i in range(3))
    areas = (b - a)[:, 1] * (c - a)[:, 0] - (b - a)[:, 0] * (c - a)[:, 1]
    assert areas.min() > 0  # seen from above
    for foot in handmade.make_walk(4.0).feet[::60].reshape(-1, 3)[:, [0, 2]]:
        assert is_within(foot, a, b, c)


def is_within(place, a, b, c):
    cross = lambda u, v: u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]  # noqa: E731
    sides = [cross(q - p, place - p) for p, q in ((a, b), (b, c), (c, a))]
    return np.any(np.all(np.array(sides) <= 1e-9, axis=0))


def test_ground_of_a_walk_far_from_its_start_takes_little_memory():
    path = np.linspace([0.0, 0.0], [2000.0, 2000.0], 2000)  # aslant: most cells are far from it
    tracemalloc.start()
    shape = shapes.ground(handmade.flat, path, 10.0, 2.8)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5e7
    assert len(shape.triangles) <= 2 * shapes.MOST_CELLS
    places = shape.points[:, [0, 2]]
    np.testing.assert_allclose(places.min(axis=0), path[0] - 10.0, atol=0.5)
    np.testing.assert_allclose(places.max(axis=0), path[-1] + 10.0, atol=0.5)


@pytest.mark.slow
def test_ground_of_a_long_walk_stays_small():
    around = np.linspace(0, 30, 5000)
    path = 40 * np.stack([np.sin(around), np.cos(0.7 * around)], axis=-1)
    shape = shapes.ground(handmade.flat, path, 3.0, 2.8)
    assert len(shape.triangles) <= 2 * shapes.MOST_CELLS
    here = shapes.ground(handmade.flat, path[:1], 3.0, 2.8)
    assert np.hypot(*(here.points[:, [0, 2]] - path[0]).T).max() == pytest.approx(3.0)


LONG = {  # the distance of places of a path, in lengths of a leg, and its corners
    "along x": (2.0, [[0.0, 0.0], [5000.0, 0.0]]),
    "aslant": (2.0, [[10.0, -7.0], [-1500.0, 4800.0]]),
    "corners": (2.0, [[0.0, 0.0], [2000.0, 300.0], [1500.0, 2000.0], [600.0, -400.0]]),
    "sparse": (100.0, [[0.0, 0.0], [2000.0, 1900.0]]),
    "in place": (2.0, [[3.0, 4.0], [3.0, 4.0]]),
}


def places_along(corners, step):
    lengths = np.linalg.norm(np.diff(corners, axis=0), axis=-1)
    ends = np.concatenate([[0.0], np.cumsum(lengths)])
    places = np.linspace(0.0, ends[-1], int(ends[-1] / step) + 1)
    return np.stack([np.interp(places, ends, values) for values in np.transpose(corners)], -1)


@pytest.mark.parametrize(("step", "corners"), LONG.values(), ids=LONG)
def test_ground_of_a_long_path_is_below_every_footprint(step, corners):
    """Also between places of the path that are farther apart than the ground is wide."""
    path = places_along(np.array(corners), step)
    shape = shapes.ground(handmade.hills, path, 1.0, 1.0)
    assert 0 < len(shape.triangles) <= 2 * shapes.MOST_CELLS
    assert np.all(np.isfinite(shape.points))
    assert np.all(np.isfinite(shape.normals))
    a, b, c = (shape.points[shape.triangles[:, i]][:, [0, 2]] for i in range(3))
    there = places_along(np.array(corners), 2.0)
    for angle, place in enumerate(there[:: max(1, len(there) // 60)]):
        assert is_within(place + 0.8 * np.array([np.sin(angle), np.cos(angle)]), a, b, c)


def test_ground_of_a_path_of_any_size_is_finite():
    shape = shapes.ground(handmade.flat, np.array([[0.0, 0.0], [1e9, 1e9]]), 1.0, 1.0)
    assert 0 < len(shape.triangles) <= 2 * shapes.MOST_CELLS
    assert np.all(np.isfinite(shape.points))


def test_terrain_is_a_function_or_has_one():
    class Hills:
        height = staticmethod(handmade.hills)

    assert written(WALK, Hills()) == written(WALK, handmade.hills)
    assert written(WALK, lambda x, z: 0.5) == written(WALK, Flat(0.5))


@pytest.mark.parametrize(
    ("terrain", "message"),
    [
        ("hills", "`terrain` must be a number, a terrain"),
        (
            lambda x, z: np.zeros(3),
            r"must return heights of shape \(\d+,\) .*, got \(3,\)",
        ),
        (
            lambda x, z: np.where(x > 1, np.nan, 0),
            r"`terrain` must return finite heights .*, got nan at x = 1\.\d+, z = ",
        ),
    ],
)
def test_ground_that_makes_no_sense_says_so(terrain, message):
    with pytest.raises(twobone.TwoBoneError, match=message):
        written(WALK, terrain)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"knees": WALK.knees + np.nan}, "field knees: expected finite numbers, got nan"),
        ({"time": np.zeros(60)}, "field time: expected increasing times, got times that do not"),
        ({"feet": WALK.feet * 1e12}, r"field feet: expected sizes up to 1e\+09 for a model, got"),
        ({"bones": np.zeros((6, 3))}, "field bones: expected a length for each leg, got 0"),
        (
            {"bones": WALK.bones[:5]},
            r"field hips: expected shape \(T, L, 3\), here \(60, 5, 3\), got",
        ),
    ],
)
def test_recordings_that_make_no_model_say_so(change, message):
    with pytest.raises(FileError, match=message):
        written(WALK._replace(**change))


# --- between keys -------------------------------------------------------------------------


def test_planted_feet_hardly_move_between_keys():
    walk = handmade.make_walk(4.0, speed=1.6)
    assert 0.0 < keyframes.drift_between_keys(walk) <= 0.2
    rarely = handmade.make_walk(4.0, fps=30, speed=1.6)
    assert 3.0 < keyframes.drift_between_keys(rarely) / keyframes.drift_between_keys(walk) < 5.0


@pytest.mark.parametrize("bent", [False, True])
def test_drift_is_what_a_player_would_show(bent):
    walk = handmade.make_walk(1.0, fps=20, speed=1.6)
    walk = with_ankles(walk) if bent else walk
    model = Parsed(written(walk))
    times = next(model.channels())[2].astype(np.float64)
    worst = 0.0
    for i in range(len(times) - 1):
        feet = model.points((times[i] + times[i + 1]) / 2)[2]
        drift = np.linalg.norm(feet - (walk.feet[i] + walk.feet[i + 1]) / 2, axis=-1)
        drift /= walk.bones.sum(axis=1)
        worst = max([worst, *drift[walk.stance[i] & walk.stance[i + 1]]])
    assert keyframes.drift_between_keys(walk) == pytest.approx(1000 * worst, abs=1e-4)


def test_drift_is_of_a_recording():
    with pytest.raises(twobone.ArrayTypeError, match=r"^`recording` must be a Recording, got "):
        keyframes.drift_between_keys(5)


def test_nothing_planted_drifts_by_nothing():
    assert keyframes.drift_between_keys(WALK._replace(stance=np.zeros((60, 6), bool))) == 0.0
    assert keyframes.drift_between_keys(KINDS["one frame"]) == 0.0


# --- by the letter ------------------------------------------------------------------------


@pytest.mark.sampled(4)
@kinds
def test_khronos_validator_finds_nothing(validate, walk: Recording):
    issues = validate(written(walk, handmade.hills))
    assert issues["messages"] == []


def test_khronos_validator_finds_nothing_in_loops(validate):
    assert validate(written(CYCLE, loop=True))["messages"] == []


def test_khronos_validator_does_look(validate):
    broken = validate(written(WALK).replace(b'"LINEAR"', b'"LINEAL"'))
    assert broken["numErrors"] + broken["numWarnings"] > 0
