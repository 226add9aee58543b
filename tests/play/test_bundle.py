"""The page is one file that asks for nothing, and its policy lets it do no more."""

import base64
import hashlib
import json
import re
import sys
from pathlib import Path

import pytest

import twobone.play
from twobone import cli
from twobone.play import bundle

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import page_size

INDEX = """<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head><body>
<a href="https://iquilezles.org/articles/simpleik">the article</a>
<script id="config" type="application/json">{}</script>
<script type="module" src="two.js"></script>
</body></html>
"""
SCRIPT = '<script type="module" src="one.js"></script></body>'
STYLE = """
/* a comment
   of two lines */
a {
  content: "/* no comment */";
  background: url(data:image/png;base64,AA==)
}
"""
ONE = """// a comment
/** @type {number}
 * a type */
/** one more */
const x = "<\\/script>";
    // another
    f(/** @type {any} */ (x)); const y2 = "/** kept */"; // beside
    const y = "http://kept"; const z = `\\1 \\g<0>`;
"""
KEPT = """const x = "<\\/script>";
    f((x)); const y2 = "/** kept */"; // beside
    const y = "http://kept"; const z = `\\1 \\g<0>`;"""


@pytest.fixture
def folder(tmp_path):
    """Return a page of our own making."""
    for name, text in {
        "index.html": INDEX,
        "style.css": STYLE,
        "one.js": ONE,
        "two.js": 'import "./one.js";\ngo();\n',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def scripts(html):
    """Return what is run: what refuses old browsers, and the modules."""
    return re.findall(r"<script>(.*?)</script>", html, re.DOTALL)


def test_styles_and_scripts_are_written_into_the_page(folder):
    html = bundle.bundle(folder=folder).html
    assert re.findall(r"<(?:link|script|style)\b[^>]*>", html) == [
        '<link rel="icon" href="data:,">',
        "<style>",
        '<script id="config" type="application/json">',
        "<script>",
        "<script>",
    ]
    [style] = re.findall(r"<style>\n(.*?)</style>", html, re.DOTALL)
    assert style.splitlines() == [
        "a {",
        'content: "/* no comment */";',
        "background: url(data:image/png;base64,AA==)",
        "}",
    ]
    old, code = scripts(html)
    assert "from 2023 or later" in old
    modules = "".join(
        f"const ${name} = (() => {{\n{text}\nreturn {{  }};\n}})();\n"
        for name, text in (("one", KEPT), ("two", "go();"))
    )
    assert code == f'\n"use strict";\n{modules}//# sourceURL=twobone.js\n'


@pytest.mark.parametrize("text", ["</script>", "</SCRIPT ", "<!--"])
def test_a_script_that_would_end_its_element_is_refused(folder, text):
    (folder / "two.js").write_text(f'go("{text}");\n')
    with pytest.raises(bundle.BundleError, match="cannot be in a page"):
        bundle.bundle(folder=folder)


def test_the_policy_names_the_scripts_by_their_hashes(folder):
    html, policy = bundle.bundle(folder=folder)
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in html
    wanted = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in scripts(html)
    ]
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert len(wanted) == 2
    assert parts["script-src"].split() == wanted
    assert parts["default-src"] == "'none'"
    assert parts["img-src"] == "data: blob:"
    assert parts["media-src"] == "blob:"


def test_only_a_page_that_is_served_may_call_and_only_this_machine(folder):
    assert "connect-src 'none';" in bundle.bundle(folder=folder).policy
    served = bundle.bundle({"live": "live"}, folder).policy
    assert "connect-src ws://127.0.0.1:* ws://localhost:*;" in served


