"""What page and script share: what is one, what is none, and what is answered."""

import math

import numpy as np
import pytest

import twobone
from twobone.errors import PageError
from twobone.play import page_state
from twobone.play.page_state import DEFAULTS, answer, answer_in_world, changed, check

SPACE = {**DEFAULTS, "scene": "space"}
FAR = {"target": [3.0, 1.0, 0.5]}


def test_the_state_to_begin_with_is_one():
    state = check(DEFAULTS)
    assert state == DEFAULTS
    assert state is not DEFAULTS
    assert state["root"] is not DEFAULTS["root"]
    assert answer(state)["status"] == twobone.Status.REACHED


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("scene", ["Plane", "", None, 1, ["plane"], {}]),
        ("policy", ["soft", None, 0, [], "clamp "]),
        ("side", [0, 2, True, "1", None, math.nan, [1], 0.5]),
        ("r1", [-1, -1e-300, 1e7, math.inf, math.nan, True, "1", None, [1], 10**400, 1j]),
        ("r2", [-1, math.nan]),
        ("limit", [0.5, 0, math.inf, math.nan, False]),
        ("soft", [1, 1.0, -0.1, math.nan, 2]),
        ("least", [-1, 181, math.nan]),
        ("greatest", [-1, 180.1, math.nan]),
        ("root", [None, 1, [0, 0], [0, 0, 0, 0], [0, 0, math.nan], [0, 0, True], "abc", {}]),
        ("target", [[0, 0, math.inf], [1e6 + 1, 0, 0], [[0, 0, 0]] * 3, ["1", "2", "3"]]),
        ("pole", [[0, 0], [0, 0, -math.inf], [None] * 3, 10**5000]),
    ],
)
def test_a_field_that_makes_no_sense_is_named(name, values):
    for value in values:
        with pytest.raises(PageError, match=rf"^`{name}` must ") as raised:
            check({**DEFAULTS, name: value})
        assert raised.value.name == name
        assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ([], "`state` must be an object, got []."),
        (None, "`state` must be an object, got None."),
        ({**DEFAULTS, "colour": 1}, "got 'colour'."),
        ({**DEFAULTS, 7: 1}, "got 7."),
        ({k: v for k, v in DEFAULTS.items() if k != "r2"}, "`state` must have a field r2"),
        (
            {**DEFAULTS, "least": 90, "greatest": 89.5},
            "`least` must not be greater than `greatest`, got 90 and 89.5.",
        ),
    ],
)
def test_what_is_no_state_is_told(state, said):
    with pytest.raises(PageError) as raised:
        check(state)
    assert said in str(raised.value)


def test_edges_belong_to_the_state():
    edges = {"r1": 0, "r2": 1e6, "limit": 1, "soft": 0.999, "least": 180, "side": -1.0}
    state = check({**DEFAULTS, **edges, "target": [-1e6, 1e6, 0]})
    assert state["side"] == -1
    assert isinstance(state["side"], int)


# --- what a script says -------------------------------------------------------------------


def test_in_the_plane_the_third_number_is_kept():
    state = changed(DEFAULTS, {"target": (1.2, 0.4), "root": np.array([1.0, 2.0])})
    assert state["target"] == [1.2, 0.4, 0.35]
    assert state["root"] == [1.0, 2.0, 0]
    assert changed(SPACE, {"target": (1, 2, 3)})["target"] == [1, 2, 3]


def test_scene_and_points_may_change_together():
    state = changed(DEFAULTS, {"target": (1, 2, 3), "scene": "space"})
    assert (state["scene"], state["target"]) == ("space", [1, 2, 3])
    assert changed(state, {"scene": "plane", "target": [4, 5]})["target"] == [4, 5, 3]


def test_arrays_and_their_numbers_are_taken():
    fields = {"r1": np.float32(0.5), "r2": np.int64(2), "target": [np.float64(1), np.float32(2)]}
    state = changed(DEFAULTS, {**fields, "pole": np.array([1, 0, 0])})
    assert (state["r1"], state["r2"], state["target"]) == (0.5, 2, [1, 2, 0.35])
    assert {type(state[name]) for name in ("r1", "r2")} == {float, int}
    assert all(type(part) in (int, float) for part in state["target"] + state["pole"])


