"""`retarget`: the motion of a clip on another skeleton."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from twobone.errors import ArrayTypeError, ClipError
from twobone.motion import (
    bodies,
    branches,
    chains,
    copying,
    curves,
    from_gltf,
    holding,
    legs,
    writing,
)
from twobone.motion.bodies import Figure
from twobone.motion.chains import Chains, Floats
from twobone.motion.clip import Clip, check_rate
from twobone.motion.contacts import find_contacts
from twobone.motion.footplants import Contacts, joint_of
from twobone.motion.ground import find_ground
from twobone.motion.guesses import guess_metres, guess_up
from twobone.motion.legs import Legs
from twobone.motion.limbs import FoundLimb, Limbs, find_limbs
from twobone.motion.pinning import pin
from twobone.motion.report import Report
from twobone.motion.writing import Change
from twobone.pose import LocalPose, Skeleton
from twobone.rotations import inverse, multiply, rotate

Hands: TypeAlias = Literal["body", "world"]

UP = np.array([0.0, 1.0, 0.0])
FROM_Y_UP = (0.5**0.5, 0.0, 0.0, 0.5**0.5)  # the rotation to a world with z up
WIDER = 0.05  # of a leg: feet go to the sides with hips that are wider by more than that
NEAR = 0.12  # of a leg: up to this height of its toes a foot is aimed at their height
LIKELY = 3.0  # the largest factor by which a person is smaller or larger than 1.7 m
FLOOR = 0.1  # seconds; half of the time in which a foot is lifted over the ground


def retarget(
    clip: Clip,
    skeleton: Skeleton | Clip,
    *,
    hands: Hands = "body",
    contacts: Contacts | None = None,
    limbs: Limbs | None = None,
    hold: bool = True,
) -> Clip:
    """Put the motion of a clip on another skeleton of a person.

    Bones point to where those of the clip do, and carry their twist. The body is scaled by the
    length of its legs, and ankles are brought to where the scaled ones are, at the height of the
    skeleton's own soles. Then feet in contact are held in place, as `pin` does.

    Parameters
    ----------
    clip : Clip
        The motion: of a skeleton with two legs and two arms.
    skeleton : Skeleton or Clip
        The other skeleton, with any rest pose, names, number of joints in its spine, unit and axis
        that points up. Of a clip, its poses serve only to find its limbs; the new clip keeps
        its axes, its unit and its model: saved as .glb, it is a further animation of that file.
    hands : {"body", "world"}
        Where hands go. "body": arms point to where those of the clip do. "world": hands are where
        the scaled ones are, as on a rail or a drum; short arms may not reach that.
    contacts : dict, optional
        The contacts of the clip's feet, as for `pin`. By default those that `find_contacts` finds.
    limbs : Limbs, optional
        The limbs of the clip. By default `find_limbs(clip)`.
    hold : bool
        Whether feet in contact are held in place.

    Returns
    -------
    Clip
        As many frames as `clip` has, at its rate. Joints without a role, such as fingers, keep
        their rotation at rest.

    Raises
    ------
    ClipError
        If one of the two has not one left and one right leg and arm, or its legs point down neither
        at rest nor in any frame; or the clip holds NaN or infinity.
    ArrayTypeError
        If `skeleton` is neither a `Skeleton` nor a `Clip`.

    See Also
    --------
    find_limbs, find_contacts, pin

    Notes
    -----
    The two bodies are compared as they stand: at rest or, where legs do not point down at rest, in
    the first frame in which they do. There the bones of the skeleton are turned to the directions
    that they have in the clip, by the shortest arc. So a rest pose with arms that hang down serves
    as well as a T-pose, but what twist its bones have is taken as it is.

    Positions are scaled about the origin. A skeleton that stands at height 0 at rest, as models do,
    stands there again if the feet of the clip are near height 0 where they are lowest.

    Hips that are wider than the scaled ones by more than 5 % of the leg move the feet apart. On
    such bodies feet are not where the scaled ones are, and knees move more.

    Examples
    --------
    >>> from twobone import motion
    >>> walk = motion.load("walk.bvh")  # doctest: +SKIP
    >>> character = motion.load("character.glb")  # doctest: +SKIP
    >>> motion.save(motion.retarget(walk, character), "out.glb")  # doctest: +SKIP

    Somebody who stands, on a skeleton of half the size:

    >>> from twobone import LocalPose, Skeleton
    >>> sides = [("Left", 1), ("Right", -1)]
    >>> names = ["Hips"] + [side + part for side, _ in sides for part in
    ...     ("UpLeg", "Leg", "Foot", "Arm", "ForeArm", "Hand")]
    >>> offsets = [[0, 0.9, 0]] + [offset for _, x in sides for offset in
    ...     ([x * 0.1, 0, 0], [0, -0.42, 0.01], [0, -0.4, -0.01],
    ...      [x * 0.2, 0.5, 0], [x * 0.3, 0, 0], [x * 0.25, 0, 0])]
    >>> parents = [-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 0, 10, 11]
    >>> person = Skeleton(parents, offsets, names=names)
    >>> half = Skeleton(person.parents, 0.5 * person.offsets, names=names)
    >>> clip = motion.Clip(person, LocalPose([person.rotations] * 30), fps=30)
    >>> made = motion.retarget(clip, half)
    >>> made.skeleton.to_global(made.pose).positions[0, names.index("LeftHand")].round(6)
    array([0.375, 0.7  , 0.   ])
    """
    return retargeted(clip, skeleton, hands, contacts, limbs, hold)[0]


@np.errstate(all="ignore")  # poses may hold anything
def retargeted(
    clip: Clip,
    skeleton: Skeleton | Clip,
    hands: Hands = "body",
    contacts: Contacts | None = None,
    limbs: Limbs | None = None,
    hold: bool = True,
) -> tuple[Clip, Report | None]:
    """Return the clip of `retarget`, and the report of its pinned feet if they are held."""
    check_rate(clip)
    if hands not in get_args(Hands):
        raise ClipError("retarget", "'body' or 'world'", repr(hands), field="hands")
    for name, values in clip.pose._asdict().items():
        if not np.isfinite(values).all():
            raise ClipError("the clip", "finite numbers", "NaN or infinity", field=name)
    pair = _pair(clip, _as_clip(clip, skeleton), limbs)
    posed = _posed(pair)
    posed = _with_limbs(pair, posed, *_feet(pair, posed))
    if hands == "world":
        posed = _with_limbs(pair, posed, *_hands(pair, posed))
    if not hold:
        return posed, None
    found = _contacts(pair, contacts)
    limbs = Limbs(pair.other.parts.legs, ())
    pinned = pin(posed, found, limbs, ground=pair.other.ground)
    return pinned.clip, pinned.report


# --- the two bodies -----------------------------------------------------------------------


class Pair(NamedTuple):
    """The body of a clip, and the one that the motion is put on; T frames, all y up."""

    clip: Clip
    source: Figure
    other: Figure
    empty: Clip  # of the other body, at rest in all frames
    at: Floats  # (T, J, 3), of the source
    turned: Floats  # (T, J, 4), of the source

    @property
    def scale(self) -> float:
        """How much larger the other body is, by its legs."""
        return self.other.leg / self.source.leg

    def place(self, points: Floats) -> Floats:
        """Return where points (T, ..., 3) of the source are for the other body.

        Scaled, and raised by as much as its soles are thicker.
        """
        legs = zip(self.source.parts.legs, self.other.parts.legs, strict=True)
        thicker = [self.other.rests[b.end] - self.scale * self.source.rests[a.end] for a, b in legs]
        lift = self.other.ground - self.scale * self.source.ground + float(np.mean(thicker))
        return self.scale * points + lift * UP


def _as_clip(clip: Clip, skeleton: Any) -> Clip:
    if isinstance(skeleton, Clip):
        return skeleton
    if not isinstance(skeleton, Skeleton):
        raise ArrayTypeError("skeleton", "a Skeleton or a Clip", type(skeleton).__name__)
    rest = LocalPose(skeleton.rotations[None], skeleton.offsets[None])
    up = guess_up(skeleton, rest)
    metres = guess_metres(skeleton, rest, up)
    # The guess is that of an adult. A child may be in the unit of the clip.
    if 1.0 / LIKELY < metres / clip.metres < LIKELY:
        metres = clip.metres
    return Clip(skeleton, rest, clip.fps, up=up, metres=metres, guessed=("up", "metres"))


def _pair(clip: Clip, target: Clip, limbs: Limbs | None) -> Pair:
    found = find_limbs(clip) if limbs is None else limbs
    parts = bodies.parts_of(clip, found, "the clip")
    source = bodies.figure_of(clip, parts, "the clip")
    ground = find_ground(clip, limbs=Limbs(parts.legs, parts.arms))
    level = float(ground.height(np.zeros(3)))
    other = bodies.figure_of(target, bodies.parts_of(target, None, "the skeleton"), "the skeleton")
    other = other._replace(ground=_ground(target, source, other, level))
    source = source._replace(ground=level, rests=_rests(parts, ground.rests))
    pose = clip.skeleton.to_global(clip.pose)
    return Pair(
        clip,
        source,
        other,
        _at_rest(clip, target),
        branches.y_up(pose.positions, clip.up),
        bodies.y_up(pose.rotations, clip.up),
    )


def _rests(parts: bodies.Parts, found: dict[int, float]) -> dict[int, float]:
    """Return how high joints of feet rest; those of a raised foot as high as the other foot's."""
    rests = {}
    for joints in ([leg.end for leg in parts.legs], [leg.toe for leg in parts.legs]):
        known = [joint for joint in joints if joint is not None]
        rests |= dict.fromkeys(known, min((found[joint] for joint in known), default=0.0))
    return rests


