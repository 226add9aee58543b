"""BVH documents: what a file says, the same bytes again, and what is wrong with broken ones."""

import time
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bvh_files import ODD
from real_clips import clip_named, with_bvh
from twobone import ArrayTypeError, ClipError
from twobone.files import bvh, bvh_numbers

HEADER = b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 2\n"
SMALL = HEADER + b"Frame Time: .1\n1.0\n2.0\n"


# --- reading ------------------------------------------------------------------------------


def test_everything_unusual_is_read():
    document = bvh.read(ODD)
    assert document.names == ("Hips", "Left Leg", "Foot", "Foot End Site", "Right Leg", "Foot")
    assert document.parents == (-1, 0, 1, 2, 0, 4)
    assert document.end_sites == (False, False, False, True, False, False)
    assert document.channels[4] == ("Zrotation", "Xrotation", "Yposition", "Yrotation")
    assert document.channels[5] == ("Zrotation", "Xrotation")
    assert document.columns == (0, 6, 9, 10, 10, 14)
    assert document.offsets[2].tolist() == [0.0, -0.5, 0.0]
    assert document.frame_time == 0.0083333
    assert document.numbers.tolist() == [
        [0, 1, 0, 10.5, 270, -30, 5, 90, 7, 12, 0, 3.5, -0.1, 10, 4, -5],
        [0.5, 1, 0.25, 10.5, -400, 100, 5, 90, 7, 12, 0, 3.5, -0.1, 10, 4, -5],
    ]


@with_bvh
def test_numbers_are_those_of_python(path):
    data = path.read_bytes()
    document = bvh.read(path)
    tokens = data.partition(b"Frame Time:")[2].split()[1:]
    expected = np.array([float(token) for token in tokens]).reshape(document.numbers.shape)
    assert expected.tobytes() == document.numbers.tobytes()


@settings(max_examples=30)
@given(
    st.lists(
        st.from_regex(
            rb"[+-]?([0-9]{1,18}\.?[0-9]{0,20}|\.[0-9]{1,20})(e-?[0-9]{1,2})?", fullmatch=True
        ),
        min_size=1,
        max_size=30,
    )
)
def test_every_number_is_the_float_that_python_reads(tokens):
    data = SMALL.replace(b"Frames: 2", b"Frames: %d" % len(tokens)).replace(
        b"1.0\n2.0", b"\n".join(tokens)
    )
    found = bvh.read(data).numbers.ravel()
    assert found.tobytes() == np.array([float(token) for token in tokens]).tobytes()


def test_numbers_of_any_length_are_rounded_once():
    rng = np.random.default_rng(1)
    digits = [bytes(rng.integers(48, 58, 1 + i % 20).tolist()) for i in range(4000)]
    tokens = [text[: i % 7] + b"." + text[i % 7 :] for i, text in enumerate(digits)]
    tokens = [b"-0" + text if text == b"." else text for text in tokens]
    data = SMALL.replace(b"1.0\n2.0", b"\n".join(tokens)).replace(b"s: 2", b"s: 4000")
    found = bvh.read(data).numbers.ravel()
    assert found.tobytes() == np.array([float(token) for token in tokens]).tobytes()


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("last", [True, False])
def test_any_line_end_and_none_at_the_end(line_end, last):
    data = SMALL.replace(b"\n", line_end)
    data = data if last else data.removesuffix(line_end)
    document = bvh.read(data)
    assert document.numbers.ravel().tolist() == [1.0, 2.0]
    assert document.to_bytes() == data
    changed = data.replace(b"2.0", b"2.5")
    assert document.to_bytes([[1.0], [2.5]]) == changed


def test_several_roots_and_a_mark_of_byte_order():
    more = b"ROOT b { OFFSET 1 2 3 CHANNELS 1 Yrotation } MOTION"
    data = b"\xef\xbb\xbf" + SMALL.replace(b"MOTION", more).replace(b".0\n", b".0 7\n")
    document = bvh.read(data)
    assert document.parents == (-1, -1)
    assert document.numbers.tolist() == [[1.0, 7.0], [2.0, 7.0]]
    assert document.to_bytes() == data


