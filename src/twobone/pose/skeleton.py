"""Skeletons and their poses: joints with parents, forward kinematics and back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np

from twobone.core import arrays, batches, programs, vectors
from twobone.core.answer import NAN
from twobone.core.array_types import A, ArrayLike, F, NDArray, Of, X
from twobone.core.halves import in_float32
from twobone.core.immutable import Immutable
from twobone.errors import ArrayTypeError, PoseError, ShapeError
from twobone.pose import placing, tree
from twobone.pose.normalizing import unit_rotations, valid_in_world, where_valid
from twobone.rotations import quaternions

Joint: TypeAlias = str | SupportsIndex  # its name, or its index

Pose = TypeVar("Pose")

SHOWN = 6  # joints in the repr of a skeleton, and in errors


LISTED = (np.ndarray, list)  # a tuple, because Dynamo of PyTorch knows no unions


def _checked_when_made(**widths: int) -> Callable[[Pose], Pose]:
    """Return a decorator that makes a named tuple check its arrays, given the size of vectors.

    Only lists and NumPy arrays are checked. JAX and PyTorch rebuild named tuples with whatever
    their transformations put in place of arrays: batches, masks, axes as integers, None, strings.
    """

    def decorate(pose: Any) -> Any:
        make = pose.__new__

        def checked(cls: Any, *args: Any, **given: Any) -> Any:
            made = make(cls, *args, **given)
            joints: dict[str, int] = {}
            for name, width in widths.items():
                value = getattr(made, name)
                if not isinstance(value, LISTED):
                    continue
                if isinstance(value, np.ndarray) and value.dtype not in (bool, object):
                    arrays.dtype_name(name, value)
                shape = batches.shape_of(name, value)
                if len(shape) < 2 or shape[-1] != width:
                    raise ShapeError(name, f"have shape (..., J, {width})", shape)
                joints[name] = shape[-2]
            if len(set(joints.values())) > 1:
                first, second = joints
                wanted = f"have as many joints as `{first}`, {joints[first]}"
                raise ShapeError(second, wanted, None, str(joints[second]))
            return made

        pose.__new__ = functools.wraps(make)(checked)
        return pose

    return decorate


@_checked_when_made(rotations=4, translations=3)
class LocalPose(NamedTuple, Of[X]):
    """A pose as rotations and translations of joints relative to their parents, as in BVH and glTF.

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
        its world position. By default they are the offsets of the skeleton, so pass them if the
        character moves through the world or its bones change length. Both parts are arrays of the
        same library; lists and NumPy arrays can be combined with those of any library.

    Raises
    ------
    ShapeError, ArrayTypeError
        If a list or a NumPy array has a wrong shape or type, or the numbers of joints differ.
        Arrays of other libraries are checked when the pose is used.

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


