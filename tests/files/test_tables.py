"""Tables: what is read is what stands there, and what does not is told by line and column."""

import io
import json
import pickle
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import twobone
from streams import Pipe
from twobone.errors import FileError
from twobone.files import tables
from twobone.files.answers import writing
from twobone.files.atomic import replacing


def read(data, kind="csv", most=1 << 30):
    """Return all targets, other columns and places of a table as one each."""
    data = data.encode() if isinstance(data, str) else data
    pieces = list(tables.read(Pipe(data, most), "t", kind))
    values = {
        name: np.concatenate([piece.values[name] for piece in pieces]) for name in pieces[0].values
    }
    return values, [place for piece in pieces for place in piece.places]


def message(data, kind="csv"):
    with pytest.raises(FileError) as caught:
        read(data, kind)
    return str(caught.value)


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def written(answers, kind):
    file = io.BytesIO()
    with writing(file, kind) as writer:
        for answer in answers:
            writer.write(answer)
    return file.getvalue()


# --- what is read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("x,y\n1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("1,2\n3,4", [[1, 2], [3, 4]]),
        ("1,2,3\n", [[1, 2, 3]]),
        ("y,x\n1,2\n", [[2, 1]]),
        ("z,y,x\n1,2,3\n", [[3, 2, 1]]),
        ("\ufeffx,y\n1,2\n", [[1, 2]]),
        ("\ufeff1,2\n", [[1, 2]]),
        ("x,y\r\n1,2\r\n\r\n3,4\r\n", [[1, 2], [3, 4]]),
        ("x,y\r1,2\r3,4", [[1, 2], [3, 4]]),
        ("\n\n  \nx,y\n\n1,2\n   \n3,4\n\n", [[1, 2], [3, 4]]),
        (' X , "Y"\n "1", 2e0 \n+.5, -1', [[1, 2], [0.5, -1]]),
        ("x,y\n", np.empty((0, 2))),
        ("x,y,z", np.empty((0, 3))),
        ("nan,inf\n-inf,1e400\n", [[np.nan, np.inf], [-np.inf, np.inf]]),
        ("1,2\n1,-NaN\n", [[1, 2], [1, np.nan]]),
    ],
)
def test_csv_is_read_by_its_header_or_by_its_width(text, target):
    np.testing.assert_array_equal(read(text)[0]["target"], np.array(target, float))


def test_columns_become_arguments_by_their_names():
    values, _ = read("side,nz,ny,nx,r2,r1,z,y,x\n1,2,3,4,5,6,7,8,9\n")
    found = {name: value.tolist() for name, value in values.items()}
    pole, target = [[4.0, 3.0, 2.0]], [[9.0, 8.0, 7.0]]
    assert found == {"target": target, "r1": [6.0], "r2": [5.0], "side": [1.0], "pole": pole}


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ('{"x": 1, "y": 2}\n{"y": 4, "x": 3}\n', [[1, 2], [3, 4]]),
        ("[1, 2]\n\n [3, 4.5] \n", [[1, 2], [3, 4.5]]),
        ('[1, 2, 3]\r\n{"z": 3, "y": 2, "x": 1}', [[1, 2, 3], [1, 2, 3]]),
        ("[null, NaN]\n[Infinity, -Infinity]", [[np.nan, np.nan], [np.inf, -np.inf]]),
        (f"[1{'0' * 5000}, 1]", [[np.inf, 1]]),
        ("\ufeff[1, 2]", [[1, 2]]),
    ],
)
def test_json_lines_are_objects_or_arrays(text, target):
    np.testing.assert_array_equal(read(text, "jsonl")[0]["target"], np.array(target, float))


@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", ">f4", "i1", "u8", ">i4", "f2"])
@pytest.mark.parametrize("shape", [(5, 2), (5, 3), (2,), (3,), (0, 2)])
def test_arrays_keep_their_numbers_in_every_order(dtype, shape):
    array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    for order in (array, np.asfortranarray(array)):
        target = read(npy(order), "npy")[0]["target"]
        np.testing.assert_array_equal(target, np.atleast_2d(array))
        assert target.dtype.isnative
        assert (target.dtype == np.float32) == (array.dtype.str[1:] == "f4")
        assert target.dtype != np.float16  # which `reach` does not take


def test_places_are_lines_of_text_and_rows_of_arrays():
    assert read("\nx,y\n\n1,2\n3,4\n\n5,6\n")[1] == [4, 5, 7]
    assert read("1,2\n3,4\n")[1] == [1, 2]
    assert read("[1,2]\n\n[3,4]\n", "jsonl")[1] == [1, 3]
    assert read(npy(np.ones((3, 2))), "npy")[1] == [0, 1, 2]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
