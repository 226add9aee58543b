"""`write_glb`: a walk as an animated glTF model (.glb)."""

from __future__ import annotations

import os
from typing import BinaryIO, NamedTuple

import numpy as np

from twobone.files import atomic
from twobone.files.gltf.writing import Model
from twobone.files.recordings import Recording, check
from twobone.pictures import figure
from twobone.pictures.keyframes import Keys, at_rate, check_sizes, make_keys, trunk_of
from twobone.pictures.legs import has_ankle
from twobone.pictures.shapes import Shape, ball, capsule, ground, part_shape, sides_of
from twobone.pictures.trunk import AHEAD, seat
from twobone.rotations import normalize, quaternion_to_matrix
from twobone.terrain.ground import Ground, ground_of_walk

SAME = 1e-6  # in lengths of a leg: parts so near to a station sit on it
MIDDLE = 1e-3  # in lengths of a leg; hips closer to the midline are on neither side


def write_glb(
    file: str | os.PathLike[str] | BinaryIO,
    recording: Recording,
    terrain: Ground | None = None,
    *,
    keys: float | None = None,
) -> None:
    """Write a walk as an animated glTF 2.0 model (.glb).

    The model is one mesh with a skin; its armature, `rig`, is `root` > `body` > `spine_1` and so
    on, one for each station of the trunk, from front to rear; an animal with a single station has
    none, since it is the body. On the front one is `head`, on the rear one `tail`, or `tail_1` >
    `tail_2` and so on, one for each link. On the station of its leg is `thigh_left_1` >
    `shin_left_1` > `metatarsus_left_1` > `foot_left_1`: `left` or `right` (`middle` for hips on the
    midline), and 1 for the foremost leg of that side; a side's only leg has no number. A leg
    without a third segment has no metatarsus. Parts of the trunk between two stations have nodes of
    their own on the body, `trunk_1` and so on.

    The root moves on the ground below the body and has its heading; +z is forward. At each foot
    there is a joint without a mesh, `socket_left_1`; its +y is up, +z forward. The skin is bound to
    an animal that stands, with the root at the origin; the nodes rest in the pose of the first
    frame.

    Between keys, positions and rotations (slerp) are interpolated linearly. In every key hips,
    knees and feet are where the recording has them, in float32.

    Parameters
    ----------
    file : path or binary file
        Where to write. A path is written completely or not at all.
    recording : Recording
        Must be finite. If its bones change length, the nodes' scale is animated too.
    terrain : terrain, callable or 0, optional
        The ground to put under the walk, as for `twobone.creature.report`.
    keys : number, optional
        Keys per second, such as 24 or 30. By default each frame of the recording is a key. Where a
        key falls between two frames, the legs are solved for it.

    Raises
    ------
    FileError
        If a field of the recording is invalid.
    CreatureError
        If the terrain returns heights that are not finite, or is a number other than 0; or if
        `keys` is not above 0 and at most 1000.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.pictures.model import write_glb
    >>> write_glb("dog.glb", creature.walk("dog", seconds=4), keys=30)  # doctest: +SKIP
    """
    recording = check(recording, finite=True)
    terrain = None if terrain is None else ground_of_walk(terrain)
    if keys is not None:
        recording = at_rate(recording, keys)
    model = Model("twobone")
    leg = float(recording.bones.sum(1).max())
    _add_animal(model, recording, leg)
    if terrain is not None:
        shape = ground(terrain, recording.body_position[:, [0, 2]], _reach(recording), leg)
        paint = model.add_material("ground", figure.GROUND)
        model.add_node("ground", mesh=model.add_mesh("ground", (shape, paint)))
    with atomic.opened(file) as opened:
        opened.write(model.to_bytes("walk"))


def _reach(recording):
    """Return how far the ground extends from the body's path."""
    across = (recording.feet - recording.body_position[:, None])[..., [0, 2]]
    widest = float(np.max(np.hypot(*np.moveaxis(across, -1, 0))))
    return max(1.25 * widest, 0.5 * float(recording.bones.sum(1).max()))


def _add_animal(model, recording, leg):
    """Add the nodes of an animal, its skin and its mesh."""
    check_sizes(recording)
    shape = figure.figure_of(recording, figure.hips_in_body(recording), leg)
    keys = make_keys(recording, shape.of("foot"))
    # Programs name the armature after the node above the root.
    rig = _Rig(model, keys.time, model.add_node("rig"))
    root = rig.add("root", None, keys.root_position, keys.root_rotation)
    body = rig.add("body", root, keys.body_position, keys.body_rotation)
    told = _Told(rig, _Skin(leg), keys, shape, recording.along, recording.bones)
    spine = _add_trunk(told, body)
    _add_head(told, spine[-1])
    _add_tail(told, spine[0])
    for i, name in enumerate(_leg_names(figure.hips_in_body(recording)[0], leg)):
        _add_leg(told, i, name, spine[keys.bearers[i]])
    # Bound in the first frame in which most feet are on the ground, with the root at the origin.
    bind = rig.matrices(int(np.argmax(recording.stance.sum(axis=1))))
    primitives = told.skin.primitives(bind)
    paints = {name: model.add_material(name, figure.COLOURS[name]) for name in primitives}
    mesh = model.add_mesh("animal", *((m, paints[name], j) for name, (m, j) in primitives.items()))
    number = model.add_skin(rig.nodes, np.linalg.inv(bind), skeleton=rig.nodes[root])
    model.add_node("animal", mesh=mesh, skin=number)


