"""The walker that plans a step ahead: its parts against their definitions, and whole walks."""

import itertools
import math

import numpy as np
import pytest

from steps_measured import SPEEDS, ground_of, orders, walked
from twobone import creature
from twobone.creature.stepping import (
    belly,
    command,
    footholds,
    hanging,
    joints,
    knees,
    legs,
    levels,
    limbs,
    lines,
    numbers,
    path,
    rhythm,
    shown,
    standing,
    support,
    swings,
    thirds,
    walking,
)
from twobone.creature.stepping import journey as journeys
from twobone.creature.stepping import pose as poses
from twobone.creature.stepping.numbers import Damped, Point
from twobone.creature.stepping.records import Course, Frame, Order, Stand
from twobone.rotations import rotate

NAMES = list(SPEEDS)
# Walks in which a leg came near an edge: as it landed, or before it lifted.
ON_BLOCKS = [("bird", 2000247), ("dog", 2000201), ("dog", 2000272), ("horse", 2000214)]


# --- parts --------------------------------------------------------------------------------


def test_facing_is_cosine_and_sine():
    for angle in np.random.default_rng(0).uniform(-1e4, 1e4, 2000).tolist():
        found = numbers.facing(angle)
        assert found.c == pytest.approx(math.cos(angle), abs=3e-12)
        assert found.s == pytest.approx(math.sin(angle), abs=3e-12)
        assert found.c * found.c + found.s * found.s == pytest.approx(1.0, abs=2e-15)


@pytest.mark.parametrize("rate", [3.0, 14.0, 60.0])
def test_a_damped_number_follows_the_exact_solution(rate):
    value, dt = Damped(1.0, -2.0), 1.0 / 120.0
    for step in range(1, 60):
        numbers.damp(value, 0.25, rate, dt)
        time = step * dt
        exact = 0.25 + (0.75 + (-2.0 + rate * 0.75) * time) * math.exp(-rate * time)
        assert value.at == pytest.approx(exact, abs=4e-3)


def test_a_third_segment_below_its_hip_lies_behind_its_toes():
    """Where legs stand out it lies towards the hip, which has no direction right above the foot."""
    leg = creature.animal("spider").anatomy.legs[0]
    assert leg.radial
    toes = numbers.facing(0.4)
    found = limbs.behind(leg, Point(1.0, 0.7, 2.0), Point(1.0, 0.2, 2.0), toes)
    assert (found.s, found.c) == (-toes.s, -toes.c)
    beside = limbs.behind(leg, Point(4.0, 0.7, -2.0), Point(1.0, 0.2, 2.0), toes)
    assert (beside.s, beside.c) == pytest.approx((0.6, -0.8), abs=1e-15)


def test_a_distance_is_kept_within_a_range_smoothly():
    allowed, soft = limbs.Range(0.5, 1.0), 0.1
    distances = np.linspace(0.0, 1.6, 4001)
    kept = np.array([limbs.within(d, allowed, soft) for d in distances.tolist()])
    inner = (distances > 0.6) & (distances < 0.9)
    assert np.array_equal(kept[inner], distances[inner])
    assert kept.min() >= 0.5
    assert kept.max() <= 1.0
    slopes = np.diff(kept) / np.diff(distances)
    assert np.all((slopes > -1e-9) & (slopes < 1.0 + 1e-9))
    assert np.max(np.abs(np.diff(slopes))) < 5e-3  # no corner


@pytest.mark.parametrize(
    ("duty", "vault"), [(0.7, 0.35), (0.52, 0.27), (0.46, 0.0), (0.25, 0.0), (0.5, 0.3)]
)
def test_heave_is_the_force_of_a_leg_integrated_twice(duty, vault):
    # In units of g / (2 pi f)^2 the second derivative by 2 pi cycles is the force less its mean.
    cycles = np.linspace(0.0, 1.0, 2000, endpoint=False)
    stance = cycles < duty
    along = np.pi * cycles / duty
    force = np.where(stance, np.sin(along) + vault * np.sin(3.0 * along), 0.0)
    spectrum = np.fft.rfft(force / force.mean())
    orders_ = np.arange(len(spectrum))
    spectrum[0], spectrum[7:] = 0.0, 0.0
    spectrum[1:7] *= -(1.0 - orders_[1:7] ** 2 / 49.0) / orders_[1:7] ** 2
    expected = np.fft.irfft(spectrum, len(cycles))
    series = rhythm.harmonics(duty, vault)
    found = np.array([rhythm.sunk(cycle, duty, series) for cycle in cycles.tolist()])
    assert np.allclose(-found, expected, atol=2e-3 * np.max(np.abs(expected)))


