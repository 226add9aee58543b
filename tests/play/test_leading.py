"""A script leads the animals of all pages, and is told of their steps; messages may be hostile."""

import json
import threading
import time

import numpy as np
import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

import twobone
from twobone import creature
from twobone.errors import ArrayTypeError, CreatureError, PageError, ShapeError
from twobone.play import leading, messages, steps
from twobone.play.animals_table import entry
from twobone.terrain.ground import HeightArray, HeightFunction
from visitors import ask, page_at, receive, wait_until

INSECT = creature.Walker("insect", creature.make_terrain(0.1, "insect")).state


def told(state=INSECT, **changes):
    """Return a step as a page tells it: flat lists."""
    flat = {name: np.ravel(value).tolist() for name, value in state._asdict().items()}
    return {"animal": "insect", "seconds": 2.0, "blocked": False, **flat, **changes}


def say_step(number=1, **changes):
    return {"type": "step", "id": number, "step": told(**changes)}


DOG = creature.animal("dog")


# --- a script leads -----------------------------------------------------------------------


def test_orders_reach_all_pages_and_those_that_come_later(live):
    with page_at(live.address) as (first, hello), page_at(live.address) as (second, _):
        assert "lead" not in hello
        live.animal = "dog"
        live.terrain = creature.Steps(0.1, 1.0)
        live.lead((0.2, 0.5), turn=-0.3)
        order = {"velocity": [0.2, 0.5], "turn": -0.3}
        wanted = {"animal": "dog", "terrain": live.terrain.formula(), "order": order}
        for page in (first, second):
            heard = {}
            while heard != wanted:  # a slow page gets several orders in one message
                heard |= {name: v for name, v in receive(page).items() if name != "type"}
        live.shove(1.5)
        assert receive(first) == {"type": "lead", "shove": [0, 1.5]}
        live.lead(1.0)
        assert receive(first)["order"] == {"velocity": [0, 1], "turn": 0}
    with page_at(live.address) as (_, hello):  # a shove is over
        assert hello["lead"] == {**wanted, "order": {"velocity": [0, 1], "turn": 0}}


def test_what_a_script_has_given_can_be_read_and_taken_back(live):
    assert (live.animal, live.terrain) == (None, None)
    live.animal = "spider"
    live.terrain = 0.5
    assert live.animal.name == "spider"
    assert live.terrain.height(3.0, 4.0) == 0.5
    live.animal = live.terrain = None
    assert (live.animal, live.terrain) == (None, None)
    with page_at(live.address) as (_, hello):
        assert hello["lead"] == {"animal": None, "terrain": None}


def test_an_animal_of_ones_own_is_sent_whole(live):
    dog = creature.animal("dog").with_gait("trot", 0.6).with_liveliness(0)
    own = dog._replace(anatomy=dog.anatomy._replace(name="Rex"))
    with page_at(live.address) as (page, _):
        live.animal = own
        assert receive(page) == json.loads(json.dumps({"type": "lead", "animal": entry(own)}))
    assert live.animal is own


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("animal", "cow", CreatureError),
        ("animal", 3, ArrayTypeError),
        ("animal", DOG._replace(anatomy=DOG.anatomy._replace(height=-1.0)), CreatureError),
        ("animal", DOG._replace(anatomy=DOG.anatomy._replace(along=(0.0, np.nan))), CreatureError),
        ("terrain", "hills", ArrayTypeError),
        ("terrain", np.nan, CreatureError),
        ("terrain", np.zeros((2, 2, 2)), ShapeError),
        ("terrain", np.zeros((501, 500)), CreatureError),
        ("terrain", lambda x, z: x / 0 if False else np.full(x.shape, np.nan), CreatureError),
        ("terrain", lambda x, z: np.zeros(3), ShapeError),
    ],
)
def test_animals_and_ground_are_checked_as_for_walkers(live, name, value, error):
    with page_at(live.address) as (page, _):
        with pytest.raises(error, match=r"must|expected"):
            setattr(live, name, value)
        assert getattr(live, name) is None
        live.shove(1)
        assert receive(page) == {"type": "lead", "shove": [0, 1]}


