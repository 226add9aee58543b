"""A report of what pinning changed: measures of feet and knees, before and after."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from twobone.motion import chains, measures, t_pose
from twobone.motion.chains import Floats
from twobone.motion.clip import Clip
from twobone.motion.curves import Counts
from twobone.motion.footplants import Footplant
from twobone.motion.ground import LegInAir
from twobone.motion.writing import carriers

UNITS = {
    "lengths": "metres",
    "accelerations": "metres per second squared",
    "frames": "from 0; `stop` is the one after the last",
}

TIMES = 2.0  # the usual steps of a joint around a frame: larger ones are new
SEEN = 0.001  # of a limb's length; smaller steps are not counted
SLOWEST = 1.0  # frames per second; fewer are no motion that can be resampled


class Change(NamedTuple):
    """A figure of the clip before pinning, and after."""

    before: float
    after: float


class MeasuredFootplant(NamedTuple):
    """How well a joint keeps to a footplant.

    Attributes
    ----------
    joint : str or int
        Its label.
    first, stop : int
        The first frame of the footplant, and the one after its last.
    drift : Change
        The largest distance from the mean position over the footplant, in metres.
    slide : Change
        The length of the horizontal path, in metres.
    missed : float
        The largest distance from the anchor that remains, in metres.
    """

    joint: str | int
    first: int
    stop: int
    drift: Change
    slide: Change
    missed: float


class Step(NamedTuple):
    """A single-frame step of a joint: how far it is off the line beside it in a frame, twice.

    Attributes
    ----------
    joint : str or int
        Its label.
    frame : int
        The frame.
    usual : float
        How large its steps were before, in the frames around; see `measures.usual_steps`.
    size : float
        How large it is after, in metres; see `measures.steps`.
    """

    joint: str | int
    frame: int
    usual: float
    size: float


class Report(NamedTuple):
    """What pinning changed; each `Change` is a figure of the clip before, and after.

    Percentiles are named by a number: 95 % of the values are below `drift_95`. "Held" joints are
    ends and toes during their footplants. Figures of no values are 0, those that are not defined
    are NaN.

    Attributes
    ----------
    frames : int
        The number of frames of the clip.
    left_out : int
        How many frames at the beginning are a T-pose before the motion. No figure has them.
    fps : float
        Frames per second of the clip.
    footplants : tuple of MeasuredFootplant
        By first frame.
    drift_95, drift_most : Change
        Distance of held joints from their mean position over the footplant, in metres.
    slide : Change
        The length of the horizontal paths of all held joints together, in metres.
    penetration : Change
        How deep toes are at most below the lowest held joint of the clip before, in metres.
    floating_95 : Change
        How far held joints are above their lowest height while held, in metres.
    knee_acceleration_95, knee_acceleration_99_5 : Change
        Accelerations of knees, and elbows of held hands, in metres per second squared.
    new_steps : tuple of Step
        The frames in which a hip, knee or ankle makes a step that is new: more than twice as large
        as it was before around that frame. For each frame, the joint with the largest one. Steps
        of less than a thousandth of the limb do not count.
    largest_new_step : Step or None
        The new step that became larger by most; if there are none, the step that did. None if there
        are no footplants.
    extension : Change
        The largest extension of a limb: its length from start to end, as a share of the length of
        its bones. 1 is straight.
    body_moved_95, body_moved_most : float
        How far the body is from where it was, in metres.
    feet_in_air_moved_95, feet_in_air_moved_most : float
        How far the ends of limbs that are not held are from where they were, in metres.
    bones : float
        The largest change of the length of a bone, as a share of it.
    missed_95, missed_most : float
        Distance of held joints from their anchors, in metres.
    skating_ratio : Change
        The share of frames with skating as GMD defines it, at 20 frames per second. This and the
        next three are measures of `twobone.motion.measures`, of two feet with toes; NaN for others,
        and below 1 frame per second.
    foot_skating : Change
        The foot skating of NeMF, in centimetres a frame at 30 frames per second.
    slow_feet : Change
        The share of the frames in contact that HumanML3D's labels find, at 20 frames per second.
    physical_foot_contact : Change
        The score of EDGE, at 30 frames per second.
    ground_velocity : (float, float, float)
        The velocity of the ground below a clip in place, in metres per second and the axes of the
        clip; 0 for other clips. All figures are relative to that ground.
    stays_in_place : bool
        Whether the pinned clip is still in place. If the body follows its feet, it travels.
    jump_at_end : float
        How far joints jump where the clip starts again, if it is almost a loop but is not treated
        as one. 0 for loops, and for all other clips.
    legs_in_air : tuple of LegInAir
        The legs that never come near the ground, so that no contacts were found for them: their
        names, and how far above the lowest foot they stay, in metres.
    slid_in_place : float
        The largest drift of a foot that slides while the body stays, and is held still, in metres.
        0 if it is less than 0.15 of a leg's length, and in clips in place.
    """

    frames: int
    left_out: int
    fps: float
    footplants: tuple[MeasuredFootplant, ...]
    drift_95: Change
    drift_most: Change
    slide: Change
    penetration: Change
    floating_95: Change
    knee_acceleration_95: Change
    knee_acceleration_99_5: Change
    new_steps: tuple[Step, ...]
    largest_new_step: Step | None
    extension: Change
    body_moved_95: float
    body_moved_most: float
    feet_in_air_moved_95: float
    feet_in_air_moved_most: float
    bones: float
    missed_95: float
    missed_most: float
    skating_ratio: Change
    foot_skating: Change
    slow_feet: Change
    physical_foot_contact: Change
    ground_velocity: tuple[float, float, float]
    stays_in_place: bool
    jump_at_end: float
    legs_in_air: tuple[LegInAir, ...] = ()
    slid_in_place: float = 0.0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what to look at in the clip; for most clips there are none.

        `doubts` are the last of them.
        """
        found = []
        if self.left_out:
            found.append("The T-pose at the beginning is not measured.")
        speed = float(np.linalg.norm(self.ground_velocity))
        if speed > 0.0:
            told = f"feet in contact move at {speed:.2f} m/s, the body does not"
            found.append(
                f"The clip is in place: {told}."
                " To let the character travel, use body='follow' (--body follow)."
                if self.stays_in_place
                else f"The clip that was given is in place ({told}); the pinned clip travels."
            )
        if self.legs_in_air:
            names = ", ".join(leg.name for leg in self.legs_in_air)
            found.append(
                f"Legs that never come near the ground are not held: {names}."
                " To hold their joints, name them in contacts (--contacts)."
            )
        return (*found, *self.doubts)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Those of the warnings that say that the result may not be what is wanted.

        Each names the options that decide it.
        """
        found = []
        if self.jump_at_end > 0.0:
            found.append(
                f"The clip is almost a loop: joints jump by {1000.0 * self.jump_at_end:.0f} mm at"
                " its end. If it is played as a loop, use loop=True (--loop)."
            )
        if self.slid_in_place > 0.0:
            found.append(
                f"Feet drift by up to {1000.0 * self.slid_in_place:.0f} mm while the body stays,"
                " and are held still. If the character walks in place, use in_place=True"
                " (--in-place), or body='follow' (--body follow) to let it travel; if it stands,"
                " in_place=False (--no-in-place)."
            )
        return tuple(found)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as dictionaries, lists, strings and numbers, for JSON.

        Lengths are in metres, as in the report; "units" says so. Numbers that are not defined are
        None. `warnings` are included.

        Examples
        --------
        >>> from twobone import LocalPose, Skeleton
        >>> from twobone.motion import Clip, pin
        >>> clip = Clip(Skeleton([-1], [[0, 0, 0]]), LocalPose([[[0, 0, 0, 1]]]), 30)
        >>> pin(clip, {}, []).report.as_dict()["drift_95"]
        {'before': 0.0, 'after': 0.0}
        """
        return {"units": dict(UNITS), **_plain(self), "warnings": list(self.warnings)}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


