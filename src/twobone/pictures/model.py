"""`write_glb`: a walk as an animated glTF model (.glb)."""

from __future__ import annotations

import os
from typing import BinaryIO

import numpy as np

from twobone.files import atomic
from twobone.files.gltf.writing import Model
from twobone.files.recordings import Recording, check
from twobone.pictures import figure
from twobone.pictures.keyframes import Keys, make_keys
from twobone.pictures.shapes import ball, capsule, ground, rounded_box
from twobone.terrain.ground import Ground, ground_of_walk

MIDDLE = 1e-3  # in lengths of a leg; hips closer to the midline are on neither side


def write_glb(
    file: str | os.PathLike[str] | BinaryIO, recording: Recording, terrain: Ground | None = None
) -> None:
    """Write a walk as an animated glTF 2.0 model (.glb).

    Nodes are `body` > `thigh_left_1` > `shin_left_1` > `foot_left_1` and so on: `left` or `right`
    (`middle` for hips on the midline), and 1 for the foremost leg of that side; a side's only leg
    has no number. The nodes rest in the pose of the first frame. Keys are the recording's frames,
    with linear interpolation of positions and of rotations (slerp) between them. In every key
    hips, knees and feet are where the recording has them, in float32.

    Parameters
    ----------
    file : path or binary file
        Where to write. A path is written completely or not at all.
    recording : Recording
        Must be finite. If its bones change length, the nodes' scale is animated too.
    terrain : terrain, callable or 0, optional
        The ground to put under the walk, as for `twobone.creature.report`.

    Raises
    ------
    FileError
        If a field of the recording is invalid.
    CreatureError
        If the terrain returns heights that are not finite, or is a number other than 0.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.pictures.model import write_glb
    >>> write_glb("dog.glb", creature.walk("dog", seconds=4))  # doctest: +SKIP
    """
    recording = check(recording, finite=True)
    terrain = None if terrain is None else ground_of_walk(terrain)
    keys = make_keys(recording)
    model = Model("twobone")
    paints = {name: model.add_material(name, colour) for name, colour in figure.COLOURS.items()}
    times = model.add_times(keys.time)
    leg = float(recording.bones.sum(1).max())
    body = model.add_node("body", mesh=_add_body(model, paints, keys, leg))
    model.animate(body, "translation", times, keys.body_position)
    model.animate(body, "rotation", times, keys.body_rotation)
    _add_legs(model, paints, keys, recording.bones, (body, times))
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


def _add_body(model, paints, keys, leg):
    """Add the mesh of the body."""
    parts = [
        (rounded_box(part.half, part.centre, part.power, part.sides), paints[part.paint])
        for part in figure.body_parts(keys.hips, leg)
    ]
    return model.add_mesh("body", *parts)


def _add_legs(model, paints, keys: Keys, bones, to):
    """Add all legs to the body; legs with equal bones share their meshes."""
    body, times = to
    leg = float(bones.sum(1).max())
    foot_mesh = model.add_mesh(
        "foot", (ball(figure.FOOT * leg, -figure.SOLE * figure.FOOT * leg), paints["feet"])
    )
    meshes: dict[tuple, tuple] = {}
    names = _leg_names(keys.hips[0], leg)
    for i, (first, second) in enumerate(bones.tolist()):
        if (first, second) not in meshes:
            joint = ball(figure.JOINT * leg), paints["joints"]
            thigh = capsule(first, figure.HIP * leg, figure.KNEE * leg), paints["thighs"]
            shin = capsule(second, figure.KNEE * leg, figure.ANKLE * leg), paints["shins"]
            meshes[first, second] = (
                model.add_mesh("thigh", thigh, joint),
                model.add_mesh("shin", shin, joint),
            )
        nodes = _Chain(model, times, keys.lengths[:, i], names[i])
        thigh_mesh, shin_mesh = meshes[first, second]
        thigh = nodes.add("thigh", body, keys.hips[:, i], keys.thighs[:, i])
        nodes.show(thigh, thigh_mesh, 0, first)
        shin = nodes.add("shin", thigh, nodes.end(0), keys.shins[:, i])
        nodes.show(shin, shin_mesh, 1, second)
        foot = nodes.add("foot", shin, nodes.end(1))
        model.parts["nodes"][foot]["mesh"] = foot_mesh


def _leg_names(hips, leg):
    """Return names of legs such as "left_1"; hips are in the body's space, +x left, +z forward."""
    across = np.where(np.abs(hips[:, 0]) < MIDDLE * leg, 0.0, np.sign(hips[:, 0]))
    names = [""] * len(hips)
    for side, word in ((1.0, "left"), (-1.0, "right"), (0.0, "middle")):
        from_front = [i for i in np.argsort(-hips[:, 2], kind="stable") if across[i] == side]
        for number, i in enumerate(from_front, 1):
            names[i] = f"{word}_{number}" if len(from_front) > 1 else word
    return names


class _Chain:
    """The nodes of a leg. `lengths` has one row if its bones keep their lengths."""

    def __init__(self, model, times, lengths, name):
        self.model = model
        self.times = times
        self.lengths = lengths
        self.name = name

    def add(self, name, parent, translation, rotation=None):
        """Add a node; a translation with one row is not animated."""
        node = self.model.add_node(f"{name}_{self.name}", parent=parent, translation=translation[0])
        if len(translation) > 1:
            self.model.animate(node, "translation", self.times, translation)
        if rotation is not None:
            self.model.animate(node, "rotation", self.times, rotation)
        return node

    def end(self, bone):
        """Return the end of a bone in its own space."""
        return self.lengths[:, bone, None] * np.array([0.0, 1.0, 0.0], np.float32)

    def show(self, node, mesh, bone, length):
        """Attach a mesh to a bone; if the bone stretches, on a scaled node of its own."""
        if len(self.lengths) == 1:
            self.model.parts["nodes"][node]["mesh"] = mesh
            return
        name = f"{self.model.parts['nodes'][node]['name']}_stretched"
        own = self.model.add_node(name, parent=node, mesh=mesh)
        scale = np.ones((len(self.lengths), 3), np.float32)
        scale[:, 1] = self.lengths[:, bone] / length
        self.model.animate(own, "scale", self.times, scale)