def test_an_animal_may_have_64_legs(live):
    def many(pairs):
        legs = [
            leg
            for station in range(pairs)
            for leg in creature.pair(
                station, hip=(0.1, 0.0), foot=(0.3, 0.0), bones=(0.3, 0.3, 0.0), pole=(0.3, 1, 0)
            )
        ]
        wave = DOG.anatomy.gaits[0]._replace(
            offsets_low=[0.1 * i for i in range(2 * pairs)],
            offsets_high=[0.1 * i for i in range(2 * pairs)],
        )
        along = [0.3 * i for i in range(pairs)]
        return creature.Animal(
            creature.make_anatomy(height=0.4, along=along, legs=legs, gaits=[wave])
        )

    live.animal = many(32)
    with pytest.raises(CreatureError, match="`animal` must have at most 64 legs on a page, got 66"):
        live.animal = many(33)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e10, "fast", None])
def test_velocities_are_numbers(live, value):
    for call in (live.lead, live.shove, lambda v: live.lead(1.0, v), lambda v: live.lead((0, v))):
        with pytest.raises((CreatureError, ArrayTypeError), match="must be"):
            call(value)


def test_velocities_have_one_or_two_parts(live):
    for call in (live.lead, live.shove):
        with pytest.raises(ShapeError, match=r"`velocity` must be a number or have shape \(2,\)"):
            call((1, 2, 3))
    with pytest.raises(ShapeError, match="`turn` must be a number"):
        live.lead(1, (1, 2))


def test_shoves_that_a_page_has_not_received_are_added_up():
    from twobone.play.shared import Outbox

    waiting = Outbox(None, 1, {}, {})  # nothing sends
    for shove in ([1.0, 2.0], [0.5, -1.0]):
        waiting.order({"shove": shove})
    waiting.order({"order": 1})
    waiting.order({"order": 2})
    assert waiting.orders == {"shove": [1.5, 1.0], "order": 2}


def test_a_function_is_sent_as_heights_around_the_origin(live):
    hills = lambda x, z: 0.3 * np.sin(0.5 * x) * np.cos(0.4 * z)  # noqa: E731
    live.terrain = hills
    assert isinstance(live.terrain, HeightFunction)
    form = leading.asked_terrain(live.terrain)["terrain"]
    sent = HeightArray(form["heights"], form["spacing"], form["origin"])
    x, z = np.random.default_rng(0).uniform(-39.0, 39.0, (2, 500))
    np.testing.assert_allclose(sent.height(x, z), hills(x, z), atol=2e-5)
    live.terrain = lambda x, z: 0.25
    assert leading.sampled(live.terrain).height(1e3, 0.0) == 0.25


def test_a_closed_page_leads_nobody(live):
    live.close()
    for call in (lambda: live.lead(1), lambda: live.shove(1), lambda: live.on_step(print)):
        with pytest.raises(PageError, match="`page` must be open"):
            call()


# --- a script is told of steps ------------------------------------------------------------


def test_a_step_is_the_state_of_a_walker(live):
    heard = []
    live.on_step(lambda page, step: heard.append((page, step, threading.current_thread().name)))
    with page_at(live.address) as (page, hello):
        assert hello["lead"] == {"steps": True}
        assert ask(page, say_step(7)) == {"type": "step", "id": 7}
        wait_until(lambda: heard)
    told_page, step, thread = heard[0]
    assert (told_page, thread) == (live, "twobone-callbacks")
    assert (step.page, step.animal, step.seconds, step.blocked) == (1, "insect", 2.0, False)
    assert isinstance(step, twobone.play.Step)
    for name, value in INSECT._asdict().items():
        found = getattr(step.state, name)
        assert found.dtype == value.dtype
        np.testing.assert_array_equal(found, value, err_msg=name)


def test_pages_ask_for_steps_only_if_somebody_listens(live):
    with page_at(live.address) as (page, hello):
        assert "lead" not in hello
        ask(page, say_step())  # nobody hears it
        live.on_step(print)
        assert receive(page) == {"type": "lead", "steps": True}
    with pytest.raises(PageError, match="`callback` must be a function, got 3"):
        live.on_step(3)


def test_a_slow_callback_hears_the_newest_step_of_each_page(live):
    heard, gate = [], threading.Event()

    @live.on_step
    def follow(page, step):
        heard.append((step.page, step.seconds))
        gate.wait(5)

    with page_at(live.address) as (first, _), page_at(live.address) as (second, _):
        ask(first, say_step(seconds=0))
        wait_until(lambda: heard)
        for seconds in (1, 2, 3):
            for page in (first, second):
                ask(page, say_step(seconds=seconds))
        gate.set()
        wait_until(lambda: len(heard) == 3)
        time.sleep(0.05)
    assert sorted(heard) == [(1, 0.0), (1, 3.0), (2, 3.0)]


