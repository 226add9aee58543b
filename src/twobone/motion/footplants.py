"""Footplants: where joints in contact are held, at the foot's own length, above the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.errors import ClipError
from twobone.motion.clip import Clip
from twobone.motion.curves import Flags, runs
from twobone.motion.ground import ClipGround

Floats = NDArray[np.float64]
Contacts = Mapping[str, Sequence[tuple[int, int]]]
Height = Callable[[Floats], Floats]  # of the ground below points (3, ...)

ROUNDS = 8  # of moving heels and toes towards each other


class Footplant(NamedTuple):
    """An interval of frames in which a joint of a foot is held in place.

    Attributes
    ----------
    joint : str or int
        The label of the joint.
    first, stop : int
        The first frame, and the frame after the last one.
    position : (float, float, float)
        The anchor: where the joint is held, in units and axes of the clip. In a clip in place, this
        is where the ground that moves below it has the anchor in the first frame of the clip.
    """

    joint: str | int
    first: int
    stop: int
    position: tuple[float, float, float]


class Plants(NamedTuple):
    """The footplants of one kind of joint (ends, or toes) of all limbs, as arrays."""

    held: Flags  # (L, T)
    spans: NDArray[np.intp]  # (N, 3): limb, first, last + 1; sorted
    index: NDArray[np.intp]  # (L, T): the footplant of each held frame


# --- labels -------------------------------------------------------------------------------


def frames_in_contact(clip: Clip, contacts: Contacts) -> dict[int, Flags]:
    """Return for each joint in `contacts` which frames are in contact.

    Raises
    ------
    ClipError
        If a joint does not exist, or a contact is not a pair of frames of the clip.
    """
    if not isinstance(contacts, Mapping):
        wanted = "a dictionary from joints to contacts (first, last + 1)"
        raise ClipError("the contacts", wanted, type(contacts).__name__)
    return {
        joint_of(clip, joint, "the contacts"): _flags(len(clip), joint, spans)
        for joint, spans in contacts.items()
    }


def joint_of(clip: Clip, joint: Any, source: str) -> int:
    """Return the index of a joint of a clip, or raise a `ClipError`.

    Files of labels and `find_contacts` have the indices of joints without names as digits.
    """
    try:
        return clip.skeleton.index(joint)
    except ValueError as error:
        if isinstance(joint, str) and joint.isascii() and joint.isdigit() and len(joint) < 10:
            return joint_of(clip, int(joint), source)
        raise ClipError(source, "joints of the skeleton", f"{joint!r}: {error}") from error


def _flags(count: int, joint: Any, spans: Any) -> Flags:
    on = np.zeros(count, bool)
    try:
        pairs = np.array([(first, last) for first, last in spans], float).reshape(-1, 2)
    except (TypeError, ValueError) as error:
        wanted = "contacts (first, last + 1)"
        raise ClipError("the contacts", wanted, repr(spans), field=str(joint)) from error
    for first, last in pairs.tolist():
        if not (first % 1 == 0 == last % 1 and 0 <= first <= last <= count):
            wanted = f"contacts (first, last + 1) within the {count} frames"
            came = (f"{first:g}", f"{last:g}")
            raise ClipError("the contacts", wanted, f"({', '.join(came)})", field=str(joint))
        on[int(first) : int(last)] = True
    return on


def without_sliding(
    clip: Clip, on: dict[int, Flags], keep_sliding: Iterable[tuple[Any, int, int]]
) -> tuple[dict[int, Flags], dict[int, Flags]]:
    """Return contacts without the frames in which a joint is to slide, and those frames."""
    kept = {joint: flags.copy() for joint, flags in on.items()}
    sliding: dict[int, Flags] = {}
    try:
        given = [(joint, first, last) for joint, first, last in keep_sliding]
    except (TypeError, ValueError) as error:
        wanted = "a sequence of (joint, first, last)"
        raise ClipError("keep_sliding", wanted, repr(keep_sliding)) from error
    for name, first, last in given:
        joint = joint_of(clip, name, "keep_sliding")
        whole = isinstance(first, Integral) and isinstance(last, Integral)
        if not (whole and 0 <= first <= last < len(clip)):
            wanted = f"frames (first, last) within 0 and {len(clip) - 1}"
            raise ClipError("keep_sliding", wanted, f"({first}, {last})", field=str(name))
        sliding.setdefault(joint, np.zeros(len(clip), bool))[first : last + 1] = True
        if joint in kept:
            kept[joint] &= ~sliding[joint]
    return kept, sliding


def split_at_jumps(on: Flags, free: Flags, at: Floats, apart: Floats) -> tuple[Flags, Flags]:
    """Return contacts that end where a joint jumps, as at cuts and where a clip starts again.

    `on` and `free`, shape (L, T), are the frames in contact, and those in which the joint must not
    be held. A joint jumps if it moves by more than `apart`, shape (L,), in one frame, compared with
    the median of all contacts: in a run in place all feet move fast. The frame after a jump within
    a contact is no longer in contact; frames after any jump must not be held in a pause.
    """
    steps = np.diff(at, axis=-1)
    pairs = on[:, 1:] & on[:, :-1]
    usual = np.median(steps[:, pairs], axis=-1) if pairs.any() else np.zeros(3)
    jumps = np.zeros_like(on)
    jumps[:, 1:] = np.linalg.norm(steps - usual[:, None, None], axis=0) > apart[:, None]
    within = np.zeros_like(on)
    within[:, 1:] = jumps[:, 1:] & pairs
    return on & ~within, free | jumps


def plants_of(on: Flags, free: Flags, pause: int) -> Plants:
    """Return the footplants of joints, which are held through pauses of a few frames.

    `on` and `free`, shape (L, T), are the frames in contact, and those in which the joint must not
    be held; `pause` is the longest pause.
    """
    held, spans = on.copy(), []
    for limb, (flags, slides) in enumerate(zip(held, free, strict=True)):
        found = runs(flags)
        pauses = np.stack([found[:-1, 1], found[1:, 0]], axis=1)
        for first, last in pauses[pauses[:, 1] - pauses[:, 0] <= pause].tolist():
            # The frame after the pause counts as well: a joint may have jumped there.
            flags[first:last] = not slides[first : last + 1].any()
        spans += [(limb, first, last) for first, last in runs(flags).tolist()]
    spans = np.array(spans, np.intp).reshape(-1, 3)
    index = np.full(on.shape, -1, np.intp)
    for number, (limb, first, last) in enumerate(spans.tolist()):
        index[limb, first:last] = number
    return Plants(held, spans, index)


# --- anchors ------------------------------------------------------------------------------


def over_spans(plants: Plants, values: Floats, ufunc: Any) -> Floats:
    """Reduce values (..., L, T) over the frames of each footplant."""
    count = values.shape[-1]
    flat = values.reshape(*values.shape[:-2], -1)
    edges = plants.spans[:, :1] * count + plants.spans[:, 1:]
    if not len(edges):
        return np.empty((*values.shape[:-2], 0))
    # A last frame of its own, so that the end of the last footplant is an index too.
    flat = np.concatenate([flat, flat[..., -1:]], axis=-1)
    return ufunc.reduceat(flat, edges.reshape(-1), axis=-1)[..., ::2]


def anchors(
    plants: Plants, positions: Floats, weights: Floats, least: Floats, up: int, height: Height
) -> tuple[Floats, Floats]:
    """Return where joints are held, shape (3, N), and how high above the ground, shape (N,).

    It is their mean position with `weights` (L, T), and no lower than `least` (L, T): the height
    above the ground that each frame asks for.
    """
    total = over_spans(plants, weights, np.add)
    places = over_spans(plants, weights * positions, np.add) / total
    above = over_spans(plants, weights * (positions[up] - height(positions)), np.add) / total
    above = np.maximum(above, over_spans(plants, least, np.maximum))
    places[up] = above + height(places)
    return places, above


def at_rest(
    places: Floats, above: Floats, rests: Floats, most: Floats, ground: ClipGround
) -> tuple[Floats, Floats]:
    """Return where joints are held, (3, N), and how high above the ground (N), if they rest on it.

    `rests` (N) are how high joints rest, along the normal of the ground. Those that are higher by
    more than `most` (N) stand on something else, and keep their height.
    """
    up, points = "xyz".index(ground.up), places.T
    lean = ground.normal(points)[:, up] if len(points) else np.ones(0)
    resting = rests / lean
    above = np.where(above - resting > most, above, resting)
    moved = places.copy()
    moved[up] = above + ground.height(points) if len(points) else moved[up]
    return moved, above


def at_own_length(
    ends: Plants,
    toes: Plants,
    at_end: tuple[Floats, Floats],
    at_toe: tuple[Floats, Floats],
    lengths: Floats,
    up: int,
    ground: Height,
) -> tuple[Floats, Floats]:
    """Move heels and toes that are held at the same time to the length of the foot.

    `at_end` and `at_toe` are pairs of positions (3, N) and heights above the ground (N); `lengths`
    (L, T) has the lengths of feet. Heights above the ground are kept.
    """
    (heel, heel_above), (toe, toe_above) = at_end, at_toe
    pairs, length = _pairs(ends, toes, lengths)
    if not len(pairs):
        return heel, toe
    share = np.maximum(np.bincount(pairs[:, 0])[pairs[:, 0]], np.bincount(pairs[:, 1])[pairs[:, 1]])
    for _ in range(ROUNDS):
        moved = _gap(heel[:, pairs[:, 0]], toe[:, pairs[:, 1]], length, up)
        for joints, column, sign in ((heel, 0, 0.5), (toe, 1, -0.5)):
            for axis in range(3):
                np.add.at(joints[axis], pairs[:, column], sign * moved[axis] / share)
        heel[up], toe[up] = heel_above + ground(heel), toe_above + ground(toe)
    # Then exactly: in order of time, each joint goes to the length from the one that is held
    # already. Most pairs share no joint with others, and are all moved at once.
    alone = np.flatnonzero(share == 1)
    starts = np.maximum(ends.spans[pairs[:, 0], 1], toes.spans[pairs[:, 1], 1])
    order = np.argsort(starts, kind="stable")
    for some in (alone, *order[share[order] > 1, None]):
        i, j = pairs[some].T
        heel_is_later = ends.spans[i, 1] >= toes.spans[j, 1]
        fixed = np.where(heel_is_later, toe[:, j], heel[:, i])
        moving = np.where(heel_is_later, heel[:, i], toe[:, j])
        moving = _at_length(moving, fixed, length[some], up)
        heel[:, i] = np.where(heel_is_later, moving, heel[:, i])
        toe[:, j] = np.where(heel_is_later, toe[:, j], moving)
    return heel, toe


def _pairs(ends: Plants, toes: Plants, lengths: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Return the pairs of footplants of an end and a toe of one foot that share frames.

    And the mean length of the foot in these frames: models can have feet that change theirs.
    """
    both = ends.held & toes.held
    pairs = np.stack([ends.index[both], toes.index[both]], axis=1)
    pairs, inverse, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    sums = np.bincount(inverse.ravel(), weights=lengths[both], minlength=len(pairs))
    return pairs, sums / np.maximum(counts, 1)


def _at_length(moving: Floats, fixed: Floats, length: Floats, up: int) -> Floats:
    """Return points (3, N) moved to a distance from others, horizontally as far as possible.

    The ground may be uneven, so the last step is along the line between the two.
    """
    along = moving + _gap(moving, fixed, length, up) - fixed
    size = np.sqrt((along * along).sum(0))
    return fixed + along * np.where(size > 0.0, length / np.where(size > 0.0, size, 1.0), 1.0)


def _gap(moving: Floats, fixed: Floats, length: Floats, up: int) -> Floats:
    """Return how to move points (3, N) horizontally to a distance from others."""
    away = moving - fixed
    rise = np.clip(away[up], -length, length)
    away[up] = 0.0
    size = np.sqrt((away * away).sum(0))
    wanted = np.sqrt(np.maximum(length * length - rise * rise, 0.0))
    return away * np.where(size > 0.0, wanted / np.where(size > 0.0, size, 1.0) - 1.0, 0.0)
