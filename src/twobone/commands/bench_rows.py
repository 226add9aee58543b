"""Cases, measurements and the table of `twobone bench`: the solver compared with copying.

`benchmarks/speed.py` in the repository adds compiled copies and other solvers.
"""

import functools
import itertools
import platform
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import twobone
from twobone.commands import stopwatch
from twobone.core import engine
from twobone.core.engine import SHARE, THREADS, shares

COUNTS = (1, 1000, 100_000, 10_000_000)
BONES = 1.0, 0.9
POLE = 0.0, 0.6, 0.8
HALF_SIDE = {2: 1.8766, 3: 1.5807}  # of a square and a cube; a fifth of each is out of reach
OURS, MIXED, FRESH = "twobone", "twobone, mixed", "twobone, new array"
COPY = "np.copyto"
COPIES = (  # row names; all but the first are measured by benchmarks/limits.py
    COPY,
    "ordinary",
    "ordinary_avx2",
    "ordinary_avx512",
    "stream_avx2",
    "stream_avx512",
)
DIVIDER = "divider"  # one square root and one division for each limb; benchmarks/limits.py
SHAKY = 1.25  # a copy was disturbed if its median exceeds its best time by this factor


class Case(NamedTuple):
    """What is solved: dimension, dtype, numbers of targets and threads, instruction set."""

    place: str
    dtype: str
    count: int
    threads: int
    instruction_set: str


class Row(NamedTuple):
    """How long one function takes for all targets of a case, in seconds."""

    case: Case
    who: str
    median: float
    least: float
    samples: int


class Limbs(NamedTuple):
    """Targets, with the same bones and pole for all."""

    target: np.ndarray  # all within reach
    mixed: np.ndarray  # a fifth of them is out of reach
    r1: float
    r2: float
    pole: np.ndarray | None  # None in the plane
    out: np.ndarray


def usual_counts():
    """Return the default numbers of targets; smaller without the kernel, as NumPy is slower."""
    # unreached: no-count
    return COUNTS if twobone.engine().name == "compiled" else (*COUNTS[:-1], 1_000_000)


def cases(counts, threads, instruction_set=None):
    """Yield the cases; those with enough targets for several threads also with all threads."""
    instruction_set = instruction_set or twobone.engine().instruction_set
    for place, dtype in itertools.product(("plane", "space"), ("float64", "float32")):
        for count in counts:
            yield Case(place, dtype, count, 1, instruction_set)
            if threads > 1 and count >= 2 * SHARE:
                yield Case(place, dtype, count, threads, instruction_set)


def make_limbs(case):
    """Return the limbs of a case, the same at every call."""
    size = 2 if case.place == "plane" else 3
    rng = np.random.default_rng(4)
    # One array for both, because large arrays differ in how well the system maps their memory.
    target, mixed = np.empty((2, case.count, size), case.dtype)
    rng.standard_normal(dtype=case.dtype, out=target)
    distance = rng.uniform(0.15, 1.85, (case.count, 1)).astype(case.dtype)
    target *= distance / np.sqrt(np.sum(target * target, axis=-1, keepdims=True))
    rng.random(dtype=case.dtype, out=mixed)
    mixed -= 0.5
    mixed *= 2.0 * HALF_SIDE[size]
    pole = np.array(POLE, case.dtype) if size == 3 else None
    return Limbs(target, mixed, *BONES, pole, np.empty_like(target))


def run(cases, seconds, show, others=None, names=()):
    """Measure the cases in order, show the table line by line and return all rows."""
    found = []
    for text in heading(names):
        show(text.rstrip())
    for case in cases:
        rows = measure(case, seconds, others)
        show(line(rows, names).rstrip())
        found += rows
    for text in (*singles(found), FOOT):
        show(text)
    return found


def measure(case, seconds, others=None):
    """Return the rows of a case; its functions are measured in turns.

    `others(case, limbs)` returns a dict of further functions, which solve the same limbs
    or copy the same bytes.
    """
    limbs = make_limbs(case)
    runs = {
        COPY: share(case.threads, limbs.target, limbs.out, _prepare_copy),
        **_ours(limbs),
        **(others(case, limbs) if others else {}),
    }
    before = twobone.engine()
    try:
        twobone.engine(threads=case.threads)
        _use(case.instruction_set)
        taken = stopwatch.measure(runs, seconds)
    finally:
        twobone.engine(threads=before.threads)
        _use(before.instruction_set)
    return [Row(case, who, *times) for who, times in taken.items()]


