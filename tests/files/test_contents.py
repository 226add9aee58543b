"""Contents that are of another format than expected: errors say what was wanted and what came."""

import re

import pytest

from gltf_files import glb
from twobone import motion
from twobone.errors import ClipError
from twobone.files.contents import described, wide_encoding
from twobone.motion import read_labels

BVH = "HIERARCHY ROOT hip { OFFSET 0 1 0 CHANNELS 1 Xrotation } MOTION Frames: 1 Frame Time: .1 2"
GLTF = (
    '{"asset": {"version": "2.0"}, "nodes": [{"name": "hip"}],'
    ' "skins": [{"joints": [0]}], "scenes": [{"nodes": [0]}]}'
)
SUFFIXES = [".bvh", ".glb", ".gltf", ".vrm", ".vrma"]
WANTED = {".bvh": "the word HIERARCHY", ".gltf": "GLB, or JSON in UTF-8"}
WIDE = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]


def raised(tmp_path, suffix, data):
    """Return the message of the error that a file with these contents raises."""
    path = tmp_path / f"walk{suffix}"
    path.write_bytes(data)
    with pytest.raises(ClipError) as caught:
        motion.load(path)
    wanted = WANTED.get(suffix, WANTED[".gltf"])
    assert str(path) in str(caught.value)
    return str(caught.value).partition(f"expected {wanted}")[2]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_file_is_called_so(tmp_path, suffix):
    assert raised(tmp_path, suffix, b"").endswith("got nothing: it is empty")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("encoding", WIDE)
def test_text_in_a_wide_encoding_is_called_so(tmp_path, suffix, encoding):
    data = (BVH if suffix == ".bvh" else GLTF).encode(encoding)
    assert raised(tmp_path, suffix, data).endswith(f"got text in {encoding[:6].upper()}")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("data", [b"<!DOCTYPE html>", b"PK\3\4" + bytes(20), b"Kaydara \xff\xfe"])
def test_another_format_is_shown_by_how_it_begins(tmp_path, suffix, data):
    message = raised(tmp_path, suffix, data)
    assert re.search(r"got b?['\"](<!DOCTYPE|PK|Kaydara)", message)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("size", [1, 3, 11, 12, 20])
def test_a_few_zeros_are_shown(tmp_path, suffix, size):
    assert "got b'\\x00" in raised(tmp_path, suffix, bytes(size)).replace("got '", "got b'")


@pytest.mark.parametrize("suffix", SUFFIXES[1:])
def test_the_contents_of_a_gltf_file_decide_whether_it_is_binary(tmp_path, suffix):
    path = tmp_path / f"walk{suffix}"
    for data in (GLTF.encode(), b"\xef\xbb\xbf \n" + GLTF.encode(), glb(GLTF)):
        path.write_bytes(data)
        assert motion.load(path).skeleton.names == ("hip",)


def test_a_bvh_file_may_have_a_byte_order_mark(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(BVH, encoding="utf-8-sig")
    assert motion.load(path).skeleton.names == ("hip",)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_labels_in_a_wide_encoding_are_called_so(tmp_path, encoding):
    path = tmp_path / "labels.json"
    path.write_text('{"frames": 1, "contacts": {}}', encoding=encoding)
    clip_path = tmp_path / "walk.bvh"
    clip_path.write_text(BVH)
    clip = motion.load(clip_path)
    with pytest.raises(ClipError, match=r"expected JSON in UTF-8, got text in UTF-16"):
        read_labels(path, clip)
    path.write_bytes(b"")
    with pytest.raises(ClipError, match="got nothing: it is empty"):
        read_labels(path, clip)


def test_long_contents_are_cut():
    assert described(b"x" * 99) == "b'xxxxxxxxxxxx'..."
    assert wide_encoding(b"") is wide_encoding(b"{") is wide_encoding(bytes(4)) is None