@_checked_when_made(positions=3, rotations=4)
class GlobalPose(NamedTuple, Of[X]):
    """A pose as positions and rotations of each joint in world space.

    All leading axes are batch axes. J is the number of joints of the skeleton.

    Parameters
    ----------
    positions : array, shape (..., J, 3)
        World positions of the joints.
    rotations : array, shape (..., J, 4)
        World rotations of the joints: quaternions xyzw, of any length but 0, as in `LocalPose`.

    Raises
    ------
    ShapeError, ArrayTypeError
        As for `LocalPose`.

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


class Skeleton(Immutable):
    """A tree of joints with a rest pose.

    Any unit and any axes will do. Rotations are quaternions xyzw. A skeleton holds constants: what
    changes, or has derivatives, belongs in poses.

    Parameters
    ----------
    parents : sequence of int or None
        For each joint the index of its parent; -1 or None for a joint without a parent. Joints may
        be in any order.
    offsets : array, shape (J, 3)
        Position of each joint in the space of its parent.
    names : sequence of str, optional
        Names of the joints. Joints that share a name are found by a path of names, such as
        "left/hand" for the joint "hand" whose parent is "left", or by index. A path that starts
        with "/" starts at a joint without a parent.
    rotations : array, shape (J, 4), optional
        Rotations of the rest pose relative to the parents, of any length but 0; they are
        normalised. By default the identity for every joint.
    scales : array, shape (J,) or (J, 3), optional
        Scale of each joint's own space, as in the nodes of glTF: positive, and the same along all
        three axes, unless the joint has no children. It multiplies the offsets and translations of
        all descendants. The translations of poses are in the scaled spaces of the parents;
        positions in the world, targets and lengths are in units of the world. By default 1.

    Attributes
    ----------
    parents, offsets, names, rotations, scales
        As given, as tuples and arrays; names and scales may be None. `parents` holds -1 for None,
        and `scales` one number per joint, that along x. They cannot be changed, and the arrays are
        read-only.
    rest : GlobalPose
        The rest pose in world space.

    Raises
    ------
    PoseError
        If there are no joints, a parent does not exist, a joint is its own ancestor, there is not
        one name per joint, a rotation has length 0, a scale is not positive and uniform, a number
        is not finite, or products of scales or positions of the rest pose overflow.
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

    _set_once = (
        "parents",
        "names",
        "offsets",
        "rotations",
        "scales",
        "parent_scales",
        "rest",
        "_order",
        "_programs",
    )

    def __init__(
        self,
        parents: Sequence[SupportsIndex | None] | NDArray[np.integer[Any]],
        offsets: ArrayLike[Any],
        *,
        names: Sequence[str] | None = None,
        rotations: ArrayLike[Any] | None = None,
        scales: ArrayLike[Any] | None = None,
    ) -> None:
        self._programs = programs.Programs()
        self.parents = tree.parents_of(parents)
        count = len(self.parents)
        self.names = tree.names_of(names, count)
        self._order = tree.parents_first(self.parents, self.names)
        self.offsets = tree.rows("offsets", offsets, (count, 3), self.described)
        self.rotations = tree.rotations_of(rotations, count, self.described)
        self.scales, self.parent_scales = tree.scales_of(
            scales, self.parents, self._order, self.described
        )
        self.rest: GlobalPose[NDArray[np.float64]] = self.to_global(LocalPose(self.rotations))
        for array in (self.offsets, self.rotations, *self.rest):
            array.flags.writeable = False
        broken = set(np.argwhere(~np.isfinite(self.rest.positions))[:, 0].tolist())
        if broken:
            first = next(joint for joint in self._order if joint in broken)
            came = f"{self.rest.positions[first].tolist()} at {self.described(first)}"
            raise PoseError("offsets", "give finite positions in the rest pose", came)

    def __repr__(self) -> str:
        count, joints = len(self.parents), "joints:"
        if self.names is None:
            joints, shown = "joints with parents", [str(parent) for parent in self.parents[:SHOWN]]
        else:
            labels = [self.label(joint) for joint in range(min(count, SHOWN))]
            shown = [label if isinstance(label, str) else self.described(label) for label in labels]
        return f"Skeleton({count} {joints} {', '.join(shown)}{', ...' if count > SHOWN else ''})"

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
                near = tree.near_names(joint, self.names)
                meant = f" (did you mean {near}?)" if near else ""
                raise PoseError("joint", f"be one of this skeleton's: {have}{meant}", repr(joint))
            if len(found) > 1:
                *others, last = (repr(self.label(each)) for each in found)
                others = [*others[:SHOWN], "..."] if len(others) > SHOWN else others
                could_be = f"{', '.join(others)} or {last}"
                raise PoseError("joint", "name one joint", f"{joint!r}, which could be {could_be}")
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
        paths = ["/" + "/".join(names[j] for j in self.path(joint)) for joint in range(len(names))]
        if name.startswith("/"):
            return [joint for joint, path in enumerate(paths) if path == name]
        return [joint for joint, path in enumerate(paths) if path.endswith(f"/{name}")]

    def label(self, joint: int) -> str | int:
        """Return the shortest label by which `index` finds a joint.

        That is its name or, if other joints share the name, a path of names. It is the index if
        the joint has no name, or if no path tells it from other joints.

        Examples
        --------
        >>> from twobone import Skeleton
        >>> names = ["hips", "left", "right", "knee", "knee"]
        >>> skeleton = Skeleton([-1, 0, 0, 1, 2], [[0, -1, 0]] * 5, names=names)
        >>> skeleton.label(0), skeleton.label(4)
        ('hips', 'right/knee')
        """
        if self.names is None:
            return joint
        path = [self.names[each] for each in self.path(joint)]
        ends = ["/".join(path[-count:]) for count in range(1, len(path) + 1)]
        labels = (label for label in [*ends, f"/{ends[-1]}"] if self._named(label) == [joint])
        return next(labels, joint)

    def described(self, joint: int) -> str:
        """Return how an error message refers to a joint."""
        name = None if self.names is None else self.names[joint]
        return tree.described(joint, self.label(joint), name)

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
    @in_float32
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

        return GlobalPose(
            *batches.run(formula, given, [(count, 3), (count, 4)], self._programs, "to_global")
        )

    def prepare(self, pose: LocalPose[Any] | GlobalPose[Any]) -> None:
        """Make conversions of such poses fast from the first one on, for games.

        The compiled kernel runs `to_global` and `to_local` as programs, which Python records once
        for each dtype, normally at the eighth call for one pose. That takes 1 ms a joint. Pass a
        `LocalPose` to prepare `to_global`, a `GlobalPose` to prepare `to_local`; the values do not
        matter. Without the compiled kernel, and for arrays of other libraries than PyTorch, nothing
        is recorded.

        Parameters
        ----------
        pose : LocalPose or GlobalPose
            A pose of this skeleton.

        Raises
        ------
        ShapeError, ArrayTypeError
            As in `to_global` and `to_local`.

        Examples
        --------
        >>> from twobone import LocalPose, Skeleton
        >>> skeleton = Skeleton([-1, 0], [[0, 1, 0], [0, -1, 0]])
        >>> skeleton.prepare(LocalPose(skeleton.rotations))
        """
        with self._programs.made_at_once():
            self.to_local(pose) if isinstance(pose, GlobalPose) else self.to_global(pose)

    @overload
    def to_local(self, pose: GlobalPose[ArrayLike[F]]) -> LocalPose[NDArray[F]]: ...
    @overload
    def to_local(self, pose: GlobalPose[A]) -> LocalPose[A]: ...
    @in_float32
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

        return LocalPose(
            *batches.run(
                formula, given, [(count, 4), (count, 3)], self._programs, ("to_local", repr(none))
            )
        )

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
        arguments, constants = pose._asdict(), {}
        if isinstance(pose, LocalPose) and pose.translations is None:
            del arguments["translations"]
            constants["translations"] = self.offsets
        own = {"rotations": (count, 4), "translations": (count, 3), "positions": (count, 3)}
        arguments |= more or {}
        needed = (*arguments.keys() & set(pose._fields), *needed)
        return batches.gather(arguments, own | (tails or {}), needed, constants)


def _checked(pose, kind):
    """Return a pose, or raise an error if it is not of the given kind."""
    if not isinstance(pose, kind):
        raise ArrayTypeError("pose", f"a {kind.__name__}", type(pose).__name__)
    return pose
