"""Skeletons and their poses: joints with parents, forward kinematics and back."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeAlias, overload

import numpy as np

from twobone.core import arrays, batches, vectors
from twobone.core.answer import NAN
from twobone.core.array_types import A, ArrayLike, F, NDArray, Of, X
from twobone.errors import ArrayTypeError, PoseError, ShapeError
from twobone.pose import placing
from twobone.pose.normalizing import unit_rotations, valid_in_world, where_valid
from twobone.rotations import quaternions

Joint: TypeAlias = str | SupportsIndex  # its name, or its index

UNIFORM = 1e-5  # how far the scales of a joint along its axes may differ: float32 in files
SHOWN = 6  # joints in the repr of a skeleton


class LocalPose(NamedTuple, Of[X]):
    """A pose as rotations and translations of each joint relative to its parent, as in BVH or glTF.

    All leading axes are batch axes, such as the frames of a clip. J is the number of joints of the
    skeleton.

    Parameters
    ----------
    rotations : array, shape (..., J, 4)
        Quaternions xyzw. They may have any length, as those of interpolated or compressed clips do:
        they are normalised where they are used. A quaternion that is 0, NaN or infinite is not a
        rotation.
    translations : array, shape (..., J, 3), optional
        Positions of the joints in the space of their parents; that of a joint without a parent is
        its world position. By default the offsets of the skeleton, so pass them if the character
        moves through the world or its bones change length.

    See Also
    --------
    GlobalPose, Skeleton.to_global

    Examples
    --------
    The rest pose of a skeleton:

    >>> import numpy as np
    >>> from twobone import LocalPose, Skeleton
    >>> skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0], [0, -0.5, 0]])
    >>> pose = LocalPose(skeleton.rotations)

    A clip of 100 frames in which the character moves 1.5 units along z:

    >>> rotations = np.tile(skeleton.rotations, (100, 1, 1))
    >>> translations = np.tile(skeleton.offsets, (100, 1, 1))
    >>> translations[:, 0, 2] = np.linspace(0.0, 1.5, 100)
    >>> clip = LocalPose(rotations, translations)
    >>> skeleton.to_global(clip).positions[-1, 2].tolist()
    [0.0, 0.0, 1.5]
    """

    rotations: X
    translations: X | None = None


class GlobalPose(NamedTuple, Of[X]):
    """A pose as positions and rotations of each joint in world space.

    All leading axes are batch axes. J is the number of joints of the skeleton.

    Parameters
    ----------
    positions : array, shape (..., J, 3)
        World positions of the joints.
    rotations : array, shape (..., J, 4)
        World rotations of the joints: quaternions xyzw, of any length but 0, as in `LocalPose`.

    See Also
    --------
    LocalPose, Skeleton.to_local

    Examples
    --------
    >>> from twobone import LocalPose, Skeleton
    >>> skeleton = Skeleton([-1, 0], [[0, 1, 0], [0, -1, 0]])
    >>> pose = skeleton.to_global(LocalPose([[0, 0, 1, 1], [0, 0, 0, 1]]))  # 90 degrees about z
    >>> pose.positions
    array([[0., 1., 0.],
           [1., 1., 0.]])
    >>> pose.rotations.round(3)
    array([[0.   , 0.   , 0.707, 0.707],
           [0.   , 0.   , 0.707, 0.707]])
    """

    positions: X
    rotations: X


class Skeleton:
    """A tree of joints with a rest pose.

    Any unit and any axes will do. Rotations are quaternions xyzw.

    Parameters
    ----------
    parents : sequence of int
        For each joint the index of its parent; -1 for a joint without a parent. Joints may be in
        any order.
    offsets : array, shape (J, 3)
        Position of each joint in the space of its parent.
    names : sequence of str, optional
        Names of the joints. Joints that share a name are found by a path of names, such as
        "left/hand" for the joint "hand" whose parent is "left", or by index.
    rotations : array, shape (J, 4), optional
        Rotations of the rest pose relative to the parents, of any length but 0; they are
        normalised. By default the identity for every joint.
    scales : array, shape (J,) or (J, 3), optional
        Scale of each joint's own space, as nodes of glTF have it: positive, and the same along all
        three axes. It multiplies the offsets and translations of all descendants. Poses of the
        skeleton keep their translations in those scaled spaces; positions in the world, targets
        and lengths are in units of the world. By default 1.

    Attributes
    ----------
    parents, offsets, names, rotations, scales
        As given, as tuples and arrays; names and scales may be None.
    rest : GlobalPose
        The rest pose in world space.

    Raises
    ------
    PoseError
        If a parent does not exist, a joint is its own ancestor, there is not one name per joint, a
        rotation has length 0, a scale is not positive and uniform, or a number is not finite.
    ShapeError, ArrayTypeError
        If an argument has a wrong shape or type.

    Examples
    --------
    A chain of three joints; the second and third are 1 unit along the x axis of their parents:

    >>> from twobone import LocalPose, Skeleton
    >>> names = ["upper", "lower", "hand"]
    >>> arm = Skeleton([-1, 0, 1], [[0, 0, 0], [1, 0, 0], [1, 0, 0]], names=names)
    >>> arm
    Skeleton(3 joints: upper, lower, hand)
    >>> arm.rest.positions
    array([[0., 0., 0.],
           [1., 0., 0.],
           [2., 0., 0.]])

    Rotate the elbow by 90 degrees about z, and find out where the hand is:

    >>> rotations = arm.rotations.copy()
    >>> rotations[arm.index("lower")] = [0, 0, 0.5**0.5, 0.5**0.5]
    >>> arm.to_global(LocalPose(rotations)).positions[arm.index("hand")].round(6)
    array([1., 1., 0.])

    A skeleton whose arm hangs down in the rest pose, by a rotation of the shoulder:

    >>> down = [[0, 0, -1, 1], [0, 0, 0, 1], [0, 0, 0, 1]]  # normalised for you
    >>> Skeleton(arm.parents, arm.offsets, rotations=down).rest.positions.round(6)[-1]
    array([ 0., -2.,  0.])
    """

    def __init__(
        self,
        parents: Sequence[SupportsIndex] | NDArray[np.integer[Any]],
        offsets: ArrayLike[Any],
        *,
        names: Sequence[str] | None = None,
        rotations: ArrayLike[Any] | None = None,
        scales: ArrayLike[Any] | None = None,
    ) -> None:
        self.parents = _indices(parents)
        count = len(self.parents)
        self._order = _parents_first(self.parents)
        self.offsets = _rows("offsets", offsets, (count, 3))
        self.names = None if names is None else _names(names)
        if self.names is not None and len(self.names) != count:
            raise PoseError("names", f"be {count} names", str(len(self.names)))
        identity = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
        self.rotations: NDArray[np.float64] = (
            identity if rotations is None else _rows("rotations", rotations, (count, 4))
        )
        largest = np.max(np.abs(self.rotations), axis=1, keepdims=True, initial=0.0)
        if not np.all(largest > 0.0):
            raise PoseError(
                "rotations", "not have length 0", "0", np.argwhere(largest == 0.0)[:, :1]
            )
        # Scaling by a power of two is exact, and then no square overflows or underflows.
        self.rotations = np.ldexp(self.rotations, -np.frexp(largest)[1])
        self.rotations /= np.linalg.norm(self.rotations, axis=1, keepdims=True)
        self.scales = None if scales is None else _scales(scales, count)
        self.parent_scales = self._parent_scales()
        self.rest: GlobalPose[NDArray[np.float64]] = self.to_global(LocalPose(self.rotations))

    def __repr__(self) -> str:
        labels = self.parents if self.names is None else self.names
        shown = ", ".join(map(str, labels[:SHOWN])) + (", ..." if len(labels) > SHOWN else "")
        joints = "joints with parents" if self.names is None else "joints:"
        return f"Skeleton({len(labels)} {joints} {shown})"

    def index(self, joint: Joint) -> int:
        """Return the index of a joint, given by name, by a path of names or by index.

        Raises
        ------
        PoseError
            If the skeleton has no such joint, or several.

        Examples
        --------
        >>> from twobone import Skeleton
        >>> names = ["hips", "left", "right", "knee", "knee"]
        >>> skeleton = Skeleton([-1, 0, 0, 1, 2], [[0, -1, 0]] * 5, names=names)
        >>> skeleton.index("hips"), skeleton.index("right/knee")
        (0, 4)
        """
        if isinstance(joint, str):
            if self.names is None:
                raise PoseError("joint", "be an index: this skeleton has no names", repr(joint))
            found = self._named(joint)
            if not found:
                have = ", ".join(self.names[:40]) + (", ..." if len(self.names) > 40 else "")
                raise PoseError("joint", f"be one of this skeleton's: {have}", repr(joint))
            if len(found) > 1:
                wanted = 'name one joint: "parent/child" or an index tells equal names apart'
                raise PoseError("joint", wanted, f"{joint!r}, the name of {len(found)} joints")
            return found[0]
        if isinstance(joint, bool) or not hasattr(joint, "__index__"):
            raise PoseError("joint", "be a name or an index", type(joint).__name__)
        index = joint.__index__()
        if not 0 <= index < len(self.parents):
            raise PoseError("joint", f"be an index below {len(self.parents)}", str(index))
        return index

    def _named(self, name: str) -> list[int]:
        """Return all joints of a name or, if there is none, of a path of names."""
        names = self.names or ()
        found = [joint for joint, own in enumerate(names) if own == name]
        if found or "/" not in name:
            return found
        paths = ("/" + "/".join(names[j] for j in self.path(joint)) for joint in range(len(names)))
        return [joint for joint, path in enumerate(paths) if path.endswith(f"/{name}")]

    def _parent_scales(self) -> tuple[float, ...] | None:
        """Return the scale of the space that each joint's offset is given in; None if all are 1."""
        if self.scales is None or all(scale == 1.0 for scale in self.scales):
            return None
        world = list(self.scales)
        for joint in self._order:
            if self.parents[joint] >= 0:
                world[joint] *= world[self.parents[joint]]
        return tuple(1.0 if parent < 0 else world[parent] for parent in self.parents)

    def path(self, joint: int) -> list[int]:
        """Return the joints from the top of the tree down to a joint, including that joint."""
        joints = []
        while joint != -1:
            joints.append(joint)
            joint = self.parents[joint]
        return joints[::-1]

    def below(self, joint: int) -> list[int]:
        """Return a joint and all its descendants, sorted."""
        found = {joint}
        for child in self._order:
            if self.parents[child] in found:
                found.add(child)
        return sorted(found)

    @overload
    def to_global(self, pose: LocalPose[ArrayLike[F]]) -> GlobalPose[NDArray[F]]: ...
    @overload
    def to_global(self, pose: LocalPose[A]) -> GlobalPose[A]: ...
    def to_global(self, pose: LocalPose[Any]) -> GlobalPose[Any]:
        """Compute the world positions and rotations of all joints: forward kinematics.

        The rotations returned have length 1. Where a joint's quaternion is 0, NaN or infinite, the
        joint's rotation is NaN, and so are the positions and rotations of its descendants; all
        other values are not affected.

        Parameters
        ----------
        pose : LocalPose
            Poses of this skeleton, with any batch axes.

        Returns
        -------
        GlobalPose
            Positions, shape (..., J, 3), and rotations, shape (..., J, 4).

        Raises
        ------
        ShapeError
            If the pose has another number of joints than the skeleton.
        ArrayTypeError
            If `pose` is not a `LocalPose` of arrays.

        Examples
        --------
        >>> from twobone import LocalPose, Skeleton
        >>> skeleton = Skeleton([-1, 0], [[0, 1, 0], [0, -1, 0]])
        >>> skeleton.to_global(LocalPose([[0, 0, 1, 1], [0, 0, 0, 1]])).positions
        array([[0., 1., 0.],
               [1., 1., 0.]])
        """
        given = self.gather(_checked(pose, LocalPose))
        count = len(self.parents)

        def formula(xp, t, *, rotations, translations):
            rotations, valid = unit_rotations(xp, t, rotations)
            valid = valid_in_world(self.parents, valid, self._order)
            translations = placing.in_world_units(self.parent_scales, translations)
            positions, world_rotations = placing.forward_kinematics(
                self.parents, rotations, translations, self._order
            )
            for joint, parent in enumerate(self.parents):
                world_rotations[joint] = where_valid(xp, valid[joint], world_rotations[joint])
                if parent >= 0:
                    parent_valid = valid[parent]
                    positions[joint] = where_valid(xp, parent_valid, positions[joint])
            return tuple(positions), tuple(world_rotations)

        return GlobalPose(*batches.run(formula, given, [(count, 3), (count, 4)]))

    @overload
    def to_local(self, pose: GlobalPose[ArrayLike[F]]) -> LocalPose[NDArray[F]]: ...
    @overload
    def to_local(self, pose: GlobalPose[A]) -> LocalPose[A]: ...
    def to_local(self, pose: GlobalPose[Any]) -> LocalPose[Any]:
        """Compute rotations and translations relative to the parents: the inverse of `to_global`.

        The rotations returned have length 1. Where a joint's quaternion is 0, NaN or infinite, its
        rotation is NaN, and so are the rotations and translations of its children.

        Parameters
        ----------
        pose : GlobalPose
            Poses of this skeleton, with any batch axes.

        Returns
        -------
        LocalPose
            Rotations, shape (..., J, 4), and translations, shape (..., J, 3).

        Raises
        ------
        ShapeError
            If the pose has another number of joints than the skeleton.
        ArrayTypeError
            If `pose` is not a `GlobalPose` of arrays.

        Examples
        --------
        >>> from twobone import Skeleton
        >>> skeleton = Skeleton([-1, 0], [[0, 1, 0], [0, -1, 0]])
        >>> skeleton.to_local(skeleton.rest).translations
        array([[ 0.,  1.,  0.],
               [ 0., -1.,  0.]])
        """
        return self.beside_parents(_checked(pose, GlobalPose))

    def beside_parents(self, pose: GlobalPose[Any], none: float = NAN) -> LocalPose[Any]:
        """Return what `to_local` returns, with `none` instead of NaN for invalid values."""
        given = self.gather(pose)
        count = len(self.parents)

        def formula(xp, t, *, rotations, positions):
            rotations, valid = unit_rotations(xp, t, rotations)
            local_rotations, local_translations = [], []
            for joint, parent in enumerate(self.parents):
                rotation, position, is_valid = rotations[joint], positions[joint], valid[joint]
                if parent >= 0:
                    back, is_valid = (
                        quaternions.conjugate(rotations[parent]),
                        is_valid & valid[parent],
                    )
                    rotation = quaternions.multiply(back, rotation)
                    position = quaternions.rotate(back, vectors.minus(position, positions[parent]))
                    position = where_valid(xp, valid[parent], position, none)
                if self.parent_scales is not None:
                    position = vectors.times(1.0 / self.parent_scales[joint], position)
                local_rotations.append(where_valid(xp, is_valid, rotation, none))
                local_translations.append(position)
            return tuple(local_rotations), tuple(local_translations)

        return LocalPose(*batches.run(formula, given, [(count, 4), (count, 3)]))

    def gather(
        self,
        pose: LocalPose[Any] | GlobalPose[Any],
        more: dict[str, Any] | None = None,
        tails: dict[str, tuple[int, ...]] | None = None,
        needed: Sequence[str] = (),
    ) -> batches.Given:
        """Return a pose and further arguments as arrays of one library."""
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
    """Return the parents as a tuple of indices."""
    try:
        return tuple(operator.index(parent) for parent in parents)
    except TypeError as error:
        wanted = "be a sequence of indices, -1 for a joint without a parent"
        raise PoseError("parents", wanted, repr(parents)) from error


