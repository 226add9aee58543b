"""Edits of glTF files: new keys where they were asked for, and all else bit for bit."""

import base64
import json

import numpy as np
import pytest

import gltf_files
from gltf_files import Maker, glb, parts, walker
from twobone.errors import ClipError
from twobone.files.gltf import animations, document
from twobone.files.gltf.document import Document
from twobone.files.gltf.editing import Editor
from twobone.files.gltf.nodes import Nodes

TIMES = np.arange(10) / 30
HALF = np.tile([0.0, 0.0, 0.6, 0.8], (10, 1))  # a rotation for each frame
NEAR = 0.001


def edited(data, new, *, animation=0, times=TIMES):
    editor = Editor(Document(data))
    editor.replace_keys(animation, times, new, NEAR)
    return editor.to_bytes(binary=data[:4] == b"glTF")


def curves(data, animation=0):
    """Return {(node, path): (times, values)} of a file."""
    file = Document(data)
    found = {}
    for channel in animations.channels(file, animation):
        times = animations.times(file, channel)
        values = animations.values(file, channel, len(times))
        found[channel.node, channel.path] = times, values
    return found


def assert_changed(before, after, new, animation=0):
    """Check that the curves asked for are new, and that all others are the same bits."""
    old, found = curves(before, animation), curves(after, animation)
    assert list(found) == [*old, *(target for target in new if target not in old)]
    for target, (times, values) in found.items():
        if target in new:
            np.testing.assert_allclose(times, TIMES, atol=NEAR)
            np.testing.assert_array_equal(values, np.float32(new[target]))
        else:
            np.testing.assert_array_equal(times, old[target][0])
            np.testing.assert_array_equal(values, old[target][1])


def test_without_edits_the_bytes_are_the_same(tmp_path):
    data = glb(" " + json.dumps(walker().document(), indent=1) + "\n\t ", bytes(walker().data))
    (tmp_path / "walk.glb").write_bytes(data)
    editor = Editor(document.read(tmp_path / "walk.glb"))
    editor.write(tmp_path / "again.vrm")
    assert (tmp_path / "again.vrm").read_bytes() == data


def test_one_curve_is_changed_and_nothing_else(validate):
    before = walker().glb()
    after = edited(before, {(1, "rotation"): HALF})
    assert_changed(before, after, {(1, "rotation"): HALF})
    (old, old_binary), (new, new_binary) = parts(before), parts(after)
    assert new_binary == old_binary + np.float32(HALF).tobytes()
    # The accessor and the view of the old values are reused, because nothing else needs them.
    assert new["accessors"].pop(1) == old["accessors"].pop(1)
    assert new["bufferViews"].pop(1) == {
        "buffer": 0,
        "byteOffset": len(old_binary),
        "byteLength": 160,
    }
    old["bufferViews"].pop(1)
    old["buffers"][0]["byteLength"] = len(new_binary)
    old["animations"][0]["samplers"][0]["interpolation"] = "LINEAR"
    assert new == old
    assert b'"kept": 1.5' in after
    assert b'"number": 1000.0' in after
    codes = [[issue["code"] for issue in validate(data)["messages"]] for data in (before, after)]
    assert codes[0] == codes[1]


def test_text_that_is_not_edited_keeps_its_bytes():
    text = json.dumps(walker().document(), indent=3).replace("1000.0", "1.0E+3")
    text = text.replace('"kept": 1.5', '"kept":  1.50000')
    before = glb(text, bytes(walker().data))
    after = edited(before, {(3, "rotation"): HALF}).decode("latin-1")
    for line in text.splitlines():
        is_end = line.strip() in ("]", "],", "}", "},")
        if not is_end and "byteLength" not in line:
            assert line in after


def shared_curves():
    """Return a file in which channels share samplers, samplers accessors, and accessors views."""
    made = walker()
    samplers = made.json["animations"][0]["samplers"]
    samplers[1]["output"] = samplers[0]["output"]
    made.json["animations"][0]["channels"].append(
        {"sampler": 0, "target": {"node": 3, "path": "rotation"}, "extras": {"mine": 1}}
    )
    made.json["accessors"] = made.json["accessors"][:2] + made.json["accessors"][3:]
    samplers[2]["output"] = 2
    view = made.json["bufferViews"]
    first, last = view[1], view[3]
    merged = {"buffer": 0, "byteOffset": first["byteOffset"]}
    merged["byteLength"] = last["byteOffset"] + last["byteLength"] - first["byteOffset"]
    made.json["bufferViews"] = [view[0], merged]
    made.json["accessors"][2] |= {
        "bufferView": 1,
        "byteOffset": last["byteOffset"] - first["byteOffset"],
    }
    return made.glb()


