"""A walker's parts one by one: body, lean, clearance, legs that hurry or wait."""

import re

import numpy as np
import pytest

import drawn
import twobone
from twobone import creature
from twobone.creature import (
    Gait,
    Walker,
    anatomy,
    braking,
    carriage,
    governor,
    pacing,
    posture,
    restraint,
    swinging,
)
from twobone.creature.anatomy import XZY
from twobone.creature.footing import facing, from_above
from twobone.errors import CreatureError

DT = 1.0 / 120.0
HEADING, PLACE = 0.7, 3.0 - 2.0j


def insect(terrain=0.0, **options):
    return Walker("insect", terrain, position=[3.0, -2.0], heading=HEADING, **options)


def standing(terrain=0.0):
    """Return the state of a single insect; tests change it."""
    return insect(terrain)._state


def moved(state, *motion):
    """Give a walker a motion, and return its state."""
    state.course = state.course.moving(np.array([motion], np.float64))
    return state


def mound(height, level=0.0):
    """Return ground with a hill below the body of an `insect`, and not below its feet."""
    return lambda x, z: level + height * np.exp(-4.0 * ((x - 3.0) ** 2 + (z + 2.0) ** 2))


# --- the body -----------------------------------------------------------------------------


def test_axes_and_rotation_are_one_turn_and_up_is_the_planes_normal():
    rng = np.random.default_rng(1)
    heading, plane = rng.uniform(-9.0, 9.0, 20), rng.normal(size=(20, 3))
    axes = posture.axes_of(plane, facing(heading))
    rotation = posture.rotation_of(plane, heading)
    turn = twobone.rotations.quaternion_to_matrix(rotation)
    np.testing.assert_allclose(axes[:, XZY][:, :, XZY], np.swapaxes(turn, 1, 2), atol=1e-12)
    leans = from_above(plane) * facing(heading)
    np.testing.assert_allclose(turn[:, 0, 1] / turn[:, 1, 1], leans.real, rtol=1e-9)
    np.testing.assert_allclose(turn[:, 2, 1] / turn[:, 1, 1], leans.imag, rtol=1e-9)
    assert np.all(rotation[:, 3] >= 0.0)


def test_the_body_leans_as_the_ground_does():
    found = standing(lambda x, z: 0.3 * x - 0.2 * z)
    leans = (-0.3 + 0.2j) * found.course.facing.conj() * found.animal.body.tilt
    plane = from_above(found.suspension.plane)
    np.testing.assert_allclose(plane, leans, rtol=0.05)  # stiff, a little


def test_the_underside_is_that_of_the_drawn_body_from_end_to_end():
    size, leg = np.array([0.5, 0.2, 5.4]), 1.05
    found = anatomy.belly(creature.Body(1.0, size=size), leg)
    along, aside = found["belly"].imag, found["belly"].real
    low = found["low"] - anatomy.CLEAR * leg
    x, y, z = (2.0 * part / whole for part, whole in zip((aside, low, along), size, strict=True))
    np.testing.assert_allclose(x**4 + y**4 + z**4, 1.0)
    assert np.min(z) < -0.85
    assert np.max(z) > 0.85
    assert np.max(np.diff(np.unique(along))) < 0.9 * leg  # no crest between


def test_the_body_passes_over_the_ground_ahead_as_high_as_its_underside_asks():
    """On a slope that it leans as much as, all of its middle is as high over the ground."""

    def slope(x, z):
        return 0.3 * x - 0.2 * z

    found = moved(standing(slope), 0.4, 1.0, 0.0)
    from_above(found.suspension.plane)[:] = (-0.3 + 0.2j) * found.course.facing.conj()
    ahead = PLACE + 2.0 / carriage.FOLLOW * (0.4 + 1.0j) * facing(HEADING)
    low = 0.5 * found.animal.body.size[1] + anatomy.CLEAR * found.anatomy.length
    clear = slope(ahead.real, ahead.imag) + low - found.animal.body.height
    assert clear_height(found) == pytest.approx(clear)


def clear_height(found):
    return carriage.clear_height(found, carriage.ground_below(found), found.suspension.bend)


