"""A walker's parts one by one: body, lean, clearance, legs that hurry or wait."""

import numpy as np
import pytest

import twobone
from twobone import creature
from twobone.creature import (
    Walker,
    anatomy,
    carriage,
    footing,
    governor,
    posture,
    restraint,
    walker,
)
from twobone.creature.anatomy import XZY
from twobone.creature.footing import facing, from_above

DT = 1.0 / 120.0
HEADING, PLACE = 0.7, 3.0 - 2.0j


def insect(terrain=0.0, **options):
    return Walker("insect", terrain, position=[3.0, -2.0], heading=HEADING, **options)


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
    found = insect(lambda x, z: 0.3 * x - 0.2 * z)
    leans = (-0.3 + 0.2j) * found.facing.conj() * found.animal.body.tilt
    np.testing.assert_allclose(from_above(found.plane), leans, rtol=0.05)  # stiff, a little


def test_the_underside_is_that_of_the_drawn_body_from_end_to_end():
    size, leg = np.array([0.5, 0.2, 5.4]), 1.05
    found = anatomy.underside(size, leg)
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

    found = insect(slope)
    found.motion[:] = [[0.4, 1.0, 0.0]]
    from_above(found.plane)[:] = (-0.3 + 0.2j) * found.facing.conj()
    ahead = PLACE + 2.0 / carriage.FOLLOW * (0.4 + 1.0j) * facing(HEADING)
    low = 0.5 * found.animal.body.size[1] + anatomy.CLEAR * found.length
    clear = slope(ahead.real, ahead.imag) + low - found.animal.body.height
    assert found._clear() == pytest.approx(clear)


@pytest.mark.parametrize("terrain", [0.5, lambda x, z: 0.2 * np.sin(2.0 * x) + 0.1 * z])
def test_at_the_ceiling_the_first_leg_is_as_straight_as_it_may_be(terrain):
    found = insect(terrain)
    found.hips[..., 2] += (found.ceiling - found.plane[:, 2])[:, None]
    reach = np.linalg.norm(found.swing[:, :, 0] - found.hips, axis=-1) / found.anatomy.reach
    assert np.max(reach) == pytest.approx(anatomy.SLOW_FROM)


def test_the_body_rises_over_a_mound_as_far_as_its_legs_let_it():
    low, high = insect(mound(0.9)), insect(mound(1.8))
    assert low.plane[0, 2] == pytest.approx(low._clear()[0], abs=1e-6)
    assert 0.1 < low.plane[0, 2] < high.plane[0, 2] == pytest.approx(high.ceiling[0], abs=1e-2)
    assert high.ceiling[0] < high._clear()[0]
    assert np.max(high.reach) == pytest.approx(anatomy.SLOW_FROM, abs=1e-2)


def test_feet_know_how_far_the_body_has_yet_to_rise(monkeypatch):
    found = insect(0.5)
    assert found.rise[0] == 0.0
    found.terrain = creature.as_terrain(mound(3.0, 0.5))
    lacks = found._clear()[0] - found.plane[0, 2]
    found._settle_body(DT)
    assert found.rise[0] == pytest.approx(lacks)
    told, feet = [], np.array([0, 3])
    goals, found.progress[:] = found.swing.reshape(-1, 4, 3)[feet, 3], 0.5
    monkeypatch.setattr(footing, "within_reach", lambda *given: told.append(given[-2]) or goals)
    places = from_above(goals)
    found._aim(feet, feet[:0], places, places, places)
    np.testing.assert_allclose(told[0], found.hips[0, [0, 3], 2] + lacks)


@pytest.mark.parametrize(("beyond", "lower"), [(-0.1, 0.0), (0.05, 0.42), (0.2, 0.55)])
def test_legs_far_out_make_the_body_crouch_to_half_its_height_at_most(beyond, lower):
    found = insect()
    found.reach[:] = found.animal.body.stretch + beyond
    found._settle_body(np.inf)
    assert found.plane[0, 2] == pytest.approx(-lower)


