"""Skeletons and poses: joints with parents, and where a pose puts them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeAlias, overload

import numpy as np

from twobone.core import arrays, batches, vectors
from twobone.core.answer import NAN
from twobone.core.array_types import A, ArrayLike, F, NDArray, Of, X
from twobone.errors import ArrayTypeError, PoseError, ShapeError
from twobone.pose import reaching
from twobone.pose.normalizing import known_in_world, unit_rotations, where_known
from twobone.rotations import quaternions

Joint: TypeAlias = str | SupportsIndex  # its name, or its index

SHOWN = 6  # joints in the repr of a skeleton


class LocalPose(NamedTuple, Of[X]):
    """A pose as animation has it: each joint's rotation beside its parent.

    `rotations`, quaternions xyzw, shape (..., J, 4); `translations`, shape (..., J, 3), where
    they are not the offsets of the skeleton (that of joint 0 is where the whole stands).

    Quaternions may have any length, as those of clips that are interpolated or compressed do: they
    are normalised where they are used. Only one of length 0, or with NaN or infinity, is not a
    rotation.
    """

    rotations: X
    translations: X | None = None


class GlobalPose(NamedTuple, Of[X]):
    """A pose as the world has it: `positions` (..., J, 3), `rotations` xyzw (..., J, 4).

    Quaternions may have any length, as in a `LocalPose`.
    """

    positions: X
    rotations: X


class Skeleton:
    """Joints that hang from one another.

    Parameters
    ----------
    parents : sequence of int
        For each joint the index of the joint it hangs from, which comes before it; -1 for none.
    offsets : array, shape (J, 3)
        Where each joint is in the space of its parent.
    names : sequence of str, optional
        What the joints are called.
    rotations : array, shape (J, 4), optional
        The rest pose: quaternions xyzw beside the parent, of any length but 0. By default
        nothing is turned.

    Raises
    ------
    PoseError
        If a parent does not come before its child, two joints have one name, a rotation has no
        length, or a number is not finite.
    ShapeError
        If there are not as many of each as there are joints.

    Examples
    --------
    >>> from twobone.pose import Skeleton
    >>> names = ["upper", "lower", "hand"]
    >>> arm = Skeleton([-1, 0, 1], [[0, 0, 0], [1, 0, 0], [1, 0, 0]], names=names)
    >>> arm.rest.positions
    array([[0., 0., 0.],
           [1., 0., 0.],
           [2., 0., 0.]])
    """

    def __init__(
        self,
        parents: Sequence[SupportsIndex] | NDArray[np.integer[Any]],
        offsets: ArrayLike[Any],
        *,
        names: Sequence[str] | None = None,
        rotations: ArrayLike[Any] | None = None,
    ) -> None:
        self.parents = _indices(parents)
        count = len(self.parents)
        for joint, parent in enumerate(self.parents):
            if not -1 <= parent < joint:
                wanted = f"have each parent before its child, or -1 (joint {joint})"
                raise PoseError("parents", wanted, str(parent))
        self.offsets = _rows("offsets", offsets, (count, 3))
        self.names = None if names is None else _names(names)
        if self.names is not None and len(set(self.names)) != count:
            raise PoseError("names", f"be {count} different names", f"{len(set(self.names))}")
        still = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
        self.rotations: NDArray[np.float64] = (
            still if rotations is None else _rows("rotations", rotations, (count, 4))
        )
        largest = np.max(np.abs(self.rotations), axis=1, keepdims=True, initial=0.0)
        if not np.all(largest > 0.0):
            raise PoseError("rotations", "have a length", "0", np.argwhere(largest == 0.0)[:, :1])
        # A power of two costs no digits, and the squares then neither overflow nor vanish.
        self.rotations = np.ldexp(self.rotations, -np.frexp(largest)[1])
        self.rotations /= np.linalg.norm(self.rotations, axis=1, keepdims=True)
        self.rest: GlobalPose[NDArray[np.float64]] = self.to_global(LocalPose(self.rotations))

    def __repr__(self) -> str:
        known = self.parents if self.names is None else self.names
        shown = ", ".join(map(str, known[:SHOWN])) + (", ..." if len(known) > SHOWN else "")
        joints = "joints with parents" if self.names is None else "joints:"
        return f"Skeleton({len(known)} {joints} {shown})"

    def index(self, joint: Joint) -> int:
        """Return the index of a joint, given by name or index."""
        if isinstance(joint, str):
            if self.names is None:
                raise PoseError("joint", "be an index: this skeleton has no names", repr(joint))
            if joint not in self.names:
                have = ", ".join(self.names[:40]) + (", ..." if len(self.names) > 40 else "")
                raise PoseError("joint", f"be one of this skeleton's: {have}", repr(joint))
            return self.names.index(joint)
        if isinstance(joint, bool) or not hasattr(joint, "__index__"):
            raise PoseError("joint", "be a name or an index", type(joint).__name__)
        index = joint.__index__()
        if not 0 <= index < len(self.parents):
            raise PoseError("joint", f"be an index below {len(self.parents)}", str(index))
        return index

    def path(self, joint: int) -> list[int]:
        """Return the joints from the first one down to a joint, that joint included."""
        joints = []
        while joint != -1:
            joints.append(joint)
            joint = self.parents[joint]
        return joints[::-1]

    def below(self, joint: int) -> list[int]:
        """Return a joint and all that hang from it."""
        found = {joint}
        for child, parent in enumerate(self.parents):
            if parent in found:
                found.add(child)
        return sorted(found)

    @overload
    def to_global(self, pose: LocalPose[ArrayLike[F]]) -> GlobalPose[NDArray[F]]: ...
    @overload
    def to_global(self, pose: LocalPose[A]) -> GlobalPose[A]: ...
    def to_global(self, pose: LocalPose[Any]) -> GlobalPose[Any]:
        """Return where a pose puts all joints: leading axes are those of the pose.

        Rotations come back with length 1. Where a joint's quaternion is not a rotation (it is 0,
        NaN or infinite), the joint's own rotation and all that hangs from it are NaN; its
        position and all other joints are not affected.

        Raises
        ------
        ShapeError
            If the pose has not as many joints as the skeleton.
        """
        given = self.gather(_checked(pose, LocalPose))
        count = len(self.parents)

        def formula(xp, t, *, rotations, translations):
            rotations, known = unit_rotations(xp, t, rotations)
            known = known_in_world(self.parents, known)
            positions, turned = reaching.place(self.parents, rotations, translations)
            for joint, parent in enumerate(self.parents):
                turned[joint] = where_known(xp, known[joint], turned[joint])
                if parent >= 0:
                    placed = known[parent]
                    positions[joint] = where_known(xp, placed, positions[joint])
            return tuple(positions), tuple(turned)

        return GlobalPose(*batches.run(formula, given, [(count, 3), (count, 4)]))

    @overload
    def to_local(self, pose: GlobalPose[ArrayLike[F]]) -> LocalPose[NDArray[F]]: ...
    @overload
    def to_local(self, pose: GlobalPose[A]) -> LocalPose[A]: ...
    def to_local(self, pose: GlobalPose[Any]) -> LocalPose[Any]:
        """Return a pose as rotations and translations beside the parents.

        Rotations come back with length 1. Where a joint's quaternion is not a rotation (it is 0,
        NaN or infinite), its rotation is NaN, and so are the rotations and translations of its
        children.
        """
        return self.beside_parents(_checked(pose, GlobalPose))

    def beside_parents(self, pose: GlobalPose[Any], none: float = NAN) -> LocalPose[Any]:
        """Return what `to_local` does; `none` stands for what is not known."""
        given = self.gather(pose)
        count = len(self.parents)

        def formula(xp, t, *, rotations, positions):
            rotations, known = unit_rotations(xp, t, rotations)
            turned, moved = [], []
            for joint, parent in enumerate(self.parents):
                turn, point, some = rotations[joint], positions[joint], known[joint]
                if parent >= 0:
                    back, some = quaternions.conjugate(rotations[parent]), some & known[parent]
                    turn = quaternions.multiply(back, turn)
                    point = quaternions.rotate(back, vectors.minus(point, positions[parent]))
                    point = where_known(xp, known[parent], point, none)
                turned.append(where_known(xp, some, turn, none))
                moved.append(point)
            return tuple(turned), tuple(moved)

        return LocalPose(*batches.run(formula, given, [(count, 4), (count, 3)]))

    def gather(
        self,
        pose: LocalPose[Any] | GlobalPose[Any],
        more: dict[str, Any] | None = None,
        tails: dict[str, tuple[int, ...]] | None = None,
        needed: Sequence[str] = (),
    ) -> batches.Given:
        """Return a pose, with more arguments, as arrays of one library."""
        count = len(self.parents)
        if not isinstance(pose, LocalPose | GlobalPose):
            raise ArrayTypeError("pose", "a LocalPose or a GlobalPose", type(pose).__name__)
        arguments = pose._asdict()
        if isinstance(pose, LocalPose) and pose.translations is None:
            arguments["translations"] = self.offsets.tolist()
        own = {"rotations": (count, 4), "translations": (count, 3), "positions": (count, 3)}
        needed = (*pose._fields, *needed)
        return batches.gather(arguments | (more or {}), own | (tails or {}), needed)


def _indices(parents: Any) -> tuple[int, ...]:
    try:
        return tuple(operator.index(parent) for parent in parents)
    except TypeError as error:
        wanted = "be a list of indices, -1 where there is no parent"
        raise PoseError("parents", wanted, repr(parents)) from error


def _names(names: Any) -> tuple[str, ...]:
    names = tuple(names) if hasattr(names, "__iter__") else (names,)
    for name in names:
        if not isinstance(name, str):
            raise ArrayTypeError("names", "strings", type(name).__name__)
    return names


def _checked(pose, kind):
    """Return a pose if it is of a kind."""
    if not isinstance(pose, kind):
        raise ArrayTypeError("pose", f"a {kind.__name__}", type(pose).__name__)
    return pose


def _rows(name: str, values: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.array(arrays.as_array(arrays.NUMPY, name, values), np.float64)
    if array.shape != shape:
        raise ShapeError(name, f"have shape {shape}", array.shape)
    if not np.all(np.isfinite(array)):
        raise PoseError(name, "be finite", "NaN or infinity")
    return array