@pytest.mark.parametrize(
    "targets",
    [
        [(1, "rotation")],
        [(3, "rotation")],
        [(1, "rotation"), (3, "rotation")],
        [(2, "rotation")],
        [(0, "translation")],
        [(1, "rotation"), (2, "rotation"), (3, "rotation")],
        [(1, "rotation"), (2, "rotation"), (3, "rotation"), (0, "translation")],
        [(2, "translation"), (0, "rotation")],
    ],
)
def test_what_others_share_is_not_touched(targets, validate):
    before = shared_curves()
    new = {
        target: HALF + i * 0.001 if target[1] == "rotation" else HALF[:, :3] + i
        for i, target in enumerate(targets)
    }
    new = {
        target: values / np.linalg.norm(values, axis=1, keepdims=True)
        if len(values[0]) == 4
        else values
        for target, values in new.items()
    }
    after = edited(before, new)
    assert_changed(before, after, new)
    extras = [channel.get("extras") for channel in parts(after)[0]["animations"][0]["channels"]]
    assert extras[3] == {"mine": 1}
    codes = [{issue["code"] for issue in validate(data)["messages"]} for data in (before, after)]
    assert codes[1] <= codes[0]


@pytest.mark.parametrize("interpolation", ["STEP", "CUBICSPLINE"])
def test_other_interpolations_become_linear_keys(interpolation, validate):
    made = walker()
    n = 4
    values = np.tile([0, 0, 0, 1.0], (n * (3 if interpolation == "CUBICSPLINE" else 1), 1))
    made.animate("other", rotation_1=(np.arange(n), values, interpolation))
    before = made.glb()
    after = edited(before, {(1, "rotation"): HALF}, animation=1)
    assert_changed(before, after, {(1, "rotation"): HALF}, 1)
    for target, curve in curves(after).items():
        for now, then in zip(curve, curves(before)[target], strict=True):
            np.testing.assert_array_equal(now, then)
    messages = [validate(data)["messages"] for data in (before, after)]
    assert [m["code"] for m in messages[1]] == [m["code"] for m in messages[0]]


def test_an_unknown_extension_may_use_what_seems_unused():
    made = walker()
    made.json["extensions"]["EXT_of_nobody"]["values"] = 1  # an accessor?
    before = made.glb()
    after = edited(before, {(1, "rotation"): HALF})
    assert_changed(before, after, {(1, "rotation"): HALF})
    (old, _), (new, _) = parts(before), parts(after)
    assert new["accessors"][: len(old["accessors"])] == old["accessors"]
    assert new["bufferViews"][: len(old["bufferViews"])] == old["bufferViews"]


def test_a_file_without_animations_gets_one(validate):
    for before in (
        Maker({"name": "alone"}).glb(),
        Maker({"name": "alone"}, extras={"a": []})
        .glb(buffers=[])
        .replace(b', "buffers": []', b" " * 15),
    ):
        editor = Editor(Document(before))
        editor.add_animation(None, TIMES, {(0, "rotation"): HALF}, {})
        after = editor.to_bytes(binary=True)
        times, values = curves(after)[0, "rotation"]
        np.testing.assert_allclose(times, TIMES, atol=1e-7)
        np.testing.assert_array_equal(values, np.float32(HALF))
        assert editor.to_bytes(binary=True) == after  # it can be asked twice
        issues = validate(after)
        assert issues["numErrors"] == issues["numWarnings"] == 0


def test_what_stays_still_in_a_further_animation_has_a_single_key(validate):
    before = walker().glb()
    editor = Editor(Document(before))
    still = {(3, "translation"): np.array([0.0, -0.5, 0.1]), (2, "scale"): np.ones(3)}
    editor.add_animation("more", TIMES, {(1, "rotation"): HALF}, still)
    after = editor.to_bytes(binary=True)
    assert animations.names(Document(after)) == ["walk", "more"]
    found = curves(after, 1)
    np.testing.assert_array_equal(found[1, "rotation"][1], np.float32(HALF))
    for target, value in still.items():
        times, values = found[target]
        assert times.tolist() == [0.0]
        np.testing.assert_array_equal(values, np.float32([value]))
    assert_changed(before, after, {})
    issues = validate(after)
    assert issues["numErrors"] == issues["numWarnings"] == 0


def test_chunks_of_extensions_stay():
    made = walker()
    more = b"\x04\0\0\0ABCDwxyz"
    before = glb(json.dumps(made.document()), bytes(made.data), more)
    after = edited(before, {(1, "rotation"): HALF})
    assert after.endswith(more)
    assert_changed(before, after, {(1, "rotation"): HALF})
    with pytest.raises(ClipError, match="without more chunks"):
        Editor(Document(before)).to_bytes(binary=False)


