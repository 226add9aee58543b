"""HTML of reports: escaped text, the style sheet, and a page with a strict security policy."""

import base64
import hashlib
import importlib.resources
import re
from html import escape

from twobone.pictures import theme
from twobone.pictures.theme import Colour

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
LONGEST = 120  # characters of a name that are shown
BEFORE = Colour("#868C95", "#7A838F")  # the clip before, in all pictures
LINE = Colour("#D9D6CF", "#333A44")  # between rows and behind curves
COLOURS = {
    **theme.THINGS,
    "ground": theme.GROUND,
    "panel": theme.RING,
    "line": LINE,
    "before": BEFORE,
    "amber": theme.AMBER,
}


def text(value):
    """Return text for HTML: escaped, short, and without characters that hide or reorder others.

    Names of files and joints come from outside.

    Examples
    --------
    >>> from twobone.pictures.feet.html import text
    >>> text("<b>Left&Foot")
    '&lt;b&gt;Left&amp;Foot'
    """
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))
    if len(shown) > LONGEST:
        half = LONGEST // 2
        shown = f"{shown[:half]} \N{HORIZONTAL ELLIPSIS} {shown[-half:]}"
    return escape(shown)


def name(value):
    """Return text for HTML as an element of its own, so that its direction affects nothing else."""
    return f"<bdi>{text(value)}</bdi>"


def svg(title, description, parts, *, size, classes=""):
    """Return an inline picture with a title and a description; these are already escaped.

    `size` is the text of the attributes for its size.
    """
    classes = f' class="{classes}"' if classes else ""
    return (
        f'<svg{classes} role="img" {size}><title>{title}</title><desc>{description}</desc>'
        f"{''.join(parts)}</svg>"
    )


def sample(parts):
    """Return a picture for a legend, 32 px wide and 16 px high."""
    return f'<svg aria-hidden="true" width="32" height="16" viewBox="0 0 32 16">{parts}</svg>'


def legend(*rows):
    """Return a legend; rows are pairs of a picture and its meaning."""
    items = "".join(f"<li>{sample(parts)}{meaning}</li>" for parts, meaning in rows)
    return f'<ul class="legend">{items}</ul>'


def style():
    """Return the style sheet; colours follow the preference for light or dark, print is light."""
    light, dark = (
        "".join(f"--{key}:{getattr(colour, ground)};" for key, colour in COLOURS.items())
        for ground in ("light", "dark")
    )
    fonts = f"--sans:{theme.SANS};--mono:{theme.MONO}"
    things = "".join(f".{key}{{color:var(--{key})}}" for key in theme.THINGS)
    sheet = importlib.resources.files("twobone.pictures.feet") / "report.css"
    lines = COMMENT.sub("", sheet.read_text(encoding="utf-8")).splitlines()
    return (
        f":root{{color-scheme:light dark;{light}{fonts}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{things}"
        + "".join(line.strip() for line in lines)
    )


def page(title, parts, *, head=""):
    """Return a page; `title` is plain text, `head` and `parts` are HTML."""
    sheet = style()
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    rows = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        head,
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{text(title)}</title>",
        f"<style>{sheet}</style>\n</head>\n<body>\n<main>",
        *parts,
        "</main>\n</body>\n</html>",
    ]
    return "\n".join(row for row in rows if row) + "\n"
