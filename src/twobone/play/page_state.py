"""The state that page and Python share: a limb, its target and its policy, as a JSON object."""

import math
import reprlib
from typing import Any

import numpy as np

from twobone.core.array_types import NDArray
from twobone.core.policies import Limits, Soft, Stretch
from twobone.core.solver import Reach, reach
from twobone.errors import PageError
from twobone.play.schema import DIMENSIONS, LIMB

DEFAULTS: dict[str, Any] = {
    name: list(each.default) if each.count > 1 else each.default for name, each in LIMB.items()
}


# --- checks -------------------------------------------------------------------------------


def check(state: Any) -> dict[str, Any]:
    """Check a state and return a copy of it.

    Parameters
    ----------
    state : dict
        All the fields of `DEFAULTS` and no others. `root`, `target` and `pole` have 3 numbers,
        in the plane too.

    Returns
    -------
    dict
        A deep copy of `state`.

    Raises
    ------
    PageError
        If a field is missing, unknown or invalid; the attribute `name` is the field, or "state".

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
    found: dict[str, Any] = {name: test(name, state[name]) for name, test in CHECKS.items()}
    if found["least"] > found["greatest"]:
        came = f"{found['least']} and {found['greatest']}"
        raise PageError("least", "not be greater than `greatest`", came)
    return found


def shown(value: Any) -> str:
    """Return a short text of a value, for error messages."""
    try:
        text = reprlib.repr(value)
    except Exception:  # an integer too long to convert, or an object whose repr fails
        return f"something of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def _point(least, greatest):
    """Return a check for three numbers."""
    check_part = number(least, greatest)

    def check_point(name, value):
        if not isinstance(value, list | tuple) or len(value) != 3:
            raise PageError(name, "be 3 numbers", shown(value))
        return [check_part(name, part) for part in value]

    return check_point


def number(low, high, below=math.inf):
    """Return a check for numbers from `low` to `high` that are less than `below`."""
    wanted = f"be a number from {low:g} to {high:g}" + (" (exclusive)" if below == high else "")

    def check_number(name, value):
        # bool is a subclass of int, but not a number here. NaN and infinity fail the comparisons.
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
    """Return a check for one of some words."""

    def check_word(name, value):
        if not isinstance(value, str) or value not in words:
            raise PageError(name, f"be one of {', '.join(words)}", shown(value))
        return value

    return check_word


def _check_of(field):
    if field.choices == (1, -1):
        return _side
    if field.choices:
        return one_of(field.choices)
    if field.count == 3:
        return _point(field.least, field.greatest)
    return number(field.least, field.greatest, field.greatest if field.is_below else math.inf)


CHECKS = {name: _check_of(field) for name, field in LIMB.items()}


# --- changes by a script ------------------------------------------------------------------


def changed(state: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Return a checked copy of a state with some fields replaced by a script.

    Unlike in `check`, points may be tuples or arrays, and in the plane `root` and `target` have
    two numbers; their third is kept.
    """
    fields = {name: _plain(value) for name, value in fields.items()}
    scene = fields.get("scene", state["scene"])
    width = DIMENSIONS.get(scene, 2)
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
    """Convert arrays and scalars of any array library to lists and Python numbers."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


# --- the answer ---------------------------------------------------------------------------


def answer(state: dict[str, Any]) -> dict[str, Any]:
    """Solve the limb of a state, for the page.

    Parameters
    ----------
    state : dict
        As `check` returns it.

    Returns
    -------
    dict
        `joint` and `end`: 2 or 3 numbers, *relative to the root*, exactly those of
        `twobone.reach(target - root)`. NaN is replaced by None, which JSON can represent.
        `status`: 0 to 4, as in `twobone.Status`.

    Examples
    --------
    >>> from twobone.play.page_state import DEFAULTS, answer
    >>> answer({**DEFAULTS, "root": [1, 0, 0], "target": [2, 1, 0], "r1": 1, "r2": 1})
    {'joint': [0.0, 1.0], 'end': [1.0, 1.0], 'status': 0}
    """
    target, root = _in_scene(state, "target"), _in_scene(state, "root")
    found = reach([t - r for t, r in zip(target, root, strict=True)], **_limb(state))
    points = {
        name: [None if math.isnan(part) else part for part in getattr(found, name).tolist()]
        for name in ("joint", "end")
    }
    return {**points, "status": int(found.status)}


def answer_in_world(state: dict[str, Any]) -> Reach[NDArray[np.float64], NDArray[np.int8]]:
    """Solve the limb of a state; joint and end are in world coordinates."""
    return reach(_in_scene(state, "target"), root=_in_scene(state, "root"), **_limb(state))


def _in_scene(state, name):
    return [float(part) for part in state[name][: DIMENSIONS.get(state["scene"], 2)]]


def _limb(state):
    """Return the arguments of `reach` other than target and root."""
    pole = [float(part) for part in state["pole"]] if DIMENSIONS.get(state["scene"]) == 3 else None
    lengths = {name: float(state[name]) for name in ("r1", "r2")}
    return {**lengths, "side": state["side"], "pole": pole, "unreachable": _policy(state)}


def _policy(state):
    """Return the policy of a state: a name, or a chain of those policies that have an effect."""
    word = state["policy"]
    if word in ("stretch", "nan"):
        return word
    if word == "raise":
        return "clamp"  # the page reads the status instead
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
