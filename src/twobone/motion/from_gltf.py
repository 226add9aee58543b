"""Clips from glTF files (.glb, .gltf, .vrm, .vrma), and back into them or into new ones."""

from __future__ import annotations

import itertools
import os
from typing import NamedTuple

import numpy as np

from twobone.errors import ClipError, PoseError
from twobone.files.gltf import animations, document, editing, humanoid, nodes
from twobone.motion import gltf_models, keys, node_scales
from twobone.motion.clip import Clip, check_far
from twobone.pose import LocalPose, Skeleton

MOST_JOINTS = 10_000
MOST_CLIPS = 4  # all clips of a file together may be so many times as large as one
LONGEST_LIST = 60  # characters of the names of clips in a message
CONSTANT = 1e-4  # relative change of a scale that is rounding: exporters leave up to 5e-5
SAME = 1e-7  # relative: differences that float32 does not hold
# Of a skeleton in metres; others have another unit: centimetres or millimetres that were not
# converted, or metres that an exporter converted twice. Dragons and spiders are between.
SMALLEST, LARGEST = 0.04, 20.0
UNITS = (0.01, 0.001)  # metres of large skeletons; centimetres are tried first
TWICE = 100.0  # metres of small ones


class Origin(NamedTuple):
    """Where a clip was read from: what `save` needs to change no more than it must."""

    document: document.Document
    animation: int | None  # None if the file has none
    nodes: list[int]  # of each joint
    transforms: list[nodes.Transform]  # of each joint at rest
    fps: float
    times: np.ndarray  # of the frames, in seconds
    rotations: np.ndarray  # (T, J, 4), as loaded
    translations: np.ndarray  # (T, J, 3), those of the nodes
    stretches: dict[int, np.ndarray]  # of joints: see `node_scales`


class _Track(NamedTuple):
    """What an animation is sampled from."""

    file: document.Document
    channels: list[animations.Channel]
    times: dict[int, np.ndarray]  # of keys, by accessor
    frames: np.ndarray  # their times
    near: float  # seconds; see `keys.interpolate`


def load(path: str | os.PathLike[str], clip: str | int | None = None) -> Clip:
    """Read an animation of a glTF file as a clip.

    Joints are the nodes of the default scene that are animated, in a skin or a humanoid bone, and
    their ancestors, parents first. Frames are at equal steps from the first key to the last, at
    the rate of the keys; `clip.pose` at a key has the value of that key. A scale that is positive,
    and constant and uniform within 1e-4, is that of the skeleton. Other scales, and shear, are in
    the translations of the joints below, so that positions in the world are those of the file. A
    file without animations is a clip of one frame, the rest pose.

    Parameters
    ----------
    path : path
        A .glb, .gltf, .vrm or .vrma file. Other files are read only from its folder.
    clip : str or int, optional
        The name or the index of the animation. Needed if there are several.

    Returns
    -------
    Clip
        With up "y" and lengths in metres, as the format has them. If the skeleton is larger than
        20 m or smaller than 4 cm, the unit is guessed. `clip.human_bones` are those of VRM. An
        animation of morph targets alone is a clip at rest, with the frames of its times.

    Raises
    ------
    ClipError
        If the file is invalid, there is no such animation, or several and none is chosen.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from twobone.motion import from_gltf
    >>> walk = from_gltf.load("fox.glb", clip="Walk")  # doctest: +SKIP
    """
    file = document.read(path)
    return _read(file, _chosen(file, clip))


def load_all(path: str | os.PathLike[str]) -> list[Clip]:
    """Read all animations of a glTF file as clips, as `twobone.motion.load_all` does."""
    file = document.read(path)
    found, size = [], 0
    for animation in range(len(file.root.array("animations"))) or (None,):
        found.append(_read(file, animation))
        size += found[-1].pose.rotations.size // 4
        check_size_of_clips(file, size)
    return found


