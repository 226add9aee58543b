"""Types of public signatures: what counts as an array, and which array comes out.

Numbers, lists and NumPy's arrays in, a NumPy array out; arrays of PyTorch, JAX, dask or CuPy in,
their like out. No library but NumPy is imported for that: theirs are described by a protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from typing import Generic as Of
    from typing import Protocol

    from typing_extensions import TypeVar
else:
    from typing import TypeVar as _TypeVar

    Protocol = object  # nobody asks at run time, and it takes a tenth of the time to import

    def TypeVar(name, *, default=None, **options):  # noqa: N802
        """Return a type variable without its default, which Python has from 3.13 on."""
        return _TypeVar(name, **options)

    class Of:
        """Stand in for `typing.Generic` as a base, and leave no trace.

        What walks trees of arrays, as older releases of PyTorch do, often takes for a named tuple
        only what has `tuple` as its sole base.
        """

        def __class_getitem__(cls, parameters):
            return cls()

        def __mro_entries__(self, bases):
            return ()


# --- NumPy --------------------------------------------------------------------------------

S = TypeVar("S", bound=np.generic)
NDArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[S]]  # as in numpy.typing, which is slow
F = TypeVar("F", bound=np.floating[Any], default=np.float64)


class Ratio(Protocol):
    """A real number: `float`, `fractions.Fraction`, `decimal.Decimal`, NumPy's floats."""

    def as_integer_ratio(self) -> tuple[int, int]: ...


Number: TypeAlias = float | np.integer[Any] | Ratio


class Numbers(Protocol):
    """A list or tuple of numbers, of arrays or of such lists.

    Text has no `__contains__` of any object, and what is no sequence has no `count`.
    """

    def __iter__(self) -> Iterator[Number | NDArray[Any] | Numbers]: ...
    def __contains__(self, value: object, /) -> bool: ...
    @property
    def count(self) -> object: ...


# The dtype of the answer is that of the arrays of floats; without any it is float64.
ArrayLike: TypeAlias = (
    Number | Numbers | NDArray[F] | NDArray[np.integer[Any]] | NDArray[np.object_]
)

# --- other libraries ----------------------------------------------------------------------


class EagerArray(Protocol):
    """An array of PyTorch, JAX, CuPy or another library of the array API.

    NumPy's arrays are none: their `__array__` takes `dtype` by position only.
    """

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    def __getitem__(self, key: Any, /) -> Any: ...
    def __array__(self, *, dtype: None = None) -> Any: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...


class LazyArray(Protocol):
    """An array of dask, which is computed later."""

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    def compute(self) -> Any: ...


Array: TypeAlias = EagerArray | LazyArray
A = TypeVar("A", bound=Array)
Arrays: TypeAlias = A | Sequence[A] | Sequence[Sequence[A]]  # lists are stacked
Mixed: TypeAlias = Arrays[A] | ArrayLike[Any]  # beside an array of that library

# --- what comes out -----------------------------------------------------------------------

X = TypeVar("X", covariant=True, default=NDArray[Any])  # an array: numbers
C = TypeVar("C", covariant=True, default=NDArray[np.int8])  # an array: codes of `Status`
P = TypeVar("P", covariant=True, default=Any)  # a pose
AnyArray: TypeAlias = ArrayLike[Any] | Arrays[Array]  # what any of the above takes
