"""Feet in the air: their speed, their landing, their orientation; knees that turn aside."""

import numpy as np
import pytest

import drawn
import twobone
from drawn import depth_of_shins
from measured import measured
from slow import all_but, slow
from twobone import creature
from twobone.creature import Walker, animals, footing, knees, swinging
from twobone.creature.gait import arch, warp
from twobone.files import recordings
from twobone.rotations import rotate

ROUGH = creature.make_terrain(0.1, "dog", seed=3)
DOG = creature.walk("dog", terrain=ROUGH, seconds=5.0, seed=3)


def test_warped_time_begins_and_ends_with_the_swing_and_never_runs_backwards():
    t = np.linspace(0.0, 1.0, 1001)
    along = warp(t)
    assert (along[0], along[-1]) == (0.0, 1.0)
    assert np.all(np.diff(along) > 0.0)
    np.testing.assert_allclose(along + along[::-1], 1.0, atol=1e-15)
    path = along**3 * (10.0 - 15.0 * along + 6.0 * along**2)
    assert 1.35 < np.max(np.diff(path)) * 1000 < 1.45
    assert np.argmax(arch(along)) == 500


@pytest.mark.parametrize("share", [0.35, *slow(0.8)])
@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "dog"))
def test_in_a_steady_walk_a_foot_is_at_most_five_times_as_fast_as_the_body(name, share):
    animal = creature.animal(name)
    walk = creature.walk(animal, seconds=5.0, speed=share * animal.speed, turn=0.0)
    walk = walk.select(slice(180, None))
    body = np.linalg.norm(walk.body_position[-1] - walk.body_position[0]) / 2.0
    speed = np.linalg.norm(np.diff(walk.feet, axis=0), axis=-1) / walk.dt
    assert np.max(speed) <= 5.0 * body
    assert np.max(walk.feet[..., 1]) < 0.2 * animals.length(animal)


@pytest.mark.parametrize("share", [0.1, *slow(0.2)])
@pytest.mark.parametrize("name", creature.ANIMALS)
def test_so_is_a_foot_in_a_slow_walk(name, share):
    """Two cycles after the start, because first steps are longer."""
    walker = Walker(name)
    told, least = share * walker.animal.speed, 0.15 * walker.animal.speed
    cycle = round(60 * walker.animal.gait.stride * walker.length / least)
    for _ in range(2 * cycle):
        walker.step(1 / 60, told)
    found = [walker.state]
    for _ in range(cycle):
        walker.step(1 / 60, told)
        found.append(walker.state)
    walk = creature.record(walker, found, 1 / 60)
    way = np.linalg.norm(walk.body_position[-1] - walk.body_position[0])
    speed = np.linalg.norm(np.diff(walk.feet, axis=0), axis=-1) * 60
    assert way * 60 / cycle == pytest.approx(told, rel=1e-3)
    assert np.all(np.max(speed, 0) > 2.0 * told)  # each foot has taken a step
    assert np.max(speed) <= 5.0 * told


@pytest.mark.slow
@pytest.mark.parametrize("name", ["insect", "dog", "bird"])
def test_the_acceleration_of_landing_feet_stays_bounded_as_dt_halves(name):
    peaks = []
    for fps in (120, 240, 480):
        animal = creature.animal(name)
        walk = creature.walk(animal, seconds=2.0, fps=fps, speed=0.6 * animal.speed, turn=0.0)
        bends = np.linalg.norm(np.diff(walk.feet, n=2, axis=0), axis=-1) * fps**2
        lands = walk.stance[2:] & ~walk.stance[1:-1]
        assert np.count_nonzero(lands) > 1
        near = np.zeros_like(lands)
        for frame, leg in zip(*lands.nonzero(), strict=True):
            near[max(0, frame - 5) : frame + 2, leg] = True
        peaks.append(np.max(bends[near]))
    assert peaks[1] < 1.1 * peaks[0]
    assert peaks[2] < 1.1 * peaks[1]


