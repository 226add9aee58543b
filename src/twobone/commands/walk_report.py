"""The table of `twobone walk --report`: measures of a walk and of the original insect."""

import numpy as np

from twobone.creature import original_insect, report
from twobone.creature.bounds import bounds
from twobone.creature.report import as_dt_halves, broken, table
from twobone.pictures.keyframes import drift_between_keys
from twobone.rotations import rotate

FINE = 10.0  # seconds of the walk that are repeated at twice the frame rate
SLOWEST = 0.05  # m/s; beside an animal that is slower the original insect walks at 0.7 m/s
OTHER = "original insect"


def compare(recording, fine, terrain, animal):
    """Return a table that compares a walk with the original insect and with the bounds.

    Parameters
    ----------
    recording : Recording
    fine : Recording
        The beginning of the same walk at twice the frame rate.
    terrain : terrain
        The ground of the walk.
    animal : Animal
        Who walks; some bounds depend on its gait.

    Returns
    -------
    lines : list of str
        The table.
    broken : list of str
        Names of the animal's measures that are out of bounds.

    Notes
    -----
    The original insect walks straight ahead from the origin for the same time, on the same
    ground and at the same average speed.
    """
    name, gait = animal.name, animal.gait
    speed, backwards = _pace(recording)
    if recording.blocked is not None:  # then it may have stepped back to turn aside
        backwards = backwards or bool(np.any(recording.blocked))
    seconds = (len(recording.time) - 1) * recording.dt
    theirs, theirs_fine = (
        original_insect(terrain, seconds, recording.dt / factor, speed) for factor in (1, 2)
    )
    reports = {
        name: _figures(recording, fine, terrain),
        OTHER: _figures(theirs, theirs_fine, terrain),
    }
    wanted = {
        name: bounds(reports[name], backwards=backwards, balance=gait.balance),
        OTHER: bounds(reports[OTHER]),
    }
    return table(reports, wanted), broken(reports[name], wanted[name])


def _figures(recording, fine, terrain):
    first = len(fine.time) // 2 + 1
    begin = recording.select(slice(first))
    return report(recording, terrain)._replace(
        drift=drift_between_keys(recording), **as_dt_halves(begin, fine)
    )


def _pace(recording):
    """Return the average speed of a walk, and whether it was mostly backwards."""
    steps = np.diff(recording.body_position[:, [0, 2]], axis=0)
    ahead = rotate(recording.body_rotation[:-1], [0.0, 0.0, 1.0])[:, [0, 2]]
    speed = float(np.mean(np.hypot(*steps.T))) / recording.dt if len(steps) else 0.0
    return speed if speed > SLOWEST else 0.7, float(np.sum(steps * ahead)) < 0.0
