"""The fields of a page's state: defaults and limits, for Python and, printed, for the page.

`python tools/generate.py` writes `page/state/schema.js` and `page/scenes/list.js` from this
module.
"""

import math
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from twobone.creature.animals import AnimalName

FARTHEST = 1e6  # maximum of all coordinates and lengths of limbs; a picture shows nothing beyond
WIDEST, FINEST = 1e8, 1e-9  # of a view of the plane: its greatest and its least width
# All scenes of the page, in the order of their buttons; each has a folder in page/scenes.
Scene: TypeAlias = Literal["plane", "space", "creature", "character"]
DIMENSIONS: dict[Scene, int] = {"space": 3}  # of the limb; 2 in all other scenes
PolicyName: TypeAlias = Literal["clamp", "stretch", "proportion", "nan", "raise"]
DUTY_FACTORS = 0, 0.5, 0.6, 0.75, 0.85  # 0 is the animal's own
GROUNDS = ("flat", "0.05", "0.1", "0.15", "0.2", "0.25", "slope", "steps")


class Field(NamedTuple):
    """A field: one of some words or numbers, or a number, a whole one or three between limits."""

    default: Any
    choices: tuple | None = None
    least: float = -math.inf
    greatest: float = math.inf
    is_below: bool = False  # a number must be less than `greatest`, not equal
    is_whole: bool = False
    count: int = 1  # of numbers
    note: str = ""


FLAG = (0, 1)
POINT: Any = {"least": -FARTHEST, "greatest": FARTHEST, "count": 3}
# The limb. Scenes about something else keep it, in the plane.
LIMB: dict[str, Field] = {
    "scene": Field("plane", get_args(Scene)),
    "root": Field((0, 0, 0), **POINT),
    "target": Field((0.75, 0.55, 0.35), **POINT),
    "pole": Field((0, 1, 0), **POINT),
    "r1": Field(0.8, least=0, greatest=FARTHEST),
    "r2": Field(0.6, least=0, greatest=FARTHEST),
    "side": Field(1, (1, -1)),
    "policy": Field("clamp", get_args(PolicyName)),
    "limit": Field(1.2, least=1, greatest=FARTHEST, note='of the policy "proportion"'),
    "soft": Field(0, least=0, greatest=1, is_below=True),
    "least": Field(0, least=0, greatest=180, note="joint angle in degrees"),
    "greatest": Field(180, least=0, greatest=180, note="joint angle in degrees"),
}
# The view is not part of the limb: Python is not told of it, and undo does not change it.
VIEW: dict[str, Field] = {
    "yaw": Field(35, least=-1e4, greatest=1e4, note="of the camera, in degrees"),
    "pitch": Field(18, least=-89, greatest=89),
    "zoom": Field(1, least=0.05, greatest=50),
    "at": Field(
        (0, 0, 0),
        least=-WIDEST,
        greatest=WIDEST,
        count=3,
        note="the view of the plane: its centre, and the length of its shorter side, 0 to fit",
    ),
    "lesson": Field("plane", ("plane", "space", "break")),
    "step": Field(0, tuple(range(8)), note="of the lesson; 0 if none is open"),
    "present": Field(0, FLAG),
    "embed": Field(0, FLAG),
    "language": Field("", ("", "en", "de"), note="see texts.js; empty for the browser's"),
    "shortcuts": Field(1, FLAG, note="whether single keys are commands"),
    "animal": Field("insect", get_args(AnimalName)),
    "ground": Field("0.1", GROUNDS),
    "seed": Field(1, least=0, greatest=1e6, is_whole=True),
    "duty_factor": Field(0, DUTY_FACTORS),
    "liveliness": Field(1, (0, 0.5, 1)),
    "leg": Field(0, least=0, greatest=64, is_whole=True, note="that is looked at; 0 is none"),
    "polygon": Field(1, FLAG),
    "paths": Field(0, FLAG),
    "triangles": Field(0, FLAG),
    "bones": Field(0, FLAG, note="whether legs have the colours of first and second bones"),
}