def test_the_leg_that_will_be_farthest_out_is_seen_before_it_lands():
    found = Walker("insect", count=2)
    found.progress[1, [2, 3]] = 0.5
    found.swing[1, [2, 3], 3] = [[1.5, 2.0, 0.3], [-1.0, 0.5, 0.0]]  # x, z, y
    found.over[1, [2, 3]] = [0.5 + 1.0j, -0.9 + 0.5j]
    found._look_ahead()
    far = np.hypot(np.hypot(1.0, 1.0), found.hips[1, 2, 2] - 0.3) / found.anatomy.reach[2]
    np.testing.assert_allclose(found.strain, [0.0, far])


def test_legs_far_out_now_or_soon_slow_it_down():
    pace = [walker.pace(np.array(reach)) for reach in (0.5, 0.88, 0.915, 0.95, 1.2)]
    np.testing.assert_allclose(pace, [1.0, 1.0, 0.5, 0.0, 0.0], atol=1e-12)
    for reach, strain, goes in ((0.5, 0.5, True), (1.0, 0.5, False), (0.5, 1.0, False)):
        found = insect()
        found.reach[:], found.strain[:] = reach, strain
        found._ease(DT, np.array([[0.0, 1.0, 0.0]]))
        assert (found.motion[0, 1] > 0.0) == goes


# --- swaying ------------------------------------------------------------------------------


def bird():
    """Return a bird that goes on and sways both ways; its left foot leaves at phase 0."""
    animal = creature.animal("bird")
    animal = animal._replace(body=animal.body._replace(sway=(0.6, 0.3)))
    found = Walker(animal, position=[3.0, -2.0], heading=HEADING)
    found.motion[:] = [[0.2, 0.5, 0.0]]
    return found


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
    found = bird()
    found.phase[:] = phase
    share = np.array([0.288])
    lean = found._lean(np.array([rate * carriage.LEAN / 2.0]), share)
    ahead = PLACE + 2.0 / carriage.LEAN * (0.2 + 0.5j) * facing(HEADING)
    feet = (found.stands[0] - ahead) * facing(-HEADING)
    middle = feet @ bears / np.sum(bears)
    np.testing.assert_allclose(lean, 0.6 * middle.real + 0.3j * middle.imag, atol=5e-4)


def test_it_leans_over_where_a_foot_in_the_air_will_stand():
    found = bird()
    found.motion[:], found.phase[:] = 0.0, 0.6
    found.progress[0, 0], found.swing[0, 0, 3, :2] = 0.9, [3.5, -1.5]
    goal = (0.5 + 0.5j) * facing(-HEADING)
    lean = found._lean(np.zeros(1), np.array([0.288]))
    np.testing.assert_allclose(lean, 0.6 * goal.real + 0.3j * goal.imag, atol=1e-3)


def test_a_dog_stands_leaning_off_the_foot_that_leaves_first():
    found = Walker("dog", position=[3.0, -2.0], heading=HEADING)
    away = found.state.body_position[[0, 2]] @ [1.0, 1.0j] - PLACE
    lean = away * facing(-HEADING)
    assert lean.real < -0.03  # to the right
    assert 0.0 < lean.imag < 0.02  # it is a hind foot


# --- legs ---------------------------------------------------------------------------------


def shifted(share):
    """Return an insect whose body is some share of what makes legs hurry ahead of its feet."""
    found = insect()
    way = share * walker.LATE * found.stride * facing(HEADING) * 1j
    found.place += [[way.real, way.imag]]
    return found


def test_legs_hurry_while_a_foot_on_the_ground_is_late():
    in_time, late, flies = shifted(0.9), shifted(1.2), shifted(1.2)
    flies.progress[:] = 0.5
    for found in (in_time, late, flies):
        found.step(DT)
    assert in_time.hurry[0] == flies.hurry[0] == 1.0
    assert late.hurry[0] == pytest.approx(1.0 + 0.2 * (1.0 - np.exp(-DT * walker.HURRY)), rel=1e-3)
    assert late.phase[0] > in_time.phase[0]


