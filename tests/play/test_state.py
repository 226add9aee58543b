"""The state of the page in node: its checks, undo, and the address that has every bit of it."""

import itertools

import pytest

from browsing import random_states
from twobone.play import page_state
from twobone.play.page_state import DEFAULTS

VIEW = (
    "yaw", "pitch", "zoom", "at", "lesson", "step", "present", "embed", "language", "shortcuts",
    "animal", "ground", "seed", "duty_factor", "liveliness", "leg", "polygon", "paths", "triangles",
    "bones",
)  # fmt: skip
OWN = itertools.count()


@pytest.fixture
def state(modules):
    """Return a function that runs statements with a state of their own."""
    names = {f"state/state?{next(OWN)}": "state"}
    return lambda code, given=None: modules(names, f"(() => {{ {code} }})()", given)


# --- what is a state ----------------------------------------------------------------------


def test_the_page_begins_with_the_limb_of_python(state):
    assert state("return state.limb();") == DEFAULTS
    assert set(state("return state.now;")) == {*DEFAULTS, *VIEW}


GOOD = [
    *(("r1", value) for value in (0, 1e6, 0.5)),
    *(("soft", value) for value in (0, 0.999, 1 - 2**-53)),
    *(("limit", value) for value in (1, 1e6)),
    *(("target", value) for value in ([1e6, -1e6, 0], [0, 0, 0])),
    *(("side", value) for value in (1, -1)),
    *(("scene", value) for value in ("space", "creature", "character", "plane")),
    *(("policy", value) for value in ("stretch", "proportion", "nan", "raise", "clamp")),
    *(("pitch", value) for value in (-89, 89)),
    *(("zoom", value) for value in (0.05, 50)),
    *(("at", value) for value in ([1, 2, 3], [0, 0, 1e-9], [1e8, -1e8, 1e8], [0, 0, 0])),
    *(("step", value) for value in (7, 1, 0)),
    *(("seed", value) for value in (0, 1e6)),
    *(("leg", value) for value in (64, 0)),
    *(("duty_factor", value) for value in (0.5, 0.85, 0)),
    *(("liveliness", value) for value in (0, 0.5, 1)),
    *(("ground", value) for value in ("flat", "0.25", "steps", "0.1")),
    *(("lesson", value) for value in ("space", "break", "plane")),
]
BAD = [
    *(("r1", value) for value in (-1e-9, 1.000001e6, "1", None, float("nan"), True, [1])),
    *(("r2", value) for value in (-1, float("inf"))),
    *(("soft", value) for value in (1, -1e-9, float("nan"))),
    *(("limit", value) for value in (0.999, 1.1e6)),
    *(("least", value) for value in (-1, 181)),
    *(("greatest", value) for value in (-1e-9, 180.001)),
    *(("target", value) for value in ([1, 2], [1, 2, 3, 4], [1, 2, 1.1e6], [1, 2, "3"], 1)),
    *(("side", value) for value in (0, 2, "1")),
    *(("scene", value) for value in ("Plane", "", None)),
    *(("policy", value) for value in ("soft", "clamp ")),
    *(("yaw", value) for value in (10001, -10001)),
    *(("pitch", value) for value in (-90, 90)),
    *(("zoom", value) for value in (0.04, 51)),
    *(("at", value) for value in ([0, 0, -1], [0, 0, 1e-10], [1.1e8, 0, 1])),
    *(("step", value) for value in (8, 2.5, -1)),
    *(("seed", value) for value in (1.5, -1, 1e6 + 1)),
    *(("leg", value) for value in (65, -1, 0.5)),
    *(("duty_factor", value) for value in (0.55, 1)),
    *(("liveliness", value) for value in (0.25, 2, -1)),
    *(("ground", value) for value in ("0.3", 0.1)),
    *(("animal", value) for value in ("cat",)),
    *(("language", value) for value in ("fr",)),
    *(
        (name, 2)
        for name in ("present", "embed", "shortcuts", "polygon", "paths", "triangles", "bones")
    ),
    *(("__proto__", {}), ("constructor", 1), ("toString", 1), ("colour", 1)),
]
TRIED = "return given.map(([name, v]) => [state.set({ [name]: v }), structuredClone(state.now)]);"