def test_text_files_get_a_buffer_of_their_own(tmp_path):
    made = walker()
    for uri in (None, "walk.bin"):
        (tmp_path / "walk.bin").write_bytes(made.data)
        before = tmp_path / "walk.gltf"
        before.write_bytes(made.gltf(uri))
        editor = Editor(document.read(before))
        editor.replace_keys(0, TIMES, {(1, "rotation"): HALF}, NEAR)
        after = editor.to_bytes(binary=False)
        old, new = json.loads(made.gltf(uri)), json.loads(after)
        assert new["buffers"][0] == old["buffers"][0]
        data = base64.b64decode(new["buffers"][1]["uri"].split(",")[1])
        assert data == np.float32(HALF).tobytes()
        editor.write(before)
        file = document.read(before)
        np.testing.assert_array_equal(file.accessor(1), np.float32(HALF))
        assert (tmp_path / "walk.bin").read_bytes() == made.data


def test_files_change_between_text_and_binary(tmp_path, validate):
    made = walker()
    for start, end in ((made.glb(), False), (made.gltf(), True)):
        for new in ({}, {(1, "rotation"): HALF}):
            editor = Editor(Document(start))
            if new:
                editor.replace_keys(0, TIMES, new, NEAR)
            after = editor.to_bytes(binary=end)
            assert (after[:4] == b"glTF") == end
            assert_changed(start, after, new)
            assert validate(after)["numErrors"] == 0


def test_files_that_belong_to_a_document_are_copied(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    made = walker()
    made.json["images"] = [{"uri": "skin/a%20b.png"}, {"uri": "../secret.png"}, {"uri": "none.png"}]
    (old / "skin").mkdir(parents=True)
    new.mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    (old / "skin" / "a b.png").write_bytes(b"image")
    (old / "walk.bin").write_bytes(made.data)
    (old / "walk.gltf").write_bytes(made.gltf("walk.bin"))
    for _ in range(2):  # the second time the copies are there
        Editor(document.read(old / "walk.gltf")).write(new / "walk.gltf")
        files = {path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()}
        assert files == {"walk.gltf", "walk.bin", "skin/a b.png"}
    assert document.read(new / "walk.gltf").buffer(0) == made.data
    (new / "walk.bin").write_bytes(b"another")
    (new / "walk.gltf").unlink()
    with pytest.raises(ClipError, match=r"buffers\[0\].uri: expected a place for a copy"):
        Editor(document.read(old / "walk.gltf")).write(new / "walk.gltf")
    assert not (new / "walk.gltf").exists()
    assert (new / "walk.bin").read_bytes() == b"another"


def test_matrices_of_animated_nodes_become_their_parts(validate):
    whole = gltf_files.matrix([1, 2, 3], [0, 0.6, 0, 0.8], [2, 2, 0.5])
    made = Maker({"name": "a", "matrix": whole.T.ravel().tolist(), "extras": 1})
    made.animate(rotation_0=([0, 1], [[0, 0, 0, 1.0]] * 2))
    del made.json["animations"]
    file = Document(made.glb())
    editor = Editor(file)
    editor.make_animatable(0, Nodes(file).transform(0))
    node = parts(editor.to_bytes(binary=True))[0]["nodes"][0]
    assert list(node) == ["name", "extras", "translation", "rotation", "scale"]
    found = gltf_files.matrix(node["translation"], node["rotation"], node["scale"])
    np.testing.assert_allclose(found, whole, atol=1e-6)


def test_a_matrix_with_shear_cannot_be_animated():
    whole = np.eye(4)
    whole[0, 1] = 0.5
    file = Document(Maker({"matrix": whole.T.ravel().tolist()}).glb())
    transform = Nodes(file).transform(0)
    with pytest.raises(ClipError, match="without shear") as caught:
        Editor(file).make_animatable(0, transform)
    assert caught.value.field == "nodes[0].matrix"


def test_times_that_float32_cannot_tell_apart_raise():
    with pytest.raises(ClipError, match="float32 can tell apart"):
        edited(walker().glb(), {(1, "rotation"): HALF}, times=1e9 + TIMES)


@pytest.mark.parametrize("name", ["walk", "walk.bvh", "walk.bin"])
def test_names_end_as_the_formats_do(tmp_path, name):
    with pytest.raises(ClipError, match=r"a name that ends in .glb, .vrm, .vrma, .gltf"):
        Editor(Document(walker().glb())).write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
