"""`twobone bench`: measure solving speed, compared with copying the same bytes."""

import json
from contextlib import nullcontext

import rich_click as click

from twobone.commands.numbers import real, whole
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE
from twobone.files import atomic

MOST = 10**15  # targets; beyond that NumPy raises something other than MemoryError


@click.command
@click.option(
    "--count",
    multiple=True,
    metavar="N",
    type=whole(1, MOST),
    help="Number of targets per call; repeatable. Default: 1, 1000, 100000 and ten million"
    " (one million without the compiled kernel).",
)
@click.option(
    "--seconds",
    metavar="S",
    type=real(0, 60),
    default=0.05,
    help="Approximate time per measurement, in seconds.",
)
@click.option(
    "--json", "json_file", metavar="FILE", type=FILE, help="Also write the measurements as JSON."
)
def bench(count, seconds, json_file):
    """Measure solving speed on this machine, compared with copying the same bytes.

    Times are medians, and the functions compared are run in turns. This takes less than a
    minute; keep the machine otherwise idle.
    """
    from twobone.commands import bench_rows as rows  # imported here so other commands start faster

    with atomic.replacing(json_file) if json_file else nullcontext() as file:
        about = rows.machine()
        print(*(f"{name}: {value}" for name, value in about.items()), "", sep="\n", flush=True)
        cases = rows.cases(count or rows.usual_counts(), about["threads"])
        try:
            found = rows.run(cases, seconds, lambda text: print(text, flush=True))
        except MemoryError:
            raise CommandError("not enough memory for so many targets: reduce --count") from None
        if file is not None:
            file.write(json.dumps(rows.to_json(about, found), indent=1).encode() + b"\n")
