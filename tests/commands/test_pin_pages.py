"""`twobone pin --html`: a page for each clip, and a list of them for several."""

import os

import pytest

import clip_files
from twobone import cli, motion
from twobone.commands import pin_pages


def run(*arguments):
    return cli.run(["pin", *map(str, arguments), "--quiet"])


def tree(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))


def test_a_page_shows_the_clip_and_what_was_asked(bvh, tmp_path, walk):
    page, labels = tmp_path / "page.html", tmp_path / "labels.json"
    motion.write_labels(labels, walk.clip, walk.contacts)
    options = [
        "--contacts",
        labels,
        "--ground",
        0.02,
        "--keep-sliding",
        "left foot:0:5",
        "--no-loop",
    ]
    assert run(bvh(), "-o", tmp_path / "out.bvh", "--html", page, *options) == 0
    text = page.read_text()
    assert "<bdi>walk.bvh</bdi>" in text
    for name, value in (
        ("contacts from", str(labels)),
        ("ground", "0.02, in units of the file"),
        ("body", "least"),
        ("reach", "exact"),
        ("is a loop", "no"),
        ("kept sliding", "left foot, frames 0 to 5"),
    ):
        assert f"<dt>{name}</dt><dd><bdi>{value}</bdi></dd>" in text
    assert "m (guessed; if it is wrong, so are the lengths here)" in text


def test_a_tree_becomes_a_tree_of_pages_and_a_list(bvh, tmp_path):
    bvh("in/a.bvh"), bvh("in/deep/b.BVH")
    (tmp_path / "in" / "bad.bvh").write_text("no clip")
    pages = tmp_path / "pages"
    assert run(tmp_path / "in", "-o", tmp_path / "out", "--html", pages) == 1
    assert tree(pages) == ["a.bvh.html", "deep/b.BVH.html", "index.html"]
    text = (pages / "index.html").read_text()
    assert 'href="./a.bvh.html"' in text
    assert 'href="./deep/b.BVH.html"' in text
    assert "no report: it could not be pinned" in text


def test_the_list_has_the_pages_of_earlier_runs(bvh, tmp_path):
    old = bvh("in/a.bvh")
    os.utime(old, (1e9, 1e9))
    pages = tmp_path / "pages"
    arguments = tmp_path / "in", "-o", tmp_path / "out", "--html", pages
    assert run(*arguments) == 0
    written = (pages / "a.bvh.html").stat().st_mtime_ns
    bvh("in/b.bvh")
    assert run(*arguments) == 0
    assert (pages / "a.bvh.html").stat().st_mtime_ns == written
    text = (pages / "index.html").read_text()
    assert text.count("<a href=") == 2
    assert text.count("no report") == 0


def test_a_clip_whose_page_is_missing_is_done_again(bvh, tmp_path):
    os.utime(bvh("in/a.bvh"), (1e9, 1e9))
    pages = tmp_path / "pages"
    assert run(tmp_path / "in", "-o", tmp_path / "out") == 0
    assert run(tmp_path / "in", "-o", tmp_path / "out", "--html", pages) == 0
    assert tree(pages) == ["a.bvh.html", "index.html"]


def test_all_clips_of_a_file_have_pages_and_a_list(tmp_path):
    fox, page = clip_files.path_of(clip_files.FOX), tmp_path / "new" / "fox.html"
    assert run(fox, "-o", tmp_path / "out.glb", "--clip", "all", "--html", page) == 0
    assert tree(page.parent) == ["fox.0.html", "fox.1.html", "fox.2.html", "fox.html"]
    assert 'href="./fox.2.html">' in page.read_text()
    assert "Fox.glb: Run" in (page.parent / "fox.2.html").read_text()


def test_no_list_is_written_if_there_are_no_pages(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bad.bvh").write_text("no clip")
    assert run(tmp_path / "in", "-o", tmp_path / "out", "--html", tmp_path / "pages") == 1
    assert tree(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("walk.bvh -o out.bvh --html out.bvh", "would be written over an input or another output"),
        ("walk.bvh -o out.bvh --html walk.bvh", "would be written over an input"),
        ("walk.bvh other.bvh -o out --html walk.bvh", "--html must be a folder for several files"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(
    bvh, tmp_path, monkeypatch, capsys, arguments, message
):
    monkeypatch.chdir(tmp_path)
    bvh(), bvh("other.bvh")
    assert run(*arguments.split()) == 2
    assert message in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == ["other.bvh", "walk.bvh"]


def test_options_without_values_are_told_as_found():
    options = {
        "ground": None,
        "body": "keep",
        "reach": "soft",
        "keep_sliding": [],
        "loop": None,
        "in_place": None,
        "conform": None,
    }
    assert pin_pages.asked_for(None, options) == {
        "contacts from": "found in the clip",
        "ground": "found from the feet",
        "body": "keep",
        "reach": "soft",
    }