@pytest.mark.parametrize(
    ("r1", "r2", "distance", "along"),
    [(1.0, 0.5, 1.6, 1.0), (1.0, 0.5, 0.3, 1.0), (0.5, 1.0, 0.3, -0.5), (0.5, 1.0, 1.6, 0.5)],
)
def test_two_bones_that_are_straight_or_folded_lie_along_the_way(r1, r2, distance, along):
    pole = numbers.Point(0.0, 1.0, 0.0)
    found = limbs.bend(numbers.Point(distance, 0.0, 0.0), r1, r2, pole)
    assert found == pytest.approx((along, 0.0, 0.0))


def test_a_course_starts_as_it_is_told_and_ends_at_rest():
    course, goal = Course(0.2, 1.0, -3.0, 8.0, -5.0), 2.5
    h = 1e-4
    start = [swings.at(course, goal, 0.2 + k * h) for k in (0, 1, 2)]
    assert start[0] == 1.0
    assert (start[1] - start[0]) / h == pytest.approx(-3.0, abs=2e-3)
    assert (start[2] - 2.0 * start[1] + start[0]) / h**2 == pytest.approx(8.0, abs=0.2)
    end = [swings.at(course, goal, 1.0 - k * h) for k in (0, 1, 2)]
    assert end[0] == pytest.approx(goal, abs=1e-14)
    assert (end[0] - end[1]) / h == pytest.approx(0.0, abs=5e-4)
    assert (end[0] - 2.0 * end[1] + end[2]) / h**2 == pytest.approx(-5.0, abs=0.2)
    # A course that goes on from the middle of another to the same goal is the same way.
    on = legs.from_here(course, goal, 0.6)
    for part in (0.6, 0.7, 0.95):
        assert swings.at(on, goal, part) == pytest.approx(swings.at(course, goal, part), abs=1e-12)


def test_the_margin_of_support_is_the_distance_to_the_nearest_edge():
    animal = creature.animal("insect").anatomy
    journey = journeys.set_off(animal, 0.0, 0.0, 0.3, lambda x, z: 0.0)
    draw = np.random.default_rng(3)
    for _ in range(50):
        feet = draw.uniform(-2.0, 2.0, (6, 2))
        for step, (x, z) in zip(journey.walk.steps, feet.tolist(), strict=True):
            step.foot = Point(x, 0.0, z)
            step.hip = Point(x, 0.5 * animal.reach, z)
        without = int(draw.integers(-1, 6))
        angles = np.linspace(0.0, 2.0 * np.pi, 100_000, endpoint=False)
        rest = np.delete(feet, without, axis=0) if without >= 0 else feet
        inside = np.min(np.max(rest @ np.array([np.cos(angles), np.sin(angles)]), axis=0))
        found = support.margin(animal, journey.walk, without, 0.0, 0.0).inside
        found += support.MARGIN * animal.reach
        if inside > 0.0:
            assert found == pytest.approx(inside, abs=1e-4)
        else:
            assert found < 1e-9


def test_a_station_turns_as_its_angles_say_and_its_hips_with_it():
    left, up, ahead = np.eye(3)
    for angles, part, wanted in (
        ((0.3, 0.0, 0.0), ahead, (math.sin(0.3), 0.0, math.cos(0.3))),
        ((0.0, 0.3, 0.0), ahead, (0.0, math.sin(0.3), math.cos(0.3))),
        ((0.0, 0.0, 0.3), left, (math.cos(0.3), math.sin(0.3), 0.0)),
    ):
        assert np.allclose(rotate(shown.rotation(*angles), part), wanted, atol=1e-15)
    frame = Frame(1.0, 2.0, 3.0, 0.4, -0.5, 0.6)
    for leg in creature.animal("dog").anatomy.legs:
        hip = np.subtract(
            poses.hip_of(leg, frame, poses.tilt_of(frame)), (frame.x, frame.y, frame.z)
        )
        turned = rotate(
            shown.rotation(frame.yaw, frame.pitch, frame.roll), leg.aside * left + leg.up * up
        )
        assert np.allclose(hip, turned, atol=1e-14)


def test_a_trunk_is_over_the_ground_on_both_of_its_sides():
    animal, ahead = creature.animal("crab").anatomy, numbers.facing(0.0)
    for slope in (-0.3, 0.0, 0.3):
        for rolled in (-0.2, 0.0, 0.2):
            top = belly.top_under(animal, 0.0, 0.0, ahead, rolled, lambda x, z, s=slope: s * x)
            assert top == pytest.approx(abs(slope - rolled) * animal.half, abs=1e-12)


