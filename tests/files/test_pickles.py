"""Pickles of plain data are read; those that would run anything, or fill the memory, are not."""

import contextlib
import io
import os
import pickle
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twobone.errors import FileError
from twobone.files import archives
from twobone.files.pickles import read_pickle

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def dumped(value):
    """Return what NumPy writes after the header of a .npy file of objects."""
    file = io.BytesIO()
    np.save(file, value, allow_pickle=True)
    file.seek(0)
    np.lib.format.read_magic(file)
    np.lib.format.read_array_header_1_0(file)
    return file.read()


@settings(max_examples=30)
@given(plain, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_plain_data_come_back(value, protocol):
    assert read_pickle(pickle.dumps(value, protocol), "file") == value


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "i8", "u1", "?", "<U5"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_and_numbers_of_numpy_come_back(dtype, order):
    array = np.asarray(np.arange(24).reshape(2, 3, 4) % 2, dtype=dtype, order=order)
    given = {"motion": array, "text": ["a", "b"], "objects": np.array([None, "x"], object)}
    given["number"] = np.float32(2.5)
    found = read_pickle(dumped(given), "file")
    np.testing.assert_array_equal(found["motion"], array)
    assert found["motion"].dtype == np.dtype(dtype).newbyteorder("=")
    assert found["text"] == ["a", "b"]
    assert found["objects"] == [None, "x"]
    assert found["number"] == 2.5


class Calls:
    """What would be called when it is unpickled."""

    def __init__(self, function, *arguments):
        self.made = function, arguments

    def __reduce__(self):
        return self.made


class Shares:
    """An array whose bytes are in the pickle once, however many of them there are."""

    def __init__(self, raw):
        self.raw = raw

    def __reduce__(self):
        function, arguments, _ = np.zeros(0).__reduce__()
        return function, arguments, (1, (1000,), np.dtype(float), False, self.raw)


class Thing:
    pass


NUMPY = b"cnumpy\nndarray\n"
HOSTILE = {
    "system": pickle.dumps(Calls(os.system, "touch /tmp/never"), 0),
    "stack global": pickle.dumps(Calls(os.system, "touch /tmp/never"), 4),
    "eval": pickle.dumps([Calls(eval, "1 + 1")]),
    "load": pickle.dumps(Calls(np.load, "file")),
    "object": pickle.dumps(Thing()),
    "instance": b"(S'ls'\nios\nsystem\n.",
    "set": pickle.dumps({1, 2}),
    "bytes": pickle.dumps(b"1234"),
    "bytearray": b"\x80\x05\x96" + struct.pack("<Q", 1 << 40) + b"x.",
    "memo": b"\x80\x02]r" + struct.pack("<I", (1 << 32) - 1) + b".",
    "string": b"\x80\x04\x8d" + struct.pack("<Q", 1 << 40) + b"x.",
    "persistent": b"\x80\x02K\x01Q.",
    "extension": b"\x80\x02\x82\x01.",
    "attribute": NUMPY + b"}S'make'\nK\x01sb.",
    "attributes": NUMPY + b"N}S'make'\nK\x01s\x86b.",
    "nothing": b"",
    "no end": pickle.dumps([1, 2])[:-1],
    "nested": b"]" * 50 + b"a" * 49 + b".",
    "itself": b"]q\x00h\x00a.",
    "records": dumped({"a": np.zeros(2, [("x", float)])}),
    "dates": dumped({"a": np.zeros(2, "M8[s]")}),
    "few bytes": dumped(np.array({"a": np.zeros(2)}, object)).replace(b"K\x02\x85", b"K\x09\x85"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_everything_else_is_refused(name):
    with pytest.raises(FileError, match=r"^file: expected"):
        read_pickle(HOSTILE[name], "file")


def test_what_is_refused_has_a_name():
    with pytest.raises(FileError, match=r"got '(posix|nt).system', which is none of these"):
        read_pickle(HOSTILE["stack global"], "file")
    for raw in (None, "text", 12):
        with pytest.raises(FileError, match="got an array without bytes"):
            read_pickle(pickle.dumps(Shares(raw)), "file")


def test_names_of_numpy_keep_what_they_mean_here():
    for name in ("attribute", "attributes"):
        with pytest.raises(FileError):
            read_pickle(HOSTILE[name], "file")
    np.testing.assert_array_equal(read_pickle(dumped({"a": np.ones(3)}), "file")["a"], np.ones(3))


def test_few_bytes_cannot_become_many():
    laughs = b"]q\x00" + b"".join(b"](h\x00h\x00h\x00h\x00eq\x00" for _ in range(15)) + b"."
    assert isinstance(read_pickle(laughs, "file"), list)  # one list, named many times
    raw = np.zeros(1000).tobytes()
    one, many = (pickle.dumps([Shares(raw) for _ in range(n)]) for n in (1, 3))
    assert read_pickle(one, "file")[0].shape == (1000,)
    with pytest.raises(FileError, match="fill the memory"):
        read_pickle(many, "file")


@given(st.binary(max_size=200))
def test_any_bytes_are_an_error_or_plain_data(data):
    with contextlib.suppress(FileError):
        read_pickle(data, "file")


@given(st.integers(0, 400), st.integers(0, 255))
def test_damaged_pickles_are_an_error_or_plain_data(place, value):
    data = bytearray(dumped({"motion": np.ones((2, 3)), "text": ["a"], "lengths": np.array([2])}))
    data[place % len(data)] = value
    with contextlib.suppress(FileError):
        read_pickle(bytes(data), "file")


def test_archives_that_expand_are_refused(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, a=np.zeros((1000, 1000)))
    with (
        open(path, "rb") as file,
        pytest.raises(FileError, match=r"expected at most .* bytes, got 8"),
    ):
        archives.read_npz(file, "file", lambda name, size: True, growth=100.0)
    with open(path, "rb") as file:
        assert archives.read_npz(file, "file", lambda name, size: True)["a"].shape == (1000, 1000)
