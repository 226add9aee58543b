"""Carriage of bodies: how they follow the plane through their feet, and sway over them."""

from __future__ import annotations

import numpy as np

from twobone.core import engine, solver
from twobone.core.array_types import NDArray
from twobone.core.elementary import CIRCLE, cis
from twobone.creature import footing, governor
from twobone.creature.anatomy import XZY
from twobone.creature.few import least, some
from twobone.creature.footing import from_above, rotated
from twobone.creature.gait import arch, between, settle, warp
from twobone.creature.governor import Slack
from twobone.creature.posture import Pose, bent, pose_over, rotation_of
from twobone.creature.state import Limits, State, Suspension, flat_indices

FOLLOW = 9.0  # per second: rate at which the body follows the plane through its feet
AHEAD = 2.0 / FOLLOW  # seconds by which a critically damped spring lags: the ground is taken there
LEAN = 14.0  # per second: rate at which it sways over the feet that support it
INSIDE = 0.09  # of the leg's length: it sways no closer to the edge of the support polygon
LEAST = 0.05  # of the leg's length: the same for the polygon that bears it at the moment
FALLS = 0.5  # of the leg's length per second: maximum speed down if a leg is too straight
# Toes hang by an angle that grows with the height of the foot, so they do not touch the ground.
TOES = 6.0  # radians for each leg's length of lift
HANG = 1.6  # radians, limit of the factor of the angle, which is less than half of it
KNEES = 0.1  # of the leg's length: the body rises if a knee or a shin is nearer to the ground
RAISES = 2.0  # times as much as is missing, since a knee rises less than its hip
LOW = 0.02  # of the leg's length: minimum clearance below the body before it rises
# Of the leg's length: feet seek no ground that is within reach only after the body has risen more.
# Before a wall the body would have to rise by the height of the wall, and feet would go for its
# top.
HIGHER = 0.5
# Times as much as a hip would have to sink for its leg not to be too straight: there are two bends
# for all hips.
YIELDS = 5.0
BENDS = 0.25  # of half its length: how far a trunk bends at most


def pose_of(state: State) -> Pose:
    """Return the pose of bodies that follows from their course and suspension."""
    course, suspension = state.course, state.suspension
    at = course.place + rotated(suspension.sway, course.facing)
    height, poles = state.animal.body.height, state.feet.poles
    plane, bend = suspension.carried, suspension.bend
    return pose_over(state.anatomy, height, at, course.facing, plane, bend, poles)


def slack_of(state: State) -> Slack:
    """Return the distances left to the limits in the current pose."""
    points, flies = state.feet.points(), state.feet.flies
    return governor.slack(state.terrain, state.anatomy, state.pose, points, flies)


# --- swaying ------------------------------------------------------------------------------


def sway(state: State, dt: float) -> None:
    """Move the body towards the feet that support it."""
    if any(state.animal.gait.sway):
        suspension = state.suspension
        offset, rate = settle(suspension.sway, suspension.sway_rate, sway_goal(state), LEAN, dt)
        state.suspension = suspension._replace(sway=offset, sway_rate=rate)


def sway_goal(state: State):
    """Return the sway, complex, towards the feet that will support the body."""
    course, cycle, feet = state.course, state.cycle, state.feet
    # A critically damped spring lags by 2 over its rate, so the goal is taken that far ahead.
    phases = cycle.leg_phases(state.animal.gait, state.anatomy.pairs)
    phases = (phases + (cycle.rate * (2.0 / LEAN))[:, None]) % 1.0
    fade = np.maximum(0.5 * (cycle.duty_factor[:, None] - 0.5), 0.02)
    loads = (
        _smooth((1.0 - phases) / fade) * _smooth((phases - cycle.swing_fraction[:, None]) / fade)
        + 1e-3
    )
    places: NDArray[np.complex128] = np.where(
        feet.flies, from_above(feet.swing[:, :, 3]), feet.places
    )
    # NumPy adds along an axis in order unless it is the last.
    sums = np.add.reduce(np.stack([loads * places.real, loads * places.imag, loads], -1), 1)
    middle = from_above(sums / sums[:, 2:])
    ahead = course.place + rotated((2.0 / LEAN) * course.velocity, course.facing)
    goal = rotated(middle - ahead, course.facing.conj())
    sideways, forward = state.animal.gait.sway
    goal = sideways * goal.real + 1j * forward * goal.imag
    if state.anatomy.pairs < 2:
        return goal
    seen = rotated(places - ahead[:, None], course.facing.conj()[:, None])
    # A foot that is in the air now does not count, since it may land later than expected.
    bears = (phases >= cycle.swing_fraction[:, None]) & ~feet.flies
    inside, spare = (part * state.anatomy.length for part in (INSIDE, LEAST))
    goal, waits = _inside(goal, seen, bears, inside), state.footholds.waits
    if some(waits):
        others = _inside(goal, seen, ~(feet.flies | waits), inside)
        goal = np.where(np.logical_or.reduce(waits, 1), others, goal)
    # Whatever comes next, the body must not leave the polygon that bears it now.
    return _inside(goal, seen, ~feet.flies, spare)