@pytest.mark.parametrize("yaw", [0.0, 0.5 * math.pi, -0.5 * math.pi])
def test_a_trunk_rises_before_a_ridge_on_its_way(yaw):
    animal, turn = creature.animal("dog").anatomy, numbers.facing(yaw)
    journey = journeys.set_off(animal, 0.0, 0.0, yaw, lambda x, z: 0.0)
    walk, pose = journey.walk, journey.poses[journey.last]
    walk.ahead.at = 1.0
    front = walk.stations[-1]
    way = belly.foresight(animal, walk)

    def needed(start, end):
        def ridge(x, z):
            ahead = (x - front.x) * turn.s + (z - front.z) * turn.c
            return 0.2 * animal.hip if start * way < ahead < end * way else 0.0

        least = [-numbers.HUGE for _ in walk.stations]
        belly.free_belly(animal, walk, pose, 0.0, ridge, least)
        return least[-1]

    flat = animal.belly + swings.CLEARANCE * animal.hip - pose.frames[-1].y
    assert needed(0.9, 1.1) == pytest.approx(0.2 * animal.hip + flat)
    assert needed(1.1, 2.0) == needed(-1.1, -0.1) == pytest.approx(flat)
    front.goal, front.level.speed = 1.0, 0.05 * animal.hip / way  # it rises as it comes there
    assert needed(0.9, 1.1) == pytest.approx(0.15 * animal.hip + flat)


@pytest.mark.parametrize(("over", "walled"), [(-0.01, False), (0.01, True)])
def test_a_trunk_stops_before_ground_that_is_too_high_for_its_legs(over, walled):
    animal = creature.animal("dog").anatomy
    journey = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0)
    walk, pose = journey.walk, journey.poses[journey.last]
    walk.ahead.at = 1.0
    front = walk.stations[-1]
    most = animal.highest - animal.belly - swings.CLEARANCE * animal.hip
    there = front.z + belly.foresight(animal, walk) + belly.ROOM * animal.hip

    def wall(x, z):
        return most + over * animal.hip if abs(z - there) < 0.01 else 0.0

    belly.free_belly(animal, walk, pose, 0.0, wall, [0.0 for _ in walk.stations])
    assert (front.free < 1.0) == walled


@pytest.mark.parametrize("way", [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)])
def test_a_leg_needs_the_most_room_where_its_hip_goes_over_its_foot(way):
    animal = creature.animal("dog").anatomy
    walk = journeys.set_off(animal, 3.0, 5.0, 0.0, lambda x, z: 0.0).walk
    leg, step = animal.legs[0], walk.steps[0]
    bearer, least = walk.stations[leg.station], [-numbers.HUGE for _ in walk.stations]
    bearer.ux, bearer.uz = way
    seconds = 0.5 * min(rhythm.left_to_stand(animal, walk, step), belly.foresight(animal, walk))
    foot = step.foot
    hip = Point(foot.x - seconds * way[0], foot.y + 0.1, foot.z - seconds * way[1])
    levels.free_leg(animal, walk, leg, step, hip, least, [0.0 for _ in walk.stations])
    assert least[leg.station] == pytest.approx(path.fold_of(leg, animal.least) - 0.1)


def test_a_swing_is_no_higher_than_it_may_be_and_the_less_the_later_it_is_planned():
    animal, flat = creature.animal("dog").anatomy, lambda x, z: 0.0
    walk = journeys.set_off(animal, 0.0, 0.0, 0.0, flat).walk
    leg, step = animal.legs[0], walk.steps[0]
    legs.lift(walk, 0)
    legs.plan(animal, walk, 0, flat)
    foot = Point(step.foot.x, 0.0, step.foot.z + 0.4)
    first = path.ahead(animal, walk, walk.stations[leg.station], 0.0)
    stance = footholds.stance_of(animal, leg, walk, step, first, flat)

    def is_possible(high):
        def wall(x, z):
            return high * animal.hip if abs(z - foot.z + 0.1) < 0.05 else 0.0

        huge = numbers.HUGE
        return footholds.swung(animal, walk, 0, stance, foot, 0.0, huge, wall) < huge

    assert is_possible(0.4)
    assert not is_possible(1.5)
    step.part = 0.5
    assert not is_possible(0.4)


def test_an_animal_looks_around_the_less_the_more_it_walks():
    animal = creature.animal("dog").anatomy
    walk = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0).walk
    walk.breath = 1.3
    for vigour in (0.0, 0.5, 1.0):
        walk.vigour.at = vigour
        assert abs(hanging.glanced(walk, 1.0)) == pytest.approx(1.0 - vigour)


def test_a_leg_at_the_end_of_its_reach_does_not_bear_the_body_while_another_lifts():
    animal = creature.animal("insect").anatomy
    walk = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0).walk
    rear, middle, front = 0, 2, 4  # legs of the left side
    for leg, step in zip(animal.legs, walk.steps, strict=True):
        step.hip = Point(step.foot.x, 0.9 * path.reach_of(leg, 1.0), step.foot.z)
    assert legs.may_lift(animal, walk, front)
    assert support.margin(animal, walk, front, 0.0, 0.0).inside > 0.0
    for step in (walk.steps[rear], walk.steps[middle]):
        step.hip = Point(step.foot.x, 2.0 * animal.reach, step.foot.z)
    assert support.margin(animal, walk, -1, 0.0, 0.0).inside > 0.0
    assert not legs.may_lift(animal, walk, front)


