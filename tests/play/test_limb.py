"""The limb that the page shows is solved and described in node as Python does and people read."""

import numpy as np
import pytest

from browsing import random_states
from twobone.play import page_state
from twobone.play.page_state import DEFAULTS

SOLVE = """given.map((s) => {
  const found = limb.solve(s), all = { yaw: 0, ...s };
  return { ...found, said: limb.say(all, found) };
})"""


@pytest.fixture
def solved(modules):
    return lambda states: modules({"limb/limb": "limb"}, SOLVE, list(states))


def test_the_page_answers_as_python_does(solved):
    states = list(random_states(3000))
    for state, have in zip(states, solved(states), strict=True):
        want = page_state.answer(state)
        slack = 0 if state["least"] == 0 and state["greatest"] == 180 else 1e-15
        assert have["status"] == want["status"], state
        for name in ("joint", "end"):
            told = np.array([np.nan if v is None else v for v in want[name]])
            size = 1 + abs(state["r1"]) + abs(state["r2"])
            np.testing.assert_allclose(have[name], told, rtol=0, atol=slack * size, err_msg=state)


def test_the_other_joint_is_that_of_the_other_side(solved):
    states = list(random_states(100, seed=8))
    others = solved([{**state, "side": -state["side"]} for state in states])
    for have, other in zip(solved(states), others, strict=True):
        np.testing.assert_array_equal(have["other"], other["joint"])


def test_the_numbers_of_the_formula_are_those_of_the_joint(solved):
    states = [state | {"policy": "clamp", "soft": 0, "least": 0, "greatest": 180, "scene": "plane"}
              for state in random_states(200, seed=9)]  # fmt: skip
    count = 0
    for state, have in zip(states, solved(states), strict=True):
        if have["word"] != "REACHED" or have["s"] == 0:
            continue
        p, q = np.array(have["p"]), np.array(have["q"])
        np.testing.assert_allclose(p, np.subtract(state["target"], state["root"])[:2])
        assert have["h"] == pytest.approx(p @ p)
        assert have["w"] == pytest.approx(have["h"] + state["r1"] ** 2 - state["r2"] ** 2)
        across = have["s"] * state["side"] * np.array([-p[1], p[0]])
        np.testing.assert_allclose(have["joint"], q + across, atol=1e-9 * (1 + have["far"]))
        assert all(abs(error) < 4 for error in have["errors"])
        count += 1
    assert count > 20


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"target": [0.75, 0.55, 0]}, "Reached"),
        ({"target": [2.4, 0, 0]}, "Too far by 1.00"),
        ({"target": [0.05, 0, 0]}, "Too near by 0.15"),
        ({"target": [0, 0, 0], "r2": 0.8}, "Ambiguous: the target is at the root"),
        (
            {"scene": "space", "target": [0, 1, 0]},
            "Ambiguous: pole parallel to target direction",
        ),
        ({"scene": "space", "pole": [0, 0, 0]}, "Ambiguous: the pole is zero"),
        ({"target": [1.38, 0, 0], "soft": 0.1}, "Softened: short of the target by 0.03"),
        ({"target": [0.25, 0, 0], "soft": 0.05, "least": 20}, "Too near by 0.06"),
        ({"target": [0.25, 0, 0], "soft": 0.5}, "Softened: beyond the target by 0.0063"),
        ({"target": [1.4, 0, 0], "greatest": 90}, "Too far by 0.40"),
        ({"target": [2.4, 0, 0], "policy": "nan"}, "Too far by 1.00"),
        ({"target": [3, 0, 0], "policy": "stretch"}, "Too far by 1.60"),
        ({"target": [1e-5, 0, 0], "r1": 1e-6, "r2": 1e-6}, "Too far by 8.0e\u22126"),
        (
            {"target": [1.2, 0.1, 0], "policy": "proportion", "limit": 1.9, "soft": 0.2},
            "Reached with stretched bones",
        ),
        ({"r1": -1}, "Invalid"),
    ],
)
def test_the_status_has_words(solved, changes, said):
    [found] = solved([{**DEFAULTS, **changes}])
    assert found["said"] == said


def test_lengths_that_are_wrong_are_measured_in_eps(solved):
    stretched = {**DEFAULTS, "policy": "stretch", "target": [2.8, 0, 0]}
    [found] = solved([stretched])
    long = np.array(
        [1.45, 1.35]
    )  # of a target at 2.8, the foot of the straight line is at w / 2.8 / 2
    wanted = 0.5 * ((long / [0.8, 0.6]) ** 2 - 1)
    np.testing.assert_allclose(np.array(found["errors"]) * 2.0**-52, wanted)
    [found] = solved([{**stretched, "r1": 0}])
    assert not np.isfinite(found["errors"][0])


DESCRIBE = """given.map(([s, alt, parts]) =>
  limb.describe(s, limb.solve(s), alt, (part) => parts.includes(part)))"""


def test_a_picture_is_described(modules):
    whole = ["bone-2", "other-joint"]
    space = {**DEFAULTS, "scene": "space", "target": [0.6, -0.001, 0.2]}
    cases = [
        ([DEFAULTS, "", whole], "A limb in the plane: Reached. The elbow is at 0.19, 0.78, the "
         "other solution at 0.80, \u22120.05."),
        ([DEFAULTS, "Two circles.", []], "A limb in the plane. The elbow is at 0.19, 0.78. Two "
         "circles."),
        ([{**DEFAULTS, "target": [3, 0, 0], "policy": "nan"}, "", whole],
         "A limb in the plane: Too far by 1.60."),
        ([{**DEFAULTS, "target": [3, 0, 0]}, "", whole],
         "A limb in the plane: Too far by 1.60. The elbow is at 0.80, 0.00."),
        ([space, "", whole], "A limb in space: Reached. The elbow is at 0.51, 0.59, 0.17."),
    ]  # fmt: skip
    found = modules({"limb/limb": "limb"}, DESCRIBE, [given for given, _ in cases])
    assert found == [wanted for _, wanted in cases]
