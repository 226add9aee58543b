"""`twobone play`: serve the interactive page to a browser, or write it to a file."""

import contextlib
import sys

import rich_click as click

from twobone.commands import endings
from twobone.commands.numbers import whole
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE, quiet
from twobone.errors import PageError
from twobone.play import bundle, session
from twobone.play import public_url as public_urls


def _public(text):
    try:
        return public_urls.check(text)
    except PageError as error:
        raise click.BadParameter(f"it must {error.wanted}, got {error.came}") from None


@click.command
@click.argument(
    "path",
    required=False,
    metavar="[CHARACTER]",
    type=FILE,
    help="A .glb, .vrm or .bvh file to open: its hands and feet can be dragged.",
)
@click.option(
    "--port",
    metavar="N",
    type=whole(0, 65535),
    default=session.PORT,
    help="Port to serve on; the next free port if it is taken; 0 for any free port.",
)
@click.option(
    "--export",
    metavar="FILE",
    type=FILE,
    help="Write the page to one HTML file (- for standard output) instead of serving it;"
    " a CHARACTER is not put into it, but can be dropped on it.",
)
@click.option(
    "--public-url",
    metavar="URL",
    type=_public,
    help="Address at which others open the exported page; links and embed code use it.",
)
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
@quiet
def play(path, port, export, public_url, no_browser, quiet):
    """Open the interactive page in a web browser.

    Drag the target of a limb, follow the derivation, watch an animal walk, and pose a character of
    yours. The address is printed; it can be opened on this machine only. Press Ctrl-C to stop.
    """
    if export is not None and path is not None:
        raise CommandError("an exported page contains no character: drop the file on the page")
    if export == "-":
        sys.stdout.buffer.write(bundle.page_html(public_url=public_url).encode())
        return
    if export is not None:
        bundle.export(export, public_url=public_url)
        return
    with (
        contextlib.suppress(KeyboardInterrupt),
        session.play(port, open_browser=False, public_url=public_url, character=path) as page,
    ):
        print(page.address, flush=True)
        if not no_browser:
            session.show(page.address)
        page.wait()
    if not quiet:
        endings.write("stopped")
