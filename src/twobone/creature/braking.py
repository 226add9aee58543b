"""Braking: bodies slow down so that no leg, knee, belly or support passes its limit."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.array_types import NDArray
from twobone.core.elementary import CIRCLE, cis, exp
from twobone.creature import governor
from twobone.creature.carriage import FOLLOW, LEAN
from twobone.creature.few import least, some
from twobone.creature.footing import distance, from_above, rotated
from twobone.creature.gait import GLIDE, arch, glide, warp
from twobone.creature.polygons import signed_distance
from twobone.creature.posture import Pose, pose_over
from twobone.creature.restraint import JUMP, graze, lost, spare_margin
from twobone.creature.state import State

ROOM = 0.05  # of the leg's length: minimum margin in the polygon of all feet
# Of the leg's length: how far outside it, ahead and to a side, a body in a dynamic gait may be. If
# not to a side, one beside feet that found ground only there would stand still for good.
LEAVES = 0.12
SURE = 1.0 / 15.0  # seconds: minimum time until the static margin of a body is used up
LEAD = 0.25  # of the leg's length: how far a body on two legs may be ahead of both feet
STANDS = 1e-9  # of full speed: a slower motion has no direction
NEAR = 0.06  # of the leg's length: knees and bellies nearer to the ground are checked for edges
# Of `BRAKE`: times at which they are checked. They grow by the same factor, 100 to the power 1/19.
FRACTIONS = np.append(np.multiply.accumulate([0.01, *18 * [1.2742749857031335]]), 1.0)


class Time(NamedTuple):
    """Times of N bodies, and how far their springs move meanwhile."""

    seconds: NDArray[np.float64]  # (N)
    fade: NDArray[np.float64]  # (N): decay of the distance from the goal of the plane
    swings: NDArray[np.float64]  # (N): change of the sway over its rate

    @classmethod
    @functools.lru_cache(maxsize=16)
    def of(cls, seconds, count) -> Time:
        """Return some times, given as a tuple, for each of so many bodies."""
        fade, leans = (np.array([exp(-rate * time) for time in seconds]) for rate in (FOLLOW, LEAN))
        parts = np.array(seconds), fade, np.array(seconds) * leans
        return cls(*(np.tile(part, count) for part in parts))


def brake(state: State) -> None:
    """Reduce the motion so that no leg, knee, belly or support reaches its limit."""
    motion = state.course.motion
    if not some(motion):
        return
    fraction = free_fraction(state, motion)
    if least(fraction) >= 1.0:
        return
    short = fraction < 1.0
    slow = (short & ~lost(state)).nonzero()[0]
    if not slow.size:
        return
    bodies = state.rows(slow)
    # A limit that only the settling of the body reaches must not stop the walk.
    limited = free_fraction(bodies, bodies.course.motion, settles=False) < 1.0
    if limited.any():
        motion = motion.copy()
        motion[slow[limited]] = _slower(bodies if limited.all() else bodies.rows(limited))
        state.course = state.course.moving(motion)


def _slower(state):
    """Return the motion with a limited turn, and limited further by what the turn leaves.

    A body that cannot go on may still be able to turn.
    """
    motion = state.course.motion.copy()
    turning = motion * [0.0, 0.0, 1.0]
    if turning.any():
        turning *= free_fraction(state, turning)[:, None]
        motion[:, 2] = turning[:, 2]
    fraction = free_fraction(state, motion, turning)[:, None]
    return turning + fraction * (motion - turning)


def free_fraction(state: State, motion, granted=None, *, settles=True):
    """Return the fraction of a motion, in addition to `granted`, that each body may keep.

    If `settles`, the body approaches the goal of its plane meanwhile; otherwise the plane stays.
    """
    anatomy, course = state.anatomy, state.course
    time = Time.of((governor.BRAKE,), len(motion))
    now = _joined(state, state.slack, course.place, course.facing)
    start, later = now, _left_after(state, time, motion, settles)
    if granted is not None and some(granted):
        turns = granted[:, 2:] != 0.0  # the others are as they would be alone
        start = np.where(turns, _left_after(state, time, granted, settles), now)
    if engine.KERNEL is not None:
        edge = -JUMP * anatomy.length
        fraction = engine.KERNEL.free_fraction(start, later, graze(state), edge)
    else:
        fraction = governor.free_fraction(*_grazing(state, start, later))
    if state.terrain.has_edges:
        low = np.minimum(now, later)[:, 2 * anatomy.pairs :]  # knees and belly
        near = (np.minimum.reduce(low, 1) < NEAR * anatomy.length).nonzero()[0]
        if near.size:
            fraction[near] = _till_edge(state, near, now, motion, settles)
    return np.minimum(fraction, _supported(state, motion))


def _till_edge(state, who, now, motion, settles):
    """Return the fraction of `BRAKE` for which the bodies `who` stay within their limits.

    At an edge the slack drops at once, and behind a narrow obstacle it is large again, so the
    slack at the end of `BRAKE` is not enough to know.
    """
    which = np.repeat(who, len(FRACTIONS))
    time = Time.of(tuple(governor.BRAKE * FRACTIONS), len(who))
    later = _left_after(state.rows(which), time, motion[which], settles)
    start, later = _grazing(state, now[which], later)
    free = np.logical_and.reduce(later >= np.minimum(start, 0.0), 1)
    free = np.pad(free.reshape(len(who), -1), ((0, 0), (0, 1)))
    # `argmin` finds the first time that is not free; take the one before it.
    return np.append(0.0, FRACTIONS)[np.argmin(free, 1)]


def _grazing(state, now, later):
    """Return slacks with the depth allowed for crests added to those of the belly.

    It is not added to later slacks that drop as at an edge.
    """
    belly = np.zeros(now.shape[1])
    belly[-1] = graze(state)
    crest = later[:, -1:] - now[:, -1:] >= -JUMP * state.anatomy.length
    return now + belly, later + np.where(crest, belly, np.minimum(belly, 0.0))


def _left_after(state, time, motion, settles):
    """Return the slacks of legs, knees and bellies after some time of a motion."""
    (seconds, fade, swings), anatomy = time, state.anatomy
    course, suspension = state.course, state.suspension
    goal, height = state.limits.goal, state.animal.body.height
    plane, plane_rate, sway, sway_rate, *_, bounce = suspension
    bend = _bend_after(state, time) if settles and anatomy.spine is not None else suspension.bend
    if engine.KERNEL is not None:
        place, turned, *pose = engine.KERNEL.pose_ahead(
            *(motion, course.place, course.facing, seconds),
            *(plane, plane_rate, bounce, sway, sway_rate, swings),
            *(goal, fade, FOLLOW if settles else 0.0, height),
            *(anatomy.hips, anatomy.spine and anatomy.spine.hips, bend, state.feet.poles, CIRCLE),
        )
        pose = Pose(*pose)
    else:
        velocity, turn = from_above(motion), seconds * motion[:, 2]
        half, whole = cis(-0.5 * turn), cis(-turn)
        place = course.place + rotated(rotated(seconds * velocity, course.facing), half)
        turned = rotated(course.facing, whole)
        if settles:
            fade, later = fade[:, None], (seconds * fade)[:, None]
            plane = (fade + FOLLOW * later) * (plane - goal) + later * plane_rate + goal
            sinks = goal[:, 0] * velocity.real + goal[:, 1] * velocity.imag
            plane[:, 2] -= seconds * sinks
        over = place + rotated(sway + swings * sway_rate, turned)
        poles = state.feet.poles
        pose = pose_over(anatomy, height, over, turned, plane + bounce, bend, poles)
    left = governor.slack(state.terrain, anatomy, pose, _feet_in(state, seconds))
    return _joined(state, left, place, turned)


def _bend_after(state, time):
    """Return the bend of trunks after some time, in which it approaches its goal."""
    suspension, goal = state.suspension, state.limits.bend
    fade, later = time.fade[:, None], (time.seconds * time.fade)[:, None]
    return (fade + FOLLOW * later) * (suspension.bend - goal) + later * suspension.bend_rate + goal


def _joined(state, slack, place, turned):
    """Return the slacks of legs, knees and bellies as one array, shape (N, 2 L + 1).

    The slack of a leg in swing is the horizontal reach left to its goal.
    """
    anatomy, feet, hips = state.anatomy, state.feet, state.pose.hips
    sway, reach = state.suspension.sway, anatomy.legs.reach
    if engine.KERNEL is not None:
        given = slack, feet, hips, place, sway, turned
        return engine.KERNEL.slacks_ahead(*given, anatomy.hip_places, reach, governor.STRAIGHT)
    long, (legs, knees, belly, _) = governor.STRAIGHT * reach, slack
    middle, goals = place + rotated(sway, turned), feet.swing[:, :, 3]
    drop = hips[..., 2] - goals[..., 2]
    room = np.sqrt(np.maximum(long * long - drop * drop, 0.0))
    hips = middle[:, None] + rotated(turned[:, None], anatomy.hip_places)
    legs = np.where(feet.flies, room - distance(from_above(goals) - hips), legs)
    return np.concatenate([legs, knees, belly[:, None]], 1)


def _feet_in(state, seconds):
    """Return the positions of feet after some seconds."""
    feet, rate = state.feet, state.cycle.swing_rate
    if engine.KERNEL is not None:
        return engine.KERNEL.foot_points_after(feet, seconds, rate, GLIDE)
    flies = feet.flies
    points = feet.swing[:, :, 0].copy()
    if np.count_nonzero(flies):
        advance = (seconds * rate).take(flies.nonzero()[0])
        now, after = warp(feet.progress[flies]), warp(feet.progress[flies] + advance)
        points[flies] = glide(feet.swing[flies], (after - now) / (1.0 - now))[:, 0]
        points[flies, 2] += feet.lift[flies] * arch(after)
    return points


def _supported(state, motion):
    """Return the fraction of their motion that bodies may keep over their support."""
    course, feet, length = state.course, state.feet, state.anatomy.length
    still, spare = STANDS * state.animal.speed, spare_margin(state)
    leaves = 0.0 if state.animal.gait.balance == "static" else LEAVES * length
    room = -leaves if leaves else ROOM * length
    balances = state.anatomy.pairs > 2  # four legs keep their balance by swaying
    if engine.KERNEL is not None and state.anatomy.pairs > 1:
        given = motion, feet, course.place, course.facing
        numbers = still, room, leaves, governor.BRAKE, balances, spare, SURE
        return engine.KERNEL.supported(*given, state.suspension.sway, *numbers)
    fraction, seen, speed = _over_all_feet(state, motion, still, room, leaves)
    if not balances:
        return fraction
    stands = ~feet.flies
    corners = seen[..., None].view(np.float64)
    now = signed_distance(np.zeros((len(seen), 2)), corners, stands) - spare
    who = (now < SURE * speed).nonzero()[0]
    if who.size:
        way = (SURE * rotated(from_above(motion[who]), course.facing[who]))[:, None]
        later = signed_distance(way.view(np.float64), corners[who], stands[who]) - spare
        now, later = now[who, None], later[:, None]
        fraction[who] = np.minimum(fraction[who], governor.free_fraction(now, later))
    return fraction


def _over_all_feet(state, motion, still, room, leaves):
    """Return the fraction of their motion that bodies may keep over all feet and their goals.

    Also return these seen from the body (N, L), and the speeds of bodies (N). Bodies that are
    slower than `still` have no direction, `room` is to be left to the edge, and bodies may be
    beside the feet by `leaves`.
    """
    course, feet, sway = state.course, state.feet, state.suspension.sway
    length = state.anatomy.length
    flies, velocity = feet.flies, from_above(motion)
    ends = from_above(np.where(flies[..., None], feet.swing[:, :, 3], feet.swing[:, :, 0]))
    speed = distance(velocity)
    goes = speed > still
    parts = motion[:, :2] / np.where(goes, speed, 1.0)[:, None]
    direction = rotated(np.where(goes, from_above(parts), 1.0), course.facing)
    seen = ends - (course.place + rotated(sway, course.facing))[:, None]
    along = rotated(seen, direction.conj()[:, None])
    if state.anatomy.pairs < 2:  # no polygon: one foot, or its goal, must not be too far behind
        ahead = np.maximum.reduce(along.real, 1)
        fraction = governor.support_fraction(ahead, -LEAD * length, speed, governor.BRAKE)
    else:
        if leaves:  # as if the feet were as wide
            along = np.concatenate([along + 1j * leaves, along - 1j * leaves], 1)
        ahead = governor.support_ahead(along, np.ones(along.shape, bool), np.ones_like(direction))
        fraction = governor.support_fraction(ahead, room, speed, governor.BRAKE)
    return fraction, seen, speed