class Held(NamedTuple):
    """A joint that is held, its footplants, and their frames (first, last + 1)."""

    joint: int
    plants: list[Footplant]
    frames: Counts


class _Side(NamedTuple):
    """One of the two clips: positions in metres, y up, of shape (T, 3) or (T, L, 3)."""

    at: dict[int, Floats]
    body: Floats
    start: Floats
    mid: Floats
    end: Floats
    toe: Floats


@np.errstate(all="ignore")  # poses may hold anything
def report(
    clip: Clip,
    made: Clip,
    plants: Sequence[Footplant],
    limbs: Sequence[Any],
    velocity: Sequence[float] = (0.0, 0.0, 0.0),
    stays_in_place: bool = False,
    jump_at_end: float = 0.0,
    legs_in_air: Sequence[LegInAir] = (),
    slid_in_place: float = 0.0,
) -> Report:
    """Return the measures of a clip and of what pinning made of it.

    Parameters
    ----------
    clip, made : Clip
        The clip before and after.
    plants : sequence of Footplant
        Where joints are held.
    limbs : sequence of limbs
        Those in contact, as in `pin`.
    velocity : (x, y, z)
        That of the ground below a clip in place; both clips must move over it.
    stays_in_place : bool
        Whether `made` will be put back in place.
    jump_at_end : float
        How far joints jump where a clip starts again that is almost a loop, in its units.
    legs_in_air : sequence of LegInAir
        Legs that were left out, with heights in units of the clip.
    slid_in_place : float
        The largest drift of a foot that is held still while the body stays, in units of the clip.

    Returns
    -------
    Report
        The measures. Forward kinematics is computed anew from both clips.
    """
    start = t_pose.frames_before_motion(clip, limbs)
    frames, clip, made = len(clip), clip[start:], made[start:]
    plants = _shifted(plants, start)
    by_joint: dict[str | int, list[Footplant]] = {}
    for plant in plants:
        by_joint.setdefault(plant.joint, []).append(plant)
    held = [
        Held(
            clip.skeleton.index(joint),
            own,
            np.array([(plant.first, plant.stop) for plant in own], np.intp),
        )
        for joint, own in by_joint.items()
    ]
    touching = {each.joint for each in held}
    limbs = [limb for limb in limbs if {limb.end, limb.toe} & touching]
    before, after = _side(clip, clip, limbs), _side(made, clip, limbs)
    measured, missed = _measured(clip, held, before, after, start)
    moved = _norm(after.body - before.body)
    lengths = [_bones(side) for side in (before, after)]
    air = np.ones(before.end.shape[:2], bool)
    for n, limb in enumerate(limbs):
        for each in held:
            if each.joint in (limb.end, limb.toe):
                air[_held_frames(each, clip), n] = False
    steps = _norm(after.end - before.end)[air]
    lows = [before.at[each.joint][_held_frames(each, clip), 1] for each in held]
    floor = float(_all(lows).min(initial=np.inf)) if lows else 0.0

    def change(measure: Any) -> Change:
        return Change(float(measure(before)), float(measure(after)))

    def percentile(measure: Any, share: float) -> Change:
        return change(lambda side: _percentile(measure(side), share))

    def over_contacts(measure: Any) -> Any:
        return lambda side: _all([measure(side.at[each.joint], each.frames) for each in held])

    def knees(side: _Side) -> Floats:
        return measures.acceleration(side.mid, clip.fps)

    def straight(side: _Side) -> Floats:
        return measures.extension(side.start, side.mid, side.end)

    drifts = [over_contacts(measures.drift)(side) for side in (before, after)]
    x, y, z = (float(part) * clip.metres for part in velocity)
    return Report(
        frames,
        start,
        clip.fps,
        measured,
        Change(*(_percentile(drift, 95) for drift in drifts)),
        Change(*(float(drift.max(initial=0.0)) for drift in drifts)),
        change(lambda side: over_contacts(measures.slide)(side).sum()),
        change(lambda side: measures.penetration(side.toe, floor).max(initial=0.0)),
        percentile(over_contacts(measures.floating), 95),
        percentile(knees, 95),
        percentile(knees, 99.5),
        *_new_steps(clip, limbs, before, after, start),
        change(lambda side: straight(side).max(initial=0.0)),
        _percentile(moved, 95),
        float(moved.max()),
        _percentile(steps, 95),
        float(steps.max(initial=0.0)),
        float((np.abs(lengths[1] - lengths[0]) / np.maximum(lengths[0], 1e-300)).max(initial=0.0)),
        _percentile(missed, 95),
        float(missed.max(initial=0.0)),
        *_published(clip, limbs, held, before, after, floor),
        ground_velocity=(x, y, z),
        stays_in_place=stays_in_place,
        jump_at_end=jump_at_end * clip.metres,
        legs_in_air=tuple(leg._replace(height=leg.height * clip.metres) for leg in legs_in_air),
        slid_in_place=slid_in_place * clip.metres,
    )


