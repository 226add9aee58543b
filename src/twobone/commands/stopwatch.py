"""Measure how long functions take, in turns, so that a disturbance affects them all alike."""

import statistics
import time
from typing import NamedTuple

SAMPLE = 2e-4  # seconds: what is shorter is repeated until it takes so long
FEWEST = 5  # samples


class Taken(NamedTuple):
    """The time of one run of something, in seconds."""

    median: float
    least: float
    samples: int


def measure(runs, seconds, *, fewest=FEWEST):
    """Measure functions by name, in turns, about `seconds` for each.

    Examples
    --------
    >>> from twobone.commands.stopwatch import measure
    >>> taken = measure({"sorted": lambda: sorted(range(100))}, 0.01)["sorted"]
    >>> 0.0 < taken.least <= taken.median
    True
    """
    repeats = {name: _repeats(run) for name, run in runs.items()}
    found = {name: [] for name in runs}
    spent = dict.fromkeys(runs, 0.0)
    while going := [n for n in runs if len(found[n]) < fewest or spent[n] < seconds]:
        for name in going:
            taken = _time(runs[name], repeats[name])
            spent[name] += taken
            found[name].append(taken / repeats[name])
    return {
        name: Taken(statistics.median(times), min(times), len(times))
        for name, times in found.items()
    }


def _repeats(run):
    """Return how often to run something for one sample; the first run is not counted."""
    run()
    repeats = 1
    while (taken := _time(run, repeats)) < SAMPLE:
        repeats = max(2 * repeats, int(repeats * SAMPLE / max(taken, 1e-7)))
    return repeats


def _time(run, repeats):
    rounds = range(repeats)
    start = time.perf_counter()
    for _ in rounds:
        run()
    return time.perf_counter() - start
