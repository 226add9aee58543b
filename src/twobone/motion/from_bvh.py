"""Clips of BVH documents and back: only what changed is written, as the nearest Euler angles."""

from __future__ import annotations

from typing import Any

import numpy as np

from twobone.errors import ClipError
from twobone.files import atomic, bvh
from twobone.files.bvh import BvhDocument
from twobone.files.bvh_hierarchy import END_SITE
from twobone.files.columns import quote
from twobone.motion.clip import Clip, check_far
from twobone.motion.guesses import guess_metres, guess_up
from twobone.pose import LocalPose, Skeleton
from twobone.rotations import (
    euler_to_quaternion,
    inverse,
    multiply,
    normalize,
    quaternion_to_euler,
    rotate,
)

NEW_ORDER = "ZXY"  # of new files
ROUNDING = 2e-15  # two rotations, or angles in radians, that differ by less are the same
LACKING = (
    1e-6  # what may be lost where channels are missing: in a quaternion, and of the longest offset
)
BLOCK = 4096  # frames that are written at a time, to save memory
MOST_JOINTS = 4  # for each channel; a file of end sites alone would need memory beyond its size


def load(path: Any, clip: str | int | None = None) -> Clip:
    """Return the clip of a BVH file, as `twobone.motion.load` does."""
    is_first = not isinstance(clip, bool | str) and clip == 0
    if not (clip is None or is_first):
        wanted = "0 or None (BVH files have one clip, without a name)"
        raise ClipError(path, wanted, quote(clip), field="clip")
    return to_clip(bvh.read(path))


def load_all(path: Any) -> list[Clip]:
    """Return the clip of a BVH file, as `twobone.motion.load_all` does."""
    return [load(path)]


def clip_names(path: Any) -> list[str | None]:
    """Return that there is one clip, without a name; the file is not read."""
    return [None]


def save(clip: Clip, path: Any) -> None:
    """Write a clip as a BVH file, as `twobone.motion.save` does."""
    data = to_bytes(clip, str(path))
    with atomic.replacing(path) as file:
        file.write(data)


def save_all(clips: list[Clip], path: Any) -> None:
    """Refuse to write several clips."""
    raise ClipError(path, "one clip, because BVH files cannot hold more", f"{len(clips)} clips")


# --- from documents to clips --------------------------------------------------------------


def to_clip(document: BvhDocument) -> Clip:
    """Return the clip of a BVH document.

    End sites are joints named "<parent> End Site" with identity rotations. In the rest pose, all
    rotations are the identity and joints are at their offsets. A position channel replaces its part
    of the offset, also that of the root; programs that add the offset of the root instead differ
    for files where it is not 0.

    Parameters
    ----------
    document : BvhDocument

    Returns
    -------
    Clip
        `fps` is 1 / frame time, without rounding. `up` and `metres`, which BVH files do not state,
        are guessed.

    Raises
    ------
    ClipError
        If the file has more joints than its channels can move, or its coordinates are above 1e100.

    Examples
    --------
    >>> from twobone.files import bvh
    >>> from twobone.motion import from_bvh
    >>> file = b"HIERARCHY ROOT hip { OFFSET 0 1 0 CHANNELS 3 Zrotation Yrotation Xrotation "
    >>> file += b"End Site { OFFSET 0 -1 0 } } MOTION Frames: 1 Frame Time: .01 90 0 0"
    >>> clip = from_bvh.to_clip(bvh.read(file))
    >>> clip.fps, clip.skeleton.names, sorted(clip.guessed)
    (100.0, ('hip', 'hip End Site'), ['metres', 'up'])
    >>> clip.skeleton.to_global(clip.pose).positions[0, 1].round(6)
    array([1., 1., 0.])
    """
    most = MOST_JOINTS * document.numbers.shape[1]
    if len(document.names) > most:
        raise ClipError(document.source, f"at most {most} joints", len(document.names))
    check_far(document.source, document.offsets, "OFFSET")
    positions = [column for *_, column in _positions(document)]
    check_far(document.source, document.numbers[:, positions], "a position")
    skeleton = Skeleton(document.parents, document.offsets, names=document.names)
    pose = _pose(document, document.numbers)
    up = guess_up(skeleton, pose)
    metres = guess_metres(skeleton, pose, up)
    fps = 1.0 / document.frame_time
    guessed = ("up", "metres")
    return Clip(skeleton, pose, fps, up=up, metres=metres, guessed=guessed, document=document)


def _pose(document, numbers):
    """Return the rotations and translations that numbers mean in the channels of a document."""
    shape = len(numbers), len(document.names)
    rotations = np.zeros((*shape, 4))
    rotations[..., 3] = 1.0
    translations = np.empty((*shape, 3))
    translations[:] = document.offsets
    for order, joints in _by_order(document.channels).items():
        angles = np.radians(numbers[:, _angle_columns(document, joints)])
        rotations[:, joints] = euler_to_quaternion(angles, order)
    for joint, axis, column in _positions(document):
        translations[:, joint, axis] = numbers[:, column]
    return LocalPose(rotations, translations)