@pytest.mark.parametrize("terrain", [0.5, lambda x, z: 0.2 * np.sin(2.0 * x) + 0.1 * z])
def test_at_the_ceiling_the_first_leg_is_as_straight_as_it_may_be(terrain):
    found = standing(terrain)
    hips = found.pose.raised(found.limits.ceiling - found.suspension.plane[:, 2]).hips
    reach = np.linalg.norm(found.feet.points() - hips, axis=-1) / found.anatomy.legs.reach
    assert np.max(reach) == pytest.approx(anatomy.SLOW_FROM)


def test_the_body_rises_over_a_mound_as_far_as_its_legs_let_it():
    low, high = standing(mound(0.9)), standing(mound(1.72))
    heights = [found.suspension.plane[0, 2] for found in (low, high)]
    clear, ceiling = clear_height(high)[0], high.limits.ceiling[0]
    assert heights[0] == pytest.approx(clear_height(low)[0], abs=1e-6)
    assert 0.1 < heights[0] < heights[1] == pytest.approx(ceiling, abs=1e-2)
    assert ceiling < clear
    assert np.max(high.limits.reach) == pytest.approx(anatomy.SLOW_FROM, abs=1e-2)


@pytest.mark.parametrize(("name", "seed"), [("crab", 201), ("crab", 206), ("insect", 227)])
def test_on_a_crest_feet_stand_nearer_to_raise_the_body_above_it(name, seed):
    ground = creature.make_terrain(0.25, name, seed=seed)
    found = Walker(name, ground)
    assert found._state.slack.belly[0] > 0.0
    assert np.all(found._state.slack.least >= 0.0)
    feet, footholds = found.state.feet, found.animal.legs.footholds
    assert np.all(feet[:, 1] == ground.height(feet[:, 0], feet[:, 2]))
    nearer = np.linalg.norm(feet[:, [0, 2]], axis=1) < np.linalg.norm(footholds, axis=1)
    assert np.any(nearer)


def test_feet_know_how_far_the_body_has_yet_to_rise(both_engines):
    found = standing(0.5)
    assert found.limits.rise[0] == 0.0
    most = carriage.HIGHER * found.anatomy.length
    for high, enough in ((3.0, False), (1.5, True)):
        found.terrain = creature.as_terrain(mound(high, 0.5))
        lacks = clear_height(found)[0] - found.suspension.plane[0, 2]
        assert (lacks < most) == enough
        carriage.settle_body(found, DT)
        assert found.limits.rise[0] == pytest.approx(min(lacks, most))
    feet = np.array([0, 3])
    found.feet.progress[:] = 0.5
    places = from_above(found.feet.flat[feet, 3])
    _, tops, _, _ = swinging._sought(found, feet, swinging.Ahead(places, places, places))
    np.testing.assert_allclose(tops, found.pose.hips[0, [0, 3], 2] + lacks)


@pytest.mark.parametrize(("beyond", "lower"), [(-0.1, 0.0), (0.05, 0.42), (0.2, 0.55)])
def test_legs_far_out_make_the_body_crouch_to_half_its_height_at_most(beyond, lower):
    found = standing()
    found.limits.reach[:] = found.animal.body.stretch + beyond
    carriage.settle_body(found, np.inf)
    assert found.suspension.plane[0, 2] == pytest.approx(-lower)


def test_the_leg_that_will_be_farthest_out_is_seen_before_it_lands():
    found = Walker("insect", count=2)._state
    found.feet.progress[1, [2, 3]] = 0.5
    found.feet.swing[1, [2, 3], 3] = [[1.5, 2.0, 0.3], [-1.0, 0.5, 0.0]]  # x, z, y
    found.footholds.hips[1, [2, 3]] = [0.5 + 1.0j, -0.9 + 0.5j]
    strain, _ = carriage.look_ahead(found)
    down = found.pose.hips[1, 2, 2] - 0.3
    far = np.hypot(np.hypot(1.0, 1.0), down) / found.anatomy.legs.reach[2]
    np.testing.assert_allclose(strain, [0.0, far])


