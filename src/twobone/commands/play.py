"""`twobone play`: the page, served to a browser of this machine, or written to a file."""

import contextlib
import sys
from typing import Annotated

import typer

from twobone.commands import endings
from twobone.commands.numbers import whole
from twobone.commands.words import Quiet
from twobone.play import bundle, session


def play(
    port: Annotated[
        int,
        typer.Option(
            parser=whole(0, 65535),
            metavar="N",
            help="Where to serve; the next free one if it is taken. 0 is any.",
        ),
    ] = 8765,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the page as one file (- for standard output), and serve nothing.",
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
    quiet: Quiet = False,
):
    """Open the page: two bones to drag, the derivation, live Python.

    Prints its address, which only this machine can open; Ctrl-C ends it.
    """
    if export == "-":
        sys.stdout.buffer.write(bundle.page_html().encode())
        return
    if export is not None:
        bundle.export(export)
        return
    with contextlib.suppress(KeyboardInterrupt), session.play(port, open_browser=False) as page:
        print(page.address, flush=True)
        if not no_browser:
            session.show(page.address)
        page.wait()
    if not quiet:
        endings.write("stopped")
