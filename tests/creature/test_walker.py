"""Walkers go where they are told, at any frame rate, one or many; and recover."""

import copy

import numpy as np
import pytest

import drawn
import twobone
from measured import measured
from slow import all_but, slow
from twobone import creature
from twobone.creature import Gait, Walker, WalkerState, footing, pacing, swinging
from twobone.creature.journey import BACK, DETOUR, SOON, TURNS, Detour, record
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
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


@pytest.mark.parametrize("name", all_but(NAMES, "insect", "dog"))
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


@pytest.mark.parametrize("name", all_but(NAMES, "insect"))
@pytest.mark.parametrize(("aside", "ahead"), [(0, -1), (-0.6, 0.8), *slow((0, 1), (1, 0))])
def test_it_goes_forward_backward_and_sideways(name, aside, ahead):
    walker = Walker(name)
    speed = 0.5 * walker.animal.speed
    go(walker, 4.0, [speed * aside, speed * ahead])
    way = walker.place[0]
    assert way @ [aside, ahead] == pytest.approx(np.hypot(*way), rel=1e-6)
    assert 0.75 * 4.0 * speed < np.hypot(*way) < 4.0 * speed


@pytest.mark.slow
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
    away = stance.feet[:, [0, 2]] @ [1.0, 1.0j] - nominal(walker._state)[0]
    assert np.max(np.abs(away)) < 0.05 * walker.length
    before = stance.feet
    go(walker, 1.0, 0.0)
    assert np.all(walker.state.feet == before)


def nominal(state):
    """Return the nominal footholds, seen from above."""
    return state.anatomy.footholds_at(state.course.place, state.course.facing)


def moved(walker, *motion):
    """Give a walker a motion, and return its state."""
    walker._state.course = walker._state.course.moving(np.array([motion], np.float64))
    return walker._state


def lopsided():
    """Return an insect whose legs stand farther ahead of its middle than behind it."""
    animal = creature.animal("insect")
    hips, footholds = animal.legs.hips.copy(), animal.legs.footholds.copy()
    hips[:, 2] += 0.5
    footholds[:, 1] += 0.5
    return animal._replace(legs=animal.legs._replace(hips=hips, footholds=footholds))


def test_the_fastest_foot_is_the_one_whose_home_goes_fastest():
    state = moved(Walker(lopsided(), heading=0.7), 0.8, 0.3, 0.5)
    speed, before = pacing.foothold_speed(state.anatomy, state.course.motion), nominal(state)
    state.course = state.course.after(1e-6)
    speeds = np.abs(nominal(state) - before) / 1e-6
    assert speed == pytest.approx(np.max(speeds), rel=1e-5)


def test_the_body_goes_on_where_it_looks_in_the_middle_of_its_turn():
    walker = Walker("insect", heading=0.7)
    state = moved(walker, 0.0, 1.0, 2.0)
    state.course = state.course.after(0.1)
    np.testing.assert_allclose(walker.place, [[0.1 * np.sin(0.8), 0.1 * np.cos(0.8)]])
    np.testing.assert_allclose(walker.heading, [0.9])


def test_feet_make_for_their_homes_in_the_middle_of_the_next_stance():
    """Walking a circle evenly, a foot lands where its home is half a stance later."""
    walker = Walker(lopsided())
    go(walker, 4.0, 1.0, 0.4)
    state = at_rate(walker, 0.8)
    state.feet.progress[:] = 1.0
    ahead = swinging.look_ahead_of_all(state)
    time = 0.5 * state.cycle.duty_factor / 0.8
    for _ in range(1000):
        state.course = state.course.after(time[0] / 1000)
    np.testing.assert_allclose(ahead.footholds, nominal(state), atol=2e-3)
    np.testing.assert_allclose(ahead.hips, hips_of(state), atol=2e-3)


@pytest.mark.slow
def test_where_hips_are_as_feet_land_is_known_while_they_swing():
    walker = Walker(lopsided())
    go(walker, 4.0, [0.2, 1.0])
    state = at_rate(walker, 0.8)
    state.feet.progress[:] = 0.3
    ahead = swinging.look_ahead_of_all(state)
    state.course = state.course.after(0.7 * state.cycle.swing_fraction[0] / 0.8)
    np.testing.assert_allclose(ahead.landing, hips_of(state), atol=2e-3)


