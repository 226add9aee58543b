"""Animals: what they are made of, gaits by name, and what makes none."""

import math
import pickle

import numpy as np
import pytest

import twobone
from twobone import creature
from twobone.creature import Animal, Gait, Walker, deriving, make_anatomy, pair
from twobone.errors import ArrayTypeError, CreatureError, ShapeError

NAMES = list(creature.ANIMALS)
TROT = (0.0, 0.5, 0.5, 0.0)


def a_leg(station, **changed):
    given = {"hip": (0.1, 0.0), "foot": (0.1, 0.0), "bones": (0.3, 0.3, 0.0), "pole": (0, 0, 1)}
    return pair(station, **given | changed)


def legs(**changed):
    return [leg for station in (0, 1) for leg in a_leg(station, **changed)]


def gait(**changed):
    given = Gait(0.0, 1.0, 0.6, 0.5, TROT, TROT, 0.0, 0.0, 1.0, 0.0)
    return given._replace(**changed)


def stool(**changed):
    given = {"height": 0.5, "along": (-0.3, 0.3), "legs": legs(), "gaits": [gait()]}
    return make_anatomy(**given | {"waits": False, "steady": False} | changed)


# --- what they are made of ----------------------------------------------------------------


def test_a_pair_is_mirrored_and_its_pole_is_a_direction():
    left, right = pair(3, hip=(0.2, 0.1), foot=(0.5, -0.2), bones=(1, 2, 3), pole=(3, 0, 4))
    assert (left.station, left.side, left.aside, left.up) == (3, 1.0, 0.2, 0.1)
    assert (left.foot_aside, left.foot_ahead) == (0.5, -0.2)
    assert (left.upper, left.lower, left.third) == (1, 2, 3)
    assert (left.pole_aside, left.pole_up, left.pole_ahead) == (0.6, 0.0, 0.8)
    assert right == left._replace(side=-1.0, aside=-0.2, foot_aside=-0.5, pole_aside=-0.6)


def test_what_follows_from_measures_is_derived():
    found = stool()
    assert (found.hip, found.span, found.reach) == (0.5, 0.6, 0.6)
    animal = Animal(found)
    assert (animal.name, animal.legs, animal.length) == ("animal", 4, 0.6)
    assert animal.top_speed == found.top_speed
    assert stool(height=0.575).top_speed < found.top_speed  # straighter legs have shorter stances
    assert stool(gaits=[gait(high=0.2)]).top_speed == pytest.approx(0.2 * math.sqrt(9.81 * 0.5))


@pytest.mark.parametrize("name", NAMES)
def test_built_in_animals_walk_as_fast_as_they_say(name):
    animal = creature.animal(name)
    assert animal.walking_speed <= animal.top_speed
    walker = Walker(name)
    walker.step(5.0, animal.walking_speed)
    assert walker.motion[0, 1] == pytest.approx(animal.walking_speed, rel=0.05)
    assert not walker.blocked


def test_an_animal_of_ones_own_walks():
    walker = Walker(Animal(stool()))
    walker.step(2.0, 0.5)
    assert 0.5 < walker.place[0, 1] < 1.0


# --- gaits --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "wanted"),
    [  # hind left, hind right, fore left, fore right
        ("walk", [0.0, 0.5, 0.25, 0.75]),
        ("trot", [0.0, 0.5, 0.5, 0.0]),
        ("pace", [0.0, 0.5, 0.0, 0.5]),
        ("bound", [0.0, 0.0, 0.5, 0.5]),
    ],
)
def test_four_legs_step_in_the_order_of_their_gait(name, wanted):
    animal = creature.animal("dog").with_gait(name)
    (found,) = animal.anatomy.gaits
    assert np.remainder(found.offsets_low, 1.0).tolist() == pytest.approx(wanted)
    assert not animal.anatomy.steady


