"""Limbs of robots: `Leg`, whose target is a point, and `Arm`, whose target has a pitch as well."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from twobone.core import arrays, batches, vectors
from twobone.core.array_types import AnyArray, NDArray
from twobone.core.arrays import FINITE_FLOATS, NUMPY
from twobone.core.batches import NUMBER, VECTOR
from twobone.core.exact import WIDE
from twobone.core.halves import in_float32
from twobone.core.immutable import Immutable
from twobone.errors import ArrayTypeError, RobotError
from twobone.robots import (
    branch_names,
    choice,
    clamping,
    closed_form,
    float_clamping,
    floats,
    kinematics,
)
from twobone.robots.closed_form import SIZE, Goal
from twobone.robots.geometry import Geometry

BLOCK = 4096  # rows at a time: a quarter faster than `batches.BLOCK`, as few numbers are alive
Rest = Sequence[float] | Mapping[str, float] | NDArray[Any]


class Solutions(NamedTuple):
    """All solutions for a target, the result of `solve_all`."""

    angles: Any  # shape (..., k, n), radians: k branches, the angles of n joints
    status: Any  # shape (..., k), codes of `twobone.Status`
    within: Any  # shape (..., k), whether all angles are within their limits


class Answer(NamedTuple):
    """One solution for a target, the result of `reach`."""

    angles: Any  # shape (..., n), radians
    end: Any  # shape (..., 3), where these angles put the tip
    status: Any  # shape (...), codes of `twobone.Status`
    within: Any  # shape (...), whether the solution is within the limits
    rotation: Any = None  # shape (..., 4), the tip's quaternion xyzw; None if targets are points


class _Limb(Immutable):
    """What legs and arms share."""

    _set_once = (
        "tip",
        "base",
        "joint_names",
        "limits",
        "rest",
        "bones",
        "offset",
        "skew",
        "_problem",
        "_constants",
        "_shared",
        "_rest",
    )
    tip: str
    base: str
    joint_names: tuple[str, ...]
    limits: NDArray[np.float64]
    rest: NDArray[np.float64]
    bones: tuple[float, ...]
    offset: float
    skew: float
    _constants: dict[Any, Any] | None

    def __init__(self, geometry: Geometry, rest: Rest | None = None) -> None:
        chain = geometry.chain
        self.tip = chain.tip
        self.base = chain.base
        self.joint_names = tuple(joint.name for joint in chain.joints)
        self.limits = frozen([joint.limits for joint in chain.joints])
        given = None if rest is None else rest_of(self, rest)
        problem = closed_form.problem_of(geometry, given)
        self._rest = problem.middle if given is None else given
        self.rest = frozen(self._rest)
        last = geometry.last if geometry.roll is None else geometry.roll.fixed[1:]
        more = () if last is None else (math.hypot(*last),)
        self.bones = (problem.r1, problem.r2, *more)
        self.offset = geometry.offset
        self.skew = geometry.skew
        self._problem = problem
        self._constants = floats.constants_of(problem)
        self._shared = floats.shared_of(problem)

    def __repr__(self) -> str:
        bones = ", ".join(f"{bone:.4g}" for bone in self.bones)
        return f"{type(self).__name__}({self.tip!r}, joints={self.joint_names}, bones=({bones}))"

    @property
    def _chain(self):
        return self._problem.geometry.chain

    def forward_kinematics(self, angles: AnyArray) -> Any:
        """Return the position of the tip.

        Parameters
        ----------
        angles : array, shape (..., n)
            Radians, in the order of `joint_names`.

        Returns
        -------
        array, shape (..., 3)
            Metres, in the axes of the base link.
        """

        def formula(xp, t, *, angles):
            return (kinematics.forward(xp, self._problem.geometry.chain, angles),)

        return self._run(formula, [VECTOR], angles=angles)[0]

    def jacobian(self, angles: AnyArray) -> Any:
        """Return the derivative of the tip's position with respect to the angles.

        Parameters
        ----------
        angles : array, shape (..., n)

        Returns
        -------
        array, shape (..., 3, n)
            Metres for each radian. Its transpose times a force at the tip, in newtons, are the
            torques of the joints that produce it.
        """

        def formula(xp, t, *, angles):
            columns = kinematics.jacobian(xp, self._problem.geometry.chain, angles)[1]
            zero = 0.0 * sum(angles)
            return (
                tuple(tuple(part + zero for part in row) for row in zip(*columns, strict=True)),
            )

        return self._run(formula, [(3, len(self.joint_names))], angles=angles)[0]

    def _velocity(self, damping, angles, velocity, **rates):
        """Return the velocities of the joints for those of the tip, the pitch and the roll."""
        check_damping(self.tip, damping)
        g, count = self._problem.geometry, (len(self.joint_names),)

        def formula(xp, t, *, angles, velocity, **rates):
            columns = [
                vectors.times(1.0 / g.length, column)
                for column in kinematics.jacobian(xp, g.chain, angles)[1]
            ]
            wanted = vectors.times(1.0 / g.length, velocity)
            if g.tool is not None:
                columns = [(*c, *rate) for c, rate in zip(columns, self._turning(), strict=True)]
                wanted = (*wanted, *rates.values())
            zero = 0.0 * (sum(angles) + sum(wanted))
            return (kinematics.damped_near(xp, columns, [part + zero for part in wanted], damping),)

        return self._run(formula, [count], angles=angles, velocity=velocity, **rates)[0]

    def _turning(self):
        """Return how fast pitch and roll change with each angle."""
        g = self._problem.geometry
        up = g.forward[0] * g.forward[1]
        rates = [up * sign for sign in g.signs]
        rates = [0.0, *rates] if g.yaw else rates
        if g.roll is None:
            return [(rate,) for rate in rates]
        return [*((rate, 0.0) for rate in rates), (0.0, 1.0)]

    @functools.cached_property
    def branch_names(self) -> tuple[str, ...]:
        """A name for each branch: see the class."""
        angles = branch_names.poses_around(self.limits, self.rest)
        found = self._all(**self._goal_of(angles))
        yaw, size = self._problem.geometry.yaw, self._problem.geometry.length
        parts = branch_names.parts_of_plane(self._chain, yaw, self._PARTS)
        reached = closed_form.is_reached(found.status)
        return branch_names.names_of(self._chain, parts, found.angles, reached, size)

    _PARTS = ("hip", "knee")

    def _goal_of(self, angles) -> dict[str, Any]:
        """Return the targets that a limb reaches with angles."""
        return {"target": self.forward_kinematics(angles)}

    # --- solving --------------------------------------------------------------------------

    def _all(self, **given):
        goal = floats.goal_of(**given)
        if goal is not None:
            problem, shared = self._problem, self._shared
            found, seen = floats.find(problem, shared, goal)
            every = (
                floats.finished(problem, shared, seen, branch, signs)
                for branch, signs in zip(found, problem.signs, strict=True)
            )
            angles, status, within = zip(*every, strict=True)
            return Solutions(np.array(angles), np.array(status, np.int8), np.array(within))
        return self._every(self._problem, **given)

    def _all_exactly(self, target):
        """Return all solutions for targets, corrected also if axes are off by rounding alone.

        That is less than 1e-10 radians, which move a tip by less than 1e-10 of the limb's length.
        """
        corrects = self._problem.geometry.skew > 0.0
        return self._every(self._problem._replace(corrects=corrects), target=target)

    def _every(self, problem, **given):
        count = len(problem.signs)

        def formula(xp, t, *, target, pitch=None, roll=None):
            found = closed_form.branches(xp, t, problem, Goal(target, pitch, roll))
            within = [xp.where(each.within, one_of(xp, each), 0.0) for each in found]
            return tuple(each.angles for each in found), *(e.status for e in found), *within

        outputs = [(count, len(self.joint_names)), *[None] * (2 * count)]
        angles, *codes = self._run(formula, outputs, **given)
        xp = _library(angles).xp
        status, within = (xp.stack(part, axis=-1) for part in (codes[:count], codes[count:]))
        return Solutions(angles, status, within != 0)

    def _reach(self, near, limits, **given):
        if limits not in (None, "clamp"):
            raise RobotError(f'`limits` must be None or "clamp", got {limits!r}.', tip=self.tip)
        problem, clamps = self._problem, limits == "clamp"
        rest = self._rest
        goal = floats.goal_of(**given)
        now = rest if near is None else floats.numbers_of(near, len(rest))
        if goal is not None and now is not None:
            best = (float_clamping.clamp if clamps else floats.choose)(
                problem, self._shared, goal, now
            )
            return Answer(
                np.array(best.angles),
                np.array(best.end),
                np.int8(best.status),
                np.bool_(best.within),
            )

        def solution(choose):
            def formula(xp, t, *, target, pitch=None, roll=None, near=rest):
                found = choose(xp, t, problem, Goal(target, pitch, roll), near)
                within = xp.where(found.within, one_of(xp, found), 0.0)
                return found.angles, found.end, found.status, within

            return formula

        outputs = [(len(self.joint_names),), VECTOR, None, None]
        given |= {} if near is None else {"near": near}
        if clamps:
            # Most rows of arrays of NumPy are reached within limits, which costs far less.
            first = functools.partial(choice.choose, clips=True)
            found = self._run(
                solution(clamping.clamp), outputs, (solution(first), _are_missed), **given
            )
        else:
            found = self._run(solution(choice.choose), outputs, **given)
        angles, end, status, within = found
        return Answer(angles, end, status, within != 0)

    def _solve_xyz(self, branch, x, y, z, pitch=None, roll=None):
        branch = branch_names.number_of(self, branch)
        goal = Goal((x, y, z), pitch, roll)
        return floats.solve_any(self._problem, self._shared, branch, goal)

    @in_float32
    def _run(self, formula, outputs, first=None, **given):
        """Apply a formula to arguments of any library.

        NumPy's float32 is solved in float64, with the tolerances of float32. With `first`, another
        formula and a function, the formula is applied to those rows of arrays of NumPy of whose
        results by the other one the function says so.
        """
        count = (len(self.joint_names),)
        for name, value in given.items():
            if value is None:
                raise ArrayTypeError(name, "an array", "None")
        tails = {"target": VECTOR, "angles": count, "near": count, "velocity": VECTOR}
        tails |= dict.fromkeys(("pitch", "roll", "pitch_rate", "roll_rate"), NUMBER)
        found = batches.gather(given, tails)
        if found.library is not NUMPY:
            return batches.run(formula, found, outputs)
        dtype = next(iter(found.values.values())).dtype
        if dtype != np.float64:
            wide = {name: value.astype(np.float64) for name, value in found.values.items()}
            found = found._replace(values=wide, real=WIDE)
        results = _one(formula, found, outputs) if not found.shape else None
        if results is None and first is not None and found.shape:
            results = batches.run(first[0], found, outputs, block=BLOCK)
            results = batches.mend(formula, found, outputs, results, first[1](results))
        results = results or batches.run(formula, found, outputs, block=BLOCK)
        return [
            part if tail is None else part.astype(dtype, copy=False)
            for part, tail in zip(results, outputs, strict=True)
        ]


def check_damping(tip, damping):
    """Raise if a damping is none."""
    if not 0.0 <= damping < math.inf:
        message = f"{tip}: `damping` must be a positive number or 0, got {damping!r}."
        raise RobotError(message, tip=tip)


def _are_missed(results):
    """Return which solutions are not reached within limits."""
    *_, status, within = results
    return ~(closed_form.is_reached(status) & (within != 0))


def one_of(xp, found):
    """Return ones of the shape of an answer's status."""
    return 0.0 * found.status + 1.0


