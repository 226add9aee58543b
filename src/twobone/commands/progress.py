"""Progress on standard error: a bar on a terminal, else a line every few seconds."""

import sys
import time
from contextlib import contextmanager

from twobone.commands.endings import say

EVERY = 5.0  # seconds from one line to the next


@contextmanager
def progress_bar(quiet):
    """Show progress; yield a function of the fraction that is done."""
    if quiet or sys.stderr is None:
        yield lambda fraction: None
        return
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.percentage:3.0f} %"), BarColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)


def _lines():
    """Return a function of the fraction that is done; it writes a line now and then."""
    begun = said = time.monotonic()

    def advance(fraction):
        nonlocal said
        now = time.monotonic()
        if now - said >= EVERY:
            said = now
            say(f"{100.0 * fraction:.0f} % after {now - begun:.0f} s")

    return advance