@pytest.mark.parametrize("name", ["walk", "trot", "pace", "bound"])
def test_four_legs_walk_in_every_gait_that_is_not_steady(name):
    animal = creature.animal("dog").with_gait(name)
    walker = Walker(animal)
    walker.step(3.0, 0.6 * animal.walking_speed)
    assert walker.motion[0, 1] == pytest.approx(0.6 * animal.walking_speed, rel=0.1)


@pytest.mark.parametrize(("name", "down"), [("wave", 4), ("ripple", 3), ("tripod", 3)])
def test_six_legs_have_as_many_feet_down_as_their_gait_says(name, down):
    animal = creature.animal("insect").with_gait(name)
    walker, counts = Walker(animal), []
    for _ in range(360):
        walker.step(1 / 60, 0.6 * animal.walking_speed)
        counts.append(int(np.sum(walker.state.stance)))
    assert min(counts) >= down


def test_a_duty_factor_is_that_of_slow_and_of_fast_steps():
    dog = creature.animal("dog")
    (found,) = dog.with_gait("walk", 0.7).anatomy.gaits
    assert (found.duty_low, found.duty_high) == (0.7, 0.7)
    (found,) = dog.with_gait("walk", (0.8, 0.6)).anatomy.gaits
    assert (found.duty_low, found.duty_high) == (0.8, 0.6)
    own = dog.with_gait(gait(), 0.55)
    assert [each.duty_low for each in own.anatomy.gaits] == [0.55]
    kept = dog.with_gait(duty_factor=0.6)
    assert {each.duty_low for each in kept.anatomy.gaits} == {0.6}


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (("canter",), CreatureError, "`gait` must be "),
        (("walk", 0.05), CreatureError, "`duty_factor` must be "),
        (("walk", (0.5, 0.6, 0.7)), ShapeError, "`duty_factor` must be one number or two"),
        (("walk", "slow"), ArrayTypeError, "`duty_factor"),
        ((gait(low=2.0),), CreatureError, r"`gaits\[0\].low` must be below high"),
        ((gait(offsets_low=(0.0, 0.5)),), ShapeError, r"`gaits\[0\].offsets_low` must be 4 numbe"),
    ],
)
def test_gaits_that_make_no_sense_are_refused(arguments, error, said):
    with pytest.raises(error, match=said):
        creature.animal("dog").with_gait(*arguments)


def test_liveliness_scales_how_the_body_moves_along():
    dog = creature.animal("dog")
    assert dog.with_liveliness(1.0) == dog
    assert set(dog.with_liveliness(0.0).anatomy.manner) == {0.0}
    for wrong in (-0.1, 1.1, math.nan):
        with pytest.raises(CreatureError, match="`liveliness` must be"):
            dog.with_liveliness(wrong)
    calm = creature.walk(dog.with_liveliness(0.0), seconds=4.0, speed=1.2, turn=0.0)
    lively = creature.walk(dog, seconds=4.0, speed=1.2, turn=0.0)
    assert creature.report(calm).roll < 0.1 * creature.report(lively).roll


