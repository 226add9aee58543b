"""Walkers go where they are told, at any frame rate, one or many; and recover."""

import copy

import numpy as np
import pytest

import twobone
from measured import measured
from slow import all_but, slow
from twobone import creature
from twobone.creature import Walker, WaveGait, footing
from twobone.creature.journey import record
from twobone.errors import CreatureError
from twobone.pictures.figure import body_parts
from twobone.rotations import rotate

NAMES = sorted(creature.ANIMALS)


def hills(x, z):
    return 0.15 * np.sin(1.1 * x + 0.3) * np.cos(0.9 * z)


def go(walker, seconds, velocity, turn=0.0, fps=60):
    found = [walker.state]
    for _ in range(round(seconds * fps)):
        walker.step(1.0 / fps, velocity, turn)
        found.append(walker.state)
    return creature.WalkerState(*(np.stack(parts) for parts in zip(*found, strict=True)))


@pytest.mark.parametrize("name", NAMES)
def test_a_planted_foot_does_not_move_by_a_bit_and_bones_keep_their_lengths(name):
    walker = Walker(name, hills)
    walk = go(walker, 4.0, 0.6 * walker.animal.speed, 0.3)
    both = walk.stance[1:] & walk.stance[:-1]
    assert np.any(~both)
    assert np.all(np.diff(walk.feet, axis=0)[both] == 0.0)
    bones = walker.animal.legs.bones
    first = np.linalg.norm(walk.knees - walk.hips, axis=-1)
    second = np.linalg.norm(walk.feet - walk.knees, axis=-1)
    size = 1.0 + np.max(np.abs(walk.feet))  # differences of places are as good as places
    for have, want in ((first, bones[:, 0]), (second, bones[:, 1])):
        assert np.max(np.abs(have - want)) <= 4 * 2.0**-52 * size
    on = np.where(walk.stance, walk.feet[..., 1] - hills(walk.feet[..., 0], walk.feet[..., 2]), 0.0)
    assert np.all(on == 0.0)


@pytest.mark.parametrize("name", all_but(NAMES, "insect", "bird"))
@pytest.mark.parametrize(("aside", "ahead"), [(0, 1), (0, -1), (1, 0), (-0.6, 0.8)])
def test_it_goes_forward_backward_and_sideways(name, aside, ahead):
    walker = Walker(name)
    speed = 0.5 * walker.animal.speed
    go(walker, 4.0, [speed * aside, speed * ahead])
    way = walker.place[0]
    assert way @ [aside, ahead] == pytest.approx(np.hypot(*way), rel=1e-6)
    assert 0.8 * 4.0 * speed < np.hypot(*way) < 4.0 * speed


@pytest.mark.parametrize("name", all_but(NAMES, "insect", "dog"))
def test_it_turns_on_the_spot_and_stops_with_its_feet_at_home(name):
    walker = Walker(name)
    go(walker, 3.0, 0.0, 0.8)
    least = 0.8 if name == "centipede" else 1.5  # the feet of a long body have far to go
    assert least < walker.heading[0] < 2.4
    assert np.hypot(*walker.place[0]) < 1e-9
    go(walker, 4.0, 0.0)
    stance = walker.state
    assert np.all(stance.stance)
    away = stance.feet[:, [0, 2]] @ [1.0, 1.0j] - walker._nominal_footholds()[0]
    assert np.max(np.abs(away)) < 0.05 * walker.length
    before = stance.feet
    go(walker, 1.0, 0.0)
    assert np.all(walker.state.feet == before)


def lopsided():
    """Return an insect whose legs stand farther ahead of its middle than behind it."""
    animal = creature.animal("insect")
    hips, footholds = animal.legs.hips.copy(), animal.legs.footholds.copy()
    hips[:, 2] += 0.5
    footholds[:, 1] += 0.5
    return animal._replace(legs=animal.legs._replace(hips=hips, footholds=footholds))


def test_the_fastest_foot_is_the_one_whose_home_goes_fastest():
    walker = Walker(lopsided(), heading=0.7)
    walker.motion[:] = np.array([[0.8, 0.3, 0.5]])
    walker._look()
    before = walker._nominal_footholds()
    walker._move(1e-6)
    speeds = np.abs(walker._nominal_footholds() - before) / 1e-6
    assert walker._fastest() == pytest.approx(np.max(speeds), rel=1e-5)


