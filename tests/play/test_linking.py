"""Modules become one script that does the same; libraries are as their authors published them."""

import hashlib
import importlib.resources
import json
import types
from pathlib import Path

import pytest

from twobone.play import bundle, linking
from twobone.play.linking import BundleError

PAGE = importlib.resources.files("twobone.play") / "page"
SHAPES = """import { PI as pi, half } from "./numbers.js";
import * as everything from "sums";

export const area = (r) => pi * r * r;
export class Disc {
  half() { return half(everything.add(1, 1)); }
}
"""
NUMBERS = """export var PI = 3;
const half = (v) => v / 2;
export { half };
"""
MAIN = """import { area, Disc } from "./shapes.js";
import "./deep/first.js";
import { told } from "./deep/last.js";
export { told };
console.log(area(2), new Disc().half(), typeof PI);
"""
# In a folder of their own; names that a variable cannot have.
FIRST = 'import { told } from "./a.b.js";\ntold.push("first");\n'
LAST = 'import { half } from "../numbers.js";\nexport { told } from "./a.b.js";\nhalf(1);\n'
TOLD = "export const told = [];\n"
# As minifiers write them.
SUMS = (
    'import{base as b}from"./deep.js";export{base}from"./deep.js";'
    "const t=(u,v)=>b+u+v;export{t as add};"
)
DEEP = "const o=40;export{o as base,o as default};"


@pytest.fixture
def folder(tmp_path):
    """Return the sources of a page with a library."""
    library = tmp_path / "vendor" / "sums"
    library.mkdir(parents=True)
    (tmp_path / "deep").mkdir()
    for path, text in {
        tmp_path / "shapes.js": SHAPES,
        tmp_path / "numbers.js": NUMBERS,
        tmp_path / "main.js": MAIN,
        tmp_path / "deep" / "first.js": FIRST,
        tmp_path / "deep" / "last.js": LAST,
        tmp_path / "deep" / "a.b.js": TOLD,
        library / "sums.min.js": SUMS,
        library / "deep.js": DEEP,
        library / "LICENSE": "Do as you like.\n",
    }.items():
        path.write_text(text, encoding="utf-8")
    tell(library)
    return tmp_path


def tell(library):
    """Write the hashes of a library."""
    files = {
        path.name: {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for path in library.iterdir()
        if path.name != "vendor.json"
    }
    told = {"package": "sums", "version": "1.2", "modules": {"sums": "sums.min.js"}, "files": files}
    (library / "vendor.json").write_text(json.dumps(told))


def linked(folder, name="main.js"):
    return linking.Linker(folder, linking.libraries(folder)).link(name)


def test_modules_run_as_one_script(folder, request):
    code = linked(folder)
    assert code.count("const o=40") == 1
    node = request.getfixturevalue("node")  # skips what follows where there is none
    # Names that are not exported stay private, those that main.js exports are there for a console.
    assert node(code + "\nconsole.log(told, typeof area);") == (
        b"12 21 undefined\n[ 'first' ] undefined\n"
    )


def test_modules_run_in_the_order_of_their_imports(folder, request):
    for name in ("one", "two", "three"):
        (folder / f"{name}.js").write_text(f'console.log("{name}");\nexport const {name} = 1;\n')
    (folder / "main.js").write_text(
        'import { one } from "./one.js";\nexport { two } from "./two.js";\n'
        'import "./three.js";\nimport * as all from "./one.js";\n'
    )
    code = linked(folder)
    assert request.getfixturevalue("node")(code) == b"one\ntwo\nthree\n"


def test_modules_with_similar_names_are_different(folder, request):
    for name in ("a_b", "a.b", "a-b", "a/b", "a$b"):
        path = folder / f"{name}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'export const it = "{name}";\n')
    (folder / "main.js").write_text(
        "".join(
            f'import {{ it as {variable} }} from "./{name}.js";\n'
            for variable, name in zip("uvwxy", ("a_b", "a.b", "a-b", "a/b", "a$b"), strict=True)
        )
        + "console.log(u, v, w, x, y);\n"
    )
    assert request.getfixturevalue("node")(linked(folder)) == b"a_b a.b a-b a/b a$b\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("numbers.js", 'import { area } from "./shapes.js";\n' + NUMBERS, "import each other"),
        ("numbers.js", "export const PI = 3;\n", "numbers.js exports no half"),
        ("numbers.js", 'import all from "sums";\n' + NUMBERS, "of an unknown kind: 'import all"),
        ("numbers.js", NUMBERS + "export default 3;\n", "of an unknown kind: 'export default"),
        ("shapes.js", SHAPES.replace('"sums"', '"products"'), "no library .* has a module"),
        ("shapes.js", SHAPES.replace("./numbers", "./letters"), "no file letters.js"),
        ("deep/last.js", 'import "../../a.js";\n', "deep/last.js imports ../../a.js, .* outside"),
        ("deep/first.js", 'import "./numbers.js";\n', "no file deep/numbers.js"),
        ("shapes.js", SHAPES.replace("everything.add", "everything.product"), "exports no product"),
        ("main.js", 'export * from "./shapes.js";\n', "of an unknown kind: 'export"),
    ],
)
def test_what_cannot_be_linked_is_refused(folder, name, text, said):
    (folder / name).write_text(text)
    with pytest.raises(linking.BundleError, match=said):
        linked(folder)


def test_a_library_that_was_changed_is_refused(folder):
    with (folder / "vendor" / "sums" / "deep.js").open("a") as file:
        file.write("// changed\n")
    with pytest.raises(linking.BundleError, match=r"deep\.js of sums 1\.2 was changed"):
        linking.libraries(folder)


def test_a_file_without_a_hash_is_not_imported(folder):
    library = folder / "vendor" / "sums"
    (library / "deep.js").rename(folder / "aside.js")
    tell(library)
    (folder / "aside.js").rename(library / "deep.js")
    with pytest.raises(linking.BundleError, match=r"no hash of deep\.js"):
        linked(folder)


# As tools/vendor_three makes them of the package on npm: an update must change them here too.
PUBLISHED = {("three", "0.185.1"): {"three.js": "a5190f54af8d", "LICENSE": "8b378ebe60e2"}}


def test_libraries_are_those_that_npm_has():
    found = linking.libraries(PAGE)  # compares the files with their hashes
    for one in found:
        folder = Path(str(one.folder))
        files = (path for path in folder.rglob("*") if path.is_file())
        there = {path.relative_to(folder).as_posix() for path in files}
        assert there == {*one.hashes, "vendor.json"}
    told = {
        (one.name, one.version): {name: text[:12] for name, text in one.hashes.items()}
        for one in found
    }
    assert told == PUBLISHED


def test_the_page_contains_the_licences_of_its_libraries():
    html = bundle.page_html()
    for one in linking.libraries(PAGE):
        assert f"{one.name} {one.version}\n\n{one.licence}" in html
        assert "Permission is hereby granted, free of charge" in one.licence


def test_a_licence_that_would_end_the_comment_is_refused():
    one = types.SimpleNamespace(name="sums", version="1", licence="-->")
    with pytest.raises(BundleError, match="a licence with -- cannot be in a comment"):
        bundle._licences([one])