def test_a_callback_may_lead(live):
    live.on_step(lambda page, step: page.lead(0.0 if step.seconds > 1 else 1.0))
    with page_at(live.address) as (page, _):
        for seconds, forward in ((0.5, 1), (2, 0)):
            page.send(json.dumps(say_step(seconds=seconds)))
            answers = [receive(page), receive(page)]
            orders = [one["order"] for one in answers if one["type"] == "lead"]
            assert orders == [{"velocity": [0, forward], "turn": 0}]


HOSTILE = [
    ("animal", 3),
    ("animal", "x" * 101),
    ("seconds", -1),
    ("seconds", True),
    ("seconds", 2e9),
    ("seconds", None),
    ("blocked", 0),
    ("stations", [0, 0]),
    ("stations", []),
    ("stations", [0.0] * 12),
    ("stations", [0.0] * 3 * 65),
    ("stations", [*[0.0] * 8, "0"]),
    ("stations", [*[0.0] * 8, 1e10]),
    ("stations", [*[0.0] * 8, None]),
    ("stations", [[0.0] * 3] * 3),
    ("stations", {"0": 0}),
    ("station_rotations", [0.0] * 12),
    ("station_rotations", [0.0, 0.0, 0.0, 1.1] * 3),
    ("neck", []),
    ("neck", [0.0, 0.0, 0.0]),
    ("neck", [0.0, 0.0, 0.0, 0.5]),
    ("neck", [0.0, 0.0, 0.0, 1.0] * 65),
    ("tail", None),
    ("tail", [0.0] * 5),
    ("tail", [0.0, 0.0, 0.0, 1.1]),
    ("hips", [0.0] * 17),
    ("knees", [0.0] * 21),
    ("ankles", None),
    ("feet", []),
    ("feet", "0" * 18),
    ("foot_rotation", [0.0] * 24),
    ("stance", [1] * 6),
    ("stance", []),
    ("stance", [True] * 65),
    ("more", 1),
]


@pytest.mark.parametrize(("name", "value"), HOSTILE)
def test_a_hostile_step_is_refused(name, value):
    with pytest.raises(PageError, match="must") as caught:
        steps.check(told(**{name: value}))
    assert caught.value.name in (name, "step", "hips", "station_rotations")


def test_steps_with_a_field_missing_and_numbers_without_end_are_refused():
    for name in steps.FIELDS:
        with pytest.raises(PageError, match=r"^`step` must be an object"):
            steps.check({key: value for key, value in told().items() if key != name})
    for other in (None, [], "insect", 3):
        with pytest.raises(PageError, match=r"^`step` must be an object"):
            steps.check(other)
    text = json.dumps(say_step()).replace("2.0", "1e999")
    with pytest.raises(PageError, match=r"^`seconds` must"):
        messages.read(text)
    text = json.dumps(say_step()).replace('"stations": [', '"stations": [NaN, ')
    with pytest.raises(PageError, match=r"^`message` must be JSON"):
        messages.read(text)


def test_the_socket_outlives_hostile_steps(live):
    heard = []
    live.on_step(lambda page, step: heard.append(step.animal))
    with page_at(live.address) as (page, _):
        for name, value in HOSTILE:
            assert ask(page, say_step(**{name: value}))["type"] == "error"
        for bad in (
            {"type": "step", "id": 8},
            {"type": "step", "id": 8, "step": told(), "state": {}},
            {"type": "step", "id": None, "step": told()},
            {"type": "walk", "id": 8, "walk": told()},
        ):
            assert ask(page, bad)["type"] == "error"
        assert live.errors == len(HOSTILE) + 4
        assert not heard
        assert ask(page, say_step())["type"] == "step"
        wait_until(lambda: heard)


def test_a_step_of_64_legs_fits_into_a_message():
    draw = np.random.default_rng(0)
    still = np.array([0.0, 0.0, 0.0, 1.0])
    state = creature.WalkerState(
        *(draw.normal(size=(64, 3)), np.tile([0.0, 0.6, 0.0, 0.8], (64, 1))),
        *draw.normal(size=(4, 64, 3)),
        *(np.ones(64, bool), np.tile([0.0, 0.6, 0.0, 0.8], (64, 1))),
        *(still[None], np.tile(still, (64, 1))),
    )
    text = json.dumps({"type": "step", "id": 1, "step": told(state, animal="x" * 100)})
    assert len(text) < 65536
    assert len(messages.read(text).content.state.feet) == 64
