"""Columns that are none of a target's pass through; commas, semicolons and tabs."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import twobone
from streams import Pipe
from twobone.errors import FileError
from twobone.files import tables
from twobone.files.answers import writing

ANSWER = "0.0,2.0,1.0,2.0,REACHED"  # of the target 1, 2
JOINT = '"joint": [0.0, 2.0], "end": [1.0, 2.0], "status": "REACHED"'


def solved(data, kind="csv", to="csv", delimiter=None, most=1 << 30):
    """Return what a table becomes, with bones of 2 and 1."""
    data = data.encode() if isinstance(data, str) else data
    file = io.BytesIO()
    with writing(file, to, delimiter=delimiter) as writer:
        for piece in tables.read(Pipe(data, most), "t", kind, delimiter):
            writer.write(twobone.reach(piece.values["target"], 2.0, 1.0), piece)
    return file.getvalue().decode()


def message(*arguments, **options):
    with pytest.raises(FileError) as caught:
        solved(*arguments, **options)
    return str(caught.value)


def csv_of(header, *lines):
    return "".join(f"{line}\n" for line in (header, *lines))


# --- CSV to CSV ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # Answers stand where the first column of the targets stood.
        ("frame,x,y,note\n7,1,2,left", f"frame,{{}},note\n7,{ANSWER},left"),
        ("x,frame,y\n1,7,2", f"{{}},frame\n{ANSWER},7"),
        ("a,b,y,x\n3,4,2,1", f"a,b,{{}}\n3,4,{ANSWER}"),
        # Cells are as they stood, quotes and spaces included.
        ('x,y, "a ""b""",c\n1,2,"d, e", f ', f' "a ""b""",c\n{ANSWER},"d, e", f '),
        ('x,y,a\n1,2,5" tall', f'a\n{ANSWER},5" tall'),
        ('"x","y",a\n"1", "2",b', f"a\n{ANSWER},b"),
        ("X, Y ,Frame\n1,2,é\0", f"Frame\n{ANSWER},é\0"),
        # Names may be anything in CSV.
        (",x,y,,\n0,1,2,,", f",{{}},,\n0,{ANSWER},,"),
        ("x,y,id,id\n1,2,a,b", f"id,id\n{ANSWER},a,b"),
        ("x,y,2024,a_1\n1,2,0_1,é", f"2024,a_1\n{ANSWER},0_1,é"),
        ("\n\nx,y,a\r\n\n1,2,b\r\n   \n1,2,c", f"a\n{ANSWER},b\n{ANSWER},c"),
        ("x,y,a\n", "a"),
    ],
)
def test_other_columns_pass_through_in_their_place(text, wanted):
    ours = "joint_x,joint_y,end_x,end_y,status"
    wanted = wanted.format(ours) if "{}" in wanted else f"{ours},{wanted}"
    assert solved(text) == wanted + "\n"


def test_they_pass_through_beside_all_columns_of_targets():
    text = "id,x,y,z,r1,r2,side,nx,ny,nz,note\n7,1,2,3,4,5,-1,0,0,1,left\n"
    [piece] = tables.read(io.BytesIO(text.encode()), "t", "csv")
    assert {name: value.tolist() for name, value in piece.values.items()} == {
        "target": [[1.0, 2.0, 3.0]],
        "r1": [4.0],
        "r2": [5.0],
        "side": [-1.0],
        "pole": [[0.0, 0.0, 1.0]],
    }
    assert piece.others.all_names() == {"id", "note"}


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_blocks_end_anywhere(kind):
    line = (
        "{0},{1},{2},n{0}" if kind == "csv" else '{{"i": "{0}", "x": {1}, "y": {2}, "n": "n{0}"}}'
    )
    lines = [line.format(i, i, -i) for i in range(50)]
    text = "\n".join(["i,x,y,n", *lines] if kind == "csv" else lines)
    whole = solved(text, kind)
    assert whole.count("\n") == 51
    for most in (1, 7, 64, 1000):
        assert solved(text, kind, most=most) == whole


TEXT = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\r\n"), max_size=8)


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5), st.sampled_from(",;\t"))
def test_any_text_comes_out_as_it_went_in(texts, delimiter):
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["a", "x", "y", "b"])
    writer.writerows([a, i, 1, b] for i, (a, b) in enumerate(texts))
    came = list(csv.reader(io.StringIO(solved(file.getvalue())), delimiter=delimiter))
    assert [(row[0], row[-1]) for row in came[1:]] == texts
    lines = solved(file.getvalue(), to="jsonl").removesuffix("\n").split("\n")
    objects = list(map(json.loads, lines))
    assert [(row["a"], row["b"]) for row in objects] == texts


# --- JSON and CSV -------------------------------------------------------------------------