def test_a_station_is_held_down_by_a_leg_that_stands_until_another_has_landed():
    animal = creature.animal("dog").anatomy
    walk = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0).walk
    free = footholds.held(animal, animal.legs[0], walk, 0.0, 0.0)
    assert free == animal.highest
    bearer, step = animal.legs[1], walk.steps[1]
    step.foot = Point(
        step.hip.x, step.hip.y - animal.reach, step.hip.z
    )  # farther down than it reaches
    held = footholds.held(animal, animal.legs[0], walk, 0.0, 0.0)
    reach = path.reach_of(bearer, animal.straight)
    assert held == pytest.approx(step.foot.y + reach - bearer.up, abs=1e-12)
    seconds = rhythm.left_to_stand(animal, walk, step)
    assert footholds.held(animal, animal.legs[0], walk, seconds, 0.0) == free


def test_a_trunk_rises_no_faster_than_it_can_brake_before_a_leg_is_straight():
    animal = creature.animal("insect").anatomy
    walk = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0).walk
    leg, step = animal.legs[0], walk.steps[0]
    for left in np.geomspace(1e-3, 0.3, 20) * animal.reach:
        top = path.reach_of(leg, support.USED)
        hip = Point(step.foot.x, step.foot.y + top - left, step.foot.z)
        fastest = levels.fastest_rise(animal, walk, leg, step.foot, hip)
        brakes = np.sqrt(2.0 * levels.FALL * numbers.GRAVITY * left)
        rate = rhythm.WITH_STEPS * rhythm.clock(animal, walk)
        assert fastest == pytest.approx(min(rate * left, brakes), rel=1e-9)


def test_a_trunk_sinks_for_one_leg_only_as_far_as_another_leg_can_fold():
    animal = creature.animal("dog").anatomy
    station = animal.legs[0].station
    shifts = []
    for folded in (False, True):
        journey = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0)
        walk, pose = journey.walk, journey.poses[journey.last]
        near, far = walk.steps[0], walk.steps[1]
        far.foot = Point(far.foot.x, -0.2 * animal.reach, far.foot.z)  # out of reach below
        if folded:
            least = path.fold_of(animal.legs[0], animal.least)
            near.foot = Point(near.hip.x, near.hip.y - 1.02 * least, near.hip.z)
        for _ in range(60):
            levels.shift(animal, walk, pose, 0.0, lambda x, z: -1.0, 1.0 / 120.0)
        shifts.append(walk.stations[station].shift.at)
    assert shifts[0] < -0.1 * animal.reach
    assert -0.03 * animal.reach < shifts[1] < 0.0


def test_a_trunk_that_rises_for_a_leg_counts_on_the_height_to_which_it_rises():
    animal, flat = creature.animal("dog").anatomy, lambda x, z: 0.0
    journey = journeys.set_off(animal, 0.0, 0.0, 0.0, flat)
    walk, pose = journey.walk, journey.poses[journey.last]
    leg, step = animal.legs[0], walk.steps[0]
    step.foot = step.foot._replace(y=0.6 * animal.hip)
    levels.shift(animal, walk, pose, 0.0, flat, walking.DT)
    high = levels.height_at(path.fold_of(leg, animal.least), step.hip, step.foot)
    assert walk.stations[leg.station].floor + leg.up == pytest.approx(step.foot.y + high)


def test_a_leg_lifts_before_an_edge_ahead_of_it_is_in_its_way():
    animal = creature.animal("dog").anatomy
    flat = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0)
    walk, pose = flat.walk, flat.poses[flat.last]
    step, stand = walk.steps[0], pose.stands[0]
    step.phase = 0.9 * walk.duty.at
    step.hip = Point(step.foot.x, step.hip.y, step.foot.z + 0.55 * animal.reach)
    stand.angle = animal.legs[0].rest + animal.legs[0].peel

    def edge(x, z):
        return 0.5 * animal.reach if z > step.foot.z + 0.1 * animal.reach else 0.0

    def is_hindered(ground):
        return walking.is_hindered(animal, walk, stand, 0, ground)

    assert is_hindered(edge)
    assert not is_hindered(lambda x, z: 0.0)
    step.phase = 0.4 * walk.duty.at
    assert not is_hindered(edge)
    step.phase, step.under = 0.9 * walk.duty.at, 0.1  # another ground, onto which all feet step
    assert not is_hindered(edge)


@pytest.mark.parametrize("name", ["bird", "insect", "spider"])
def test_a_stiff_trunk_goes_over_the_ground_along_the_lowest_line(name):
    animal = creature.animal(name).anatomy
    arms = np.array(animal.along) - animal.middle
    slopes = np.linspace(-20.0, 20.0, 40_001)
    draw = np.random.default_rng(5)
    for _ in range(20):
        heights = draw.uniform(-1.0, 1.0, len(arms))
        middles = np.max(heights - slopes[:, None] * arms, axis=1)
        line = lines.line_over(animal, heights.tolist())
        assert line.middle == pytest.approx(np.min(middles), abs=1e-3)
        assert np.all(line.middle + line.slope * arms >= heights - 1e-12)
        lowest = np.abs(slopes[middles < np.min(middles) + 1e-3])
        assert abs(line.slope) == pytest.approx(np.min(lowest), abs=1e-2)


