"""A page's animal as Python walks it: what may be asked, what is answered, a walk to take along."""

import json

import numpy as np
import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

import twobone
from twobone import creature
from twobone.errors import PageError
from twobone.pictures import figure
from twobone.play import stroll
from twobone.rotations import rotate
from visitors import ask, page_at

QUESTION = {
    "animal": "insect",
    "ground": "0.1",
    "seed": 1,
    "duty_factor": 0,
    "ticks": 4,
    "velocity": [0, 0.6],
    "turn": 0.2,
    "shove": [0, 0],
}


def answer(walked, **changes):
    return walked.answer(stroll.check({**QUESTION, **changes}))


def test_it_walks_as_a_walker_does():
    walked = stroll.Stroll()
    for _ in range(30):
        told = answer(walked)
    walker = creature.Walker("insect", creature.make_terrain(0.1, "insect", seed=1))
    for _ in range(120):
        walker.step(1 / 120, [0.0, 0.6 * walker.animal.speed], 0.2)
    stance = walker.state
    np.testing.assert_array_equal(told["place"], stance.body_position)
    np.testing.assert_array_equal(told["turned"], stance.body_rotation)
    np.testing.assert_array_equal(told["feet"], stance.feet)
    np.testing.assert_array_equal(told["down"], stance.stance)
    assert 0.5 < np.hypot(*np.delete(told["place"], 1)) < 1.3


def test_the_animal_is_told_when_it_is_another():
    walked = stroll.Stroll()
    first = answer(walked)
    assert first["animal"]["name"] == "insect"
    assert first["ground"]["kind"] == "noise"
    assert "animal" not in answer(walked)
    for _ in range(20):
        there = answer(walked)["place"]
    spider = answer(walked, animal="spider", ticks=0)
    assert len(spider["animal"]["hips"]) == 8
    assert len(spider["feet"]) == 8
    # It stands where the insect was.
    assert np.hypot(spider["place"][0] - there[0], spider["place"][2] - there[2]) < 1e-12
    assert answer(walked, animal="spider", ground="steps")["ground"]["kind"] == "steps"
    assert (
        answer(walked, animal="spider", ground="steps", duty_factor=0.75)["animal"]["name"]
        == "spider"
    )
    assert walked.walker.animal.gait.duty_factor == (0.75, 0.75)


def test_a_shove_moves_it_and_steps_answer():
    pushed, calm = stroll.Stroll(), stroll.Stroll()
    still = {"velocity": [0, 0], "turn": 0}
    answer(pushed, **still, shove=[1.5, 0])
    answer(calm, **still)
    lifted = 0
    for _ in range(80):
        moved, rests = answer(pushed, **still), answer(calm, **still)
        lifted = max(lifted, moved["down"].count(False))
    assert moved["place"][0] > rests["place"][0] + 0.2  # to the left is +x
    assert lifted >= 1
    assert all(moved["down"])


@pytest.mark.slow
def test_figures_come_twice_a_second_and_are_those_of_the_report():
    walked = stroll.Stroll()
    reports = [answer(walked).get("report") for _ in range(150)]
    found = [one for one in reports if one]
    assert len(found) == 10  # 600 ticks are 5 s
    assert found[-1]["slide"] == 0.0
    assert found[-1]["least_feet_down"] >= 3
    recording = creature.record(walked.walker, walked.past, 1 / 60)
    whole = creature.report(recording, walked.walker.terrain)
    assert found[-1] == {name: getattr(whole, name) for name in stroll.FIGURES}
    assert len(walked.past) == stroll.WINDOW + 1


@pytest.mark.parametrize("ground", stroll.GROUNDS)
def test_the_formula_of_the_ground_gives_its_heights(ground):
    terrain = creature.make_terrain(stroll.GROUNDS[ground], "dog", seed=5)
    x, z = np.random.default_rng(0).uniform(-30, 30, (2, 500))
    form = terrain.formula()
    assert json.loads(json.dumps(form)) == form
    if form["kind"] == "flat":
        found = np.full(500, form["level"])
    elif form["kind"] == "slope":
        found = form["rise"][0] * x + form["rise"][1] * z
    elif form["kind"] == "noise":
        a, b, c = np.array(form["waves"]).T[:, :, None]
        found = form["high"] * np.sum(np.cos(a * x + b * z + c), axis=0)
    else:
        runs = z / form["run"]
        t = np.clip((runs - np.floor(runs) - 0.5) / form["face"] + 0.5, 0, 1)
        found = form["rise"] * (np.floor(runs) + t * t * (3 - 2 * t))
    np.testing.assert_allclose(found, terrain.height(x, z), rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"animal": "cow"}, "animal"),
        ({"animal": ["insect"]}, "animal"),
        ({"ground": "0.2"}, "ground"),
        ({"ground": 0.1}, "ground"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"seed": True}, "seed"),
        ({"duty_factor": 0.3}, "duty_factor"),
        ({"duty_factor": 0.96}, "duty_factor"),
        ({"duty_factor": None}, "duty_factor"),
        ({"ticks": 31}, "ticks"),
        ({"ticks": 1e9}, "ticks"),
        ({"ticks": "1"}, "ticks"),
        ({"velocity": [0, 1.5]}, "velocity"),
        ({"velocity": [0]}, "velocity"),
        ({"velocity": 1}, "velocity"),
        ({"velocity": [0, "1"]}, "velocity"),
        ({"turn": 5}, "turn"),
        ({"turn": float("nan")}, "turn"),
        ({"shove": [0, 10]}, "shove"),
        ({"more": 1}, "walk"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, name):
    with pytest.raises(PageError, match=f"^`{name}` must") as told:
        stroll.check({**QUESTION, **changes})
    assert told.value.name == name
    for other in (None, [], "insect", {}):
        with pytest.raises(PageError, match="walk"):
            stroll.check(other)