def _by_order(channels):
    """Return the joints of each order of rotation channels, such as "ZYX" or "X"."""
    found: dict[str, list[int]] = {}
    for joint, names in enumerate(channels):
        order = "".join(name[0] for name in names if name.endswith("rotation"))
        if order:
            found.setdefault(order, []).append(joint)
    return found


def _angle_columns(document, joints):
    """Return the columns of the rotation channels of joints, one row for each joint."""
    return [
        [
            document.columns[joint] + place
            for place, name in enumerate(document.channels[joint])
            if name.endswith("rotation")
        ]
        for joint in joints
    ]


def _positions(document):
    """Yield the joint, the axis and the column of each position channel."""
    for joint, names in enumerate(document.channels):
        for place, name in enumerate(names):
            if name.endswith("position"):
                yield joint, "XYZ".index(name[0]), document.columns[joint] + place


# --- from clips to documents --------------------------------------------------------------


@np.errstate(all="ignore")  # differences of the largest floats
def to_bytes(clip: Clip, source: str = "the clip") -> bytes:
    """Return a clip as the contents of a BVH file.

    If the clip was read from a BVH file, that file is edited: the header, and the numbers of
    rotations and positions that did not change, keep their text. Changed rotations become the Euler
    angles nearest to those of the file. A clip of another skeleton, or one made of arrays, becomes
    a new file, in whose rest pose all rotations are the identity. If it has scales, positions are
    multiplied by them.

    Parameters
    ----------
    clip : Clip
    source : str
        The name of the file in errors.

    Returns
    -------
    bytes

    Raises
    ------
    ClipError
        If the clip has NaN or infinity, or moves or rotates a joint that has no channels for it.

    Examples
    --------
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip, from_bvh
    >>> leg = Skeleton([-1, 0], [[0, 1, 0], [0, -1, 0]], names=["hip", "foot"])
    >>> clip = Clip(leg, LocalPose([[[0, 0, 0, 1], [0, 0, 0, 1]]]), 30)
    >>> print(from_bvh.to_bytes(clip).decode().partition("MOTION")[2])
    <BLANKLINE>
    Frames: 1
    Frame Time: 0.03333333333333333
    0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
    <BLANKLINE>
    """
    _check_finite(clip.pose, source)
    document, pose = clip.document, clip.pose
    if isinstance(document, BvhDocument) and _is_of(document, clip.skeleton):
        is_edit = len(clip) == len(document.numbers)
    else:
        document, pose = _new_document(clip, source)
        is_edit = False
    numbers = document.numbers.copy() if is_edit else _fresh(document, pose)
    for first in range(0, len(numbers), BLOCK):
        rows, some = numbers[first : first + BLOCK], _frames(pose, first, first + BLOCK)
        if is_edit:
            _edit(document, rows, some)
        _check_kept(document, rows, some, source, first)
    kept = clip.fps == 1.0 / document.frame_time
    return document.to_bytes(numbers, None if kept else 1.0 / clip.fps)


def _is_of(document, skeleton):
    """Return whether a skeleton is that of a document."""
    return (
        skeleton.parents == document.parents
        and skeleton.names == document.names
        and np.array_equal(skeleton.offsets, document.offsets)
        and skeleton.parent_scales is None
    )


def _frames(pose, first, stop):
    return LocalPose(*(part[first:stop] for part in pose))


def _edit(document, numbers, pose):
    """Change those numbers of some frames that their poses change."""
    before, old = _pose(document, numbers), numbers.copy()
    is_changed = _differ(before.rotations, pose.rotations)
    for order, joints in _by_order(document.channels).items():
        columns = np.array(_angle_columns(document, joints))
        frame, place = np.nonzero(is_changed[:, joints])
        at = frame[:, None], columns[place]
        near = np.radians(old[at])
        angles = quaternion_to_euler(pose.rotations[frame, np.array(joints)[place]], order, near)
        is_same = np.abs(angles - near) <= ROUNDING * (1.0 + np.abs(near))
        numbers[at] = np.where(is_same, old[at], np.degrees(angles))
    for joint, axis, column in _positions(document):
        numbers[:, column] = pose.translations[:, joint, axis]


def _fresh(document, pose):
    """Return numbers for any frames, of which each is nearest to the one before."""
    numbers = np.zeros((len(pose.rotations), document.numbers.shape[1]))
    for order, joints in _by_order(document.channels).items():
        near: Any = None
        columns = _angle_columns(document, joints)
        for frame, rotations in enumerate(pose.rotations[:, joints]):
            near = quaternion_to_euler(rotations, order, near)
            numbers[frame, columns] = np.degrees(near)
    for joint, axis, column in _positions(document):
        numbers[:, column] = pose.translations[:, joint, axis]
    return numbers