def _new_steps(
    clip: Clip, limbs: Sequence[Any], before: _Side, after: _Side, start: int
) -> tuple[tuple[Step, ...], Step | None]:
    """Return the new steps of hips, knees and ankles, and the one that grew by most."""
    if not limbs:
        return (), None
    joints = [getattr(limb, kind) for kind in ("start", "mid", "end") for limb in limbs]
    was, now = (
        np.concatenate([side.start, side.mid, side.end], axis=1) for side in (before, after)
    )
    usual, sizes = measures.usual_steps(was, clip.fps), measures.steps(now)
    leg = float(np.median(_bones(before)[:2].sum(0)))
    new = sizes > np.maximum(TIMES * usual, SEEN * leg)

    def step(frame: int, column: int) -> Step:
        label = clip.skeleton.label(joints[column])
        figures = float(usual[frame, column]), float(sizes[frame, column])
        return Step(label, frame + start, *figures)

    growth = sizes - usual
    worst = np.unravel_index(int(growth.argmax()), growth.shape)
    chosen = np.where(new, growth, -np.inf).argmax(1)
    found = [step(frame, int(chosen[frame])) for frame in np.flatnonzero(new.any(1)).tolist()]
    largest = max(found, key=lambda each: each.size - each.usual, default=None)
    return tuple(found), largest or step(int(worst[0]), int(worst[1]))