def _ground(target: Clip, source: Figure, other: Figure, level: float) -> float:
    """Return the height of the lowest joint of feet that stand, for that of the source.

    It is above the floor by as much as the soles are thick, if the body stands on a floor at rest.
    """
    scale = other.leg / source.leg
    floor = 0.0 if bodies.is_near_floor(level, source.leg) else level
    own = bodies.feet_at_rest(target, other.parts, other.leg)
    return scale * floor + (scale * (level - floor) if own is None else own)


def _at_rest(clip: Clip, target: Clip) -> Clip:
    """Return a clip of the target at rest, with the frames of another clip."""
    document = from_gltf.without_animation(target.document)
    skeleton = target.skeleton
    return Clip(
        skeleton,
        LocalPose(
            np.tile(skeleton.rotations, (len(clip), 1, 1)),
            np.tile(skeleton.offsets, (len(clip), 1, 1)),
        ),
        clip.fps,
        up=target.up,
        metres=target.metres,
        guessed=target.guessed,
        human_bones=target.human_bones,
        document=document,
        name=clip.name,
    )


def _contacts(pair: Pair, contacts: Contacts | None) -> dict[Any, Any]:
    """Return the contacts of the source by the labels of the other body's joints."""
    a, b = pair.source.parts.legs, pair.other.parts.legs
    if contacts is None:
        contacts = find_contacts(pair.clip, Limbs(a, pair.source.parts.arms))
    flags = {joint_of(pair.clip, name, "the contacts"): each for name, each in contacts.items()}
    label = pair.empty.skeleton.label
    joints = [both for m, n in zip(a, b, strict=True) for both in ((m.end, n.end), (m.toe, n.toe))]
    return {
        label(theirs): flags[mine]
        for mine, theirs in joints
        if mine in flags and mine is not None and theirs is not None
    }


