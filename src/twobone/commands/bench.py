"""`twobone bench`: how fast this machine solves, next to copying the same bytes."""

import json
from contextlib import nullcontext
from typing import Annotated

import typer

from twobone.commands.numbers import real, whole
from twobone.commands.streams import CommandError
from twobone.files import atomic

MOST = 10**15  # targets: with more, NumPy no longer tells that memory is short


def bench(
    count: Annotated[
        list[int] | None,
        typer.Option(
            parser=whole(1, MOST),
            metavar="N",
            show_default=False,
            help="How many targets at once; may be given again. 1, 1000, 100000 and ten million"
            " unless given (without the kernel, one million).",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            parser=real(0, 60), metavar="S", help="How long to measure each thing, about."
        ),
    ] = 0.05,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Also write what was measured as JSON."),
    ] = None,
):
    """Measure how fast this machine solves, next to copying the same bytes.

    Medians; the things that are compared take turns. Under a minute, on a machine with
    nothing else to do.
    """
    from twobone.commands import bench_rows as rows  # only here: other commands start sooner

    with atomic.replacing(json_file) if json_file else nullcontext() as file:
        about = rows.machine()
        print(*(f"{name}: {value}" for name, value in about.items()), "", sep="\n", flush=True)
        cases = rows.cases(count or rows.usual_counts(), about["threads"])
        try:
            found = rows.run(cases, seconds, lambda text: print(text, flush=True))
        except MemoryError:
            raise CommandError("not enough memory for so many targets: give --count") from None
        if file is not None:
            file.write(json.dumps(rows.to_json(about, found), indent=1).encode() + b"\n")