class _Rig:
    """The joints of an armature, in the order in which they are added: parents first."""

    def __init__(self, model, times, above):
        self.model = model
        self.count = len(times)
        self.times = model.add_times(times)
        self.above = above  # the node that contains the root
        self.nodes = []  # numbers of nodes in the model
        self.names = []
        self.rows = []  # parent, translation, rotation and scale of each; None if it has none

    def add(self, name, parent, translation, rotation, scale=None):
        """Add a joint and return its number; what has one row for all keys is not animated."""
        given = {"translation": translation, "rotation": rotation, "scale": scale}
        rows = {path: values for path, values in given.items() if values is not None}
        over = self.above if parent is None else self.nodes[parent]
        node = self.model.add_node(
            name, parent=over, **{path: values[0] for path, values in rows.items()}
        )
        for path, values in rows.items():
            if len(values) == self.count:
                self.model.animate(node, path, self.times, values)
        self.nodes.append(node)
        self.names.append(name)
        self.rows.append((parent, translation, rotation, scale))
        return len(self.nodes) - 1

    def matrices(self, frame):
        """Return the matrix of each joint in a frame, (J, 4, 4), with the root at the origin."""
        found = np.tile(np.eye(4), (len(self.nodes), 1, 1))
        for joint, (parent, *rows) in enumerate(self.rows):
            if parent is None:
                continue
            own = np.eye(4)
            place, turn, scale = (
                None if values is None else values[min(frame, len(values) - 1)].astype(np.float64)
                for values in rows
            )
            if turn is not None:
                own[:3, :3] = quaternion_to_matrix(normalize(turn))
            if scale is not None:
                own[:3, :3] *= scale
            if place is not None:
                own[:3, 3] = place
            found[joint] = found[parent] @ own
        return found


class _Skin:
    """Meshes that follow joints, one for each colour."""

    def __init__(self, leg):
        self.leg = leg
        self.meshes: dict[str, list] = {}

    def add(self, paint, shape, joint):
        """Add a mesh in the space of a joint."""
        self.meshes.setdefault(paint, []).append((shape, joint))

    def primitives(self, bind):
        """Return a mesh and the joints of its vertices for each colour, given joints' matrices."""
        found = {}
        for paint, meshes in self.meshes.items():
            starts = np.cumsum([0, *(len(mesh.points) for mesh, _ in meshes)])
            points = [mesh.points @ bind[j][:3, :3].T + bind[j][:3, 3] for mesh, j in meshes]
            normals = [mesh.normals @ np.linalg.inv(bind[j][:3, :3]) for mesh, j in meshes]
            normals = np.concatenate(normals)
            normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
            triangles = [mesh.triangles + k for (mesh, _), k in zip(meshes, starts, strict=False)]
            joints = np.concatenate([np.full(len(mesh.points), j) for mesh, j in meshes])
            merged = Shape(np.concatenate(points), normals, np.concatenate(triangles))
            found[paint] = merged, joints
        return found


class _Told(NamedTuple):
    """What the nodes of an animal are made from."""

    rig: _Rig
    skin: _Skin
    keys: Keys
    shape: figure.Figure
    along: np.ndarray  # (S): z of the stations in the body's space
    bones: np.ndarray  # (L, 3)


def _add_trunk(told, body):
    """Add the nodes of the stations and the mesh of the body; return the joints of the stations."""
    rig, skin, keys, shape, along, _ = told
    spine = {along[0]: body}
    if len(along) > 1:
        rows = keys.stations, keys.station_rotations
        for k, z in reversed(list(enumerate(along))):
            spine[z] = rig.add(f"spine_{len(along) - k}", body, *(part[:, k] for part in rows))
    joints = dict(spine)
    parts = [
        (_on_station(figure.along_of(part), along, shape.leg), part) for part in shape.of("body")
    ]
    for z, part in sorted(parts, key=lambda found: -found[0]):
        if z not in joints:
            place = seat(trunk_of(keys, along), z)
            name = f"trunk_{1 + len(joints) - len(spine)}"
            joints[z] = rig.add(name, body, *(row.astype(np.float32) for row in place))
        skin.add(part.paint, _moved(part_shape(part, shape.leg), -z * AHEAD), joints[z])
    return [spine[z] for z in along]


def _on_station(z, along, leg):
    """Return where a part at a z is held: there, or at the station that it sits on or is beyond."""
    z = float(np.clip(z, along[0], along[-1]))
    near = along[np.argmin(np.abs(along - z))]
    return near if abs(near - z) <= SAME * leg else z


