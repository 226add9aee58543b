"""The rest pose of a model: the animal of a recording, as it stands on level ground."""

import numpy as np

from twobone.core import solver
from twobone.pictures.figure import foot_rotations, hips_in_body, stations_of_legs
from twobone.pictures.trunk import AHEAD
from twobone.rotations import inverse, normalize, rotate

NEARLY = 1e-3  # in lengths of a leg: hips that are so nearly mirror images are a pair
TINY = 1e-9  # vectors that are shorter have no direction


def standing(recording):
    """Return a recording of one frame in which the animal stands, at the origin and facing +z.

    The trunk is straight and level, and the feet are where the recording says, in `rest_feet`.
    Knees and third segments point where they do on average while the feet stand, as seen from their
    station, and the same on the left and on the right; so are feet if they are unknown.

    Parameters
    ----------
    recording : Recording
    """
    stations, legs = stations_of_legs(recording), range(recording.feet.shape[1])
    hips = hips_in_body(recording).mean(axis=0)
    seen = _Seen(recording, stations, hips)
    if recording.rest_feet is None:
        feet = seen.mean(recording.feet - recording.stations[:, stations])
    else:
        feet = recording.rest_feet - recording.along[stations, None] * AHEAD
    height = -float(feet[:, 1].mean())
    trunk = (recording.along - recording.along.mean())[:, None] * AHEAD
    trunk = trunk + np.array([0.0, height, 0.0])
    hips = hips + np.array([0.0, height, -recording.along.mean()])
    feet = (trunk[stations] + feet) * [1.0, 0.0, 1.0]
    thirds = seen.mean(recording.ankles - recording.feet)
    thirds = _unit(thirds) * recording.bones[:, 2:]
    first, second = recording.bones[:, 0], recording.bones[:, 1]
    way = feet + thirds - hips
    size = np.maximum(np.linalg.norm(way, axis=-1), TINY)
    allowed = np.clip(size, np.abs(first - second), first + second)
    way *= (allowed / size)[:, None]
    poles = seen.mean(recording.knees - recording.hips)
    knees = hips + solver.solve(way, first, second, pole=poles)
    still = np.array([0.0, 0.0, 0.0, 1.0])
    return recording._replace(
        time=recording.time[:1] - recording.dt,
        stations=trunk[None],
        station_rotations=np.tile(still, (1, len(trunk), 1)),
        hips=hips[None],
        knees=knees[None],
        ankles=(hips + way)[None],
        feet=(hips + way - thirds)[None],
        stance=np.ones((1, len(legs)), bool),
        ground=np.zeros((1, len(legs))),
        foot_rotation=_headings(seen.mean(rotate(foot_rotations(recording), AHEAD)))[None],
        blocked=None if recording.blocked is None else recording.blocked[:1] & False,
        neck=None if recording.neck is None else np.tile(still, (1, recording.neck.shape[1], 1)),
        tail=None if recording.tail is None else np.tile(still, (1, recording.tail.shape[1], 1)),
    )


class _Seen:
    """Averages of what a recording has of each leg, over the frames in which its foot stands."""

    def __init__(self, recording, stations, hips):
        heading = normalize(recording.station_rotations) * [0.0, 1.0, 0.0, 1.0]
        self.back = inverse(_unit(heading, (0.0, 0.0, 0.0, 1.0)))[:, stations]
        stance = recording.stance | ~recording.stance.any(axis=0)
        self.weights = stance / stance.sum(axis=0)
        mirrored = hips * [-1.0, 1.0, 1.0]
        away = np.linalg.norm(mirrored[:, None] - hips, axis=-1)
        partner = np.argmin(away, axis=1)
        size = recording.bones.sum(axis=1)
        alike = away.min(axis=1) <= NEARLY * size
        alike &= np.all(recording.bones == recording.bones[partner], axis=1)
        self.partner = np.where(alike, partner, np.arange(len(hips)))
        self.flip = np.where(alike[:, None], [-1.0, 1.0, 1.0], [1.0, 1.0, 1.0])

    def mean(self, vectors):
        """Return the mean of vectors, (T, L, 3), seen from the heading of the legs' stations."""
        found = np.sum(self.weights[..., None] * rotate(self.back, vectors), axis=0)
        return 0.5 * (found + self.flip * found[self.partner])


def _headings(ahead):
    """Return the rotations about the vertical that turn +z to directions, (L, 4)."""
    half = 0.5 * np.arctan2(ahead[:, 0], ahead[:, 2])
    none = np.zeros_like(half)
    return np.stack([none, np.sin(half), none, np.cos(half)], axis=-1)


def _unit(vectors, otherwise=()):
    """Return vectors of length 1; those of no length become 0, or another."""
    sizes = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(sizes > TINY, vectors / np.maximum(sizes, TINY), otherwise or 0.0)