def at_rate(walker, rate):
    """Give a walker a rate of its gait, and return its state."""
    walker._state.cycle = walker._state.cycle._replace(rate=np.array([rate]))
    return walker._state


def hips_of(state):
    """Return where hips are, seen from above."""
    course = state.course
    return course.place[:, None] + course.facing[:, None] * state.anatomy.hip_places


def test_each_leg_reaches_as_far_as_its_own_bones(both_engines):
    animal = creature.animal("insect")
    animal.legs.bones[4:] *= 1.2
    walker = Walker(animal, count=2, position=[[0.0, 0.0], [9.0, 0.0]])
    state, feet = walker._state, np.array([0, 5, 7, 10])
    state.feet.progress[:] = 0.5
    hips = hips_of(state).take(feet)
    ahead = swinging.Ahead(nominal(state).take(feet), hips, hips)
    _, _, reach, _ = swinging._sought(state, feet, ahead)
    np.testing.assert_allclose(reach, animal.body.stretch * 2.8 * np.array([1, 1.2, 1, 1.2]))


def test_neighbours_on_a_side_never_swing_together(both_engines):
    flies = np.zeros((1, 6), bool)
    flies[0, 2] = True
    assert np.flatnonzero(swinging._apart(~flies, flies)).tolist() == [1, 3, 5]
    state = Walker("insect")._state
    state.feet.progress[0, 2] = 0.5
    state.cycle = state.cycle._replace(duty_factor=np.array([-2.0]))  # may start at any phase
    strayed = pacing.Strayed(np.ones((1, 6)), np.ones((1, 6), bool))
    phases = state.cycle.leg_phases(state.animal.gait, 3)
    assert swinging.starting(state, np.zeros(1), strayed, phases).tolist() == [1]


def test_turning_left_goes_to_the_left():
    walker = Walker("insect")
    go(walker, 3.0, 1.0, 0.5)
    assert walker.place[0, 0] > 0.5


def test_an_even_turn_is_a_circle():
    walker = Walker("insect")
    moved(walker, 0.0, 1.0, 0.5)
    go(walker, 4.0, 1.0, 0.5)
    circle = [2.0 * (1.0 - np.cos(2.0)), 2.0 * np.sin(2.0)]
    np.testing.assert_allclose(walker.place[0], circle, atol=1e-4)


@pytest.mark.parametrize("fps", slow(24, 30, 40, 60, 120))
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


@pytest.mark.slow
def test_many_walk_as_one_does():
    places = np.array([[0.0, 0.0], [3.0, -2.0], [-7.0, 1.0]])
    many = Walker("spider", hills, count=3, position=places, heading=[0.0, 1.0, 2.0])
    turns = np.array([0.0, 0.3, -0.2])
    walk = go(many, 3.0, 1.0, turns)
    assert walk.feet.shape == (181, 3, 8, 3)
    for n in range(3):
        one = Walker("spider", hills, position=places[n], heading=float(n))
        alone = go(one, 3.0, 1.0, turns[n])
        np.testing.assert_array_equal(walk.feet[:, n], alone.feet)


def test_a_walker_that_goes_straight_brakes_as_it_would_alone_beside_one_that_turns():
    ground, turns = creature.Noise(0.16, 1.6, seed=2), np.array([0.0, 0.6])
    many = go(Walker("dog", ground, count=2), 2.0, 1.5, turns)
    alone = go(Walker("dog", ground), 2.0, 1.5)
    np.testing.assert_array_equal(many.body_position[:, 0], alone.body_position)
    np.testing.assert_array_equal(many.feet[:, 0], alone.feet)


@pytest.mark.slow
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


def test_who_is_put_elsewhere_walks_as_one_that_starts_there():
    walker, other = Walker("insect"), Walker("insect", position=[3.0, -2.0], heading=1.2)
    walker.put([3.0, -2.0], 1.2)
    for have, want in zip(go(walker, 1.0, 1.0), go(other, 1.0, 1.0), strict=True):
        np.testing.assert_array_equal(have, want)