def check_size_of_clips(file, numbers):
    """Raise if the clips of a small file have so many rotations."""
    if numbers > MOST_CLIPS * file.budget:
        wanted = "clips that fit the size of the file"
        raise ClipError(file.source, wanted, "larger ones", field="animations")


def clip_names(path: str | os.PathLike[str]) -> list[str | None]:
    """Return the names of the animations of a glTF file; None for those that have none."""
    return animations.names(document.read(path)) or [None]


def save(clip: Clip, path: str | os.PathLike[str]) -> None:
    """Write a clip as a glTF file, completely or not at all.

    If the clip was loaded from glTF, all of that file is kept: only rotations and translations of
    joints whose pose changed get new keys, at the clip's frames. Without a change the same bytes
    are written. If the clip has other frames or another rate than the file, all of its animation
    gets new keys; that is not possible if it animates scales, morph targets or other nodes. Data
    are appended: to the binary chunk, or as a data: URI to a .gltf file. If a file refers to others
    and is written to another folder, these are copied. A clip from elsewhere becomes a new .glb
    with a skeleton and one animation, y up and in metres.

    Parameters
    ----------
    clip : Clip
        With finite poses.
    path : path
        Where to write. Its suffix is .glb, .gltf, .vrm or .vrma.

    Raises
    ------
    ClipError
        If the clip has not the joints of its document, or other frames where this is not possible;
        a pose is not finite, a node's shear does not allow its animation, or a file that must be
        copied would replace another.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone.motion import from_gltf
    >>> walk = from_gltf.load("fox.glb", clip="Walk")  # doctest: +SKIP
    >>> from_gltf.save(walk.with_pose(pose), "out/fox.glb")  # doctest: +SKIP
    """
    _check_finite(clip)
    if isinstance(clip.document, Origin):
        save_all([clip], path)
    else:
        gltf_models.write(clip, path)


def save_all(clips: list[Clip], path: str | os.PathLike[str]) -> None:
    """Write clips of one glTF file into that file, as `twobone.motion.save_all` does."""
    origins = [clip.document for clip in clips if isinstance(clip.document, Origin)]
    files = {id(origin.document) for origin in origins}
    if len({origin.animation for origin in origins}) < len(clips) or len(files) != 1:
        wanted = "clips that one call of `load_all` returned, each once"
        raise ClipError(path, wanted, "others")
    editor = editing.Editor(origins[0].document)
    for clip, origin in zip(clips, origins, strict=True):
        _check_finite(clip)
        _edit(editor, clip, origin)
    editor.write(path)


def _check_finite(clip):
    rotations, translations = map(np.asarray, clip.pose)
    if not np.all(np.isfinite(rotations)) or not np.all(rotations.any(-1)):
        raise ClipError("the clip", "finite rotations of length 1", "others", field="rotations")
    if not np.all(np.isfinite(translations)):
        raise ClipError("the clip", "finite translations", "others", field="translations")


def without_animation(document: object) -> Origin | None:
    """Return the origin of a clip of any frames that is added to a file as a further animation.

    None if the document is not that of a glTF file.
    """
    if not isinstance(document, Origin):
        return None
    return _read(document.document, None).document


# --- reading ------------------------------------------------------------------------------


def _chosen(file, clip):
    """Return the index of the animation that is asked for; None if the file has none."""
    names = animations.names(file)
    if clip is None and len(names) < 2:
        return 0 if names else None
    wanted = f"one of {_listed(names)}" if names else "no clip, because the file has no animation"
    if clip is None:
        raise ClipError(file.source, wanted, "none; choose by `clip`", field="clip")
    if isinstance(clip, str):
        found = [i for i, name in enumerate(names) if name == clip]
        if len(found) > 1:
            indices = " and ".join(map(str, found))
            raise ClipError(
                file.source, "the name of one clip", f"{clip!r}, which {indices} have", field="clip"
            )
    else:
        is_index = hasattr(clip, "__index__") and not isinstance(clip, bool)
        found = [clip.__index__()] if is_index and 0 <= clip.__index__() < len(names) else []
    if not found:
        raise ClipError(file.source, wanted, repr(clip), field="clip")
    return found[0]