def test_legs_wait_while_one_goes_as_far_as_it_can():
    found = insect()
    found.strain[:] = 1.0
    found.step(DT)
    fade = np.exp(-DT * walker.HURRY)
    assert found.hurry[0] == pytest.approx(fade + (1.0 - fade) * walker.WAIT)


def test_legs_go_on_while_a_foot_is_in_the_air_or_away_from_home():
    stands, away, flies = insect(), shifted(0.9), insect()
    flies.progress[0, 1] = 0.5
    for found in (stands, away, flies):
        found.step(DT)
    assert stands.phase[0] == 0.0
    assert away.phase[0] == flies.phase[0] > 0.0


def test_the_phase_goes_on_with_the_way():
    found = insect()
    found.motion[:] = [[0.0, 2.0, 0.0]]
    found._step(DT, np.array([[0.0, 2.0, 0.0]]))
    assert found.phase[0] == pytest.approx(0.8 * 2.0 * DT / found.stride)


def test_who_goes_lifts_a_foot_that_is_at_home_and_who_stands_none():
    stands, goes = insect(), insect()
    goes.motion[:] = [[0.0, 2.0, 0.0]]
    stands.step(DT)
    goes.step(DT, 2.0)
    assert np.all(stands.state.stance)
    assert np.flatnonzero(~goes.state.stance).tolist() == [0]
    assert not stands._starts(np.array([2.0]), np.zeros((1, 6), bool)).size


def test_no_phase_goes_back_when_the_duty_changes():
    found = insect()
    for speed in (1.0, 0.0):
        before = found._phases()
        found._go_on(np.array([0.2]), np.array([speed]))
        on = (found._phases() - before) % 1.0
        assert np.all((on > 0.05) & (on < 0.35))


def test_a_foothold_stays_late_in_a_swing():
    found = insect()
    found.progress[0, [1, 4]] = [0.7, 0.8]
    found._step(DT, np.array([[0.0, 2.0, 1.0]]))
    moved = np.any(found.swing[0, :, 3] != insect().swing[0, :, 3], axis=-1)
    assert moved[1]
    assert not moved[4]


def test_a_foot_is_lifted_over_the_way_to_the_better_place_that_it_goes_to(monkeypatch):
    found, feet = insect(), np.array([1, 4])
    plain, aside, ends = found._nominal_footholds()[0, feet], np.array([0.2j, -0.1]), []
    found.progress[0, feet] = 0.0
    monkeypatch.setattr(footing, "better", lambda *given: aside)
    monkeypatch.setattr(footing, "lift_over", lambda *given: ends.append(given[2]) or 0.3)
    found._lift_feet(feet, plain, plain)
    np.testing.assert_allclose(from_above(ends[0]), plain + aside)
    found._aim(feet, feet, plain, plain, plain)
    np.testing.assert_allclose(from_above(found.swing[0, feet, 3]), plain + aside)
    np.testing.assert_allclose(found.lift[0], [0.0, 0.3, 0.0, 0.0, 0.3, 0.0])


def test_who_is_put_elsewhere_stands_still():
    found = insect()
    found.motion[:] = [[0.5, 1.0, 0.3]]
    found.put([1.0, 2.0], 0.4)
    found.step(DT)
    assert found.place.tolist() == [[1.0, 2.0]]
    assert found.heading.tolist() == [0.4]


# --- what is known ahead of feet in the air ------------------------------------------------


def reaching(down):
    """Return an insect that looks ahead to a goal straight below a hip of its, so far down."""
    found = insect()
    found.progress[0, 2] = 0.5
    found.over[0, 2] = from_above(found.hips)[0, 2]
    found.swing[0, 2, 3] = found.hips[0, 2] - [0.0, 0.0, down * found.length]
    found.ceiling[:] = np.inf
    found._look_ahead()
    return found