def _published(
    clip: Clip,
    limbs: Sequence[Any],
    held: Sequence[Held],
    before: _Side,
    after: _Side,
    floor: float,
) -> list[Change]:
    """Return the published measures; they are for two feet with ankles and toes.

    Each is taken at the frame rate of its publication: GMD and HumanML3D at 20, NeMF and EDGE at 30
    frames per second.
    """
    are_feet = len(limbs) == 2 and all(limb.toe is not None for limb in limbs)
    if not are_feet or clip.fps < SLOWEST:
        return [Change(float("nan"), float("nan"))] * 4
    found = []
    for side in (before, after):
        down = np.array([0.0, floor, 0.0])
        parts = side.body, side.end - down, side.toe - down
        at_20 = [measures.resampled(part, clip.fps, 20.0) for part in parts]
        body, ankles, toes = (measures.resampled(part, clip.fps, 30.0) for part in parts)
        found.append(
            (
                measures.skating_ratio(at_20[2], 20.0),
                measures.foot_skating(ankles, toes),
                _slow_share(clip, held, side),
                measures.physical_foot_contact(body, ankles, toes, 30.0),
            )
        )
    return [Change(*pair) for pair in zip(*found, strict=True)]


def _slow_share(clip: Clip, held: Sequence[Held], side: _Side) -> float:
    """Return the share of the steps of held joints that HumanML3D labels as contact."""
    frames = measures.resampled_frames(len(clip), clip.fps, 20.0)
    nearest = np.minimum(np.round(frames).astype(np.intp), len(clip) - 1)
    found = []
    for each in held:
        on = np.zeros(len(clip), bool)
        on[_held_frames(each, clip)] = True
        slow = measures.slow_feet(measures.resampled(side.at[each.joint], clip.fps, 20.0))
        found.append(slow[on[nearest][1:] & on[nearest][:-1]])
    return float(_all(found).mean()) if len(_all(found)) else float("nan")


