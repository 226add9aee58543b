"""Shading in SVG pictures: a gradient for each paint, and soft shadows on the ground."""

import zlib

from twobone.pictures import canvas, theme

# Where the gradient of a part begins and ends in its box: the light comes from the upper left.
FROM, TO = (0.2, 0.0), (0.6, 1.0)
LEGS = ("thighs", "shins", "metatarsi")  # paints with gradients of their own, along whole legs
IN_PX = ' gradientUnits="userSpaceOnUse"'
STOPS = ((0.0, "#FFFFFF", 0.26), (0.45, "#FFFFFF", 0.0), (1.0, "#0B0D10", 0.42))  # at, tint, share
DARK = {"stop-color": "#000000", "stop-opacity": theme.Colour(".5", ".8")}  # in the middle


class Shading:
    """The gradients of an animal's paints and of its shadow.

    Names begin with a letter and a number that stands for the colours, so that pictures of
    different animals can be in one page.

    Parameters
    ----------
    colours : dict
        A `theme.Colour` for each paint.
    """

    def __init__(self, colours):
        self.colours = colours
        self.prefix = f"a{zlib.crc32(repr(sorted(colours.items())).encode()):08x}"

    def name(self, paint):
        """Return the class of things that are drawn in the colour of a paint, without shading."""
        return f"{self.prefix}-{paint}"

    def style(self):
        """Return the rules of a style sheet."""
        rules = {}
        for paint, colour in self.colours.items():
            rules[f".{self.name(paint)}"] = {"color": colour}
            rules[f".shaded.{self.name(paint)}"] = {"fill": f"url(#{self.name(paint)})"}
            if paint in LEGS:
                rules[f".leg.{self.name(paint)}"] = {"fill": f"url(#{self.name(paint)}-leg)"}
            for number, (_, tint, share) in enumerate(STOPS):
                mixed = theme.Colour(*(_mixed(each, tint, share) for each in colour))
                rules[f".{self.name(paint)}-{number}"] = {"stop-color": mixed}
        rules[f".{self.prefix}-dark"] = DARK
        return theme.rules(rules)

    def gradients(self):
        """Return the definitions of the gradients."""
        found = [self._gradient(paint, self.name(paint), *FROM, *TO) for paint in self.colours]
        stops = f'<stop offset="0" class="{self.prefix}-dark"/><stop offset="1" stop-opacity="0"/>'
        found.append(f'<radialGradient id="{self.prefix}-shadow">{stops}</radialGradient>')
        return f"<defs>{''.join(found)}</defs>"

    def leg_gradients(self, top, bottom):
        """Return the definitions of the gradients of legs, which go down to the ground, in px.

        They are those of all segments, so that no joint is seen in them.
        """
        found = [
            self._gradient(paint, f"{self.name(paint)}-leg", 0, top, 0, bottom, IN_PX)
            for paint in LEGS
        ]
        return f"<defs>{''.join(found)}</defs>"

    def _gradient(self, paint, name, x, y, u, v, units=""):
        stops = "".join(
            f'<stop offset="{at:g}" class="{self.name(paint)}-{number}"/>'
            for number, (at, _, _) in enumerate(STOPS)
        )
        x, y, u, v = (canvas.number(each) for each in (x, y, u, v))
        way = f'x1="{x}" y1="{y}" x2="{u}" y2="{v}"'
        return f'<linearGradient id="{name}" {way}{units}>{stops}</linearGradient>'

    def shadow(self, centre, half, degrees=0.0, strength=1.0):
        """Draw a soft ellipse in px, rotated clockwise; `strength` is from 0 to 1."""
        (x, y), (a, b) = ([canvas.number(each) for each in pair] for pair in (centre, half))
        turn = f' transform="rotate({canvas.number(degrees)} {x} {y})"' if degrees else ""
        return (
            f'<ellipse fill="url(#{self.prefix}-shadow)" opacity="{canvas.number(strength)}"'
            f' cx="{x}" cy="{y}" rx="{a}" ry="{b}"{turn}/>'
        )


def _mixed(colour, tint, share):
    """Return a colour mixed with a share of another."""
    pairs = ((int(c[i : i + 2], 16) for c in (colour, tint)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + share * (b - a)):02X}" for a, b in pairs)
