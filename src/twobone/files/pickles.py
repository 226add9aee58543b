"""Pickled dictionaries of arrays, as NumPy saves them in .npy files, read without executing them.

A pickle is a program. Here it can make arrays, dictionaries, lists, strings and numbers only: other
instructions and other names are refused before anything runs, and the few functions that NumPy's
pickles call are replaced by ones that only keep what they are given.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from twobone.errors import FileError
from twobone.files.archives import array_of
from twobone.files.columns import quote

OPCODES = frozenset(
    """PROTO FRAME STOP MARK POP POP_MARK DUP MEMOIZE PUT BINPUT LONG_BINPUT GET BINGET LONG_BINGET
    NONE NEWTRUE NEWFALSE INT BININT BININT1 BININT2 LONG LONG1 FLOAT BINFLOAT
    STRING SHORT_BINSTRING BINSTRING SHORT_BINBYTES BINBYTES BINBYTES8
    UNICODE SHORT_BINUNICODE BINUNICODE BINUNICODE8
    EMPTY_TUPLE TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_LIST LIST APPEND APPENDS EMPTY_DICT DICT SETITEM
    SETITEMS GLOBAL STACK_GLOBAL REDUCE BUILD""".split()  # noqa: SIM905
)
PLACES = ("numpy", "numpy.core.multiarray", "numpy._core.multiarray")
DEEPEST = 20  # lists in lists
KINDS = "fiubU"  # of arrays: numbers and text
WANTED = "a pickle of arrays, dictionaries, lists, strings and numbers"


def read_pickle(data: bytes, source: str) -> Any:
    """Return what a pickle holds: arrays, dictionaries, lists, strings, numbers and None.

    Parameters
    ----------
    data : bytes
        The pickle, without the header of a .npy file.
    source : str
        The name of the file in errors.

    Returns
    -------
    object
        Arrays of objects become lists, those of one object that object.

    Raises
    ------
    FileError
        If it holds anything else, or is truncated or damaged.

    Examples
    --------
    >>> import pickle
    >>> from twobone.files.pickles import read_pickle
    >>> read_pickle(pickle.dumps({"motion": [1.5, "walk"]}), "results.npy")
    {'motion': [1.5, 'walk']}
    """
    _check_opcodes(data, source)
    try:
        found = _Unpickler(data, source).load()
        return _Converter(source, len(data)).plain(found)
    except FileError:
        raise
    except Exception as error:  # a damaged pickle can raise any
        raise FileError(source, WANTED, f"one that is damaged: {type(error).__name__}") from None


def _check_opcodes(data, source):
    """Raise if a pickle has instructions other than those for plain data."""
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name not in OPCODES:
                raise FileError(source, WANTED, f"the instruction {opcode.name}")
            is_place = opcode.name in ("PUT", "LONG_BINPUT")
            if is_place and not 0 <= int(argument or 0) <= len(data):
                raise FileError(source, WANTED, "one that would fill the memory")
    except FileError:
        raise
    except Exception as error:
        raise FileError(source, WANTED, f"one that is damaged: {type(error).__name__}") from None


class _Dtype:
    """What a pickle says of a dtype."""

    def __init__(self, *arguments):
        self.text, self.order, self.is_record = str(arguments[0]), "=", False

    def __setstate__(self, state):
        self.order = state[1]
        self.is_record = any(part is not None for part in state[2:5])

    def made(self):
        text = self.text if self.order == "|" else f"{self.order}{self.text}"
        return np.dtype(text)


class _Array:
    """What a pickle says of an array."""

    def __setstate__(self, state):
        _, self.shape, self.dtype, self.fortran, self.data = state


class _Scalar(NamedTuple):
    """What a pickle says of a number of NumPy."""

    dtype: Any
    data: Any


class _Maker(NamedTuple):
    """What takes the place of a function: it has no attribute that a pickle could change."""

    make: Callable[..., Any]

    def __call__(self, *arguments):
        return self.make(*arguments)


MAKERS = {
    "_reconstruct": _Maker(lambda *arguments: _Array()),
    "ndarray": _Maker(lambda *arguments: _Array()),
    "dtype": _Maker(_Dtype),
    "scalar": _Maker(_Scalar),
}


class _Unpickler(pickle.Unpickler):
    """An unpickler that knows no functions but those of `MAKERS`."""

    def __init__(self, data, source):
        super().__init__(io.BytesIO(data))
        self.source = source

    def find_class(self, module, name, /):
        if module in PLACES and name in MAKERS:
            return MAKERS[name]
        raise FileError(self.source, WANTED, f"{quote(f'{module}.{name}')}, which is none of these")


class _Converter:
    """What puts arrays in the place of what a pickle says of them."""

    def __init__(self, source, most):
        self.source, self.left = source, most  # bytes; arrays can share theirs in the file
        self.done = {}  # by id: a pickle can name a value many times

    def plain(self, value, depth=0):
        """Return a value of arrays, dictionaries, lists, strings and numbers."""
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if id(value) in self.done:
            return self.done[id(value)][1]
        if depth > DEEPEST:
            raise FileError(self.source, WANTED, "lists nested too deeply")
        if isinstance(value, dict):
            kept = {key: each for key, each in value.items() if isinstance(key, str)}
            found = {key: self.plain(each, depth + 1) for key, each in kept.items()}
        elif isinstance(value, _Array):
            found = self._array(value, depth)
        elif isinstance(value, _Scalar):
            found = self._numbers(value.data, (), False, value.dtype)[()]
        elif isinstance(value, list | tuple) and not isinstance(value, _Maker):
            found = [self.plain(each, depth + 1) for each in value]
        else:
            came = f"a value of another kind: {type(value).__name__}"
            raise FileError(self.source, WANTED, came)
        self.done[id(value)] = value, found  # the value too, so that no other gets its id
        return found

    def _array(self, value, depth):
        """Return an array, a list of objects, or the only object of an array without axes."""
        if isinstance(value.data, list):
            found = [self.plain(each, depth + 1) for each in value.data]
            return found[0] if value.shape == () and len(found) == 1 else found
        return self._numbers(value.data, value.shape, bool(value.fortran), value.dtype)

    def _numbers(self, data, shape, fortran, dtype):
        is_plain = isinstance(dtype, _Dtype) and not dtype.is_record
        made = dtype.made() if is_plain else None
        if made is None or made.kind not in KINDS or not made.itemsize:
            raise FileError(self.source, WANTED, "an array of another kind")
        if not isinstance(data, bytes):
            raise FileError(self.source, WANTED, "an array without bytes")
        self.left -= len(data)
        if self.left < 0:
            raise FileError(self.source, WANTED, "one that would fill the memory")
        return array_of(data, shape, fortran, made, self.source)