EXACT = [
    "7",
    "1.10",
    "1E+400",
    "123456789012345678901234567890",
    '"a\\u0041\\n\\ud83d"',
    '"\\u00e9 é \\" \\\\"',
    '[1, {"b": 1.0,"a" :2}]',
    "{}",
    "null",
    "true",
    "NaN",
    f"[{'[' * 50}{']' * 50}]",
]


@pytest.mark.parametrize("value", EXACT)
def test_values_of_json_come_out_as_they_stood(value):
    text = f'{{"a":{value}, "x": 1, "b" : {value},"y":2}}\n{{"x": 1, "y": 2}}\n'
    wanted = f'{{"a":{value}, {JOINT}, "b" : {value}}}\n{{{JOINT}}}\n'
    assert solved(text, "jsonl", "jsonl") == wanted
    assert solved(text.replace("{}\n", '{"c": 3}\n'), "jsonl", "jsonl") == wanted


def test_rows_of_json_may_differ_in_what_passes_through():
    lines = ['{"x": 1, "y": 2}', "[1, 2]", '{"b": 1, "y": 2, "x": 1, "a": {}}', "[1, 2]"]
    wanted = [JOINT, JOINT, f'"b": 1, {JOINT}, "a": {{}}', JOINT]
    assert solved("\n".join(lines), "jsonl", "jsonl") == csv_of(*(f"{{{w}}}" for w in wanted))
    later = csv_of(*(f"{{{w}}}" for w in wanted[1:]))
    assert solved("\n".join(lines[1:]), "jsonl", "jsonl") == later


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ('"left"', "left"),
        ('"a, \\"b\\""', '"a, ""b"""'),
        ('"two\\nlines"', '"two\nlines"'),
        ('"\\u00e9"', "é"),
        ('""', ""),
        ("1.10", "1.10"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("null", ""),
        ("false", "false"),
        ('[1, "a"]', '"[1, ""a""]"'),
    ],
)
def test_values_of_json_become_cells(value, cell):
    text = f'{{"n,m": {value}, "x": 1, "y": 2, "z z": {value}}}\n'
    header = '"n,m",joint_x,joint_y,end_x,end_y,status,z z'
    assert solved(text, "jsonl") == f"{header}\n{cell},{ANSWER},{cell}\n"


def test_a_member_that_is_missing_is_an_empty_cell():
    text = csv_of('{"a": 1, "x": 1, "y": 2, "b": 2}', '{"x": 1, "y": 2, "a": 3}', "[1, 2]")
    lines = solved(text, "jsonl").splitlines()[1:]
    assert lines == [f"1,{ANSWER},2", f"3,{ANSWER},", f",{ANSWER},"]


def test_cells_become_text():
    text = 'a,x,y, "b c"\n"0"" 7",1,2, d é\n'
    wanted = f'{{"a": "0\\" 7", {JOINT}, "b c": " d é"}}\n'
    assert solved(text, to="jsonl") == wanted


def test_numbers_in_arrays_have_no_place_for_text():
    assert solved("a,x,y\nb,1,2\n", to="csv").startswith("a,")
    file = io.BytesIO()
    with writing(file, "npy") as writer:
        for piece in tables.read(io.BytesIO(b"a,x,y\nb,1,2\n"), "t", "csv"):
            writer.write(twobone.reach(piece.values["target"], 2.0, 1.0), piece)
    assert b"'joint'" in file.getvalue()


# --- delimiters ---------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("given", [False, True])
def test_the_header_tells_what_stands_between(delimiter, given):
    text = "a,x,y\nb,1,2\n".replace(",", delimiter)
    wanted = f"a,joint_x,joint_y,end_x,end_y,status\nb,{ANSWER}\n".replace(",", delimiter)
    assert solved(text, delimiter=delimiter if given else None) == wanted


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_numbers_tell_it_too(delimiter):
    header, answer = (text.replace(",", delimiter) for text in (HEADER, ANSWER))
    assert solved(f"1{delimiter}2\n") == f"{header}\n{answer}\n"


HEADER = "joint_x,joint_y,end_x,end_y,status"


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("a;b,x,y\n;,1,2\n", f"a;b,{HEADER}"),
        ("x;y;a,b\n1;2;,\n", f"{HEADER};a,b".replace(",", ";", 4)),
        ('"a;x;y",x,y\n;,1,2\n', f'"a;x;y",{HEADER}'),
        ("a,b,c;x;y\n,;1;2\n", f"a,b,c;{HEADER.replace(',', ';')}"),
    ],
)
def test_other_characters_stand_in_names(text, header):
    assert solved(text).splitlines()[0] == header


def test_lines_of_json_become_cells_between_what_is_wanted():
    text = '{"a": "b;c,d", "x": 1, "y": 2}\n'
    wanted = f'a,{HEADER}\n"b;c,d",{ANSWER}\n'
    assert solved(text, "jsonl") == wanted
    assert solved(text, "jsonl", delimiter=";") == wanted.replace(",", ";").replace("c;d", "c,d")