def _listed(names):
    """Return names of clips as a text that is not too long."""
    shown = [str(i) if name is None else repr(name) for i, name in enumerate(names)]
    count = sum(length <= LONGEST_LIST for length in itertools.accumulate(map(len, shown)))
    count = max(count, 1)
    more = len(shown) - count
    return ", ".join(shown[:count]) + (f" and {more} more" if more else "")


def _read(file, animation):
    tree = nodes.Nodes(file)
    bones = humanoid.human_bones(file)
    joints = _joints(file, tree, bones)
    index = {node: joint for joint, node in enumerate(joints)}
    parents = [index.get(tree.parents[node], -1) for node in joints]
    transforms = [tree.transform(node) for node in joints]
    channels = [] if animation is None else animations.channels(file, animation)
    channels = [channel for channel in channels if channel.node in index]
    times = _times(file, channels)
    timed = channels or ([] if animation is None else animations.weight_channels(file, animation))
    rate, frames = _frames(file, timed, times or _times(file, timed), len(joints))
    fps = rate.fps
    track = _Track(file, channels, times, frames, rate.near / fps)
    rotations, translations, scales = _sampled(track, index, transforms)
    uniform, stretches = _scales(transforms, scales)
    rest = np.array([[each.rotation for each in transforms]])
    offsets = np.array([[each.translation for each in transforms]])
    order = range(len(joints))
    spaces = node_scales.spaces(parents, order, rotations, stretches)
    resting = {
        joint: stretch[:1] if stretch.ndim == 3 else stretch for joint, stretch in stretches.items()
    }
    rest_spaces = node_scales.spaces(parents, order, rest, resting)
    try:
        skeleton = Skeleton(
            parents,
            node_scales.to_clip(parents, offsets, rest_spaces)[0],
            names=[tree.name(node) for node in joints],
            rotations=rest[0],
            scales=uniform,
        )
    except PoseError as error:
        raise ClipError(file.source, "nodes of a skeleton", str(error), field="nodes") from error
    check_far(file.source, skeleton.rest.positions, "nodes")
    metres = _metres(skeleton)
    return Clip(
        skeleton,
        LocalPose(rotations, node_scales.to_clip(parents, translations, spaces)),
        fps,
        metres=metres,
        guessed=() if metres == 1.0 else ("metres",),
        human_bones={bone: index[node] for bone, node in bones.items() if node in index},
        name=None if animation is None else animations.names(file)[animation],
        document=Origin(
            file, animation, joints, transforms, fps, frames, rotations, translations, stretches
        ),
    )


def _joints(file, tree, bones):
    """Return the nodes that are joints, parents first."""
    used = set(bones.values())
    for animation in range(len(file.root.array("animations"))):
        used.update(node for _, node, _ in animations.targets(file, animation))
    for skin in file.root.array("skins"):
        used.update(skin.indices("joints", len(tree.parents)))
    used -= humanoid.expression_nodes(file) - set(bones.values())
    shown = _shown(file, tree)
    joints: set[int] = set()
    for node in used & shown or used or shown:
        while node >= 0 and node not in joints:
            joints.add(node)
            node = tree.parents[node]
    if not joints:
        raise ClipError(file.source, "nodes of a skeleton", "no node", field="nodes")
    if len(joints) > MOST_JOINTS:
        came = f"{len(joints)} of them"
        raise ClipError(file.source, f"at most {MOST_JOINTS} joints", came, field="nodes")
    return [node for node in tree.order if node in joints]


def _shown(file, tree):
    """Return all nodes of the default scene."""
    scenes, count = file.root.array("scenes"), len(tree.parents)
    if not len(scenes):
        return set(range(count))
    found = set(scenes[file.root.index("scene", len(scenes), 0)].indices("nodes", count))
    for node in tree.order:
        if tree.parents[node] in found:
            found.add(node)
    return found