def test_blocks_end_anywhere_without_a_row_lost(kind, end):
    point = "{},{}" if kind == "csv" else "[{},{}]"
    text = end.join(point.format(i, -i) for i in range(300))
    wanted = [[i, -i] for i in range(300)]
    step = len(end) if end == "\n\n" else 1
    for most in (1, 2, 3, 7, 64, 1000):
        values, places = read("\ufeff" + text, kind, most)
        assert values["target"].tolist() == wanted
        assert places == list(range(1, 300 * step + 1, step))


def test_arrays_come_in_chunks():
    array = np.random.default_rng(3).normal(size=(2 * 65_536 + 2, 3))
    pieces = list(tables.read(io.BytesIO(npy(array)), "t", "npy"))
    assert [len(piece.places) for piece in pieces] == [65_536, 65_536, 2]
    assert [place for piece in pieces for place in piece.places] == list(range(len(array)))
    assert [piece.share for piece in pieces][-1] == 1.0
    np.testing.assert_array_equal(np.concatenate([p.values["target"] for p in pieces]), array)


def test_rows_before_a_bad_line_are_yielded():
    for kind, data in (
        ("csv", "1,2\n3,4\n5,a\n7,8"),
        ("jsonl", "[1,2]\n[3,4]\n[5]\n[7,8]"),
        ("jsonl", '{"x": 1, "y": 2}\n{"y": 4, "x": 3}\n{}\n'),
    ):
        pieces = tables.read(io.BytesIO(data.encode()), "t", kind)
        assert next(pieces).values["target"].tolist() == [[1.0, 2.0], [3.0, 4.0]]
        with pytest.raises(FileError, match="line 3"):
            next(pieces)


# --- what is not --------------------------------------------------------------------------

KNOWN = "x, y, z, r1, r2, side, nx, ny, nz"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x,y\n1,2\n3,abc\n", "t, line 3, column y: expected a number, got 'abc'"),
        ("1,abc\n", "t, line 1, column y: expected a number, got 'abc'"),
        ("\n\nx,y\n\n1,\n", "t, line 5, column y: expected a number, got ''"),
        ("x,y\n1_000,2\n", "t, line 2, column x: expected a number, got '1_000'"),
        ("x,y\n1,2,3\n", "t, line 2: expected 2 fields (x, y), got 3"),
        ("1,2\n1,2,3\n", "t, line 2: expected 2 fields (x, y), got 3"),
        ("1,2,3\n1,2\n", "t, line 2: expected 3 fields (x, y, z), got 2"),
        ("1,2\n1\n", "t, line 2: expected 2 fields (x, y), got 1"),
        ("x,y,x\n", "t, line 1: expected each column once, got x twice"),
        ("x,r1\n", "t, line 1: expected columns x and y, got x, r1"),
        (
            "x,y,z,nx,ny\n",
            "t, line 1: expected nx, ny and nz together, and z with them, got x, y, z, nx, ny",
        ),
        (
            "x,y,nx,ny,nz\n",
            "t, line 1: expected nx, ny and nz together, and z with them, got x, y, nx, ny, nz",
        ),
        (
            "1,2,3,4\n",
            f"t, line 1: expected 2 or 3 fields, or a header of {KNOWN}, on the first line,"
            " got 4 without a header",
        ),
        ("", "t: expected rows of coordinates, got nothing: it is empty"),
        (" \n\n", "t: expected rows of coordinates, got nothing but white space"),
        (
            '1,2\n"3,4\n',
            "t, line 2: expected fields separated by commas, quotes closed on the same line,"
            " got '\"3,4'",
        ),
        (
            '1,2\n3,"4\n"\n',
            "t, line 2: expected fields separated by commas, quotes closed on the same line,"
            " got '3,\"4'",
        ),
        (b"1,2\n3,\xff4\n", "t, line 2: expected UTF-8 text, got the byte 0xff"),
        ("x,y\n".encode("utf-16"), "t, line 1: expected UTF-8 text, got the byte 0xff"),
        (b"1,2\r3,\xe9", "t, line 2: expected UTF-8 text, got the byte 0xe9"),
        (b"1,2\n1,\0", "t, line 2, column y: expected a number, got '\\x00'"),
        ("x,y\n1," + "y" * 99, f"t, line 2, column y: expected a number, got '{'y' * 56}..."),
    ],
)
def test_a_bad_csv_line_is_told_by_line_and_column(text, wanted):
    assert message(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('[1, 2]\n[1, "2"]', 't, line 2, column y: expected a number, got "2"'),
        ("[1, true]", "t, line 1, column y: expected a number, got true"),
        ("[1, 2]\n[[1], 2]", "t, line 2, column x: expected a number, got [1.0]"),
        ("[1, 2]\n[1, 2, 3]", "t, line 2: expected x, y, as in the first row, got x, y, z"),
        (
            '{"x": 1, "y": 2, "r1": 3}\n{"x": 1, "y": 2}',
            "t, line 2: expected x, y, r1, as in the first row, got x, y",
        ),
        ('{"x": 1}', "t, line 1: expected columns x and y, got x"),
        *(
            (
                text,
                f"t, line {line}: expected a JSON object with x and y, or an array of 2 or 3"
                f" numbers, got {came}",
            )
            for text, line, came in [
                ("[1, 2]\n[1, 2", 2, "'[1, 2'"),
                ("[1, 2]\n[1]", 2, "'[1]'"),
                ("3", 1, "'3'"),
                ("[\n[1, 2]\n]", 1, "'['"),
                ("[1,2],[3,4]\n[5,\n6]", 1, "'[1,2],[3,4]'"),
                ("[1,2]\n[1,2],[3\n4]\n", 2, "'[1,2],[3'"),
                ("[1,2]\n[1,[2]\n[3],4]\n", 2, "'[1,[2]'"),
                ("[1,2]\n[1,2],[3,4]\n", 2, "'[1,2],[3,4]'"),
                ("[" * 50000, 1, "'" + "[" * 56 + "..."),
            ]
        ),
        ("", "t: expected rows of coordinates, got nothing: it is empty"),
        ("\n \n", "t: expected rows of coordinates, got nothing but white space"),
    ],
)
def test_a_bad_json_line_is_told_by_line_and_column(text, wanted):
    assert message(text, "jsonl") == wanted