def test_who_cannot_be_put_somewhere_stays_where_it_is():
    walker = Walker("insect", lambda x, z: np.where(z > 9.0, np.sin(40.0 * x), 0.0))
    go(walker, 1.0, 1.0)
    twin = copy.deepcopy(walker)
    for wrong in ({"position": [0.0, 20.0]}, {"position": [0.0, 1.0], "heading": np.nan}):
        with pytest.raises(CreatureError):
            walker.put(**wrong)
    for have, want in zip(go(walker, 1.0, 1.0), go(twin, 1.0, 1.0), strict=True):
        np.testing.assert_array_equal(have, want)


def test_what_is_told_of_a_walker_does_not_change_it():
    walker = Walker("insect")
    for told in (walker.place, walker.heading, walker.motion, *walker.state):
        told[...] = 1
    assert walker.place.tolist() == [[0.0, 0.0]]
    assert walker.heading.tolist() == [0.0]
    assert walker.motion.tolist() == [[0.0, 0.0, 0.0]]
    for have, want in zip(walker.state, Walker("insect").state, strict=True):
        np.testing.assert_array_equal(have, want)


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


@pytest.mark.slow
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
    state = moved(walker, 0.0, 1.0, 0.8)
    footholds, hips, _ = swinging.look_ahead_of_all(at_rate(walker, 1.0))
    ahead = 0.5 * state.cycle.duty_factor[0]
    turned = 0.8 * ahead
    along = (1.0 - np.cos(turned) + 1j * np.sin(turned)) / 0.8 * footing.facing(0.4)
    for found, legs in (
        (footholds, walker.animal.legs.footholds),
        (hips, walker.animal.legs.hips[:, ::2]),
    ):
        wanted = along + legs @ [1.0, 1j] * footing.facing(0.4 + turned)
        np.testing.assert_allclose(found[0], wanted, atol=5e-3)


@pytest.mark.slow
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
    state = walker._state
    course = state.course._replace(place=state.course.place + 100.0)  # its feet are left behind
    state.course = course
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


@pytest.mark.slow
def test_ground_that_rises_above_the_body_is_told_and_climbed():
    level = 0.0
    walker = Walker("insect", lambda x, z: level + 0.0 * x)
    before = go(walker, 0.5, 1.0)
    level = 4.0
    after = go(walker, 6.0, 1.0)
    found = creature.report(recorded(walker, joined(before, after)), walker.terrain)
    assert found.depth_of_feet == 4.0
    assert found.unreachable > 0
    assert found.greatest_reach > 1.0
    end = creature.WalkerState(*(part[-30:] for part in after))
    again = creature.report(recorded(walker, end), walker.terrain)
    assert again.unreachable == again.depth_of_feet == again.depth_of_knees == 0
    assert again.greatest_reach < 0.95


@pytest.mark.slow
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
        ("unicorn", "`animal` must be one of insect, spider"),
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


def test_a_pole_of_length_0_is_refused():
    dog = creature.animal("dog")
    poles = dog.legs.poles.copy()
    poles[2] = 0.0
    with pytest.raises(CreatureError, match=r"^`legs\.poles` must be directions.*for leg 2"):
        Walker(dog._replace(legs=dog.legs._replace(poles=poles)))


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
        ((0.1, "1"), "velocity"),
        (("0.1", 1.0), "dt"),
        ((0.1, 1.0, True), "turn"),
        ((0.1, 1.0, np.nan), "turn"),
    ],
)
def test_orders_that_make_no_sense_are_refused(arguments, name):
    right = all(type(value) is float for value in arguments)
    with pytest.raises(CreatureError if right else ArrayTypeError, match=f"`{name}` must be"):
        Walker("insect").step(*arguments)


@pytest.mark.slow
def test_a_gait_of_one_duty_keeps_it():
    animal = creature.animal("insect")._replace(gait=Gait("wave", 0.75, 0.3))
    walk = go(Walker(animal), 5.0, 1.2)
    assert np.min(np.sum(walk.stance, -1)) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["insect", *slow("spider", "crab")])
