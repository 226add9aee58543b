# pyright: strict
"""Limbs of skeletons, corrections and rotations: the kind of pose that is given comes out."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import twobone
from twobone import rotations
from twobone.pose import GlobalPose, LocalPose, Skeleton

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Codes = NDArray[np.int8]

skeleton = Skeleton(
    parents=[-1, 0, 1],
    offsets=[[0, 0.95, 0], [0, -0.45, 0.03], [0, -0.43, -0.03]],
    names=["thigh", "shin", "foot"],
)
assert_type(skeleton.rotations, Floats)
assert_type(skeleton.rest.positions, Floats)
assert_type(skeleton.index("shin"), int)
assert_type(skeleton.path(2), list[int])
assert_type(skeleton.names, tuple[str, ...] | None)

leg = twobone.Limb(skeleton, "thigh", "shin", "foot", limits=(20, 178))
other = twobone.Limb(skeleton, 0, 1, 2, bend_towards=[0, 0, 1], twist={"shin": 0.5})
assert_type(leg.mid_axis, Floats)
assert_type(leg.skeleton, Skeleton)
assert_type(leg.start, int)

# --- a pose beside the parents, and one in the world --------------------------------------

local = LocalPose(skeleton.rotations)
assert_type(local, LocalPose[Floats])
posed = leg.reach(local, [0.0, 0.27, 0.35], pole=[0.0, 0.0, 1.0])
assert_type(posed.pose, LocalPose[Floats])
assert_type(posed.pose.rotations, Floats)
assert_type(posed.pose.translations, Floats | None)
assert_type(posed.status, Codes)
assert_type(posed.conditioning, Floats)
assert_type(posed.transported, Floats)
assert_type(skeleton.to_global(posed.pose), GlobalPose[Floats])
assert_type(skeleton.to_global(posed.pose).positions, Floats)

world = skeleton.to_global(LocalPose(skeleton.rotations, skeleton.offsets))
seen = leg.reach(world, np.zeros(3), end_rotation="local", bend="rest", unreachable="stretch")
assert_type(seen.pose, GlobalPose[Floats])
assert_type(skeleton.to_local(seen.pose).rotations, Floats)

single = LocalPose(skeleton.rotations.astype(np.float32))
assert_type(leg.reach(single, [0.0, 0.2, 0.3]).pose.rotations, Singles)
assert_type(leg.reach(LocalPose([[0, 0, 0, 1]] * 3), [0.0, 0.2, 0.3]).pose.rotations, Floats)
some: Floats = leg.reach(LocalPose(np.array([[0, 0, 0, 1]] * 3)), [0, 0, 0]).pose.rotations

options = leg.reach(
    local,
    [0.0, 0.27, 0.35],
    pole_point=[-1.0, 0.6, 1.0],
    end_rotation=[0.0, 0.0, 0.0, 1.0],
    position_weight=np.linspace(0.0, 1.0, 100),
    rotation_weight=0.5,
    pole_weight=1,
    fade_degrees=20,
    unreachable=twobone.Soft(0.02) | twobone.Stretch(limit=1.1),
)
again = leg.reach(local, [0.0, 0.3, 0.35], bend="transport", pole=[0.0, 0.0, 1.0], before=options)
assert_type(again.pose, LocalPose[Floats])

handles = leg.controls(local)
assert_type(handles, twobone.Controls[Floats])
assert_type(handles.pole, Floats)
leg.reach(local, handles.target, pole=handles.pole, end_rotation=handles.end_rotation)


def knee(clip: LocalPose, goal: Floats) -> NDArray[Any]:
    """Take a pose of NumPy, which needs no more to be said."""
    posed: twobone.Posed = leg.reach(clip, goal)
    assert_type(posed.conditioning, NDArray[Any])
    return skeleton.to_global(leg.reach(clip, goal).pose).positions


# --- corrections --------------------------------------------------------------------------

start, mid, end = np.eye(4), np.eye(4), np.eye(4)
found = twobone.correct_limb(start, mid, end, [2.0, 0.0, 0.0], mid_axis=[0.0, 0.0, 1.0])
assert_type(found, twobone.Correction[Floats, Codes])
assert_type(found.start, Floats)
assert_type(found.status, Codes)
name: str = twobone.Status(int(found.status)).name
flat = np.eye(3, dtype=np.float32)
assert_type(twobone.correct_limb(flat, flat, flat, [0.6, 1.1], mid_axis=-1).mid, Singles)
twobone.correct_limb(
    start, mid, end, np.zeros(3), mid_axis=np.ones(3), twist=0.1, soften=0.9, weight=[0.5, 1.0]
)

aim = twobone.correct_aim(start, direction=[1.0, 1.0, 0.0], forward=[0.0, 1.0, 0.0])
assert_type(aim, twobone.Aim[Floats, Codes])
assert_type(twobone.correct_aim(start, [1.0, 1.0, 0.0], forward=[0, 1, 0]).correction, Floats)

# --- both answers -------------------------------------------------------------------------

both = twobone.solve_both([[0.2, 0.0], [0.1, 0.0]], 1.0, 1.0)
assert_type(twobone.follow_branch(both, side=-1, hysteresis=0.2), twobone.Branch[Floats])
assert_type(twobone.nearest_branch(both, [0.9, 0.1]).side, Floats)

# --- rotations ----------------------------------------------------------------------------

q: Floats = np.zeros((5, 4))
v = [1.0, 0.0, 0.0]
assert_type(rotations.shortest_arc(v, [0.0, 1.0, 0.0], axis=[0.0, 0.0, 1.0]), Floats)
assert_type(rotations.frame(v, v), Floats)
assert_type(rotations.look_at(v, [0, 1, 0], forward=[1, 0, 0]), Floats)
assert_type(rotations.multiply(q, [0.0, 0.0, 0.0, 1.0]), Floats)
assert_type(rotations.inverse(q), Floats)
assert_type(rotations.normalize([0.0, 3.0, 0.0, 4.0]), Floats)
assert_type(rotations.rotate(q, v), Floats)
assert_type(rotations.rotate(q.astype(np.float32), v), Singles)
assert_type(rotations.nlerp(q, q, 0.5), Floats)
assert_type(rotations.slerp(q, q, np.linspace(0.0, 1.0, 5)), Floats)
assert_type(rotations.twist_swing(q, v), rotations.TwistSwing[Floats])
assert_type(rotations.twist_swing(q, v).twist, Floats)
assert_type(rotations.quaternion_to_matrix(q), Floats)
assert_type(rotations.matrix_to_quaternion(np.eye(3)), Floats)
assert_type(rotations.quaternion_to_rotation_vector(q), Floats)
assert_type(rotations.rotation_vector_to_quaternion([0.0, 0.1, 0.0]), Floats)
assert_type(rotations.angle_about([0, 0, 1], v, [0.0, -1.0, 0.0]), np.float64)
assert_type(rotations.angle_about([0, 0, 1], np.zeros((5, 3)), v), Floats)
assert_type(rotations.clamp_angle(2.5, 0.0, 2.0), np.float64)
assert_type(rotations.clamp_angle([2.5, 1.0, 7.0], 0.0, greatest=None), Floats)
radians: float = rotations.clamp_angle(2.5, greatest=2)
assert_type(twobone.rotations.inverse(q), Floats)