def test_the_body_goes_on_where_it_looks_in_the_middle_of_its_turn():
    walker = Walker("insect", heading=0.7)
    walker.motion[:] = np.array([[0.0, 1.0, 2.0]])
    walker._look()
    walker._move(0.1)
    np.testing.assert_allclose(walker.place, [[0.1 * np.sin(0.8), 0.1 * np.cos(0.8)]])
    np.testing.assert_allclose(walker.heading, [0.9])


def test_feet_make_for_their_homes_in_the_middle_of_the_next_stance():
    """Walking a circle evenly, a foot lands where its home is half a stance later."""
    walker = Walker(lopsided())
    go(walker, 4.0, 1.0, 0.4)
    walker._look()
    share, rate = np.array([0.2]), np.array([0.8])
    walker.progress[:] = 1.0
    wanted, under, _ = walker._footholds(rate, share)
    time = 0.5 * walker.duty_factor / rate
    for _ in range(1000):
        walker._move(time[0] / 1000)
    np.testing.assert_allclose(wanted, walker._nominal_footholds(), atol=2e-3)
    np.testing.assert_allclose(under, hips_of(walker), atol=2e-3)


def test_where_hips_are_as_feet_land_is_known_while_they_swing():
    walker = Walker(lopsided())
    go(walker, 4.0, [0.2, 1.0])
    walker._look()
    share, rate = np.array([0.2]), np.array([0.8])
    walker.progress[:] = 0.3
    over = walker._footholds(rate, share)[2]
    walker._move(0.7 * share[0] / rate[0])
    np.testing.assert_allclose(over, hips_of(walker), atol=2e-3)


def hips_of(walker):
    """Return where hips are, seen from above."""
    return walker.at[:, None] + walker.facing[:, None] * walker.anatomy.under


def test_each_leg_reaches_as_far_as_its_own_bones(monkeypatch):
    animal = creature.animal("insect")
    animal.legs.bones[4:] *= 1.2
    walker = Walker(animal, count=2, position=[[0.0, 0.0], [9.0, 0.0]])
    found, feet = [], np.array([0, 5, 7, 10])
    goals, walker.progress[:] = walker.swing.reshape(-1, 4, 3)[feet, 3], 0.5
    monkeypatch.setattr(footing, "within_reach", lambda *given: found.append(given[-1]) or goals)
    hips = hips_of(walker).take(feet)
    walker._aim(feet, feet[:0], walker._nominal_footholds().take(feet), hips, hips)
    np.testing.assert_allclose(found[0], animal.body.stretch * 2.8 * np.array([1, 1.2, 1, 1.2]))


def test_neighbours_on_a_side_never_swing_together(monkeypatch):
    walker = Walker("insect")
    monkeypatch.setattr(walker, "_steady", lambda starts: starts)
    walker.progress[0, 2] = 0.5
    always = np.array([2.0])  # all legs may start at any phase
    assert walker._starts(always, np.ones((1, 6), bool)).tolist() == [1, 3, 5]


def test_turning_left_goes_to_the_left():
    walker = Walker("insect")
    go(walker, 3.0, 1.0, 0.5)
    assert walker.place[0, 0] > 0.5


def test_an_even_turn_is_a_circle():
    walker = Walker("insect")
    walker.motion[:] = [0.0, 1.0, 0.5]
    go(walker, 4.0, 1.0, 0.5)
    circle = [2.0 * (1.0 - np.cos(2.0)), 2.0 * np.sin(2.0)]
    np.testing.assert_allclose(walker.place[0], circle, atol=1e-4)


@pytest.mark.parametrize("fps", [30, *slow(24, 40, 60, 120)])
def test_the_frame_rate_makes_no_difference(fps):
    """Frames of a whole number of steps of 1/120 s: the same walk, to rounding."""
    coarse, fine = Walker("insect", hills), Walker("insect", hills)
    go(coarse, 5.0, 1.0, 0.3, fps=fps)
    go(fine, 5.0, 1.0, 0.3, fps=120)
    np.testing.assert_allclose(coarse.state.feet, fine.state.feet, atol=1e-9)


@pytest.mark.slow
def test_a_finer_clock_changes_the_walk_by_little():
    """Stated error: the body by 0.3 % of the leg's length after five seconds."""
    coarse, fine = Walker("insect", hills), Walker("insect", hills)
    go(coarse, 5.0, 1.0, 0.3, fps=120)
    go(fine, 5.0, 1.0, 0.3, fps=960)
    away = coarse.state.body_position - fine.state.body_position
    assert np.max(np.abs(away)) < 0.003 * coarse.length