def test_legs_far_out_now_or_soon_slow_it_down():
    pace = [pacing.pace(np.array(reach)) for reach in (0.5, 0.88, 0.915, 0.95, 1.2)]
    np.testing.assert_allclose(pace, [1.0, 1.0, 0.5, 0.0, 0.0], atol=1e-12)
    for reach, strain, goes in ((0.5, 0.5, True), (1.0, 0.5, False), (0.5, 1.0, False)):
        found = standing()
        found.limits.reach[:], found.limits.strain[:] = reach, strain
        pacing.ease(found, DT, np.array([[0.0, 1.0, 0.0]]))
        assert (found.course.motion[0, 1] > 0.0) == goes


# --- swaying ------------------------------------------------------------------------------


def bird():
    """Return the state of a bird that walks and sways both ways; its left foot lifts at phase 0."""
    animal = creature.animal("bird")
    gait = Gait("walk", (0.7, 0.6), 0.45, 0.15, sway=(0.6, 0.3))
    animal = animal._replace(gait=gait)
    return moved(Walker(animal, position=[3.0, -2.0], heading=HEADING)._state, 0.2, 0.5, 0.0)


def in_phase(state, phase, rate=0.0):
    """Give a walker a phase and a rate of its gait, and return its state."""
    state.cycle = state.cycle._replace(phase=np.array([phase]), rate=np.array([rate]))
    return state


@pytest.mark.parametrize(
    ("phase", "rate", "bears"),
    [
        (0.1, 0.0, [0.0, 1.0]),
        (0.6, 0.0, [1.0, 0.0]),
        (0.9, 0.2, [0.0, 1.0]),  # it is told ahead
        (0.98, 0.0, [0.104, 1.0]),
        (0.308, 0.0, [0.104, 1.0]),
    ],
)
def test_it_leans_over_the_feet_that_will_bear_it_when_it_gets_there(phase, rate, bears):
    found = in_phase(bird(), phase, rate * carriage.LEAN / 2.0)
    lean = carriage.sway_goal(found)
    ahead = PLACE + 2.0 / carriage.LEAN * (0.2 + 0.5j) * facing(HEADING)
    feet = (found.feet.places[0] - ahead) * facing(-HEADING)
    middle = feet @ bears / np.sum(bears)
    np.testing.assert_allclose(lean, 0.6 * middle.real + 0.3j * middle.imag, atol=5e-4)


def test_it_leans_over_where_a_foot_in_the_air_will_stand():
    found = in_phase(moved(bird(), 0.0, 0.0, 0.0), 0.6)
    found.feet.progress[0, 0], found.feet.swing[0, 0, 3, :2] = 0.9, [3.5, -1.5]
    goal = (0.5 + 0.5j) * facing(-HEADING)
    lean = carriage.sway_goal(found)
    np.testing.assert_allclose(lean, 0.6 * goal.real + 0.3j * goal.imag, atol=1e-3)


def test_a_dog_that_crawls_stands_leaning_off_the_foot_that_leaves_first():
    dog = creature.animal("dog").with_gait("crawl")
    found = Walker(dog, position=[3.0, -2.0], heading=HEADING)
    away = found.state.body_position[[0, 2]] @ [1.0, 1.0j] - PLACE
    lean = away * facing(-HEADING)
    assert lean.real < -0.03  # to the right
    assert 0.0 < lean.imag < 0.02  # it is a hind foot


def crawling(places, phase):
    """Return a dog at rest in a crawl whose feet stand at places in its own space, (L)."""
    dog = creature.animal("dog").with_gait("crawl")
    found = Walker(dog, position=[3.0, -2.0], heading=HEADING)._state
    from_above(found.feet.swing)[0, :, [0, 3]] = PLACE + np.array(places) * facing(HEADING)
    found.cycle = found.cycle._replace(phase=np.array([phase]))
    return found


