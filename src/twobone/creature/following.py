"""Heads that stay level and look where the animal goes; tails and abdomens that lag behind.

Both are only drawn: nothing else depends on them.
"""

from __future__ import annotations

import numpy as np

from twobone.core import engine
from twobone.core.elementary import CIRCLE, cis, exp
from twobone.creature import springs
from twobone.creature.anatomy import XZY
from twobone.creature.few import some
from twobone.creature.footing import dot, times_axes
from twobone.creature.gait import between, settle
from twobone.creature.liveliness import IDLE, idleness
from twobone.creature.posture import rotation_between, rotation_of
from twobone.creature.state import Ends, State

LEVEL = 0.8  # fraction of the body's lean that the head does not take
LOOKS = 6.0  # per second: rate at which the head turns
AHEAD = 0.6  # seconds: it looks where the body will be heading after so long
ASIDE = 0.5  # radians: how far at most
GLANCES = (0.37, 0.83)  # radians per second: two waves, by which an idle head looks around
GLANCE = 0.3  # radians
LAG = (9.0, 0.35)  # undamped frequency of tails, in radians per second, and damping ratio
FARTHEST = 0.4  # of the distance from its pivot to its middle: how far a tail lags at most


def at_rest(anatomy, pose) -> Ends:
    """Return heads that look ahead and tails at rest."""
    n = len(pose.body)
    return Ends(
        np.zeros(n),
        np.zeros(n),
        np.zeros((n, 3)),
        np.zeros((n, 3)),
        _middle(anatomy, pose),
        np.zeros((n, 3)),
    )


def follow(state: State, dt: float, speed) -> None:
    """Turn the heads and let the tails lag; `speed` is that of the footholds."""
    if not state.animal.liveliness:
        return
    ends, seconds = state.ends, state.feel.seconds
    if engine.KERNEL is not None:
        given = Ends, ends, seconds, state.course.motion, speed, state.pose.body, state.pose.axes
        tail = state.anatomy.tail.middle, springs.coefficients(*LAG, dt), dt
        look = AHEAD, ASIDE, GLANCE, *GLANCES, LOOKS, exp(-LOOKS * dt)
        idle = IDLE * state.animal.speed
        state.ends = engine.KERNEL.follow(*given, *tail, idle, *look, CIRCLE)
        return
    goal, idle = AHEAD * state.course.motion[:, 2], idleness(state, speed)
    if some(idle):
        slow, quick = (cis(rate * seconds).imag for rate in GLANCES)
        goal += GLANCE * idle * slow * quick
    goal = between(goal, -ASIDE, ASIDE)
    look, look_rate = settle(ends.look, ends.look_rate, goal, LOOKS, dt)
    # The middle of a tail is a mass on a spring: what the body does to its place, it resists.
    middle = _middle(state.anatomy, state.pose)
    velocity = (middle - ends.middle) / dt
    lag, lag_rate = springs.one_step(LAG, ends.lag, ends.lag_rate - (velocity - ends.velocity), dt)
    state.ends = Ends(look, look_rate, lag, lag_rate, middle, velocity)


def _middle(anatomy, pose):
    """Return where the middles of tails are that do not lag, (N, 3)."""
    return pose.body + times_axes(anatomy.tail.middle[None, None], pose.axes)[:, 0]


def rotations(state: State, body):
    """Return the rotations of heads and tails in the bodies' space, quaternions xyzw (N, 4).

    `body` are the rotations of the bodies.
    """
    plane, heading, lively = state.suspension.carried, state.course.heading, state.animal.liveliness
    if not lively:
        still = np.tile([0.0, 0.0, 0.0, 1.0], (len(heading), 1))
        return still, still.copy()
    level = plane * [1.0 - LEVEL * lively, 1.0 - LEVEL * lively, 1.0]
    head = rotation_of(level, heading + lively * state.ends.look)
    return rotation_between(body, head), _tail(state)


def _tail(state):
    """Return the rotations by which tails lag: the shortest ones that move the arm so far."""
    arm = state.anatomy.tail.arm
    far = np.sqrt(dot(arm, arm))
    if not far:
        return np.tile([0.0, 0.0, 0.0, 1.0], (len(state.pose.axes), 1))
    lag = dot(state.pose.axes, state.ends.lag[:, None])
    size = np.sqrt(dot(lag, lag))[:, None]
    lag = state.animal.liveliness * springs.bounded(lag, FARTHEST * far, size)
    start, end = np.zeros((2, len(lag), 4))
    start[:, :3], end[:, :3] = arm[XZY], (arm + lag)[:, XZY]
    turn = rotation_between(end, start)
    turn[:, 3] += far * np.sqrt(dot(end, end))
    return turn / np.sqrt(dot(turn, turn) + turn[:, 3] * turn[:, 3])[:, None]