def _side(clip: Clip, original: Clip, limbs: Sequence[Any]) -> _Side:
    joints = {joint for limb in limbs for joint in (limb.start, limb.mid, limb.end, limb.toe)}
    joints |= set(carriers(original, limbs)) if limbs else {0}
    at = {
        joint: upright(clip, points.T)
        for joint, points in chains.forward(clip, joints - {None}).positions.items()
    }
    body = carriers(original, limbs)[0] if limbs else 0
    groups = [[getattr(limb, kind) for limb in limbs] for kind in ("start", "mid", "end")]
    groups.append([limb.end if limb.toe is None else limb.toe for limb in limbs])
    empty = np.zeros((len(clip), 0, 3))
    stacked = [np.stack([at[j] for j in group], axis=1) if group else empty for group in groups]
    return _Side(at, at[body], *stacked)


def upright(clip: Clip, points: Floats) -> Floats:
    """Return positions (..., 3) of a clip in metres, y up."""
    if clip.up == "z":
        points = np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)
    return points * clip.metres


def _bones(side: _Side) -> Floats:
    joints = (side.start, side.mid, side.end, side.toe)
    return np.stack([_norm(b - a) for a, b in itertools.pairwise(joints)])


def _measured(
    clip: Clip, held: Sequence[Held], before: _Side, after: _Side, start: int
) -> tuple[tuple[MeasuredFootplant, ...], Floats]:
    """Return the measures of footplants, and by how much each held frame misses its anchor."""
    found, missed = [], [np.zeros(0)]
    for each in held:
        frames, firsts, sizes = measures.in_contact(each.frames, len(clip))
        places = upright(clip, np.array([plant.position for plant in each.plants]))
        missed.append(_norm(after.at[each.joint][frames] - np.repeat(places, sizes, axis=0)))
        sides = [side.at[each.joint] for side in (before, after)]
        drifts = [np.maximum.reduceat(measures.drift(at, each.frames), firsts) for at in sides]
        slides = [measures.slide(at, each.frames) for at in sides]
        most = np.maximum.reduceat(missed[-1], firsts)
        rows = zip(*(column.tolist() for column in (*drifts, *slides, most)), strict=True)
        for plant, (drift, drift_after, slide, slide_after, miss) in zip(
            each.plants, rows, strict=True
        ):
            edges = plant.first + start, plant.stop + start
            changes = Change(drift, drift_after), Change(slide, slide_after)
            found.append(MeasuredFootplant(plant.joint, *edges, *changes, miss))
    return tuple(sorted(found, key=lambda one: (one.first, str(one.joint)))), _all(missed)


def _shifted(plants: Sequence[Footplant], start: int) -> list[Footplant]:
    """Return footplants in a clip without its first frames."""
    moved = [
        plant._replace(first=max(plant.first - start, 0), stop=plant.stop - start)
        for plant in plants
    ]
    return [plant for plant in moved if plant.stop > 0]


def _held_frames(each: Held, clip: Clip) -> Any:
    return measures.in_contact(each.frames, len(clip))[0]


def _norm(v: Floats) -> Floats:
    return np.sqrt((v * v).sum(-1))


def _all(parts: Sequence[Any]) -> Any:
    return np.concatenate([np.ravel(part) for part in parts]) if parts else np.zeros(0)


def _percentile(values: Floats, share: float) -> float:
    return float(np.percentile(values, share)) if values.size else 0.0
