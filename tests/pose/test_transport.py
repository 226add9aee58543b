"""`bend="transport"`: planes that go from frame to frame; how smoothly: test_continuity.py."""

import numpy as np
import pytest

import twobone
from skeletons import chain, matrix_of, norm, places, turns
from sweeps import LIMB, LOWER, POLE, SKELETON, UPPER, line, reach, wander
from twobone import Status
from twobone.pose import GlobalPose, LocalPose
from twobone.pose.transport import FOLLOW


def test_every_clip_is_carried_on_its_own():
    targets = [wander(seed, 200) for seed in range(3)]
    paths, poles = (np.stack(each, axis=1) for each in zip(*targets, strict=True))
    together = reach(paths, "transport", pole=poles).pose.rotations
    for clip in range(3):
        alone = reach(paths[:, clip], "transport", pole=poles[:, clip]).pose.rotations
        np.testing.assert_array_equal(together[:, clip], alone)


def test_a_body_that_turns_takes_the_carried_plane_along():
    """The hips yaw by 180 degrees above a foot that stays below: the knee goes with them."""
    hips = chain([0, 1, 0], [0, 0, 0], [0, -UPPER, 0], [0, -LOWER, 0])
    limb = twobone.Limb(hips, 1, 2, 3, bend_towards=POLE)
    yaw = np.radians(np.linspace(0.0, 180.0, 91))
    rotations = np.tile(hips.rotations, (91, 1, 1))
    rotations[:, 0] = np.stack([0 * yaw, np.sin(yaw / 2), 0 * yaw, np.cos(yaw / 2)], axis=-1)
    posed = limb.reach(LocalPose(rotations), [0.0, 0.3, 0.0], bend="transport")
    knee = places(hips, posed.pose)[0][:, 2]
    ahead = np.stack([np.sin(yaw), 0 * yaw, np.cos(yaw)], axis=-1)
    assert np.all(np.sum(knee * ahead, axis=-1) > 0.3)


def test_a_body_that_moves_with_target_and_pole_moves_nothing_within():
    """Turned anyhow from frame to frame: beside the hips all is as if they stood."""
    rng = np.random.default_rng(11)
    hips = chain([0, 0, 0], [0, 0, 0], [0, -UPPER, 0], [0, -LOWER, 0])
    limb = twobone.Limb(hips, 1, 2, 3, bend_towards=POLE)
    targets, poles = wander(11, 80)
    still = np.tile(hips.rotations, (80, 1, 1))
    moving = still.copy()
    moving[:, 0] = turns(rng, (80,))
    matrices = matrix_of(moving[:, 0])
    for options in ({}, {"pole": poles}):
        wanted = limb.reach(LocalPose(still), targets, bend="transport", **options).pose
        turned = {name: np.einsum("fij,fj->fi", matrices, v) for name, v in options.items()}
        there = np.einsum("fij,fj->fi", matrices, targets)
        found = limb.reach(LocalPose(moving), there, bend="transport", **turned).pose
        found, wanted = (matrix_of(pose.rotations[:, 1:3]) for pose in (found, wanted))
        np.testing.assert_allclose(found, wanted, atol=1e-10)


@pytest.mark.parametrize("broken", [[0], [150], [0, 1, 2], [100, 101, 102], [299]], ids=str)
@pytest.mark.parametrize("what", ["target", "pole", "pole_weight"])
def test_a_frame_with_nan_changes_nothing_for_the_others(broken, what):
    """As if the frame were not there; of a pose that is NaN the target still counts."""
    targets, poles = wander(1, 300)
    given = {"target": targets, "pole": poles, "pole_weight": np.ones(300)}
    kept = np.delete(np.arange(300), broken)
    wanted = transported(**{name: value[kept] for name, value in given.items()})
    given[what] = given[what].copy()
    given[what][broken] = np.nan
    found = transported(**given)
    np.testing.assert_array_equal(found.pose.rotations[kept], wanted.pose.rotations)
    assert np.all(np.isnan(found.pose.rotations[broken]))
    assert np.all(found.status[broken] == Status.INVALID)


def transported(**given):
    return LIMB.reach(LocalPose(SKELETON.rotations), bend="transport", **given)


