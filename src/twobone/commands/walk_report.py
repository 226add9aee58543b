"""The report of a walk: a table, beside the insect of the article on the same ground."""

import numpy as np

from twobone.creature import original_insect, report
from twobone.creature.bounds import bounds
from twobone.creature.report import as_dt_halves, broken, table
from twobone.pictures.keyframes import drift_between_keys
from twobone.rotations import rotate

FINE = 10.0  # seconds: how much of a walk is taken again at twice the frames a second
SLOWEST = 0.05  # m/s: an animal that goes no faster stands, and says no pace for the other
OTHER = "original insect"


def compare(recording, fine, terrain, name):
    """Return the lines of a table: a walk, the original insect, and what is wanted.

    Parameters
    ----------
    recording : Recording
    fine : Recording
        The beginning of the same walk at twice as many frames a second.
    terrain : terrain
        What it walks on.
    name : str
        Of the animal.

    Returns
    -------
    list of str, list of str
        The lines, and the words for the figures of the animal that are out of bounds. The
        original insect walks as long on the same ground, as fast on average, from the same
        place; straight on.
    """
    speed, backwards = _pace(recording)
    seconds = (len(recording.time) - 1) * recording.dt
    theirs, theirs_fine = (
        original_insect(terrain, seconds, recording.dt / share, speed) for share in (1, 2)
    )
    reports = {
        name: _figures(recording, fine, terrain),
        OTHER: _figures(theirs, theirs_fine, terrain),
    }
    wanted = {
        name: bounds(reports[name], backwards=backwards),
        OTHER: bounds(reports[OTHER]),
    }
    return table(reports, wanted), broken(reports[name], wanted[name])


def _figures(recording, fine, terrain):
    first = len(fine.time) // 2 + 1
    begin = recording._replace(
        **{field: getattr(recording, field)[:first] for field in FRAMES}, blocked=None
    )
    return report(recording, terrain)._replace(
        drift=drift_between_keys(recording), **as_dt_halves(begin, fine)
    )


FRAMES = (
    *("time", "body_position", "body_rotation", "hips", "knees", "feet"),
    *("stance", "ground"),
)


def _pace(recording):
    """Return how fast a body went on average, and whether that was mostly backwards."""
    steps = np.diff(recording.body_position[:, [0, 2]], axis=0)
    ahead = rotate(recording.body_rotation[:-1], [0.0, 0.0, 1.0])[:, [0, 2]]
    speed = float(np.mean(np.hypot(*steps.T))) / recording.dt if len(steps) else 0.0
    return speed if speed > SLOWEST else 0.7, float(np.sum(steps * ahead)) < 0.0
