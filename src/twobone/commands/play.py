"""`twobone play`: serve the interactive page to a browser, or write it to a file."""

import contextlib
import sys
from typing import Annotated

import typer

from twobone.commands import endings
from twobone.commands.numbers import whole
from twobone.commands.streams import CommandError
from twobone.commands.words import Quiet
from twobone.errors import PageError
from twobone.play import bundle, session
from twobone.play import public_url as public_urls


def _public(text):
    try:
        return public_urls.check(text)
    except PageError as error:
        raise typer.BadParameter(f"it must {error.wanted}, got {error.came}") from None


def play(
    character: Annotated[
        str | None,
        typer.Argument(
            metavar="[CHARACTER]",
            show_default=False,
            help="A .glb, .vrm or .bvh file to open: its hands and feet can be dragged.",
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            parser=whole(0, 65535),
            metavar="N",
            help="Port to serve on; the next free port if it is taken; 0 for any free port.",
        ),
    ] = session.PORT,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the page to one HTML file (- for standard output) instead of serving it;"
            " a CHARACTER is not put into it, but can be dropped on it.",
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(
            parser=_public,
            metavar="URL",
            help="Address at which others open the exported page; links and embed code use it.",
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address without opening a browser.")
    ] = False,
    quiet: Quiet = False,
):
    """Open the interactive page in a web browser.

    Drag the target of a limb, follow the derivation, watch an animal walk, and pose a character of
    yours. The address is printed; it can be opened on this machine only. Press Ctrl-C to stop.
    """
    if export is not None and character is not None:
        raise CommandError("an exported page contains no character: drop the file on the page")
    if export == "-":
        sys.stdout.buffer.write(bundle.page_html(public_url=public_url).encode())
        return
    if export is not None:
        bundle.export(export, public_url=public_url)
        return
    with (
        contextlib.suppress(KeyboardInterrupt),
        session.play(port, open_browser=False, public_url=public_url, character=character) as page,
    ):
        print(page.address, flush=True)
        if not no_browser:
            session.show(page.address)
        page.wait()
    if not quiet:
        endings.write("stopped")
