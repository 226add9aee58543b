"""A scene is a folder and a name in one list: what all scenes share names none of them."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import get_args

import pytest

import generate
from browsing import address
from node_scripts import PAGE, Modules
from twobone.play import bundle
from twobone.play.animals_table import animals_table
from twobone.play.schema import LIMB, Scene

TOOLS = Path(__file__).parents[2] / ".ci" / "page"

SCENES = get_args(Scene)
# Printed from Python; without types and texts, which may say "plane" of a plane.
LISTS = ("scenes/list.js", "state/schema.js")
# A scene with what every scene needs, and nothing else.
CLOCK = """// A clock: the smallest scene.
import { frame } from "../../stage/frame.js";

/** @import { Given } from "../scene.js" */

/** @type {Given} */
export const scene = {
  name: "Clock",
  title: "The time of the day",
  line: "It is late.",
  shapes: () => [{ disc: [frame.width / 2, frame.height / 2, 100], fill: "target" }],
  say: () => "A clock",
};
"""
# What the page knows once the scene is chosen.
MODULES = {"scenes/scene": "scenes", "scenes/list": "SCENES", "state/state": "state"}
SHOWN = """(() => {
  scenes.add(SCENES);
  state.set({ scene: "clock" });
  const { say, shapes, press } = scenes.shown();
  return [[...scenes.all.keys()], state.now.scene, say(), shapes(false), press("x")];
})()"""


def common_files():
    """Return the files of the page that are in no folder of a scene."""
    kept = [path for kind in ("js", "css", "html") for path in PAGE.rglob(f"*.{kind}")]
    inside = [PAGE / "scenes" / name for name in SCENES] + [PAGE / "vendor"]
    return [path for path in kept if not any(path.is_relative_to(folder) for folder in inside)]


def test_a_common_file_names_no_scene():
    names = "|".join(SCENES)
    named = re.compile(rf"\bscene\b.*[\"'`#]({names})\b|scenes/({names})/|\"./({names})/")
    for path in common_files():
        if path.relative_to(PAGE).as_posix() in LISTS:
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not named.search(line), f"{path.name}: {line}"


def test_nobody_compares_the_scene_with_a_name_but_a_scene_with_its_own():
    compared = re.compile(r"\bscene\s*[!=]==?\s*[\"'](\w+)|case [\"'](" + "|".join(SCENES) + r")\b")
    found = {
        (path.relative_to(PAGE).as_posix(), name)
        for path in PAGE.rglob("*.js")
        for name, _ in compared.findall(path.read_text(encoding="utf-8"))
    }
    assert found <= {(f"scenes/{name}/here.js", name) for name in SCENES}


# What changes for a fifth scene: its folder, and what is printed from the list of all scenes.
FIVE = (*SCENES, "clock")
CHANGED = {
    "scenes/clock/scene.js": CLOCK,
    "scenes/list.js": generate.scenes(FIVE),
    "state/schema.js": generate.schema({**LIMB, "scene": LIMB["scene"]._replace(choices=FIVE)}),
}


@pytest.fixture
def with_a_clock(tmp_path):
    """Return a copy of the page that has a fifth scene."""
    folder = tmp_path / "page"
    shutil.copytree(PAGE, folder)
    for at, text in CHANGED.items():
        path = folder / at
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_scene_with_what_is_needed_runs(with_a_clock, tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    modules = Modules(tmp_path / "modules", animals_table(), with_a_clock)
    try:
        said = modules(MODULES, SHOWN)
    finally:
        modules.close()
    disc = {"disc": [400, 300, 100], "fill": "target"}
    assert said == [list(FIVE), "clock", "A clock", [disc], False]


def test_a_scene_with_what_is_needed_is_linked_and_shown(with_a_clock, tmp_path, opened):
    path = tmp_path / "page.html"
    path.write_text(bundle.bundle(folder=with_a_clock).html, encoding="utf-8")
    page = opened(path.as_uri(), lambda url: url == path.as_uri(), panel=False)
    page.get_by_role("button", name="Clock").click()
    page.get_by_role("img", name="A clock").wait_for()
    page.get_by_text("It is late.").wait_for()
    assert address(page)["scene"] == "clock"
    page.get_by_role("button", name="Plane").click()
    page.get_by_role("img", name="A limb in the plane").wait_for()


@pytest.mark.slow
def test_a_scene_with_what_is_needed_passes_the_types(with_a_clock, tmp_path):
    """And one without a part that is needed does not."""
    compiler = TOOLS / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        pytest.skip("TypeScript is not installed: npm ci --prefix .ci/page")
    types = TOOLS / "node_modules" / "@types" / "three"
    options = {
        "extends": str(TOOLS / "tsconfig.json"),
        "compilerOptions": {
            "paths": {"three": [str(types)], "three/addons/*": [f"{types}/examples/jsm/*"]}
        },
        "include": [str(TOOLS / "page.d.ts"), "page/**/*.js"],
        "exclude": ["page/vendor"],
    }
    (tmp_path / "tsconfig.json").write_text(json.dumps(options))
    other = with_a_clock / "scenes" / "dumb" / "scene.js"
    other.parent.mkdir()
    other.write_text(CLOCK.replace('  say: () => "A clock",\n', ""))
    run = [shutil.which("node"), compiler, "-p", tmp_path]
    found = subprocess.run(run, capture_output=True, text=True, encoding="utf-8", check=False)
    [said] = [line for line in found.stdout.splitlines() if not line.startswith(" ")]
    assert "/page/scenes/dumb/scene.js(" in said
    assert "Property 'say' is missing" in found.stdout
