"""JSON text: parse it strictly, and change some values while all other text stays as it is."""

from __future__ import annotations

import json
import re
from typing import Any

from twobone.errors import ClipError

SPACE = re.compile(r"[ \t\n\r]*")
MARK = "\ufeff"  # the byte order mark, which some editors write
DECODER = json.JSONDecoder()


def parse(text: str, source: str) -> Any:
    """Return the value of a JSON text; raise `ClipError` if it is not valid JSON."""

    def reject(name: str) -> None:
        raise ClipError(source, "numbers that JSON knows", name)

    decoder = json.JSONDecoder(parse_constant=reject)
    try:
        return decoder.decode(text.removeprefix(MARK))
    except json.JSONDecodeError as error:
        came, line, column = f"invalid text: {error.msg}", error.lineno, error.colno
        raise ClipError(source, "JSON", came, line=line, column=column) from error
    except RecursionError:
        raise ClipError(source, "JSON that is not nested so deeply", "too many levels") from None
    except ClipError:
        raise
    except ValueError as error:  # an integer with thousands of digits
        raise ClipError(source, "JSON", str(error)) from error


class TextEdits:
    """Changes of a JSON text: values to replace, and elements to append to arrays.

    Paths are tuples of keys and indices. The text must be valid.

    Examples
    --------
    >>> from twobone.files.gltf.text import TextEdits
    >>> edits = TextEdits('{ "a": [1.50, 2], "b": 1e0 }')
    >>> edits.replace(("a", 1), 3)
    >>> edits.append(("a",), 4)
    >>> edits.append(("c",), 5)
    >>> edits.apply()
    '{ "a": [1.50, 3,4], "b": 1e0 ,"c":[5]}'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.replaced: dict[tuple[str | int, ...], Any] = {}
        self.appended: dict[tuple[str | int, ...], list[Any]] = {}

    def replace(self, path: tuple[str | int, ...], value: Any) -> None:
        """Replace a value."""
        self.replaced[path] = value

    def append(self, path: tuple[str | int, ...], value: Any) -> None:
        """Append an element to an array; a missing array of an object is added."""
        self.appended.setdefault(path, []).append(value)

    def apply(self) -> str:
        """Return the new text."""
        splices: list[tuple[int, int, str]] = []
        self._collect((), len(self.text) - len(self.text.removeprefix(MARK)), splices)
        parts, done = [], 0
        for start, end, new in sorted(splices):
            parts += [self.text[done:start], new]
            done = end
        return "".join([*parts, self.text[done:]])

    def _collect(self, path, start, splices):
        """Add the splices of the object or array that starts at a place."""
        spans, closing = find_spans(self.text, start)
        is_object = isinstance(spans, dict)
        under = {
            p[: len(path) + 1] for p in (*self.replaced, *self.appended) if p[: len(path)] == path
        }
        added = [] if is_object else [dump(value) for value in self.appended.get(path, ())]
        for inner in sorted(under - {path}, key=str):
            key = inner[-1]
            if inner in self.replaced:
                splices.append((*spans[key], dump(self.replaced[inner])))
            elif is_object and key not in spans:
                added.append(f"{dump(key)}:{dump(self.appended[inner])}")
            else:
                self._collect(inner, spans[key][0], splices)
        if added:
            splices.append((closing, closing, "," * bool(spans) + ",".join(added)))


def find_spans(text: str, at: int) -> tuple[Any, int]:
    """Find the values in the object or array that starts at a place.

    Returns
    -------
    dict or list
        (start, end) of each value, by key or in order.
    int
        Where the closing bracket is.
    """
    at = _skip(text, at)
    keyed, listed, is_object = {}, [], text[at] == "{"
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        key = None
        if is_object:
            key, at = DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # past the colon
        end = DECODER.raw_decode(text, at)[1]
        keyed[key] = at, end  # of equal keys the last counts, as for `json`
        listed.append((at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return keyed if is_object else listed, at


def dump(value: Any) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _skip(text, at):
    found = SPACE.match(text, at)
    return at if found is None else found.end()