@pytest.mark.slow
@pytest.mark.parametrize(("name", "body", "feet"), [("insect", 1e-3, 0.03), ("bird", 0.04, 0.04)])
def test_the_stated_error_at_common_frame_rates(name, body, feet):
    """30 and 120 frames a second give the bits of 60; 144 what the docstring says."""
    stances = {}
    for fps in (30, 60, 120, 144):
        walker = Walker(name, hills)
        for _ in range(6 * fps):
            walker.step(1.0 / fps, 0.6 * walker.animal.speed, 0.3)
        stances[fps] = walker.state
    for fps in (30, 120):
        for have, want in zip(stances[fps], stances[60], strict=True):
            np.testing.assert_array_equal(have, want)
    length = Walker(name).length
    for part, most in (("body_position", body), ("feet", feet)):
        away = np.abs(getattr(stances[144], part) - getattr(stances[60], part))
        assert 0.0 < np.max(away) < most * length


def test_the_same_orders_lead_to_the_same_walk_to_the_bit():
    first, second = (go(Walker("dog", hills), 2.0, [0.1, 0.3], -0.4) for _ in range(2))
    for have, want in zip(first, second, strict=True):
        np.testing.assert_array_equal(have, want)


def test_many_walk_as_one_does():
    places = np.array([[0.0, 0.0], [3.0, -2.0], [-7.0, 1.0]])
    many = Walker("spider", hills, count=3, position=places, heading=[0.0, 1.0, 2.0])
    turns = np.array([0.0, 0.3, -0.2])
    walk = go(many, 3.0, 1.0, turns)
    assert walk.feet.shape == (181, 3, 8, 3)
    for n in range(3):
        one = Walker("spider", hills, position=places[n], heading=float(n))
        alone = go(one, 3.0, 1.0, turns[n])
        np.testing.assert_allclose(walk.feet[:, n], alone.feet, atol=1e-9)


def test_a_copy_walks_on_by_itself_and_what_was_seen_stays():
    walker = Walker("insect", hills)
    go(walker, 1.0, 1.0, 0.3)
    seen = walker.state
    before = copy.deepcopy(seen)
    twin = copy.deepcopy(walker)
    walk = go(walker, 1.0, 1.0, 0.3)
    assert all(np.all(now == then) for now, then in zip(seen, before, strict=True))
    for have, want in zip(go(twin, 1.0, 1.0, 0.3), walk, strict=True):
        assert np.all(have == want)


def test_where_it_is_and_looks_may_be_changed_from_outside():
    walker, other = Walker("insect"), Walker("insect", position=[3.0, -2.0], heading=1.2)
    walker.place, walker.heading = np.array([[3.0, -2.0]]), np.array([1.2])
    walker.swing, walker.aims = other.swing.copy(), other.aims.copy()
    for have, want in zip(go(walker, 1.0, 1.0), go(other, 1.0, 1.0), strict=True):
        np.testing.assert_allclose(have[1:], want[1:], atol=1e-9)


def test_knees_are_those_of_the_solver():
    walker = Walker("crab", hills)
    stance = go(walker, 1.0, [0.5, 0.0])
    legs = walker.animal.legs
    matrix = twobone.rotations.quaternion_to_matrix(stance.body_rotation)
    hips = stance.body_position[:, None] + np.einsum("tij,lj->tli", matrix, legs.hips)
    np.testing.assert_allclose(stance.hips, hips, atol=1e-12)
    poles = np.einsum("tij,lj->tli", matrix, legs.poles)
    found = twobone.reach(stance.feet - hips, *legs.bones.T, pole=poles)
    np.testing.assert_allclose(stance.knees - hips, found.joint, atol=1e-10)
    assert np.all(found.status == twobone.Status.REACHED)


@pytest.mark.parametrize("heading", [0.0, 2.0, 3.5, -9.0])
def test_the_rotation_is_that_of_the_heading_and_the_shortest_arc_from_upright(heading):
    walker = Walker("insect", creature.Slope(20.0, 50.0), heading=heading)
    turn = twobone.rotations.quaternion_to_matrix(walker.state.body_rotation)
    ahead = [np.sin(heading), 0.0, np.cos(heading)]
    level = twobone.rotations.shortest_arc(np.array([0.0, 1.0, 0.0]), turn[:, 1])
    flat = twobone.rotations.rotate(twobone.rotations.inverse(level), turn[:, 2])
    np.testing.assert_allclose(flat, ahead, atol=1e-12)
    assert turn[1, 1] < 0.97
    assert walker.state.body_rotation[3] >= 0.0


