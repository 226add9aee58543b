"""Limbs whose target is a pose: `PoseLimb`, with six joints."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from twobone.core import batches
from twobone.core.array_types import AnyArray, NDArray
from twobone.core.arrays import to_floats
from twobone.core.batches import MATRIX, NUMBER, QUATERNION, VECTOR
from twobone.core.immutable import Immutable
from twobone.core.vectors import times
from twobone.errors import ArrayTypeError, ShapeError
from twobone.robots import (
    branch_names,
    kinematics,
    pose_branches,
    pose_choice,
    straight,
    structure,
)
from twobone.robots.chain import IDENTITY
from twobone.robots.closed_form import INVALID, NAN, SIZE, is_reached
from twobone.robots.floats import SLACK, numbers_of
from twobone.robots.limb import (
    Answer,
    Rest,
    Solutions,
    check_damping,
    frozen,
    rest_of,
)
from twobone.robots.pose_branches import Pose, flat
from twobone.robots.rows import Codes, Output, Task
from twobone.robots.subproblems import times_matrix


class TipPose(NamedTuple):
    """Where a tip is, the result of `forward_kinematics`."""

    position: Any  # shape (..., 3), metres
    rotation: Any  # shape (..., 4), a quaternion xyzw


class PoseLimb(Immutable):
    """A leg or an arm of six joints, whose target is a pose: a position and a rotation.

    Made by `Robot.limb` and `from_mujoco`. Three of its axes meet in a point at one end, as those
    of a hip or of a wrist do, and the other three joints have two bones among them; or three axes
    in the middle are parallel, and the two at one end meet, as those of a UR5 do. Axes that meet
    may have any angle between them.

    Attributes
    ----------
    tip, base : str
        Names of links. Targets are poses of the tip in the axes of the base.
    joint_names : tuple of str
        The joints, in the order of the angles.
    limits : ndarray, shape (6, 2)
        The least and the greatest angle of each joint, in radians; infinite if there is none.
    rest : ndarray, shape (6,)
        The rest pose, by default the middle of the limits. It determines which branch is number 0.
    kind : str
        The class of the limb, in words: which of its axes meet or are parallel.
    branch_names : tuple of str
        A name for each branch, such as "knee forward, hip flipped". Where a part of the limb is in
        two places, the name says in which, in the axes of the base: forward is +x, left +y and up
        +z, with the tip about where it is at rest. Other parts are named if they differ from the
        rest pose.
    gap : float
        By how many metres axes miss the points in which they should meet.
    skew : float
        By how many radians axes are not parallel or not perpendicular.
    approximate : bool
        Whether `gap` or `skew` are more than rounding explains: see `Robot.limb`.

    Examples
    --------
    >>> from twobone import robots
    >>> joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/>'
    >>> joint += '<origin xyz="{3}"/><axis xyz="{4}"/></joint>'
    >>> names = ["pelvis", "a", "b", "thigh", "shin", "c", "foot"]
    >>> text = "".join(f'<link name="{name}"/>' for name in names)
    >>> text += joint.format("hip_yaw", "pelvis", "a", "0 0.1 0", "0 0 1")
    >>> text += joint.format("hip_roll", "a", "b", "0 0 0", "1 0 0")
    >>> text += joint.format("hip_pitch", "b", "thigh", "0 0 0", "0 1 0")
    >>> text += joint.format("knee", "thigh", "shin", "0 0 -0.4", "0 1 0")
    >>> text += joint.format("ankle_pitch", "shin", "c", "0 0 -0.4", "0 1 0")
    >>> text += joint.format("ankle_roll", "c", "foot", "0 0 0", "1 0 0")
    >>> robot = robots.read_urdf(f"<robot>{text}</robot>")
    >>> leg = robot.pose_limb("foot", rest=[0.0, 0.0, -0.5, 1.0, -0.5, 0.0])
    >>> answer = leg.reach([0.1, 0.1, -0.7], [0.0, 0.0, 0.0, 1.0])
    >>> answer.angles.round(3) + 0.0
    array([ 0.   ,  0.   , -0.629,  0.973, -0.345,  0.   ])
    >>> answer.end.round(9) + 0.0, answer.rotation.round(9) + 0.0
    (array([ 0.1,  0.1, -0.7]), array([0., 0., 0., 1.]))
    >>> leg.solve_all([0.1, 0.1, -0.7], [0.0, 0.0, 0.0, 1.0]).angles.shape
    (8, 6)
    >>> leg.branch_names[:3]
    ('knee forward', 'knee forward, hip flipped', 'knee backward')
    """

    _set_once = (
        "tip",
        "base",
        "joint_names",
        "limits",
        "rest",
        "kind",
        "gap",
        "skew",
        "approximate",
        "_problem",
        "_rest",
        "_codes",
        "_made_of",
        "_floats",
    )
    tip: str
    base: str
    joint_names: tuple[str, ...]
    limits: NDArray[np.float64]
    rest: NDArray[np.float64]
    kind: str
    gap: float
    skew: float
    approximate: bool
    _problem: Any

    def __init__(self, chain, fit, rest: Rest | None = None) -> None:
        self._made_of = chain, fit, rest
        self.tip = chain.tip
        self.base = chain.base
        self.joint_names = tuple(joint.name for joint in chain.joints)
        self.limits = frozen([joint.limits for joint in chain.joints])
        self.kind = structure.kind_in_words(fit)
        self.gap = fit.gap
        self.skew = fit.skew
        self.approximate = fit.size > 1.0
        given = None if rest is None else rest_of(self, rest)
        self._problem = self._problem_of(chain, fit, given)
        self._rest = self._problem.middle if given is None else given
        self.rest = frozen(self._rest)
        self._codes = Codes()
        self._floats = {}

    def __reduce__(self):
        return type(self), self._made_of

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.tip!r}, joints={self.joint_names})"

    def _problem_of(self, chain, fit, rest):
        return pose_branches.problem_of(chain, fit, rest)

    @functools.cached_property
    def branch_names(self) -> tuple[str, ...]:
        """A name for each branch: see the class."""
        chain, fit, _ = self._made_of
        angles = branch_names.poses_around(self.limits, self.rest)
        found = self._solve_all(*self.forward_kinematics(angles), self._free_of(angles))
        reached = is_reached(found.status)
        parts = branch_names.parts_of_pose(chain, fit)
        return branch_names.names_of(chain, parts, found.angles, reached, self._problem.size)

    # --- forward kinematics ---------------------------------------------------------------

    def forward_kinematics(self, angles: AnyArray) -> TipPose:
        """Return the pose of the tip.

        Parameters
        ----------
        angles : array, shape (..., n)
            Radians, in the order of `joint_names`.

        Returns
        -------
        TipPose
            Its `position`, shape (..., 3), in metres, and `rotation`, shape (..., 4), a unit
            quaternion (x, y, z, w) with `w >= 0`, in the axes of the base link.
        """
        chain = self._problem.chain

        def formula(xp, t, *, angles):
            return pose_choice.tip_of(xp, chain, angles)

        return TipPose(*self._of_angles(formula, (VECTOR, QUATERNION), angles))

    def jacobian(self, angles: AnyArray) -> Any:
        """Return the derivative of the tip's pose with respect to the angles.

        Parameters
        ----------
        angles : array, shape (..., n)

        Returns
        -------
        array, shape (..., 6, n)
            Times the velocities of the joints, in radians per second, it is the twist of the tip:
            its velocity, in metres per second, and then its angular velocity, both in the axes of
            the base. (That is Pinocchio's LOCAL_WORLD_ALIGNED, and MuJoCo's `mj_jac`.)
        """
        chain = self._problem.chain

        def formula(xp, t, *, angles):
            zero = 0.0 * sum(angles)
            columns = kinematics.twists(xp, chain, angles)
            return (tuple(tuple(p + zero for p in row) for row in zip(*columns, strict=True)),)

        return self._of_angles(formula, ((6, len(self.joint_names)),), angles)[0]

    def velocity(self, angles: AnyArray, twist: AnyArray, *, damping: float = 0.05) -> Any:
        """Return the velocities of the joints with which the tip moves with a twist.

        Parameters
        ----------
        angles : array, shape (..., n)
            Where the joints are, in radians.
        twist : array, shape (..., 6)
            The velocity of the tip in metres per second, then its angular velocity in radians per
            second, both in the axes of the base, as in `jacobian`.
        damping : float
            How near a singular pose the velocities are damped: where the least pivot of `J J^T` is
            below its square, with lengths in units of the limb's. 0 damps nowhere.

        Returns
        -------
        array, shape (..., n)
            Radians per second. Where nothing is damped, they give the twist exactly; of the many of
            seven joints, they are the least. Near singular poses they stay finite, and the tip
            moves slower than is asked for, above all where it cannot move (damped least squares:
            Nakamura and Hanafusa, 1986).

        Raises
        ------
        RobotError
            If `damping` is negative or not finite.
        """
        check_damping(self.tip, damping)
        chain, size = self._problem.chain, self._problem.size

        def formula(xp, t, *, angles, twist):
            columns = [
                (*times(1.0 / size, c[:3]), *c[3:]) for c in kinematics.twists(xp, chain, angles)
            ]
            zero = 0.0 * sum(angles)
            wanted = tuple(part + zero for part in (*times(1.0 / size, twist[:3]), *twist[3:]))
            return (kinematics.damped_near(xp, columns, wanted, damping),)

        count = (len(self.joint_names),)
        given = {"angles": (angles, count), "twist": (twist, (6,))}
        return batches.answers(formula, (count,), **given)[0]

    def _of_angles(self, formula, tails, angles):
        count = (len(self.joint_names),)
        return batches.answers(formula, tails, angles=(angles, count))

    # --- solving --------------------------------------------------------------------------

    def solve_all(self, position: AnyArray, rotation: AnyArray) -> Solutions:
        """Return all solutions for a pose.

        Parameters
        ----------
        position : array, shape (..., 3)
            Where the tip must be, in metres, in the axes of the base link.
        rotation : array, shape (..., 4) or (..., 3, 3)
            How the tip must be rotated: a quaternion (x, y, z, w) of any length, or a matrix whose
            columns are the axes of the tip. Matrices that are rounded are made orthonormal.

        Returns
        -------
        Solutions
            Eight branches in a fixed order, named by `branch_names`; number 0 is that of the rest
            pose. Angles are brought within their limits by whole turns where
            that is possible.

        Notes
        -----
        A branch is REACHED if the tip, by the kinematics of the file, is within 1e-9 of the limb's
        length and 1e-9 radians of the target (in float32 64 eps). If an angle is not determined,
        because two axes of a wrist are in line or the target is on the first axis, the branch is
        AMBIGUOUS: it reaches the target, and the angle is that of the rest pose. Otherwise it is
        TOO_FAR or TOO_NEAR; the bones then point to the target, and where three axes meet the
        rotation is that of the target. Numbers that are not finite, quaternions that are 0 and
        matrices that are no rotations (off by 1e-3, or mirrored) are INVALID, and NaN.
        """
        return self._solve_all(position, rotation, {})

    def reach(
        self, position: AnyArray, rotation: AnyArray, *, near: AnyArray | None = None
    ) -> Answer:
        """Return one solution: the reached branch within limits nearest to given angles.

        Parameters
        ----------
        position, rotation : array
            As for `solve_all`.
        near : array, shape (..., n), optional
            Angles such as those now; by default the rest pose.

        Returns
        -------
        Answer
            The angles, the position of the tip for these angles, the status, whether the angles
            are within their limits, and the rotation of the tip as a quaternion. Where a branch is
            AMBIGUOUS, the angle that is not determined is that of `near`. Numbers of `near` that
            are not finite make the row INVALID.
        """
        return self._reach(position, rotation, near, {})

    def solve(self, position: AnyArray, rotation: AnyArray, *, near: AnyArray | None = None) -> Any:
        """Return the angles of `reach`: shape (..., n), radians."""
        return self.reach(position, rotation, near=near).angles

    def solve_pose(
        self, position: Sequence[float], rotation: Sequence[float], branch: int | str = 0
    ) -> tuple[float, ...]:
        """Return the angles of one branch with Python floats, for control loops.

        Parameters
        ----------
        position : three numbers
            Where the tip must be, in metres, in the axes of the base link.
        rotation : four numbers
            How the tip must be rotated: a quaternion (x, y, z, w) of any length.
        branch : int or str
            The number of the branch in `solve_all`, or its name; 0 is that of the rest pose.

        Returns
        -------
        tuple of float
            The angles, those of this branch of `solve_all`, also if the pose is out of reach. There
            is no status; numbers that are not finite, and a quaternion that is 0, give NaN.

        Raises
        ------
        RobotError
            If there is no such branch.
        ShapeError, ArrayTypeError
            If `position` is not three numbers, or `rotation` not four.
        """
        return self._solve_floats(
            floats_of(position, rotation), branch_names.number_of(self, branch)
        )

    def _solve_floats(self, numbers, branch):
        code = self._floats.get(branch) or self._code_of(branch)
        x, y, z, i, j, k, w, *free = numbers
        matrix = matrix_of(i, j, k, w)
        if matrix is None or not abs(x) + abs(y) + abs(z) + sum(map(abs, free)) <= SIZE:
            return self._solve_one(numbers, branch)
        found = code(x, y, z, *matrix, *free)
        for angle, middle in zip(found, self._problem.middle, strict=True):
            if not -3.14 < angle - middle < 3.14:
                return _turned(found, self._problem.middle)
        return found

    def _solve_one(self, numbers, branch):
        """Return the angles of a branch for numbers of any size."""
        free = dict(zip(self._free, numbers[7:], strict=True))
        found = self._solve_all(numbers[:3], numbers[3:7], free)
        return tuple(found.angles[branch].tolist())

    def _code_of(self, branch):
        problem, rest = self._problem, self._rest
        names = self._free
        tails = {"position": 3, "matrix": 9} | dict.fromkeys(names, 1)

        def formula(xp, t, *, position, matrix, **free):
            rotation = times_matrix((matrix[:3], matrix[3:6], matrix[6:]), problem.zero)
            pose = Pose(position, rotation)
            return self._raw(xp, t, pose, rest, problem.signs[branch], **free).angles

        self._floats[branch] = straight.compiled(formula, tails, False)
        return self._floats[branch]

    # What a limb with a free angle does in its own way.

    _free: tuple[str, ...] = ()  # names of further arguments

    def _free_of(self, angles):
        return {}

    def _raw(self, xp, t, pose, hold, signs):
        return pose_branches.raw(xp, t, self._problem, pose, hold, signs)

    def _branch(self, xp, t, pose, hold, slack, free):
        """Return the function that solves a branch, given its signs."""

        def solve(signs):
            found = self._raw(xp, t, pose, hold, signs, **free)
            return pose_branches.finished(xp, t, self._problem, pose, found, slack)

        return solve

    # --- rows -----------------------------------------------------------------------------

    def _solve_all(self, position, rotation, free):
        count, n = len(self._problem.signs), len(self.joint_names)
        outputs = [Output((count, n), NAN), Output((count,), INVALID), Output((count,), 0.0)]

        def formula(xp, t, *, position, rotation, slack, **free):
            pose = pose_of_parts(position, rotation)
            solve = self._branch(xp, t, pose, self._rest, slack, free)
            shapes = position[0], rotation[0], *free.values()
            found = pose_choice.branches(xp, self._problem, solve, shapes)
            return (
                tuple(each.angles for each in found),
                tuple(each.status for each in found),
                tuple(each.within for each in found),
            )

        numbers = self._quickly("all", position, rotation, free)
        if numbers is not None:
            size = count * n
            return Solutions(
                np.array(numbers[:size]).reshape(count, n),
                np.array(numbers[size : size + count], np.int8),
                np.array(numbers[size + count :]) != 0,
            )
        angles, status, within = self._run("all", formula, outputs, position, rotation, free)
        return Solutions(angles, as_codes(status), within != 0)

    def _reach(self, position, rotation, near, free):
        outputs = [
            Output((len(self.joint_names),), NAN),
            Output(VECTOR, NAN),
            Output(QUATERNION, NAN),
            Output(None, INVALID),
            Output(None, 0.0),
        ]
        problem, rest = self._problem, self._rest

        def formula(xp, t, *, position, rotation, slack, near=rest, **free):
            solve = self._branch(xp, t, pose_of_parts(position, rotation), near, slack, free)
            shapes = position[0], rotation[0], near[0], *free.values()
            best = pose_choice.choose(xp, t, problem, solve, near, shapes)
            end, quaternion = pose_choice.tip_of(xp, problem.chain, best.angles)
            within = xp.where(best.within, 0.0 * best.status + 1.0, 0.0)
            return best.angles, end, quaternion, best.status, within

        given = free if near is None else {"near": near} | free
        numbers = self._quickly("best", position, rotation, given)
        if numbers is not None:
            n = len(self.joint_names)
            return Answer(
                np.array(numbers[:n]),
                np.array(numbers[n : n + 3]),
                np.int8(numbers[-2]),
                np.bool_(numbers[-1]),
                np.array(numbers[n + 3 : n + 7]),
            )
        angles, end, quaternion, status, within = self._run(
            "best", formula, outputs, position, rotation, given
        )
        return Answer(angles, end, status, within != 0, quaternion)

    def _quickly(self, key, position, rotation, more) -> Any:
        """Return the results for one plain pose, by code that was compiled; None for all others."""
        tails = [("position", 3), ("rotation", 9)]
        xyz, quaternion = numbers_of(position, 3), numbers_of(rotation, 4)
        if xyz is None or quaternion is None:
            return None
        numbers = []
        for name, value in more.items():
            tails.append((name, len(self.joint_names) if name == "near" else 1))
            if name != "near" and isinstance(value, float):  # np.float64 is one
                value = [float(value)]
            found = numbers_of(value, tails[-1][1])
            if found is None:
                return None
            numbers += found
        code = self._codes.kept.get((key, False, (*tails, ("slack", 1))))
        matrix = matrix_of(*quaternion)
        if matrix is None or not callable(code):
            return None
        if self._problem.zero != IDENTITY:
            rows = matrix[:3], matrix[3:6], matrix[6:]
            matrix = flat(times_matrix(rows, self._problem.zero))
        return code(*xyz, *matrix, *numbers, SLACK)

    def _run(self, key, formula, outputs, position, rotation, more):
        given = {"position": position, "rotation": rotation} | more
        for name, value in given.items():
            if value is None:
                raise ArrayTypeError(name, "an array", "None")
        tails = self._tails | {"rotation": tail_of_rotation(rotation)}
        problem = self._problem

        def sound(xp, t, *, position, rotation, near=(), **free):
            pose, valid = pose_choice.sound_pose(xp, t, problem, position, rotation)
            parts = {"position": pose.position, "rotation": flat(pose.rotation)}
            for part in (*near, *free.values()):
                valid = valid & pose_choice.is_finite(xp, part)
            if near:
                parts["near"] = tuple(pose_choice.finite_or_zero(xp, part) for part in near)
            for name, part in free.items():
                parts[name] = pose_choice.finite_or_zero(xp, part)
            return parts, valid

        task = Task(key, sound, formula, tuple(outputs), not self.approximate)
        return self._codes.run(task, {name: tails[name] for name in given}, given)

    @property
    def _tails(self):
        return {"position": VECTOR, "near": (len(self.joint_names),)} | dict.fromkeys(
            self._free, NUMBER
        )


def floats_of(position, rotation, *swivel):
    """Return the numbers of one pose, and of a swivel angle if there is one."""
    try:
        (x, y, z), (i, j, k, w) = position, rotation
        return tuple(map(float, (x, y, z, i, j, k, w, *swivel)))
    except (TypeError, ValueError):
        given = (("position", position, VECTOR), ("rotation", rotation, QUATERNION))
        for name, value, tail in (*given, *(("swivel", each, ()) for each in swivel)):
            if value is None:
                raise ArrayTypeError(name, "numbers", "None") from None
            shape = batches.shape_of(name, value)
            if shape != tail:
                raise ShapeError(name, f"have shape {tail}", shape) from None
            to_floats(**{f"{name} {i}": part for i, part in enumerate(value if tail else [value])})
        raise  # unreached: broken


def matrix_of(i, j, k, w):
    """Return the matrix of a quaternion as nine numbers, or None if its length is extreme."""
    square = i * i + j * j + k * k + w * w
    if not 1e-280 < square < 1e280:
        return None
    s = 2.0 / square
    si, sj, sk = s * i, s * j, s * k
    ii, jj, kk = i * si, j * sj, k * sk
    ij, ik, jk = i * sj, i * sk, j * sk
    wi, wj, wk = w * si, w * sj, w * sk
    return (
        1.0 - (jj + kk), ij - wk, ik + wj,
        ij + wk, 1.0 - (ii + kk), jk - wi,
        ik - wj, jk + wi, 1.0 - (ii + jj),
    )  # fmt: skip


def pose_of_parts(position, rotation):
    return Pose(position, (rotation[:3], rotation[3:6], rotation[6:]))


def as_codes(status):
    """Return statuses as int8, in the library of an array."""
    xp = batches.arrays.library_of({"status": status}).xp
    return xp.astype(status, xp.int8)


def tail_of_rotation(rotation):
    """Return the trailing shape of rotations: that of quaternions or of matrices."""
    shape = batches.shape_of("rotation", rotation)
    if shape[-1:] == QUATERNION:
        return QUATERNION
    if shape[-2:] == MATRIX:
        return MATRIX
    raise ShapeError("rotation", "have shape (..., 4) or (..., 3, 3)", shape)


def _turned(angles, middle):
    """Return angles with the whole turns that bring them nearest to the middle of their limits."""
    return tuple(m + math.remainder(a - m, math.tau) for a, m in zip(angles, middle, strict=True))