def test_what_the_server_tells_cannot_end_its_element(folder):
    config = {"live": "</script><script>alert(1)</script>", "line": "\\1 \u2028"}
    html = bundle.bundle(config, folder).html
    [text] = re.findall(r'<script id="config" type="application/json">(.*?)</script>', html)
    assert "<" not in text
    assert json.loads(text) == config
    assert len(scripts(html)) == 2


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("index.html", INDEX.replace("two.js", "three.js"), "no file three.js among the sources"),
        ("index.html", INDEX.replace("two.js", "../two.js"), "must load nothing but"),
        ("index.html", INDEX.replace('"two.js"', '"two.js" defer'), "must load nothing but"),
        ("index.html", INDEX.replace('type="module" ', ""), "must load nothing but"),
        ("index.html", INDEX.replace('type="module" src="two.js"', ""), "exactly one script, .* 0"),
        ("index.html", INDEX.replace("</body>", SCRIPT), "exactly one script, .* got 2"),
        (
            "index.html",
            INDEX.replace('"two.js"', '"https://x.org/two.js"'),
            "must load nothing but",
        ),
        ("index.html", INDEX.replace("data:,", "icon.png"), "must load nothing but"),
        ("index.html", INDEX.replace("<a ", "<img src=x.png><a "), "must load nothing but"),
        ("index.html", INDEX.replace("{}</script>", "</script>"), "must have"),
        ("index.html", INDEX.replace('<meta charset="utf-8">', ""), "must have"),
        ("style.css", "@import 'x.css';", "must not load other files"),
        ("style.css", "a { background: URL( x.png ) }", "must not load other files"),
    ],
)
def test_what_cannot_be_written_into_the_page_is_refused(folder, name, text, said):
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(bundle.BundleError, match=said):
        bundle.bundle(folder=folder)


def test_our_page_is_whole_and_small():
    """The limits are a choice: those of benchmarks/page_size.py.

    Loading: the page is compiled before anything is drawn. Those who mail the file or embed it in
    a page of their own: it weighs less than a photograph. And growth is a decision: a library
    added by accident exceeds the limit.
    """
    html = bundle.page_html()
    assert len(html.encode()) <= page_size.MOST
    assert '<script id="config" type="application/json">{}</script>' in html
    assert not re.search(r"<script[^>]*\ssrc|<link[^>]*stylesheet", html)
    assert bundle.page_html({"live": "live"}) != html


def test_our_page_is_small_when_a_server_compresses_it():
    pytest.importorskip("brotli", reason="brotli is not installed")
    assert page_size.compressed(bundle.page_html()) <= page_size.MOST_COMPRESSED


def test_our_page_can_be_read():
    code = scripts(bundle.page_html())[1]
    assert (
        len(re.findall(r"^function \w{8,}\(", code, flags=re.M)) > 50
    )  # names and lines are whole
    _, start, rest = code.partition("const $")  # of the animals
    own = re.sub(r"^const \$three.*?^\}\)\(\);", "", start + rest, flags=re.M | re.S)
    assert len(own) > 0.4 * len(code)
    assert max(map(len, own.splitlines())) < 2_000  # texts are the longest


def test_a_file_that_cannot_be_written_is_told_before_the_page_is_made(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(bundle, "page_html", None)  # which is not called
    path = tmp_path / "no" / "page.html"
    with pytest.raises(FileNotFoundError, match=r"page\.html"):
        bundle.export(path)
    assert cli.run(["play", "--export", str(path)]) == 2
    assert capsys.readouterr().err == f"twobone: {path}: No such file or directory\n"


def test_it_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    twobone.play.export(path)
    assert path.read_text(encoding="utf-8") == bundle.page_html()
    path.write_text("old")

    def fail(**_):
        raise bundle.BundleError("broken")

    monkeypatch.setattr(bundle, "page_html", fail)
    with pytest.raises(bundle.BundleError):
        bundle.export(path)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("page.html", "old")]


def test_a_page_with_a_character_is_not_exported(tmp_path, capsys):
    page = tmp_path / "page.html"
    assert cli.run(["play", "character.glb", "--export", str(page)]) == 2
    said = "twobone: an exported page contains no character: drop the file on the page\n"
    assert capsys.readouterr().err == said
    assert not page.exists()


def test_numbers_of_the_page_are_short_and_the_same():
    html = bundle.page_html({"numbers": [2.0, 0.0, -0.0, 0.1, 1e300, -3.0, True, "2.0"]})
    assert '{"numbers":[2,0,-0.0,0.1,1e+300,-3,true,"2.0"]}' in html