# --- what makes no animal -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"height": 0.0}, "height"),
        ({"height": math.nan}, "height"),
        ({"height": "high"}, "height"),
        ({"height": 0.9}, r"legs\[0\]"),
        ({"along": (0.3, -0.3)}, "along"),
        ({"along": ()}, "along"),
        ({"along": (-0.3, 0.0, 0.3)}, "along"),
        ({"along": 3}, "along"),
        ({"legs": []}, "legs"),
        ({"legs": legs()[:3]}, "legs"),
        ({"legs": [1, 2]}, r"legs\[0\]"),
        ({"legs": 5}, "legs"),
        ({"legs": legs()[::-1]}, r"legs\[0\].side"),
        ({"legs": legs(bones=(0.3, 0.0, 0.0))}, r"legs\[0\].lower"),
        ({"legs": legs(bones=(0.3, 0.3, -0.1))}, r"legs\[0\].third"),
        ({"legs": legs(foot=(0.0, 0.0))}, r"legs\[0\].foot_aside"),
        ({"legs": legs(foot=(-0.1, 0.0))}, r"legs\[0\].foot_aside"),
        ({"legs": legs(bones=(0.1, 0.1, 0.0))}, r"legs\[0\]"),
        ({"legs": legs(pole=(0, 0, 0))}, r"legs\[0\].pole"),
        ({"legs": legs(hip=(0.1, -0.6))}, r"legs\[0\].up"),
        ({"legs": [*a_leg(0), *a_leg(2)]}, r"legs\[2\].station"),
        ({"gaits": []}, "gaits"),
        ({"gaits": ["trot"]}, r"gaits\[0\]"),
        ({"gaits": [gait(duty_low=1.5)]}, r"gaits\[0\].duty_low"),
        ({"gaits": [gait(low=1.0)]}, r"gaits\[0\].low"),
        ({"manner": "lively"}, "manner"),
        ({"tilt": 1.5}, "tilt"),
        ({"least": 0.98}, "least"),
        ({"least": 0.7, "straight": 0.7}, "least"),
        ({"tail": -1}, "tail"),
        ({"waits": "no"}, "waits"),
        ({"steady": [False, False]}, "steady"),
        ({"legs": [a_leg(0)[0]._replace(radial=2), *legs()[1:]]}, r"legs\[0\].radial"),
        ({"tail": 2.5}, "tail"),
        ({"name": 5}, "name"),
        ({"wings": 2}, "anatomy"),
        ({"top_speed": 9.0}, "anatomy"),
    ],
)
def test_fields_that_make_no_sense_are_named(changed, name):
    with pytest.raises(twobone.TwoBoneError, match=f"^`{name}` must "):
        stool(**changed)


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"hip": 0.1}, "hip"),
        ({"hip": (0.1,)}, "hip"),
        ({"foot": (0.1, math.nan)}, r"foot\[1\]"),
        ({"foot": (0.1, 0.0, 0.0)}, "foot"),
        ({"bones": (0.3, 0.3)}, "bones"),
        ({"bones": (0.3, math.inf, 0.0)}, r"bones\[1\]"),
        ({"pole": "up"}, "pole"),
        ({"pole": ("a", "b", "c")}, r"pole\[0\]"),
        ({"angles": (0.0, 0.0)}, "angles"),
        ({"share": None}, "share"),
        ({"radial": "yes"}, "radial"),
    ],
)
def test_legs_that_make_no_sense_are_named(changed, name):
    with pytest.raises(twobone.TwoBoneError, match=f"^`{name}` must "):
        a_leg(0, **changed)
    with pytest.raises(
        CreatureError, match=r"^`station` must be a whole number, 0 or more, got -1"
    ):
        a_leg(-1)


def test_legs_too_short_for_any_step_are_refused():
    with pytest.raises(CreatureError, match="be long enough for the trunk to move over its foot"):
        stool(height=0.2, straight=0.99, legs=legs(foot=(0.1, 0.557)))


def test_an_animal_is_made_of_an_anatomy():
    for wrong in (5, None, "dog", creature.animal("dog")):
        with pytest.raises(ArrayTypeError, match="`anatomy` must be an Anatomy"):
            Animal(wrong)
    with pytest.raises(ArrayTypeError, match="`appearance` must be an Appearance or None"):
        Animal(stool(), "brown")
    dog = creature.animal("dog")
    assert pickle.loads(pickle.dumps(dog)) == dog
    assert dog._replace(appearance=None) == Animal(dog.anatomy)


def test_a_field_that_is_missing_is_named():
    with pytest.raises(CreatureError, match="`anatomy` must have height, along, legs, gaits"):
        make_anatomy(height=0.5, along=(0.0,), legs=a_leg(0))


def test_walkers_check_animals_that_were_changed_by_hand():
    dog = creature.animal("dog")
    bad = dog.anatomy._replace(height=math.nan)
    with pytest.raises(CreatureError, match="`height` must be"):
        Walker(dog._replace(anatomy=bad))
    for wrong in (5, None, "dog"):
        with pytest.raises(ArrayTypeError, match="`anatomy` must be an Anatomy"):
            Walker(dog._replace(anatomy=wrong))
    with pytest.raises(ArrayTypeError, match="`appearance` must be an Appearance or None"):
        Walker(dog._replace(appearance="brown"))
    # What is derived is derived again.
    taller = dog._replace(anatomy=dog.anatomy._replace(height=0.68))
    assert Walker(taller).animal.anatomy.hip < dog.anatomy.hip


