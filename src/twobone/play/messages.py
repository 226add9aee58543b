"""What a page and Python say to each other: JSON objects with a `type`."""

import json
from typing import Any

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


def read_state(text: Any) -> tuple[int, dict[str, Any]]:
    """Return the number and the state of a message from a page, checked.

    Raises
    ------
    PageError
        If the message is anything else.
    """
    message = _read_json(text)
    if not isinstance(message, dict):
        raise PageError("message", "be an object", shown(message))
    kind = message.get("type")
    if kind != "state":
        raise PageError("type", "be state", shown(kind))
    for name in message:
        if name not in ("type", "id", "state"):
            raise PageError("message", "have no fields but type, id, state", shown(name))
    number = message.get("id")
    if isinstance(number, bool) or not isinstance(number, int) or abs(number) > LARGEST_ID:
        raise PageError("id", "be a whole number", shown(number))
    return number, page_state.check(message.get("state"))


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