def test_json_rows_do_not_run_over_lines_within_one_block():
    # Two rows on one line and one row on two lines: as one text it would be three rows again.
    assert "line 1" in message('{"x":1,"y":2},{"x":3,"y":4}\n{"x":5,\n"y":6}\n[7,8]', "jsonl")
    assert "line 2" in message('[1,2]\n[1,2],[3,4]\n["]\n[",3]', "jsonl")


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"", "a .npy file, got one without a header that can be read"),
        (b"garbage" * 99, "a .npy file, got one without a header that can be read"),
        (npy(np.ones((9, 2)))[:60], "a .npy file, got one without a header that can be read"),
        (npy(np.ones((9, 2)))[:-1], "144 bytes of numbers, got 143: it is cut off"),
        (npy(np.ones((9, 4))), "an array of shape (n, 2), (n, 3), (2,) or (3,), got (9, 4)"),
        (npy(np.ones(())), "an array of shape (n, 2), (n, 3), (2,) or (3,), got a single number"),
        (npy(np.ones((2, 2, 2))), "an array of shape (n, 2), (n, 3), (2,) or (3,), got (2, 2, 2)"),
        *(
            (npy(array), f"an array of integers or of floats of at most 64 bits, got {name}")
            for array, name in [
                (np.ones((2, 2), bool), "true or false"),
                (np.ones((2, 2), complex), "complex numbers"),
                (np.ones((2, 2), "U3"), "text"),
                (np.array([[None, {}]]), "objects (a pickle)"),
                (np.ones((2, 2), "M8[s]"), "dates or times"),
            ]
        ),
        (pickle.dumps([1, 2]), "a .npy file, got one without a header that can be read"),
    ],
)
def test_an_array_that_is_none_of_targets_is_told(data, wanted):
    assert message(data, "npy") == f"t: expected {wanted}"


def test_numbers_of_more_than_64_bits_are_refused():
    array = np.ones((2, 2), np.longdouble)
    if array.itemsize == 8:
        pytest.skip("the longest floats of this machine have 64 bits")
    assert "floats of at most 64 bits" in message(npy(array), "npy")


def test_a_pickle_is_never_opened():
    class Trap:
        def __reduce__(self):
            return (exec, ("raise SystemExit('opened')",))

    assert "a pickle" in message(npy(np.array([[Trap(), Trap()]])), "npy")


def test_a_line_without_an_end_does_not_fill_the_memory():
    class Endless(io.BytesIO):
        asked = 0

        def read1(self, size):
            self.asked += size
            return b"1" * size

    stream = Endless()
    with pytest.raises(FileError, match=r"line 1: expected a line of at most 65536 bytes"):
        list(tables.read(stream, "t", "csv"))
    assert stream.asked < 2_000_000


@given(st.binary(max_size=200), st.sampled_from(["csv", "jsonl", "npy"]))
def test_garbage_is_read_or_told(data, kind):
    try:
        values, places = read(data, kind)
    except FileError:
        return
    assert len(values["target"]) == len(places)


