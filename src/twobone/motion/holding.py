"""Feet held in place: where body and feet go, and the rotations that take them there."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from twobone.core.policies import Soft
from twobone.motion import body as bodies
from twobone.motion import curves, footplants, legs, swings, within_reach, writing
from twobone.motion.chains import Floats, multiply, rotate
from twobone.motion.clip import Clip
from twobone.motion.feet import Feet
from twobone.motion.footplants import Footplant
from twobone.motion.legs import Legs
from twobone.motion.loops import Loop
from twobone.motion.writing import Change

Body: TypeAlias = Literal["keep", "least", "follow"]
Reaching: TypeAlias = Literal["exact", "soft", "stretch"]

STRAIGHT = 0.985  # of its full length a limb is straightened, unless the clip does so itself,
STRAIGHTER = 0.25  # and by this share of the rest, where it does
SOFT = 0.03  # of the reach over which ends lag behind, with reach="soft"
FADE = 0.3  # seconds in which a correction fades after a footplant
STEEP = 0.015  # how far the slope of a correction may take it further, as Rodrigues parameters
FOOT_FADE = 0.15  # seconds in which the rotation fades that brings heel and toe down
SLACK = 0.03  # of the full length: how far from straight a limb is when frames count for less
JITTER = 0.12  # seconds; what planted feet do faster is the motion of the body
RAMP = 0.04  # seconds in which a footplant gains its share in the motion of the body
LASTING = 1.5  # seconds; what joints do more slowly that are held twice as long is no step
AHEAD = 0.1  # seconds; the body is lowered up to twice as long ahead of need
LOWEST = 0.4  # of the reach: hips are not brought lower than this above a target
NEARER = 8  # times that anchors are moved into reach; once is enough on level ground
BENT = np.radians(3.0)  # legs in the air are straightened up to here
SOONER = 0.03  # seconds; what would straighten them further is reduced up to twice as long before
STRAIGHTEN = 0.1  # seconds after which a leg in the air is kept from being straightened further
HEIGHT = 0.2  # seconds after which a foot in the air is as high as it was
SHORTENED = 0.25  # of its length a leg is shortened by to be brought fully back to its height
FLOOR = 0.05  # seconds; half of the time in which a foot is lifted over the floor


class Anchors(NamedTuple):
    """Where ends and toes are held, shape (3, N), a column for each footplant."""

    ends: Floats
    toes: Floats


class Place(NamedTuple):
    """Where feet go: their anchors, their rotations (4, L, T) in the world, and ends (3, L, T)."""

    anchors: Anchors
    foot_turn: Floats
    target: Floats


def hold(
    clip: Clip,
    feet: Feet | None,
    body: Body,
    reach: Reaching,
    first: int = 0,
    loop: Loop | None = None,
) -> tuple[Clip, list[Footplant]]:
    """Return a clip with its feet in place, and the footplants.

    Where the body follows its feet, it stays where it is in frame `first`. The clip may be a `loop`
    with frames before and after it, that begins there.
    """
    if feet is None:
        return clip, []
    shift = body_shift(feet, body, first, loop)
    distance = legs.length(feet.legs.end - feet.legs.start)
    full = legs.bones(feet.legs)
    limits = np.maximum(STRAIGHT * full, distance + STRAIGHTER * (full - distance))
    place = placed(feet, shift)
    lowered = shift.copy()
    if body != "keep" and reach != "stretch":
        hips = feet.legs.start + shift[:, None]
        needed = bodies.lowering(hips, place.target, limits, feet.held, feet.up, LOWEST)
        lowered[feet.up] -= bodies.ahead(needed, feet.frames(AHEAD))
        place = in_reach(feet, shift, place, lowered, limits)
    change = corrections(feet, shift, lowered, place.target, limits, place.foot_turn, reach)
    made = writing.write(clip, feet.limbs, feet.chains, feet.legs, change)
    return made, listed(clip, feet, place.anchors)


# --- where body and feet go ---------------------------------------------------------------


def body_shift(feet: Feet, body: Body, first: int, loop: Loop | None) -> Floats:
    """Return the shift (3, T) of the whole character that the motion of planted feet asks for."""
    if body == "keep":
        return np.zeros((3, feet.held.shape[-1]))
    joints = [feet.legs.end, feet.legs.end + feet.foot]
    held = [feet.ends.held, feet.toes.held]
    shift = bodies.follow(joints, held, feet.frames(RAMP))
    fast = bodies.jitter(shift, feet.frames(JITTER))
    if body == "least":
        return fast
    # The body follows along the ground, and keeps its height. It must not leave feet that stay.
    if loop is None:
        shift = bodies.beside_lasting(shift, joints, held, feet.frames(LASTING))
    elif any(flags.all(-1).any() for flags in held):
        shift = bodies.without_drift(shift, loop.travel, first, loop.period)
    shift[feet.up] = 0.0
    shift -= shift[:, first : first + 1]
    shift[feet.up] = fast[feet.up]
    return shift


def placed(feet: Feet, shift: Floats, moved: Floats | None = None) -> Place:
    """Return where feet go; `moved` (3, L, T) are moves of their anchors along the ground."""
    anchors = anchors_of(feet, shift, moved)
    foot_turn = foot_turns(feet, anchors)
    return Place(anchors, foot_turn, targets(feet, anchors, shift, foot_turn))


def in_reach(feet: Feet, shift: Floats, place: Place, lowered: Floats, limits: Floats) -> Place:
    """Return where feet go if anchors are moved to where legs reach them from the lowered body.

    Feet beside the body can be out of reach at any height of the hips. Where feet miss their
    anchors they slide, and their anchors are others when the clip is pinned again.
    """
    hips = feet.legs.start + lowered[:, None]
    contacts = footplants.plants_of(feet.held, ~feet.held, 0)
    moved = np.zeros(hips.shape)
    for _ in range(NEARER):
        more = within_reach.moves(contacts, place.target - hips, limits, feet.up)
        if not more.any():
            break
        moved += np.where(feet.held, more[:, contacts.index], 0.0)
        place = placed(feet, shift, moved)
    return place


def anchors_of(feet: Feet, shift: Floats, moved: Floats | None) -> Anchors:
    """Return where ends and toes are held, moved along the ground by `moved` (3, L, T)."""
    ends = feet.legs.end + shift[:, None]
    toes = ends + feet.foot
    up, height = feet.up, feet.height
    # A foot is held close to where it is when its leg is straightest: there a step that is too long
    # asks for lower hips, while a bent leg only bends differently.
    weights = (SLACK + 1.0 - np.minimum(legs.extension(feet.legs), 1.0)) ** -2
    # The tip of the toes must not go below the ground either.
    was = feet.legs.end + feet.foot
    allowed = swings.depth_allowed(was, height, up)
    tips = swings.depth_allowed(was + feet.tip, height, up) - feet.tip[up]
    at_toe = footplants.anchors(feet.toes, toes, weights, np.maximum(allowed, tips), up, height)
    allowed = swings.depth_allowed(feet.legs.end, height, up)
    at_end = footplants.anchors(feet.ends, ends, weights, allowed, up, height)
    if moved is not None:
        for plants, (places, above) in ((feet.ends, at_end), (feet.toes, at_toe)):
            places += moved[:, plants.spans[:, 0], plants.spans[:, 1]]
            places[up] = above + height(places)
    sizes = legs.length(feet.foot)
    return Anchors(
        *footplants.at_own_length(feet.ends, feet.toes, at_end, at_toe, sizes, up, height)
    )


def foot_turns(feet: Feet, anchors: Anchors) -> Floats:
    """Return the rotations (4, L, T) of feet, in the world, that bring heel and toe down."""
    both = feet.ends.held & feet.toes.held
    turns = legs.no_turn(both.shape)
    if both.any():
        flat = anchors.toes[:, feet.toes.index[both]] - anchors.ends[:, feet.ends.index[both]]
        turns[:, both] = legs.arcs(feet.foot[:, both], flat)
    known = curves.carry(curves.to_parameters(turns), both, feet.frames(FOOT_FADE), 0.0)
    turns = curves.to_quaternions(known)
    # A foot on its heel must not push its toes through the ground.
    on_heel = feet.ends.held & ~feet.toes.held
    if not on_heel.any():
        return turns
    ends = np.where(feet.ends.held, anchors.ends[:, feet.ends.index], feet.legs.end)
    foot = rotate(turns, feet.foot)
    needed = np.where(on_heel, toes_too_deep(feet, ends + foot), 0.0)
    lifts = swings.lift(needed, feet.toes.held, feet.frames(FLOOR))
    return multiply(raising(foot, lifts, feet.up), turns)


def toes_too_deep(feet: Feet, toes: Floats) -> Floats:
    """Return how far toes (3, L, T) are below the ground, and not in the clip.

    The tips of a foot without a toe joint count as well; others can be bent up.
    """
    was = feet.legs.end + feet.foot
    up, height = feet.up, feet.height
    deep = swings.too_deep(toes, swings.depth_allowed(was, height, up), height, up)
    stiff = np.array([limb.toe is None for limb in feet.limbs])
    return np.where(stiff[:, None], np.maximum(deep, tips_too_deep(feet, toes)), deep)


def tips_too_deep(feet: Feet, toes: Floats) -> Floats:
    """Return how far the tips of toes (3, L, T) are below the ground, and not in the clip."""
    was = feet.legs.end + feet.foot + feet.tip
    allowed = swings.depth_allowed(was, feet.height, feet.up)
    return swings.too_deep(toes + feet.tip, allowed, feet.height, feet.up)


def targets(feet: Feet, anchors: Anchors, shift: Floats, foot_turn: Floats) -> Floats:
    """Return where ends must be, (3, L, T); where nothing is held, where they are."""
    target = feet.legs.end + shift[:, None]
    if len(feet.toes.spans):
        rolled = anchors.toes[:, feet.toes.index] - rotate(foot_turn, feet.foot)
        target = np.where(feet.toes.held, rolled, target)
    if len(feet.ends.spans):
        target = np.where(feet.ends.held, anchors.ends[:, feet.ends.index], target)
    return target


# --- rotations ----------------------------------------------------------------------------


def corrections(
    feet: Feet,
    shift: Floats,
    lowered: Floats,
    target: Floats,
    limits: Floats,
    foot_turn: Floats,
    reach: Reaching,
) -> Change:
    """Return the changes that bring ends to targets, and move feet in the air smoothly between."""
    fade = feet.frames(FADE)
    scales = np.ones(limits.shape)
    if reach == "stretch":
        over = legs.length(target - feet.legs.start - lowered[:, None]) / limits
        scales = np.where(feet.held, np.maximum(over, 1.0), 1.0)
        scales = 1.0 + np.maximum(
            curves.carry((scales - 1.0)[None], feet.held, fade, STEEP)[0], 0.0
        )
    # Corrections are measured from the lowered body with all feet where they were: it bends the
    # legs in the air as well, and that is no correction to carry over.
    hanging = legs.shifted(legs.scaled(feet.legs, scales), lowered[:, None])
    was = legs.within(hanging, feet.legs.end + shift[:, None], limits * scales)
    first = legs.solve(hanging, was)
    standing = legs.turned(hanging, first)
    goal = np.where(feet.held, target, standing.end)
    if reach == "soft":
        second = legs.solve(standing, goal, Soft(SOFT))
    else:
        second = legs.solve(standing, legs.within(standing, goal, limits * scales))
    second = swings.carried(second, feet.held, fade, STEEP)
    room = legs.room(standing) - BENT
    second = swings.not_beyond_straight(
        second, room, standing.axis, feet.held, feet.frames(STRAIGHTEN), feet.frames(SOONER)
    )
    turns = legs.joined(first, second)
    posed = legs.turned(standing, second)
    last = at_height(feet, posed, foot_turn)
    toes = legs.turned(posed, last).end + rotate(foot_turn, feet.foot)
    toe_turn = raising(feet.tip, tips_too_deep(feet, toes), feet.up)
    return Change(lowered, scales, legs.joined(turns, last), foot_turn, toe_turn)


def raising(bone: Floats, needed: Floats, up: int) -> Floats:
    """Return the rotations (4, L, T), in the world, that raise the ends of bones (3, L, T)."""
    turns = legs.no_turn(needed.shape)
    low = needed > 0.0
    if low.any():
        # Raised at the same length, if they are long enough.
        old = bone[:, low]
        new = old.copy()
        new[up] = 0.0
        square, level = (old * old).sum(0), (new * new).sum(0)
        rise = old[up] + needed[low]
        new *= np.sqrt(np.maximum(square - rise * rise, 0.0) / np.maximum(level, legs.TINY))
        new[up] = rise
        turns[:, low] = legs.arcs(old, new)
    return turns


def at_height(feet: Feet, posed: Legs, foot_turn: Floats) -> legs.Turns:
    """Return corrections that bring feet in the air back to their heights, above the floor.

    The corrections that are carried over make legs longer, which lowers the feet as they swing.
    """
    up, height = feet.up, feet.height
    above = [points[up] - height(points) for points in (feet.legs.end, posed.end)]
    raised = posed.end.copy()
    # Less where a leg is almost straight: a small change of its length would jerk the knee.
    share = curves.ease((1.0 - legs.extension(posed)) / SHORTENED)
    share *= swings.away_from(feet.held, feet.frames(HEIGHT))
    raised[up] += share * (above[0] - above[1])
    allowed = swings.depth_allowed(feet.legs.end, height, up)
    deep = swings.too_deep(raised, allowed, height, up)
    deep = np.maximum(deep, toes_too_deep(feet, raised + rotate(foot_turn, feet.foot)))
    raised[up] += swings.lift(np.where(feet.held, 0.0, deep), feet.held, feet.frames(FLOOR))
    return legs.solve(posed, legs.within(posed, raised, legs.bones(posed)))


def listed(clip: Clip, feet: Feet, anchors: Anchors) -> list[Footplant]:
    """Return the footplants by frame and joint."""
    made = []
    for plants, places, kind in (
        (feet.ends, anchors.ends, "end"),
        (feet.toes, anchors.toes, "toe"),
    ):
        joints = [getattr(limb, kind) for limb in feet.limbs]
        labels = [None if joint is None else clip.skeleton.label(joint) for joint in joints]
        rows = zip(plants.spans.tolist(), places.T.tolist(), strict=True)
        for (limb, first, last), (x, y, z) in rows:
            made.append(Footplant(labels[limb], first, last, (x, y, z)))
    return sorted(made, key=lambda plant: (plant.first, str(plant.joint)))