def test_legs_go_with_the_way_not_with_time(name):
    """A step covers the same ground at a third of full speed and at full speed."""
    animal = creature.animal(name)
    animal = animal._replace(gait=Gait("wave", 0.7, animal.gait.stride))
    strides = []
    for share in (0.4, 0.7, 1.0):
        walker = Walker(animal)
        for _ in range(120):
            walker.step(1 / 60, share * animal.speed)
        start, phase = walker.place[0, 1], walker._state.cycle.phase[0]
        for _ in range(120):
            walker.step(1 / 60, share * animal.speed)
        cycles = walker._state.cycle.phase[0] - phase
        strides.append((walker.place[0, 1] - start) / cycles)
    stride = animal.gait.stride * float(np.max(animal.legs.bones.sum(1))) / 0.7
    np.testing.assert_allclose(strides, stride, rtol=5e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "insect"))
def test_the_body_stays_above_rough_ground(name):
    """Its underside, as it is drawn; that of long stiff ones may touch a crest."""
    animal = creature.animal(name)
    terrain = creature.make_terrain(0.15, animal, seed=21)
    recording = creature.walk(animal, terrain=terrain, seconds=8.0, fps=30, seed=21)
    part = drawn.trunk_of(animal._replace(appearance=None))
    x, z = np.meshgrid(np.linspace(-0.9, 0.9, 7), np.linspace(-0.9, 0.9, 15))
    left = np.maximum(0.0, 1.0 - x**4 - z**4)
    below = np.stack([x, -(left**0.25), z], -1)[left > 0.0] * part.half + part.centre
    points = recording.body_position[:, None] + rotate(recording.body_rotation[:, None], below)
    depth = np.max(terrain.height(points[..., 0], points[..., 2]) - points[..., 1])
    share = 0.08 if name in ("crab", "centipede") else 0.03
    assert depth < share * np.max(animal.legs.bones.sum(1))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [("crab", 2), *slow(("crab", 3), ("centipede", 0))])
def test_who_stands_on_rough_ground_stands_still(name, seed):
    """Also with feet beside their footholds, or drawn in."""
    animal = creature.animal(name)._replace(liveliness=0.0)  # which would breathe
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


def test_ground_on_which_a_walk_cannot_start_is_told_by_its_name():
    with pytest.raises(CreatureError, match="`terrain` must let the animal stand where it starts"):
        creature.walk("insect", terrain=lambda x, z: 4.0 * z + 0.0 * x, seconds=0.1)


def test_a_walk_starts_as_near_to_the_origin_as_there_is_room():
    def post(x, z):
        return 9.0 * (np.hypot(x, z) < 0.5)

    with pytest.raises(CreatureError, match="`position` must"):
        Walker("insect", post)
    walk = creature.walk("insect", terrain=post, seconds=0.1, speed=0.0)
    beside = np.hypot(*walk.body_position[0, [0, 2]])
    assert 0.5 < beside < 3 * 0.4 * 2.8
    with pytest.raises(CreatureError, match="`position` must"):
        Walker("insect", post, position=[0.0, beside - 0.4 * 2.8])


def test_an_animal_that_wanders_turns_aside_where_it_is_blocked():
    def ditch(x, z):
        return -8.0 * (z > 2.0) + 0.0 * x

    def far_after_a_stop(**options):
        walk = creature.walk("insect", terrain=ditch, seconds=7.0, fps=30, speed=1.8, **options)
        stops = np.argmax(walk.blocked)
        assert stops
        away = walk.body_position - walk.body_position[stops]
        return np.max(np.linalg.norm(away[stops:], axis=-1))

    assert far_after_a_stop(seed=3) > 0.6
    assert far_after_a_stop(turn=0.0) < 0.1


def test_detours_go_to_both_sides_and_further_if_they_do_not_help():
    detour, blocked = Detour(1.0), lambda time: detour.order(time, True, 2.0)
    assert detour.order(0.0, False, 2.0) is None
    first, second = DETOUR / TURNS, 2.0 * DETOUR / TURNS
    assert blocked(1.0) == blocked(0.99 + first) == (0.0, TURNS)
    assert detour.order(1.01 + first, False, 2.0) is None
    start = 2.0 + first
    assert blocked(start) == blocked(start + 0.99 * BACK) == (-1.0, 0.0)
    turns = (0.0, -TURNS)
    assert blocked(start + 1.01 * BACK) == blocked(start + BACK + 0.99 * second) == turns
    late = start + BACK + second + 1.01 * SOON
    assert blocked(late) == blocked(late + 0.99 * first) == (0.0, TURNS)
    assert detour.order(late + 1.01 * first, False, 2.0) is None


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
        ({"tilt": 1.5}, 1.0, "body.tilt"),
        ({"stretch": 1.5}, 1.0, "body.stretch"),
        ({}, 0.0, "speed"),
        ({}, np.nan, "speed"),
    ],
)
def test_bodies_that_make_no_sense_are_told(body, speed, name):
    animal = creature.animal("dog")
    with pytest.raises(twobone.TwoBoneError, match=f"`{name}` must"):
        Walker(animal._replace(body=animal.body._replace(**body), speed=speed))