def test_a_path_and_bytes_are_the_same(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_bytes(SMALL)
    assert bvh.read(path).numbers.tolist() == bvh.read(str(path)).numbers.tolist()
    assert bvh.read(path).source == str(path)
    with pytest.raises(ArrayTypeError, match="path or bytes"):
        bvh.read(7)
    with pytest.raises(OSError, match=r"none\.bvh"):
        bvh.read(tmp_path / "none.bvh")


# --- writing ------------------------------------------------------------------------------


@with_bvh
def test_a_file_that_is_not_changed_keeps_its_bytes(path):
    assert bvh.read(path).to_bytes() == path.read_bytes()


@pytest.mark.parametrize("data", [ODD, SMALL])
def test_only_changed_numbers_are_rewritten(data):
    document = bvh.read(data)
    numbers = document.numbers.copy()
    numbers[1, -1] = 0.1 + 0.2
    new = document.to_bytes(numbers)
    before, _, after = data.rpartition(data.split()[-1])
    assert new == before + b"0.30000000000000004" + after
    assert bvh.read(new).numbers.tolist() == numbers.tolist()


def test_numbers_are_written_without_exponents():
    texts = bvh_numbers.to_texts(np.array([1e-7, 1.5e300, -2e-20, 3.0, 0.1]))
    assert texts[0] == "0.0000001"
    assert texts[3:] == ["3.0", "0.1"]
    assert not any("e" in text for text in texts)
    assert [float(text) for text in texts] == [1e-7, 1.5e300, -2e-20, 3.0, 0.1]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2))
def test_numbers_written_are_numbers_read(numbers):
    back = bvh.read(bvh.read(SMALL).to_bytes(np.array(numbers)[:, None]))
    assert back.numbers.ravel().tolist() == numbers


def test_another_number_of_frames_and_another_frame_time():
    document = bvh.read(ODD)
    new = document.to_bytes(document.numbers[[0, 1, 1]], 0.25)
    assert new.startswith(ODD.partition(b"Frames:")[0])
    assert b"Frames:\t3\r\nFrame Time: 0.25\r\n" in new
    back = bvh.read(new)
    assert back.frame_time == 0.25
    assert back.numbers.tolist() == document.numbers[[0, 1, 1]].tolist()


def test_a_document_of_arrays_is_a_new_file():
    document = bvh.read(ODD)
    new = bvh.BvhDocument(
        document.names,
        document.parents,
        document.offsets,
        document.channels,
        document.frame_time,
        document.numbers,
        end_sites=document.end_sites,
    )
    back = bvh.read(new.to_bytes())
    for name in ("names", "parents", "channels", "end_sites", "columns", "frame_time"):
        assert getattr(back, name) == getattr(document, name)
    assert back.offsets.tolist() == document.offsets.tolist()
    assert back.numbers.tolist() == document.numbers.tolist()
    assert back.to_bytes() == new.to_bytes()


PARTS = {
    "names": ["a", "b", "b End Site"],
    "parents": [-1, 0, 1],
    "offsets": np.zeros((3, 3)),
    "channels": [["Xposition"], [], []],
    "frame_time": 0.1,
    "numbers": [[1.0], [2.0]],
    "end_sites": [False, False, True],
}
WRONG = {
    "parents of none": ({"parents": [-1, 0, 5]}, "followed by its descendants"),
    "parents in another order": ({"parents": [-1, -1, 0]}, "followed by its descendants"),
    "too few parents": ({"parents": [-1, 0]}, "as many parents"),
    "a child of an end site": ({"end_sites": [0, 1, 1]}, "no child of an end site"),
    "a channel twice": ({"channels": [["Xposition"] * 2, [], []]}, "each once"),
    "an unknown channel": ({"channels": [["Wrotation"], [], []]}, "channels of Xposition"),
    "channels of an end site": ({"channels": [[], [], ["Xposition"]]}, "none of end sites"),
    "a name with a line break": ({"names": ["a\n}", "b", "c"]}, "without braces, line breaks"),
    "no name": ({"names": ["", "b", "c"]}, "without braces, line breaks"),
    "NaN": ({"numbers": [[1.0], [np.nan]]}, "got NaN or infinity"),
    "too many numbers": ({"numbers": [[1.0, 2.0]]}, r"got shape \(1, 2\)"),
    "no frames": (
        {"numbers": np.zeros((0, 1))},
        r"shape \(T, 1\), at least one row and one column, got shape \(0, 1\)",
    ),
    "infinite offsets": ({"offsets": np.full((3, 3), np.inf)}, "got NaN or infinity"),
    "no time": ({"frame_time": 0.0}, "seconds for a frame"),
}


