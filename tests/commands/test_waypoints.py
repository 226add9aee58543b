"""Waypoints as the command line takes them."""

import os

import numpy as np
import pytest

from twobone.commands.streams import CommandError
from twobone.commands.waypoints import read_path
from twobone.creature import make_path
from twobone.errors import FileError

WAY = [[0.0, 5.0], [5.0, -1.5]]


def read(text):
    return read_path(str(text), make_path, "dog")


def test_numbers_are_waypoints():
    assert read("0,5 5,-1.5").tolist() == WAY
    assert read("  1e1,2 ").tolist() == [[10.0, 2.0]]


def test_words_are_paths_of_the_animals_size():
    np.testing.assert_array_equal(read("eight"), make_path("eight", "dog"))


@pytest.mark.parametrize("header", ["", "x,z\n", "X, Z\r\n", "\ufeffx,z\n", '"x","z"\n'])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_of_two_columns(tmp_path, header, delimiter):
    path = tmp_path / "way.csv"
    path.write_text(f"{header}0,5\n5,-1.5\n".replace(",", delimiter))
    assert read(path).tolist() == WAY


def test_arrays_and_lines_of_json(tmp_path):
    np.save(tmp_path / "way.npy", np.array(WAY, np.float32))
    assert read(tmp_path / "way.npy").tolist() == WAY
    for lines in ("[0, 5]\n[5, -1.5]\n", '{"x": 0, "z": 5}\n{"z" : -1.5, "x": 5}\n'):
        (tmp_path / "way.jsonl").write_text(lines)
        assert read(tmp_path / "way.jsonl").tolist() == WAY


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("way.csv", "x,y\n0,5\n"),
        ("way.csv", "Y;X\n0;5\n"),
        ("way.csv", '"x","y"\n0,5\n'),
        ("way.jsonl", '{"x": 0, "y": 5}\n'),
    ],
)
def test_columns_x_and_y_are_not_taken_for_x_and_z(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(CommandError, match=f"{name}: waypoints have columns x and z, got a column"):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"x": 0, "z": "a"}\n', "line 1, column z: expected a number"),
        ('{"x": 0}\n', "line 1: expected columns x and z, got x"),
        ('{"x": 0, "z": 5}\n{"x": 1}\n', "line 2: expected x, z, as in the first row, got x"),
    ],
)
def test_errors_of_a_file_name_the_columns_of_a_path(tmp_path, content, said):
    (tmp_path / "way.jsonl").write_text(content)
    with pytest.raises(FileError, match=said):
        read(tmp_path / "way.jsonl")


@pytest.mark.parametrize("text", ["", "  ", "0,5 5", "1,2,3", "a,b", "0;5", "square", "1_0,2"])
def test_what_is_no_path_is_told_what_would_be(text):
    with pytest.raises(CommandError, match="--path must be circle, eight, waypoints such as"):
        read(text)


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        ("0,5,1\n", CommandError, "waypoints must have two columns, x and z"),
        ("x,z,r1\n0,5,1\n", CommandError, "waypoints must have two columns"),
        ("x,z,name\n0,5,a\n", CommandError, "waypoints must have two columns"),
        ("x;z\n0,5;5\n", FileError, "line 2, column x: expected a number with a decimal point"),
        ("0,5\n1,b\n", FileError, "line 2, column z: expected a number, got 'b'"),
        ("x,z\n0,5\n1,b\n", FileError, "line 3, column z"),
        ("0,5\nnan,1\n", CommandError, r"must be finite, got \[nan, 1.0\]"),
        ("a,b\n0,1\n", FileError, "line 1: expected columns x and z, got a, b"),
        ("x,z\n", CommandError, "contains no waypoints"),
    ],
)
def test_tables_that_are_no_path_are_told_why(tmp_path, content, error, said):
    path = tmp_path / "way.csv"
    path.write_text(content)
    with pytest.raises(error, match=said):
        read(path)


def test_a_file_too_large_is_not_read(tmp_path):
    (tmp_path / "way.csv").write_text("0,5\n5,-1.5\n")
    os.truncate(tmp_path / "way.csv", (1 << 24) + 1)  # it takes no room on the disk
    with pytest.raises(CommandError, match="at most 16777216 bytes"):
        read(tmp_path / "way.csv")
