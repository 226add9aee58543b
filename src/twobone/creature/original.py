"""The insect that this room set out from, to compare with: how it moves, flaws and all.

Made from facts about Inigo Quilez' "Insect" (shadertoy Mss3zM): six legs with bones of 1.6
and 1.2, hips at x = +-0.5, feet at x = +-1.5, a stride of 0.8, duty factor 0.66, six phases a sixth
apart, a wave from front to rear. Feet swing in straight lines at one speed, their height a
parabola; the body follows the ground under its centre, pitched by the ground 0.8 ahead, and
knows nothing of its feet; what is out of reach stretches the bones in silence.

What the facts leave open is chosen here. Rows of legs 1.3 apart give the least static margin that
was measured on flat ground, -0.053, and 0.047 with the wave reversed. The original also goes
backwards at moments and has a margin of -0.146 then: a surge along z by 0.136, once a stride, does
both, but is a guess; so are the height of the body and how high feet are lifted.
"""

from __future__ import annotations

import numpy as np

from twobone.core import solver
from twobone.files.recordings import Recording
from twobone.terrain import arguments
from twobone.terrain.ground import Ground, Terrain, as_terrain

BONES = 1.6, 1.2
HIP, FOOT = 0.5, 1.5  # x, on the left
STRIDE, DUTY = 0.8, 0.66
AHEAD = 0.8
ROWS = 1.3, 0.0, -1.3  # z of the hips
SIDES = 1.0, -1.0
# A leg's share of the cycle by which it is ahead: front lifts first, the sides half a cycle apart.
PHASES = 0.0, -1 / 3, -2 / 3, 0.5, 0.5 - 1 / 3, 0.5 - 2 / 3
STANDS = 0.7  # height of the body
LIFTS = 0.3  # height of the parabola
SURGE = 0.136  # as far as the body is ahead of or behind its even pace, in metres


def original_insect(
    terrain: Ground, seconds: float, dt: float = 1 / 60, speed: float = 0.7, *, surge: float = SURGE
) -> Recording:
    """Return a walk of the original insect, straight along +z.

    Parameters
    ----------
    terrain : terrain, number or callable
        What it walks on, as `as_terrain` takes it.
    seconds : float
        How long it walks; at least 0, at most 20,000 and 1,000,000 frames. There is a frame at
        the beginning and every `dt` on.
    dt : float
        Seconds between frames.
    speed : float
        Metres a second; one stride is 0.8. (At 0.8 and 60 frames a second all strides have the
        same 60 frames, none of which shows the moments with three feet down.)
    surge : float
        How far the body sways along z about its even pace, once a stride. Above 0.128 it goes
        backwards at moments.

    Returns
    -------
    Recording
        With bones that are too long where a foot is out of reach: the knee is then on the
        line from hip to foot, as with `unreachable="stretch"`.

    Raises
    ------
    ArrayTypeError, CreatureError, ShapeError
        If the terrain is none, or a number is none or not positive.

    Examples
    --------
    >>> from twobone.creature.original import original_insect
    >>> from twobone.creature.measures import feet_down, slide
    >>> walk = original_insect(0.0, seconds=10.0)
    >>> slide(walk), feet_down(walk).least
    (0.0, 3)
    """
    ground, dt = as_terrain(terrain), arguments.positive("dt", dt)
    speed, surge = arguments.positive("speed", speed), arguments.number("surge", surge)
    seconds = arguments.at_least_0("seconds", seconds)
    arguments.frames("seconds", seconds, 1.0 / dt)
    frames = int(seconds / dt + 1e-9) + 1
    time = dt * np.arange(frames, dtype=np.float64)
    cycle = speed / STRIDE * time
    position, rotation = _body(ground, STRIDE * cycle + surge * np.sin(2 * np.pi * cycle))
    feet, stance = _feet(ground, cycle)
    hips = _hips(position, rotation)
    knees = _knees(hips, feet, rotation)
    under = ground.height(feet[..., 0], feet[..., 2])
    bones = np.tile(BONES, (len(PHASES), 1))
    return Recording(time, position, rotation, hips, knees, feet, stance, bones, under, dt)


def _body(ground: Terrain, z):
    """Return positions and rotations: pitched about x only, by the ground ahead."""
    here = ground.height(0.0 * z, z)
    pitch = -np.arctan2(ground.height(0.0 * z, z + AHEAD) - here, AHEAD)
    turn = np.stack([np.sin(pitch / 2), 0 * z, 0 * z, np.cos(pitch / 2)], axis=-1)
    return np.stack([0 * z, here + STANDS, z], axis=-1), turn


def _feet(ground: Terrain, cycle):
    """Return where the feet are, and which are on the ground."""
    along = cycle[:, None] + np.array(PHASES)
    count = np.floor(along)
    phase = along - count
    swing = np.maximum((phase - DUTY) / (1.0 - DUTY), 0.0)
    # In the middle of a stance the foot is beside its hip.
    middle = STRIDE * (count + DUTY / 2.0 - np.array(PHASES)) + np.tile(ROWS, 2)
    x = np.broadcast_to(np.repeat(SIDES, 3) * FOOT, along.shape)
    z = middle + STRIDE * swing
    y = ground.height(x, z) + LIFTS * 4.0 * swing * (1.0 - swing)
    return np.stack([x, y, z], axis=-1), phase < DUTY


def _hips(position, rotation):
    """Return where the legs are fixed, in the world."""
    _, ahead = _axes(rotation)
    x = np.repeat(SIDES, 3)[:, None] * np.array([HIP, 0.0, 0.0])
    return position[:, None] + x + np.tile(ROWS, 2)[:, None] * ahead[:, None]


def _axes(rotation):
    """Return the body's up and forward."""
    x, w = rotation[:, 0], rotation[:, 3]
    sine, cosine = 2.0 * x * w, w * w - x * x
    zero = np.zeros_like(x)
    return np.stack([zero, cosine, sine], axis=-1), np.stack([zero, -sine, cosine], axis=-1)


def _knees(hips, feet, rotation):
    """Return the knees: bent upwards, and on the way to the foot where it is out of reach."""
    up, _ = _axes(rotation)
    return solver.reach(feet, *BONES, root=hips, pole=up[:, None], unreachable="stretch").joint