def _one(formula, given, outputs):
    """Apply a formula to one row of numbers, or return None if their sum may be infinite or NaN."""
    parts = {
        name: tuple(value.tolist()) if value.ndim else value.item()
        for name, value in given.values.items()
    }
    numbers = [part for value in parts.values() for part in arrays.flat(value)]
    if not math.isfinite(sum(map(abs, numbers))):
        return None
    found = formula(FINITE_FLOATS, given.real, **parts)
    return [
        np.int8(part) if tail is None else np.array(part)[()]
        for part, tail in zip(found, outputs, strict=True)
    ]


def _library(array):
    return arrays.library_of({"angles": array})


def frozen(values):
    array = np.array(values, np.float64)
    array.flags.writeable = False
    return array


def rest_of(limb, rest):
    """Return angles by joint, given in the order of the joints or by their names."""
    names = limb.joint_names
    if isinstance(rest, Mapping):
        missing = [name for name in names if name not in rest]
        if missing:
            message = f"{limb.tip}: `rest` must have all joints, and has no {missing[0]!r}."
            raise RobotError(message, tip=limb.tip)
        rest = [rest[name] for name in names]
    values = np.asarray(arrays.as_array(NUMPY, "rest", rest), np.float64)
    if values.shape != (len(names),) or not np.isfinite(values).all():
        wanted = f"be {len(names)} finite angles ({', '.join(names)})"
        raise RobotError(f"{limb.tip}: `rest` must {wanted}, got {rest!r}.", tip=limb.tip)
    return tuple(values.tolist())