# --- poses --------------------------------------------------------------------------------


def _posed(pair: Pair) -> Clip:
    """Return the other body with the rotations of the source, and the middle of its hips there."""
    skeleton, up = pair.empty.skeleton, pair.empty.up
    world = copying.rotations(pair.source, pair.other, pair.turned)
    rotations = pair.empty.pose.rotations.copy()
    translations = np.tile(skeleton.offsets, (len(pair.clip), 1, 1))
    above: dict[int, Floats] = {-1: np.tile(copying.NONE, (len(pair.clip), 1))}
    for joint in chains.with_ancestors(skeleton, range(len(skeleton.parents))):
        parent = above[skeleton.parents[joint]]
        if joint in world:
            above[joint] = world[joint] if up == "y" else multiply(FROM_Y_UP, world[joint])
            rotations[:, joint] = multiply(inverse(parent), above[joint])
        else:
            above[joint] = multiply(parent, rotations[:, joint])
    posed = pair.empty.with_pose(LocalPose(rotations, translations))
    now = branches.y_up(skeleton.to_global(posed.pose).positions, up)
    goal = pair.place(bodies.middle(pair.at, pair.source.parts.legs))
    by = _own_axes(goal - bodies.middle(now, pair.other.parts.legs), up)
    top = pair.other.parts.hips[0]
    moved = writing.in_parent(skeleton, chains.forward(posed, [top]), top, by)
    translations[:, top] += moved.T
    posed = pair.empty.with_pose(LocalPose(rotations, translations))
    for leg in pair.other.parts.legs:
        if leg.detached:
            posed = _attached(posed, leg)
    return posed


