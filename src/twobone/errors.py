"""The exceptions of this package, all based on `TwoBoneError`.

Wrong shapes and types always raise. Values that change from frame to frame (targets, poses)
never raise, unless `unreachable="raise"` asks for it: an unreachable target is an answer with a
status. Values that are settings (limits, matrices, the parts of an animal) may raise.
docs/guarantees.md lists every public function.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any, SupportsFloat, SupportsIndex

Rows = Iterable[Iterable[SupportsIndex]]  # indices


class TwoBoneError(ValueError):
    """Base of every error of this package; the facts stay on the object."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the message and the facts; `__init__` would want its own arguments."""
        return _restore, (type(self), self.args), self.__dict__


class _NamedError(TwoBoneError):
    """What is said of something by its name makes no sense; see `name`, `wanted`, `came`."""

    def __init__(self, name: str, wanted: str, came: str) -> None:
        self.name = name
        self.wanted = wanted
        self.came = came
        super().__init__(f"`{name}` must {wanted}, got {came}.")


class ShapeError(TwoBoneError):
    """An argument has a shape that does not fit; see `name` and `shape`."""

    def __init__(
        self, name: str, wanted: str, shape: Iterable[int] | None, came: str | None = None
    ) -> None:
        self.name = name
        self.wanted = wanted
        self.shape = shape if shape is None else tuple(shape)
        super().__init__(f"`{name}` must {wanted}, got {came or self.shape}.")


class ArrayTypeError(TwoBoneError, TypeError):
    """An argument has a type that does not fit; see `name`."""

    def __init__(self, name: str, wanted: str, came: str) -> None:
        self.name = name
        self.wanted = wanted
        self.came = came
        super().__init__(f"`{name}` must be {wanted}, got {came}.")


class PolicyError(TwoBoneError, TypeError):
    """`unreachable` is no policy, cannot be one here, or is built on what makes no sense."""


class LimitsError(TwoBoneError):
    """The least angle allowed is beyond the greatest; see `least` and `greatest`."""

    def __init__(self, least: SupportsFloat, greatest: SupportsFloat) -> None:
        self.least = float(least)
        self.greatest = float(greatest)
        super().__init__(
            f"`least` must not be greater than `greatest`, got {self.least} and {self.greatest}."
        )


class UnreachableError(TwoBoneError):
    """Asked for with `unreachable="raise"`; `rows` (indices) and `statuses` say which and why."""

    def __init__(self, rows: Rows, statuses: Iterable[IntEnum], total: SupportsIndex) -> None:
        self.rows: list[tuple[int, ...]] = [tuple(int(i) for i in row) for row in rows]
        self.statuses = list(statuses)
        self.total = int(total)
        super().__init__(self._one() if self.total == 1 else self._many())

    def _one(self) -> str:
        return f"The target cannot be reached: {self.statuses[0].name}."

    def _many(self) -> str:
        rows = list(zip(self.rows, self.statuses, strict=True))
        few = ", ".join(f"row {_row_name(row)} {status.name}" for row, status in rows[:10])
        more = f" and {len(rows) - 10} more" if len(rows) > 10 else ""
        return f"{len(rows)} of {self.total} targets cannot be reached: {few}{more}."


class PoseError(TwoBoneError):
    """What describes a limb makes no limb: an axis of no length, a flat matrix; see `name`."""

    def __init__(self, name: str, wanted: str, came: str, rows: Rows = ()) -> None:
        self.name = name
        self.wanted = wanted
        self.came = came
        self.rows: list[tuple[int, ...]] = [tuple(int(i) for i in row) for row in rows]
        where = f" in row {_row_name(self.rows[0])}" if self.rows and self.rows[0] else ""
        super().__init__(f"`{name}` must {wanted}, got {came}{where.rstrip(':')}.")


class CreatureError(_NamedError):
    """What describes an animal, its ground or its walk makes no sense; see `name`."""


class PageError(_NamedError):
    """What a script or a page says of the shared state makes no sense; see `name`."""


class EngineError(_NamedError, ImportError):
    """The engine that was asked for cannot run here; see `name`, `wanted` and `came`."""


class MissingError(TwoBoneError, ImportError):
    """Something is asked for that needs a package which is not installed; see `package`."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        self.package = package
        super().__init__(f"{what} needs {package}: {install_command(extra)}")


class FileError(TwoBoneError):
    """A file, or what was read from one, that makes no sense.

    See `source`, `wanted`, `came` and, where they are known, `line`, `column` and `field`.
    """

    def __init__(
        self,
        source: object,
        wanted: str,
        came: object,
        *,
        line: int | None = None,
        column: str | int | None = None,
        field: str | None = None,
    ) -> None:
        self.source = str(source)
        self.wanted = wanted
        self.came = came
        self.line = line
        self.column = column
        self.field = field
        places = {"line": line, "column": column, "field": field}
        known = [f"{name} {place}" for name, place in places.items() if place is not None]
        where = ", ".join([self.source, *known])
        super().__init__(f"{where}: expected {wanted}, got {came}")


def install_command(extra: str) -> str:
    """Return what installs an extra: from the source, as README does, or from a package index."""
    return f"pip install '.[{extra}]' in the source folder, or 'twobone[{extra}]'"


def _restore(kind: type[TwoBoneError], args: tuple[Any, ...]) -> TwoBoneError:
    return kind.__new__(kind, *args)


def _row_name(row: Sequence[int]) -> str:
    return f"{row[0] if len(row) == 1 else row}:"