@pytest.mark.parametrize("name", NAMES)
def test_legs_are_mirrored(name):
    animal = creature.animal(name).anatomy
    for left, right in zip(animal.legs[::2], animal.legs[1::2], strict=True):
        assert (left.side, right.side) == (1.0, -1.0)
        assert right == left._replace(
            side=-1.0,
            aside=-left.aside,
            foot_aside=-left.foot_aside,
            pole_aside=-left.pole_aside,
            ankle_aside=-left.ankle_aside,
        )
        size = math.hypot(left.pole_aside, left.pole_up, left.pole_ahead)
        assert size == pytest.approx(1.0, abs=1e-15)


# --- walks --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["steps", "0.15"])
def test_a_walk_is_safe(name, kind):
    found = walked(name, kind, 3.0, 20)
    assert found.slip == 0.0
    assert found.bones <= 4.0
    assert found.deepest[0] <= 0.01
    assert found.share > (0.75 if kind == "0.15" else 0.95)
    assert found.down > (-1.2 if kind == "0.15" else -1.1)
    assert found.planes < 18.0
    assert found.slow < 1.0
    if len(creature.animal(name).anatomy.legs) == 6:
        assert found.margin > 0.05
    elif len(creature.animal(name).anatomy.legs) > 6:
        assert found.margin > 0.06


@pytest.mark.parametrize(("name", "seed"), ON_BLOCKS)
def test_legs_of_three_segments_stay_out_of_the_edges_of_blocks(name, seed):
    assert walked(name, "blocks", 6.0, seed).deepest[0] <= 0.01


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["insect", "spider", "crab"])
def test_a_trunk_stays_straight_and_over_its_feet_on_hills(name):
    found = creature.animal(name)
    animal, pitched = found.anatomy, []
    for seed in (12, 16, 18, 21):
        ground = ground_of("0.25", found.length, seed)
        journey = journeys.set_off(animal, 0.0, 0.0, 0.0, ground)
        for _ in range(80):
            journeys.travel(animal, journey, Order(0.0, 0.5 * SPEEDS[name], 0.0), 0.05, ground)
            shifts = [station.shift.at for station in journey.walk.stations]
            rates = [station.shift.speed for station in journey.walk.stations]
            for each in shifts, rates:
                line = lines.fit(animal, each)
                arms = np.array(animal.along) - animal.middle
                assert np.allclose(each, line.middle + line.slope * arms, rtol=0.0, atol=1e-12)
            pitched.append(abs(shifts[-1] - shifts[0]))
            turn = numbers.facing(journey.walk.yaw)
            inside = support.margin(animal, journey.walk, -1, turn.s, turn.c).inside
            assert inside > -support.MARGIN * animal.reach
    assert max(pitched) > 0.15 * animal.reach


def test_a_third_segment_rises_to_be_upright_and_no_further():
    for animal in map(creature.animal, NAMES):
        leg = animal.anatomy.legs[0]
        hip, foot, toes = Point(0.0, 1.0, 0.0), Point(leg.side, 0.0, 0.0), numbers.facing(0.0)
        wall = limbs.slope_under(leg, hip, foot, toes, lambda x, z: 9.0 * ((x < 0.99) + (z < 0.0)))
        assert leg.rest + wall == pytest.approx(0.5 * math.pi)
        assert limbs.slope_under(leg, hip, foot, toes, lambda x, z: 0.0) == 0.0


def test_a_tarsus_clears_a_step_while_it_turns_about_its_foot():
    # Its hip passes the foot: where the tarsus lay when it landed is not where it lies at the end.
    found = walked("insect", "steps", 6.5, 550_001)
    assert found.deepest[0] < 0.01


@pytest.mark.parametrize("name", ["dog", "horse", "bird"])
def test_an_ankle_goes_over_from_behind_a_folded_leg_without_a_turn_to_the_side(name):
    # A foot passes below its hip, so near that the two bones cannot fold further.
    animal = creature.animal(name).anatomy
    leg = animal.legs[0]
    allowed = limbs.range_of(leg, animal.least, animal.straight)
    hip, toes = Point(0.0, 0.8 * (leg.third + allowed.least), 0.0), numbers.facing(0.0)
    before = None
    for k in range(61):
        foot = Point(0.03 * leg.third, 0.0, 0.03 * leg.third * (k - 30))
        ankle = limbs.ankle_of(leg, hip, foot, leg.rest, toes, allowed)
        distance = numbers.length(numbers.between(hip, ankle))
        assert distance > 0.9 * allowed.least
        assert abs(ankle.x - foot.x) < 0.1 * leg.third
        if before is not None:
            assert numbers.length(numbers.between(before, ankle)) < 0.15 * leg.third
        before = ankle