@pytest.mark.parametrize(
    ("state", "fields", "said"),
    [
        (DEFAULTS, {"target": (1, 2, 3)}, "`target` must be 2 numbers in the plane, got [1, 2, 3]"),
        (SPACE, {"root": (1, 2)}, "`root` must be 3 numbers in space, got [1, 2]"),
        (DEFAULTS, {"target": 1}, "`target` must be 2 numbers in the plane, got 1"),
        (DEFAULTS, {"target": None}, "`target` must be 3 numbers, got None"),
        (DEFAULTS, {"target": (1, "a")}, "`target` must be a number from -1e+06 to 1e+06, got 'a'"),
        (DEFAULTS, {"r1": [1]}, "`r1` must be a number from 0 to 1e+06, got [1]"),
        (DEFAULTS, {"colour": 1}, "got 'colour'"),
    ],
)
def test_a_script_is_told_what_makes_no_sense(state, fields, said):
    with pytest.raises(PageError) as raised:
        changed(state, fields)
    assert said in str(raised.value)


# --- the answer ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "policy"),
    [
        ({}, "clamp"),
        ({"policy": "stretch"}, "stretch"),
        ({"policy": "nan"}, "nan"),
        ({"policy": "raise", "soft": 0.5}, "clamp"),
        ({"policy": "stretch", "soft": 0.5, "least": 60}, "stretch"),
        ({"policy": "proportion"}, twobone.Stretch(1.2)),
        ({"policy": "proportion", "limit": 1}, "clamp"),
        ({"soft": 0.2}, twobone.Soft(0.2)),
        ({"least": 20}, twobone.Limits(20, 180)),
        ({"greatest": 120.5}, twobone.Limits(0, 120.5)),
        (
            {"least": 20, "greatest": 150, "soft": 0.1, "policy": "proportion", "limit": 1.5},
            twobone.Limits(20, 150) | twobone.Soft(0.1) | twobone.Stretch(1.5),
        ),
    ],
)
@pytest.mark.parametrize("scene", ["plane", "space"])
@pytest.mark.parametrize("target", [[0.75, 0.55, 0.35], [3.0, 1.0, 0.5], [0.01, 0.02, 0.0]])
def test_the_answer_is_that_of_reach_as_seen_from_the_root(fields, policy, scene, target):
    root, side, pole = [0.1, -0.2, 0.3], -1, [0.3, 1, -0.2]
    state = {**DEFAULTS, "scene": scene, "target": target, "root": root, "side": side, "pole": pole}
    width, rest = (2, {}) if scene == "plane" else (3, {"pole": pole})
    way = np.array(target[:width]) - np.array(root[:width])
    wanted = twobone.reach(way, 0.8, 0.6, side=side, unreachable=policy, **rest)
    found = answer(check({**state, **fields}))
    for name in ("joint", "end"):
        numbers = [None if math.isnan(v) else v for v in getattr(wanted, name).tolist()]
        assert found[name] == numbers
    assert found["status"] == wanted.status
    world = answer_in_world({**state, **fields})
    np.testing.assert_allclose(world.joint, wanted.joint + root[:width], rtol=0, atol=1e-15)
    np.testing.assert_allclose(world.end, wanted.end + root[:width], rtol=0, atol=1e-15)


def test_no_number_is_null():
    found = answer({**DEFAULTS, **FAR, "policy": "nan"})
    assert found == {"joint": [None, None], "end": [None, None], "status": 1}


def test_what_cannot_be_shown_is_named_by_its_type():
    class Odd:
        def __repr__(self):
            raise RuntimeError

    assert page_state.shown(10**5000) == "something of type int"
    assert "Odd" in page_state.shown(Odd())
    assert len(page_state.shown([["x" * 10_000] * 100] * 100)) == 80
