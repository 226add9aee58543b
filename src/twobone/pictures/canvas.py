"""SVG text of shapes, words and whole documents.

Points are pairs of px, y down. The text is valid whatever comes in: numbers too large for SVG
are clipped, and words are escaped.
"""

import math
from typing import NamedTuple
from xml.sax.saxutils import escape

from twobone.pictures import theme

FARTHEST = 99999.0  # px; larger than any picture


class Frame(NamedTuple):
    """The mapping from the plane to the page: `px = origin + scale * (x, -y)`."""

    origin: tuple
    scale: float
    width: float
    height: float

    def at(self, point):
        """Map a point of the plane (y up) to px (y down)."""
        x, y = self.origin
        return x + self.scale * float(point[0]), y - self.scale * float(point[1])


def fit_frame(low, high, *, width, tallest, margin, foot):
    """Fit the box from `low` to `high` (x, y) into a page with a strip of `foot` px at the bottom.

    The page is `width` px wide and at most `tallest` px high, with a margin all round.
    """
    wide, tall = float(high[0] - low[0]), float(high[1] - low[1])
    wide, tall = max(wide, 0.25 * tall) or 1.0, max(tall, 0.25 * wide) or 1.0
    scale = min((width - 2.0 * margin) / wide, (tallest - foot - 2.0 * margin) / tall)
    height = 8.0 * math.ceil((scale * tall + 2.0 * margin + foot) / 8.0)
    x = 0.5 * width - scale * 0.5 * (low[0] + high[0])
    y = 0.5 * (height - foot) + scale * 0.5 * (low[1] + high[1])
    return Frame((x, y), scale, width, height)


# --- numbers and words --------------------------------------------------------------------


def number(v, digits=2):
    """Format a number of px: short, never NaN or infinite."""
    v = float(v)
    v = 0.0 if math.isnan(v) else min(max(v, -FARTHEST), FARTHEST)
    text = f"{v:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def quantity(v):
    """Format a number for display: about three digits, and a typographic minus sign."""
    v = float(v)
    if v != 0.0 and not 1e-3 <= abs(v) < 1e5:
        text = f"{v:.2e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    else:
        text = f"{v:.{2 if abs(v) < 100 else 0}f}" if abs(v) >= 0.095 or v == 0.0 else f"{v:.2g}"
    return text.replace("-", "\N{MINUS SIGN}")


# --- shapes -------------------------------------------------------------------------------


def line(classes, *points):
    """Draw a polyline."""
    return f'<path class="{classes}" d="{path_data(*points)}"/>'


def path_data(*points, digits=2):
    """Return the path data of a polyline."""
    (x, y), *rest = points
    return f"M{number(x, digits)} {number(y, digits)}" + "".join(
        f"L{number(u, digits)} {number(v, digits)}" for u, v in rest
    )


def circle(classes, centre, radius):
    """Draw a circle."""
    x, y = centre
    return f'<circle class="{classes}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'


def ring(classes, centre, inner, outer):
    """Fill the annulus between two concentric circles."""
    holes = "".join(_round(centre, radius) for radius in (outer, inner) if radius > 0.0)
    return f'<path class="{classes}" fill-rule="evenodd" d="{holes}"/>'


def square(classes, centre, half):
    """Draw a square."""
    x, y = centre
    return (
        f'<rect class="{classes}" x="{number(x - half)}" y="{number(y - half)}"'
        f' width="{number(2 * half)}" height="{number(2 * half)}"/>'
    )


def status_shape(status, centre, size):
    """Return the path data of the marker of a status."""
    x, y = centre
    corners = theme.MARKS[status].corners
    if not corners:
        return _round(centre, size)
    return path_data(*((x + size * dx, y + size * dy) for dx, dy in corners)) + "z"


def _round(centre, radius):
    x, y = centre
    r, d = number(radius), number(2.0 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 0 {d} 0 {r} {r} 0 1 0 -{d} 0z"


def arrow(classes, tip, direction, length=14.0):
    """Draw a small arrow that ends at `tip`; `direction` is a unit vector in px."""
    (x, y), (dx, dy) = tip, direction
    back = (x - length * dx, y - length * dy)
    barbs = [(x - 6.0 * dx - s * 4.0 * dy, y - 6.0 * dy + s * 4.0 * dx) for s in (1.0, -1.0)]
    data = path_data(back, tip) + path_data(barbs[0], tip, barbs[1])
    return f'<path class="{classes}" d="{data}"/>'


def words(point, *pieces, anchor="start"):
    """Write a line of text in pieces: (classes, text) or (classes, text, px of space before).

    `point` is the start of the baseline, or its end with `anchor="end"`. Space is given in px
    because some SVG renderers drop spaces at the start of a tspan.
    """
    x, y = point
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    spans = "".join(_piece(*piece) for piece in pieces)
    return f'<text x="{number(x)}" y="{number(y)}"{placed}>{spans}</text>'


def _piece(classes, text, room=0.0):
    moved = f' dx="{number(room)}"' if room else ""
    return f'<tspan class="{classes}"{moved}>{escape(text)}</tspan>'


# --- the page -----------------------------------------------------------------------------


def document(frame, title, description, statuses, parts):
    """Return an SVG document: title and description for screen readers, then the picture."""
    width, height = number(frame.width), number(frame.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="twobone" role="img"'
        f' width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    )
    rows = [
        head,
        f"<title>{escape(_clean(title))}</title>",
        f"<desc>{escape(_clean(description))}</desc>",
        f"<style>{theme.style(statuses)}</style>",
        f'<rect class="ground" width="{width}" height="{height}"/>',
        *(_clean(part) for part in parts if part),
        "</svg>",
    ]
    return "\n".join(rows) + "\n"


def _clean(text):
    """Drop the characters that XML does not allow."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and not _forbidden(c)))


def _forbidden(c):
    return "\ud800" <= c <= "\udfff" or c in "\ufffe\uffff"