def _inside(goal, feet, bears, spare):
    """Return sways that leave bodies inside the polygon of their feet: in its middle if narrow.

    `feet` are places in the bodies' space, `bears` selects those that span the polygon, and `spare`
    is the distance to its edge on either side.
    """
    ways = np.ones(len(goal)), -np.ones(len(goal))
    feet = feet - 1j * goal.imag[:, None]
    left, right = (governor.support_ahead(feet, bears, way) for way in ways)
    # The feet may span a polygon ahead or behind, or two feet a line, whose width is but rounding.
    spans = left + right > 1e-6 * spare
    left, right = np.where(spans, left, np.inf), np.where(spans, right, np.inf)
    spare = np.minimum(spare, 0.5 * (left + right))
    return between(goal.real, spare - right, left - spare) + 1j * goal.imag


# --- following the plane through the feet -------------------------------------------------


def settle_body(state: State, dt: float) -> None:
    """Move the body towards the plane through its feet, at once if `dt` is infinite."""
    goal, bend, rise = plane_goal(state)
    suspension, at_once = state.suspension, dt == np.inf

    def settled(now, rate, goal):
        return (goal, np.zeros_like(goal)) if at_once else settle(now, rate, goal, FOLLOW, dt)

    plane, rate = settled(suspension.plane, suspension.plane_rate, goal)
    state.suspension = Suspension(plane, rate, *suspension[2:])
    if state.anatomy.spine is not None:
        trunk, rate = settled(suspension.bend, suspension.bend_rate, bend)
        state.suspension = state.suspension._replace(bend=trunk, bend_rate=rate)
    state.pose = pose_of(state)
    stay_low(state, FALLS * state.anatomy.length * dt)
    state.limits = limits_of(state, state.suspension.plane if at_once else goal, bend, rise)


def plane_goal(state: State):
    """Return the plane that the body should follow, and how much the body will rise for it."""
    limits, body, anatomy = state.limits, state.animal.body, state.anatomy
    place, _, facing, motion = state.course
    _, knees, belly, _ = state.slack
    if engine.KERNEL is not None:
        underside, length, spine = anatomy.underside, anatomy.length, anatomy.spine
        trunk = None, None, None, 0.0, 0.0
        if spine is not None:
            trunk = spine.fit, spine.pull, spine.belly, YIELDS, BENDS * spine.half
        return engine.KERNEL.plane_goal(
            *(state.terrain.for_kernel(), state.feet.swing, place, facing, motion),
            *(state.delay.lead, state.suspension.plane, underside.belly, underside.low),
            *(state.pose.hips, anatomy.legs.long, *trunk),
            *(limits.reach, limits.floor, limits.ceiling, belly, knees),
            *(anatomy.stiff, AHEAD, body.tilt, body.stretch, length, body.height),
            *(LOW * length, underside.graze, KNEES * length, RAISES, HIGHER * length, CIRCLE),
        )
    goal = footing.plane_through(state.feet.swing[:, :, 0], place, facing, anatomy.stiff)
    goal[:, :2] *= body.tilt
    crouch = 3.0 * anatomy.length * np.maximum(limits.reach - body.stretch, 0.0)
    goal[:, 2] -= np.minimum(crouch, 0.5 * body.height)
    height = state.suspension.plane[:, 2]
    under = ground_below(state)
    bend = best_bend(state, under)
    clear = np.maximum(clear_height(state, under, bend), limits.floor)
    low = LOW * anatomy.length - belly  # positive: a narrow obstacle is close below
    clear = np.where(low > 0.0, np.maximum(clear, height + low), clear)
    # On the ground the body does not sink for the sake of long legs.
    touches = low > anatomy.underside.graze
    ceiling = np.where(touches, np.maximum(limits.ceiling, height), limits.ceiling)
    lacks = KNEES * anatomy.length - np.minimum.reduce(knees, 1)
    clear = np.where(lacks > 0.0, np.maximum(clear, height + RAISES * lacks), clear)
    goal[:, 2] = np.maximum(goal[:, 2], np.minimum(clear, ceiling))
    return goal, bend, between(clear - height, 0.0, HIGHER * anatomy.length)


