"""JSON text that is edited: what is replaced and appended changes, and not a byte besides."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twobone.errors import ClipError
from twobone.files.gltf.text import TextEdits, find_spans, parse

TEXT = '{ "a" : [ 1.50, {"b":[1E3 ,  2]} ],\n\t"c]}\\"" : -0.0, "d":[],"e":{} }\n '


def edited(text, replaced=(), appended=()):
    edits = TextEdits(text)
    for path, value in replaced:
        edits.replace(path, value)
    for path, value in appended:
        edits.append(path, value)
    return edits.apply()


def test_without_edits_the_text_stays():
    assert edited(TEXT) == TEXT
    assert edited("\ufeff" + TEXT) == "\ufeff" + TEXT


def test_only_what_is_replaced_changes():
    assert edited(TEXT, [(("a", 1, "b", 0), 7)]) == TEXT.replace("1E3", "7")
    assert edited(TEXT, [(("a", 0), [1.5])]) == TEXT.replace("1.50", "[1.5]")
    assert edited("\ufeff" + TEXT, [(("a", 0), 2)]) == "\ufeff" + TEXT.replace("1.50", "2")


def test_elements_are_appended_where_arrays_end():
    assert edited(TEXT, (), [(("a", 1, "b"), 3)]) == TEXT.replace("2]", "2,3]")
    assert edited(TEXT, (), [(("d",), 3), (("d",), {"x": 1})]) == TEXT.replace("[]", '[3,{"x":1}]')
    assert edited(TEXT, (), [(("new",), 3)]) == TEXT.replace("}\n ", ',"new":[3]}\n ')
    assert edited("{}", (), [(("new",), 3)]) == '{"new":[3]}'


def test_of_equal_keys_the_last_is_changed():
    text = '{"a":[1],"a":[2]}'
    assert parse(text, "file") == {"a": [2]}
    assert edited(text, [(("a", 0), 3)]) == '{"a":[1],"a":[3]}'


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=40)
@given(
    st.dictionaries(st.text(max_size=5), VALUES, min_size=1, max_size=3),
    VALUES,
    st.sampled_from([None, 1, "\t"]),
)
def test_any_value_is_replaced_as_python_would(value, new, indent):
    key = next(iter(value))
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    spans, _ = find_spans(text, 0)
    assert {name: json.loads(text[slice(*span)]) for name, span in spans.items()} == value
    assert json.loads(edited(text, [((key,), new)])) == value | {key: new}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "JSON"),
        ('{"a":1', "JSON"),
        ('{"a":1} {}', "JSON"),
        ('{"a":NaN}', "numbers that JSON knows"),
        ('{"a":-Infinity}', "numbers that JSON knows"),
        ("[" * 100_000, "JSON"),
        ("[" + "1" * 5000 + "]", "JSON"),
    ],
    ids=["nothing", "cut", "two values", "NaN", "infinity", "deep", "long integer"],
)
def test_what_is_not_json_raises(text, wanted):
    with pytest.raises(ClipError, match=wanted) as caught:
        parse(text, "walk.gltf")
    assert caught.value.source == "walk.gltf"
