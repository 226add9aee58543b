"""`write_glb`: a walk as an animated glTF model (.glb)."""

from __future__ import annotations

import os
from typing import BinaryIO

import numpy as np

from twobone.files import atomic
from twobone.files.gltf.writing import Model
from twobone.files.recordings import OPTIONAL, SHAPES, Recording, check
from twobone.pictures import figure, rig, skin
from twobone.pictures.keyframes import at_rate, in_place
from twobone.pictures.legs import has_ankle
from twobone.pictures.rest import standing
from twobone.pictures.rig import Root
from twobone.pictures.shapes import ground
from twobone.terrain.ground import Ground, ground_of_walk

CLIP = "walk"  # names of animations
ROOT_MOTION = "walk_root_motion"


def write_glb(
    file: str | os.PathLike[str] | BinaryIO,
    recording: Recording,
    terrain: Ground | None = None,
    *,
    keys: float | None = None,
    loop: bool = False,
) -> None:
    """Write a walk as an animated glTF 2.0 model (.glb).

    The model is one mesh with a skin; its armature, `rig`, is `root` > `body` > `spine_1` >
    `spine_2` and so on, one for each station of the trunk, from rear to front; an animal with a
    single station has only a body. On the last one is `neck` > `head`, or `head` alone, on the body
    `tail`, or `tail_1` > `tail_2` and so on, one for each link. On the station of its leg is
    `thigh_left_1` > `shin_left_1` > `metatarsus_left_1` > `foot_left_1`: `left` or `right`
    (`middle` for hips on the midline), and 1 for the foremost leg of that side; a side's only leg
    has no number. A leg without a third segment has no metatarsus.

    A bone lies along its +y, to the next one of its chain; that of a foot points where the toes do,
    that of the root up. Thighs and shins bend about +x. At each foot there is a joint that no
    vertex follows, `socket_left_1`; its +y is up, +z forward.

    The root moves on the ground below the body and has its heading; +z is forward. The nodes rest,
    and the skin is bound, in a pose in which the animal stands on level ground, with the root at
    the origin, whatever the ground of the walk is. Vertices near a joint follow the bones on both
    sides of it.

    Between keys, positions and rotations (slerp) are interpolated linearly. In every key hips,
    knees and feet are where the recording has them, in float32.

    A loop has two animations, and no ground. In `walk` the root stays at the origin, and the last
    key is the first one. `walk_root_motion` is the same with a root that moves at constant speed.

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
    loop : bool
        Whether the recording is one cycle, as `twobone.creature.walk_cycle` returns it.

    Raises
    ------
    FileError
        If a field of the recording is invalid.
    CreatureError
        If the terrain returns heights that are not finite, or is a number other than 0; if `keys`
        is not above 0 and at most 1000; or if the last pose of a `loop` is not the first one.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.pictures.model import write_glb
    >>> write_glb("dog.glb", creature.walk("dog", seconds=4), keys=30)  # doctest: +SKIP

    One cycle, for a game:

    >>> cycle = creature.walk_cycle("dog", speed=0.9, fps=30)
    >>> write_glb("dog.glb", cycle, loop=True)  # doctest: +SKIP
    """
    recording = check(recording, finite=True)
    terrain = None if terrain is None else ground_of_walk(terrain)
    if keys is not None:
        recording = at_rate(recording, keys)
    travel = None
    if loop:
        recording, travel = in_place(recording)
    rig.check_sizes(recording)
    model = Model("twobone")
    leg = float(recording.bones.sum(1).max())
    _add_animal(model, recording, travel)
    if terrain is not None and not loop:
        shape = ground(terrain, recording.body_position[:, [0, 2]], _reach(recording), leg)
        paint = model.add_material("ground", figure.GROUND)
        model.add_node("ground", mesh=model.add_mesh("ground", (shape, paint)))
    with atomic.opened(file) as opened:
        opened.write(model.to_bytes(CLIP))


def _reach(recording):
    """Return how far the ground extends from the body's path."""
    across = (recording.feet - recording.body_position[:, None])[..., [0, 2]]
    widest = float(np.max(np.hypot(*np.moveaxis(across, -1, 0))))
    return max(1.25 * widest, 0.5 * float(recording.bones.sum(1).max()))


def _add_animal(model, recording, travel):
    """Add the nodes of an animal, its skin and its mesh; `travel` is how far a loop goes."""
    times = rig.times_of(recording)
    leg = float(recording.bones.sum(1).max())
    shape = figure.figure_of(recording, figure.hips_in_body(recording), leg)
    root = rig.root_of(recording) if travel is None else rig.at_origin(len(times))
    rested, root = _with_rest(recording, root)
    bones = rig.make_rig(rested, shape, root)
    legs = _hold(bones, rested)
    nodes = _add_nodes(model, bones, times, travel)
    surfaces = skin.surfaces_of(skin.pieces_of(bones, shape, rested, legs))
    primitives = [
        (surface.shape, model.add_material(name, shape.colours[name].light), surface[1:])
        for name, surface in surfaces.items()
    ]
    bind = np.linalg.inv(skin.bind_matrices(bones))
    number = model.add_skin(nodes, bind, skeleton=nodes[0])
    model.add_node("animal", mesh=model.add_mesh("animal", *primitives), skin=number)


def _with_rest(recording, root):
    """Return a recording and its root with the rest pose in front."""
    rest = standing(recording)
    moved = recording._replace(foot_rotation=figure.foot_rotations(recording))
    found = {}
    for name, sizes in (SHAPES | OPTIONAL).items():
        if sizes[:1] == ("T",) and getattr(moved, name) is not None:
            found[name] = np.concatenate([getattr(rest, name), getattr(moved, name)])
    none = rig.at_origin(1)
    return recording._replace(**found), Root(*map(np.concatenate, zip(none, root, strict=True)))


def _hold(bones, recording):
    """Return the name of each leg, and the bones that hold the mesh of its segments.

    Segments that stretch have bones of their own for that, which are scaled.
    """
    found = []
    lengths = rig.lengths_of(recording, bones.size)
    names = rig.leg_names(figure.hips_in_body(recording)[0], bones.size)
    for leg, (name, bent) in enumerate(zip(names, has_ankle(recording.bones), strict=True)):
        hold = [bones.index(f"{part}_{name}") for part in rig.SEGMENTS[: 3 if bent else 2]]
        if len(lengths) > 1:
            hold = rig.add_stretched(bones, hold, lengths[:, leg], recording.bones[leg])
        found.append((name, hold))
    return found


def _add_nodes(model, bones, times, travel):
    """Add the nodes and the animations of bones, whose first rows are the rest pose.

    Programs name the armature after the node above the root.
    """
    nodes, above = [], model.add_node("rig")
    times = model.add_times(times)
    clips = (CLIP,) if travel is None else (CLIP, ROOT_MOTION)
    for bone in bones.bones:
        rows = {"translation": bone.place, "rotation": bone.turn, "scale": bone.stretch}
        rows = {path: values for path, values in rows.items() if values is not None}
        over = above if bone.parent is None else nodes[bone.parent]
        first = {path: values[0] for path, values in rows.items()}
        nodes.append(model.add_node(bone.name, parent=over, **first))
        for path, values in rows.items():
            if len(values) > 1:
                model.animate(nodes[-1], path, times, values[1:], clips)
    if travel is not None:
        # In place the root has keys too: programs leave a bone without keys where it was before.
        model.animate(nodes[0], "translation", times, rig.to_single(0.0 * travel), (CLIP,))
        model.animate(nodes[0], "translation", times, rig.to_single(travel), (ROOT_MOTION,))
    return nodes