def best_bend(state: State, under):
    """Return the bend of the trunk that follows the ground, whose heights are `under`.

    Where legs are too straight it bends towards their feet.
    """
    spine = state.anatomy.spine
    if spine is None:
        return state.suspension.bend
    to_feet, long = state.feet.swing[:, :, 0] - state.pose.hips, state.anatomy.legs.long
    apart = to_feet[..., 0] * to_feet[..., 0] + to_feet[..., 1] * to_feet[..., 1]
    high = np.maximum(-(np.sqrt(np.maximum(long * long - apart, 0.0)) + to_feet[..., 2]), 0.0)
    # NumPy adds along an axis in order unless it is the last.
    bend, pull = (
        np.add.reduce(np.stack([heights * each for each in weights], -1), 1)
        for heights, weights in ((under, spine.fit), (high, spine.pull))
    )
    bend -= YIELDS * pull
    return between(bend, -BENDS * spine.half, BENDS * spine.half)


def clear_height(state: State, under, bend):
    """Return the height that the plane needs for the body to clear the ground."""
    plane, underside = state.suspension.plane, state.anatomy.underside
    belly: NDArray[np.complex128] = underside.belly
    leans = plane[:, :1] * belly.real + plane[:, 1:2] * belly.imag
    clear = under + leans + underside.low
    if state.anatomy.spine is not None:
        clear -= bent(state.anatomy.spine.belly, bend)
    return np.maximum.reduce(clear, 1) - state.animal.body.height


def ground_below(state: State):
    """Return the heights of the ground that the body must clear, shape (N, P)."""
    course, underside = state.course, state.anatomy.underside
    place, turned = course.ahead(state.delay.lead)
    ahead = place + rotated(AHEAD * course.velocity, course.facing)
    places = ahead[:, None] + rotated(turned[:, None], underside.belly)
    return footing.heights(state.terrain, places)


def stay_low(state: State, most: float) -> None:
    """Lower the body, by at most `most`, if a leg would be too straight."""
    lower = headroom(state)
    if least(lower) < 0.0:
        lower = np.maximum(np.minimum(lower, 0.0), -most)
        raise_plane(state, lower)
        state.pose = state.pose.raised(lower)


def headroom(state: State):
    """Return how far bodies (N) can rise until a leg is too straight; negative if one is.

    It is 0 if a foot is out of reach at any height.
    """
    hips, reach = state.pose.hips, state.anatomy.legs.reach
    if engine.KERNEL is not None:
        return engine.KERNEL.headroom(state.feet, hips, reach, governor.STRAIGHT)
    to_feet, long = state.feet.points() - hips, governor.STRAIGHT * reach
    square = long * long
    apart = to_feet[..., 0] * to_feet[..., 0] + to_feet[..., 1] * to_feet[..., 1]
    room = np.sqrt(np.maximum(square - apart, 0.0)) + to_feet[..., 2]
    return np.minimum.reduce(np.where(apart < square, room, 0.0), 1)


def raise_plane(state: State, by) -> None:
    """Raise planes by heights (N), negative to lower them; the pose stays as it is."""
    suspension = state.suspension
    plane, rate = suspension.plane.copy(), suspension.plane_rate.copy()
    plane[:, 2] += by
    rate[:, 2] = np.where(by * rate[:, 2] < 0.0, 0.0, rate[:, 2])  # not back at once
    state.suspension = suspension._replace(plane=plane, plane_rate=rate)


