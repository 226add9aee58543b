"""The texts that one takes along from the page, in node: code that runs, JSON, links, angles."""

import json

import numpy as np
import pytest

import twobone
from browsing import random_states
from twobone.play.page_state import DEFAULTS

KEEP = {"panel/keep": "keep", "limb/angles": "angles"}
EACH = """given.map((s) => {
  state.set({ least: 0, greatest: 180 });
  state.set(s);
  frames.drawNow();
  return WANTED;
})"""


def each(logic, wanted, states):
    return logic("", KEEP, EACH.replace("WANTED", wanted), [{**DEFAULTS, **s} for s in states])


# --- Python -------------------------------------------------------------------------------


def test_the_copied_python_runs_and_gives_the_same_joint(logic, capsys):
    states = [state for state in random_states(60, seed=6) if state["policy"] != "raise"]
    for code, found in each(logic, "[keep.texts.python(), frames.found()]", states):
        space = {}
        exec(code, space)
        reached, joint = space["reached"], np.array(found["joint"]) + found["root"]
        np.testing.assert_allclose(reached.joint, joint, rtol=0, atol=1e-14, err_msg=code)
        assert int(reached.status) == found["status"]
        assert twobone.Status(found["status"]).name in capsys.readouterr().out


@pytest.mark.parametrize("scene", ["plane", "space"])
@pytest.mark.parametrize("side", [1, -1])
def test_joint_angles_place_the_bones_and_are_in_the_copied_code(logic, scene, side, capsys):
    state = {"scene": scene, "r1": 0.9, "root": [0.1, -0.2, 0.3], "side": side}
    [[found, angles, python, told, glsl]] = each(
        logic,
        "[frames.found(), angles.of(frames.found()), keep.texts.python(), keep.texts.json(),"
        " keep.texts.glsl()]",
        [state],
    )
    cosine = (0.9**2 + 0.6**2 - found["h"]) / (2 * 0.9 * 0.6)
    assert np.degrees(angles["joint"]) == pytest.approx(np.degrees(np.arccos(cosine)))
    if scene == "plane":
        first, both = angles["first"], angles["first"] + angles["second"]
        joint = 0.9 * np.array([np.cos(first), np.sin(first)])
        np.testing.assert_allclose(joint, found["joint"], atol=1e-14)
        end = joint + 0.6 * np.array([np.cos(both), np.sin(both)])
        np.testing.assert_allclose(end, found["end"], atol=1e-14)
    else:
        way = np.dot(found["p"], found["joint"]) / (found["far"] * 0.9)
        assert angles["first"] == pytest.approx(np.arccos(way))
        assert angles["second"] == pytest.approx(np.pi - angles["joint"])
    space = {}
    exec(python, space)
    wanted = [angles["first"], angles["second"]] if scene == "plane" else [angles["second"]]
    np.testing.assert_allclose(space["angles"], wanted, atol=1e-14)
    assert "degrees" in capsys.readouterr().out
    told = json.loads(told)["angles"]
    assert told["radians"] == pytest.approx(angles)
    assert told["degrees"]["joint"] == pytest.approx(np.degrees(angles["joint"]))
    assert "atan(" in glsl


# --- GLSL and JSON ------------------------------------------------------------------------


def test_the_copied_glsl_says_what_it_leaves_out(logic):
    plain, limited = each(logic, "keep.texts.glsl()", [{}, {"greatest": 90}])
    assert "clamps" not in plain
    assert "clamps" in limited
    assert "Limits(0, 90)" in limited


def test_the_copied_json_carries_the_numbers(logic):
    states = [{"target": [0.2, 0.9, 0], "side": -1}, {"target": [3, 0, 0], "policy": "nan"}]
    reached, missed = map(json.loads, each(logic, "keep.texts.json()", states))
    assert {name: reached[name] for name in DEFAULTS} == {**DEFAULTS, **states[0]}
    assert reached["status"] == "REACHED"
    wanted = twobone.solve([0.2, 0.9], 0.8, 0.6, side=-1)
    np.testing.assert_array_equal(reached["joint"], wanted)
    assert missed["status"] == "TOO_FAR"
    assert missed["joint"] == missed["end"] == [None, None]
    assert missed["angles"]["radians"]["first"] is None


# --- links --------------------------------------------------------------------------------

PRIVATE = (
    "file:///home/me/page.html", "http://localhost:8000/page.html", "http://127.0.0.1:8765/secret/",
    "http://192.168.1.7/p", "http://10.0.0.2/p", "http://172.20.0.1/p", "http://[::1]:80/p",
    "http://desk/p", "http://desk.local/p", "http://app.localhost/p", "http://169.254.1.1/p",
    "http://localhost./x", "http://desk.local./p", "http://100.64.0.1/p", "http://100.127.9.9/p",
    "http://0.0.0.0/p", "http://172.16.0.1/p", "http://172.31.9.9/p", "ftp://example.org/p",
    "http://100.113.0.1/p",
)  # fmt: skip
PUBLIC = {
    "https://a.github.io/two/?token=x#side=1": "https://a.github.io/two/",
    "https://172.15.org/p": "https://172.15.org/p",
    "http://100.128.0.1/p": "http://100.128.0.1/p",
    "http://172.32.0.1/p": "http://172.32.0.1/p",
    "https://local.example.org/": "https://local.example.org/",
}
# A page without a public address of its own.
LINKS = """given.map((where) => {
  document.querySelector = () => null;
  return [keep.link(new URL(where)), keep.embed(new URL(where))];
})"""


def test_a_link_names_only_an_address_that_others_can_open(logic):
    found = logic("side=-1&present=1", KEEP, LINKS, [*PRIVATE, *PUBLIC])
    for where, (link, embed) in zip([*PRIVATE, *PUBLIC], found, strict=True):
        home = PUBLIC.get(where, "")
        assert link == f"{home}#side=-1", where
        assert f'<iframe src="{home or "page.html"}#side=-1&amp;embed=1"' in embed