@pytest.mark.parametrize("nothing", [np.nan, 0.0])
@pytest.mark.parametrize(
    "weight", [{}, {"position_weight": np.ones(300)}], ids=["plain", "weighted"]
)
def test_a_pose_that_is_nothing_changes_nothing_for_the_others(nothing, weight):
    """With a weight of 1, too, the goal does not depend on where the end was."""
    targets, poles = wander(1, 300)
    rotations = np.tile(SKELETON.rotations, (300, 1, 1))
    given = {"pole": poles} | weight
    wanted = reach(targets, "transport", **given).pose.rotations
    broken = [0, 7, 8, *range(100, 150)]
    rotations[broken] = nothing
    found = reach(targets, "transport", pose=LocalPose(rotations), **given).pose.rotations
    kept = np.delete(np.arange(300), broken)
    np.testing.assert_array_equal(found[kept], wanted[kept])
    assert np.all(np.isnan(found[broken]))


@pytest.mark.parametrize("pole", [None, [0, 0, 1]], ids=str)
@pytest.mark.parametrize("way", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.3, 0.5, 0.2]], ids=str)
def test_the_joint_stays_while_the_target_goes_through_the_root(way, pole):
    even = chain([0, 1, 0], [0, -0.5, 0.02], [0, -0.5, -0.02])
    limb = twobone.Limb(even, 0, 1, 2)
    steps = np.linspace(-0.5, 0.5, 201)  # the middle one is 0
    posed = limb.reach(
        LocalPose(np.tile(even.rotations, (201, 1, 1))),
        even.offsets[0] + steps[:, None] * way,
        pole=pole,
        bend="transport",
    )
    assert posed.status[100] == twobone.Status.AMBIGUOUS
    moved = norm(np.diff(places(even, posed.pose)[0][:, 1], axis=0))
    assert np.max(moved) < 3.0 * 0.005 * norm(way)


def test_a_frame_at_the_root_keeps_the_plane():
    """The one after it bends as if the target had not been there."""
    targets = line([-0.4, 0.0, 0.1], [-0.3, 0.1, 0.2])
    wanted = transported(target=targets).pose.rotations
    there = np.insert(targets, 50, [0.0, 0.0, 0.0], axis=0)
    found = transported(target=there)
    np.testing.assert_array_equal(np.delete(found.pose.rotations, 50, axis=0), wanted)
    assert found.status[50] == Status.TOO_NEAR
    assert np.all(np.isfinite(found.pose.rotations))


def test_the_first_frame_bends_as_pole_or_rest_have_it():
    targets, pole = wander(3, 5)
    for options, bend in ({"pole": pole}, "pole"), ({}, "rest"):
        first = LIMB.reach(LocalPose(SKELETON.rotations), targets, bend="transport", **options)
        alone = LIMB.reach(LocalPose(SKELETON.rotations), targets, bend=bend, **options)
        np.testing.assert_allclose(first.pose.rotations[0], alone.pose.rotations[0], atol=1e-15)


def test_no_frames_give_no_frames(xp):
    if xp.name == "jax.jit":
        pytest.skip("as jax: nothing is compiled")
    pose = LocalPose(xp(SKELETON.rotations))
    for shape in ((0, 3), (0, 4, 3), (4, 0, 3)):
        posed = LIMB.reach(pose, xp(np.zeros(shape)), pole=xp(POLE), bend="transport")
        assert tuple(posed.pose.rotations.shape) == (*shape[:-1], 3, 4)


def test_every_library_carries_alike(xp):
    targets, pole = wander(1, 40)
    wanted = reach(targets, "transport", pole=pole)

    def transport(targets, pole):
        posed = LIMB.reach(LocalPose(SKELETON.rotations), targets, pole=pole, bend="transport")
        return posed.pose.rotations, posed.status

    rotations, status = xp.compiled(transport)(xp(targets), xp(pole))
    np.testing.assert_allclose(xp.back(rotations), wanted.pose.rotations, atol=1e-12)
    np.testing.assert_array_equal(xp.back(status), wanted.status)