class Leg(_Limb):
    """A leg: a joint, and two parallel ones perpendicular to it; or the two parallel ones alone.

    Made by `Robot.leg`, `Robot.limb` and `from_mujoco`. Its target is a point.

    Attributes
    ----------
    tip, base : str
        Names of links. Targets are positions of the tip in the axes of the base.
    joint_names : tuple of str
        The joints, in the order of the angles.
    limits : ndarray, shape (n, 2)
        The least and the greatest angle of each joint, in radians; infinite if there is none.
    rest : ndarray, shape (n,)
        The rest pose, by default the middle of the limits. It determines which branch is number 0.
    bones : tuple of float
        The lengths of both bones, measured perpendicular to the parallel axes.
    offset : float
        The signed distance of the tip from the plane through the first axis that is perpendicular
        to the parallel axes. No target nearer to the first axis can be reached.
    skew : float
        By how many radians axes are not parallel or not perpendicular.
    branch_names : tuple of str
        A name for each branch, such as "hip left, knee backward". It says where the knee is, and to
        which side of the first axis the bones are, in the axes of the base: forward is +x, left +y
        and up +z, with the tip about where it is at rest. If both sides are the same, it says which
        branches have a first joint that differs from the rest pose: "knee up, hip flipped".

    Examples
    --------
    >>> from twobone import robots
    >>> joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/>'
    >>> joint += '<origin xyz="{3}"/><axis xyz="{4}"/></joint>'
    >>> names = ["body", "hip", "thigh", "shin"]
    >>> text = "".join(f'<link name="{name}"/>' for name in [*names, "foot"])
    >>> text += joint.format("abduct", "body", "hip", "0.2 0.1 0", "1 0 0")
    >>> text += joint.format("swing", "hip", "thigh", "0 0.1 0", "0 1 0")
    >>> text += joint.format("knee", "thigh", "shin", "0 0 -0.2", "0 1 0")
    >>> text += joint.format("ankle", "shin", "foot", "0 0 -0.2", "0 1 0")
    >>> leg = robots.read_urdf(f"<robot>{text}</robot>").leg("foot", rest=[0.0, 0.8, -1.6])
    >>> leg
    Leg('foot', joints=('abduct', 'swing', 'knee'), bones=(0.2, 0.2))
    >>> leg.solve([0.2, 0.2, -0.3]).round(3)
    array([ 0.   ,  0.723, -1.445])
    >>> leg.solve_all([0.2, 0.2, -0.3]).angles.shape
    (4, 3)
    """

    def solve_all(self, target: AnyArray) -> Solutions:
        """Return all solutions for a target.

        Parameters
        ----------
        target : array, shape (..., 3)
            Where the tip must be, in metres, in the axes of the base link.

        Returns
        -------
        Solutions
            Four branches in a fixed order; two for a leg without a first joint. The first is that
            of the rest pose, the second has the knee on the other side, and the third and fourth
            are those with the first joint rotated so that the leg points to the other side. Angles
            are brought within their limits by whole turns where that is possible.

        Notes
        -----
        A branch is REACHED if its tip is within 1e-9 of the limb's length of the target (in float32
        within 8 eps). A target nearer to the first axis than `offset` is TOO_NEAR. On the first
        axis, if `offset` is 0, the first angle is not determined: AMBIGUOUS, and 0. For a leg of
        two joints, a target beside its plane is TOO_FAR. If the target cannot be reached, the
        first joint rotates as if it could be, and the others bring the tip as near to it as they
        can. (With an `offset`, another angle of the first joint would bring it a little nearer:
        `reach` with `limits="clamp"` finds it.) NaN is INVALID.
        """
        return self._all(target=target)

    def reach(
        self,
        target: AnyArray,
        *,
        near: AnyArray | None = None,
        limits: Literal["clamp"] | None = None,
    ) -> Answer:
        """Return one solution: the reached branch within limits nearest to given angles.

        Parameters
        ----------
        target : array, shape (..., 3)
            Where the tip must be, in metres, in the axes of the base link.
        near : array, shape (..., n), optional
            Angles such as those now; by default the rest pose.
        limits : "clamp", optional
            Keep all angles within their limits, and bring the tip as near to the target as that
            allows. By default limits only affect the choice: a solution outside of them is
            returned if no other is reached, and `within` is False.

        Returns
        -------
        Answer
            The angles, the position of the tip for these angles, the status, and whether the
            solution is within limits. With "clamp", `within` is False if a joint is held at a
            limit; a tip that misses the target because of that is TOO_FAR if it is nearer to the
            hip than the target by more than 1e-9 of the limb's length, otherwise TOO_NEAR.

        Notes
        -----
        With "clamp", no pose within the limits brings the tip nearer to the target, up to rounding
        (`skew` times the leg's length if that is more; 1e-7 times that length for targets that are
        more than 2^24 lengths away). Solutions that are reached within limits are the same as
        without it. Of poses that are equally near, that nearest to `near` is taken, so the angles
        jump where a moving target comes nearer to another part of what the leg reaches. Derivatives
        are those of the nearest pose: joints at their limits have none.

        Rounding decides no tie: of solutions that are as near to `near` as others, the first one is
        taken. So a target has one answer, alone and in an array, but for rounding, and for whole
        turns: an angle half a turn from that in `near` may be either of two.

        Examples
        --------
        >>> from twobone import robots
        >>> joint = '<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/>'
        >>> joint += '<origin xyz="{3}"/><axis xyz="0 1 0"/>'
        >>> joint += '<limit lower="{4}" upper="{5}"/></joint>'
        >>> text = "".join(f'<link name="{name}"/>' for name in ("body", "thigh", "shin"))
        >>> text += joint.format("hip", "body", "thigh", "0 0 0", -1.0, 1.0)
        >>> text += joint.format("knee", "thigh", "shin", "0 0 -0.2", 0.5, 2.0)
        >>> leg = robots.read_urdf(f"<robot>{text}</robot>").leg("shin", point=[0, 0, -0.2])
        >>> target = [-0.3, 0.0, 0.1]
        >>> leg.reach(target).angles.round(3)
        array([1.233, 1.318])
        >>> answer = leg.reach(target, limits="clamp")  # the knee makes up for the hip
        >>> answer.angles.round(3), answer.end.round(3), answer.within
        (array([1.   , 1.577]), array([-0.275,  0.   ,  0.061]), np.False_)
        """
        return self._reach(near, limits, target=target)

    def solve(
        self,
        target: AnyArray,
        *,
        near: AnyArray | None = None,
        limits: Literal["clamp"] | None = None,
    ) -> Any:
        """Return the angles of `reach`: shape (..., n), radians."""
        return self.reach(target, near=near, limits=limits).angles

    def velocity(self, angles: AnyArray, velocity: AnyArray, *, damping: float = 0.05) -> Any:
        """Return the velocities of the joints with which the tip moves with a velocity.

        Parameters
        ----------
        angles : array, shape (..., n)
            Where the joints are, in radians.
        velocity : array, shape (..., 3)
            The velocity of the tip in metres per second, in the axes of the base link.
        damping : float
            How near a singular pose, such as that of a straight leg, the velocities are damped:
            where the least pivot of `J J^T` (of `J^T J` for two joints) is below its square, with
            lengths in units of the limb's. 0 damps nowhere.

        Returns
        -------
        array, shape (..., n)
            Radians per second. Where nothing is damped, the tip has the velocity, of which two
            joints leave out the part beside their plane. Near singular poses they stay finite, and
            the tip moves slower (damped least squares).

        Raises
        ------
        RobotError
            If `damping` is negative or not finite.
        """
        return self._velocity(damping, angles, velocity)

    def solve_xyz(self, x: float, y: float, z: float, branch: int | str = 0) -> tuple[float, ...]:
        """Return the angles of one branch with Python floats, for control loops.

        Parameters
        ----------
        x, y, z : float
            Where the tip must be, in metres, in the axes of the base link.
        branch : int or str
            The number of the branch in `solve_all`, or its name; 0 is that of the rest pose.

        Returns
        -------
        tuple of float
            The angles, those of this branch of `solve_all`, also if the target is out of reach.
            There is no status; a number that is not finite gives NaN.

        Raises
        ------
        RobotError
            If there is no such branch.
        """
        if self._constants and -SIZE <= x <= SIZE and -SIZE <= y <= SIZE and -SIZE <= z <= SIZE:
            try:
                constants = self._constants[branch]
            except (KeyError, TypeError):
                constants = self._constants[branch_names.number_of(self, branch)]
            return floats.solve_leg(constants, x, y, z)
        return self._solve_xyz(branch, x, y, z)


