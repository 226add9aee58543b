"""`write_glb`: a walk as an animated glTF model (.glb)."""

from __future__ import annotations

import os
from typing import BinaryIO

import numpy as np

from twobone.files import atomic
from twobone.files.gltf.writing import Model
from twobone.files.recordings import Recording, check
from twobone.pictures import figure, trunk
from twobone.pictures.hocks import lengths_below
from twobone.pictures.keyframes import at_rate, make_keys
from twobone.pictures.shapes import Shape, ball, capsule, ground, part_shape, sides_of
from twobone.rotations import multiply, normalize, quaternion_to_matrix
from twobone.terrain.ground import Ground, ground_of_walk

MIDDLE = 1e-3  # in lengths of a leg; hips closer to the midline are on neither side


def write_glb(
    file: str | os.PathLike[str] | BinaryIO,
    recording: Recording,
    terrain: Ground | None = None,
    *,
    keys: float | None = None,
) -> None:
    """Write a walk as an animated glTF 2.0 model (.glb).

    The model is one mesh with a skin; its armature, `rig`, is `root` > `body` > `head`, `tail` and
    `thigh_left_1` > `shin_left_1` > `foot_left_1` and so on: `left` or `right` (`middle` for hips
    on the midline), and 1 for the foremost leg of that side; a side's only leg has no number. In a
    leg with a hock, `metatarsus_left_1` is between shin and foot.

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
    keys = make_keys(recording)
    shape = figure.figure_of(recording, keys.hips.astype(np.float64), leg)
    # Programs name the armature after the node above the root.
    rig = _Rig(model, keys.time, model.add_node("rig"))
    root = rig.add("root", None, keys.root_position, keys.root_rotation)
    body = rig.add("body", root, keys.body_position, keys.body_rotation)
    skin = _Skin(leg)
    _add_trunk(rig, skin, keys, shape, body)
    for node in ("head", "tail"):
        if shape.of(node):
            place, turn = _on_trunk(keys, shape.pivots[node])
            own = getattr(keys, f"{node}_rotation")
            if turn is not None:
                own = multiply(turn, own.astype(np.float64)).astype(np.float32)
            joint = rig.add(node, body, place, own)
            for part in shape.of(node):
                skin.add(part.paint, part_shape(part, leg), joint)
    for i, name in enumerate(_leg_names(keys.hips[0], leg)):
        first, second = recording.bones[i]
        usual = [first, *(second * lengths_below(shape.hocks[i]))]
        _add_leg(rig, skin, keys, (i, name, body), (usual, shape))
    # Bound in the first frame in which most feet are on the ground, with the root at the origin.
    bind = rig.matrices(int(np.argmax(recording.stance.sum(axis=1))))
    primitives = skin.primitives(bind)
    paints = {name: model.add_material(name, figure.COLOURS[name]) for name in primitives}
    mesh = model.add_mesh("animal", *((m, paints[name], j) for name, (m, j) in primitives.items()))
    number = model.add_skin(rig.nodes, np.linalg.inv(bind), skeleton=rig.nodes[root])
    model.add_node("animal", mesh=mesh, skin=number)


def _add_trunk(rig, skin, keys, shape, body):
    """Add the mesh of the body, with a joint for each of its segments if the trunk bends."""
    joints, parts = {}, shape.of("body")
    bends = len(keys.bend) > 1
    for along in sorted({figure.along_of(part) for part in parts}, reverse=True) if bends else ():
        name = f"spine_{len(joints) + 1}"
        joints[along] = rig.add(name, body, *_on_trunk(keys, np.array([0.0, 0.0, along])))
    for part in parts:
        along = figure.along_of(part)
        joint = joints.get(along, body)
        mesh = part_shape(part, shape.leg)
        if bends:
            mesh = mesh._replace(points=mesh.points - [0.0, 0.0, along])
        skin.add(part.paint, mesh, joint)


def _on_trunk(keys, place):
    """Return keys of the position of a place on the trunk, and of its rotation if it bends."""
    if len(keys.bend) == 1:
        return place.astype(np.float32)[None], None
    height, turn = trunk.carried(keys.bend.astype(np.float64), place[2])
    return (place + height[:, None] * trunk.UP).astype(np.float32), turn.astype(np.float32)


def _add_leg(rig, skin, keys, leg, shapes):
    """Add the nodes of a leg and its part of the mesh."""
    i, name, body = leg
    usual, shape = shapes
    radii, bend, lengths = shape.legs[i], shape.hocks[i], keys.lengths[:, i]
    turns = {"thigh": keys.thighs, "shin": keys.shins}
    if bend:
        turns["metatarsus"] = keys.metatarsi
    joints, above, start = [], body, keys.hips[:, i]
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
    meshes = _bone_meshes(usual, radii, bend, shape.leg)
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


def _bone_meshes(lengths, radii, bend, leg):
    """Return the mesh of each bone of a leg, from its joint along +y."""
    thigh, shin, metatarsus = lengths
    knee = figure.KNEECAP * radii.knee
    meshes = [capsule(thigh, radii.hip, knee, sides_of(max(radii.hip, knee), leg))]
    sides = sides_of(max(radii.knee, radii.ankle), leg)
    if not bend:
        ankle = max(shin - radii.ankle, 0.0)
        return [*meshes, capsule(ankle, radii.knee, radii.ankle, sides)]
    ankle = max(metatarsus - radii.ankle, 0.0)
    heel = capsule(bend.heel + ankle, bend.radius, radii.ankle, sides)
    heel = heel._replace(points=heel.points - [0.0, bend.heel, 0.0])
    return [*meshes, capsule(shin, radii.knee, bend.radius, sides), heel]


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