def _own_axes(points: Floats, up: str) -> Floats:
    """Return points (T, ..., 3), y up, in the axes of a clip: components first, frames last."""
    x, y, z = np.moveaxis(points, (-1, 0), (0, -1))
    return np.stack([x, y, z] if up == "y" else [x, -z, y])


def _attached(clip: Clip, leg: FoundLimb) -> Clip:
    """Return a clip with a foot that is no descendant of the shin at the end of the shin."""
    rest = clip.skeleton.rest
    away = rest.positions[leg.end] - rest.positions[leg.mid]
    away = rotate(inverse(rest.rotations[leg.mid]), away)[:, None]
    placed = chains.forward(clip, [leg.mid, leg.end])
    end = placed.positions[leg.mid] + chains.rotate(placed.rotations[leg.mid], away)
    return writing.placed_in_world(clip, leg.end, end, placed.rotations[leg.end])


def _with_limbs(
    pair: Pair, posed: Clip, limbs: tuple[FoundLimb, ...], goal: Floats, turns: Floats
) -> Clip:
    """Return a clip whose limbs reach for goals (3, L, T), with ends rotated by `turns`."""
    placed = _placed(posed, limbs)
    at = legs.legs_of(placed, limbs)
    shape = goal.shape[1:]
    solved = legs.solve(at, _within_reach(pair, limbs, at, goal))
    change = Change(np.zeros((3, len(posed))), np.ones(shape), solved, turns, legs.no_turn(shape))
    return writing.write(posed, limbs, placed, at, change)


def _within_reach(pair: Pair, limbs: tuple[FoundLimb, ...], at: Legs, goal: Floats) -> Floats:
    """Return goals (3, L, T) that limbs approach softly, unless they are as straight in the clip.

    Hips and shoulders can be wider than the scaled ones.
    """
    kind = "legs" if limbs == pair.other.parts.legs else "arms"
    straight = [_extension(pair.at, limb) for limb in getattr(pair.source.parts, kind)]
    full, size = legs.bones(at), legs.length(goal - at.start)
    as_straight = np.minimum(size, full * np.stack(straight))
    size = np.maximum(holding.softened(size, full), as_straight)
    return legs.at_distance(at.start, goal, size)


def _extension(at: Floats, limb: FoundLimb) -> Floats:
    """Return the distance of a limb's ends as a share of its length, (T,)."""
    start, mid, end = (at[:, joint].T for joint in (limb.start, limb.mid, limb.end))
    whole = legs.length(mid - start) + legs.length(end - mid)
    return legs.length(end - start) / np.maximum(whole, legs.TINY)


