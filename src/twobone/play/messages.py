"""What a page and Python say to each other: JSON objects with a `type`."""

import json
from typing import Any, NamedTuple

import twobone
from twobone.errors import PageError
from twobone.play import page_state
from twobone.play.page_state import shown

MOST_BRACKETS = 64  # a message has six; deep nesting would cost the reader its stack
LARGEST_ID = 2**53


def hello(state: dict[str, Any] | None) -> dict[str, Any]:
    """Return how a page is greeted: who answers, and the state if a script has set one."""
    name, instructions, threads = twobone.engine()
    engine = {"name": name, "instructions": instructions, "threads": threads}
    greeting = {"type": "hello", "version": twobone.__version__, "engine": engine}
    return {**greeting, "state": state} if state else greeting


class Said(NamedTuple):
    """What a page has said: a state of its limb, or where its animal shall walk."""

    kind: str
    number: int
    content: dict[str, Any]


def read(text: Any) -> Said:
    """Return what a message from a page says, checked.

    Raises
    ------
    PageError
        If it says nothing.
    """
    message = _read_json(text)
    if not isinstance(message, dict):
        raise PageError("message", "be an object", shown(message))
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in CHECKS:
        raise PageError("type", f"be one of {', '.join(CHECKS)}", shown(kind))
    for name in message:
        if name not in ("type", "id", kind):
            raise PageError("message", f"have no fields but type, id, {kind}", shown(name))
    number = message.get("id")
    if isinstance(number, bool) or not isinstance(number, int) or abs(number) > LARGEST_ID:
        raise PageError("id", "be a whole number", shown(number))
    return Said(kind, number, CHECKS[kind](message.get(kind)))


def _check_walk(content):
    from twobone.play import stroll  # its room opens when an animal is to walk

    return stroll.check(content)


CHECKS = {"state": page_state.check, "walk": _check_walk}


def _read_json(text):
    if not isinstance(text, str):
        raise PageError("message", "be text", "bytes")
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise PageError("message", "not be nested so deeply", shown(text))
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):  # also whole numbers of thousands of digits
        raise PageError("message", "be JSON", shown(text)) from None


def _refuse_constant(name):
    raise ValueError(name)  # NaN and Infinity are not JSON, though Python reads them
