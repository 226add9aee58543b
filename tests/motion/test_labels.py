"""Labels of contacts: written and read back, and whatever else a file may hold."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clip_files
import people
from twobone.errors import ClipError
from twobone.motion import find_contacts, read_labels, write_labels

CLIP = people.standing(20)


def test_labels_come_back(tmp_path):
    contacts = find_contacts(CLIP) | {"LeftFoot": []}
    write_labels(tmp_path / "labels.json", CLIP, contacts)
    assert read_labels(tmp_path / "labels.json", CLIP) == contacts
    text = json.loads((tmp_path / "labels.json").read_text(encoding="utf-8"))
    assert text["frames"] == 20
    assert text["contacts"]["RightFoot"] == [[0, 20]]


def test_labels_of_joints_without_names(tmp_path):
    clip = clip_files.renamed(CLIP, None)
    write_labels(tmp_path / "labels.json", clip, find_contacts(clip))
    assert set(read_labels(tmp_path / "labels.json", clip)) == {"3", "4", "7", "8"}


def test_contacts_are_sorted_and_joined(tmp_path):
    write_labels(tmp_path / "labels.json", CLIP, {"LeftFoot": [(9, 12), (3, 5), (5, 6), (10, 11)]})
    assert read_labels(tmp_path / "labels.json", CLIP) == {"LeftFoot": [(3, 6), (9, 12)]}


def labelled(**contacts):
    return {"frames": 20, "contacts": contacts}


WRONG = {
    "[]": 'expected an object with "frames" and "contacts", got \\[\\]',
    '{"frames": 20}': 'got one with "frames"',
    "{}": "got an empty one",
    json.dumps({"frames": 21, "contacts": {}}): "field frames: expected 20, as in the clip, got 21",
    json.dumps({"frames": True, "contacts": {}}): "field frames: expected 20",
    json.dumps({"frames": 20, "contacts": []}): "field contacts: expected contacts by joint",
    json.dumps(labelled(LeftPaw=[])): "expected a joint; it must be one of this skeleton's: Hips",
    json.dumps(labelled(**{"99": []})): "expected a joint: its name, or an index below .*, got .99",
    json.dumps(labelled(LeftFoot=3)): r"field LeftFoot: expected a list of \[first, last \+ 1\]",
    json.dumps(labelled(LeftFoot="ab")): "field LeftFoot: expected a list",
    json.dumps(labelled(LeftFoot=[[1]])): "expected .* two whole numbers",
    json.dumps(labelled(LeftFoot=[[1.0, 2]])): "expected .* two whole numbers",
    json.dumps(labelled(LeftFoot=[[False, 2]])): "expected .* two whole numbers",
    json.dumps(
        labelled(LeftFoot=[[5, 5]])
    ): "two frames from 0 to 20, the second larger, got .5, 5",
    json.dumps(labelled(LeftFoot=[[-1, 5]])): "two frames from 0 to 20, the second larger",
    json.dumps(labelled(LeftFoot=[[0, 21]])): "two frames from 0 to 20, the second larger",
    json.dumps({"frames": 20, "contacts": {"3": [], "LeftFoot": []}}): "each joint once",
    '{"frames": 20, "contacts": {"LeftFoot": [], "LeftFoot": []}}': "each name once",
    '{"frames": 20,\n "contacts": {,}}': "line 2, column 15: expected JSON",
    "[" * 100_000: "nested too deeply",
    f'{{"frames": {"9" * 5000}, "contacts": {{}}}}': "too many digits",
    "": "expected JSON",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_wrong_files_are_refused(text, tmp_path):
    path = tmp_path / "labels.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ClipError, match=WRONG[text]):
        read_labels(path, CLIP)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "labels.json"
    path.write_bytes(b'{"frames":\n \xff}')
    with pytest.raises(ClipError, match="line 2: expected UTF-8 text, got the byte 0xff"):
        read_labels(path, CLIP)


def test_contacts_that_do_not_fit_are_not_written(tmp_path):
    path = tmp_path / "labels.json"
    for contacts in ({"LeftFoot": [(0, 99)]}, {"Nobody": []}, {3: []}, [1]):
        with pytest.raises(ClipError, match="the contacts"):
            write_labels(path, CLIP, contacts)
    assert not list(tmp_path.iterdir())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["frames", "contacts", "LeftFoot", "0"]), inner, max_size=3
        )
    ),
)


@given(VALUES | st.fixed_dictionaries({"frames": st.just(20), "contacts": VALUES}))
@settings(max_examples=100, deadline=None)
def test_any_json_is_read_or_refused(tmp_path_factory, value):
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    try:
        found = read_labels(path, CLIP)
    except ClipError:
        return
    for spans in found.values():
        assert all(0 <= first < last <= 20 for first, last in spans)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "labels.json")
    with pytest.raises(ClipError, match="expected a file, got a device or a pipe"):
        read_labels(tmp_path / "labels.json", CLIP)


def test_too_many_bytes_are_not_read(tmp_path):
    path = tmp_path / "labels.json"
    path.touch()
    os.truncate(path, (1 << 26) + 1)  # it takes no room on the disk
    with pytest.raises(ClipError, match="expected at most 67108864 bytes, got more"):
        read_labels(path, CLIP)