def test_a_foot_that_lifts_late_sets_off_from_where_it_stood():
    animal = creature.animal("dog").anatomy
    walk = standing.started(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0)
    stood = walk.steps[0].foot
    walk.steps[0].phase = 0.99
    legs.lift(walk, 0)
    legs.plan(animal, walk, 0, lambda x, z: 0.0)
    legs.fly(animal, walk, 0, lambda x, z: 0.0)
    assert walk.steps[0].foot == pytest.approx(stood, abs=1e-12)
    assert walk.steps[0].phase == pytest.approx(1.0 - legs.briefest(walk))


@pytest.mark.parametrize("name", NAMES)
def test_the_pole_of_a_leg_turns_with_it_the_shortest_way(name):
    leg = creature.animal(name).anatomy.legs[0]
    yaw = numbers.facing(0.4)
    turned = np.array([[yaw.c, 0.0, yaw.s], [0.0, 1.0, 0.0], [-yaw.s, 0.0, yaw.c]])
    pole = turned @ [leg.pole_aside, leg.pole_up, leg.pole_ahead]
    rest = turned @ [leg.ankle_aside, leg.ankle_up, leg.ankle_ahead]
    assert np.linalg.norm(rest) == pytest.approx(1.0, abs=1e-15)
    at_rest = pole - rest * (rest @ pole)
    for way in np.random.default_rng(3).normal(size=(200, 3)):
        d = way / np.linalg.norm(way)
        axis = np.cross(rest, d)  # of the shortest turn, times its sine
        cosine = rest @ d
        there = cosine * at_rest + np.cross(axis, at_rest)
        there += axis * (axis @ at_rest) / (1.0 + cosine)
        found = np.array(limbs.pole_of(leg, yaw, Point(*way)))
        # Along the leg it may say anything.
        found -= d * (found @ d)
        assert found / np.linalg.norm(found) == pytest.approx(
            there / np.linalg.norm(there), abs=1e-9
        )


@pytest.mark.parametrize("name", NAMES)
def test_a_third_segment_lets_two_bones_reach_wherever_the_hip_is(name):
    animal = creature.animal(name).anatomy
    leg = animal.legs[0]
    reach = leg.upper + leg.lower
    allowed = limbs.range_of(leg, animal.least, animal.straight)
    inner = max(allowed.least - leg.third, 0.0)
    rng = np.random.default_rng(4)
    for _ in range(2000):
        way = rng.normal(size=3)
        way[1] = abs(way[1])
        size = rng.uniform(inner, allowed.most + leg.third) / np.linalg.norm(way)
        hip, foot = Point(*(size * way)), Point(0.0, 0.0, 0.0)
        toes = numbers.facing(rng.uniform(-3.0, 3.0))
        ankle = limbs.ankle_of(leg, hip, foot, rng.uniform(-1.0, 2.0), toes, allowed)
        assert numbers.length(ankle) == pytest.approx(leg.third, rel=1e-12)
        distance = numbers.length(numbers.between(hip, ankle))
        assert allowed.least - 0.02 * reach < distance < allowed.most + 1e-12


@pytest.mark.parametrize("now", [-0.1, 0.0, 0.1])
@pytest.mark.parametrize("slope_x", [-0.3, 0.3])
def test_a_knee_turns_aside_until_it_clears_a_hillside(now, slope_x):
    animal = creature.animal("human").anatomy
    leg = animal.legs[0]
    clear = knees.NEAR * animal.hip
    hip, foot = Point(0.0, 0.6 * animal.hip, 0.0), Point(0.0, 0.0, 0.1)
    stand = Stand(hip, foot, leg.rest, 0.0, 0.0, 0.0, 0.0, 0.0, True)
    allowed = limbs.bending(animal, leg)
    ankle = limbs.ankle_of(leg, hip, foot, leg.rest, numbers.facing(0.0), allowed)
    way = numbers.between(hip, ankle)
    pole = limbs.pole_of(leg, numbers.facing(0.0), way)

    def knee_at(angle):
        bend = limbs.bend(way, leg.upper, leg.lower, knees.turned_by(pole, way, angle))
        return [a + b for a, b in zip(hip, bend, strict=True)]

    x, y, z = knee_at(0.0)
    for deep in (-2.0 * clear, -0.5 * clear, 0.0):

        def ground(u, v, deep=deep):
            return y + deep + slope_x * (u - x) + 1.5 * (v - z)

        angle = knees.splayed(animal, leg, stand, now, ground)
        knee = knee_at(angle)
        if deep < -clear:
            assert angle == 0.0
        else:
            assert 0.0 < abs(angle) < knees.WIDEST
            assert knee[1] - ground(knee[0], knee[2]) == pytest.approx(clear, abs=1e-9)
            # It goes down the slope; +x is to the left.
            assert (knee[0] > x) == (slope_x < 0.0)
        assert knees.splayed(animal, leg._replace(radial=True), stand, now, ground) == 0.0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["dog", "insect"])
