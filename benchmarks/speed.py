"""Time twobone, copies and other solvers: `python benchmarks/speed.py [--quick]`

Times are medians of runs in turns, in one process: targets in reach, and targets of which a fifth
is not (mixed). Other solvers are measured beside the best instruction set of this machine, and
slower sets after it, without them. The tables are printed. Without `--quick` and
`--json` the results are also written to benchmarks/speed.json, and docs/pictures/speed.svg is
drawn from them (see roofline.py).
"""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import warnings
from importlib import metadata
from pathlib import Path

import limits
import recorded
import roofline
from rivals import ARRAYS, BATCH, MISSING, rivals

from twobone.commands import bench_rows as rows
from twobone.core import engine

HERE = Path(__file__).resolve().parent
JSON = HERE / "speed.json"
PICTURE = HERE.parent / "docs" / "pictures" / "speed.svg"
RIVALS = ("numba", "jax", "torch", "EAIK", "armkin", "ikpy", "roboticstoolbox-python", "tinyik")
CURVE = [10**n for n in range(8)]  # numbers of targets in the picture
IMPORT = (
    "import time, numpy; t = time.perf_counter(); import twobone; print(time.perf_counter() - t)"
)


def measure(quick, threads):
    """Measure all cases, show each as soon as it is done, and return the rows."""
    counts = rows.COUNTS[:-1] if quick else rows.COUNTS
    seconds = 0.05 if quick else 0.2

    def chosen(threads, name=None):  # fewer if quick: compiling with PyTorch takes long for each
        cases = rows.cases(counts, threads, name)
        return [case for case in cases if not quick or case.dtype == "float64"]

    cases = chosen(threads)
    if not quick:
        curve = rows.cases([n for n in CURVE if n not in counts], threads)
        cases += [case for case in curve if roofline.is_shown(case)]
    found = rows.run(cases, seconds, show, limits_and_rivals, ARRAYS)
    for name in slower_sets():
        show(f"\n{name}")
        found += rows.run(chosen(1, name), seconds, show, limits_of)
    return found


def slower_sets():
    """Return the instruction sets that run here but are not the one in use; not the baseline."""
    if engine.KERNEL is None:
        return []
    used = {"baseline", engine.KERNEL.instruction_set()}
    return [name for name in engine.KERNEL.instruction_sets() if name not in used]


def limits_of(case, limbs):
    """Return what limits the speed: compiled copies and the divider."""
    return limits.copies(limbs.target, limbs.out, case.threads) | limits.dividers(case)


def limits_and_rivals(case, limbs):
    """Return the limits, and other solvers of the same targets."""
    return limits_of(case, limbs) | rivals(limbs, case.threads)


def show(text):
    print(text, flush=True)


def show_robots(found):
    """Show the times of solvers that take one limb per call."""
    case = rows.Case("plane", "float64", 1, 1, found[0].case.instruction_set)
    known = [row for row in found if row.case == case and row.who not in ARRAYS]
    ours = next(row for row in known if row.who == "solve_xy")
    ours_and_limits = {*rows.COPIES, rows.DIVIDER, rows.OURS, rows.MIXED, rows.FRESH}
    show("\none limb in the plane: microseconds per call, and relative to solve_xy")
    for row in sorted(known, key=lambda row: row.median):
        if row.who not in ours_and_limits:
            ratio = f"{row.median / ours.median:,.1f}"
            show(f"{row.who:>20}{row.median * 1e6:>12.3f}{ratio:>12}")
    batch = {row.who: row for row in found if row.case == case._replace(count=BATCH)}
    if "EAIK" in batch:
        ratio = batch["EAIK"].median / batch[rows.OURS].median
        show(
            f"{'EAIK, a batch':>20}{batch['EAIK'].median / BATCH * 1e6:>12.3f}  per limb,"
            f" {ratio:,.0f} times solve on the same {BATCH}"
        )


def import_seconds():
    """Return how long `import twobone` takes after NumPy: the median of fresh processes."""
    command = [sys.executable, "-c", IMPORT]
    with tempfile.TemporaryDirectory() as folder:  # bytecode is kept, as it usually is
        environment = os.environ | {"PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        times = [float(subprocess.check_output(command, env=environment)) for _ in range(10)]
    return statistics.median(times[1:])


def versions():
    """Return the versions of the other solvers that are installed."""
    found = {}
    for name in RIVALS:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="under a minute; writes nothing")
    recorded.option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # from the other solvers
    about = recorded.machine(copies=limits.told(), **versions())
    for name, value in about.items():
        show(f"{name}: {value}")
    show("")
    found = measure(options.quick, about["threads"])
    show_robots(found)
    about["import_ms"] = round(1e3 * import_seconds(), 2)
    show(f"\nimport twobone, after numpy: {about['import_ms']} ms")
    for reason in MISSING.values():
        show(reason)
    written = rows.to_json(about, found)
    path = options.json or (None if options.quick else JSON)
    if path:
        recorded.write(path, written["machine"], rows=written["rows"])
    if path and path.resolve() == JSON:
        written = recorded.read(JSON.stem)
        PICTURE.write_text(roofline.draw(written), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