def _parents_first(parents: tuple[int, ...]) -> tuple[int, ...]:
    """Return the joints in an order in which each comes after its parent."""
    count = len(parents)
    for joint, parent in enumerate(parents):
        if not -1 <= parent < count:
            wanted = f"be indices below {count}, or -1 (joint {joint})"
            raise PoseError("parents", wanted, str(parent))
    if all(parent < joint for joint, parent in enumerate(parents)):
        return tuple(range(count))
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(parent, []).append(joint)
    order = children.get(-1, [])[:]
    for joint in order:  # it grows while it is read
        order += children.get(joint, [])
    if len(order) < count:
        lost = min(set(range(count)) - set(order))
        raise PoseError("parents", "form a tree", f"joint {lost}, which is its own ancestor")
    return tuple(order)


def _scales(scales: Any, count: int) -> tuple[float, ...]:
    """Return the scales of joints as positive numbers."""
    array = np.array(arrays.as_array(arrays.NUMPY, "scales", scales), np.float64)
    if array.shape not in ((count,), (count, 3)):
        raise ShapeError("scales", f"have shape ({count},) or ({count}, 3)", array.shape)
    array = array.reshape(count, -1)
    if not np.all(np.isfinite(array) & (array > 0.0)):
        came = str(array[~(np.isfinite(array) & (array > 0.0))][0])
        raise PoseError("scales", "be positive and finite", came)
    spread = np.ptp(array, axis=1) / array[:, 0]
    if np.any(spread > UNIFORM):
        row = int(np.argmax(spread))
        wanted = "be the same along all axes, because others shear what is rotated"
        raise PoseError("scales", wanted, f"{array[row].tolist()} (joint {row})")
    return tuple(array[:, 0].tolist())


def _names(names: Any) -> tuple[str, ...]:
    """Return the names of joints as a tuple."""
    names = tuple(names) if hasattr(names, "__iter__") else (names,)
    for name in names:
        if not isinstance(name, str):
            raise ArrayTypeError("names", "strings", type(name).__name__)
    return names


def _checked(pose, kind):
    """Return a pose, or raise an error if it is not of the given kind."""
    if not isinstance(pose, kind):
        raise ArrayTypeError("pose", f"a {kind.__name__}", type(pose).__name__)
    return pose


def _rows(name: str, values: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return an argument as a finite array of the given shape."""
    array = np.array(arrays.as_array(arrays.NUMPY, name, values), np.float64)
    if array.shape != shape:
        raise ShapeError(name, f"have shape {shape}", array.shape)
    if not np.all(np.isfinite(array)):
        raise PoseError(name, "be finite", "NaN or infinity")
    return array