def small(animal, size):
    """Return an animal whose lengths are `size` times as large."""
    anatomy = animal.anatomy
    lengths = "aside", "up", "foot_aside", "foot_ahead", "upper", "lower", "third"
    parts = [leg._replace(**{n: size * getattr(leg, n) for n in lengths}) for leg in anatomy.legs]
    return Animal(
        anatomy._replace(
            height=size * anatomy.height,
            along=tuple(size * z for z in anatomy.along),
            belly=size * anatomy.belly,
            half=size * anatomy.half,
            legs=tuple(parts),
        )
    )


@pytest.mark.parametrize(("name", "leg"), [("dog", 0.003), ("bird", 0.003), ("spider", 0.03)])
def test_tiny_animals_walk_as_fast_as_they_say(name, leg):
    animal = creature.animal(name)
    walker = Walker(small(animal, leg / animal.length))
    assert 0.0 < walker.top_speed < 50.0 * leg
    assert walker.animal.anatomy.slowest <= walker.animal.anatomy.fastest
    for _ in range(120):
        walker.step(1 / 60, walker.top_speed)
    start = walker.place[0, 1]
    for _ in range(120):
        walker.step(1 / 60, walker.top_speed)
    assert (walker.place[0, 1] - start) / 2.0 > 0.95 * walker.top_speed


@pytest.mark.parametrize("least", [0.0, 0.5, 0.7])
@pytest.mark.parametrize("third", [0.0, 1.0])
def test_legs_that_fold_as_far_as_they_can_keep_the_lengths_of_their_bones(least, third):
    dog = creature.animal("dog").anatomy
    legs = [leg._replace(lower=1.25 * leg.lower, third=third * leg.third) for leg in dog.legs]
    gaits = [gait._replace(rise=-1.0) for gait in dog.gaits]
    height = 0.7 if third else 0.55
    folded = dog._replace(legs=legs, gaits=gaits, least=least, belly=0.0, height=height)
    walker, states = Walker(Animal(folded)), []
    for _ in range(120):
        walker.step(1 / 60, 1.5)
        states.append(walker.state)
    found = creature.report(creature.record(walker, states, 1 / 60))
    assert found.bone_error < 8.0
    assert found.unreachable == 0


def test_sums_of_an_animal_have_the_same_bits_in_every_python():
    # `sum` gives 1.0 from 3.12 on.
    assert deriving.total([0.1] * 10) == 0.9999999999999999


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (lambda links: (5, *links[1:]), r"^`links\[0\]` must be a Link, got 5"),
        (lambda links: (links[0]._replace(node="wheel"), *links[1:]), r"^`links\[0\]\.node` must "),
        (lambda links: (links[0]._replace(parent=3), *links[1:]), "must be from -1 to -1, got 3"),
        (lambda links: (*links, links[-1]), "^`links` must be different ones, one of them a head"),
    ],
)
def test_links_that_cannot_be_are_told(changed, message):
    dog = creature.animal("dog")
    anatomy = dog.anatomy._replace(links=changed(dog.anatomy.links))
    with pytest.raises(twobone.TwoBoneError, match=message):
        dog._replace(anatomy=anatomy).with_gait()


def test_a_static_gait_keeps_three_feet_on_the_ground():
    with pytest.raises(
        CreatureError, match=r"must be at least 0\.5, so that three of 6 feet stand"
    ):
        creature.animal("insect").with_gait("tripod", duty_factor=0.4)


def test_without_a_gait_an_animal_keeps_its_own():
    dog = creature.animal("dog")
    assert dog.with_gait().anatomy.gaits == dog.anatomy.gaits