def test_a_body_sways_no_closer_to_the_edge_of_its_polygon_than_is_safe():
    """The left hind foot swings, the left fore foot is next; edges are those beside the body."""
    wide, close, narrow = (
        carriage.sway_goal(crawling(places, 0.08))[0]
        for places in (
            [0.5 - 0.41j, -0.5 - 0.41j, 0.5 + 0.37j, -0.5 + 0.37j],
            [0.13 - 0.41j, -0.13 - 0.41j, 0.4 + 0.37j, -0.08 + 0.37j],
            [0.13 - 0.41j, -0.07 - 0.41j, 0.05 + 0.37j, -0.07 + 0.37j],
        )
    )
    ahead, spare = 0.41 / 0.78, carriage.INSIDE * creature.animals.length(creature.animal("dog"))
    assert wide.real < -0.3  # nothing is in the way
    assert close.real == pytest.approx(-0.13 + 0.05 * ahead + spare)
    middle = 0.5 * (-0.07 - 0.07 + 0.12 * ahead)  # of the narrow triangle
    least = -0.07 + spare * carriage.LEAST / carriage.INSIDE  # all feet bear the body now
    assert narrow.real == pytest.approx(max(middle, least))
    assert wide.imag == close.imag == narrow.imag == 0.0


def test_a_foot_that_lands_late_does_not_bear_the_body_before():
    """The left hind foot should be on the ground; the body then sways to the left."""
    square = [0.13 - 0.41j, -0.13 - 0.41j, 0.13 + 0.37j, -0.13 + 0.37j]
    found = crawling(square, 0.42)
    lands = carriage.sway_goal(found)[0].real
    found.feet.progress[0, 0] = 0.9
    late = carriage.sway_goal(found)[0].real
    edge = -0.13 + 0.26 * 0.41 / 0.78  # of the triangle of the other feet
    assert lands > edge
    assert late == pytest.approx(0.5 * (edge - 0.13))  # in the middle, since it is narrow


def test_a_body_does_not_sway_out_of_the_triangle_that_bears_it_before_a_foot_has_landed():
    """The right hind foot is late, and its side's fore foot is next: only left feet stay."""
    turned = [0.17 - 0.5j, -0.2 - 0.45j, -0.03 + 0.15j, -0.28 + 0.25j]
    found = crawling(turned, 0.65)
    found.feet.progress[0, 1] = 0.9
    edge = 0.17 - 0.2 * 0.5 / 0.65  # to the left, of the triangle of the other feet
    least = carriage.LEAST * creature.animals.length(creature.animal("dog"))
    assert carriage.sway_goal(found)[0].real == pytest.approx(edge - least)


def test_while_a_foot_waits_the_body_sways_and_creeps_over_the_others_and_does_not_go_on():
    """The body has come too far ahead for the right fore foot to lift."""
    far = [0.13 - 0.5j, -0.13 - 0.5j, 0.13 + 0.25j, -0.13 + 0.25j]
    goes, waits = crawling(far, 0.61), crawling(far, 0.61)
    waits.footholds.waits[0, 3] = True
    assert carriage.sway_goal(waits)[0].real > carriage.sway_goal(goes)[0].real + 0.02
    asked = np.array([[0.0, 0.1, 0.3]])
    for state in (goes, waits):
        phase = state.cycle.phase[0]
        pacing.ease(state, 0.05, asked)
        pacing.advance_gait(state, 0.05, asked, np.array([0.1]), swinging.stray(state))
        state.cycle = state.cycle._replace(phase=state.cycle.phase - phase)
    assert goes.course.motion[0, 1] > 0.0 > waits.course.motion[0, 1]
    assert waits.course.motion[0, 2] == 0.0
    assert waits.cycle.phase[0] == pytest.approx(pacing.SLIPS * goes.cycle.phase[0])


# --- legs ---------------------------------------------------------------------------------


def shifted(share):
    """Return an insect whose body is some share of what makes legs hurry ahead of its feet."""
    found = insect()
    state = found._state
    way = share * pacing.LATE * state.anatomy.stride * facing(HEADING) * 1j
    state.course = state.course._replace(place=state.course.place + way)
    return found


