"""Messages between a page and Python: JSON objects with a `type`."""

import json
from typing import Any, NamedTuple

import twobone
from twobone.errors import PageError
from twobone.play import page_state, steps
from twobone.play.page_state import shown

MOST_BRACKETS = (
    64  # a message has a dozen; deep nesting could overflow the stack of the JSON reader
)
LARGEST_ID = 2**53


def hello(state: dict[str, Any] | None, lead: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the first message to a page: version, engine, and what a script has set.

    That is the state, and orders for the animal.
    """
    name, instructions, threads = twobone.engine()
    engine = {"name": name, "instructions": instructions, "threads": threads}
    greeting = {"type": "hello", "version": twobone.__version__, "engine": engine}
    told = {"state": state, "lead": lead}
    return {**greeting, **{name: value for name, value in told.items() if value}}


class Said(NamedTuple):
    """A message from a page: the state of its limb, or a step of its animal."""

    kind: str  # "state" or "step"
    number: int  # the message's `id`, which is repeated in the reply
    content: Any  # a state, or a `steps.Step`


def read(text: Any) -> Said:
    """Parse and check a message from a page.

    Raises
    ------
    PageError
        If the message is invalid.
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


CHECKS = {"state": page_state.check, "step": steps.check}


def _read_json(text):
    if not isinstance(text, str):
        raise PageError("message", "be text", "bytes")
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise PageError("message", "not be nested so deeply", shown(text))
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):  # ValueError also for integers with thousands of digits
        raise PageError("message", "be JSON", shown(text)) from None


def _refuse_constant(name):
    raise ValueError(name)  # Python would accept NaN and Infinity, which are not JSON