@pytest.mark.parametrize("name", WRONG)
def test_parts_that_make_no_file_are_refused(name):
    bvh.BvhDocument(**PARTS)
    changed, message = WRONG[name]
    with pytest.raises(ClipError, match=message):
        bvh.BvhDocument(**PARTS | changed)


# --- broken files -------------------------------------------------------------------------


TRUNCATED = SMALL[: SMALL.index(b"CHANNELS") + 9]
BROKEN = {
    "empty": (b"", 1, 1, "HIERARCHY, in UTF-8, got nothing: it is empty"),
    "white space": (b" \n ", 2, 2, "HIERARCHY, got the end of the file"),
    "of another format": (b"\x89PNG\r\n", 1, 1, "expected the word HIERARCHY"),
    "without ROOT": (b"HIERARCHY\nMOTION", 2, 1, "expected ROOT, got 'MOTION'"),
    "truncated header": (TRUNCATED, 5, 10, "the number of channels, 0 to 6, got the end"),
    "without a name": (SMALL.replace(b"ROOT a", b"ROOT"), 2, 5, "the name of a joint"),
    "long name": (SMALL.replace(b"ROOT a", b"ROOT " + b"a" * 2000), 2, 6, "got 2000 bytes"),
    "not UTF-8": (SMALL.replace(b"ROOT a", b"ROOT \xe9"), 2, 6, "UTF-8 text, got the byte 0xe9"),
    "missing }": (SMALL.replace(b"}\n", b""), 6, 1, "JOINT, End Site or }, got 'MOTION'"),
    "missing {": (SMALL.replace(b"{\n", b""), 3, 1, "expected {, got 'OFFSET'"),
    "one } too many": (SMALL.replace(b"}\n", b"}\n}\n"), 7, 1, "ROOT or MOTION, got '}'"),
    "two offsets": (SMALL.replace(b"CHANNELS", b"OFFSET 0 0 0\nCHANNELS"), 5, 1, "got 'OFFSET'"),
    "short offset": (SMALL.replace(b"0 0 0", b"0 0"), 5, 1, "for each of x, y, z"),
    "NaN in an offset": (SMALL.replace(b"0 0 0", b"0 nan 0"), 4, 10, "got 'nan'"),
    "unknown channel": (SMALL.replace(b"Xro", b"Wro"), 5, 12, "one of the channels Xpos"),
    "a channel twice": (
        SMALL.replace(b"1 Xrotation", b"2 Xrotation xrotation"),
        5,
        22,
        "Xrotation twice",
    ),
    "a wrong number of channels": (SMALL.replace(b"S 1 X", b"S 2 X"), 6, 1, "got '}'"),
    "too many channels": (SMALL.replace(b"S 1 X", b"S 7 X"), 5, 10, "0 to 6, got '7'"),
    "no channels": (SMALL.replace(b"1 Xrotation", b"0"), 8, 9, "joints with channels, got none"),
    "no number of frames": (SMALL.replace(b"Frames: 2", b"Frames: x"), 8, 9, "1 or more"),
    "no frames": (SMALL.replace(b"Frames: 2", b"Frames: 0"), 8, 9, "1 or more, got '0'"),
    "no Frames": (SMALL.replace(b"Frames: 2\n", b""), 8, 1, "Frames: and a number"),
    "no frame time": (SMALL.replace(b": .1", b": 0"), 9, 13, "a frame, between 1e-300 and 1e+300"),
    "a short time": (SMALL.replace(b": .1", b": 1e-301"), 9, 13, "between 1e-300 and 1e+300"),
    "a long time": (SMALL.replace(b": .1", b": 1e301"), 9, 13, "between 1e-300 and 1e+300"),
    "too few frames": (SMALL.replace(b"2.0\n", b""), 8, 9, "lines with numbers, 1, got 2"),
    "too many frames": (SMALL + b"3\n", 8, 9, "lines with numbers, 3, got 2"),
    "a billion frames": (SMALL.replace(b"s: 2", b"s: 1000000000"), 8, 9, "2, got 1000000000"),
    "a long line": (SMALL.replace(b"2.0", b"2.0 3"), 11, 1, "1 numbers in a line"),
    "NaN": (SMALL.replace(b"2.0", b" nan"), 11, 2, "a finite number, got 'nan'"),
    "infinity": (SMALL.replace(b"2.0", b"\t1e999"), 11, 2, "a finite number, got '1e999'"),
    "a comma": (SMALL.replace(b"2.0", b"2,0"), 11, 1, "a finite number, got '2,0'"),
    "two points": (SMALL.replace(b"2.0", b"2.0.0"), 11, 1, "got '2.0.0'"),
    "a lone sign": (SMALL.replace(b"2.0", b"-"), 11, 1, "got '-'"),
    "a lone exponent": (SMALL.replace(b"2.0", b"e"), 11, 1, "got 'e'"),
    "junk at the end": (SMALL + b"end", 12, 1, "a finite number, got 'end'"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said_with_line_and_column(name):
    data, line, column, message = BROKEN[name]
    with pytest.raises(ClipError) as caught:
        bvh.read(data, "walk.bvh")
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"walk.bvh, line {line}, column {column}: ")
    assert (caught.value.line, caught.value.column) == (line, column)


def test_columns_count_characters():
    data = SMALL.replace(b"ROOT a\n{", "ROOT äöü { x".encode())
    with pytest.raises(ClipError) as caught:
        bvh.read(data)
    assert (caught.value.line, caught.value.column) == (2, 12)


def test_deep_nesting_needs_no_recursion():
    depth = 20_000
    block = b"JOINT a { OFFSET 0 0 0 CHANNELS 0 "
    data = SMALL.replace(b"}", block * depth + b"}" * (depth + 1))
    document = bvh.read(data)
    assert len(document.names) == depth + 1
    assert document.parents[-1] == depth - 1


def test_a_device_is_no_file():
    with pytest.raises(ClipError, match="a device or a pipe"):
        bvh.read("/dev/null")


def broken(data, draw):
    """Return a file that is truncated, or has a byte changed, removed or inserted."""
    at = draw(st.integers(0, len(data)))
    byte = bytes([draw(st.integers(0, 255))])
    how = draw(st.sampled_from(["truncate", "change", "remove", "insert", "repeat"]))
    return {
        "truncate": data[:at],
        "change": data[:at] + byte + data[at + 1 :],
        "remove": data[:at] + data[at + 1 :],
        "insert": data[:at] + byte + data[at:],
        "repeat": data[:at] + data[at : at + 40] * 3 + data[at + 40 :],
    }[how]


@settings(max_examples=400)
@given(st.data(), st.sampled_from([ODD, SMALL]))
def test_a_broken_file_is_read_or_refused(draw, data):
    for _ in range(draw.draw(st.integers(1, 3))):
        data = broken(data, draw.draw)
    try:
        document = bvh.read(data)
    except ClipError as error:
        assert None not in (error.line, error.column)  # noqa: PT017
    else:
        assert document.to_bytes() == data


def test_memory_is_bounded_by_the_size_of_the_file():
    data = SMALL.replace(b"1.0\n2.0\n", b"7\n" * 500_000).replace(b": 2", b": 500000")
    for text in (data, data.replace(b": 500000", b": 999999999999"), data + b"x"):
        tracemalloc.start()
        with suppress(ClipError):
            bvh.read(text)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 40 * len(text)


# --- another reader -----------------------------------------------------------------------


@with_bvh
def test_pybvh_reads_the_same(path):
    pybvh = pytest.importorskip("pybvh", reason="pybvh is not installed")
    theirs = pybvh.read_bvh_file(path, world_up="+y", warn_on_world_up_disagreement=False)
    ours = bvh.read(path)
    count = len(ours.numbers)
    angles = np.degrees(theirs.joint_angles).reshape(count, -1)
    np.testing.assert_allclose(np.hstack([theirs.root_pos, angles]), ours.numbers, atol=1e-10)
    assert [node.is_end_site() for node in theirs.nodes] == list(ours.end_sites)
    np.testing.assert_array_equal([node.offset for node in theirs.nodes], ours.offsets)


@pytest.mark.slow
def test_reading_takes_no_longer_than_pybvh_and_half():
    pybvh = pytest.importorskip("pybvh", reason="pybvh is not installed")
    path = clip_named("01_01.bvh")

    times = {bvh.read: [], pybvh.read_bvh_file: []}
    for _ in range(9):
        for read, found in times.items():
            start = time.process_time()  # other processes do not count
            read(path)
            found.append(time.process_time() - start)
    ours, theirs = map(min, times.values())
    assert ours < 1.5 * theirs