def test_an_animal_may_be_a_two_hundredth_of_its_size():
    dog = creature.animal("dog")
    small = {
        name: 0.005 * np.asarray(getattr(dog.legs, name)) for name in ("hips", "bones", "footholds")
    }
    body = dog.body._replace(
        height=0.005 * dog.body.height, size=tuple(0.005 * each for each in dog.body.size)
    )
    tiny = dog._replace(
        body=body, legs=dog.legs._replace(**small), speed=0.005 * dog.speed, appearance=None
    )
    walk, usual = (go(Walker(each), 1.0, 0.5 * each.speed) for each in (tiny, dog))
    np.testing.assert_allclose(200.0 * walk.feet, usual.feet, atol=1e-9)


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
        animal = animal._replace(gait=Gait("wave", 0.5, animal.gait.stride))
        assert np.all(np.isfinite(go(Walker(animal), 1.0, 0.3).knees))


def test_animals_and_walkers_are_shown_in_one_line():
    dog = creature.animal("dog")
    assert repr(dog) == (
        f"Animal(name='dog', legs=<4 legs, 0.83 long>, body={dog.body}, gait={dog.gait}, speed=1.5)"
    )
    assert repr(dog._replace(legs=None)).startswith("Animal(name='dog', legs=None, body=")
    assert repr(Walker("dog", 0.5)) == "Walker('dog', Flat(0.5))"
    herd = Walker("bird", creature.Noise(0.1, 2.0, seed=1), count=3)
    assert repr(herd) == "Walker('bird', Noise(0.1, 2.0, seed=1), count=3)"


# --- recordings of states -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ([], r"`states` must have at least one state, got none"),
        (5, r"`states` must be a sequence of WalkerState, got 5"),
        ([1], r"`states` must be a sequence of WalkerState, got 1 as state 0"),
        ([None, 2.0], r"`states` must be a sequence of WalkerState, got None as state 0"),
    ],
)
def test_what_is_no_state_is_not_recorded(states, message):
    with pytest.raises(twobone.TwoBoneError, match=f"^{message}"):
        record(Walker("dog"), states, 0.1)


def test_only_one_walker_is_recorded_at_a_time():
    herd = Walker("dog", count=2, position=[[0.0, 0.0], [3.0, 0.0]])
    message = r"^`states` must have feet of shape \(4, 3\), .* got shape \(2, 4, 3\) as state 0"
    with pytest.raises(ShapeError, match=message):
        record(herd, [herd.state], 0.1)
    with pytest.raises(ShapeError, match=r"got shape \(6, 3\) as state 1"):
        record(Walker("dog"), [Walker("dog").state, Walker("insect").state], 0.1)
    second = [WalkerState(*(part[1] for part in herd.state))]
    assert record(herd, second, 0.1).feet.shape == (1, 4, 3)


def test_states_may_come_from_an_iterator():
    walker = Walker("dog")
    assert record(walker, iter([walker.state] * 3), 0.1).time.shape == (3,)


@pytest.mark.parametrize(
    ("blocked", "message"),
    [
        ([True], r"`blocked` must have shape \(T\), here T = 2, got \(1,\)"),
        (True, r"`blocked` must have shape \(T\), here T = 2, got a single value"),
        ([0.0, np.nan], r"`blocked` must be of type bool, got float64"),
    ],
)
def test_blocked_is_one_truth_a_state(blocked, message):
    walker = Walker("dog")
    with pytest.raises(twobone.TwoBoneError, match=message):
        record(walker, [walker.state] * 2, 0.1, blocked=blocked)