def _use(instruction_set):
    if engine.KERNEL is not None:  # unreached: no-kernel
        engine.KERNEL.use_instruction_set(instruction_set)


def share(threads, target, out, prepare):
    """Return a function that copies one slice per thread, split as the library splits them.

    `prepare(to, source)` returns a function that copies `source` to `to`.
    """
    jobs = [prepare(out[i:j], target[i:j]) for i, j in shares(len(out), threads)]
    return jobs[0] if threads == 1 else functools.partial(THREADS.run, jobs)


def _prepare_copy(to, source):
    return functools.partial(np.copyto, to, source)


def _ours(limbs):
    target, mixed, r1, r2, pole, out = limbs
    runs: dict[str, Callable[[], Any]] = {
        OURS: lambda: twobone.solve(target, r1, r2, pole=pole, out=out),
        MIXED: lambda: twobone.solve(mixed, r1, r2, pole=pole, out=out),
        FRESH: lambda: twobone.solve(target, r1, r2, pole=pole),
    }
    if out.size <= 3 and out.dtype == float:
        numbers: Any = (*target[0].tolist(), r1, r2)
        if pole is None:
            runs["solve_xy"] = lambda: twobone.solve_xy(*numbers)
        else:
            direction: Any = pole.tolist()
            runs["solve_xyz"] = lambda: twobone.solve_xyz(*numbers, *direction)
    return runs


def fastest_copy(rows):
    """Return the row of the fastest copy of a case."""
    return min((row for row in rows if row.who in COPIES), key=lambda row: row.median)


# --- output -------------------------------------------------------------------------------


def machine():
    """Describe the machine and the versions measured."""
    engine = twobone.engine()
    return {
        "twobone": twobone.__version__,
        "engine": engine.name,
        "instruction set": engine.instruction_set,
        "threads": engine.threads,
        "processor": _processor(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
    except OSError:  # unreached: windows
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def heading(rivals=()):
    """Return the header lines of the table."""
    ours = f"{'in reach':>10}{'mixed':>10}{'new array':>11}{'copy':>10}{'of copy':>9}"
    return [
        f"{'':44}{'nanoseconds per limb':>41}{'':9}" + ("   relative to in reach" * bool(rivals)),
        f"{'limbs':>35}{'threads':>9}{ours}" + "".join(f"{name:>15}" for name in rivals),
    ]


def line(rows, rivals=()):
    """Return the table line for the rows of a case."""
    case, by_name = rows[0].case, {row.who: row for row in rows}
    ours, copy = by_name[OURS], fastest_copy(rows)
    shaky = "~" if copy.median > SHAKY * copy.least else " "
    shown = ours, by_name[MIXED], by_name[FRESH], copy
    times = [row.median / case.count * 1e9 for row in shown]
    widths = 10, 10, 11, 10
    cells = "".join(f"{_three(t):>{width}}" for t, width in zip(times, widths, strict=True))
    ratios = "".join(
        f"{_three(by_name[name].median / ours.median) if name in by_name else '-':>15}"
        for name in rivals
    )
    name = f"{case.place} {case.dtype}"
    return (
        f"{name:27}{case.count:>8}{case.threads:>9}{cells}"
        f"{copy.median / ours.median:>8.2f}{shaky}{ratios}"
    )


def _three(value):
    """Format a number with about three significant digits."""
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


FOOT = (
    "in reach, mixed: solve(..., out=out); mixed: a fifth of the targets is out of reach.\n"
    "new array: in reach, without out=.\n"
    "copy: the fastest copy of the targets' bytes; of copy: time of the copy / time in reach.\n"
    f"~: the copy was disturbed; its median is more than {SHAKY} times its best time."
)


def singles(rows):
    """Return one line for each function that solves a single limb."""
    wanted = [row for row in rows if row.who.startswith("solve_")]
    return [f"{row.who}: {row.median * 1e9:.0f} ns per call" for row in wanted]


def to_json(about, rows):
    """Return the measurements as plain values for JSON."""
    return {
        "machine": about,
        "rows": [
            {**row.case._asdict(), **{k: v for k, v in row._asdict().items() if k != "case"}}
            for row in rows
        ],
    }


def from_json(found):
    """Return the rows from what `to_json` returned."""
    fields = Case._fields
    return [
        Row(Case(*(row[k] for k in fields)), *(row[k] for k in Row._fields[1:]))
        for row in found["rows"]
    ]