def test_any_frame_rate_gives_the_same_walk(name):
    animal = creature.animal(name).anatomy
    ground, order = ground_of("0.15", animal.reach, 4), Order(0.1, SPEEDS[name], 0.2)

    def walk(fps):
        journey = journeys.set_off(animal, 0.0, 0.0, 0.0, ground)
        found = []
        for frame in range(fps):
            journeys.travel(animal, journey, order, 1.0 / fps, ground)
            if (frame + 1) % (fps // 12) == 0:  # twelve times a second
                found.append(journeys.seen(journey))
        return found

    once = walk(120)
    for fps in (24, 60, 144, 240):
        for a, b in zip(walk(fps), once, strict=True):
            assert a.frames == b.frames
            assert [stand.foot for stand in a.stands] == [stand.foot for stand in b.stands]


def test_between_two_steps_feet_that_stand_do_not_move():
    animal, ground = creature.animal("dog").anatomy, ground_of("0.15", 0.7, 2)
    journey = journeys.set_off(animal, 0.0, 0.0, 0.0, ground)
    before = journeys.seen(journey)
    for _ in range(500):
        journeys.travel(animal, journey, Order(0.0, 1.2, 0.3), 1.0 / 523.0, ground)
        pose = journeys.seen(journey)
        for a, b in zip(before.stands, pose.stands, strict=True):
            if a.down and b.down:
                assert a.foot == b.foot
        before = pose


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_knees_bend_to_their_side(name):
    animal = creature.animal(name).anatomy
    ground, order = ground_of("0.15", animal.reach, 6), orders(creature.animal(name), 6)
    journey = journeys.set_off(animal, 0.0, 0.0, 1.0, ground)
    for frame in range(120):
        journeys.travel(animal, journey, Order(*order(frame / 60.0)), 1.0 / 60.0, ground)
        pose = journeys.seen(journey)
        for i, leg in enumerate(animal.legs):
            hip, knee, ankle, _ = (np.array(point) for point in joints.joints_of(animal, pose, i))
            turn = numbers.facing(pose.frames[leg.station].yaw)
            pole = np.array(limbs.pole_of(leg, turn, Point(*(ankle - hip).tolist())))
            along = (ankle - hip) / np.linalg.norm(ankle - hip)
            across = (knee - hip) - along * np.dot(along, knee - hip)
            assert np.dot(across, pole) >= 0.0
            # The middle of hip and ankle is on the other side of it than the knee.
            if not leg.radial:
                forward = np.array([turn.s, 0.0, turn.c])
                assert np.dot(across, forward) * leg.pole_ahead > -1e-9


def test_a_dog_changes_its_gait_with_its_speed():
    animal = creature.animal("dog").anatomy
    journey = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0)
    found = []
    for speed in (0.9, 2.2, 3.6, 5.0, 0.9):
        for _ in range(300):
            journeys.travel(animal, journey, Order(0.0, speed, 0.0), 1.0 / 60.0, lambda x, z: 0.0)
        found.append((journey.walk.gait, journey.walk.duty.at))
    assert [gait for gait, _ in found] == [0, 1, 2, 3, 0]
    assert found[0][1] > 0.5 > found[1][1] > found[2][1] > found[3][1]
    assert found[4] == pytest.approx(found[0], abs=1e-3)


def test_a_body_in_flight_falls_with_gravity():
    animal = creature.animal("dog").anatomy
    journey = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0)
    heights = []
    for frame in range(480):
        journeys.travel(animal, journey, Order(0.0, 2.2, 0.0), 1.0 / 60.0, lambda x, z: 0.0)
        pose = journeys.seen(journey)
        if frame > 240:
            heights.append(np.mean([frame.y for frame in pose.frames]))
    accelerations = np.diff(heights, 2) * 3600.0 / numbers.GRAVITY
    assert accelerations.min() > -1.1
    assert accelerations.max() > 0.3


def test_an_animal_steps_while_it_moves_or_a_foot_is_in_the_air_or_astray():
    animal, standing_still = creature.animal("dog").anatomy, Order(0.0, 0.0, 0.0)

    def ticks(speed=0.0, stops=True, down=True, stray=0.0):
        walk = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0).walk
        walk.ahead.at, walk.stops = speed, stops
        walk.steps[1].down, walk.steps[1].stray = down, stray
        command.tick(animal, walk, standing_still, walking.DT)
        return walk.moving, walk.rate > 0.0

    assert ticks() == (False, False)
    assert ticks(speed=1.0) == ticks(stops=False) == (True, True)
    assert ticks(down=False) == ticks(stray=animal.hip) == (False, True)


