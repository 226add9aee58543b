"""glTF files that exist: accessors of every kind, files beside them, and hostile ones."""

import base64
import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest

import gltf_files
from gltf_files import Maker, glb, walker
from twobone.errors import ClipError
from twobone.files.gltf import animations, container, document, nodes
from twobone.files.gltf.document import Document
from twobone.rotations import quaternion_to_matrix

CLIPS = Path(__file__).parents[3] / "shared" / "clips"


# --- accessors ----------------------------------------------------------------------------

KINDS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32}


@pytest.mark.parametrize("component", KINDS)
def test_integers_are_read_as_they_are_and_normalised(component):
    info = np.iinfo(KINDS[component])
    values = np.array([[info.min, 0, 1], [info.max // 2, info.max - 1, info.max]])
    made = Maker({})
    plain = made.accessor(values, component)
    normalised = made.accessor(values, component, normalized=True)
    file = Document(made.glb())
    assert file.accessor(plain).dtype == KINDS[component]
    np.testing.assert_array_equal(file.accessor(plain), values)
    expected = np.maximum(values / info.max, -1.0)
    np.testing.assert_array_equal(file.accessor(normalised), expected)


def test_elements_with_a_stride_and_offsets():
    made = Maker({})
    rows = np.arange(24, dtype="<f4").reshape(4, 6)
    view = made.view(rows.tobytes(), byteStride=24)
    part = {"bufferView": view, "byteOffset": 8, "componentType": 5126, "count": 4, "type": "VEC3"}
    made.json["accessors"].append(part)
    np.testing.assert_array_equal(Document(made.glb()).accessor(0), rows[:, 2:5])
    made.json["accessors"][0]["byteOffset"] = 16  # the last element leaves the view
    with pytest.raises(ClipError, match=r"accessors\[0\].count: expected elements inside"):
        Document(made.glb()).accessor(0)


def test_columns_of_small_matrices_start_at_multiples_of_four():
    made = Maker({})
    data = bytes([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0])
    view = made.view(data + data)
    part = {"bufferView": view, "componentType": 5121, "count": 2, "type": "MAT3"}
    made.json["accessors"].append(part)
    expected = [[[1, 4, 7], [2, 5, 8], [3, 6, 9]]] * 2
    np.testing.assert_array_equal(Document(made.glb()).accessor(0), expected)


@pytest.mark.parametrize("has_view", [True, False])
def test_sparse_accessors(has_view):
    made = Maker({})
    base = np.arange(15.0).reshape(5, 3) if has_view else np.zeros((5, 3))
    sparse = {
        "count": 2,
        "indices": {"bufferView": made.view(bytes([1, 4])), "componentType": 5121},
        "values": {"bufferView": made.view(np.arange(6, dtype="<f4").tobytes())},
    }
    made.accessor(base, sparse=sparse)
    if not has_view:
        del made.json["accessors"][0]["bufferView"]
    base[[1, 4]] = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(Document(made.glb()).accessor(0), base)


@pytest.mark.parametrize("indices", [[4, 1], [1, 1], [1, 5]])
def test_indices_of_sparse_accessors_increase(indices):
    made = Maker({})
    sparse = {
        "count": 2,
        "indices": {"bufferView": made.view(bytes(indices)), "componentType": 5121},
        "values": {"bufferView": made.view(bytes(24))},
    }
    made.accessor(np.zeros((5, 3)), sparse=sparse)
    with pytest.raises(ClipError, match=r"accessors\[0\].sparse.indices: expected increasing"):
        Document(made.glb()).accessor(0)


def test_pygltflib_reads_the_same_arrays():
    pygltflib = pytest.importorskip("pygltflib", reason="pygltflib is not installed")
    paths = sorted(CLIPS.glob("*/*.glb"))
    if not paths:
        pytest.skip("there are no clips beside the project")
    for path in paths:
        theirs, ours = pygltflib.GLTF2().load(str(path)), document.read(path)
        blob = theirs.binary_blob()
        for index in range(0, len(theirs.accessors), 7):
            accessor = theirs.accessors[index]
            view = theirs.bufferViews[accessor.bufferView]
            start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
            kind = np.dtype(gltf_files.SIZES[accessor.componentType])
            width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor.type]
            stride = view.byteStride or width * kind.itemsize
            rows = [
                np.frombuffer(blob, kind, width, start + row * stride)
                for row in range(accessor.count)
            ]
            found = ours.accessor(index)
            found = np.swapaxes(found, 1, 2) if found.ndim == 3 else found
            np.testing.assert_array_equal(found.reshape(accessor.count, width), rows)


# --- files beside the document ------------------------------------------------------------


def put(folder, uri, data=None):
    """Write a .gltf file whose buffer is elsewhere."""
    made = walker()
    (folder / "walk.gltf").write_bytes(made.gltf(uri))
    return made.data if data is None else data


@pytest.mark.parametrize("uri", ["walk.bin", "./walk.bin", "in/walk.bin", "a%20b%C3%A4.bin"])
def test_buffers_are_read_from_the_folder(tmp_path, uri):
    data = put(tmp_path, uri)
    (tmp_path / "in").mkdir()
    place = tmp_path / uri.replace("%20", " ").replace("%C3%A4", "\u00e4")
    place.write_bytes(data + b"more")
    assert document.read(tmp_path / "walk.gltf").buffer(0) == data


@pytest.mark.parametrize(
    "uri",
    [
        "../walk.bin",
        "in/../../walk.bin",
        "%2e%2e/walk.bin",
        "..%2Fwalk.bin",
        "..\\walk.bin",
        "{outside}",
        "file://{outside}",
        "http://localhost/walk.bin",
        "C:walk.bin",
        "out.bin",
        "out/walk.bin",
        "loop.bin",
        "walk.bin%00",
        "/walk.bin",
        "",
        "x" * 5000,
        "folder",
        "pipe",
        "absent.bin",
    ],
)
def test_no_other_file_is_ever_opened(tmp_path, monkeypatch, uri):
    outside, inside = tmp_path / "walk.bin", tmp_path / "inside"
    (inside / "folder").mkdir(parents=True)
    (inside / "out.bin").symlink_to(outside)
    (inside / "out").symlink_to(tmp_path)
    (inside / "loop.bin").symlink_to("loop.bin")
    if hasattr(os, "mkfifo"):
        os.mkfifo(inside / "pipe")
    outside.write_bytes(put(inside, uri.format(outside=outside)))
    file = document.read(inside / "walk.gltf")
    opened = []
    monkeypatch.setattr("builtins.open", lambda *args, **_: opened.append(args) or 1 / 0)
    if uri == "absent.bin":
        monkeypatch.undo()
    with pytest.raises(ClipError) as caught:
        file.buffer(0)
    assert caught.value.field == "buffers[0].uri"
    assert opened == []


def test_a_link_inside_the_folder_is_followed(tmp_path):
    data = put(tmp_path, "link.bin")
    (tmp_path / "walk.bin").write_bytes(data)
    (tmp_path / "link.bin").symlink_to("walk.bin")
    assert document.read(tmp_path / "walk.gltf").buffer(0) == data


def test_a_short_file_is_not_read(tmp_path):
    data = put(tmp_path, "walk.bin")
    (tmp_path / "walk.bin").write_bytes(data[:-1])
    with pytest.raises(ClipError, match=f"walk.bin has {len(data) - 1} bytes") as caught:
        document.read(tmp_path / "walk.gltf").buffer(0)
    assert caught.value.field == "buffers[0].byteLength"


@pytest.mark.parametrize("uri", ["data:;base64,AA==", "data:x/y;base64,????", "data:,AAAA"])
def test_data_uris_that_lie(tmp_path, uri):
    put(tmp_path, uri)
    with pytest.raises(ClipError, match=r"buffers\[0\]"):
        document.read(tmp_path / "walk.gltf").buffer(0)


# --- hostile files ------------------------------------------------------------------------


def test_lengths_of_containers_fit():
    good = walker().glb()
    for data, field in [
        (good[:-1], "header.length"),
        (good + b"\0", "header.length"),
        (good[:11], "header"),
        (good[:4] + b"\1" + good[5:], "header.version"),
        (good[:12] + b"\xff\xff\xff\x7f" + good[16:], "chunks[0].length"),
        (b"glTF" + struct.pack("<II", 2, 12), "chunks"),
        (glb("{}", b"", struct.pack("<I4s", 0, b"BIN\0")), "chunks[2].type"),
        (glb("{}", b"", struct.pack("<I4s", 0, b"JSON")), "chunks[2].type"),
        (glb("{}", None, b"1234"), "chunks[1]"),
        (b"glTF" + struct.pack("<IIII", 2, 20, 0, container.BINARY), "chunks[0].type"),
    ]:
        with pytest.raises(ClipError) as caught:
            Document(data)
        assert caught.value.field == field


def test_a_truncated_file_is_called_so():
    good = walker().glb()
    for data, message in [
        (
            good[:-5],
            f"expected {len(good)} bytes, as .*, got {len(good) - 5}: the file is truncated",
        ),
        (good[:9], "expected a GLB header of 12 bytes, got 9: the file is truncated"),
        (good + b"\0", f"expected {len(good)} bytes, as the header states, got {len(good) + 1}$"),
        (b"MZ", r"expected a GLB header, got b'MZ'"),
    ]:
        with pytest.raises(ClipError, match=message):
            container.split(data, "walk.glb")


def change(made, path, value):
    """Change a member of a document given by a path."""
    *above, last = path
    part = made.json
    for key in above:
        part = part[key]
    part[last] = value


CASES = [
    # path, value, where the error is
    (("asset",), 1, "asset"),
    (("asset", "version"), "1.0", "asset.version"),
    (("asset", "version"), 2, "asset.version"),
    (("nodes",), {}, "nodes"),
    (("nodes", 1), 3, "nodes[1]"),
    (("nodes", 1, "children"), [4], "nodes[1].children[0]"),
    (("nodes", 1, "children"), [-1], "nodes[1].children[0]"),
    (("nodes", 1, "children"), [1.5], "nodes[1].children[0]"),
    (("nodes", 1, "children"), [True], "nodes[1].children[0]"),
    (("nodes", 2, "children"), [1], "nodes[2].children"),
    (("nodes", 3, "children"), [0], "nodes[0].children"),
    (("nodes", 1, "name"), 3, "nodes[1].name"),
    (("nodes", 1, "rotation"), [0, 0, 0, 0], "nodes[1].rotation"),
    (("nodes", 1, "rotation"), [0, 0, 1], "nodes[1].rotation"),
    (("nodes", 1, "rotation"), "0001", "nodes[1].rotation"),
    (("nodes", 1, "translation"), [0, None, 1], "nodes[1].translation[1]"),
    (("nodes", 1, "translation"), [0, 1e39, 1], "nodes[1].translation[1]"),
    (("nodes", 1, "translation"), [0, 10**400, 1], "nodes[1].translation[1]"),
    (("nodes", 1, "matrix"), [0] * 16, "nodes[1].matrix"),
    (("accessors", 0, "count"), 10**9, "accessors[0].count"),
    (("accessors", 0, "count"), 10**300, "accessors[0].count"),
    (("accessors", 0, "count"), 0, "accessors[0].count"),
    (("accessors", 0, "count"), "10", "accessors[0].count"),
    (("accessors", 0, "componentType"), 5124, "accessors[0].componentType"),
    (("accessors", 0, "componentType"), [5126], "accessors[0].componentType"),
    (("accessors", 0, "type"), "VEC5", "accessors[0].type"),
    (("accessors", 0, "type"), "VEC4", "accessors[0].count"),
    (("accessors", 0, "componentType"), 5125, "animations[0].samplers[0].input"),
    (("accessors", 0, "bufferView"), 99, "accessors[0].bufferView"),
    (("accessors", 0, "byteOffset"), 4, "accessors[0].count"),
    (("accessors", 0, "byteOffset"), -4, "accessors[0].byteOffset"),
    (("accessors", 0, "normalized"), "yes", "accessors[0].normalized"),
    (("accessors", 0, "sparse"), [], "accessors[0].sparse"),
    (("accessors", 1, "count"), 9, "animations[0].samplers[0].output"),
    (("bufferViews", 0, "buffer"), 1, "bufferViews[0].buffer"),
    (("bufferViews", 0, "byteLength"), 10**9, "bufferViews[0].byteLength"),
    (("bufferViews", 0, "byteOffset"), 10**9, "bufferViews[0].byteLength"),
    (("bufferViews", 0, "byteStride"), 2, "accessors[0].bufferView"),
    (("bufferViews", 0, "byteStride"), 8, "accessors[0].count"),
    (
        ("bufferViews", 0, "extensions"),
        {"EXT_meshopt_compression": {}},
        "bufferViews[0].extensions",
    ),
    (("buffers",), [{"byteLength": 10**9}], "buffers[0].byteLength"),
    (("buffers",), [{"byteLength": 0}], "buffers[0].byteLength"),
    (("buffers",), [{}], "buffers[0].byteLength"),
    (("buffers",), [{"byteLength": 4, "uri": 3}], "buffers[0].uri"),
    (("animations",), {}, "animations"),
    (("animations", 0), [], "animations[0]"),
    (("animations", 0, "name"), 1, "animations[0].name"),
    (("animations", 0, "channels"), 1, "animations[0].channels"),
    (("animations", 0, "channels", 1), 1, "animations[0].channels[1]"),
    (("animations", 0, "channels", 1, "target"), 1, "animations[0].channels[1].target"),
    (("animations", 0, "channels", 1, "target", "node"), 1, "animations[0].channels[1].target"),
    (
        ("animations", 0, "channels", 1, "target", "node"),
        9,
        "animations[0].channels[1].target.node",
    ),
    (
        ("animations", 0, "channels", 1, "target", "path"),
        9,
        "animations[0].channels[1].target.path",
    ),
    (("animations", 0, "channels", 1, "sampler"), 3, "animations[0].channels[1].sampler"),
    (("animations", 0, "samplers", 1, "input"), 99, "animations[0].samplers[1].input"),
    (("animations", 0, "samplers", 1, "input"), -1, "animations[0].samplers[1].input"),
    (("animations", 0, "samplers", 1, "output"), 0, "animations[0].samplers[1].output"),
    (
        ("animations", 0, "samplers", 1, "interpolation"),
        "CUBIC",
        "animations[0].samplers[1].interpolation",
    ),
    (
        ("animations", 0, "samplers", 1, "interpolation"),
        "CUBICSPLINE",
        "animations[0].samplers[1].output",
    ),
    (("scene",), 1, "scene"),
    (("scenes",), [1], "scenes[0]"),
    (("scenes", 0, "nodes"), [9], "scenes[0].nodes[0]"),
    (("skins",), [{"joints": [9]}], "skins[0].joints[0]"),
    (("skins",), [{"joints": 9}], "skins[0].joints"),
    (("extensions",), 1, "extensions"),
]


@pytest.mark.parametrize(("path", "value", "field"), CASES, ids=lambda case: str(case)[:60])
def test_errors_name_the_member(tmp_path, path, value, field):
    from twobone.motion import from_gltf

    made = walker()
    more = {path[0]: value} if path == ("buffers",) else {}
    if not more:
        change(made, path, value)
    (tmp_path / "walk.glb").write_bytes(made.glb(**more))
    with pytest.raises(ClipError) as caught:
        from_gltf.load(tmp_path / "walk.glb")
    assert caught.value.field == field
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("times", "wanted"),
    [
        ([0, 1, 1], "increasing times, got 1 after 1"),
        ([0, 2, 1], "increasing times, got 1 after 2"),
        ([0, np.nan, 1], "finite times"),
        ([0, 1, np.inf], "finite times"),
    ],
)
def test_times_increase(times, wanted):
    made = Maker({})
    made.animate(translation_0=(times, np.zeros((3, 3))))
    made.json["accessors"][0] |= {"min": [0], "max": [1]}
    file = Document(made.glb())
    with pytest.raises(ClipError, match=wanted) as caught:
        animations.times(file, animations.channels(file, 0)[0])
    assert caught.value.field == "animations[0].samplers[0].input"


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_values_are_rotations(value):
    made = Maker({})
    made.animate(rotation_0=([0, 1], [[0, 0, 0, 1.0], [value] * 4]))
    file = Document(made.glb())
    with pytest.raises(ClipError) as caught:
        animations.values(file, animations.channels(file, 0)[0], 2)
    assert caught.value.field == "animations[0].samplers[0].output"


def test_a_signalling_nan_is_no_warning():
    made = Maker({})
    made.animate(translation_0=([0, 1], np.zeros((2, 3))))
    made.data[-4:] = b"\x01\0\xa0\x7f"
    file = Document(made.glb())
    with pytest.raises(ClipError, match="finite values"):
        animations.values(file, animations.channels(file, 0)[0], 2)


def test_what_is_not_utf8_raises():
    with pytest.raises(ClipError, match="expected UTF-8, got b'\\\\xff"):
        Document(glb(b'{"asset":{"version":"2.0\xff"}}'))
    with pytest.raises(ClipError, match="expected GLB, or JSON in UTF-8, got b'PNG'"):
        Document(b"\x89PNG"[1:])


def test_a_byte_order_mark_is_ignored():
    assert Document(b"\xef\xbb\xbf" + walker().gltf()).root.has("nodes")


def test_deep_trees_are_no_recursion():
    chain = [{"children": [i + 1]} for i in range(20_000)] + [{}]
    tree = nodes.Nodes(Document(Maker(*chain).glb()))
    assert tree.order == list(range(20_001))
    assert len(tree.ancestors(20_000)) == 20_001


def test_text_and_binary_files_hold_the_same(tmp_path):
    made = walker()
    first, second = Document(made.glb()), Document(made.gltf())
    for index in range(len(made.json["accessors"])):
        np.testing.assert_array_equal(first.accessor(index), second.accessor(index))
    assert json.loads(second.text)["nodes"] == first.root.value["nodes"]
    assert base64.b64decode(second.root.value["buffers"][0]["uri"].split(",")[1]) == made.data


def test_a_sparse_accessor_replaces_no_more_than_there_is():
    made = Maker({})
    sparse = {
        "count": 6,
        "indices": {"bufferView": made.view(bytes(range(6))), "componentType": 5121},
        "values": {"bufferView": made.view(bytes(72))},
    }
    made.accessor(np.zeros((5, 3)), sparse=sparse)
    with pytest.raises(ClipError, match=r"accessors\[0\].sparse.count: expected at most 5, got 6"):
        Document(made.glb()).accessor(0)


def test_a_buffer_is_somewhere():
    made = Maker({}, buffers=[{"byteLength": 4}])
    with pytest.raises(ClipError, match=r"buffers\[0\].*expected a URI or a binary chunk, got nei"):
        Document(json.dumps(made.json).encode()).buffer(0)


def test_a_matrix_without_thickness_is_what_it_was():
    matrix = np.diag([2.0, 0.0, 3.0, 1.0])
    made = Maker({"matrix": matrix.ravel().tolist()})
    found = nodes.Nodes(Document(made.glb())).transform(0)
    product = quaternion_to_matrix(found.rotation) @ found.stretch
    np.testing.assert_allclose(product, matrix[:3, :3], atol=1e-12)


def test_integers_may_be_written_as_floats(tmp_path):
    from twobone.motion import from_gltf

    def joints(made):
        (tmp_path / "walk.glb").write_bytes(made.glb())
        return from_gltf.load(tmp_path / "walk.glb").joints()

    made, wanted = walker(), joints(walker())
    made.json["accessors"][0]["count"] *= 1.0
    made.json["nodes"][0]["children"] = [1.0]
    made.json["scenes"][0]["nodes"] = [0.0]
    np.testing.assert_array_equal(joints(made), wanted)


def test_members_are_those_of_objects():
    version = Document(Maker({}).glb()).root.object("asset").member("version")
    with pytest.raises(ClipError, match=r"field asset\.version: expected an object, got '2.0'"):
        version.member("major")
