"""What page and Python share: one limb, where it stands and how it is solved, as a JSON object."""

import math
import reprlib
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from twobone.core.array_types import NDArray
from twobone.core.policies import Limits, Soft, Stretch
from twobone.core.solver import Reach, reach
from twobone.errors import PageError

DEFAULTS: dict[str, Any] = {
    "scene": "plane",
    "root": [0, 0, 0],
    "target": [0.75, 0.55, 0.35],
    "pole": [0, 1, 0],
    "r1": 0.8,
    "r2": 0.6,
    "side": 1,
    "policy": "clamp",
    "limit": 1.2,
    "soft": 0,
    "least": 0,
    "greatest": 180,
}
FARTHEST = 1e6  # any number of the state; beyond that a picture shows nothing
# In the last of the scenes the limb is that of the plane.
Scene: TypeAlias = Literal["plane", "space", "creature"]
PolicyName: TypeAlias = Literal["clamp", "stretch", "proportion", "nan", "raise"]
SCENES, POLICIES = get_args(Scene), get_args(PolicyName)


# --- is it one? ---------------------------------------------------------------------------


def check(state: Any) -> dict[str, Any]:
    """Return a copy of a state that is one, or say which field is not.

    Parameters
    ----------
    state : dict
        All the fields of `DEFAULTS` and no others. `root`, `target` and `pole` are 3 numbers,
        in the plane too.

    Returns
    -------
    dict
        The same, shared with nobody.

    Raises
    ------
    PageError
        If it is none; `name` is the field.

    Examples
    --------
    >>> from twobone.play.page_state import DEFAULTS, check
    >>> check({**DEFAULTS, "r1": 2})["r1"]
    2
    """
    if not isinstance(state, dict):
        raise PageError("state", "be an object", shown(state))
    for name in state:
        if name not in CHECKS:
            raise PageError("state", f"have no fields but {', '.join(CHECKS)}", shown(name))
    for name in CHECKS:
        if name not in state:
            raise PageError("state", f"have a field {name}", "none")
    found = {name: check_one(name, state[name]) for name, check_one in CHECKS.items()}
    if found["least"] > found["greatest"]:
        came = f"{found['least']} and {found['greatest']}"
        raise PageError("least", "not be greater than `greatest`", came)
    return found


def shown(value: Any) -> str:
    """Return what came as a short text."""
    try:
        text = reprlib.repr(value)
    except Exception:  # a number too long to be text; an object that cannot be shown
        return f"something of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def _point(name, value):
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise PageError(name, "be 3 numbers", shown(value))
    return [number(-FARTHEST, FARTHEST)(name, part) for part in value]


def number(low, high, below=math.inf):
    """Return a check for a number from `low` to `high`, and less than `below`."""
    wanted = f"be a number from {low:g} to {high:g}" + (", and less" if below == high else "")

    def check_number(name, value):
        # True is no number, though Python has it so; neither NaN nor infinity lies within.
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PageError(name, wanted, shown(value))
        if not (low <= value <= high and value < below):
            raise PageError(name, wanted, shown(value))
        return value

    return check_number


def _side(name, value):
    if isinstance(value, bool) or not isinstance(value, int | float) or value not in (1, -1):
        raise PageError(name, "be 1 or -1", shown(value))
    return int(value)


def one_of(words):
    def check_word(name, value):
        if not isinstance(value, str) or value not in words:
            raise PageError(name, f"be one of {', '.join(words)}", shown(value))
        return value

    return check_word


CHECKS = {
    "scene": one_of(SCENES),
    "root": _point,
    "target": _point,
    "pole": _point,
    "r1": number(0, FARTHEST),
    "r2": number(0, FARTHEST),
    "side": _side,
    "policy": one_of(POLICIES),
    "limit": number(1, FARTHEST),
    "soft": number(0, 1, below=1),
    "least": number(0, 180),
    "greatest": number(0, 180),
}


# --- what a script says -------------------------------------------------------------------


def changed(state: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Return a state with some fields as a script says them.

    As `check`, but points may be tuples or arrays, and in the plane root and target have two
    numbers; their third is kept.
    """
    fields = {name: _plain(value) for name, value in fields.items()}
    scene = fields.get("scene", state["scene"])
    width = 3 if scene == "space" else 2
    for name in ("root", "target"):
        value = fields.get(name)
        if value is None:
            continue
        if not isinstance(value, list) or len(value) != width:
            where = "in the plane" if width == 2 else "in space"
            raise PageError(name, f"be {width} numbers {where}", shown(value))
        fields[name] = [*value, *state[name][width:]]
    return check({**state, **fields})


def _plain(value):
    """Return arrays and their numbers, of whatever library, as lists and Python's numbers."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


# --- the answer ---------------------------------------------------------------------------


def answer(state: dict[str, Any]) -> dict[str, Any]:
    """Return what Python makes of a state, for the page: joint and end as seen from the root.

    Parameters
    ----------
    state : dict
        As `check` returns it.

    Returns
    -------
    dict
        `joint` and `end`: 2 or 3 numbers, *relative to the root*, exactly as
        `twobone.reach(target - root)` has them; whoever wants them in the world adds the root.
        What is not a number is None. `status`: 0 to 4.

    Examples
    --------
    >>> from twobone.play.page_state import DEFAULTS, answer
    >>> answer({**DEFAULTS, "root": [1, 0, 0], "target": [2, 1, 0], "r1": 1, "r2": 1})
    {'joint': [0.0, 1.0], 'end': [1.0, 1.0], 'status': 0}
    """
    way = [t - r for t, r in zip(_in_scene(state, "target"), _in_scene(state, "root"), strict=True)]
    found = reach(way, **_limb(state))
    points = {
        name: [None if math.isnan(part) else part for part in getattr(found, name).tolist()]
        for name in ("joint", "end")
    }
    return {**points, "status": int(found.status)}


def answer_in_world(state: dict[str, Any]) -> Reach[NDArray[np.float64], NDArray[np.int8]]:
    """Return what Python makes of a state, with joint and end where they are."""
    return reach(_in_scene(state, "target"), root=_in_scene(state, "root"), **_limb(state))


def _in_scene(state, name):
    return [float(part) for part in state[name][: 3 if state["scene"] == "space" else 2]]


def _limb(state):
    """Return the other arguments of `reach`."""
    pole = [float(part) for part in state["pole"]] if state["scene"] == "space" else None
    lengths = {name: float(state[name]) for name in ("r1", "r2")}
    return {**lengths, "side": state["side"], "pole": pole, "unreachable": _policy(state)}


def _policy(state):
    """Return the policy of a state: a word that stands alone, or the parts that do something."""
    word = state["policy"]
    if word in ("stretch", "nan"):
        return word
    if word == "raise":
        return "clamp"  # the page tells by the status that the target was missed
    parts = []
    if (state["least"], state["greatest"]) != (0, 180):
        parts.append(Limits(float(state["least"]), float(state["greatest"])))
    if state["soft"] > 0:
        parts.append(Soft(float(state["soft"])))
    if word == "proportion" and state["limit"] > 1:
        parts.append(Stretch(float(state["limit"])))
    policy: Any = "clamp"
    for part in parts:
        policy = part if policy == "clamp" else policy | part
    return policy
