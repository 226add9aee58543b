"""Members of a JSON document: checked access, with the path of a member in every error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from twobone.errors import ClipError
from twobone.files.columns import quote

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "nothing"})()
LARGEST = 3.4028235677973366e38  # what rounds to the largest float32
REQUIRED: Any = object()  # the default of members that must be there


class Member:
    """A value of a JSON document and where it is.

    Methods take the key of a member of this object, and raise `ClipError` if the value is of
    another type or out of range. Keys may be absent if a default is given.
    """

    __slots__ = ("above", "key", "source", "value")

    def __init__(
        self,
        source: str,
        value: Any,
        above: Member | None = None,
        key: str | int | None = None,
    ) -> None:
        self.source = source
        self.value = value
        self.above = above
        self.key = key

    @property
    def field(self) -> str:
        """The path of the value, such as "animations[0].samplers[2].input"."""
        keys, member = [], self
        while member.above is not None:
            keys.append(f"[{member.key}]" if isinstance(member.key, int) else f".{member.key}")
            member = member.above
        return "".join(reversed(keys)).removeprefix(".")

    def fail(self, wanted: str, came: object = None) -> NoReturn:
        """Raise an error about this value; `came` replaces the value in the message."""
        shown = shown_value(self.value) if came is None else came
        raise ClipError(self.source, wanted, shown, field=self.field or None)

    def member(self, key: str) -> Member:
        """Return the member of a key; its value is MISSING if there is none."""
        if type(self.value) is not dict:
            self.fail("an object")
        return Member(self.source, self.value.get(key, MISSING), self, key)

    def has(self, key: str) -> bool:
        """Return whether this object has a member."""
        return self.member(key).value is not MISSING

    def object(self, key: str) -> Member:
        """Return an object."""
        member = self.member(key)
        if type(member.value) is not dict:
            member.fail("an object")
        return member

    def find(self, *keys: str) -> Member | None:
        """Return the object at the end of a path of keys, or None if a key is missing."""
        member = self
        for key in keys:
            if not member.has(key):
                return None
            member = member.object(key)
        return member

    def array(self, key: str) -> Member:
        """Return an array; a missing one is empty."""
        member = self.member(key)
        if member.value is MISSING:
            return Member(self.source, [], self, key)
        if type(member.value) is not list:
            member.fail("an array")
        return member

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: int) -> Member:
        """Return the object at an index of this array."""
        member = Member(self.source, self.value[index], self, index)
        if type(member.value) is not dict:
            member.fail("an object")
        return member

    def __iter__(self) -> Iterator[Member]:
        return (self[index] for index in range(len(self.value)))

    def integer(self, key: str, default: Any = REQUIRED, least: int = 0) -> Any:
        """Return an integer that is not less than `least`."""
        member = self.member(key)
        if member.value is MISSING and default is not REQUIRED:
            return default
        value = _as_integer(member.value)
        if type(value) is not int or value < least:
            member.fail(f"an integer from {least}")
        return value

    def index(self, key: str, count: int, default: Any = REQUIRED) -> Any:
        """Return an index into an array of `count` elements."""
        value = self.integer(key, default)
        if value is not default and value >= count:
            self.member(key).fail(f"an index below {count}")
        return value

    def indices(self, key: str, count: int) -> list[int]:
        """Return an array of indices into an array of `count` elements."""
        values = self.array(key)
        found = [_as_integer(value) for value in values.value]
        for i, value in enumerate(found):
            if type(value) is not int or not 0 <= value < count:
                Member(self.source, value, values, i).fail(f"an index below {count}")
        return found

    def numbers(self, key: str, count: int, default: Sequence[float]) -> list[float]:
        """Return an array of `count` numbers that float32 can hold."""
        member = self.member(key)
        if member.value is MISSING:
            return list(default)
        if type(member.value) is not list or len(member.value) != count:
            member.fail(f"an array of {count} numbers")
        return [self._number(member, i, value) for i, value in enumerate(member.value)]

    def _number(self, array: Member, index: int, value: Any) -> float:
        if type(value) not in (int, float) or not abs(value) <= LARGEST:
            Member(self.source, value, array, index).fail("a number that float32 can hold")
        return float(value)

    def string(self, key: str, default: Any = REQUIRED) -> Any:
        """Return a string."""
        member = self.member(key)
        if member.value is MISSING and default is not REQUIRED:
            return default
        if type(member.value) is not str:
            member.fail("a string")
        return member.value

    def flag(self, key: str) -> bool:
        """Return a boolean; a missing one is false."""
        member = self.member(key)
        if member.value is not MISSING and type(member.value) is not bool:
            member.fail("true or false")
        return member.value is True

    def choice(self, key: str, choices: Sequence[Any], default: Any = REQUIRED) -> Any:
        """Return one of several values."""
        member = self.member(key)
        if member.value is MISSING and default is not REQUIRED:
            return default
        if type(member.value) not in (int, str) or member.value not in choices:
            member.fail(f"one of {', '.join(map(str, choices))}")
        return member.value


def shown_value(value: Any) -> str:
    """Return how an error shows a value of JSON; large ones by their type."""
    if type(value) is dict:
        return "an object"
    if type(value) is list:
        return f"an array of {len(value)}"
    if type(value) is int and value.bit_length() > 128:  # Python limits the digits it prints
        return "an integer of many digits"
    return quote(value)


def _as_integer(value: Any) -> Any:
    """Return 1.0 as 1: it is an integer in JSON schemas. Other values are returned as they are."""
    return int(value) if type(value) is float and value.is_integer() else value