def test_values_in_range_are_taken_to_the_edge(state):
    for (name, value), (done, now) in zip(GOOD, state(TRIED, GOOD), strict=True):
        assert now[name] == value, name
        assert set(done) <= {name}


def test_values_that_make_no_sense_change_nothing(state):
    before = state("return state.now;")
    for (name, value), (done, now) in zip(BAD, state(TRIED, BAD), strict=True):
        assert done == [], (name, value)
        assert now == before


def test_a_joint_limit_pushes_the_other_one(state):
    code = "given.forEach((v) => state.set(v)); return state.limb();"
    pushed = state(code, [{"least": 90}, {"greatest": 45}])
    assert (pushed["least"], pushed["greatest"]) == (45, 45)
    pushed = state(code, [{"greatest": 120}, {"least": 150}])
    assert (pushed["least"], pushed["greatest"]) == (150, 150)


def test_listeners_hear_what_has_changed_and_by_whom(state):
    heard = state(
        """
        const heard = [];
        state.on((changed, by) => heard.push([changed, by]));
        state.set({ r1: 0.8 });
        state.set({ r1: 0.9, side: -1, r2: -1 });
        state.set({ yaw: 40 }, "view");
        state.commit();
        return heard;
        """
    )
    assert heard == [[["r1", "side"], "hand"], [["yaw"], "view"], [[], "commit"]]


def test_the_range_of_a_field_is_known(state):
    found = state("return given.map(state.range);", ["r1", "soft", "limit", "greatest", "target"])
    assert [each["least"] for each in found] == [0, 0, 1, 0, -1e6]
    assert [each["greatest"] for each in found] == [1e6, 1 - 2**-53, 1e6, 180, 1e6]
    assert [each["below"] for each in found] == [None, 1, None, None, None]


# --- undo ---------------------------------------------------------------------------------

UNDO = """
const at = () => [state.now.r1, state.canUndo(), state.canRedo()], seen = [];
for (const [act, ...all] of given) {
  if (act === "hand") state.set({ r1: all[0] }), state.commit();
  else if (act === "view") state.set({ yaw: all[0] }, "view"), state.commit();
  else if (act === "arrives") state.set({ r1: all[0] }, "python"), state.settle();
  else state[act]();
  seen.push(at());
}
return seen;
"""


def walked(state, *acts):
    return state(UNDO, [act if isinstance(act, tuple) else (act,) for act in acts])


def test_steps_are_undone_and_done_again(state):
    one, two, three = (("hand", value) for value in (0.1, 0.2, 0.3))
    found = walked(state, one, two, "undo", "undo", "undo", "redo", "redo", "redo", "undo", three)
    assert [at for at, _, _ in found] == [0.1, 0.2, 0.1, 0.8, 0.8, 0.1, 0.2, 0.2, 0.1, 0.3]
    undo = [can for _, can, _ in found]
    assert undo == [True, True, True, False, False, True, True, True, True, True]
    redo = [can for _, _, can in found]
    assert redo == [False, False, True, True, True, True, False, False, True, False]


def test_a_step_that_changes_nothing_is_none(state):
    found = walked(state, ("hand", 0.8), "commit", ("view", 50))
    assert [can for _, can, _ in found] == [False] * 3


def test_what_arrives_is_a_step_only_after_one_of_the_page(state):
    many = [("arrives", value) for value in (0.1, 0.2, 0.3)]
    found = walked(state, *many)
    assert not any(can for _, can, _ in found)
    found = walked(state, ("hand", 0.5), *many, "undo", "undo")
    assert [at for at, _, _ in found] == [0.5, 0.1, 0.2, 0.3, 0.5, 0.3]
    found = walked(state, ("hand", 0.6), "undo", ("arrives", 0.7))
    assert found[-1] == [0.7, True, False]  # what was undone belongs to another limb