def _times(file, channels):
    """Return the times of the keys, by accessor."""
    found, total = {}, 0
    for channel in channels:
        if channel.input not in found:
            found[channel.input] = animations.times(file, channel)
            total += len(found[channel.input])
            _check_size(file, total, channel)
    return found


def _frames(file, channels, times, joints):
    """Return the frame rate and the times of the frames."""
    if not times:
        return keys.Rate(30.0, keys.NEAR), np.zeros(1)
    rate = keys.frame_rate(list(times.values()))
    first = min(each[0] for each in times.values())
    last = max(each[-1] for each in times.values())
    _check_size(file, keys.frame_count(first, last, rate) * joints, channels[0])
    return rate, keys.frame_times(first, last, rate)


def _check_size(file, numbers, channel):
    """Raise if a small file asks for a large clip."""
    if numbers > file.budget:
        wanted = "keys and frames that fit the size of the file"
        field = f"animations[{channel.animation}]"
        raise ClipError(file.source, wanted, f"{numbers:.3g} of them", field=field)


def _sampled(track, index, transforms):
    """Return rotations, translations and {joint: scales} at the frames."""
    shape = len(track.frames), len(transforms)
    rotations, translations, scales = np.empty((*shape, 4)), np.empty((*shape, 3)), {}
    rotations[:] = [each.rotation for each in transforms]
    translations[:] = [each.translation for each in transforms]
    total = 0
    for channel in track.channels:
        joint, count = index[channel.node], len(track.times[channel.input])
        total += count
        _check_size(track.file, total, channel)
        values = animations.values(track.file, channel, count)
        found = keys.interpolate(
            track.times[channel.input], values, channel.interpolation, track.frames, track.near
        )
        if channel.path == "scale":
            scales[joint] = found
        elif channel.path == "translation":
            translations[:, joint] = found
        else:
            rotations[:, joint] = found = keys.unit(found)
            if not np.all(np.isfinite(found)):  # a spline may pass through 0
                field = f"animations[{channel.animation}].samplers[{channel.sampler}].output"
                wanted = "rotations between keys"
                raise ClipError(track.file.source, wanted, "quaternions of length 0", field=field)
    return rotations, translations, scales


def _scales(transforms, scales):
    """Return the scales of joints for `Skeleton`, and the stretches for `node_scales`."""
    uniform, stretches = np.ones(len(transforms)), {}
    for joint, transform in enumerate(transforms):
        stretch = transform.stretch
        if joint in scales:
            is_constant = np.ptp(scales[joint], axis=0) <= CONSTANT * np.abs(scales[joint][0])
            rows = scales[joint][:1] if np.all(is_constant) else scales[joint]
            stretch = rows[:, :, None] * np.eye(3)
            stretch = stretch[0] if len(rows) == 1 else stretch
        if stretch.ndim == 2:
            size = stretch[0, 0]
            if size > 0.0 and np.all(np.abs(stretch - size * np.eye(3)) <= CONSTANT * size):
                uniform[joint] = size
                continue
        stretches[joint] = stretch
    return uniform, stretches


def _metres(skeleton):
    """Return metres per unit: 1, as the format has it, unless the skeleton is a giant or tiny."""
    size = float(np.max(np.ptp(skeleton.rest.positions, axis=0)))
    if size < SMALLEST:
        return TWICE if size > 0.0 else 1.0
    if size <= LARGEST:
        return 1.0
    return next((unit for unit in UNITS if size * unit <= LARGEST), UNITS[-1])


# --- writing ------------------------------------------------------------------------------