# --- what is no table ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("frame,y\n", "t, line 1: expected columns x and y, got frame, y"),
        ("x|y\n1|2\n", "t, line 1: expected columns x and y, got x|y"),
        ("x,y,X\n", "t, line 1: expected each column once, got x twice"),
        ("x,y,a\n1,2\n", "t, line 2: expected 3 fields (x, y, a), got 2"),
        ("x,y,a\n1,2,b\n1,c,3\n", "t, line 3, column y: expected a number, got 'c'"),
        ("x,y,a\n1,1_0,3\n", "t, line 2, column y: expected a number, got '1_0'"),
        ("x,y,a\n1,\u0661,3\n", "t, line 2, column y: expected a number, got '\u0661'"),
        ('x,y,a\n1,"1_0",3\n', "t, line 2, column y: expected a number, got '1_0'"),
        (
            'x,y,a\n1,2,"b\nc"\n',
            "t, line 2: expected fields separated by commas, quotes closed on the same line,"
            " got '1,2,\"b'",
        ),
        (
            'x;y;a\n1;2;"b"c\n',
            "t, line 2: expected fields separated by semicolons, quotes closed on the same line,"
            " got '1;2;\"b\"c'",
        ),
        ("x;y\n1,5;2\n", "t, line 2, column x: expected a number with a decimal point, got '1,5'"),
        ("1,5;2,5\n", "t, line 1, column x: expected a number with a decimal point, got '1,5'"),
        (
            'x,y,a\n1,"2,5",\n',
            "t, line 2, column y: expected a number with a decimal point, got '2,5'",
        ),
        (
            "x,y,Status\n1,2,a\n",
            "t: expected no column with the name of a column of the answers"
            f" ({HEADER.replace(',', ', ')}),"
            " got 'Status'",
        ),
    ],
)
def test_what_is_no_table_is_told(text, wanted):
    assert message(text) == wanted


@pytest.mark.parametrize(
    ("text", "to", "wanted"),
    [
        (
            '{"x": 1, "y": 2, "end": 0}',
            "jsonl",
            "the name of a column of the answers (joint, end, status), got 'end'",
        ),
        ('{"x": 1, "y": 2, "a": 0, "a": 1}', "jsonl", "expected each column once, got 'a' twice"),
        ('{"x": 1, "y": 2, "a": 0, "x": 1}', "jsonl", "expected each column once, got 'x' twice"),
        ('{"x": 1, "y": true, "a": 0}', "jsonl", "line 1, column y: expected a number, got true"),
        ('{"a": 0}', "jsonl", "line 1: expected columns x and y, got a"),
        ('{"x": 1, "y": 2, "a": 0}\n{"x": 1, "a": 0}', "jsonl", "line 2: expected x, y, as in the"),
        (
            '{"x": 1, "y": 2, "a": 0}\n{"x": 1, "y": 2, "b": 0}',
            "csv",
            "line 2: expected only columns of the first row, since the answers are CSV, got",
        ),
        ('{"x": 1, "y": 2, "a": "\\ud83d"}', "csv", "line 1: expected Unicode text, got '\\ud83d'"),
        ('{"x": 1, "y": 2, "\\ud83d": 0}', "csv", "expected Unicode text, got '\\ud83d'"),
    ],
)
def test_what_is_no_table_of_json_is_told(text, to, wanted):
    assert wanted in message(text, "jsonl", to)


def test_columns_that_are_twice_there_are_no_object():
    wanted = "t: expected different names, as members of a JSON object must have, got 'id' twice"
    assert message("x,y,id,id\n1,2,a,b\n", to="jsonl") == wanted


def test_rows_do_not_run_over_lines():
    # As one text they would be three rows of members.
    lines = ['{"x":1,"y":2,"a":3},{"x":1,"y":2,"a":3}', '{"x":1,"y":2,"a":[{}', "{}]}"]
    assert "line 1" in message("\n".join(lines), "jsonl", "jsonl")
    good = '{"x":1,"y":2,"a":3}'
    assert "line 2" in message("\n".join([good, *lines]), "jsonl", "jsonl")


@pytest.mark.parametrize("to", ["csv", "jsonl"])
def test_a_header_as_long_as_a_line_may_be_is_read_at_once(to):
    names = [f"{i:x}" for i in range(0x1000, 0x3000)]
    text = csv_of(",".join(["x,y", *names]), ",".join(["1,2", *("b" for _ in names)]))
    assert solved(text, to=to).count("b") >= len(names)


@given(st.binary(max_size=80), st.sampled_from(["csv", "jsonl"]), st.sampled_from(["csv", "jsonl"]))
def test_garbage_beside_targets_is_answered_or_told(data, kind, to):
    start = b"x,y,a\n1,2," if kind == "csv" else b'{"x": 1, "y": 2, "a": '
    try:
        text = solved(start + data, kind, to)
    except FileError:
        return
    assert text.endswith("\n")