HEADER = npy(np.ones((4, 2)))


@given(st.integers(6, 127), st.binary(min_size=1, max_size=4))
def test_a_spoilt_array_header_is_read_or_told(place, data):
    spoilt = HEADER[:place] + data + HEADER[place + len(data) :]
    with suppress(FileError):
        assert read(spoilt, "npy")[0]["target"].ndim == 2


# --- what is written ----------------------------------------------------------------------

RNG = np.random.default_rng(11)
PLANE = RNG.normal(size=(40, 2)) * 10.0 ** RNG.integers(-300, 300, (40, 1))
SPACE = RNG.normal(size=(40, 3))
PLANE[3] = np.nan, 1.0


def answers(target, both=False, dtype=np.float64):
    target = target.astype(dtype)
    pole = {"pole": [0.0, 0.0, 1.0]} if target.shape[-1] == 3 else {}
    if not both:
        return twobone.reach(target, 1.0, 0.75, **pole)
    plus, minus = (twobone.reach(target, 1.0, 0.75, side=side, **pole) for side in (1, -1))
    return plus._replace(joint=np.stack([plus.joint, minus.joint], axis=1))


def halves(answer):
    """Return an answer in two pieces, and an empty one before."""
    return [twobone.Reach(*(part[cut] for part in answer)) for cut in (HEAD, slice(15), REST)]


HEAD, REST = slice(0), slice(15, None)


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("target", [PLANE, SPACE], ids=["plane", "space"])
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
class TestAnswersComeBackToTheBit:
    def test_from_csv(self, target, dtype, both):
        answer = answers(target, both, dtype)
        header, *lines = written(halves(answer), "csv").decode().splitlines()
        size = target.shape[1]
        points = ["joint_plus", "joint_minus", "end"] if both else ["joint", "end"]
        names = [f"{point}_{axis}" for point in points for axis in "xyz"[:size]]
        assert header == ",".join([*names, "status"])
        rows = [line.split(",") for line in lines]
        numbers = np.array([row[:-1] for row in rows], float)
        flat = np.concatenate([answer.joint.reshape(40, -1), answer.end], axis=1)
        np.testing.assert_array_equal(numbers, flat)
        assert [twobone.Status[row[-1]] for row in rows] == answer.status.tolist()

    def test_from_json_lines(self, target, dtype, both):
        def no_constants(name):
            raise AssertionError(f"{name} is no JSON")

        answer = answers(target, both, dtype)
        rows = [
            json.loads(line, parse_constant=no_constants)
            for line in written(halves(answer), "jsonl").decode().splitlines()
        ]
        name = "joints" if both else "joint"
        assert all(list(row) == [name, "end", "status"] for row in rows)
        np.testing.assert_array_equal(np.array([row[name] for row in rows], float), answer.joint)
        np.testing.assert_array_equal(np.array([row["end"] for row in rows], float), answer.end)
        assert [twobone.Status[row["status"]] for row in rows] == answer.status.tolist()

    def test_from_an_array(self, target, dtype, both):
        answer = answers(target, both, dtype)
        records = np.load(io.BytesIO(written(halves(answer), "npy")), allow_pickle=False)
        name = "joints" if both else "joint"
        assert records.dtype.names == (name, "end", "status")
        assert records[name].dtype == dtype
        for field, part in zip(records.dtype.names, answer, strict=True):
            np.testing.assert_array_equal(records[field], part)


def test_an_empty_table_has_its_header_in_every_format():
    nothing = twobone.Reach(*(part[:0] for part in answers(PLANE)))
    assert written([nothing], "csv") == b"joint_x,joint_y,end_x,end_y,status\n"
    assert written([nothing], "jsonl") == b""
    assert np.load(io.BytesIO(written([nothing], "npy"))).shape == (0,)


# --- files that are whole or not there ----------------------------------------------------


def test_a_file_takes_the_place_of_another_only_when_it_is_whole(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o640)
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 2
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_half_written_is_removed(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    with suppress(KeyboardInterrupt), replacing(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_folder_that_is_not_there_is_named_as_it_was_asked_for(tmp_path):
    path = str(tmp_path / "no" / "a.csv")
    with pytest.raises(FileNotFoundError) as caught, replacing(path):
        pass
    assert caught.value.filename == path


def test_arrays_with_a_long_header_are_read():
    file, target = io.BytesIO(), np.array([[1.0, 2.0], [3.0, 4.0]])
    np.lib.format.write_array(file, target, version=(2, 0))
    np.testing.assert_array_equal(read(file.getvalue(), "npy")[0]["target"], target)