def test_only_a_walker_is_recorded():
    with pytest.raises(ArrayTypeError, match=r"^`walker` must be a Walker, got 5"):
        record(5, [Walker("dog").state], 0.1)


# --- what is no animal --------------------------------------------------------------------


@pytest.mark.parametrize("word", ["flat", "slope", "rough"])
def test_ground_by_name_is_made_by_make_terrain(word):
    with pytest.raises(ArrayTypeError, match="`make_terrain` makes ground by name, got "):
        Walker("insect", word)


@pytest.mark.parametrize("wrong", [5, "yes", []])
def test_progress_is_a_function(wrong):
    with pytest.raises(ArrayTypeError, match="`progress` must be a function of a fraction, got "):
        creature.walk(seconds=0.1, progress=wrong)


@pytest.mark.parametrize("wrong", [5, None, [], creature.animal])
def test_what_is_no_animal_is_told(wrong):
    for call in (Walker, creature.walk, creature.make_path):
        with pytest.raises(ArrayTypeError, match="must be an Animal or the name of one, got"):
            call("circle", wrong) if call is creature.make_path else call(wrong)
    with pytest.raises(CreatureError, match=r"`name` must be one of insect, "):
        creature.animal(wrong)


@pytest.mark.parametrize(
    ("part", "wrong", "wanted"),
    [
        ("body", 5, "a Body"),
        ("legs", None, "Legs, as `pairs` returns them"),
        ("gait", "wave", "a Gait"),
    ],
)
def test_parts_that_are_no_parts_of_an_animal_are_told(part, wrong, wanted):
    with pytest.raises(ArrayTypeError, match=f"^`{part}` must be {wanted}, got {wrong!r}"):
        Walker(creature.animal("dog")._replace(**{part: wrong}))


@pytest.mark.parametrize("name", ["tilt", "size"])
@pytest.mark.parametrize("wrong", ["wide", [1.0, "a"], [[1.0], [1.0, 2.0]]])
def test_numbers_of_a_body_that_are_no_numbers_are_told(name, wrong):
    animal = creature.animal("dog")
    with pytest.raises(twobone.TwoBoneError, match=f"^`body.{name}` must be .*numbers?"):
        Walker(animal._replace(body=animal.body._replace(**{name: wrong})))


@pytest.mark.parametrize("name", creature.Legs._fields)
@pytest.mark.parametrize("wrong", ["long", 5, None, [1.0, "a"], [[1.0], [1.0, 2.0]]])
def test_arrays_of_legs_that_are_no_arrays_are_told(name, wrong):
    animal = creature.animal("dog")
    with pytest.raises(twobone.TwoBoneError, match=f"^`legs.{name}` must "):
        Walker(animal._replace(legs=animal.legs._replace(**{name: wrong})))


@pytest.mark.parametrize("wrong", [(0.5,), [0.8, 0.7, 0.6]])
def test_a_duty_factor_is_one_number_or_two(wrong):
    with pytest.raises(ShapeError, match=r"^`duty_factor` must be one number or two, got "):
        Gait(duty_factor=wrong)


def test_what_is_no_speed_or_number_of_pairs_is_told():
    for call, name in (
        (lambda wrong: creature.walk(speed=wrong, seconds=0.05), "speed"),
        (lambda wrong: creature.walk(turn=wrong, seconds=0.05), "turn"),
        (Gait().duty_factor_at, "speed_fraction"),
        (lambda wrong: Gait().offsets_at(0.5, wrong), "pairs"),
        (lambda wrong: Gait().offsets_at(wrong, 2), "duty_factor"),
    ):
        with pytest.raises(ArrayTypeError, match=f"^`{name}` must be "):
            call("fast")


@pytest.mark.parametrize("share", [0.6, 1.0])
def test_a_dog_that_starts_does_not_brake_for_its_first_steps(share):
    dog = creature.animal("dog")._replace(liveliness=0.0)
    walker, places = Walker(dog), []
    for _ in range(150):
        walker.step(1 / 60, velocity=share * dog.speed)
        places.append(walker.state.body_position[2])
    speeds = 60.0 * np.diff(places)
    assert np.all(np.diff(speeds) > -0.005 * dog.speed)
    assert speeds[-1] > 0.98 * share * dog.speed