@pytest.mark.parametrize("name", NAMES)
def test_no_stance_is_longer_than_its_leg_lets_it_be(name):
    animal = creature.animal(name).anatomy
    for speed in np.linspace(0.1, 1.0, 10) * animal.top_speed:
        walk = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0).walk
        walk.ahead.at, walk.stops = float(speed), False
        for _ in range(20):  # of a second: rate and duty factor come to their goals
            command.tick(animal, walk, Order(0.0, float(speed), 0.0), 1.0)
        assert walk.duty.at * speed / walk.rate <= animal.travel * (1.0 + 1e-3)


def test_an_animal_that_is_told_to_stand_comes_to_rest():
    for name in ("dog", "bird", "insect"):
        animal = creature.animal(name).with_liveliness(0.0).anatomy
        ground = ground_of("0.15", animal.reach, 8)
        journey = journeys.set_off(animal, 0.0, 0.0, 0.0, ground)
        for frame in range(340):
            speed = SPEEDS[name] if frame < 60 else 0.0
            journeys.travel(animal, journey, Order(0.0, speed, 0.0), 1.0 / 60.0, ground)
        assert all(stand.down for stand in journeys.seen(journey).stands)
        before = [frame.y for frame in journeys.seen(journey).frames]
        journeys.travel(animal, journey, Order(0.0, 0.0, 0.0), 0.5, ground)
        after = [frame.y for frame in journeys.seen(journey).frames]
        assert after == pytest.approx(before, abs=1e-3 * animal.hip)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_a_walk_does_not_depend_on_where_it_is(name):
    # Turned and moved, it is the same walk but for rounding, until that decides about a foothold.
    animal = creature.animal(name).anatomy

    def walk(x, z, yaw):
        journey = journeys.set_off(animal, x, z, yaw, lambda x, z: 0.0)
        for _ in range(60):
            journeys.travel(animal, journey, Order(0.1, 0.5, 0.1), 1.0 / 60.0, lambda x, z: 0.0)
        c, s = math.cos(yaw), math.sin(yaw)
        feet = [stand.foot for stand in journeys.seen(journey).stands]
        return np.array(
            [((p.x - x) * c - (p.z - z) * s, p.y, (p.x - x) * s + (p.z - z) * c) for p in feet]
        )

    assert np.allclose(walk(0.0, 0.0, 0.0), walk(-3.0, 7.0, 2.1), atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_station_rises_with_a_foot_as_it_is_derived(name):
    animal = creature.animal(name).anatomy
    for i, leg in enumerate(animal.legs):
        walk = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.0).walk
        walk.steps[i].base = 0.5
        levels.level(animal, walk, 0.0)
        assert walk.stations[leg.station].level.at == pytest.approx(0.5 * leg.follows, abs=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_a_trunk_on_a_slope_is_no_steeper_than_the_slope(name):
    animal = creature.animal(name).anatomy
    walk = journeys.set_off(animal, 0.0, 0.0, 0.0, lambda x, z: 0.3 * z).walk
    for a, b in itertools.pairwise(range(len(animal.along))):
        rise = walk.stations[b].level.at - walk.stations[a].level.at
        assert 0.1 < rise / (animal.along[b] - animal.along[a]) < 0.33


@pytest.mark.parametrize("name", NAMES)
def test_an_animal_says_why_it_does_not_fit(name):
    animal = creature.animal(name).anatomy

    def misfit(ground):
        journey = journeys.set_off(animal, 0.0, 0.0, 0.0, ground)
        return standing.misfit(animal, journey.walk, journey.poses[journey.last], ground)

    assert misfit(lambda x, z: 0.0) == standing.FITS
    assert misfit(lambda x, z: 0.0 if x > 0.0 else -5.0 * animal.reach) == standing.TOO_FAR


def test_an_animal_is_blocked_that_does_less_than_a_third_for_a_second():
    animal, ground = creature.animal("dog").anatomy, ground_of("flat", 1.0, 0)
    journey, order = journeys.set_off(animal, 0.0, 0.0, 0.0, ground), Order(0.2, 1.0, 0.3)
    journeys.travel(animal, journey, order, 2.0, ground)
    assert not journeys.is_blocked(journey)
    for share, done in ((0.32, True), (0.36, False)):
        journey.walk.slow = share * order.ahead / journey.walk.ahead.at
        command.wait(animal, journey.walk, order, 0.99)
        assert not journeys.is_blocked(journey)
        command.wait(animal, journey.walk, order, 0.02)
        assert journeys.is_blocked(journey) == done


def test_a_third_segment_does_not_jump_where_it_leans_over_backwards():
    ways = [numbers.Point(0.0, math.sin(angle), math.cos(angle)) for angle in (3.1, 3.2)]
    found = [thirds.steeper(way, numbers.facing(0.0), 1.6) for way in ways]
    assert found == pytest.approx([1.5, 1.6])
