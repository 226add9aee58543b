"""Feet held in place: where body and feet go, and the rotations that take them there."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from twobone.motion import body as bodies
from twobone.motion import curves, footplants, legs, swings, within_reach, writing
from twobone.motion.chains import Floats, multiply, rotate
from twobone.motion.clip import Clip
from twobone.motion.curves import Flags
from twobone.motion.feet import Feet
from twobone.motion.footplants import Footplant, Plants
from twobone.motion.ground import ClipGround
from twobone.motion.loops import Loop
from twobone.motion.steadying import SURE, Steady
from twobone.motion.writing import Change

Body: TypeAlias = Literal["keep", "least", "follow"]
Reaching: TypeAlias = Literal["exact", "soft", "stretch"]

STRAIGHT = 0.985  # of its full length a limb is straightened, unless the clip does so itself,
STRAIGHTER = 0.25  # and by this share of the rest, where it does
SOFT = 0.03  # of the reach over which ends lag behind, with reach="soft"
FADE = 0.35  # seconds in which the offset of a foot fades after a footplant
BODY_FADE = 0.3  # seconds in which the correction of a body fades that no foot carries
FOOT_FADE = 0.15  # seconds in which the rotation fades that brings heel and toe down
SLACK = 0.03  # of the full length: how far from straight a limb is when frames count for less
SLOW = 0.12  # seconds; a body that follows its feet follows their mean motion over twice as long
RAMP = 0.04  # seconds in which a footplant gains its share in the motion of the body
LASTING = 1.5  # seconds; what joints do more slowly that are held twice as long is no step
AHEAD = 0.1  # seconds; the body is lowered up to twice as long ahead of need
LOWEST = 0.4  # of the reach: hips are not brought lower than this above a target
NEARER = 8  # times that anchors are moved into reach; once is enough on level ground
STANDS = 0.15  # of a leg: joints in contact that are so much higher stand on something else
FLOOR = 0.1  # seconds; half of the time in which a foot is lifted over the floor


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
    steady = Steady(float(np.median(legs.bones(feet.legs))), feet.fps)
    shift = body_shift(feet, steady, body, first, loop)
    distance = legs.length(feet.legs.end - feet.legs.start)
    full = legs.bones(feet.legs)
    # A single frame in which a limb looks less straight than in those beside it lowers no body.
    usual = steady.calmed(distance[None])[0]
    usual = np.clip(usual, distance, np.maximum(full, distance))
    limits = np.maximum(STRAIGHT * full, usual + STRAIGHTER * (full - usual))
    place = placed(feet, steady, shift)
    lowered = shift.copy()
    if body != "keep" and reach != "stretch":
        hips = feet.legs.start + shift[:, None]
        needed = bodies.lowering(hips, place.target, limits, feet.held, feet.up, LOWEST)
        lowered[feet.up] -= bodies.ahead(needed, feet.frames(AHEAD))
        place = in_reach(feet, steady, shift, place, lowered, limits)
    change = corrections(feet, steady, shift, lowered, place, limits, reach)
    made = writing.write(clip, feet.limbs, feet.chains, feet.legs, change)
    return made, listed(clip, feet, place.anchors)


# --- where body and feet go ---------------------------------------------------------------


def body_shift(feet: Feet, steady: Steady, body: Body, first: int, loop: Loop | None) -> Floats:
    """Return the shift (3, T) of the whole character that the motion of planted feet asks for.

    If planted feet jitter, either they do or the body does, which takes them along. Where all of
    them jitter, the body may be moved by as much, so that it moves more smoothly. So it is never
    less smooth than before, whatever single feet do.
    """
    if body == "keep":
        return np.zeros((3, feet.held.shape[-1]))
    joints = [feet.legs.end, feet.legs.end + feet.foot]
    held = [feet.ends.held, feet.toes.held]
    shift = np.zeros((3, feet.held.shape[-1]))
    if body == "follow":
        shift = bodies.follow(joints, held, feet.frames(RAMP))
        # The body follows along the ground, and keeps its height. It must not leave feet that stay.
        if loop is None:
            shift = bodies.beside_lasting(shift, joints, held, feet.frames(LASTING))
        elif any(flags.all(-1).any() for flags in held):
            shift = bodies.without_drift(shift, loop.travel, first, loop.period)
        shift[feet.up] = 0.0
        shift = curves.smooth(shift, feet.frames(SLOW))
        shift -= shift[:, first : first + 1]
    hips = (feet.legs.start.mean(1) + shift)[:, None]
    certainty, others = np.zeros((1, feet.held.shape[-1])), []
    for points, flags in zip(joints, held, strict=True):
        certainty = np.maximum(certainty, steady.certainty(points, flags).max(0))
        noise = steady.variance(points - feet.legs.start, flags)
        others += [
            (points[:, limb : limb + 1] + shift[:, None], noise[limb : limb + 1])
            for limb in range(len(flags))
        ]
    return shift + steady.correction(hips, certainty, BODY_FADE, others)[:, 0]


def placed(feet: Feet, steady: Steady, shift: Floats, moved: Floats | None = None) -> Place:
    """Return where feet go; `moved` (3, L, T) are moves of their anchors along the ground."""
    anchors = anchors_of(feet, steady, shift, moved)
    foot_turn = foot_turns(feet, steady, anchors)
    target = targets(feet, anchors, shift, foot_turn)
    return rolled(feet, steady, shift, Place(anchors, foot_turn, target))


def in_reach(
    feet: Feet, steady: Steady, shift: Floats, place: Place, lowered: Floats, limits: Floats
) -> Place:
    """Return where feet go if anchors are moved to where legs reach them from the lowered body.

    Feet beside the body can be out of reach at any height of the hips. Where feet miss their
    anchors they slide, and their anchors are others when the clip is pinned again.
    """
    hips = feet.legs.start + lowered[:, None]
    contacts = footplants.plants_of(feet.held, ~feet.held, 0)
    moved = np.zeros(hips.shape)
    for _ in range(NEARER):  # unreached: endless
        more = within_reach.moves(contacts, place.target - hips, limits, feet.up)
        if not more.any():
            break
        moved += np.where(feet.held, more[:, contacts.index], 0.0)
        place = placed(feet, steady, shift, moved)
    return place


def anchors_of(feet: Feet, steady: Steady, shift: Floats, moved: Floats | None) -> Anchors:
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
    at_toe = footplants.anchors(
        feet.toes,
        toes,
        weights * sureness(steady, feet.toes, feet.legs.end + feet.foot),
        np.maximum(allowed, tips),
        up,
        height,
    )
    allowed = swings.depth_allowed(feet.legs.end, height, up)
    at_end = footplants.anchors(
        feet.ends, ends, weights * sureness(steady, feet.ends, feet.legs.end), allowed, up, height
    )
    if feet.rests is not None:
        at_end, at_toe = at_rest(feet, feet.rests, at_end, at_toe)
    if moved is not None:
        for plants, (places, above) in ((feet.ends, at_end), (feet.toes, at_toe)):
            places += moved[:, plants.spans[:, 0], plants.spans[:, 1]]
            places[up] = above + height(places)
    sizes = legs.length(feet.foot)
    return Anchors(
        *footplants.at_own_length(feet.ends, feet.toes, at_end, at_toe, sizes, up, height)
    )


def at_rest(
    feet: Feet, ground: ClipGround, at_end: tuple[Floats, Floats], at_toe: tuple[Floats, Floats]
) -> list[tuple[Floats, Floats]]:
    """Return the anchors of ends and toes, and their heights, where they rest on the ground."""
    most = STANDS * np.median(legs.bones(feet.legs), axis=-1)
    made = []
    for plants, kind, (places, above) in (
        (feet.ends, "end", at_end),
        (feet.toes, "toe", at_toe),
    ):
        of = plants.spans[:, 0]
        rests = np.array([ground.rests.get(getattr(limb, kind), 0.0) for limb in feet.limbs])
        made.append(footplants.at_rest(places, above, rests[of], most[of], ground))
    return made


def sureness(steady: Steady, plants: Plants, points: Floats) -> Floats:
    """Return weights (L, T) of frames: less where a point (3, L, T) leaves the others of its plant.

    A frame as uncertain as the mean of the footplant counts by half.
    """
    certainty = steady.certainty(points, plants.held)
    variance = 1.0 / np.where(plants.held, certainty, 1.0)
    sizes = plants.spans[:, 2] - plants.spans[:, 1]
    mean = footplants.over_spans(plants, variance, np.add) / sizes
    if not len(mean):
        return certainty
    return np.where(plants.held, mean[plants.index] / (mean[plants.index] + variance), 0.0)


def foot_turns(feet: Feet, steady: Steady, anchors: Anchors) -> Floats:
    """Return the rotations (4, L, T) of feet, in the world, that bring heel and toe down."""
    both = feet.ends.held & feet.toes.held
    turns = legs.no_turn(both.shape)
    if both.any():
        flat = anchors.toes[:, feet.toes.index[both]] - anchors.ends[:, feet.ends.index[both]]
        turns[:, both] = legs.arcs(feet.foot[:, both], flat)
    turns = carried_turns(feet, steady, turns, both)
    # A foot on its heel must not push its toes through the ground.
    on_heel = feet.ends.held & ~feet.toes.held
    if not on_heel.any():
        return turns
    ends = np.where(feet.ends.held, anchors.ends[:, feet.ends.index], feet.legs.end)
    foot = rotate(turns, feet.foot)
    needed = np.where(on_heel, toes_too_deep(feet, ends + foot), 0.0)
    lifts = swings.lift(needed, feet.toes.held, feet.frames(FLOOR))
    return multiply(raising(foot, lifts, feet.up), turns)


def carried_turns(feet: Feet, steady: Steady, turns: Floats, on: Flags) -> Floats:
    """Continue rotations (4, L, T) of feet through the frames in which they are not known."""
    # Parameters are a quarter of the angle; as lengths they are the way of the toes.
    size = 4.0 * legs.length(feet.foot).mean() + legs.TINY
    known = steady.carried(size * curves.to_parameters(turns), on, FOOT_FADE)
    return curves.to_quaternions(known / size)


def rolled(feet: Feet, steady: Steady, shift: Floats, place: Place) -> Place:
    """Return where feet go that roll over their toes, smoothly although the toes jitter.

    The toes are held, so it is their jitter that a foot would pass on to its ankle. The ankle may
    be moved by as much as the toes jitter, so that it moves more smoothly, and the foot turns.
    """
    rolls = feet.toes.held & ~feet.ends.held
    if not rolls.any():
        return place
    there = feet.legs.end + shift[:, None]
    offset = np.where(feet.held, place.target - there, 0.0)
    path = there + steady.carried(offset, feet.held, FADE)
    certainty = steady.certainty(feet.legs.end + feet.foot, feet.toes.held)
    # All other frames stay as they are; the way into them and out of them is smooth as well.
    certainty = np.where(rolls, certainty, 1.0 / (SURE * steady.leg) ** 2)
    target = path + steady.correction(path, certainty, FADE)
    toes = place.anchors.toes[:, feet.toes.index]
    foot = rotate(place.foot_turn, feet.foot)
    away = np.where(rolls, legs.length(foot) * legs.direction(toes - target), foot)
    turn = multiply(legs.arcs(foot, away), place.foot_turn)
    turn = carried_turns(feet, steady, np.where(rolls, turn, place.foot_turn), feet.held)
    turn = np.where(feet.held, np.where(rolls, turn, place.foot_turn), turn)
    return place._replace(foot_turn=turn, target=np.where(rolls, toes - away, place.target))


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
    steady: Steady,
    shift: Floats,
    lowered: Floats,
    place: Place,
    limits: Floats,
    reach: Reaching,
) -> Change:
    """Return the changes that bring ends to targets, and move feet in the air smoothly between."""
    held, foot_turn = feet.held, place.foot_turn
    scales = np.ones(limits.shape)
    hips = feet.legs.start + lowered[:, None]
    if reach == "stretch":
        over = legs.length(place.target - hips) / limits
        longer = np.where(held, np.maximum(over - 1.0, 0.0), 0.0)
        carried = steady.carried(steady.leg * longer[None], held, FADE)[0] / steady.leg
        scales = 1.0 + np.maximum(carried, 0.0)
    hanging = legs.shifted(legs.scaled(feet.legs, scales), lowered[:, None])
    full = legs.bones(hanging)
    away = place.target - hips
    size = legs.length(away)
    if reach == "soft":
        size = softened(size, full)
    else:
        size = np.minimum(size, np.maximum(limits * scales, 0.0))
    target = np.where(held, legs.at_distance(hips, place.target, size), 0.0)
    target = np.where(
        held, target, in_air(feet, steady, shift, hips, full, limits * scales, target)
    )
    target = above_floor(feet, target, foot_turn)
    turns = legs.solve(hanging, legs.within(hanging, target, full))
    toes = legs.turned(hanging, turns).end + rotate(foot_turn, feet.foot)
    toe_turn = raising(feet.tip, tips_too_deep(feet, toes), feet.up)
    return Change(lowered, scales, turns, foot_turn, toe_turn)


def softened(size: Floats, full: Floats) -> Floats:
    """Return distances (L, T) from start to end that approach full reach softly; see `Soft`."""
    soft = SOFT * full
    slow = np.maximum(size - (full - soft), 0.0)
    return np.where(
        slow < 2.0 * soft, size - slow * slow / (4.0 * np.maximum(soft, legs.TINY)), full
    )


def in_air(
    feet: Feet,
    steady: Steady,
    shift: Floats,
    hips: Floats,
    full: Floats,
    limits: Floats,
    target: Floats,
) -> Floats:
    """Return where ends (3, L, T) are in the air: corrections are carried on from footplants.

    `target` is where they are held. The offset of a foot is carried on, and sets the direction of
    the leg. How far the leg is bent is carried on besides: near straight, a small change of its
    length would jerk its knee.
    """
    held = feet.held
    # Feet in the air stay where they were, and bend their legs, where the body is lowered.
    there = feet.legs.end + shift[:, None]
    offset = steady.carried(np.where(held, target - there, 0.0), held, FADE)
    was, now = legs.length(there - hips), legs.length(there + offset - hips)
    scale = (1.0 - STRAIGHT) * full
    bent = swings.bend(full - was, scale) + was - now
    more = swings.bend(full - legs.length(target - hips), scale) - bent
    bent += steady.carried(np.where(held, more, 0.0)[None], held, FADE)[0]
    bent = swings.kept_bent(bent, swings.bend(full - limits, scale))
    return legs.at_distance(hips, there + offset, full - swings.short_of(bent, scale))


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


def above_floor(feet: Feet, target: Floats, foot_turn: Floats) -> Floats:
    """Return targets (3, L, T), in the air no deeper below the floor than in the clip."""
    up, height = feet.up, feet.height
    allowed = swings.depth_allowed(feet.legs.end, height, up)
    deep = swings.too_deep(target, allowed, height, up)
    deep = np.maximum(deep, toes_too_deep(feet, target + rotate(foot_turn, feet.foot)))
    raised = target.copy()
    raised[up] += swings.lift(np.where(feet.held, 0.0, deep), feet.held, feet.frames(FLOOR))
    return raised


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