def test_feet_in_stance_are_flat_on_the_slope_and_do_not_rotate():
    found, h = DOG, 1e-5
    x, z = found.feet[..., 0], found.feet[..., 2]
    rise = [(ROUGH.height(x + i * h, z + k * h) - ROUGH.height(x - i * h, z - k * h)) / (2 * h)
            for i, k in ((1, 0), (0, 1))]  # fmt: skip
    normal = np.stack([-rise[0], np.ones_like(x), -rise[1]], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    up = rotate(found.foot_rotation, [0.0, 1.0, 0.0])
    assert np.min(np.sum(up * normal, -1)[found.stance]) > np.cos(np.radians(0.5))
    both = found.stance[1:] & found.stance[:-1]
    assert np.all((found.foot_rotation[1:] == found.foot_rotation[:-1])[both])


def test_feet_are_put_on_a_slope_by_the_shortest_arc():
    walker = Walker("dog", creature.Slope(20.0, heading_degrees=50.0), heading=0.7)
    joint = np.eye(4)
    half = 0.35
    joint[:3, :3] = twobone.rotations.quaternion_to_matrix(
        np.array([0.0, np.sin(half), 0.0, np.cos(half)])
    )
    wanted = rotate(walker.state.foot_rotation[0], [0.0, 1.0, 0.0])
    aimed = twobone.correct_aim(joint, direction=wanted, forward=[0.0, 1.0, 0.0])
    turned = twobone.rotations.multiply([0.0, np.sin(half), 0.0, np.cos(half)], aimed.correction)
    for found in walker.state.foot_rotation:
        assert abs(np.sum(found * turned)) == pytest.approx(1.0, abs=1e-6)
    assert np.arccos(wanted[1]) == pytest.approx(np.radians(20.0), abs=1e-6)


@pytest.mark.parametrize("name", ["bird", *slow("dog")])
def test_toes_hang_in_the_swing_and_do_not_touch_level_ground(name):
    animal = creature.animal(name)
    walk = creature.walk(animal, seconds=4.0, turn=0.0)
    down = -rotate(walk.foot_rotation, [0.0, 0.0, 1.0])[..., 1]
    assert np.degrees(np.arcsin(np.max(down))) > 10.0
    assert np.max(np.abs(down[walk.stance])) < 1e-12
    for part in drawn.feet_of(animal):
        ends = (part.end,) if hasattr(part, "end") else (part.centre + part.half * [0, -0.9, 0.9],)
        for end in ends:
            tips = walk.feet + rotate(walk.foot_rotation, np.asarray(end))
            assert np.min(tips[..., 1]) > -1e-3 * animals.length(animal)


@pytest.mark.slow
def test_feet_rotate_without_a_jump():
    """The fastest rotation between two frames halves with the time between them."""
    fastest = []
    for fps in (120, 240, 480):
        walk = creature.walk("dog", terrain=ROUGH, seconds=2.0, fps=fps, seed=3)
        q = walk.foot_rotation
        apart = np.minimum(
            np.linalg.norm(q[1:] - q[:-1], axis=-1), np.linalg.norm(q[1:] + q[:-1], axis=-1)
        )
        fastest.append(np.max(apart))
    assert fastest[1] < 0.6 * fastest[0]
    assert fastest[2] < 0.6 * fastest[1]


def test_a_recording_has_the_rotations_of_feet_and_old_ones_still_load(tmp_path):
    assert DOG.foot_rotation.shape == (*DOG.feet.shape[:2], 4)
    recordings.write_recording(tmp_path / "new.npz", DOG)
    again = recordings.read_recording(tmp_path / "new.npz")
    np.testing.assert_array_equal(again.foot_rotation, DOG.foot_rotation)
    recordings.write_recording(tmp_path / "old.npz", DOG._replace(foot_rotation=None))
    old = recordings.read_recording(tmp_path / "old.npz")
    assert old.foot_rotation is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", all_but([3, 7], 3))
def test_the_dog_walks_on_over_steep_hills_with_its_knees_beside_its_body(seed):
    """It used to stand still for good before a knee would touch the ground."""
    animal, length = creature.animal("dog"), 0.8
    ground = creature.make_terrain(0.25, animal, seed=seed)
    walk = creature.walk(animal, terrain=ground, seconds=8.0, speed=0.9, turn=0.0)
    assert walk.body_position[-1, 2] > 2.5
    found = creature.report(walk, ground)
    assert (found.depth_of_knees, found.depth_of_feet, found.slide) == (0.0, 0.0, 0.0)
    assert np.degrees(found.knee_plane_rotation) < 18.0
    assert depth_of_shins(walk, ground) < 0.003 * length
    inside = rotate(walk.body_rotation[:, None] * [-1, -1, -1, 1],
                    walk.knees - walk.body_position[:, None])  # fmt: skip
    trunk = drawn.trunk_of(animal)
    held = np.sum(np.abs((inside - trunk.centre) / trunk.half) ** trunk.power, -1) < 1.0
    assert not held.any()


@pytest.mark.parametrize("seed", [55, *slow(56)])
def test_feet_of_a_centipede_hang_where_they_find_no_ground_and_it_walks_on(seed):
    """A straight leg whose foot found no next ground stopped it for good."""
    ground = creature.make_terrain(0.25, "centipede", seed=seed)
    walker, found, hangs = Walker("centipede", ground), [], []
    for _ in range(480):
        walker.step(1 / 60, 0.6 * walker.animal.speed)
        found.append(walker.state)
        hangs.append(walker._state.footholds.hangs[0].copy())
        assert not walker.blocked
    walk, hangs = creature.record(walker, found, 1 / 60), np.array(hangs)
    assert np.any(hangs)
    assert not np.any(hangs & walk.stance)
    assert np.min(walk.feet[hangs][:, 1] - walk.ground[hangs]) >= 0.0
    assert np.linalg.norm(walker.place[0]) > 1.3 * walker.length
    report = creature.report(walk, ground)
    assert (report.slide, report.depth_of_feet, report.depth_of_knees) == (0.0, 0.0, 0.0)
    assert report.greatest_reach <= 0.95
    assert np.min(measured("static_margin", walk)) > 0.08 * walker.length


def centipede_with_a_foot_across(part):
    """Return the state of a centipede with foot 6 so far across, in legs, below its hip."""
    walker = Walker("centipede")
    state = walker._state
    out = walker.animal.legs.hips[6, 0]
    state.feet.swing[0, 6, 0] = state.pose.hips[0, 6] - [np.sign(out) * part * walker.length, 0, 0]
    state.feet.swing[0, 6, 0, 2] = 0.0
    return state


def test_no_swing_of_many_legs_passes_close_under_the_hip():
    """The plane of such a leg turned by up to 22 degrees in a frame."""
    state, foot = centipede_with_a_foot_across(0.4), np.array([6])
    state.feet.progress[0, 6], state.feet.lift[0, 6] = 0.0, 0.25 * state.anatomy.length
    ahead = swinging.look_ahead(state, foot)
    places, *_, legs = swinging._sought(state, foot, ahead)
    points = footing.on_ground(state.terrain, places)[:, None]
    assert not footing.bears(state.terrain, points, legs, state.anatomy.length).good
    close = legs._replace(min_reach=state.anatomy.legs.min_reach[foot])
    assert footing.bears(state.terrain, points, close, state.anatomy.length).good


@pytest.mark.parametrize(
    ("part", "stuck", "starts"),
    [(-0.4, True, []), (0.1, False, []), (0.1, True, [6]), (0.25, False, [6])],
)
def test_a_foot_under_a_long_body_does_not_wait_for_its_turn(part, stuck, starts):
    state = centipede_with_a_foot_across(part)
    strayed, phases = swinging.stray(state), np.full_like(state.feet.progress, 0.9)
    state.footholds.stuck[0, 6] = stuck
    assert swinging.starting(state, np.ones(1), strayed, phases).tolist() == starts


def angles(first, second):
    sizes = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return np.arccos(np.clip(np.sum(first * second, -1) / sizes, -1.0, 1.0))


@pytest.mark.parametrize("name", ["compiled", "numpy"])
def test_the_plane_of_a_leg_turns_towards_its_pole_by_so_much_at_most(engines, name):
    """Angles are the same in mirrored points, x, z, y."""
    engines.use(name)
    state, most, whole = Walker("dog", count=300)._state, 0.1, 0.12
    draw = np.random.default_rng(6)
    before, now = state.feet.copy(), state.feet
    before.progress[:], now.progress[:] = draw.random((2, *now.progress.shape))
    now.lift[:], now.spread[:] = draw.random(now.lift.shape), draw.normal(size=now.spread.shape)
    before.swing[:, :, 0] = state.pose.hips + 0.3 * draw.normal(size=now.points().shape)
    way = before.points() - state.pose.hips
    now.swing[:, :, 0] += state.pose.hips + way - now.points()
    moved = 0.03 * draw.normal(size=way.shape)
    moved[::3] *= 0.1
    now.swing[:, :, 0] += moved
    then = draw.normal(size=way.shape)
    # Some poles are close to those that are wanted.
    own = knees.pole_vectors(state.anatomy, now.spread)
    then[::3] = own[::3] + 0.02 * draw.normal(size=own[::3].shape)
    state.pose.poles[:] = footing.times_axes(then, state.pose.axes)
    world = footing.times_axes(own, state.pose.axes)
    goals = np.cross(world, now.points() - state.pose.hips)
    knees.turn_knees(state, before, np.cos(most), np.sin(most), np.cos(whole))
    poles = footing.times_axes(now.poles, state.pose.axes)
    leg = now.points() - state.pose.hips
    along = leg / np.linalg.norm(leg, axis=-1, keepdims=True)
    first = np.cross(state.pose.poles, way)
    was = first.copy()
    was -= np.sum(was * along, -1, keepdims=True) * along
    left = angles(was, goals)
    reached = np.linalg.norm(leg, axis=-1) <= state.anatomy.legs.reach
    assert 10 < np.sum(~reached) < reached.size - 800
    # On a sphere the angles by which the line turns the plane and that about the line are the legs
    # of a right triangle, the whole angle its hypotenuse.
    by_line = angles(first, was)
    about = np.arccos(np.minimum(np.cos(whole) / np.cos(by_line), 1.0))
    assert np.sum(reached & (by_line > whole) & (left > most)) > 100
    assert np.sum(reached & (by_line < whole) & (about < most) & (left > about)) > 100
    most = np.minimum(most, about)
    normals = np.cross(poles, leg)
    np.testing.assert_allclose(
        angles(normals, goals)[reached], np.maximum(left - most, 0.0)[reached], atol=1e-7
    )
    assert np.all(
        np.where(left > most, angles(first, normals), 0.0)[reached]
        < np.maximum(whole, by_line)[reached] + 1e-7
    )
    turned, near = np.any(now.poles != own, -1), np.sin(angles(world, leg)) ** 2 < knees.NEAR
    assert np.array_equal(turned, reached & ((left > most) | near))
    assert np.sum(reached & near & (left < most)) > 5
    np.testing.assert_allclose(angles(poles, leg)[turned], 0.5 * np.pi, atol=1e-7)
    assert 100 < np.sum(turned) < turned.size - 100


@pytest.mark.parametrize("progress", [0.0, 0.5, 0.9])
def test_a_foot_does_not_turn_to_a_goal_that_is_too_far_for_the_time_left(progress):
    swing = np.zeros((3, 4, 3))
    swing[:, 3] = [1.0, 2.0, 0.5]
    legs = footing.SwingLegs(swing, np.full(3, progress), *[None] * 5)
    far = 2.0 * footing.FARTHEST * (1.0 - progress)
    points = swing[:, 3] + np.array([[0.99 * far, 0.0, 9.0], [0.0, -1.01 * far, 0.0], [0.0] * 3])
    assert footing.is_sudden(points, legs, 2.0).tolist() == [False, progress > 0.0, False]


def test_knees_that_point_up_do_not_turn_aside():
    walker = Walker("insect", creature.make_terrain(0.2, "insect", seed=2))
    for _ in range(60):
        walker.step(1 / 60, 1.0)
    assert not walker._state.anatomy.spreads
    assert not walker._state.feet.spread.any()


@pytest.mark.parametrize("leg", range(4))
@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_in_search_of_ground_a_dog_puts_no_foot_far_across_to_its_other_side(leg, heading):
    """Its elbow was in its body then."""
    state = Walker("dog", heading=heading)._state
    clear = swinging._room_for(state, np.array([leg]))
    facing, length = state.course.facing[0], state.anatomy.length
    place = state.pose.hips[0, leg, :2] @ [1.0, 1j]
    inward = -np.sign(state.anatomy.hip_places[leg].real) * facing
    places = place + np.array([-0.3, 0.2, 0.3]) * length * inward
    points = footing.on_ground(state.terrain, places[None])
    assert clear(points).tolist() == [[True, True, False]]
