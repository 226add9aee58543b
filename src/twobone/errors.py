"""Exceptions of this package, all derived from `TwoBoneError`.

Wrong shapes and types always raise. Values that change from frame to frame (targets, poses)
never raise, unless `unreachable="raise"` is passed: an unreachable target is a valid input, and
the returned status reports it. Settings (limits, matrices, the parts of an animal) may raise
because of their values. docs/guarantees.md lists what each public function raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Any, SupportsFloat, SupportsIndex

INSTALLED_FROM = "."  # the source folder; "twobone" once a package index has the package

Rows = Iterable[Iterable[SupportsIndex]]  # the index of each row


class TwoBoneError(ValueError):
    """Base class of all exceptions of this package; attributes hold the details of the error."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Restore the message and the attributes without `__init__`, whose arguments differ."""
        return _restore, (type(self), self.args), self.__dict__


class _NamedError(TwoBoneError):
    """A named value is invalid: `wanted` is the requirement, `came` the value that was passed."""

    def __init__(self, name: str, wanted: str, came: str) -> None:
        self.name = name
        self.wanted = wanted
        self.came = came
        super().__init__(f"`{name}` must {wanted}, got {came}.")


class ShapeError(TwoBoneError):
    """An argument has an invalid shape; see `name` and `shape`."""

    def __init__(
        self, name: str, wanted: str, shape: Iterable[int] | None, came: str | None = None
    ) -> None:
        self.name = name
        self.wanted = wanted
        self.shape = shape if shape is None else tuple(shape)
        # Not by `super().__init__`, which `torch.compile` cannot follow.
        self.args = (f"`{name}` must {wanted}, got {came or self.shape}.",)


class ArrayTypeError(TwoBoneError, TypeError):
    """An argument has an invalid type or dtype; see `name`."""

    def __init__(self, name: str, wanted: str, came: str) -> None:
        self.name = name
        self.wanted = wanted
        self.came = came
        self.args = (f"`{name}` must be {wanted}, got {came}.",)  # as in `ShapeError`


class PolicyError(TwoBoneError, TypeError):
    """`unreachable` is not a policy, is not supported here, or has invalid parameters."""


class LimitsError(TwoBoneError):
    """The lower limit of an angle is above the upper one; see `least` and `greatest`."""

    def __init__(self, least: SupportsFloat, greatest: SupportsFloat) -> None:
        self.least = float(least)
        self.greatest = float(greatest)
        super().__init__(
            f"`least` must not be greater than `greatest`, got {self.least} and {self.greatest}."
        )


class UnreachableError(TwoBoneError):
    """Targets cannot be reached or are invalid; raised only with `unreachable="raise"`.

    `rows` holds the indices of these targets, `statuses` the reason for each.
    """

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
    """The definition of a limb, or one of its options, is invalid; see `name`."""

    def __init__(self, name: str, wanted: str, came: str, rows: Rows = ()) -> None:
        self.name = name
        self.wanted = wanted
        self.came = came
        self.rows: list[tuple[int, ...]] = [tuple(int(i) for i in row) for row in rows]
        where = f" in row {_row_name(self.rows[0])}" if self.rows and self.rows[0] else ""
        names = name.replace(" or ", "` or `")
        super().__init__(f"`{names}` must {wanted}, got {came}{where.rstrip(':')}.")


class CreatureError(_NamedError):
    """The definition of an animal, its terrain or its walk is invalid; see `name`."""


class PageError(_NamedError):
    """An invalid field, port or public address of the interactive page; see `name`."""


class EngineError(_NamedError, ImportError):
    """The requested engine or number of threads is invalid or unavailable; see `name`."""


class MissingError(TwoBoneError, ImportError):
    """A feature needs a package that is not installed; see `package`."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        self.package = package
        super().__init__(f"{what} needs {package}: {install_command(extra)}")


class FileError(TwoBoneError):
    """A file, or data read from a file, is invalid.

    Attributes
    ----------
    source : str
        The name of the file, or "the recording" for data that is about to be written.
    wanted : str
        What was expected.
    came : object
        What was found instead, a value or a description.
    line : int or None
        The number of the line, from 1, if the file is text.
    column : str, int or None
        The name of the column of a table, or the position in the line, from 1.
    field : str or None
        The name of the field of a recording.
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


class ClipError(FileError):
    """A motion clip is invalid (its file or its arrays), or labels of contacts do not fit one.

    The attributes are those of `FileError`.
    """


class RobotError(TwoBoneError):
    """A limb of a robot does not exist, or has no closed form; or an option of it is invalid.

    Attributes
    ----------
    tip : str or None
        The name of the limb's tip.
    axes : tuple
        The axes that are not parallel or perpendicular as they must be, each as a tuple: the names
        of the two joints, "parallel" or "perpendicular", and by how many radians it is not.
    """

    def __init__(
        self,
        message: str | Callable[[], str],  # a function if its words take long to find
        *,
        tip: str | None = None,
        axes: Sequence[tuple[str, str, str, float]] = (),
    ) -> None:
        self.tip = tip
        self.axes = tuple(axes)
        super().__init__(message)

    def __str__(self) -> str:
        (message,) = self.args
        if callable(message):
            self.args = (message(),)
        return super().__str__()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        str(self)
        return super().__reduce__()


def install_command(extra: str) -> str:
    """Return the command that installs an extra. All texts have it; a test compares them."""
    where = " in the source folder" if INSTALLED_FROM == "." else ""
    return f"pip install '{INSTALLED_FROM}[{extra}]'{where}"


def _restore(kind: type[TwoBoneError], args: tuple[Any, ...]) -> TwoBoneError:
    return kind.__new__(kind, *args)


def _row_name(row: Sequence[int]) -> str:
    return f"{row[0] if len(row) == 1 else row}:"
