"""`pin`: hold the feet of a clip in place while they are in contact with the ground."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from twobone.errors import ClipError
from twobone.motion import footplants, legs, loops, report
from twobone.motion.clip import Clip, check_rate
from twobone.motion.conforming import conformed
from twobone.motion.contacts import contacts_and_air
from twobone.motion.curves import Flags
from twobone.motion.feet import Feet, feet_of, is_level
from twobone.motion.footplants import Contacts, Footplant
from twobone.motion.ground import ClipGround, Given, LegInAir
from twobone.motion.holding import Body, Reaching, hold
from twobone.motion.in_place import ground_velocity, slid_in_place
from twobone.motion.legs import Limb
from twobone.motion.limbs import Limbs, find_limbs
from twobone.motion.loops import Loop
from twobone.motion.report import Report

NEAR = 0.02  # of a limb's length: a loop that travels no further may just not quite come back


class Pinned(NamedTuple):
    """The result of `pin`.

    `clip` is a new clip with the feet in place, `anchors` has one footplant for each interval in
    which a joint is held, and `report` measures what was changed.
    """

    clip: Clip
    anchors: list[Footplant]
    report: Report


@np.errstate(all="ignore")  # poses may hold anything
def pin(
    clip: Clip,
    contacts: Contacts | None = None,
    limbs: Limbs | Sequence[Limb] | None = None,
    ground: Given = None,
    body: Body = "least",
    reach: Reaching = "exact",
    keep_sliding: Iterable[tuple[Any, int, int]] = (),
    loop: bool | None = None,
    in_place: bool | None = None,
    conform: Given = None,
) -> Pinned:
    """Hold feet in place while they are in contact with the ground.

    Parameters
    ----------
    clip : Clip
        The clip, which is not changed.
    contacts : dict, optional
        The contacts of each joint, by its name or label: pairs of frames `(first, last + 1)`. A
        joint is the end of a limb (an ankle or heel) or its toe. If only one of the two is in
        contact, the foot rolls or pivots about it. By default those that `find_contacts` finds.
    limbs : Limbs or sequence of limbs, optional
        What `find_limbs` returns, or any objects with the indices of joints `start`, `mid`, `end`
        and `toe` (or None). Limbs that are not in contact are left alone. So are legs that never
        come near the ground, unless contacts name them or `limbs` is a sequence. Feet need not be
        descendants of the shin: they move with the end of its bone. By default `find_limbs(clip)`.
    ground : number, function, terrain or None
        The height of the ground in units of the clip, a function of the two horizontal
        coordinates (x and z, or x and y if z is up) that takes arrays, an object with such a
        method `height`, or what `find_ground` returns. By default it is level, at the height of the
        lowest joints in contact.
    body : {"least", "keep", "follow"}
        How the body may move. "least" lowers the hips where feet would be out of reach, smoothly
        and in advance, and removes from the body jitter that its planted feet show as well. "keep"
        does not move the body, so feet can miss their anchors. "follow" also moves the body along
        with the planted feet: strides keep their length, and the character travels as far as it
        steps.
    reach : {"exact", "soft", "stretch"}
        What limbs do where an anchor is almost out of reach. "exact" reaches it; "soft" lets the
        end lag behind, so that the limb straightens smoothly; "stretch" keeps the hips up and
        lengthens the bones.
    keep_sliding : sequence of (joint, first, last)
        The frames from `first` to `last`, both included, in which a joint slides on purpose, as in
        skating. It is not held then.
    loop : bool, optional
        Whether the clip is a loop; by default this is found, see below. True is for loops that are
        not recognised because there is a visible jump at their end.
    in_place : bool, optional
        Whether the character walks in place, as on a treadmill; by default this is found, see
        below. False holds feet still that slide below a body that stays. True has no effect on
        ground that is not level.
    conform : number, function, terrain or None
        Another ground, given as `ground` is, that the clip is put on: feet in contact rest on it,
        and are rotated to its slope, feet in the air clear it, and the body rises with the lower
        foot. So feet that float above the ground or sink into it are mended as well, also on level
        ground. `ground` is that of the clip as it is: by default, the lowest joints of feet touch
        it. If soles are below these joints, pass the height of the floor. Joints rest at their
        median height while in contact. The report compares the result with the clip after it was
        put on the ground.

    Returns
    -------
    Pinned
        The new clip, the footplants, and the report.

    Raises
    ------
    ClipError
        If contacts, limbs or options do not fit the clip, or the clip holds NaN or infinity, or
        more than 100,000 frames per second.
    ArrayTypeError, CreatureError
        If `ground` is none of these, or a number that is not finite or beyond 1e9.

    See Also
    --------
    find_limbs, find_contacts, find_ground

    Notes
    -----
    The anchor of a joint is its mean position over the footplant, in which frames with a straight
    leg count most. Anchors of heel and toe are moved to the length of the foot from each other, and
    none is below the ground. Feet far beside the body, such as those of a spider, can be out of
    reach at any height of the hips. With `body` "least" or "follow", unless `reach` is "stretch",
    their anchors are moved along the ground, as little as possible, to where the leg reaches them
    in all frames of the contact. A joint is also held in pauses of up to 70 ms between contacts. A
    contact ends where a foot moves by a quarter of its leg or more in one frame, as at a cut. Feet
    and toes keep their orientation, except for the small rotation that brings heel and toe to their
    anchors when both are in contact. Bones keep their lengths, unless `reach` is "stretch".

    The offset of a foot fades over 0.35 seconds after a footplant, so that the foot swings as high
    as before. Near full extension a small change of the length of a leg would jerk its knee: there
    it is the angle of the knee that goes on smoothly, not the length of the leg. Planted legs are
    straightened to 98.5 % of their length at most or, where the clip itself straightens them
    further, by a quarter of what remains; those in the air by hardly more. Where a foot would be
    further below the ground than in `clip`, it is lifted and its toes are bent up.

    Noise and single-frame errors of feet do not shake the body. Each correction is a smooth curve,
    the Whittaker smoother through values that count by how certain they are: less in frames whose
    neighbours tell otherwise. The body moves more smoothly than before or stays as it is, and by no
    more than its planted feet jitter. A planted foot itself is held exactly in all frames. Where
    contacts force a leg to jerk nevertheless, `report.new_steps` has the frame.

    A loop remains a loop, also if it ends at another place: a clip whose last pose is its first, or
    whose first frame follows its last one as smoothly as frames do within the clip. With
    `loop=True` its last pose can be further from these. Contacts continue across its end and give
    two footplants, at the end and at the beginning. The report warns of clips that are almost
    loops.

    In a clip in place, as of a character on a treadmill, feet in contact move in one direction
    while the body does not move. They are held on ground that moves, with the velocity at which
    they drift the least, `report.ground_velocity`. A clip is in place if this ground leaves less
    than half of their drift, and moves by 0.15 of a leg's length while a foot is in contact. The
    report warns of other clips in which a foot drifts by more than that while the body stays, and
    is held still. Positions of footplants are those in the first frame of the clip, and
    all measures of the report are relative to the moving ground. With `body="follow"` the body
    moves instead, and the clip is no longer in place.

    Pinning the result again with the same contacts changes nothing, unless feet missed their
    anchors (`report.missed_most`): their new anchors are where they are then. Feet miss with
    `body="keep"` or `reach="soft"`, and where no place on the ground is within reach in all frames
    of a contact. The same holds for the contacts found in the result, if they are the same; see
    `find_contacts`.

    Examples
    --------
    Limbs, contacts and ground are found:

    >>> from twobone import motion
    >>> clip = motion.load("walk.bvh")  # doctest: +SKIP
    >>> motion.save(motion.pin(clip).clip, "pinned.bvh")  # doctest: +SKIP

    A leg whose foot slides forward for a second at 0.1 m/s:

    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip, pin
    >>> names = ["hips", "thigh", "shin", "foot"]
    >>> offsets = [[0, 0.87, 0], [0, 0, 0], [0, -0.43, 0.08], [0, -0.44, -0.08]]
    >>> leg = Skeleton([-1, 0, 1, 2], offsets, names=names)
    >>> rotations, translations = np.tile(leg.rotations, (31, 1, 1)), np.tile(offsets, (31, 1, 1))
    >>> translations[:, 0, 2] = np.linspace(0, 0.1, 31)
    >>> clip = Clip(leg, LocalPose(rotations, translations), 30)
    >>> limb = SimpleNamespace(start=1, mid=2, end=3, toe=None)
    >>> pinned = pin(clip, {"foot": [(0, 31)]}, [limb])
    >>> np.round(pinned.anchors[0].position, 6)
    array([0.  , 0.  , 0.05])
    >>> pinned.clip.skeleton.to_global(pinned.clip.pose).positions[[0, 30], 3, 2].round(6).tolist()
    [0.05, 0.05]
    >>> pinned.report.slide.before > 0.099, pinned.report.slide.after < 1e-9
    (True, True)
    """
    check_rate(clip)
    check_options(clip, body, reach)
    task = task_of(clip, contacts, limbs, ground, body, reach, keep_sliding, loop)
    if conform is not None:
        clip, task = put_on(clip, task, conform)
    feet = task.feet(clip)
    # A joint that is held for a single frame does not slide; that it was found is chance.
    if feet is None or (task.are_found and not feet.is_any_lasting):
        measured = report.report(clip, clip, [], task.limbs, legs_in_air=task.in_air)
        return Pinned(clip, [], measured)
    course = course_of(clip, task, feet, loop, in_place)
    # A clip in place is pinned while it travels over the ground. Then it is put back in place,
    # unless the body follows its feet.
    moving = loops.driven(clip, -course.velocity) if course.is_moving else clip
    if course.cycle is None:
        if course.is_moving:
            feet = task.feet(moving)
        made, plants = hold(moving, feet, body, reach)
        del feet  # long clips: the report needs the memory
    else:
        del feet
        made, plants = hold_loop(moving, task, course.cycle)
    back = course.is_moving and body != "follow"
    measured = report.report(
        moving,
        made,
        plants,
        task.limbs,
        course.velocity.tolist(),
        back,
        course.jump,
        task.in_air,
        course.slid,
    )
    return Pinned(loops.driven(made, course.velocity) if back else made, plants, measured)


# --- what is pinned -----------------------------------------------------------------------


class Task(NamedTuple):
    """What is pinned, and how: what was asked for, or was found in the clip."""

    limbs: list[Any]
    on: dict[int, Flags]  # frames in contact, by joint
    sliding: dict[int, Flags]  # frames in which joints slide on purpose
    ground: Given
    body: Body
    reach: Reaching
    in_air: tuple[LegInAir, ...]
    are_found: bool  # the contacts
    rests: ClipGround | None = None  # the ground that feet rest on, if the clip was put on it

    def feet(self, clip: Clip) -> Feet | None:
        """Return the feet that are held, where a clip puts them; None if there are none."""
        found = feet_of(clip, self.on, self.sliding, self.limbs, self.ground)
        return None if found is None else found._replace(rests=self.rests)


def task_of(
    clip: Clip,
    contacts: Contacts | None,
    limbs: Limbs | Sequence[Limb] | None,
    ground: Given,
    body: Body,
    reach: Reaching,
    keep_sliding: Iterable[tuple[Any, int, int]],
    loop: bool | None,
) -> Task:
    """Return what is pinned; limbs and contacts that are not given are found."""
    if limbs is None:
        limbs = find_limbs(clip)
    listed, in_air, are_found = legs.listed(limbs), (), contacts is None
    if contacts is None:
        contacts, in_air = contacts_and_air(clip, found_legs(limbs), ground, loop)
    on = footplants.frames_in_contact(clip, contacts)
    on, sliding = footplants.without_sliding(clip, on, keep_sliding)
    return Task(listed, on, sliding, ground, body, reach, in_air, are_found)


def put_on(clip: Clip, task: Task, conform: Given) -> tuple[Clip, Task]:
    """Return a clip on another ground, and what is pinned there."""
    touching = {joint for joint, flags in task.on.items() if flags.any()}
    limbs = [limb for limb in task.limbs if {limb.end, limb.toe} & touching]
    if not limbs:
        return clip, task
    made, other = conformed(clip, limbs, task.on, task.ground, conform, task.body)
    return made, task._replace(ground=other, rests=other)


class Course(NamedTuple):
    """How a clip goes on after its end, and how the ground moves below it."""

    cycle: Loop | None  # None if it does not go on
    velocity: NDArray[np.float64]  # of the ground, units of the clip a second
    jump: float  # at the end of a clip that is almost a loop
    slid: float  # drift of a foot that is held still while the body stays

    @property
    def is_moving(self) -> bool:
        """Whether the ground moves."""
        return bool(self.velocity.any())


def course_of(
    clip: Clip, task: Task, feet: Feet, loop: bool | None, in_place: bool | None
) -> Course:
    """Return how a clip goes on, as asked for or found."""
    cycle = loops.find_loop(clip, task.limbs, loop)
    jump = loops.jump_at_end(clip, task.limbs) if cycle is None and loop is None else 0.0
    velocity = ground_velocity(feet, in_place)
    if not is_level(task.ground):  # the ground elsewhere differs, also a cycle later
        velocity = np.zeros(3)
        cycle = cycle if cycle is not None and not cycle.travel.any() else None
    slid = 0.0
    if in_place is None and task.body != "follow" and not velocity.any():
        slid = slid_in_place(feet)
    if cycle is not None:
        cycle = cycle._replace(travel=cycle.travel - velocity * cycle.period / clip.fps)
        cycle = loop_of_feet(cycle, feet, task.body)
    return Course(cycle, velocity, jump, slid)


def loop_of_feet(loop: Loop, feet: Feet, body: Body) -> Loop | None:
    """Return how a loop goes on whose feet stay in place; None if it is no loop then.

    If a foot never leaves the ground, it is at one place in all cycles, so the loop does not travel
    either. A short travel is that of a body that does not quite come back. A long one, of feet that
    slide all the time, can only be taken from the body, which follows its feet or does not.
    """
    if not (feet.ends.held.all(-1) | feet.toes.held.all(-1)).any():
        return loop
    if np.linalg.norm(loop.travel) <= NEAR * np.median(legs.bones(feet.legs)):
        return loop._replace(travel=np.zeros(3))
    return loop if body == "follow" else None


def hold_loop(clip: Clip, task: Task, loop: Loop) -> tuple[Clip, list[Footplant]]:
    """Return a loop with its feet in place, and the footplants.

    Contacts go on across the end of the clip, so that it can still be played again and again.
    """
    on, sliding = (
        {joint: loops.closed(flags, loop.period) for joint, flags in each.items()}
        for each in (task.on, task.sliding)
    )
    for joint in on.keys() & sliding.keys():
        on[joint] &= ~sliding[joint]
    pad = loops.padding(on.values(), clip.fps)
    whole = loops.around(len(clip), loop.period, pad)
    on, sliding = (
        {joint: flags[whole.frames] for joint, flags in each.items()} for each in (on, sliding)
    )
    longer = loops.continued(clip, loop.travel, whole)
    feet = task._replace(on=on, sliding=sliding).feet(longer)
    made, plants = hold(longer, feet, task.body, task.reach, whole.own.start, loop)
    return loops.cut(made, plants, whole.own)


def found_legs(limbs: Any) -> Any:
    """Return limbs for `find_contacts`, or raise if they are not those that `find_limbs` found."""
    if not hasattr(limbs, "legs"):
        limbs = [limb for limb in limbs if getattr(limb, "kind", "leg") == "leg"]
        for limb in limbs:
            if not hasattr(limb, "contacts"):
                wanted = "contacts, unless limbs are those of `find_limbs`"
                raise ClipError("pin", wanted, "None", field="contacts")
    return limbs


def check_options(clip: Clip, body: str, reach: str) -> None:
    """Raise an error if an option is not one of its choices, or a pose is not finite."""
    for name, value, choices in (("body", body, Body), ("reach", reach, Reaching)):
        if value not in get_args(choices):
            wanted = " or ".join(map(repr, get_args(choices)))
            raise ClipError("pin", wanted, repr(value), field=name)
    for name, values in clip.pose._asdict().items():
        if not np.isfinite(values).all():
            frame = int(np.argwhere(~np.isfinite(values))[0, 0])
            raise ClipError(
                "the clip", "finite numbers", f"NaN or infinity in frame {frame}", field=name
            )