def test_two_hundred_steps_are_kept(state):
    found = walked(state, *(("hand", 1 + value) for value in range(250)), *["undo"] * 250)
    assert found[-1][:2] == [50, False]


def test_a_scene_may_have_a_history_of_its_own(state):
    found = state(
        """
        const done = [], told = (word) => () => done.push(word);
        state.keepFor("character", { undo: told("undo"), redo: told("redo"),
          canUndo: () => false, canRedo: () => true });
        state.set({ scene: "character" });
        state.commit();
        state.undo(), state.redo();
        return [done, state.now.scene, state.canUndo(), state.canRedo()];
        """
    )
    assert found == [["undo", "redo"], "character", False, True]


# --- the address --------------------------------------------------------------------------


def test_an_address_carries_all_to_the_last_bit(state):
    states = list(random_states(200, seed=5))
    found = state(
        """return given.map((s) => {
             state.set({ least: 0, greatest: 180 });
             state.set(s);
             const text = state.write();
             return [text, state.read(text)];
           });""",
        states,
    )
    for wanted, (text, back) in zip(states, found, strict=True):
        assert {name: back[name] for name in wanted} == wanted
        # What is as it was to begin with is left out.
        assert {pair.split("=")[0] for pair in text.split("&") if pair} == {
            name for name, value in DEFAULTS.items() if wanted[name] != value
        }


def test_an_address_may_differ_from_the_state(state):
    code = "state.set({ side: -1, embed: 1 }); return [state.write(given), state.write()];"
    assert state(code, {"embed": 0}) == ["side=-1", "side=-1&embed=1"]


READ = "const refused = [], found = state.read(given, refused); return [found, refused];"


@pytest.mark.parametrize(
    ("address", "refused"),
    [
        ("target=NaN,1,2&r1=-3&r2=Infinity&side=2&scene=moon&soft=1e9", 6),
        ("__proto__=1&constructor=2&toString=3&target=1", 1),
        ("%E0%A4%A&target=%3Cimg%20src=x%3E&" + "a=b&" * 2000, 1),
        ("step=99&pitch=1e300&zoom=0", 3),
        ("step=2.5", 1),
        ("r1=1,5&r1=0x10&r1=1e&r1=&r1=1 2&r1=.", 6),
        ("target=1,,2&target=1,2&target=1,2,3,4", 3),
        ("least=90&greatest=20", 1),
        ("side=&yaw=1e5&seed=1.5&r2=1e&policy=clamp2", 5),
    ],
)
def test_a_hostile_address_changes_nothing(state, address, refused):
    found, bad = state(READ, address)
    assert {name: found[name] for name in DEFAULTS} == DEFAULTS
    assert len(bad) == refused


def test_an_address_is_read_as_people_write_numbers(state):
    address = "r1=1e-3&utm_source=mail&target=-.5,+2,1.&greatest=90&r2=\u22120.0&soft=.25"
    found, refused = state(READ, address)
    assert refused == []
    assert (found["r1"], found["target"], found["soft"]) == (0.001, [-0.5, 2, 1], 0.25)
    found, refused = state(READ, "target=1.2%2C0.1%2C0&r1=0.9")  # as messengers write commas
    assert (found["target"], found["r1"], refused) == ([1.2, 0.1, 0], 0.9, [])


def test_whole_texts_are_numbers_or_none(state):
    texts = {" 1.25e-0 ": 1.25, "\u22120.5": -0.5, "5.": 5, ".5": 0.5, "+2": 2, "1E3": 1000}
    nothing = ["", "-", "1e", "1,5", "0.5x", "0x10", "1 2", ".", "--1"]
    code = "return [...given, 'Infinity', 'NaN'].map(state.number);"
    found = state(code, [*texts, *nothing])
    assert found[: len(texts)] == [*texts.values()]
    assert all(number != number for number in found[len(texts) :])


def test_the_fields_of_the_limb_are_those_that_python_takes(state):
    for limb in state("return given.map((v) => (state.set(v), state.limb()));", [{"r1": 2}, {}]):
        assert page_state.check(limb) == limb