def _placed(posed: Clip, limbs: tuple[FoundLimb, ...]) -> Chains:
    joints = [joint for limb in limbs for joint in (limb.start, limb.mid, limb.end, limb.toe)]
    return chains.forward(posed, [joint for joint in joints if joint is not None])


def _hands(pair: Pair, posed: Clip) -> tuple[tuple[FoundLimb, ...], Floats, Floats]:
    """Return the arms, where their ends must be, and that hands keep their rotations."""
    ends = [arm.end for arm in pair.source.parts.arms]
    goal = _own_axes(pair.place(pair.at[:, ends]), posed.up)
    return pair.other.parts.arms, goal, legs.no_turn(goal.shape[1:])


def _feet(pair: Pair, posed: Clip) -> tuple[tuple[FoundLimb, ...], Floats, Floats]:
    """Return the legs, where their ends must be, and how feet are turned to their toes' heights."""
    mine, theirs = pair.source.parts.legs, pair.other.parts.legs
    placed = _placed(posed, theirs)
    goal = pair.place(pair.at[:, [leg.end for leg in mine]]) + _apart(pair)
    bone = np.zeros(goal.shape)
    for k, leg in enumerate(theirs):
        if leg.toe is not None:
            away = (placed.positions[leg.toe] - placed.positions[leg.end]).T
            bone[:, k] = branches.y_up(away, posed.up)
    aimed = np.stack(
        [_aimed(pair, a, b, bone[:, k]) for k, (a, b) in enumerate(zip(mine, theirs, strict=True))],
        axis=1,
    )
    goal[..., 1] += _lift(pair, goal, aimed)
    turns = legs.arcs(_own_axes(bone, posed.up), _own_axes(aimed, posed.up))
    return theirs, _own_axes(goal, posed.up), turns


def _apart(pair: Pair) -> Floats:
    """Return how far feet (T, L, 3) go to the sides, with hips that are much wider."""
    (left, right), (a, b) = (
        [figure.standing.positions[leg.start] for leg in figure.parts.legs]
        for figure in (pair.source, pair.other)
    )
    excess = 0.5 * float(np.linalg.norm(a - b) - pair.scale * np.linalg.norm(left - right))
    most = WIDER * pair.other.leg
    hips = [pair.at[:, leg.start] for leg in pair.source.parts.legs]
    across = hips[0] - hips[1]
    across = across / np.maximum(np.sqrt((across * across).sum(-1, keepdims=True)), legs.TINY)
    return (excess - np.clip(excess, -most, most)) * np.stack([across, -across], axis=1)


def _aimed(pair: Pair, mine: FoundLimb, theirs: FoundLimb, bone: Floats) -> Floats:
    """Return a foot (T, 3), from its end to its toe, with the toe as high as it must be.

    Near the ground that is where the source has it. Feet in the air keep their angle.
    """
    if mine.toe is None or theirs.toe is None:
        return bone
    a, b = pair.source.rests, pair.other.rests
    rise = pair.at[:, mine.toe, 1] - pair.at[:, mine.end, 1] - (a[mine.toe] - a[mine.end])
    rise = pair.scale * rise + b[theirs.toe] - b[theirs.end]
    height = pair.at[:, mine.toe, 1] - pair.source.ground - a[mine.toe]
    near = 1.0 - curves.ease(height / (NEAR * pair.source.leg))
    return copying.at_height(bone, bone[:, 1] + near * (rise - bone[:, 1]))


def _lift(pair: Pair, goal: Floats, bone: Floats) -> Floats:
    """Return by how much feet (T, L) are raised so that they do not go below the ground."""
    deep = np.zeros(goal.shape[:2])
    for k, leg in enumerate(pair.other.parts.legs):
        toe = goal[:, k] + bone[:, k]
        for joint, at in ((leg.end, goal[:, k]), (leg.toe, toe)):
            if joint is not None:
                low = pair.other.ground + pair.other.rests[joint] - at[:, 1]
                deep[:, k] = np.maximum(deep[:, k], low)
    return curves.envelope(deep.T, max(round(FLOOR * pair.clip.fps), 1)).T