def test_legs_hurry_while_a_foot_on_the_ground_is_late():
    in_time, late, flies = shifted(0.9), shifted(1.2), shifted(1.2)
    flies._state.feet.progress[:] = 0.5
    for found in (in_time, late, flies):
        found.step(DT)
    in_time, late, flies = (found._state.cycle for found in (in_time, late, flies))
    assert in_time.hurry[0] == flies.hurry[0] == 1.0
    assert late.hurry[0] == pytest.approx(1.0 + 0.2 * (1.0 - np.exp(-DT * pacing.HURRY)), rel=1e-3)
    assert late.phase[0] > in_time.phase[0]


def test_legs_wait_while_one_goes_as_far_as_it_can():
    found = insect()
    found._state.limits.strain[:] = 1.0
    found.step(DT)
    fade = np.exp(-DT * pacing.HURRY)
    assert found._state.cycle.hurry[0] == pytest.approx(fade + (1.0 - fade) * pacing.WAIT)


def test_legs_go_on_while_a_foot_is_in_the_air_or_away_from_home():
    stands, away, flies = insect(), shifted(0.9), insect()
    flies._state.feet.progress[0, 1] = 0.5
    for found in (stands, away, flies):
        found.step(DT)
    stands, away, flies = (found._state.cycle.phase[0] for found in (stands, away, flies))
    assert stands == 0.0
    assert away == flies > 0.0


def test_the_phase_goes_on_with_the_way():
    found = insect()
    state = moved(found._state, 0.0, 2.0, 0.0)
    found._step(DT, np.array([[0.0, 2.0, 0.0]]))
    assert state.cycle.phase[0] == pytest.approx(0.7 * 2.0 * DT / state.anatomy.stride)


def test_who_goes_lifts_a_foot_that_is_at_home_and_who_stands_none():
    stands, goes = insect(), insect()
    moved(goes._state, 0.0, 2.0, 0.0)
    stands.step(DT)
    goes.step(DT, 2.0)
    assert np.all(stands.state.stance)
    assert np.flatnonzero(~goes.state.stance).tolist() == [0]
    strayed = pacing.Strayed(np.zeros((1, 6)), np.zeros((1, 6), bool))
    phases = stands._state.cycle.leg_phases(stands.animal.gait, 3)
    assert not swinging.starting(stands._state, np.zeros(1), strayed, phases).size


def test_no_phase_goes_back_when_the_duty_changes():
    found = standing()
    for speed in (1.0, 0.0):
        before = found.cycle.leg_phases(found.animal.gait, 3)
        phase, duty = pacing.advanced(found, np.array([0.2]), np.array([speed]))
        found.cycle = found.cycle._replace(phase=phase, duty_factor=duty)
        on = (found.cycle.leg_phases(found.animal.gait, 3) - before) % 1.0
        assert np.all((on > 0.05) & (on < 0.35))


def test_a_foothold_stays_late_in_a_swing():
    found = insect()
    found._state.feet.progress[0, [1, 4]] = [0.7, 0.8]
    found._step(DT, np.array([[0.0, 2.0, 1.0]]))
    changed = np.any(found._state.feet.swing != standing().feet.swing, axis=-1)[0, :, 3]
    assert changed[1]
    assert not changed[4]


def test_a_foot_is_lifted_over_the_way_to_the_better_place_that_it_goes_to(both_engines):
    """Its home is in a hole, so it goes aside; walls stand on one of both ways."""
    feet = np.array([1, 4])
    home = standing().footholds.nominal[0, feet]
    begin = home - 0.8j

    def lifted(wall):
        def ground(x, z):
            deep = np.where(np.abs(x + 1j * z - home[0]) < 0.15, -3.0, 0.0)
            return np.where(np.abs(x + 1j * z - wall) < 0.08, 0.5, deep)

        found = standing()
        found.terrain = creature.as_terrain(ground)
        found.feet.progress[0, feet] = 0.0
        from_above(found.feet.flat[:, 0])[feet] = begin
        ahead = swinging.Ahead(home, home, home)
        swinging.lift_feet(found, feet, ahead)
        aside = found.footholds.offset[0, feet]
        swinging.aim(found, feet, feet, ahead)
        np.testing.assert_allclose(from_above(found.feet.swing[0, feet, 3]), home + aside)
        return aside, found.feet.lift[0]

    aside, plain = lifted(wall=home[0] + 10.0)
    assert np.abs(aside[0]) > 0.2
    assert np.flatnonzero(plain).tolist() == [1, 4]
    for end, is_in_the_way in ((home[0] + aside[0], True), (home[0], False)):
        same, lift = lifted(wall=0.5 * (begin[0] + end))
        np.testing.assert_array_equal(same, aside)
        assert (lift[1] - plain[1] > 0.3) == is_in_the_way
        assert lift[4] == plain[4]


