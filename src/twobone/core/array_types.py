"""Types of public signatures: which arguments are accepted, and which array is returned.

Numbers, lists and NumPy arrays give a NumPy array; arrays of PyTorch, JAX, dask or CuPy give an
array of the same library. Those libraries are not imported: protocols describe their arrays.
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

    Protocol = object  # not needed at run time, and a tenth of the import time

    def TypeVar(name, *, default=None, **options):  # noqa: N802
        """Return a type variable without its default, which Python supports from 3.13 on."""
        return _TypeVar(name, **options)

    class Of:
        """Stand in for `typing.Generic` as a base class without becoming one at run time.

        Code that traverses nested arrays, such as older releases of PyTorch, often recognises a
        named tuple only if `tuple` is its sole base.
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
    """A real number: `float`, `fractions.Fraction`, `decimal.Decimal` or a NumPy float."""

    def as_integer_ratio(self) -> tuple[int, int]: ...


Number: TypeAlias = float | np.integer[Any] | Ratio


class Numbers(Protocol):
    """A list or tuple of numbers, of arrays or of such lists.

    `__contains__` excludes strings, which do not accept any object there; `count` excludes
    iterables that are not sequences.
    """

    def __iter__(self) -> Iterator[Number | NDArray[Any] | Numbers]: ...
    def __contains__(self, value: object, /) -> bool: ...
    @property
    def count(self) -> object: ...


# The dtype of the result is that of the float arrays; without any it is float64.
ArrayLike: TypeAlias = (
    Number | Numbers | NDArray[F] | NDArray[np.integer[Any]] | NDArray[np.object_]
)

OfNumPy: TypeAlias = Number | Numbers | NDArray[Any]  # of any dtype: a shorter `ArrayLike[Any]`

# --- other libraries ----------------------------------------------------------------------


class EagerArray(Protocol):
    """An array of PyTorch, JAX, CuPy or another library that follows the array API standard.

    NumPy arrays do not match: their `__array__` takes `dtype` by position only.
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
    """A dask array, which is computed later."""

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    def compute(self) -> Any: ...


Array: TypeAlias = EagerArray | LazyArray
A = TypeVar("A", bound=Array)
Arrays: TypeAlias = A | Sequence[A] | Sequence[Sequence[A]]  # lists are stacked
Mixed: TypeAlias = Arrays[A] | OfNumPy  # together with an array of that library

# --- results ------------------------------------------------------------------------------

X = TypeVar("X", covariant=True, default=NDArray[Any])  # an array of numbers
C = TypeVar("C", covariant=True, default=NDArray[np.int8])  # an array of `Status` codes
P = TypeVar("P", covariant=True, default=Any)  # a pose
AnyArray: TypeAlias = OfNumPy | Arrays[Array]  # any argument
