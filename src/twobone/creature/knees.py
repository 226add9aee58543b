"""Knees: where they point.

They point where the pole vectors of the animal do, with two exceptions.

The knee of a leg that folds on a steep slope would be in the ground, and that of one under a low
body in the body. Such a leg turns it outward, about the line from its hip to its foot, as those of
dogs and lizards do: `state.Feet.spread`, times the part of the pole that is forward or back, is
added to the pole vector, outward. Legs whose knees point up need not.

If a foot passes close to the line through its hip along the pole vector, the knee would swing
around that line at once. It turns no faster than `TURNS` and `WHOLE` say instead.
"""

from __future__ import annotations

import numpy as np

from twobone.core import engine, solver
from twobone.creature import footing, governor
from twobone.creature.anatomy import Anatomy
from twobone.creature.carriage import pose_of
from twobone.creature.few import some
from twobone.creature.footing import cross, dot, from_above, times_axes
from twobone.creature.gait import between
from twobone.creature.state import Feet, State

TURNS = 12.0  # radians per second: how fast the plane of a leg turns about the leg at most
# The same together with the line from hip to foot, which turns fast where a foot passes close to
# its hip. Only if this line alone turns it faster, the plane turns faster.
WHOLE = 16.0
NEAR = 0.1  # square of the sine of an angle between pole vector and leg: within it they are close
CLEAR = 0.12  # of the leg's length: clearance of a knee below which it turns outward
OUTWARD, INWARD = 1.7, -0.7  # of the part of the pole that is forward or back: limits
FAST = 3.0  # per second: maximum speed
BACK = 0.3  # of it: maximum speed of the return
SETTLES = 20  # steps in which knees find their place when an animal is put on its feet
TRIED = 0.1  # how much farther out and in the clearance is compared
BODY = 0.05  # of the leg's length: knees nearer to the body than `CLEAR` less this turn outward
PARTS = (0.0, 0.2, 0.5, 0.85)  # of the way from knee to foot: what must be clear
SURE = 0.01  # of the leg's length: difference from which the knee turns at full speed


def point_knees(state: State, before: Feet, dt: float) -> None:
    """Point the knees of feet that have moved on; `before` are the feet before this step."""
    if state.anatomy.spreads:
        spread_knees(state, dt)
    turn_knees(state, before, *_cosine_and_sine(TURNS * dt), _cosine_and_sine(WHOLE * dt)[0])


def _cosine_and_sine(angle):
    """Return cosine and sine of almost an angle, of no greater one."""
    half = 0.5 * angle  # and almost its tangent
    square = half * half
    return (1.0 - square) / (1.0 + square), 2.0 * half / (1.0 + square)


def turn_knees(state: State, before: Feet, cosine: float, sine: float, whole: float) -> None:
    """Turn knees towards where they should point, at most by the angle of a cosine and a sine.

    The plane of a leg turns about the line from hip to foot, from the plane through this line that
    is nearest to the one in which the leg was. From that one it turns at most by the angle whose
    cosine is `whole`, or not about the line at all if the line turns it farther. Where the pole
    vector is close to that line, it is made perpendicular to it, or the body's motion in the rest
    of the step might turn the plane. The knee of a foot that is out of reach, as after a teleport,
    points where it should at once.
    """
    anatomy, feet, pose = state.anatomy, state.feet, state.pose
    if engine.KERNEL is not None:
        own = anatomy.poles, anatomy.outward, anatomy.legs.reach
        engine.KERNEL.turn_knees(feet.poles, feet, before, pose, *own, cosine, sine, whole, NEAR)
        return
    wanted, ways = pole_vectors(anatomy, feet.spread), feet.points() - pose.hips
    goals = cross(times_axes(wanted, pose.axes), ways)
    normals = cross(pose.poles, before.points() - pose.hips)
    square, bulk = dot(ways, ways), dot(goals, goals)
    full = dot(normals, normals)
    normals -= (dot(normals, ways) / square)[..., None] * ways
    size = dot(normals, normals)
    # The cosine of the whole angle is that of the angle by which the line turns the plane, the root
    # of `size / full`, times that of the angle about the line.
    left = whole * np.sqrt(full) / np.sqrt(np.maximum(size, 1e-300))
    less = left > cosine
    cosines = np.where(less, np.minimum(left, 1.0), cosine)
    sines = np.where(less, np.sqrt(1.0 - cosines * cosines), sine)
    reached = square <= anatomy.legs.reach * anatomy.legs.reach
    far = ~(dot(normals, goals) > cosines * np.sqrt(size * bulk)) & (size > 0.0) & reached
    near = ~far & (bulk < NEAR * (square * dot(wanted, wanted))) & reached
    feet.poles[:] = wanted
    if some(far | near):
        normals[far] /= np.sqrt(size)[far][:, None]
        ways /= np.sqrt(square)[..., None]
        aside = cross(ways, normals)
        parts = np.where(dot(aside, goals) < 0.0, -sines, sines)[..., None]
        goals[far] = (cosines[..., None] * normals + parts * aside)[far]
        feet.poles[far | near] = times_axes(cross(ways, goals), pose.axes.mT)[far | near]


def pole_vectors(anatomy: Anatomy, spread):
    """Return the pole vectors of legs whose knees are turned outward so far, in the body's space.

    `spread` has shape (N, L) and they have (N, L, 3).
    """
    return anatomy.poles + spread[..., None] * anatomy.outward


def spread_knees(state: State, dt: float) -> None:
    """Turn knees outward that are near the ground or the body, and others back."""
    spread, length = state.feet.spread, state.anatomy.length
    left = clearance(state, spread)
    if np.minimum.reduce(left, None) > CLEAR * length and not spread.any():
        return
    better = clearance(state, spread + TRIED) - clearance(state, spread - TRIED)
    side = between(better / (SURE * length), -1.0, 1.0)
    near = between((CLEAR * length - left) / (0.5 * CLEAR * length), 0.0, 1.0)
    # Where nothing is in the way, the knee returns.
    back = between(-spread / (FAST * dt), -BACK, BACK) * (1.0 - near)
    spread[:] = between(spread + FAST * dt * (near * side + back), INWARD, OUTWARD)


def settle_knees(state: State) -> None:
    """Turn the knees of animals that have just been put on their feet."""
    for _ in range(SETTLES if state.anatomy.spreads else 0):
        spread_knees(state, 0.05)
    state.feet.poles[:] = pole_vectors(state.anatomy, state.feet.spread)
    state.pose = pose_of(state)


def clearance(state: State, spread):
    """Return how far knees (N, L) are from the ground below and the body above."""
    anatomy, pose = state.anatomy, state.pose
    poles = times_axes(pole_vectors(anatomy, spread), pose.axes)
    feet = state.feet.points()
    thighs = solver.solve(feet - pose.hips, *anatomy.bones, side=1.0, pole=poles)
    knees = pose.hips + thighs
    # Of the shins less is needed, the less the nearer to the foot.
    parts = np.array(PARTS)[:, None, None, None]
    low = knees + parts * (feet - knees)
    above = low[..., 2] - footing.heights(state.terrain, from_above(low))
    above = np.minimum.reduce(above / (1.0 - parts[..., 0]), 0)
    # In the body's space: beside the body, or below it.
    own = governor.in_body(anatomy, pose, thighs)
    half = 0.5 * np.array(state.animal.body.size)
    beside = np.abs(own[..., 0]) - half[0]
    below = -own[..., 2] - half[1]
    ends = np.abs(own[..., 1]) - half[2]
    outside = np.maximum(np.maximum(beside, below), ends)
    return np.minimum(above, outside + BODY * anatomy.length)
