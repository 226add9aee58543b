"""The table of `twobone walk --report`: measures of a walk beside their bounds."""

import math

import numpy as np

from twobone.creature import measures, report
from twobone.creature.bounds import bounds
from twobone.creature.contacts import touch_downs
from twobone.creature.report import as_dt_halves, broken, table
from twobone.pictures.keyframes import drift_between_keys
from twobone.terrain.ground import Flat, Noise, Steps

FINE = 10.0  # seconds of the walk that are repeated at twice the frame rate
LANDINGS = 12  # in the beginning: of fewer, it is chance how much of a frame they take
ROUGH = 0.15  # of a leg: root mean square of the steepest hills that are not steep ground


def compare(recording, fine, terrain, animal):
    """Return a table that compares a walk with the bounds.

    Parameters
    ----------
    recording : Recording
    fine : Recording
        The beginning of the same walk at twice the frame rate.
    terrain : terrain
        The ground of the walk.
    animal : Animal
        Who walks.

    Returns
    -------
    lines : list of str
        The table.
    broken : list of str
        Names of the measures that are out of bounds.
    """
    name, anatomy = animal.name, animal.anatomy
    first = len(fine.time) // 2 + 1
    beginning = recording.select(slice(first))
    ratios = as_dt_halves(beginning, fine)
    if np.sum(touch_downs(beginning.stance)[1:]) < LANDINGS:
        ratios["landing_as_dt_halves"] = math.nan
    found = report(recording, terrain)._replace(
        drift=drift_between_keys(recording),
        depth_of_belly=measures.depth_of_belly(recording.stations, anatomy.belly, terrain),
        backwards=_backwards(recording),
        **ratios,
    )
    wanted = bounds(
        found,
        ground=_kind(terrain, found.leg),
        steady=anatomy.steady,
        backwards=_goes_back(recording),
    )
    return table({name: found}, {name: wanted}), broken(found, wanted)


def _backwards(recording):
    """Return the maximum step back until the animal stops; then its body comes to rest.

    It stops where it does less in the next second than half of what it does in its fastest one.
    """
    position, rotation = recording.body_position, recording.body_rotation
    ahead = measures.velocity(position, rotation, recording.dt)[:, 1]
    way = np.concatenate([[0.0], np.cumsum(ahead)])
    last = np.minimum(np.arange(len(ahead)) + round(1.0 / recording.dt) + 1, len(ahead))
    speed = (way[last] - way[:-1]) / (last - np.arange(len(ahead)))
    goes = np.flatnonzero(speed >= 0.5 * np.max(speed)) if len(ahead) else ahead
    stop = int(goes[-1]) + 2 if len(goes) else len(position)
    return measures.backwards(position[:stop], rotation[:stop])


def _kind(terrain, leg):
    """Return the kind of a ground, as `bounds` asks for it."""
    if isinstance(terrain, Flat | Steps):
        return "even"
    is_rough = isinstance(terrain, Noise) and terrain.rms <= ROUGH * leg * (1.0 + 1e-9)
    return "rough" if is_rough else "steep"


def _goes_back(recording):
    """Return whether a walk was mostly backwards, or blocked: then it may have stepped back."""
    speeds = measures.velocity(recording.body_position, recording.body_rotation, recording.dt)
    blocked = recording.blocked is not None and bool(np.any(recording.blocked))
    return blocked or float(np.sum(speeds[:, 1])) < 0.0