@pytest.mark.slow
def test_feet_land_at_rest_and_their_speed_is_continuous():
    """Speed before landing goes with the square of dt, and acceleration does not grow."""
    speeds, pulls = [], []
    for fps in (120, 240, 480):
        walker = Walker("insect", hills)
        walk = go(walker, 4.0, 1.0, 0.2, fps=fps)
        speed = np.linalg.norm(np.diff(walk.feet, axis=0), axis=-1) * fps
        lands = walk.stance[1:] & ~walk.stance[:-1]
        speeds.append(np.max(speed[lands]))
        pulls.append(np.max(np.abs(np.diff(walk.feet, 2, axis=0))) * fps**2)
    assert speeds[2] < 0.25 * speeds[0]
    assert max(pulls) < 1.5 * min(pulls)


def test_a_shove_is_answered_with_steps():
    walker = Walker("spider")
    before = walker.state.feet
    walker.shove([2.5, 0.0])
    walk = go(walker, 3.0, 0.0)
    assert not np.all(walk.stance)
    assert np.all(walk.stance[-1])
    assert walker.place[0, 0] > 0.3
    moved = walker.state.feet - before
    assert np.all(moved[:, 0] > 0.1)


def test_feet_keep_out_of_a_ditch():
    def ditch(x, z):
        return np.where((z > 2.0) & (z < 2.35), -2.0, 0.0) + 0.0 * x

    walker = Walker("insect", ditch)
    walk = go(walker, 6.0, 0.8)
    assert walk.body_position[-1, 2] > 3.5
    inside = walk.stance & (walk.feet[..., 1] < -0.5)
    assert not np.any(inside)


def test_feet_go_to_their_homes_of_the_middle_of_the_next_stance():
    """On a circle: where the body will be then, and how it will have turned."""
    walker = Walker("insect", heading=0.4)
    walker.motion[:] = [0.0, 1.0, 0.8]
    walker._look()
    rate = 1.0
    footholds, hips, _ = walker._footholds(np.array([rate]), np.zeros(1))
    ahead = 0.5 * walker.duty_factor[0] / rate
    turned = 0.8 * ahead
    along = (1.0 - np.cos(turned) + 1j * np.sin(turned)) / 0.8 * footing.facing(0.4)
    for found, legs in (
        (footholds, walker.animal.legs.footholds),
        (hips, walker.animal.legs.hips[:, ::2]),
    ):
        wanted = along + legs @ [1.0, 1j] * footing.facing(0.4 + turned)
        np.testing.assert_allclose(found[0], wanted, atol=5e-3)


def test_feet_are_lifted_over_the_way_to_where_they_go(monkeypatch):
    """Also where that is beside their home: there is a ditch across."""
    ends, lift_over = [], footing.lift_over
    monkeypatch.setattr(
        footing, "lift_over", lambda *told: (ends.append(told[2]), lift_over(*told))[1]
    )
    walker = Walker("insect", lambda x, z: np.where((z > 1.0) & (z < 1.35), -2.0, 0.0) + 0.0 * x)
    aside = 0
    for _ in range(480):
        ends.clear()
        walker.step(1 / 120, 0.8)
        for end in ends:
            goals = walker.swing[0, :, 3] - end[:, None]
            assert np.all(np.min(np.linalg.norm(goals, axis=-1), -1) < 1e-9)
        aside += bool(ends) and bool(np.any(walker.aside[walker.progress < 0.1]))
    assert aside


def test_it_recovers_from_what_nobody_does_to_an_animal():
    walker = Walker("insect", hills)
    go(walker, 1.0, 1.0)
    walker.step(5.0, 1.0, 0.2)
    walker.put([40.0, -30.0], 1.0)
    walker.step(1 / 60, 1.0)
    walker.terrain = creature.as_terrain(lambda x, z: 4.0 + 0.0 * x)
    walk = go(walker, 5.0, 1.0)
    assert np.all(np.isfinite(walk.knees))
    assert walk.body_position[-1, 1] == pytest.approx(5.0, abs=0.1)
    assert np.max(np.linalg.norm(walk.feet[-1] - walk.hips[-1], axis=-1)) < 0.95 * walker.length
    walker.place[:] += 100.0  # its feet are left behind
    walker.step(1 / 120, 1.0)
    assert np.max(np.linalg.norm(walker.state.feet - walker.state.hips, axis=-1)) < 2.0
    walk = go(walker, 1.0, 1.0)
    assert np.max(np.linalg.norm(walk.feet[-1] - walk.hips[-1], axis=-1)) < 0.95 * walker.length


