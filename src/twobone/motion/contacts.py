"""Contacts: when heels and toes are on the ground, also in clips whose feet slide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from twobone.motion.branches import y_up
from twobone.motion.clip import Clip, check_rate
from twobone.motion.curves import runs
from twobone.motion.ground import Given, LegInAir, ground_below, legs_in_air, support_below
from twobone.motion.limbs import FoundLimb, Limbs, given_legs
from twobone.motion.loops import Loop, around, closed, find_loop, padding
from twobone.motion.sliding import shared_velocity

# Lengths are in lengths of the leg: those of people, with legs of 0.83 m, are in the comments.
STILL = 0.18  # per second: feet slower than this, 0.15 m/s,
SHARE = 0.12  # or than this fraction of the body's speed, are at rest
LOW = 0.072  # 6 cm: joints this close to where they rest touch down if they are slow,
HIGH = 0.096  # 8 cm: and leave the ground if they are higher than this
LEAVING = 0.3  # per second: or faster than this, 0.25 m/s, and than the limit of touching down
KERNEL = 0.18  # per second: feet that slide together differ by this, 0.15 m/s, or by that fraction
EVEN = 0.15  # of the body's speed: where half of the feet near the ground are slower, they are even
LARGEST = 0.6  # of the body's speed: feet that are faster never are at rest
RATE = 1.0 / 60.0  # seconds: velocities of feet are taken over twice this
BODY = 0.1  # seconds: and those of the body
SHORTEST = 0.05  # seconds: contacts, and gaps between contacts, last longer
RISING = 0.1  # per second: heels that rise faster than this, 8 cm/s,
ROLLING = 2.0  # and than they usually move up and down by this factor, roll off the ground
FROZEN = 0.002  # per second: slower than any foot that nothing holds, 1.7 mm/s
EVENLY = 0.0002  # per second: changes of velocity that are smaller are none
MOSTLY = 0.8  # of all contacts: if so many are of joints that something holds, all are
CLIMB = 0.6  # 50 cm: feet up to so much above the lowest one may then stand as well, as on a ladder
RAISED = 0.12  # 10 cm: of two feet there, one that is always so much higher is raised
STANDS = 0.5  # of that time, if on a foot or more: otherwise the body floats, as in a long jump


@np.errstate(all="ignore")  # poses may hold anything
def find_contacts(
    clip: Clip,
    limbs: Limbs | Sequence[FoundLimb] | None = None,
    ground: Given = None,
    loop: bool | None = None,
) -> dict[str, list[tuple[int, int]]]:
    """Find when heels and toes are on the ground, also where they slide over it.

    A heel (`end` of a leg) or toe is in contact while it is near the ground and almost still. In
    clips that were stretched, retargeted or generated, all feet on the ground slide with a common
    velocity. It is estimated as the mode of the velocities of all feet near the ground within 0.35
    s, and subtracted first. So walks on a treadmill or on the spot have contacts, too. The limits
    are in lengths of a leg; the values in brackets are those for a person:

    * Touching down: a joint is at most 0.072 legs (6 cm) above its rest height (see `find_ground`).
      Its speed is at most 0.18 legs per second (0.15 m/s) or 12 % of the speed of the body,
      whichever is larger. If feet slide unevenly, as in many animations made by hand, so that half
      of those near the ground are faster than 15 % of the speed of the body, the limit rises up to
      60 % of it.
    * Leaving: the contact lasts until the joint is higher than 0.096 legs (8 cm), or faster than
      0.3 legs per second (0.25 m/s) and than the limit of touching down. Feet land suddenly, and
      leave slowly. With one limit for both, contacts would end too early, and feet that move
      at about that speed would have many short ones.
    * Standing higher: if no foot is near the ground for more than 0.8 s, longer than any jump, the
      body is assumed to stand on something, such as a ladder or stairs. Feet up to 0.6 legs above
      the lowest one are in contact then while they are almost still; of two feet, not one that is
      always higher than the other by more than 0.12 legs (10 cm).
    * Rolling: a contact of a heel does not include frames at its beginning and end in which the
      heel rises or sinks by more than 0.1 legs per second (8 cm/s) and more than twice as fast as
      is usual in that contact.
    * Duration: contacts last at least 0.05 s, and so do gaps between them, except at the beginning
      and the end of the clip. No contact is of a single frame.
    * Pinned clips: if a joint does not move at all, or moves evenly as on a treadmill, for at least
      half of a contact, the contact is reduced or extended to these frames. If that holds for more
      than 80 % of the time in contact, or joints of several feet move evenly at one velocity, all
      other contacts are dropped. So the contacts of a pinned clip are mostly the footplants that it
      was pinned with. They can be others if some of the feet in contact were left to slide.

    Legs that never come near the ground of the clip have no contacts: arms that are named as front
    legs, as those of many dinosaurs, or a leg that is raised throughout. Their joints are always
    more than 0.3 of the leg's length above the lowest foot. If `limbs` is a sequence, all are
    taken.

    A loop is treated as if it continued after its end: a clip whose last pose is its first, or
    whose first frame follows its last one as smoothly as frames do within the clip.

    Parameters
    ----------
    clip : Clip
        Any clip. `clip.metres` is not used, so wrong units do not matter.
    limbs : Limbs or sequence of FoundLimb, optional
        The legs; by default `find_limbs(clip)`. Of `Limbs`, legs are left out that never come near
        the ground.
    ground : number, function, terrain or None
        The ground, as in `find_ground`; by default it is found. Only its slopes and steps matter:
        joints touch the ground at their rest heights, so the height of level ground does not.
    loop : bool, optional
        Whether the clip is a loop, see above; by default this is found. True is for loops with a
        visible jump at their end.

    Returns
    -------
    dict of str to list of (int, int)
        The contacts of each heel and toe as (first, last + 1), with frames from 0. Keys are the
        labels of the joints: names, or paths where names are not unique, or indices where there are
        no names. Empty if the clip has no legs.

    Raises
    ------
    ClipError
        If `limbs` are not what `find_limbs` returns, or have joints that the clip does not have; or
        if the clip has more than 100,000 frames per second.
    ArrayTypeError, CreatureError, ShapeError
        If `ground` is invalid.

    Notes
    -----
    Feet that slide on purpose are in contact if all slide together, as in skating, and are not if
    one slides alone, as in a moonwalk.

    Examples
    --------
    A foot on the ground slides for 1.5 seconds, and is then lifted:

    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip, find_contacts
    >>> names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"]
    >>> offsets = [[0, 0.9, 0], [0.1, 0, 0], [0, -0.45, 0], [0, -0.45, 0]]
    >>> leg = Skeleton([-1, 0, 1, 2], offsets, names=names)
    >>> rotations = np.tile(leg.rotations, (60, 1, 1))
    >>> rotations[45:, 1] = [-0.5, 0, 0, 0.866]  # the hip, by 60 degrees
    >>> translations = np.tile(leg.offsets, (60, 1, 1))
    >>> translations[:, 0, 2] = np.linspace(0.0, 1.0, 60)
    >>> find_contacts(Clip(leg, LocalPose(rotations, translations), fps=30))
    {'LeftFoot': [(0, 45)]}
    """
    return contacts_and_air(clip, limbs, ground, loop)[0]


def contacts_and_air(
    clip: Clip,
    limbs: Limbs | Sequence[FoundLimb] | None = None,
    ground: Given = None,
    loop: bool | None = None,
) -> tuple[dict[str, list[tuple[int, int]]], tuple[LegInAir, ...]]:
    """Return what `find_contacts` returns, and the legs that it leaves out, with their heights."""
    check_rate(clip)
    legs = given_legs(clip, limbs)
    if not legs:
        return {}, ()
    names = {joint: str(clip.skeleton.label(joint)) for leg in legs for joint in leg.contacts}
    contacts: dict[str, list[tuple[int, int]]] = {name: [] for name in names.values()}
    in_air: list[LegInAir] = []
    with np.errstate(all="ignore"):
        positions = clip.skeleton.to_global(clip.pose).positions
        below = ground_below(positions, clip.up, ground, legs)
        if limbs is None or hasattr(limbs, "legs"):  # legs that are listed one by one are all meant
            legs, in_air = legs_in_air(below, positions, legs, clip.fps)
        joints = list(dict.fromkeys(joint for leg in legs for joint in leg.contacts))
        valid = np.all(np.isfinite(positions[:, joints]), axis=(1, 2))
        valid &= np.all(np.isfinite(positions[:, [leg.start for leg in legs]]), axis=(1, 2))
        scale = _scale(positions[valid], legs)
        if not (np.isfinite(scale) and scale > 0.0):
            return contacts, tuple(in_air)
        rests = np.array([below.rests[joint] for joint in joints])
        heights = (below.clearance(positions[:, joints]) - rests) / scale
        hips = np.mean([positions[:, leg.start] for leg in legs], axis=0)
        feet = y_up(_filled(positions[:, joints], valid), clip.up) / scale
        hips = y_up(_filled(hips, valid), clip.up) / scale
        heels = np.isin(joints, [leg.end for leg in legs])
        heights = np.where(valid[:, None], heights, np.inf)
        cycle = find_loop(clip, legs, loop)
        if cycle is None:
            found = contacts_of(feet, hips, heights, heels, clip.fps, len(legs) == 2)
        else:
            cycle = Loop(y_up(cycle.travel, clip.up) / scale, cycle.period)
            found = _in_loop(feet, hips, heights, heels, cycle, clip.fps, len(legs) == 2)
    for k, joint in enumerate(joints):
        contacts[names[joint]] = [(int(a), int(b)) for a, b in runs(found[:, k])]
    return contacts, tuple(in_air)


def _in_loop(
    feet: NDArray[np.float64],
    hips: NDArray[np.float64],
    heights: NDArray[np.float64],
    heels: NDArray[np.bool],
    loop: Loop,
    fps: float,
    two: bool,
) -> NDArray[np.bool]:
    """Return what `contacts_of` returns, for a loop that goes on after its end."""
    whole = around(len(feet), loop.period, padding((), fps))
    away = whole.cycles[:, None] * loop.travel
    feet, hips = feet[whole.frames] + away[:, None], hips[whole.frames] + away
    found = contacts_of(feet, hips, heights[whole.frames], heels, fps, two)[whole.own]
    return np.stack([closed(flags, loop.period) for flags in found.T], axis=-1)


def contacts_of(
    feet: NDArray[np.float64],
    hips: NDArray[np.float64],
    heights: NDArray[np.float64],
    heels: NDArray[np.bool],
    fps: float,
    two: bool = False,
) -> NDArray[np.bool]:
    """Return which joints of feet are in contact, shape (T, K).

    Parameters
    ----------
    feet : array, shape (T, K, 3)
        Positions with y up, in lengths of the leg.
    hips : array, shape (T, 3)
        The same of the body.
    heights : array, shape (T, K)
        How much higher each joint is than where it rests on the ground.
    heels : array of bool, shape (K)
        Which of them are heels; the others are toes.
    fps : float
        Frames per second.
    two : bool
        Whether they are of two feet. Of four feet on stairs, the hind ones can always be lower.
    """
    velocities = _rate(feet, fps, RATE)
    body = _rate(hips, fps, BODY)[:, [0, 2]]
    support = support_below(heights, LOW, fps)[:, None]
    heights = heights - support
    low = np.where(support > 0.0, CLIMB, LOW)
    weights = np.clip(1.0 - heights / low, 0.0, 1.0)
    share, pace = SHARE, np.linalg.norm(body, axis=-1)
    for _ in range(2):
        kernel = np.maximum(KERNEL, share * pace)
        slip = shared_velocity(velocities[..., [0, 2]], weights, kernel, fps)
        pace = np.linalg.norm(body - slip, axis=-1)
        relative = velocities - np.insert(slip, 1, 0.0, axis=-1)[:, None]
        speeds = np.linalg.norm(relative, axis=-1)
        share = _share(speeds, pace, weights)
        if share <= SHARE:
            break
    limit = np.maximum(STILL, share * pace)[:, None]
    near = heights < np.where(support > 0.0, CLIMB, HIGH)
    touches = (speeds < limit) & (heights < low)
    found = _until(touches, near & (speeds < np.maximum(LEAVING, limit)))
    for first, last in runs(support[:, 0] > 0.0):
        if np.mean(np.any(found[first:last], axis=1)) < STANDS:  # it floats
            near[first:last] &= heights[first:last] < HIGH
    found &= near
    if two:
        found &= ~_raised(found, heights, support[:, 0] > 0.0)
    for k in range(found.shape[1]):
        found[:, k] = _lasting(found[:, k], near[:, k], fps)
        if heels[k]:
            found[:, k] = _flat(found[:, k], np.abs(velocities[:, k, 1]))
    return _of_several_frames(_as_held(found, _frozen(feet, fps) & near, feet, heels, fps))


def _of_several_frames(flags: NDArray[np.bool]) -> NDArray[np.bool]:
    """Return contacts (T, K) without those of a single frame: there is nothing to hold in one."""
    if len(flags) < 2:
        return flags
    beside = np.zeros_like(flags)
    beside[1:] = flags[:-1]
    beside[:-1] |= flags[1:]
    return flags & beside


def _until(begins: NDArray[np.bool], goes_on: NDArray[np.bool]) -> NDArray[np.bool]:
    """Return flags (T, K) that are true from where they begin for as long as they go on."""
    frames = np.arange(len(begins))[:, None]
    began = np.maximum.accumulate(np.where(begins, frames, -1), axis=0)
    ended = np.maximum.accumulate(np.where(goes_on | begins, -1, frames), axis=0)
    return began > ended


def _raised(
    flags: NDArray[np.bool], heights: NDArray[np.float64], higher: NDArray[np.bool]
) -> NDArray[np.bool]:
    """Return contacts (T, K) of a foot that is raised while the body stands on something higher.

    A foot that climbs carries the body later, or did before: then it is the lower one. `higher` (T)
    is where the body stands higher, and `heights` are those above the lowest foot there. Contacts
    at the ends of these frames may have been cut short, and stay.
    """
    out = np.zeros_like(flags)
    for first, last in runs(higher):
        for k in range(flags.shape[1]):
            for start, end in first + runs(flags[first:last, k]):
                inside = start > first and end < last
                out[start:end, k] = inside and np.min(heights[start:end, k]) > RAISED
    return out


def _flat(flags: NDArray[np.bool], rising: NDArray[np.float64]) -> NDArray[np.bool]:
    """Return contacts of a heel without the frames at their ends in which it rises already.

    The foot rolls over its toes then, which the limit of speed takes for rest for too long.
    `rising` (T) is how fast the heel rises or sinks.
    """
    out = flags.copy()
    for first, last in runs(flags):
        if last < len(flags):
            usual = ROLLING * np.median(rising[first:last])
            slow = np.flatnonzero(rising[first:last] <= max(RISING, usual))
            out[first + slow[-1] + 1 : last] = False
    return out


def _frozen(feet: NDArray[np.float64], fps: float) -> NDArray[np.bool]:
    """Return where joints (T, K, 3) do not move, or move evenly and level, as on a treadmill.

    Not from the frame before, or not to the next; evenly from the frame before to the next.
    """
    steps = np.zeros((len(feet) + 1, *feet.shape[1:]))
    steps[1:-1] = np.diff(feet, axis=0)
    same = np.linalg.norm(steps, axis=-1) * fps < FROZEN
    same[[0, -1]] = False
    frozen = same[1:] | same[:-1]
    even = np.linalg.norm(np.diff(steps[1:-1], axis=0), axis=-1) * fps < EVENLY
    even &= np.abs(steps[1:-2, :, 1]) * fps < FROZEN
    for first in range(3):
        frozen[first : first + len(even)] |= even
    return frozen


def _as_held(
    flags: NDArray[np.bool],
    frozen: NDArray[np.bool],
    feet: NDArray[np.float64],
    heels: NDArray[np.bool],
    fps: float,
) -> NDArray[np.bool]:
    """Return contacts (T, K) as long as joints are frozen, where they are for half of it or more.

    In clips that are pinned, or made by hand, frames before and after are slow as well. Where most
    contacts are of that kind, all others are those of joints that are not meant to be held.
    """
    held, free = np.zeros_like(flags), np.zeros_like(flags)
    for k in range(flags.shape[1]):
        spans = runs(frozen[:, k])
        for first, last in runs(flags[:, k]):
            if 2 * np.sum(frozen[first:last, k]) < last - first:
                free[first:last, k] = True
            for start, end in spans[(spans[:, 0] < last) & (spans[:, 1] > first)]:
                held[start:end, k] |= not free[first, k]
    belt = _belt(feet, held, heels, fps)
    if belt is not None:
        return held | _along(belt, feet, flags, frozen, fps)
    return held if np.sum(held) > MOSTLY * np.sum(held | free) else held | free


def _belt(
    feet: NDArray[np.float64], held: NDArray[np.bool], heels: NDArray[np.bool], fps: float
) -> NDArray[np.float64] | None:
    """Return the velocity (3,) of the treadmill on which a clip was pinned; None if it was not.

    All joints that are held move at it, and they are of several feet. Feet that were animated by
    hand can move evenly, but hardly two of them at the same velocity to within 1 %.
    """
    found, joints = [], set()
    for k in range(held.shape[1]):
        for first, last in runs(held[:, k]):
            if last - first > 2:
                found.append(_velocity(feet[first:last, k], fps))
                joints.add(k)
    kinds = np.unique(heels[list(joints)])
    if len(joints) <= len(kinds):  # a heel and a toe may be of one foot
        return None
    velocity = np.median(found, axis=0)
    apart = np.linalg.norm(found - velocity, axis=-1)
    return velocity if np.linalg.norm(velocity) > STILL and (apart < FROZEN).all() else None


def _along(
    belt: NDArray[np.float64],
    feet: NDArray[np.float64],
    flags: NDArray[np.bool],
    frozen: NDArray[np.bool],
    fps: float,
) -> NDArray[np.bool]:
    """Return where joints in contact (T, K) move at the velocity of a treadmill."""
    out = np.zeros_like(flags)
    for k in range(flags.shape[1]):
        for first, last in runs(frozen[:, k]):
            went = _velocity(feet[first:last, k], fps)
            out[first:last, k] = flags[first:last, k].any() and (
                np.linalg.norm(went - belt) < FROZEN
            )
    return out


def _velocity(positions: NDArray[np.float64], fps: float) -> NDArray[np.float64]:
    """Return the mean velocity (3,) of a joint over some frames."""
    return (positions[-1] - positions[0]) * fps / max(len(positions) - 1, 1)


def _share(
    speeds: NDArray[np.float64], pace: NDArray[np.float64], weights: NDArray[np.float64]
) -> float:
    """Return up to which fraction of the body's speed feet are at rest.

    The median over feet near the ground is below 0.15 in recorded walks and runs, even if they are
    stretched. In animations made by hand feet slide unevenly, and it is larger; then so is the
    limit.
    """
    moving = np.broadcast_to((pace > STILL)[:, None] & (weights > 0.0), speeds.shape)
    if not np.any(moving):
        return SHARE
    fractions, mass = (speeds / pace[:, None])[moving], weights[moving]
    order = np.argsort(fractions)
    total = np.cumsum(mass[order])
    median = fractions[order][np.searchsorted(total, 0.5 * total[-1])]
    return float(np.clip(SHARE + 2.0 * (median - EVEN), SHARE, LARGEST))


def _scale(positions: NDArray[np.float64], legs: Sequence[FoundLimb]) -> float:
    """Return the length of a leg, the median over the legs; with the part that stands upright."""
    lengths = []
    for leg in legs if len(positions) else ():
        tip = [] if leg.heel or leg.toe is None else [leg.toe]
        joints = [leg.start, leg.mid, leg.end, *tip]
        bones = np.diff(positions[:, joints], axis=1)
        lengths.append(np.median(np.sum(np.linalg.norm(bones, axis=-1), axis=1)))
    return float(np.median(lengths)) if lengths else 0.0


def _filled(values: NDArray[np.float64], valid: NDArray[np.bool]) -> NDArray[np.float64]:
    """Return values (T, ...) with invalid frames replaced by the valid ones before or after."""
    if np.all(valid):
        return values
    known = np.flatnonzero(valid)
    after = np.minimum(np.searchsorted(known, np.arange(len(valid))), len(known) - 1)
    return values[known[after]]


def _rate(values: NDArray[np.float64], fps: float, seconds: float) -> NDArray[np.float64]:
    """Return derivatives along the first axis: central differences over twice some seconds."""
    reach = min(max(1, round(seconds * fps)), len(values))
    frames = np.arange(len(values))
    before, after = np.maximum(frames - reach, 0), np.minimum(frames + reach, len(values) - 1)
    time = np.maximum(after - before, 1) / fps
    return (values[after] - values[before]) / time.reshape(-1, *[1] * (values.ndim - 1))


def _lasting(flags: NDArray[np.bool], near: NDArray[np.bool], fps: float) -> NDArray[np.bool]:
    """Return flags without short gaps in which a foot stays near, and without short contacts.

    What the clip's ends may have cut short stays.
    """
    out = flags.copy()
    for value in (False, True):
        for first, last in runs(out == value):
            inside = first > 0 and last < len(out)
            # A frame rate can be 120.00005: the hundredth of a frame is for such.
            short = last - first < SHORTEST * fps - 0.01
            if inside and short and (value or np.all(near[first:last])):
                out[first:last] = not value
    return out