def test_who_is_put_elsewhere_stands_still():
    found = insect()
    moved(found._state, 0.5, 1.0, 0.3)
    found.put([1.0, 2.0], 0.4)
    found.step(DT)
    assert found.place.tolist() == [[1.0, 2.0]]
    assert found.heading.tolist() == [0.4]


# --- what is known ahead of feet in the air ------------------------------------------------


def reaching(down):
    """Return an insect one of whose feet swings to a goal straight below its hip, so far down."""
    found = insect()
    state = found._state
    hip = state.pose.hips[0, 2]
    state.feet.progress[0, 2], state.footholds.hips[0, 2] = 0.5, from_above(hip)
    state.feet.swing[0, 2, 3] = hip - [0.0, 0.0, down * found.length]
    return found


def test_the_body_comes_down_to_where_a_foot_in_the_air_will_be():
    for down in (0.5, 0.93):
        found = reaching(down)._state
        strain, ceiling = carriage.look_ahead(found)
        np.testing.assert_allclose(strain, down)
        lower = (anatomy.SLOW_FROM - down) * found.anatomy.length
        np.testing.assert_allclose(ceiling - found.suspension.plane[:, 2], lower, atol=1e-12)


def test_a_foothold_that_is_far_stays_and_others_go_with_the_body():
    for down, stays in ((0.5, False), (0.93, True)):
        found = reaching(down)
        carriage.look_ahead(found._state)
        goal = found._state.feet.swing[0, 2, 3].copy()
        moved(found._state, 0.5, 0.0, 0.0)
        found.step(DT)
        assert (found._state.feet.swing[0, 2, 3] == goal).all() == stays


def test_hips_are_where_they_were_expected_when_a_foot_lands():
    found = insect()
    for _ in range(240):
        found.step(DT, 0.9)
    seen = 0
    for _ in range(120):
        state = found._state
        flies, over = state.feet.flies[0], state.footholds.hips[0].copy()
        found.step(DT, 0.9)
        lands = flies & ~state.feet.flies[0]
        away = np.abs(over - from_above(state.pose.hips)[0])[lands]
        assert np.all(away < 0.03 * found.length)
        seen += np.count_nonzero(lands)
    assert seen > 4


# --- what pushes a body up or down --------------------------------------------------------


def test_a_body_comes_down_for_a_leg_that_is_too_straight_by_so_much_at_most():
    found = standing()
    found.feet.swing[0, 0, 0, 2] -= 3.0  # a foot out of reach
    before = found.suspension.plane[0, 2]
    carriage.stay_low(found, 0.01)
    assert found.suspension.plane[0, 2] == pytest.approx(before - 0.01)
    carriage.stay_low(found, 9.0)
    away = np.linalg.norm(found.feet.swing[0, 0, 0] - found.pose.hips[0, 0])
    assert away == pytest.approx(governor.STRAIGHT * found.anatomy.legs.reach[0])


def test_the_ground_pushes_up_a_body_by_so_much_at_most():
    found = standing()
    carriage.raise_plane(found, -(found.slack.belly + 0.03))  # so deep it is in the ground
    found.pose = carriage.pose_of(found)
    found.slack = carriage.slack_of(found)
    restraint.push_up(found, np.array([True]), 0.01)
    assert found.slack.belly[0] == pytest.approx(-0.02)
    restraint.push_up(found, np.array([True]), 0.5)
    assert found.slack.belly[0] == pytest.approx(restraint.ABOVE * found.anatomy.length)