def recorded(walker, walk):
    """Return a recording of a walk at 60 frames a second."""
    stances = [creature.WalkerState(*parts) for parts in zip(*walk, strict=True)]
    return record(walker, stances, 1 / 60)


def joined(*walks):
    return creature.WalkerState(*(np.concatenate(parts) for parts in zip(*walks, strict=True)))


def test_a_teleport_is_a_slip_and_nothing_else():
    walker = Walker("insect")
    before = go(walker, 1.0, 1.0)
    walker.put([3.0, 4.0], 0.5)
    after = go(walker, 1.0, 1.0)
    assert measured("slide", recorded(walker, joined(before, after))) > 3.0
    assert measured("slide", recorded(walker, before)) == 0.0
    assert measured("slide", recorded(walker, after)) == 0.0


@pytest.mark.slow
def test_five_seconds_in_a_frame_are_a_slip():
    walk = creature.walk("insect", seconds=20, fps=0.2)
    assert measured("slide", walk) > 1.0
    assert measured("unreachable", walk) == 0  # it arrives with its feet below it


def test_ground_that_rises_above_the_body_is_told_and_climbed():
    level = 0.0
    walker = Walker("insect", lambda x, z: level + 0.0 * x)
    before = go(walker, 0.5, 1.0)
    level = 4.0
    after = go(walker, 4.0, 1.0)
    found = creature.report(recorded(walker, joined(before, after)), walker.terrain)
    assert found.depth_of_feet == 4.0
    assert found.unreachable > 0
    assert found.greatest_reach > 1.0
    end = creature.WalkerState(*(part[-30:] for part in after))
    again = creature.report(recorded(walker, end), walker.terrain)
    assert again.unreachable == again.depth_of_feet == again.depth_of_knees == 0
    assert again.greatest_reach < 0.95


def test_a_wall_is_not_walked_through():
    walker = Walker("insect", lambda x, z: np.where(z > 2.5, 8.0, 0.0) + 0.0 * x)
    assert not walker.blocked
    walk = go(walker, 6.0, 1.0)
    assert walker.blocked
    found = creature.report(recorded(walker, walk), walker.terrain)
    assert found.unreachable == found.slide == found.depth_of_feet == found.depth_of_knees == 0.0
    assert np.max(walk.body_position[:, 2]) < 2.5 - 0.5 * walker.animal.body.size[2]


# --- what makes no animal -----------------------------------------------------------------


def insect_with(**changes):
    animal = creature.animal("insect")
    return animal._replace(legs=animal.legs._replace(**changes))


INSECT = creature.animal("insect").legs._asdict()


@pytest.mark.parametrize(
    ("animal", "said"),
    [
        (
            insect_with(bones=np.full((6, 2), 0.3)),
            "reach their footholds: the foothold of leg 0 must be between",
        ),
        (insect_with(bones=np.zeros((6, 2))), "lengths above 0"),
        (insect_with(hips=np.full((6, 3), np.nan)), "`legs.hips` must be finite"),
        (insect_with(bones=np.tile([1.6, 0.0], (6, 1))), "lengths above 0, got 0.0"),
        (
            insect_with(bones=np.tile([3.0, 0.4], (6, 1))),
            "reach their footholds: the foothold of leg 0",
        ),
        (insect_with(**{name: v[:0] for name, v in INSECT.items()}), "two or more, got 0"),
        (insect_with(hips=np.zeros((5, 3))), "even number, two or more, got 5"),
        (insect_with(footholds=np.zeros((6, 3))), r"`legs.footholds` must have shape \(6, 2\)"),
        ("unicorn", "`creature` must be one of insect, spider"),
    ],
)
def test_impossible_animals_are_told_what_would_work(animal, said):
    with pytest.raises(CreatureError, match=said):
        Walker(animal)