def _moved(mesh, offset):
    return mesh._replace(points=mesh.points + offset)


def _add_head(told, front):
    """Add the node of the head and its mesh, if it has parts."""
    rig, skin, keys, shape, along, _ = told
    if shape.of("head"):
        place = shape.pivots["head"] - along[-1] * AHEAD
        joint = rig.add("head", front, place.astype(np.float32)[None], keys.head)
        for part in shape.of("head"):
            skin.add(part.paint, part_shape(part, shape.leg), joint)


def _add_tail(told, rear):
    """Add the nodes of the links of the tail and their mesh, if it has parts."""
    rig, skin, keys, shape, along, _ = told
    if not shape.of("tail"):
        return
    links = keys.tail.shape[1]
    place, joints = shape.pivots["tail"] - along[0] * AHEAD, []
    for link in range(links):
        name = f"tail_{link + 1}" if links > 1 else "tail"
        rear = rig.add(name, rear, place.astype(np.float32)[None], keys.tail[:, link])
        joints.append(rear)
        place = shape.tail / links
    for part in shape.of("tail"):
        link = figure.link_of(shape, part, links)
        mesh = _moved(part_shape(part, shape.leg), -link * place)
        skin.add(part.paint, mesh, joints[link])


def _add_leg(told, i, name, above):
    """Add the nodes of a leg and its part of the mesh."""
    rig, skin, keys, shape, _, bones = told
    radii, usual, bent = shape.legs[i], bones[i], bool(has_ankle(bones)[i])
    lengths = keys.lengths[:, i]
    turns = {"thigh": keys.thighs, "shin": keys.shins}
    if bent:
        turns["metatarsus"] = keys.metatarsi
    joints, start = [], keys.hips[:, i]
    for bone, (part, turn) in enumerate(turns.items()):
        above = rig.add(f"{part}_{name}", above, start, turn[:, i])
        joints.append(above)
        start = _end(lengths[:, bone])
    foot = rig.add(f"foot_{name}", above, start, keys.feet[:, i])
    rig.add(f"socket_{name}", foot, None, None)
    hold = joints
    if len(lengths) > 1:  # bones that stretch bear their mesh on scaled nodes of their own
        hold = [
            _add_stretched(rig, joint, lengths[:, bone] / usual[bone])
            for bone, joint in enumerate(joints)
        ]
    meshes = _bone_meshes(usual, radii, bent, shape.leg)
    for paint, mesh, joint in zip(("thighs", "shins", "shins"), meshes, hold, strict=False):
        skin.add(paint, mesh, joint)
    if radii.joint > 0.0:
        for joint in joints[:2]:
            skin.add("joints", ball(radii.joint, sides=sides_of(radii.joint, shape.leg)), joint)
    if radii.foot > 0.0:
        sole = usual[len(joints) - 1] - figure.SOLE * radii.foot
        skin.add("feet", ball(radii.foot, sole, sides_of(radii.foot, shape.leg)), hold[-1])
    for part in shape.of("foot"):
        skin.add(part.paint, part_shape(part, shape.leg), foot)


def _add_stretched(rig, joint, stretch):
    """Add a node at a joint that is scaled along +y, and return its number."""
    scale = np.ones((len(stretch), 3), np.float32)
    scale[:, 1] = stretch
    return rig.add(f"{rig.names[joint]}_stretched", joint, None, None, scale)


def _bone_meshes(lengths, radii, bent, leg):
    """Return the mesh of each segment of a leg, from its joint along +y."""
    thigh, shin, third = lengths
    knee = figure.KNEECAP * radii.knee
    meshes = [capsule(thigh, radii.hip, knee, sides_of(max(radii.hip, knee), leg))]
    sides = sides_of(max(radii.knee, radii.ankle, radii.tip), leg)
    if not bent:
        return [*meshes, capsule(max(shin - radii.tip, 0.0), radii.knee, radii.tip, sides)]
    lowest = capsule(radii.heel + max(third - radii.tip, 0.0), radii.ankle, radii.tip, sides)
    return [
        *meshes,
        capsule(shin, radii.knee, radii.ankle, sides),
        _moved(lowest, np.array([0.0, -radii.heel, 0.0])),
    ]


def _end(lengths):
    """Return the end of a bone in its own space."""
    return lengths[:, None] * np.array([0.0, 1.0, 0.0], np.float32)


def _leg_names(hips, leg):
    """Return names of legs such as "left_1"; hips are in the body's space, +x left, +z forward."""
    across = np.where(np.abs(hips[:, 0]) < MIDDLE * leg, 0.0, np.sign(hips[:, 0]))
    names = [""] * len(hips)
    for side, word in ((1.0, "left"), (-1.0, "right"), (0.0, "middle")):
        from_front = [i for i in np.argsort(-hips[:, 2], kind="stable") if across[i] == side]
        for number, i in enumerate(from_front, 1):
            names[i] = f"{word}_{number}" if len(from_front) > 1 else word
    return names