def test_the_ground_pushes_up_a_body_only_until_a_leg_is_too_straight():
    found = standing()
    found.slack = found.slack._replace(belly=np.array([-0.03]))
    found.feet.swing[0, 0, 0, 2] -= carriage.headroom(found)[0] - 0.02
    restraint.push_up(found, np.array([True]), 0.5)
    assert found.slack.legs[0, 0] == pytest.approx(0.0, abs=1e-12)
    assert found.slack.legs[0, 0] == np.min(found.slack.legs)
    found.feet.swing[0, 0, 0, 2] -= 0.5  # out of reach already
    height, found.slack = found.pose.body[0, 2], found.slack._replace(belly=np.array([-0.03]))
    restraint.push_up(found, np.array([True]), 0.5)
    assert found.pose.body[0, 2] == height


def test_a_body_waits_for_a_foot_in_the_air_that_will_land_behind_it():
    found = standing()
    found.feet.progress[0, 0] = 0.5
    leg = 0
    back = np.exp(-1j * HEADING) * -1j  # from above: to where it came from
    hip = found.course.place[0] + facing(HEADING) * found.anatomy.hip_places[leg]
    down = found.pose.hips[0, leg, 2]
    out = np.sqrt((governor.STRAIGHT * found.anatomy.legs.reach[leg]) ** 2 - down**2)
    from_above(found.feet.swing)[0, leg, 3] = hip + (out - 0.05) * back
    found.slack = carriage.slack_of(found)
    share = lambda speed: braking.free_fraction(found, np.array([[0.0, speed, 0.0]]))[0]  # noqa: E731
    assert share(-1.0) == 1.0
    assert share(1.0) == pytest.approx(0.05 / governor.BRAKE, rel=0.2)


def test_a_body_goes_no_farther_than_to_an_edge():
    """What is below its head does not fade there but falls: how far off that is, is looked for."""
    nose, speed = np.max(standing().anatomy.underside.keel[1]), 1.8
    for away in (0.02, 0.05, 0.1, 0.15):
        pillar = lambda x, z, at=nose + away: np.where((z > at) & (np.abs(x) < 0.2), 3.0, 0.0)  # noqa: E731
        found = Walker("insect", pillar)
        share = braking.free_fraction(found._state, np.array([[0.0, speed, 0.0]]))[0]
        goes = share * speed * governor.BRAKE
        assert 0.75 * away < goes <= away


def small_robot(**body):
    """Return a robot that stands ten centimetres high, as in docs/walking.md."""
    rows = [
        ((0.1, 0.0, z), (0.2, 1.5 * z), (0.1, 0.14), (0.5, 1.0, 0.0)) for z in (-0.12, 0.0, 0.12)
    ]
    body = creature.Body(height=0.1, **body)
    return creature.Animal(body, creature.pairs(rows), Gait("wave", (0.8, 0.5), 0.3), speed=0.25)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [0.1, 0.15, "steps"])
def test_a_small_body_of_no_given_size_stands_and_walks_on_rough_ground(kind):
    robot = small_robot()
    ground = creature.make_terrain(kind, robot, seed=2)
    walk = creature.walk(robot, terrain=ground, seconds=4.0, seed=2, fps=30)
    found = creature.report(walk, ground)
    assert found.least_feet_down >= 3
    assert found.least_margin_over_leg > 0.04
    assert np.hypot(*walk.body_position[-1, [0, 2]]) > 0.3


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_a_body_of_no_given_size_is_the_one_in_the_pictures(name):
    animal = creature.animal(name)
    plain = animal._replace(body=animal.body._replace(size=None))
    trunk = drawn.trunk_of(animal._replace(appearance=None))
    np.testing.assert_allclose(Walker(plain).animal.body.size, 2.0 * trunk.half, rtol=1e-14)