@pytest.mark.parametrize(
    "rows",
    [
        [((0.1, 0.0, 0.0), (0.2, 0.0), (0.1, 0.1))],  # no pole
        [((0.1, 0.0), (0.2, 0.0), (0.1, 0.1), (0.0, 1.0, 0.0))],
        [((0.1, 0.0, 0.0), (0.2, "out"), (0.1, 0.1), (0.0, 1.0, 0.0))],
        [((0.1, 0.0, 0.0), (0.2, 0.0), (0.1, 0.1), (0.0, 1.0, 0.0), 1.0)],
        7,
        [3.0],
        [],
    ],
)
def test_rows_that_are_no_legs_are_told_what_one_is(rows):
    with pytest.raises(
        CreatureError, match=r"`rows` must be a list of \(hip \(x, y, z\), foothold"
    ):
        creature.pairs(rows)


def test_pairs_are_mirrored():
    legs = creature.pairs([((0.1, 0.2, 0.3), (0.4, 0.5), (0.6, 0.7), (0.8, 0.9, 1.0))])
    assert legs.hips.tolist() == [[0.1, 0.2, 0.3], [-0.1, 0.2, 0.3]]
    assert legs.footholds.tolist() == [[0.4, 0.5], [-0.4, 0.5]]
    assert legs.bones.tolist() == [[0.6, 0.7], [0.6, 0.7]]
    assert legs.poles.tolist() == [[0.8, 0.9, 1.0], [-0.8, 0.9, 1.0]]


def test_ground_without_heights_is_told_where():
    walker = Walker("insect", lambda x, z: np.where(z > 2.5, np.nan, 0.0 * x))
    with pytest.raises(CreatureError, match="`terrain`"):
        go(walker, 10.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((np.nan, 1.0), "dt"),
        ((-0.1, 1.0), "dt"),
        ((0.1, np.inf), "velocity"),
        ((0.1, "fast"), "velocity"),
        ((0.1, 1.0, np.nan), "turn"),
    ],
)
def test_orders_that_make_no_sense_are_refused(arguments, name):
    with pytest.raises(CreatureError, match=f"`{name}` must be"):
        Walker("insect").step(*arguments)


def test_a_gait_of_one_duty_keeps_it():
    animal = creature.animal("insect")._replace(gait=WaveGait(0.3, duty_factor=0.75))
    walk = go(Walker(animal), 5.0, 1.2)
    assert np.min(np.sum(walk.stance, -1)) >= 4


@pytest.mark.parametrize("name", ["insect", *slow("spider", "crab")])
def test_legs_go_with_the_way_not_with_time(name):
    """A step covers the same ground at a third of full speed and at full speed."""
    animal = creature.animal(name)
    animal = animal._replace(gait=WaveGait(animal.gait.stride, 0.7))
    strides = []
    for share in (0.4, 0.7, 1.0):
        walker = Walker(animal)
        for _ in range(120):
            walker.step(1 / 60, share * animal.speed)
        start, phase = walker.place[0, 1], walker.phase[0]
        for _ in range(120):
            walker.step(1 / 60, share * animal.speed)
        strides.append((walker.place[0, 1] - start) / (walker.phase[0] - phase))
    stride = animal.gait.stride * float(np.max(animal.legs.bones.sum(1))) / 0.7
    np.testing.assert_allclose(strides, stride, rtol=5e-3)


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "insect"))
def test_the_body_stays_above_rough_ground(name):
    """Its underside, as it is drawn; that of long stiff ones may touch a crest."""
    animal = creature.animal(name)
    terrain = creature.make_terrain(0.15, animal, seed=21)
    recording = creature.walk(animal, terrain=terrain, seconds=8.0, fps=30, seed=21)
    part = body_parts(animal.legs.hips, float(np.max(animal.legs.bones.sum(1))))[0]
    x, z = np.meshgrid(np.linspace(-0.9, 0.9, 7), np.linspace(-0.9, 0.9, 15))
    left = np.maximum(0.0, 1.0 - x**4 - z**4)
    below = np.stack([x, -(left**0.25), z], -1)[left > 0.0] * part.half + part.centre
    points = recording.body_position[:, None] + rotate(recording.body_rotation[:, None], below)
    depth = np.max(terrain.height(points[..., 0], points[..., 2]) - points[..., 1])
    share = 0.08 if name in ("crab", "centipede") else 0.03
    assert depth < share * np.max(animal.legs.bones.sum(1))