def _differ(p, q, least=ROUNDING):
    """Return where quaternions differ as rotations; `q` may have any length."""
    differ = (p != q).any(axis=-1)
    one, two = p[differ], normalize(q[differ])
    apart = np.minimum(np.abs(one - two).max(axis=-1), np.abs(one + two).max(axis=-1))
    differ[differ] = apart > least
    return differ


def _check_finite(pose, source):
    for name, array in pose._asdict().items():
        is_sound = np.isfinite(array).all(axis=-1)
        if name == "rotations":
            is_sound &= array.any(axis=-1)
        for frame, joint in np.argwhere(~is_sound)[:1]:
            wanted = "finite numbers, and no rotation of length 0"
            came = f"{array[frame, joint].tolist()} for joint {joint} in frame {frame}"
            raise ClipError(source, wanted, came, field=name)


def _check_kept(document, numbers, pose, source, first):
    """Raise if the numbers do not give the pose, because there are no channels for it.

    They are those of a block of frames that begins with `first`.
    """
    written = _pose(document, numbers)
    apart = np.abs(written.translations - pose.translations).max(axis=-1)
    lost = {
        "rotation": _differ(written.rotations, pose.rotations, LACKING),
        "position": apart > LACKING * np.abs(document.offsets).max(),
    }
    for kind, where in lost.items():
        for frame, joint in np.argwhere(where)[:1]:
            verb = "rotates" if kind == "rotation" else "moves"
            channels = " ".join(document.channels[joint])
            moves = f"{document.names[joint]!r}, which {verb} in frame {first + frame}"
            wanted = f"{kind} channels for joint {moves} (or a .glb file)"
            raise ClipError(source, wanted, channels or "none", field=f"{kind}s")


# --- new files ----------------------------------------------------------------------------


def _new_document(clip, source):
    """Return a document with room for the frames of a clip, and the pose in its order of joints."""
    skeleton = clip.skeleton
    offsets, rotations, translations = _with_plain_rest(skeleton, clip.pose)
    order = _depth_first(skeleton.parents)
    names = _plain_names(skeleton, order)
    offsets, rotations, translations = offsets[order], rotations[:, order], translations[:, order]
    places = {joint: place for place, joint in enumerate(order)} | {-1: -1}
    parents = [places[skeleton.parents[joint]] for joint in order]
    identity = np.broadcast_to([0.0, 0.0, 0.0, 1.0], rotations.shape)
    rotates = _differ(identity, rotations).any(axis=0)
    apart = np.abs(translations - offsets).max(axis=(0, 2))
    moves = apart > 1e-3 * LACKING * np.abs(offsets).max()
    inner, channels, end_sites = set(parents), [], []
    for joint, parent in enumerate(parents):
        is_leaf = joint not in inner and parent >= 0
        is_end = is_leaf and names[joint] == f"{names[parent]} {END_SITE}"
        is_end = is_end and not (rotates[joint] or moves[joint])
        places = [f"{axis}position" for axis in "XYZ"] if parent < 0 or moves[joint] else []
        angles = [f"{axis}rotation" for axis in NEW_ORDER]
        channels.append([] if is_end else places + angles)
        end_sites.append(is_end)
    numbers = np.zeros((1, sum(map(len, channels))))
    document = BvhDocument(
        names,
        parents,
        offsets,
        channels,
        1.0 / clip.fps,
        numbers,
        end_sites=end_sites,
        source=source,
    )
    return document, LocalPose(rotations, translations)


def _with_plain_rest(skeleton, pose):
    """Return offsets, rotations and translations without rest rotations and scales.

    The space of each joint is rotated so that its rest rotation is the identity.
    """
    scales = np.ones(len(skeleton.parents))
    if skeleton.parent_scales is not None:
        scales = np.array(skeleton.parent_scales)
    offsets, translations = (scales[:, None] * v for v in (skeleton.offsets, pose.translations))
    own = skeleton.rest.rotations
    if not _differ(np.broadcast_to([0.0, 0.0, 0.0, 1.0], own.shape), own).any():
        return offsets, pose.rotations, translations
    parents = np.array(skeleton.parents)
    above = np.where(parents[:, None] < 0, [0.0, 0.0, 0.0, 1.0], own[parents])
    rotations = multiply(multiply(above, pose.rotations), inverse(own))
    return rotate(above, offsets), rotations, rotate(above, translations)


def _depth_first(parents):
    """Return the joints in an order in which each is followed by its descendants."""
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(parent, []).append(joint)
    order, waiting = [], children[-1][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += children.get(order[-1], [])[::-1]
    return order


def _plain_names(skeleton, order):
    """Return names that a BVH file can hold: without braces, line breaks and blanks at the ends."""
    found = []
    for joint in order:
        name = "" if skeleton.names is None else skeleton.names[joint]
        plain = "".join("_" if c in "{}" or not c.isprintable() else c for c in name)
        found.append(plain.strip()[:200] or f"joint {joint}")
    return found