def limits_of(state: State, goal, bend, rise) -> Limits:
    """Return the limits of the body in its pose; the rest is what `plane_goal` returns."""
    legs, hips, plane = state.anatomy.legs, state.pose.hips, state.suspension.plane
    if engine.KERNEL is not None:
        given = Limits, goal, bend, rise, state.feet, hips, state.footholds.hips, plane
        far = legs.reach, legs.long, legs.short
        return engine.KERNEL.body_limits(*given, *far, state.footholds.fixed)
    height, to_feet = plane[:, 2], state.feet.swing[:, :, 0] - hips
    reach = np.maximum.reduce(np.sqrt(footing.dot(to_feet, to_feet)) / legs.reach, 1)
    # The body may rise until a leg is nearly straight, and sink until one is folded.
    apart = to_feet[..., 0] * to_feet[..., 0] + to_feet[..., 1] * to_feet[..., 1]
    room = np.sqrt(np.maximum(legs.long**2 - apart, 0.0)) + to_feet[..., 2]
    ceiling = height + np.minimum.reduce(room, 1)
    room = np.sqrt(np.maximum(legs.short**2 - apart, 0.0)) + to_feet[..., 2]
    floor = height + np.maximum.reduce(room, 1)
    strain, landing = look_ahead(state)
    return Limits(goal, bend, rise, floor, np.minimum(ceiling, landing), reach, strain)


def look_ahead(state: State):
    """Return the extension of the legs in swing when their feet land, and the ceiling then.

    Both have shape (N). A goal that will be nearly out of reach is fixed: otherwise the body would
    slow down for it, and that could move the goal still deeper into the hole.
    """
    legs, hips = state.anatomy.legs, state.pose.hips
    flies = flat_indices(state.feet.flies)
    strain, ceiling = np.zeros(len(hips)), np.full(len(hips), np.inf)
    if flies.size:
        who, leg = np.divmod(flies, 2 * state.anatomy.pairs)
        goals = state.feet.flat[flies, 3]
        away = from_above(goals) - state.footholds.hips.take(flies)
        apart = away.real * away.real + away.imag * away.imag
        below = hips[..., 2].take(flies) - goals[:, 2]
        away, long = np.sqrt(apart + below * below), legs.long.take(leg)
        np.maximum.at(strain, who, away / legs.reach.take(leg))
        state.footholds.fixed.reshape(-1)[flies[away > long]] = True
        room = np.sqrt(np.maximum(long * long - apart, 0.0)) - below
        np.minimum.at(ceiling, who, state.suspension.plane[:, 2].take(who) + room)
    return strain, ceiling


# --- the pose that others see -------------------------------------------------------------


def solved(state: State):
    """Return body, hips, knees and feet as points x, y, z."""
    feet = state.feet.swing[:, :, 0].take(XZY, -1)
    feet[..., 1] += state.feet.lift * arch(warp(state.feet.progress))
    body, hips = state.pose.body.take(XZY, -1), state.pose.hips.take(XZY, -1)
    poles = state.pose.poles.take(XZY, -1)
    knees = hips + solver.solve(feet - hips, *state.anatomy.bones, side=1.0, pole=poles)
    return body, hips, knees, feet


def foot_rotations(state: State):
    """Return the rotations of the feet as quaternions xyzw, shape (N, L, 4).

    The sole is rotated about the vertical by the heading of the foot, then by the shortest arc from
    upright to the normal of the ground. In the air the toes hang down.
    """
    feet, length = state.feet, state.anatomy.length
    lean, heading = from_above(feet.soles[:, :, 0]), feet.soles[:, :, 0, 2]
    plane = np.zeros((lean.size, 3))
    from_above(plane)[...] = rotated(lean, cis(heading)).reshape(-1)
    flat = rotation_of(plane, heading.reshape(-1)).reshape(*lean.shape, 4)
    along = warp(feet.progress)
    down = np.minimum(TOES * feet.lift / length, HANG) * arch(along) * (1.0 - along)
    half = cis(0.5 * down)
    sine, cosine = half.imag, half.real
    x, y, z, w = (flat[..., axis] for axis in range(4))
    parts = (w * sine + x * cosine, y * cosine + z * sine, z * cosine - y * sine)
    return np.stack([*parts, w * cosine - x * sine], -1)


def _smooth(t):
    t = between(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)