def test_the_body_comes_down_to_where_a_foot_in_the_air_will_be():
    for down in (0.5, 0.93):
        found = reaching(down)
        np.testing.assert_allclose(found.strain, down)
        lower = (anatomy.SLOW_FROM - down) * found.length
        np.testing.assert_allclose(found.ceiling - found.plane[:, 2], lower, atol=1e-12)


def test_a_foothold_that_is_far_stays_and_others_go_with_the_body():
    for down, stays in ((0.5, False), (0.93, True)):
        found = reaching(down)
        goal = found.swing[0, 2, 3].copy()
        found.motion[:, 0] = 0.5
        found.step(DT)
        assert (found.swing[0, 2, 3] == goal).all() == stays


def test_hips_are_where_they_were_expected_when_a_foot_lands():
    found = insect()
    for _ in range(240):
        found.step(DT, 0.9)
    seen = 0
    for _ in range(120):
        flies, over = found.progress[0] < 1.0, found.over[0].copy()
        found.step(DT, 0.9)
        lands = flies & (found.progress[0] >= 1.0)
        away = np.abs(over - from_above(found.hips)[0])[lands]
        assert np.all(away < 0.03 * found.length)
        seen += np.count_nonzero(lands)
    assert seen > 4


# --- what pushes a body up or down --------------------------------------------------------


def test_a_body_comes_down_for_a_leg_that_is_too_straight_by_so_much_at_most():
    found = insect(0.0)
    found.swing[0, 0, 0, 2] -= 3.0  # a foot out of reach
    before = found.plane[0, 2]
    found._stay_low(0.01)
    assert found.plane[0, 2] == pytest.approx(before - 0.01)
    found._stay_low(9.0)
    reach = np.linalg.norm(found.swing[0, 0, 0] - found.hips[0, 0]) / found.anatomy.reach[0]
    assert reach == pytest.approx(governor.STRAIGHT)


def test_the_ground_pushes_up_a_body_by_so_much_at_most():
    found = insect(0.0)
    found.plane[0, 2] -= found.left[1][0] + 0.03  # so deep it is in the ground
    found._place_body()
    found.left = found._slack()
    found._push_up(np.array([True]), 0.01)
    assert found.left[1][0] == pytest.approx(-0.02)
    found._push_up(np.array([True]), 0.5)
    assert found.left[1][0] == pytest.approx(restraint.ABOVE * found.length)


def test_a_body_waits_for_a_foot_in_the_air_that_will_land_behind_it():
    found = insect(0.0)
    found.progress[0, 0] = 0.5
    leg = 0
    back = np.exp(-1j * HEADING) * -1j  # from above: to where it came from
    hip = found.at[0] + facing(HEADING) * found.anatomy.under[leg]
    down = found.hips[0, leg, 2]
    out = np.sqrt((governor.STRAIGHT * found.anatomy.reach[leg]) ** 2 - down**2)
    from_above(found.swing)[0, leg, 3] = hip + (out - 0.05) * back
    found.left = found._slack()
    share = lambda speed: found._free_fraction(np.arange(1), np.array([[0.0, speed, 0.0]]))[0]  # noqa: E731
    assert share(-1.0) == 1.0
    assert share(1.0) == pytest.approx(0.05 / governor.BRAKE, rel=0.2)


def test_a_body_goes_no_farther_than_to_an_edge():
    """What is below its head does not fade there but falls: how far off that is, is looked for."""
    nose, speed = np.max(Walker("insect").anatomy.keel[1]), 1.8
    for away in (0.02, 0.05, 0.1, 0.15):
        pillar = lambda x, z, at=nose + away: np.where((z > at) & (np.abs(x) < 0.2), 3.0, 0.0)  # noqa: E731
        found = Walker("insect", pillar)
        goes = (
            found._free_fraction(np.arange(1), np.array([[0.0, speed, 0.0]]))[0]
            * speed
            * governor.BRAKE
        )
        assert 0.75 * away < goes <= away