def test_the_socket_answers_walks_and_outlives_nonsense(state_home):
    with twobone.play(port=0, open_browser=False) as page, page_at(page.address) as (socket, _):
        told = ask(socket, {"type": "walk", "id": 7, "walk": QUESTION})
        assert (told["type"], told["id"], len(told["feet"])) == ("walk", 7, 6)
        for bad in (
            {"type": "walk", "id": 8},
            {"type": "walk", "id": 8, "walk": {**QUESTION, "ticks": -1}},
            {"type": "walk", "id": 8, "walk": QUESTION, "state": {}},
            {"type": "walk", "id": None, "walk": QUESTION},
            {"type": ["walk"], "id": 8, "walk": QUESTION},
            {"type": "run", "id": 8, "run": QUESTION},
        ):
            assert ask(socket, bad)["type"] == "error"
        assert page.errors == 6
        again = ask(socket, {"type": "walk", "id": 9, "walk": QUESTION})
        assert again["place"] != told["place"]
        assert "animal" not in again
        # Another page has an animal of its own.
        with page_at(page.address) as (other, _):
            first = ask(other, {"type": "walk", "id": 1, "walk": QUESTION})
            assert first["place"] == told["place"]


@pytest.mark.slow
def test_a_recorded_walk_is_the_walk_to_its_unit():
    kept = stroll.recorded()
    columns = np.array([np.cumsum(column) for column in kept["columns"]])
    columns[:7] = np.cumsum(columns[:7], axis=1)
    terrain = creature.make_terrain(0.1, "insect", seed=1)
    whole = creature.walk("insect", terrain=terrain, seconds=stroll.LOOP, fps=60, seed=1)
    unit = kept["unit"]
    np.testing.assert_allclose(columns[:3].T * unit, whole.body_position[::4], atol=unit / 1.99)
    feet = columns[7:25].T.reshape(-1, 6, 3) * unit
    np.testing.assert_allclose(feet, whole.feet[::4], atol=unit / 1.99)
    turned = columns[3:7].T * kept["turns"]
    assert np.max(np.abs(np.diff(turned, axis=0))) < 0.1
    turns = np.abs(np.sum(turned * whole.body_rotation[::4], axis=1))
    np.testing.assert_allclose(turns, 1, atol=2e-3)
    for first, rotation in ((25, whole.head_rotation), (29, whole.tail_rotation)):
        found = columns[first : first + 4].T * kept["turns"]
        turns = np.abs(np.sum(found * rotation[::4], axis=1))
        np.testing.assert_allclose(turns, 1, atol=2e-3)
    assert kept["dt"] * (columns.shape[1] - 1) == pytest.approx(stroll.LOOP)
    assert kept["report"]["slide"] == 0.0


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_an_animal_is_described_as_pictures_draw_it(name):
    told = json.loads(json.dumps(stroll.describe(creature.animal(name))))
    drawn = figure.figure_of_animal(creature.animal(name))
    assert len(told["parts"]) == len(drawn.parts)
    for part, own in zip(told["parts"], drawn.parts, strict=True):
        whole = figure.part_in_body(drawn, own)
        assert (part["paint"], part["node"]) == (own.paint, own.node)
        if isinstance(own, creature.Capsule):
            np.testing.assert_allclose(part["start"], whole.start)
            np.testing.assert_allclose(part["end"], whole.end)
            np.testing.assert_allclose(part["radii"], own.radii)
        else:
            np.testing.assert_allclose(part["centre"], whole.centre)
            np.testing.assert_allclose(part["half"], own.half)
            # Rows are the ellipsoid's axes in the body.
            np.testing.assert_allclose(part["axes"], rotate(figure.turn_of(own), np.eye(3)))
    assert told["radii"] == [radii._asdict() for radii in drawn.legs]
    assert told["extent"] > 0.2 * drawn.leg
