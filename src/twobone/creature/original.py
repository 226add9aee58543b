"""Quilez's original insect as a reference: a recording of how it moves, flaws included.

Modelled on facts about Inigo Quilez' "Insect" (shadertoy Mss3zM): six legs with bones 1.6 and 1.2,
hips at x = +-0.5, feet at x = +-1.5, a stride of 0.8, duty factor 0.66, six phases a sixth of a
cycle apart, a wave from front to rear. Feet swing along straight lines at constant speed, and their
height is a parabola. The body follows the ground under its centre, pitched by the ground 0.8 ahead,
independent of its feet. If a foot is out of reach, the bones stretch.

Whatever the facts leave open is chosen here. With rows of legs 1.3 apart, the minimum static margin
on flat ground is the measured one, -0.053, and 0.047 with the wave reversed. The original also
moves backwards at moments, with a margin of -0.146. A surge along z by 0.136 once a stride explains
both, but is a guess; so are the height of the body and the lift of the feet.
"""

from __future__ import annotations

import numpy as np

from twobone.core import solver
from twobone.files.recordings import Recording
from twobone.terrain import arguments
from twobone.terrain.ground import Ground, Terrain, as_terrain

BONES = 1.6, 1.2
HIP, FOOT = 0.5, 1.5  # x, on the left
STRIDE, DUTY_FACTOR = 0.8, 0.66
AHEAD = 0.8
ROWS = 1.3, 0.0, -1.3  # z of the hips
SIDES = 1.0, -1.0
# Phase offsets in cycles: on each side front legs go first, and the sides are half a cycle apart.
PHASES = 0.0, -1 / 3, -2 / 3, 0.5, 0.5 - 1 / 3, 0.5 - 2 / 3
STANDS = 0.7  # height of the body
LIFTS = 0.3  # height of the parabola
SURGE = 0.136  # metres: amplitude of the oscillation about constant speed


def original_insect(
    terrain: Ground, seconds: float, dt: float = 1 / 60, speed: float = 0.7, *, surge: float = SURGE
) -> Recording:
    """Record a walk of the original insect, straight along +z.

    Parameters
    ----------
    terrain : terrain, number or callable
        The ground, see `as_terrain`. A number is the height of level ground.
    seconds : float
        Length of the walk: from 0 to 20,000, and at most 1,000,000 frames. Frames are at 0, `dt`,
        2 `dt`, ...
    dt : float
        Seconds between frames.
    speed : float
        Metres per second. A stride is 0.8 metres, so at a speed of 0.8 and 60 frames per second all
        strides consist of the same 60 frames, and none of these falls on the moments when only
        three feet are on the ground.
    surge : float
        Amplitude of the oscillation along z about constant speed, once a stride. Above 0.128
        (a stride over 2 pi) the body moves backwards at moments.

    Returns
    -------
    Recording
        Where a foot is out of reach the bones are too long, and the knee is on the line from hip to
        foot, as with `unreachable="stretch"`.

    Raises
    ------
    ArrayTypeError, CreatureError, ShapeError
        If the terrain is invalid, an argument is not a number, or a number is out of range.

    Examples
    --------
    >>> from twobone.creature.original import original_insect
    >>> from twobone.creature.measures import feet_down, slide
    >>> walk = original_insect(0.0, seconds=10.0)
    >>> slide(walk.feet, walk.stance), feet_down(walk.stance).least
    (0.0, 3)
    """
    ground, dt = as_terrain(terrain), arguments.positive("dt", dt)
    speed, surge = arguments.positive("speed", speed), arguments.number("surge", surge)
    seconds = arguments.at_least_0("seconds", seconds)
    arguments.frames("seconds", seconds, 1.0 / dt)
    frames = int(seconds / dt + 1e-9) + 1
    time = dt * np.arange(frames, dtype=np.float64)
    return _recorded(ground, time, dt, speed, surge, PHASES)


def _recorded(ground: Terrain, time, dt, speed, surge, phases):
    """Return the walk whose legs have the given phases."""
    cycle = speed / STRIDE * time
    position, rotation = _body(ground, STRIDE * cycle + surge * np.sin(2 * np.pi * cycle))
    feet, stance = _feet(ground, cycle, phases)
    hips = _hips(position, rotation)
    knees = _knees(hips, feet, rotation)
    under = ground.height(feet[..., 0], feet[..., 2])
    return Recording(
        time=time,
        stations=position[:, None],
        station_rotations=rotation[:, None],
        hips=hips,
        knees=knees,
        ankles=feet,
        feet=feet,
        stance=stance,
        bones=np.tile((*BONES, 0.0), (len(phases), 1)),
        ground=under,
        along=np.zeros(1),
        dt=dt,
    )


def _body(ground: Terrain, z):
    """Return positions and rotations of the body, pitched about x by the ground ahead."""
    here = ground.height(0.0 * z, z)
    pitch = -np.arctan2(ground.height(0.0 * z, z + AHEAD) - here, AHEAD)
    turn = np.stack([np.sin(pitch / 2), 0 * z, 0 * z, np.cos(pitch / 2)], axis=-1)
    return np.stack([0 * z, here + STANDS, z], axis=-1), turn


def _feet(ground: Terrain, cycle, phases):
    """Return the positions of the feet, and which are in stance."""
    along = cycle[:, None] + np.array(phases)
    count = np.floor(along)
    phase = along - count
    swing = np.maximum((phase - DUTY_FACTOR) / (1.0 - DUTY_FACTOR), 0.0)
    # In the middle of a stance the foot is beside its hip.
    middle = STRIDE * (count + DUTY_FACTOR / 2.0 - np.array(phases)) + np.tile(ROWS, 2)
    x = np.broadcast_to(np.repeat(SIDES, 3) * FOOT, along.shape)
    z = middle + STRIDE * swing
    y = ground.height(x, z) + LIFTS * 4.0 * swing * (1.0 - swing)
    return np.stack([x, y, z], axis=-1), phase < DUTY_FACTOR


def _hips(position, rotation):
    """Return the hips in the world."""
    _, ahead = _axes(rotation)
    x = np.repeat(SIDES, 3)[:, None] * np.array([HIP, 0.0, 0.0])
    return position[:, None] + x + np.tile(ROWS, 2)[:, None] * ahead[:, None]


def _axes(rotation):
    """Return the body's up and forward axes."""
    x, w = rotation[:, 0], rotation[:, 3]
    sine, cosine = 2.0 * x * w, w * w - x * x
    zero = np.zeros_like(x)
    return np.stack([zero, cosine, sine], axis=-1), np.stack([zero, -sine, cosine], axis=-1)


def _knees(hips, feet, rotation):
    """Return the knees, bent upwards, or on the line to the foot if that is out of reach."""
    up, _ = _axes(rotation)
    return solver.reach(feet, *BONES, root=hips, pole=up[:, None], unreachable="stretch").joint
