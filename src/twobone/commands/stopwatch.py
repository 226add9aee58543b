"""Timing of functions in turns, so that a disturbance affects all of them alike."""

import statistics
import time
from typing import NamedTuple

SAMPLE = 2e-4  # seconds; a function that is faster is called repeatedly for one sample
FEWEST = 5  # samples
LONG = 0.3  # seconds; the caches make no difference to a function that takes so long


class Taken(NamedTuple):
    """The time of one call of a function, in seconds."""

    median: float
    least: float
    samples: int


def measure(runs, seconds, *, fewest=FEWEST):
    """Measure several functions in turns, each after a call that is not timed.

    Parameters
    ----------
    runs : dict
        Functions without arguments, by name.
    seconds : float
        Approximate time to spend on each of them.
    fewest : int
        Minimum number of samples of each, however long that takes.

    Returns
    -------
    dict
        A `Taken` by name.

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
            # The first call after others takes longer, since their arrays fill the caches.
            if not found[name] or found[name][-1] < LONG:  # unreached: long-run
                runs[name]()
            taken = _time(runs[name], repeats[name])
            spent[name] += taken
            found[name].append(taken / repeats[name])
    return {
        name: Taken(statistics.median(times), min(times), len(times))
        for name, times in found.items()
    }


def _repeats(run):
    """Return the number of calls in one sample; the first call is a warm-up and not timed."""
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
