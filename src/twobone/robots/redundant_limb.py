"""Limbs of seven joints, `RedundantLimb`: a pose and one free angle, and its ranges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twobone.core import batches
from twobone.core.array_types import AnyArray, NDArray
from twobone.core.arrays import NUMPY
from twobone.core.batches import NUMBER, VECTOR
from twobone.errors import ArrayTypeError, RobotError
from twobone.robots import given_ranges, redundant
from twobone.robots.branch_names import number_of
from twobone.robots.closed_form import NAN
from twobone.robots.intervals import TINY, filled, intervals, joined
from twobone.robots.limb import Answer, Solutions
from twobone.robots.pose_branches import flat
from twobone.robots.pose_choice import finite_or_zero, is_finite, sound_pose
from twobone.robots.pose_limb import PoseLimb, floats_of, pose_of_parts, tail_of_rotation
from twobone.robots.rows import Output, Task
from twobone.robots.structure import SWIVEL


class RedundantLimb(PoseLimb):
    """An arm or a leg of seven joints: its target is a pose, and one angle is free.

    Made by `Robot.limb` and `from_mujoco`. The free angle, `swivel` in all methods, is

    * the *swivel angle* of the elbow if three axes meet at the shoulder and three at the wrist
      (KUKA iiwa, Kinova Gen3, arms of humanoids). Shoulder and wrist stay where they are while the
      elbow moves on a circle about the line between them. The swivel angle is the angle about that
      line from `reference`, a coordinate axis of the base link, to the direction in which the elbow
      bends; counterclockwise as seen from the wrist;
    * otherwise the angle of `given`, the joint at one end (the last one of a Panda or an xArm7,
      the first one of a TIAGo).

    Further attributes are those of `PoseLimb`.

    Attributes
    ----------
    given : str
        "swivel", or the name of the joint whose angle is given.
    reference : tuple of float or None
        The axis of the base from which the swivel angle is measured: the one that is most
        perpendicular to the line from shoulder to wrist in the rest pose. If the arm is in line
        with it, it is the next one of x, y and z.

    Examples
    --------
    >>> from twobone import robots
    >>> joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/>'
    >>> joint += '<origin xyz="0 0 {3}"/><axis xyz="{4}"/></joint>'
    >>> text = "".join(f'<link name="{i}"/>' for i in range(8))
    >>> for i, z in enumerate((0.36, 0.0, 0.0, 0.42, 0.0, 0.4, 0.0)):
    ...     text += joint.format(f"a{i + 1}", i, i + 1, z, "0 1 0" if i % 2 else "0 0 1")
    >>> rest = [0.0, 0.5, 0.0, -1.5, 0.0, 1.0, 0.0]
    >>> robot = robots.read_urdf(f"<robot>{text}</robot>")
    >>> arm = robot.redundant_limb("7", rest=rest)
    >>> arm.given, arm.reference
    ('swivel', (0.0, 1.0, 0.0))
    >>> pose = [0.4, 0.1, 0.6], [0.0, 1.0, 0.0, 0.0]
    >>> answer = arm.reach(*pose, swivel=1.0)
    >>> answer.end.round(9), float(arm.swivel(answer.angles).round(9))
    (array([0.4, 0.1, 0.6]), 1.0)
    >>> arm.reach(*pose, elbow=[0.0, 1.0, 0.5]).angles.round(3)
    array([ 1.23 ,  1.26 ,  1.138, -1.901, -2.022,  1.854, -0.805])
    """

    _set_once = (*PoseLimb._set_once, "given", "reference")
    _free = ("swivel",)
    given: str
    reference: tuple[float, ...] | None

    def __init__(self, chain, fit, rest=None) -> None:
        super().__init__(chain, fit, rest)
        swivels = fit.kind == SWIVEL
        self.given = "swivel" if swivels else self.joint_names[fit.given]
        self.reference = self._problem.references[0] if swivels else None

    def _problem_of(self, chain, fit, rest):
        return redundant.problem_of(chain, fit, rest)

    def _free_of(self, angles):
        return {"swivel": self.swivel(angles)}

    def _raw(self, xp, t, pose, hold, signs, swivel):
        return redundant.raw(xp, t, self._problem, pose, hold, signs, swivel)

    # --- solving --------------------------------------------------------------------------

    def solve_all(
        self, position: AnyArray, rotation: AnyArray, *, swivel: AnyArray | None = None
    ) -> Solutions:
        """Return all solutions for a pose and a swivel angle.

        Parameters
        ----------
        position, rotation : array
            As for `PoseLimb.solve_all`.
        swivel : number or array, shape (...), optional
            The free angle, in radians; by default that of the rest pose.

        Returns
        -------
        Solutions
            Eight branches in a fixed order, as for `PoseLimb.solve_all`. The elbow of all of them
            bends in the same direction.
        """
        swivel = self.swivel(self.rest) if swivel is None else swivel
        return self._solve_all(position, rotation, {"swivel": swivel})

    def reach(
        self,
        position: AnyArray,
        rotation: AnyArray,
        *,
        near: AnyArray | None = None,
        swivel: AnyArray | Literal["limits"] | None = None,
        elbow: AnyArray | None = None,
    ) -> Answer:
        """Return one solution: the reached branch within limits nearest to given angles.

        Parameters
        ----------
        position, rotation : array
            As for `PoseLimb.solve_all`.
        near : array, shape (..., 7), optional
            Angles such as those now; by default the rest pose.
        swivel : number, array of shape (...), or "limits", optional
            The free angle, in radians; by default that of `near`. "limits" is the angle nearest to
            that one with which all joints are within their limits, if there is one: see
            `swivel_ranges`. (NumPy only.)
        elbow : array, shape (..., 3), optional
            A point in the axes of the base link towards which the elbow bends, in place of a swivel
            angle.

        Returns
        -------
        Answer
            As for `PoseLimb.reach`. `RedundantLimb.swivel` returns the free angle of its angles.

        Raises
        ------
        RobotError
            If both `swivel` and `elbow` are given, or `elbow` for a limb without a swivel angle.
        """
        if elbow is not None:
            if swivel is not None:
                message = f"{self.tip}: `swivel` and `elbow` exclude each other."
                raise RobotError(message, tip=self.tip)
            swivel = self._towards(position, rotation, elbow)
        elif swivel is None or isinstance(swivel, str):
            now = self.swivel(self.rest if near is None else near)
            swivel = now if swivel is None else self._nearest(position, rotation, now, swivel)
        return self._reach(position, rotation, near, {"swivel": swivel})

    def solve(
        self,
        position: AnyArray,
        rotation: AnyArray,
        *,
        near: AnyArray | None = None,
        swivel: AnyArray | Literal["limits"] | None = None,
        elbow: AnyArray | None = None,
    ) -> Any:
        """Return the angles of `reach`: shape (..., 7), radians."""
        answer = self.reach(position, rotation, near=near, swivel=swivel, elbow=elbow)
        return answer.angles

    def solve_pose(
        self,
        position: Sequence[float],
        rotation: Sequence[float],
        branch: int | str = 0,
        *,
        swivel: float | None = None,
    ) -> tuple[float, ...]:
        """Return the angles of one branch with Python floats, for control loops.

        Parameters
        ----------
        position, rotation, branch
            As for `PoseLimb.solve_pose`.
        swivel : float, optional
            The free angle, in radians; by default that of the rest pose.

        Returns
        -------
        tuple of float
            The angles, those of this branch of `solve_all`.

        Raises
        ------
        RobotError
            If there is no such branch.
        ShapeError, ArrayTypeError
            If `position` is not three numbers, `rotation` not four, or `swivel` not one.
        """
        swivel = float(self.swivel(self.rest)) if swivel is None else swivel
        numbers = floats_of(position, rotation, swivel)
        return self._solve_floats(numbers, number_of(self, branch))

    # --- the free angle -------------------------------------------------------------------

    def swivel(self, angles: AnyArray) -> Any:
        """Return the free angle of some angles: the swivel angle, or that of the joint `given`.

        Parameters
        ----------
        angles : array, shape (..., 7)

        Returns
        -------
        array, shape (...)
            Radians; a swivel angle is in [-pi, pi]. If the wrist is at the shoulder it is 0.
        """

        def formula(xp, t, *, angles):
            return (redundant.free_of(xp, self._problem, angles, t) + 0.0 * angles[0],)

        return self._of_angles(formula, (NUMBER,), angles)[0]

    def _towards(self, position, rotation, elbow):
        if self.given != "swivel":
            message = f"{self.tip}: `elbow` is for limbs with a swivel angle; this one is given"
            raise RobotError(f"{message} the angle of {self.given}.", tip=self.tip)
        given = {"position": position, "rotation": rotation, "elbow": elbow}
        tails = {"position": VECTOR, "rotation": tail_of_rotation(rotation), "elbow": VECTOR}

        def sound(xp, t, *, position, rotation, elbow):
            pose, valid = sound_pose(xp, t, self._problem, position, rotation)
            for part in elbow:
                valid = valid & is_finite(xp, part)
            parts = {"position": pose.position, "rotation": flat(pose.rotation)}
            return parts | {"elbow": tuple(finite_or_zero(xp, part) for part in elbow)}, valid

        def formula(xp, t, *, position, rotation, elbow, slack):
            pose = pose_of_parts(position, rotation)
            return (redundant.free_towards(xp, t, self._problem, pose, elbow),)

        task = Task("elbow", sound, formula, (Output((), NAN),))
        return self._codes.run(task, tails, given)[0]

    # --- limits ---------------------------------------------------------------------------

    def swivel_ranges(self, position: AnyArray, rotation: AnyArray) -> NDArray[np.float64]:
        """Return the intervals of the free angle in which all joints are within their limits.

        Parameters
        ----------
        position, rotation : array
            As for `PoseLimb.solve_all`; NumPy arrays, lists or numbers.

        Returns
        -------
        ndarray, shape (..., 8, k, 2)
            For each branch k intervals, of which those that there are not are NaN; k is the
            greatest number of intervals of a branch, at least 1. An interval goes from its first
            number, in [-pi, pi], up to its second one; that is greater than pi if the interval goes
            on past pi. Intervals of a whole turn are [-pi, pi]. If a joint is given whose limits
            are less than a turn apart, both numbers are within these.

        Notes
        -----
        All angles at which a joint is at a limit, or a branch ends, are solved for, so no interval
        is missed: for swivel angles in closed form; if the angle of a joint is given, as the roots
        of polynomials (`given_limits`), isolated one by one. Intervals down to about 1e-7 radians
        were found. Single angles, at which a joint only touches its limit, are none.

        Where two joints of a shoulder or a wrist stay in line for all swivel angles (a straight arm
        along its first axis), only the sum of their angles is known. Their limits cut no interval
        there, so `solve_all`, which holds one of the two at rest, may be beyond a limit in it.

        Three classes are left: if axes miss each other by rounding, the roots are those of the
        exact axes, and an interval that is narrower than what they are off by may be missed. If
        axes miss by more (`approximate`), or a joint is given and three axes in the middle are
        parallel, 256 angles are tried, and a shorter interval than between two may be missed.
        """
        return self._ranges(*self._gathered(position, rotation))

    def _gathered(self, position, rotation, **more):
        """Return arguments as arrays of NumPy that have one shape, and the widths of a row."""
        given = {"position": position, "rotation": rotation} | more
        tails = {"position": VECTOR, "rotation": tail_of_rotation(rotation)}
        tails |= dict.fromkeys(more, NUMBER)
        found = batches.gather(given, tails, needed=tuple(given))
        if found.library is not NUMPY:
            name = next(iter(more), "position")
            raise ArrayTypeError(name, "an array of NumPy", f"one of {found.library.name}")
        return found, tails

    def _ranges(self, found, tails):
        """Return what `swivel_ranges` does, for arguments that have been gathered."""
        shape, count = found.shape, math.prod(found.shape)
        rows = [
            np.broadcast_to(found.values[name], (*shape, *tails[name])).reshape(count, *tails[name])
            for name in ("position", "rotation")
        ]
        rows = [row.astype(np.float64) for row in rows]  # of float32 too: edges have all digits
        if self.given == "swivel":
            ranges = self._swivel_ranges(*rows)
        else:
            ranges = given_ranges.ranges_of(self, *rows)
        return ranges.reshape(*shape, *ranges.shape[1:])

    def _swivel_ranges(self, position, rotation):
        """Return the intervals of rows; angles at which nothing changes cut none."""
        problem, rest = self._problem, self._rest
        names = ("position", "rotation")
        tails = {"position": VECTOR, "rotation": tail_of_rotation(rotation), "swivel": NUMBER}

        def sound(xp, t, *, position, rotation, **free):
            pose, valid = sound_pose(xp, t, problem, position, rotation)
            return {"position": pose.position, "rotation": flat(pose.rotation)} | free, valid

        def cut(xp, t, *, position, rotation, slack):
            pose = pose_of_parts(position, rotation)
            sides = (redundant.edges(xp, t, problem, pose, side) for side in (1.0, -1.0))
            return tuple(tuple(part) for side in sides for part in side)

        def look(end, side):
            def formula(xp, t, *, position, rotation, swivel, slack):
                pose = pose_of_parts(position, rotation)
                given = xp, t, problem, pose, rest, slack, swivel, side
                return redundant.insides(*given, end=end)

            return Task((end, side), sound, formula, (Output((), 0.0),) * 2)

        counts = redundant.counts_of_edges(problem)
        outputs = tuple(Output((count,), NAN) for count in counts * 2)
        given = dict(zip(names, (position, rotation), strict=True))
        edges = self._codes.run(Task("edges", sound, cut, outputs), tails, given)
        flags = {}
        for side, ends in ((1.0, edges[:2]), (-1.0, edges[2:])):
            cuts = [np.sort((part + math.pi) % math.tau - math.pi, axis=-1) for part in ends]
            turns = np.concatenate(cuts, axis=-1)
            order = np.argsort(turns, axis=-1)
            turns = np.take_along_axis(turns, order, axis=-1)
            found = []
            for end, own in enumerate(cuts):
                more = np.concatenate([own, own[:, :1] + math.tau], axis=-1)
                swivel = 0.5 * (more[:, 1:] + more[:, :-1])
                many = {name: value[:, None] for name, value in given.items()}
                parts = self._codes.run(look(end, side), tails, many | {"swivel": swivel})
                # The segment of this end that a segment of both is in; the last one wraps.
                is_own = (order < len(cuts[0].T)) if end == 0 else (order >= len(cuts[0].T))
                place = (np.cumsum(is_own, axis=-1) - 1) % own.shape[-1]
                tiny = np.diff(more, axis=-1) < TINY
                found += [
                    np.take_along_axis(filled(part > 0.0, tiny), place, axis=-1) for part in parts
                ]
            turns = np.concatenate([turns, turns[:, :1] + math.tau], axis=-1)
            flags[side] = turns, found
        reaches = self._elbows_within(sound, given, tails)
        found = []
        for shoulder, elbow, wrist in problem.signs:
            turns, parts = flags[elbow]
            inside = parts[0 if shoulder > 0 else 1] & parts[2 if wrist > 0 else 3]
            inside &= reaches[0 if elbow > 0 else 1][:, None]
            found.append(intervals(turns, inside))
        return joined(found)

    def _elbows_within(self, sound, given, tails):
        """Return whether both elbows reach rows, within their limits."""
        problem = self._problem

        def formula(xp, t, *, position, rotation, slack):
            pose = pose_of_parts(position, rotation)
            return tuple(
                redundant.elbow_within(xp, t, problem, pose, slack, side) for side in (1.0, -1.0)
            )

        task = Task("elbows", sound, formula, (Output((), 0.0),) * 2)
        return [part > 0.0 for part in self._codes.run(task, tails, given)]

    def _nearest(self, position, rotation, now, how):
        """Return the free angle within limits that is nearest to others.

        If there is none, it is the other one, within the limits of the joint that is given. So a
        joint that is locked by limits that are the same is where they are.
        """
        if how != "limits":
            message = f'`swivel` must be numbers or "limits", got {how!r}.'
            raise RobotError(f"{self.tip}: {message}", tip=self.tip)
        found, tails = self._gathered(position, rotation, near=now)
        ranges = self._ranges(found, tails)
        low, high = ranges[..., 0], ranges[..., 1]
        now = found.values["near"].astype(np.float64)[..., None, None] + np.zeros(low.shape)
        turns = self.given == "swivel" or given_ranges.turns_freely(self)
        start = low + (now - low) % math.tau if turns else now
        inside = (start >= low) & (start <= high)
        ends = np.stack([np.where(inside, now, low), np.where(inside, now, high)])
        away = np.abs((ends - now + math.pi) % math.tau - math.pi) if turns else np.abs(ends - now)
        away = np.where(np.isnan(away), np.inf, away)
        count = 2 * math.prod(low.shape[-2:])
        away, ends = (
            np.moveaxis(part, 0, -1).reshape(*now.shape[:-2], count) for part in (away, ends)
        )
        best = np.argmin(away, axis=-1)[..., None]
        none = np.isinf(np.take_along_axis(away, best, -1)[..., 0])
        kept = now[..., 0, 0]
        if not turns:
            kept = kept.clip(*self.limits[self._problem.number])
        chosen = np.where(none, kept, np.take_along_axis(ends, best, -1)[..., 0])
        return chosen.astype(found.values["near"].dtype)