def _edit(editor, clip, origin):
    """Give new keys to all nodes whose rotations or translations changed."""
    count, joints = origin.rotations.shape[:2]
    if clip.pose.rotations.shape[1] != joints:
        wanted = f"{joints} joints, as its document has"
        raise ClipError("the clip", wanted, clip.pose.rotations.shape[1], field="rotations")
    rotations, parents = keys.unit(clip.pose.rotations), clip.skeleton.parents
    is_timed = (len(clip), clip.fps) == (count, origin.fps)
    known = origin if is_timed else _at_rest(clip, origin)
    spaces = node_scales.spaces(parents, range(joints), rotations, origin.stretches)
    translations = node_scales.to_nodes(parents, clip.pose.translations, spaces, known.translations)
    apart = np.minimum(
        np.abs(rotations - known.rotations).max(-1), np.abs(rotations + known.rotations).max(-1)
    )
    turned = np.any(apart > SAME, axis=0)
    sizes = np.abs(known.translations).max((0, 2))
    moved = np.abs(translations - known.translations).max((0, 2)) > SAME * sizes
    changed = {"rotation": turned, "translation": moved}
    if not is_timed:  # all keys need new times
        for joint, path in _animated(origin):
            changed[path][joint] = True
    new = {}
    for joint in np.flatnonzero(turned).tolist():
        continuous = keys.continuous(rotations[:, joint], known.rotations[0, joint])
        new[origin.nodes[joint], "rotation"] = continuous
    for joint in np.flatnonzero(moved).tolist():
        new[origin.nodes[joint], "translation"] = translations[:, joint]
    for joint in np.flatnonzero(turned | moved).tolist():
        editor.make_animatable(origin.nodes[joint], origin.transforms[joint])
    if not new:
        return
    if origin.animation is None:
        editor.add_animation(clip.name, known.times, new, _moved_by_others(origin, new))
    else:
        editor.replace_keys(origin.animation, known.times, new, keys.NEAR / clip.fps)


def _moved_by_others(origin, without):
    """Return the values at rest of properties that other animations move, by node and property.

    Blender, for one, leaves properties that have no keys as the animation before had them.
    """
    index, found = {node: joint for joint, node in enumerate(origin.nodes)}, {}
    for animation in range(len(origin.document.root.array("animations"))):
        for channel in animations.channels(origin.document, animation):
            target = channel.node, channel.path
            if channel.node not in index or target in without or target in found:
                continue
            transform = origin.transforms[index[channel.node]]
            scale = np.diagonal(transform.stretch)
            rest = {"scale": scale, "rotation": transform.rotation}.get(
                channel.path, transform.translation
            )
            times = animations.times(origin.document, channel)
            values = animations.values(origin.document, channel, len(times))
            if np.any(np.abs(values - rest) > SAME * np.abs(rest).max()):
                found[target] = rest
    return found


def _at_rest(clip, origin):
    """Return an origin with the times of a clip, at rest in all of its frames.

    For a clip with other frames than its document, or at another rate.
    """
    file = origin.document
    others = [] if origin.animation is None else _other_channels(origin)
    if others or any(stretch.ndim == 3 for stretch in origin.stretches.values()):
        wanted = (
            f"the {len(origin.times)} frames of its document at {origin.fps:g} a second,"
            " because that animates more than rotations and translations of joints"
        )
        came = f"{len(clip)} at {clip.fps:g}"
        raise ClipError(file.source, wanted, came, field="animations")
    shape = len(clip), len(origin.nodes)
    rotations = np.array([each.rotation for each in origin.transforms])
    translations = np.array([each.translation for each in origin.transforms])
    return origin._replace(
        times=origin.times[0] + np.arange(len(clip)) / clip.fps,
        rotations=np.broadcast_to(rotations, (*shape, 4)),
        translations=np.broadcast_to(translations, (*shape, 3)),
    )


def _animated(origin):
    """Return the joints and properties that an animation has channels for."""
    if origin.animation is None:
        return []
    index = {node: joint for joint, node in enumerate(origin.nodes)}
    channels = animations.targets(origin.document, origin.animation)
    return [(index[node], path) for _, node, path in channels]


def _other_channels(origin):
    """Return the places of channels that are not rotations and translations of joints."""
    ours = {
        place
        for place, node, path in animations.targets(origin.document, origin.animation)
        if node in origin.nodes and path != "scale"
    }
    whole = origin.document.root.array("animations")[origin.animation]
    return set(range(len(whole.array("channels")))) - ours