def test_what_is_in_the_ground_and_how_deep_is_told():
    bodied = small_robot(size=(0.4, 0.6, 0.8))
    with pytest.raises(CreatureError, match=r"`position` must .*, got \(2, 0\), where ") as caught:
        Walker(bodied, lambda x, z: 0.0 * x + 0.0 * z + 0.05 * np.cos(40.0 * x), position=[2, 0])
    assert re.search(r"where the body would be 0\.\d+ too low\.", str(caught.value))

    slim = small_robot(size=(0.1, 0.02, 0.1))
    knee = Walker(slim).state.knees[2]

    def post(x, z):
        return 0.5 * np.exp(-((x - knee[0]) ** 2 + (z - knee[2]) ** 2) / 0.02**2)

    with pytest.raises(CreatureError, match=r"where a knee would be 0\.\d+ too low\.$"):
        Walker(slim, post)


def own_insect(height, foothold, bones, pole):
    """Return an animal with six legs under a body that is so high."""
    legs = creature.pairs([((0.1, 0, z), (foothold, z), bones, pole) for z in (-0.4, 0, 0.4)])
    return creature.Animal(creature.Body(height), legs, Gait("wave", (0.7, 0.5), 0.25), 0.3)


def test_who_would_stand_with_its_knees_in_level_ground_is_refused():
    low = own_insect(0.35, 0.2, (0.45, 0.15), (1.0, 0.2, 0.0))
    with pytest.raises(CreatureError, match=r"where a knee would be 0\.0256 too low\.$"):
        Walker(low)


@pytest.mark.parametrize("seed", [10, 11])
def test_who_would_stand_on_a_leg_that_is_too_folded_starts_elsewhere(seed):
    """It stood on it, with bones up to a hundredth too short, until it had walked away."""
    folds = own_insect(0.55, 0.25, (0.25, 0.75), (0.5, 1.0, 0.0))
    ground = creature.make_terrain(0.15, folds, seed=seed)
    with pytest.raises(
        CreatureError, match=r"leg 3 would be too straight or too folded, by 0\.\d+"
    ):
        Walker(folds, ground)
    walk = creature.walk(folds, terrain=ground, seconds=0.1)
    assert np.linalg.norm(walk.body_position[0, ::2]) > 0.3
    assert creature.report(walk, ground).bone_error < 4.0


@pytest.mark.parametrize("heading", [0.0, np.pi, 1.0])
def test_a_centipede_stands_on_a_slope_whatever_its_height(heading):
    """Its place was that of a body that started from level ground at the height 0."""
    for z in (0.0, 0.5, 1.0, -5.0, 20.0):
        Walker("centipede", creature.Slope(30), position=(0.0, z), heading=heading)


def test_the_leg_that_finds_no_ground_is_told():
    def pit(x, z):
        return np.where(x > 0.3, -9.0, 0.0) + 0.0 * z

    with pytest.raises(CreatureError, match=r"got \(0, 0\), where leg 0 finds no ground"):
        Walker("insect", pit)


def test_a_body_on_the_ground_does_not_sink_for_the_sake_of_long_legs():
    state = creature.Walker("crab")._state
    plane = state.suspension.plane + np.array([0.0, 0.0, 0.3])
    state.suspension = state.suspension._replace(plane=plane)
    state.limits = state.limits._replace(ceiling=plane[:, 2] - 0.1)
    for left, sinks in ((0.0, False), (1.0, True)):
        state.slack = state.slack._replace(belly=np.array([left]))
        goal, _, _ = carriage.plane_goal(state)
        assert (goal[0, 2] < plane[0, 2]) == sinks


def test_no_foot_relies_on_a_body_that_lowers_where_the_ground_leaves_no_room_for_that():
    state = creature.Walker("crab")._state
    feet = np.arange(8)
    ahead = swinging.look_ahead(state, feet)
    heights = []
    for left in (0.0, 0.05, 1.0):
        state.slack = state.slack._replace(belly=np.array([left]))
        heights.append(swinging._sought(state, feet, ahead)[3].hips.height)
    length = state.anatomy.length
    assert np.allclose(heights[0] - heights[1], 0.05)
    assert np.allclose(heights[0] - heights[2], swinging.DIP * length)
