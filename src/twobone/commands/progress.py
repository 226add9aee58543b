"""Progress bars on standard error, if it is a terminal."""

import sys
from contextlib import contextmanager


@contextmanager
def progress_bar(quiet):
    """Show a progress bar on a terminal; yield a function of the fraction that is done."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda fraction: None
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
