"""The theme of pictures: colours on light and dark backgrounds, markers, fonts, a style sheet.

The palette is that of Okabe and Ito, which colour-blind readers can tell apart. A status is
shown by a shape, a word and a colour, each of which is enough to recognize it.
"""

from typing import NamedTuple

from twobone.core.policies import Status


class Colour(NamedTuple):
    """A colour on a light and on a dark background."""

    light: str
    dark: str


GROUND = Colour("#FBFAF7", "#14171C")
RING = Colour("#F1EFEB", "#20252C")  # the background, shifted by 4 % in lightness
INK = Colour("#1B1F24", "#E6EAF0")
HUSHED = Colour("#4E5660", "#A3ACB8")  # for auxiliary lines and small text
FIRST = Colour("#0072B2", "#56B4E9")
SECOND = Colour("#C77700", "#E69F00")
JOINT = Colour("#C2410C", "#FF7A45")
TARGET = Colour("#00795A", "#2BD4A0")
ACROSS = Colour("#8E4585", "#CC79A7")
AMBER = Colour("#A66300", "#FFC233")
RED = Colour("#C0172B", "#FF6B70")

THINGS = {
    "root": INK,
    "ink": INK,
    "hushed": HUSHED,
    "first": FIRST,
    "second": SECOND,
    "joint": JOINT,
    "target": TARGET,
    "across": ACROSS,
}


class Mark(NamedTuple):
    """The marker of a status: a word, a colour, and corners of a shape of size 1 (y down)."""

    word: str
    colour: Colour
    corners: tuple  # () for a disc


MARKS = {
    Status.REACHED: Mark("reached", TARGET, ()),
    Status.TOO_FAR: Mark("too far", AMBER, ((0.0, -1.2), (1.1, 0.7), (-1.1, 0.7))),
    Status.TOO_NEAR: Mark("too near", AMBER, ((0.0, 1.2), (-1.1, -0.7), (1.1, -0.7))),
    Status.AMBIGUOUS: Mark("ambiguous", FIRST, ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0))),
    Status.INVALID: Mark(
        "invalid",
        RED,
        (  # a cross with arms of width .5
            *((-1.15, -0.8), (-0.8, -1.15), (0.0, -0.35), (0.8, -1.15), (1.15, -0.8)),
            *((0.35, 0.0), (1.15, 0.8), (0.8, 1.15), (0.0, 0.35), (-0.8, 1.15), (-1.15, 0.8)),
            (-0.35, 0.0),
        ),
    ),
}

SANS = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace"
SERIF = "'STIX Two Text','Cambria Math',Cambria,Georgia,'Times New Roman',serif"

# Font sizes in px: only these three.
SMALL, WORDS, SYMBOLS = 13, 16, 21

RULES = {
    "text": {"fill": "currentColor", "font": f"{WORDS}px {SANS}"},
    ".small": {"font": f"{SMALL}px {SANS}"},
    ".number": {"font": f"{SMALL}px {MONO}", "font-variant-numeric": "tabular-nums"},
    ".symbol": {
        "font": f"italic {SYMBOLS}px {SERIF}",
        "text-anchor": "middle",
    },
    ".sub": {"font": f"{SMALL}px {SERIF}"},
    ".factor": {"font": f"{WORDS}px {SERIF}"},
    ".halo": {"stroke-width": "5", "stroke-linejoin": "round", "paint-order": "stroke"},
    ".line": {"fill": "none", "stroke": "currentColor", "stroke-width": "1"},
    ".circle": {"fill": "none", "stroke": "currentColor", "stroke-width": "1.5"},
    ".bone": {
        "fill": "none",
        "stroke": "currentColor",
        "stroke-width": "6",
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
    },
    ".around": {"stroke-width": "11"},  # a bone that is covered by the other
    ".inside": {"stroke-width": "4"},
    ".thin": {"stroke-width": "1.25"},
    ".dashed": {"stroke-dasharray": "7 5"},
    ".dotted": {"stroke-dasharray": "1 5", "stroke-width": "2", "stroke-linecap": "round"},
    ".gaps": {"stroke-dasharray": "12 11"},  # a bone of the other solution
    ".mark": {"fill": "currentColor", "stroke": "none"},
    ".wash": {"fill": "currentColor", "stroke": "none", "opacity": ".12"},
    ".other": {"opacity": ".35"},
}


def style(statuses=tuple(Status)):
    """Return a style sheet that follows the reader's preference for light or dark."""
    things = {f".{name}": {"color": colour} for name, colour in THINGS.items()}
    marks = {f".{css_class(status)}": {"color": MARKS[status].colour} for status in statuses}
    grounds = {
        ".ground": {"fill": GROUND},
        ".ring": {"fill": RING},
        ".halo": {"stroke": GROUND},
        ".edge": {"stroke": GROUND},  # separates a marker from what is under it
    }
    fixed = "".join(_rule(selector, properties) for selector, properties in RULES.items())
    return fixed + rules({**things, **marks, **grounds})


def rules(coloured):
    """Return CSS rules with `Colour`s, which follow the reader's preference for light or dark.

    `coloured` has properties and their values by selector.
    """
    light, dark = (
        "".join(_rule(selector, properties, ground) for selector, properties in coloured.items())
        for ground in ("light", "dark")
    )
    return light + "@media (prefers-color-scheme:dark){" + dark + "}"


def css_class(status):
    """Return the CSS class of a status."""
    return MARKS[status].word.replace(" ", "-")


def _rule(selector, properties, ground="light"):
    """Return one CSS rule, limited to our pictures, as they may be embedded in a page."""
    values = {
        name: getattr(value, ground) if isinstance(value, Colour) else value
        for name, value in properties.items()
    }
    body = ";".join(f"{name}:{value}" for name, value in values.items())
    return f".twobone {selector}{{{body}}}"
