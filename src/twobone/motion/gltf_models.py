"""New glTF files of clips: a skeleton and its animation, y up and in metres."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from twobone.errors import ClipError
from twobone.files.gltf.document import Document
from twobone.files.gltf.editing import Editor
from twobone.files.gltf.humanoid import animation_extension
from twobone.files.gltf.writing import Model
from twobone.motion.clip import Clip
from twobone.motion.keys import continuous, unit
from twobone.pose import LocalPose, Skeleton
from twobone.rotations import multiply, quaternion_to_matrix, rotate

Y_UP = (-(0.5**0.5), 0.0, 0.0, 0.5**0.5)  # from z up
NAME = "clip"


def write(clip, path):
    """Write a clip as a new glTF file."""
    is_vrma = Path(path).suffix.lower() == ".vrma"
    Editor(Document(to_bytes(clip, is_vrma))).write(path)


def to_bytes(clip, is_vrma=False):
    """Return a clip as the contents of a .glb file, or of a VRM animation if it is of a humanoid.

    Nodes are the joints alone, so that no joint is added when the file is loaded; only skeletons of
    several roots get a node "scene" above them, since the joints of a skin must have one root. All
    rotations are animated, and translations that differ from the skeleton's offsets; a single frame
    in the rest pose is not.
    """
    bones, clip = clip.human_bones, _upright_in_metres(clip)
    skeleton, model = clip.skeleton, Model("twobone")
    roots = [joint for joint, parent in enumerate(skeleton.parents) if parent < 0]
    top = model.add_node("scene") if len(roots) > 1 else None
    nodes = _add_joints(model, skeleton, top)
    if is_vrma:
        found = {bone: nodes[joint] for bone, joint in bones.items()}
        model.extensions |= animation_extension(found)
    moved = _differs(clip.pose.translations, skeleton.offsets)
    try:
        with np.errstate(over="raise"):  # in casts, of numbers beyond float32
            if len(clip) > 1 or np.any(moved | _differs(clip.pose.rotations, skeleton.rotations)):
                _animate(model, clip, nodes, np.flatnonzero(moved).tolist())
            model.add_skin(nodes, _inverse_bind_matrices(skeleton))
    except FloatingPointError as error:
        raise ClipError("the clip", "numbers that float32 can hold", str(error)) from error
    return model.to_bytes(clip.name or NAME)


def _upright_in_metres(clip):
    """Return a clip with y up and lengths in metres, as the format has them."""
    skeleton, pose = clip.skeleton, clip.pose
    if clip.up == "y" and clip.metres == 1.0:
        return clip
    offsets, rest = clip.metres * skeleton.offsets, skeleton.rotations.copy()
    rotations, translations = pose.rotations.copy(), clip.metres * pose.translations
    if clip.up == "z":
        for root in np.flatnonzero(np.array(skeleton.parents) < 0).tolist():
            for turned in (rest, rotations):
                turned[..., root, :] = multiply(Y_UP, turned[..., root, :])
            for moved in (offsets, translations):
                moved[..., root, :] = rotate(Y_UP, moved[..., root, :])
    upright = Skeleton(
        skeleton.parents, offsets, names=skeleton.names, rotations=rest, scales=skeleton.scales
    )
    return Clip(upright, LocalPose(rotations, translations), clip.fps, name=clip.name)


def _add_joints(model, skeleton, top):
    """Add the nodes of all joints; return the node of each."""
    nodes: dict[int, int] = {}
    names = skeleton.names or [f"joint_{joint}" for joint in range(len(skeleton.parents))]
    scales = skeleton.scales or [1.0] * len(names)
    for joint in sorted(range(len(names)), key=lambda joint: len(skeleton.path(joint))):
        scale = None if scales[joint] == 1.0 else [scales[joint]] * 3
        nodes[joint] = model.add_node(
            names[joint],
            parent=nodes.get(skeleton.parents[joint], top),
            translation=skeleton.offsets[joint],
            rotation=skeleton.rotations[joint],
            scale=scale,
        )
    return [nodes[joint] for joint in range(len(names))]


def _differs(values, rest):
    """Return for each joint whether a frame differs from the rest pose."""
    return np.any(values != rest, axis=(0, 2))


def _animate(model, clip, nodes, moved):
    times = model.add_times(np.arange(len(clip)) / clip.fps)
    for joint in moved:
        model.animate(nodes[joint], "translation", times, clip.pose.translations[:, joint])
    rotations = unit(clip.pose.rotations)
    for joint, node in enumerate(nodes):
        first = clip.skeleton.rotations[joint]
        model.animate(node, "rotation", times, continuous(rotations[:, joint], first))


def _inverse_bind_matrices(skeleton):
    """Return the inverse of each joint's matrix at rest in the scene."""
    rest, count = skeleton.rest, len(skeleton.parents)
    own = np.array(skeleton.scales or [1.0] * count)
    above = np.array(skeleton.parent_scales or [1.0] * count)
    matrices = np.zeros((count, 4, 4))
    linear = quaternion_to_matrix(rest.rotations) * (own * above)[:, None, None]
    matrices[:, :3, :3], matrices[:, :3, 3], matrices[:, 3, 3] = linear, rest.positions, 1.0
    inverse = np.linalg.inv(matrices)
    inverse[:, 3] = 0.0, 0.0, 0.0, 1.0  # without rounding
    return inverse