class Arm(_Limb):
    """An arm: a joint, three parallel ones perpendicular to it, and perhaps one that rolls.

    Or the three parallel ones alone: an arm that moves in a plane. A target beside it is TOO_FAR.

    Made by `Robot.arm`, `Robot.limb` and `from_mujoco`. Its target is a point, the pitch of the
    tool and, with five joints, the angle of the last one. The attributes are those of `Leg`;
    `bones` has three lengths, the last from the last parallel joint to the tip.

    The *tool's axis* is that of the last joint if there are five, otherwise the direction from the
    last joint to the tip. Its *pitch* is its angle over the plane perpendicular to the first axis:
    positive towards the base's +z, 0 if it points forward, pi / 2 up and -pi / 2 down. Forward is
    where the tip is while all angles are 0; it rotates with the first joint. Of an arm whose tip is
    on its first axis then, such as one that points up, it is the base's +x, or +y or +z if the
    plane of the arm has no +x.

    Examples
    --------
    >>> from twobone import robots
    >>> joint = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>'
    >>> joint += '<origin xyz="{4}"/><axis xyz="{5}"/></joint>'
    >>> text = "".join(f'<link name="{name}"/>' for name in "abcdef")
    >>> text += joint.format("pan", "continuous", "a", "b", "0 0 0.1", "0 0 1")
    >>> text += joint.format("lift", "continuous", "b", "c", "0 0 0", "0 -1 0")
    >>> text += joint.format("elbow", "continuous", "c", "d", "0.1 0 0", "0 -1 0")
    >>> text += joint.format("wrist", "continuous", "d", "e", "0.1 0 0", "0 -1 0")
    >>> text += joint.format("tool", "fixed", "e", "f", "0.05 0 0", "1 0 0")
    >>> arm = robots.read_urdf(f"<robot>{text}</robot>").arm("f", rest=[0.0, 0.5, -0.5, -1.0])
    >>> answer = arm.reach([0.15, 0.05, 0.0], pitch=-1.5707963267948966)
    >>> answer.end.round(9), arm.pitch(answer.angles).round(9)
    (array([0.15, 0.05, 0.  ]), np.float64(-1.570796327))
    """

    def solve_all(
        self, target: AnyArray, *, pitch: AnyArray, roll: AnyArray | None = None
    ) -> Solutions:
        """Return all solutions for a target.

        Parameters
        ----------
        target : array, shape (..., 3)
            Where the tip must be, in metres, in the axes of the base link.
        pitch : number or array, shape (...)
            The pitch of the tool's axis, in radians.
        roll : number or array, shape (...), optional
            The angle of the last of five joints, by default 0. Four joints take none.

        Returns
        -------
        Solutions
            Four branches in a fixed order, as for `Leg.solve_all`: that of the rest pose, that
            with the elbow on the other side, and both with the arm pointing to the other side of
            the first axis. Statuses are those of `Leg.solve_all`.
        """
        return self._all(target=target, **self._tool(pitch, roll))

    def reach(
        self,
        target: AnyArray,
        *,
        pitch: AnyArray,
        roll: AnyArray | None = None,
        near: AnyArray | None = None,
        limits: Literal["clamp"] | None = None,
    ) -> Answer:
        """Return one solution: the reached branch within limits nearest to given angles.

        Parameters
        ----------
        target, pitch, roll
            As for `solve_all`.
        near
            As for `Leg.reach`.
        limits : "clamp", optional
            Clip each angle to its limits, and choose the branch whose tip then comes nearest to the
            target. By default limits only affect the choice, as for `Leg.reach`.

        Returns
        -------
        Answer
            As for `Leg.reach`. With "clamp", `within` says whether the solution was within limits
            before it was clipped. Unlike that of a leg, a clipped solution is not always the
            nearest to the target, and the tool does not keep its pitch.
        """
        return self._reach(near, limits, target=target, **self._tool(pitch, roll))

    def solve(
        self,
        target: AnyArray,
        *,
        pitch: AnyArray,
        roll: AnyArray | None = None,
        near: AnyArray | None = None,
        limits: Literal["clamp"] | None = None,
    ) -> Any:
        """Return the angles of `reach`: shape (..., n), radians."""
        return self.reach(target, pitch=pitch, roll=roll, near=near, limits=limits).angles

    def solve_xyz(
        self,
        x: float,
        y: float,
        z: float,
        pitch: float,
        roll: float | None = None,
        branch: int | str = 0,
    ) -> tuple[float, ...]:
        """Return the angles of one branch with Python floats, for control loops.

        Parameters
        ----------
        x, y, z : float
            Where the tip must be, in metres, in the axes of the base link.
        pitch, roll : float
            As for `solve_all`.
        branch : int or str
            The number of the branch in `solve_all`, or its name; 0 is that of the rest pose.

        Returns
        -------
        tuple of float
            The angles, those of this branch of `solve_all`, also if the target is out of reach.
            There is no status; a number that is not finite gives NaN.

        Raises
        ------
        RobotError
            If there is no such branch.
        """
        return self._solve_xyz(branch, x, y, z, **self._tool(pitch, roll))

    def velocity(
        self,
        angles: AnyArray,
        velocity: AnyArray,
        *,
        pitch_rate: AnyArray = 0.0,
        roll_rate: AnyArray | None = None,
        damping: float = 0.05,
    ) -> Any:
        """Return the velocities of the joints with which the tool moves as wanted.

        Parameters
        ----------
        angles : array, shape (..., n)
            Where the joints are, in radians.
        velocity : array, shape (..., 3)
            The velocity of the tip in metres per second, in the axes of the base link.
        pitch_rate : number or array, shape (...)
            How fast the tool's pitch changes, in radians per second.
        roll_rate : number or array, shape (...), optional
            The velocity of the last of five joints, by default 0. Four joints take none.
        damping : float
            As for `Leg.velocity`.

        Returns
        -------
        array, shape (..., n)
            Radians per second, as from `Leg.velocity`.

        Raises
        ------
        RobotError
            If `damping` is negative or not finite.
        """
        rates = {"pitch_rate": pitch_rate} | self._rolling("roll_rate", roll_rate)
        return self._velocity(damping, angles, velocity, **rates)

    def pitch(self, angles: AnyArray) -> Any:
        """Return the pitch of the tool's axis, from -pi to pi.

        Parameters
        ----------
        angles : array, shape (..., n)

        Returns
        -------
        array, shape (...)
        """
        g = self._problem.geometry

        def formula(xp, t, *, angles):
            turned = sum(s * q for s, q in zip(g.signs, angles[int(g.yaw) :], strict=False))
            return (closed_form.turn_to_pitch(xp, g, turned),)

        return self._run(formula, [NUMBER], angles=angles)[0]

    _PARTS = ("shoulder", "elbow")

    def _goal_of(self, angles):
        rolls = self._problem.geometry.roll is not None
        return super()._goal_of(angles) | self._tool(
            self.pitch(angles), angles[..., -1] if rolls else None
        )

    def _tool(self, pitch, roll):
        return {"pitch": pitch} | self._rolling("roll", roll)

    def _rolling(self, name, value):
        """Return an argument about the last of five joints by its name; no other arm has one."""
        rolls = self._problem.geometry.roll is not None
        if value is not None and not rolls:
            message = f"{self.tip}: `{name}` must be left out, because no joint rolls the tool."
            raise RobotError(message, tip=self.tip)
        return {name: 0.0 if value is None else value} if rolls else {}