@pytest.mark.parametrize(("name", "seed"), [("crab", 2), *slow(("crab", 3), ("centipede", 0))])
def test_who_stands_on_rough_ground_stands_still(name, seed):
    """Also with feet beside their footholds, or drawn in."""
    animal = creature.animal(name)
    walker = Walker(animal, creature.make_terrain(0.15, animal, seed=seed))
    go(walker, 4.0, 0.6 * animal.speed, 0.2)
    go(walker, 6.0, 0.0)
    rests = go(walker, 2.0, 0.0)
    assert np.all(rests.stance)
    assert np.ptp(rests.body_position, axis=0).max() < 1e-3


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"count": 0}, "count"),
        ({"count": 2.5}, "count"),
        ({"position": [np.nan, 0.0]}, "position"),
        ({"position": [1e300, 0.0]}, "position"),
        ({"position": [0.0, 0.0, 0.0]}, "position"),
        ({"heading": np.inf}, "heading"),
        ({"heading": [1.0, 2.0]}, "heading"),
    ],
)
def test_where_nobody_can_stand_is_told(options, name):
    with pytest.raises(twobone.TwoBoneError, match=f"`{name}` must"):
        Walker("insect", **options)


def test_orders_that_make_no_sense_are_told():
    walker = Walker("insect")
    for order, name in (
        ({"dt": 1e6}, "dt"),
        ({"dt": 0.1, "velocity": 1e300}, "velocity"),
        ({"dt": 0.1, "velocity": [1.0, 2.0, 3.0]}, "velocity"),
        ({"dt": 0.1, "turn": [1.0, 2.0]}, "turn"),
    ):
        with pytest.raises(twobone.TwoBoneError, match=f"`{name}` must"):
            walker.step(**order)
    walker.shove(1.0)
    np.testing.assert_array_equal(walker.motion, [[0.0, 1.0, 0.0]])  # ahead, as in `step`


@pytest.mark.parametrize(
    ("body", "speed", "name"),
    [
        ({"size": (1.0, 2.0)}, 1.0, "body.size"),
        ({"size": (1.0, -2.0, 1.0)}, 1.0, "body.size"),
        ({"size": (1.0, 1e7, 1.0)}, 1.0, "body.size"),
        ({"tilt": np.nan}, 1.0, "body.tilt"),
        ({"sway": 1.0}, 1.0, "body.sway"),
        ({"stretch": 1.5}, 1.0, "body.stretch"),
        ({}, 0.0, "speed"),
        ({}, np.nan, "speed"),
    ],
)
def test_bodies_that_make_no_sense_are_told(body, speed, name):
    animal = creature.animal("dog")
    with pytest.raises(twobone.TwoBoneError, match=f"`{name}` must"):
        Walker(animal._replace(body=animal.body._replace(**body), speed=speed))


def test_two_legs_under_the_middle_walk():
    animal = creature.animal("bird")
    legs = animal.legs._replace(footholds=np.zeros((2, 2)))
    lists = creature.Legs(*(np.asarray(part).tolist() for part in legs))
    walk = go(Walker(animal._replace(legs=lists)), 1.0, 0.5)
    assert all(np.all(np.isfinite(part)) for part in walk)


def test_ground_of_a_class_of_ones_own_may_not_be_nan():
    class Gap(creature.as_terrain(0.0).__class__.__base__):
        def height(self, x, z):
            return np.where(np.asarray(z) > 1.0, np.nan, 0.0) + 0.0 * np.asarray(x)

    with pytest.raises(CreatureError, match="height"):
        go(Walker("insect", Gap()), 3.0, 1.0)


def test_the_least_duty_divides_nothing_by_zero():
    for name in ("dog", "bird"):
        animal = creature.animal(name)
        animal = animal._replace(gait=WaveGait(animal.gait.stride, 0.5))
        assert np.all(np.isfinite(go(Walker(animal), 1.0, 0.3).knees))


def test_animals_and_walkers_are_shown_in_one_line():
    dog = creature.animal("dog")
    assert repr(dog) == (
        f"Animal(name='dog', legs=<4 legs, 0.9 long>, body={dog.body}, gait={dog.gait}, speed=0.31)"
    )
    assert repr(dog._replace(legs=None)).startswith("Animal(name='dog', legs=None, body=")
    assert repr(Walker("dog", 0.5)) == "Walker('dog', Flat(0.5))"
    herd = Walker("bird", creature.Noise(0.1, 2.0, seed=1), count=3)
    assert repr(herd) == "Walker('bird', Noise(0.1, 2.0, seed=1), count=3)"