def test_carried_gradients_are_finite_wherever_a_target_goes():
    """Through the root, past the pole axis, at full stretch; NaN stays in its frame."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rows = [
        [0, 0, 0.6],
        [0, 0, 0],
        [0, 0, -0.6],
        [0, -0.95, 0],
        [0, 2, 0],
        [0, 0.01, 0],
        [np.nan] * 3,
    ]
    targets = torch.tensor([*rows, [0.1, 0.2, 0.3]], dtype=torch.float64, requires_grad=True)
    poles = torch.tensor([POLE] * 8, dtype=torch.float64, requires_grad=True)
    pose = LocalPose(torch.tensor(SKELETON.rotations))
    turned = LIMB.reach(pose, targets, pole=poles, bend="transport").pose.rotations
    turned[torch.isfinite(turned)].sum().backward()
    kept = [0, 1, 2, 3, 4, 5, 7]
    assert torch.isfinite(targets.grad[kept]).all()
    assert torch.isfinite(poles.grad[kept]).all()
    assert torch.any(targets.grad[[0, 2, 7]] != 0.0)


def test_global_poses_are_carried_too():
    targets, pole = wander(2, 30)
    local = reach(targets, "transport", pole=pole).pose
    given = SKELETON.to_global(LocalPose(SKELETON.rotations))
    found = reach(targets, "transport", pole=pole, pose=given).pose
    assert isinstance(found, GlobalPose)
    np.testing.assert_allclose(found.positions, places(SKELETON, local)[0], atol=1e-14)


# --- the pull of a pole -------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("rate", [30, 60, 120, 240, 600])
@pytest.mark.parametrize("kind", ["pole", "pole_point", "pole_point that passes"])
def test_a_pole_rotates_the_plane_by_no_more_than_the_motion_in_units_of_the_reach(rate, kind):
    """A hand passes the shoulder at 1 m/s, 95, 30 and 5 mm away, or the pole target does."""
    arm = chain([0, 0, 0], [0.28, 0, 0], [0.26, 0, 0])
    limb = twobone.Limb(arm, 0, 1, 2, bend_towards=[0, 0, -1])
    rng, length = np.random.default_rng(4), 0.54
    way = np.linspace(-0.6, 0.6, int(1.2 * rate) + 1)[:, None, None]
    ahead = rng.normal(size=(60, 3))
    ahead /= norm(ahead)[:, None]
    aside = np.cross(ahead, rng.normal(size=(60, 3)))
    aside *= (np.repeat([0.095, 0.03, 0.005], 20) / norm(aside))[:, None]
    passing, still = way * ahead + aside, np.broadcast_to([0.3, 0.25, -0.1], (len(way), 60, 3))
    if kind == "pole_point that passes":
        target, pole = still, {"pole_point": passing}
    else:
        target, pole = passing, {kind: np.broadcast_to([0.5, 0.8, -0.6], still.shape)}
    pose = LocalPose(np.broadcast_to(arm.rotations, (len(way), 60, 3, 4)))
    options = {"bend": "transport", "unreachable": twobone.Soft(0.05)}
    posed = limb.reach(pose, target, **pole, **options)
    normal, direction = posed.transported[..., 0, :], posed.transported[..., 1, :]
    # The plane without a pole: that of the frame before, rotated by the shortest arc.
    arc = twobone.rotations.shortest_arc(direction[:-1], direction[1:])
    carried = twobone.rotations.rotate(arc, normal[:-1])
    sine = np.sum(np.cross(carried, normal[1:]) * direction[1:], axis=-1)
    pulled = np.abs(np.arctan2(sine, np.sum(carried * normal[1:], axis=-1)))
    assert pulled.max() > 0.2 * FOLLOW / rate  # it does pull
    assert pulled.max() <= (1.0 + 1e-9) * FOLLOW / (rate * length)


def test_an_elbow_near_its_shoulder_does_not_pop():
    """Its speed hardly depends on the frame rate: 10 to 11 m/s where the pole pulls by directions.

    The plane that the pole chooses first makes the elbow move at 2.7 m/s even without a pull.
    """
    arm = chain([0, 0, 0], [0.28, 0, 0], [0.26, 0, 0])
    limb = twobone.Limb(arm, 0, 1, 2, bend_towards=[0, 0, -1])
    for rate in (30, 60, 120, 600):
        x = np.linspace(-0.6, 0.6, int(1.2 * rate) + 1)
        targets = np.stack([0.7 * x, 0.095 + 0 * x, 0.7 * x], axis=-1)
        pose = LocalPose(np.tile(arm.rotations, (len(x), 1, 1)))
        posed = limb.reach(
            pose,
            targets,
            pole_point=[0.5, 0.8, -0.6],
            bend="transport",
            unreachable=twobone.Soft(0.05),
        )
        elbow = places(arm, posed.pose)[0][:, 1]
        assert norm(np.diff(elbow, axis=0)).max() * rate < 3.3
