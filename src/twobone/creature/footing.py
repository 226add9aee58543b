"""Where feet can stand: the ground under them, better places beside, how high to lift a foot."""

import numpy as np

from twobone.creature.gait import arch

RING = np.array([[0.0, 0.0]] + [[np.cos(a), np.sin(a)] for a in np.arange(8) * np.pi / 4.0])
ASIDE = 0.12  # of the leg's length: how far beside its home a foothold is looked for
PAD = 0.03  # of the leg's length: what must be even under a foot
STEEP = 0.8  # rise over PAD beyond which a place is no foothold
ALONG = np.linspace(0.1, 0.9, 9)  # where the ground is looked at under a swing


def turned(v, heading):
    """Turn x and z by a heading: +z towards +x."""
    c, s = np.cos(heading), np.sin(heading)
    x, z = v[..., 0], v[..., 1]
    return np.stack([c * x + s * z, c * z - s * x], -1)


def heights(terrain, places):
    """Return the ground's height at x and z, shape (..., 2)."""
    return terrain.height(places[..., 0], places[..., 1])


def on_ground(terrain, places):
    """Return points of the ground at x and z."""
    return np.stack([places[..., 0], heights(terrain, places), places[..., 1]], -1)


def better(terrain, places, height, length):
    """Return how far beside each place a better foothold is: none where the place itself is good.

    Looked at are nine places; bad is what is steep under the foot, and what lies much higher or
    lower than the foot's last stand.
    """
    tried = places[:, None] + ASIDE * length * RING
    pads = tried[:, :, None] + PAD * length * RING[1::2]
    around = heights(terrain, pads)
    middle = heights(terrain, tried)
    steep = (np.max(around, -1) - np.min(around, -1)) / (2.0 * PAD * length)
    jump = np.abs(middle - height[:, None]) / length
    cost = np.maximum(steep - STEEP, 0.0) + 4.0 * np.maximum(jump - 0.35, 0.0)
    cost = cost + 0.02 * np.array([0.0] + [1.0] * 8)
    best = np.argmin(cost, -1)
    return ASIDE * length * RING[best]


def within_reach(terrain, places, hips, reach):
    """Return points of the ground at x and z, or nearer to under the hips where they lie too far.

    `hips` are x, z and height. A place never comes nearer than three fifths of its way: where even
    what is straight below is too far, it stays there.
    """
    away = places - hips[:, :2]
    distance = np.sqrt(np.sum(away * away, -1)) + 1e-12
    for _ in range(2):  # nearer, the ground may be higher or lower
        drop = np.minimum(np.abs(hips[:, 2] - heights(terrain, places)), reach)
        share = np.clip(np.sqrt(reach * reach - drop * drop) / distance, 0.6, 1.0)
        places = hips[:, :2] + share[:, None] * away
    return on_ground(terrain, places)


def lift_over(terrain, start, end, clearance):
    """Return how high to lift feet so that all the ground between is passed with clearance."""
    s = ALONG**3 * (10.0 - 15.0 * ALONG + 6.0 * ALONG**2)
    way = start[:, None] + s[:, None] * (end - start)[:, None]
    under = heights(terrain, way[..., [0, 2]]) - way[..., 1]
    need = np.max(under / arch(ALONG), -1)
    return clearance + np.clip(need, 0.0, 4.0 * clearance)


def plane_through(feet, place, heading, homes):
    """Return the plane through feet: its height at the body's place, and its slopes.

    Slopes are those to the left and forward. Least squares, with a little stiffness, so that
    two feet, too, have a plane.
    """
    away = turned(feet[..., [0, 2]] - place[:, None], -heading[:, None])
    rows = np.concatenate([np.ones_like(away[..., :1]), away], -1)
    low = np.mean(feet[..., 1], -1)
    matrix = np.swapaxes(rows, -1, -2) @ rows
    stiff = 0.02 * np.sum(homes * homes)
    matrix = matrix + np.diag([0.0, stiff, stiff])
    right = np.swapaxes(rows, -1, -2) @ (feet[..., 1] - low[:, None])[..., None]
    plane = np.linalg.solve(matrix, right)[..., 0]
    return plane + np.stack([low, 0.0 * low, 0.0 * low], -1)
