"""`Limb`: two bones of a skeleton, solved for whole batches of poses."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict, Unpack, overload
from weakref import WeakValueDictionary

import numpy as np

from twobone.core import arrays, batches, dispatch, engine, policies, programs
from twobone.core.answer import INVALID, NAN
from twobone.core.array_types import (
    A,
    AnyArray,
    ArrayLike,
    Arrays,
    C,
    F,
    Mixed,
    NDArray,
    Of,
    OfNumPy,
    P,
    X,
)
from twobone.core.halves import in_float32
from twobone.core.immutable import Immutable
from twobone.core.policies import Unreachable
from twobone.errors import ArrayTypeError, PoseError, ShapeError
from twobone.pose import describing, options, reaching, transport
from twobone.pose.corrections import plane_solver, signal, with_parameters
from twobone.pose.options import END_ROTATIONS, Bend, EndRotation, one_of
from twobone.pose.placing import Definition
from twobone.pose.reaching import ReachOptions
from twobone.pose.skeleton import GlobalPose, Joint, LocalPose, Skeleton


class NumPyKeywords(TypedDict, total=False):
    """The options of `Limb.reach` if pose and target are of NumPy."""

    pole: OfNumPy | None
    pole_point: OfNumPy | None
    end_rotation: EndRotation | OfNumPy
    position_weight: OfNumPy
    rotation_weight: OfNumPy
    pole_weight: OfNumPy
    bend: Bend | None
    before: Posed[Any, Any, Any] | None
    fade_degrees: float
    unreachable: Unreachable


class Keywords(TypedDict, total=False):
    """The options of `Limb.reach` if pose or target are of another library."""

    pole: AnyArray | None
    pole_point: AnyArray | None
    end_rotation: EndRotation | AnyArray
    position_weight: AnyArray
    rotation_weight: AnyArray
    pole_weight: AnyArray
    bend: Bend | None
    before: Posed[Any, Any, Any] | None
    fade_degrees: float
    unreachable: Unreachable


WEIGHTS = ("position_weight", "rotation_weight", "pole_weight")
NEEDED = ("target", *WEIGHTS)
NUMBERS = itertools.count()
# By number, for compiled graphs. It is text, because numbers of graphs may become variables.
LIMBS: WeakValueDictionary[str, Limb] = WeakValueDictionary()


class Posed(NamedTuple, Of[P, X, C]):
    """The result of `Limb.reach`.

    `conditioning` is 1 if the pole determines the bending plane well, and 0 if it is parallel to
    the target direction and does not determine it at all; without a pole it is 1. To continue with
    `bend="transport"`, pass the whole result as `before` of the next call, which reads
    `transported`.
    """

    pose: P  # `LocalPose` or `GlobalPose`, as given
    status: C  # shape (...), codes of `Status`
    conditioning: X  # shape (...), sine of the angle between pole and target direction
    transported: X  # shape (..., 3, 3), state of `bend="transport"` for the next frame


class Controls(NamedTuple, Of[X]):
    """The result of `Limb.controls`: targets for `Limb.reach` that reproduce a pose.

    Arrays of shapes (..., 3), (..., 3) and (..., 4): a position, a direction of length 1 and a
    quaternion xyzw, all in world space.
    """

    target: X
    pole: X
    end_rotation: X


class Limb(Immutable):
    """A two-bone limb of a skeleton, such as a leg or an arm, posed by inverse kinematics.

    The limb starts at the joint `start` (hip, shoulder) and bends at `mid` (knee, elbow), which is
    a hinge; `reach` brings its `end` (ankle, wrist) to targets. Define a limb once, then call
    `reach` with any number of poses.

    Parameters
    ----------
    skeleton : Skeleton
        The skeleton that the limb belongs to.
    start, mid, end : str or int
        Names or indices of the three joints. `start` must be an ancestor of `mid`, and `mid` of
        `end`. Joints in between keep their local rotations.
    mid_axis : array, shape (3,), optional
        Unit vector along the hinge axis, in the local space of `mid`. A positive rotation about it
        opens (straightens) the joint. By default the axis is perpendicular to both bones in the
        rest pose.
    bend_towards : array, shape (3,), optional
        Alternative to `mid_axis`: the direction towards which the joint moves as the limb bends, in
        the world space of the rest pose, such as forward for a knee. If the limb is straight or
        folded in its rest pose, one of the two is required; if the end is at the start there, only
        `mid_axis` works.
    limits : (float, float), optional
        Minimum and maximum joint angle in degrees: 180 is straight, 0 folded.
    twist : dict, optional
        Joints that take a fraction of the end's twist about the second bone, such as the twist
        bones of a forearm: {joint: fraction}. They must be children of `mid`, each named once, and
        if the end descends from one, it must lie on the line from `mid` to `end` in the rest pose.

    Raises
    ------
    PoseError
        If a joint does not exist or is not where it must be in the tree, if `mid_axis` does not
        have length 1 or points along the limb, if the bending plane is given twice or not at all,
        or if limits or twist are out of range.
    ShapeError, ArrayTypeError
        If an argument has a wrong shape or type.

    See Also
    --------
    correct_limb : The same for joints given as matrices, with any scale.

    Examples
    --------
    A leg that is slightly bent in its rest pose, with y up and z forward. The rest pose defines the
    hinge:

    >>> import twobone
    >>> from twobone import LocalPose, Skeleton
    >>> offsets = [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]]
    >>> skeleton = Skeleton([-1, 0, 1], offsets, names=["hip", "knee", "ankle"])
    >>> leg = twobone.Limb(skeleton, "hip", "knee", "ankle")
    >>> posed = leg.reach(LocalPose(skeleton.rotations), [0.0, 0.3, 0.2])
    >>> skeleton.to_global(posed.pose).positions.round(3)  # hip, knee and ankle
    array([[0.   , 1.   , 0.   ],
           [0.   , 0.744, 0.43 ],
           [0.   , 0.3  , 0.2  ]])

    A leg that is straight in its rest pose needs the direction in which the knee bends:

    >>> straight = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0], [0, -0.5, 0]])
    >>> twobone.Limb(straight, 0, 1, 2, bend_towards=[0, 0, 1])
    Limb(0, 1, 2, mid_axis=(-1.0, 0.0, 0.0))

    An arm whose elbow cannot lock, with a twist bone that takes half of the hand's twist:

    >>> arm = Skeleton(
    ...     [-1, 0, 1, 1],
    ...     [[0, 0, 0], [0.3, 0, 0], [0.14, 0, 0], [0.28, 0, 0]],
    ...     names=["upper", "lower", "twist", "hand"],
    ... )
    >>> options = {"limits": (20, 175), "twist": {"twist": 0.5}}
    >>> twobone.Limb(arm, "upper", "lower", "hand", bend_towards=[0, 0, -1], **options).limits
    Limits(20.0, 175.0)
    """

    _set_once = (
        *("skeleton", "start", "mid", "end", "limits", "twist", "used"),
        *("_definition", "_programs", "_number"),
    )

    def __init__(
        self,
        skeleton: Skeleton,
        start: Joint,
        mid: Joint,
        end: Joint,
        *,
        mid_axis: ArrayLike[Any] | None = None,
        bend_towards: ArrayLike[Any] | None = None,
        limits: Sequence[float] | NDArray[Any] = (0.0, 180.0),
        twist: dict[str, float] | dict[int, float] | dict[str | int, float] | None = None,
    ) -> None:
        if not isinstance(skeleton, Skeleton):
            raise ArrayTypeError("skeleton", "a Skeleton", type(skeleton).__name__)
        self._programs = programs.Programs()
        self._number = str(next(NUMBERS))
        LIMBS[self._number] = self
        self.skeleton = skeleton
        self.start: int = describing.joint_of(skeleton, "start", start)
        self.mid: int = describing.joint_of(skeleton, "mid", mid)
        self.end: int = describing.joint_of(skeleton, "end", end)
        path = skeleton.path(self.end)
        for name, joint, other in (("start", self.start, self.mid), ("mid", self.mid, self.end)):
            if joint == other or joint not in skeleton.path(other):
                wanted = f"be an ancestor of {skeleton.described(other)}"
                raise PoseError(name, wanted, skeleton.described(joint))
        self.limits = describing.limits_of(limits)
        self.twist = describing.twist_of(skeleton, self.mid, self.end, twist or {})
        self.used = path + [joint for joint in self.twist if joint not in path]
        axis = describing.mid_axis_of(skeleton, self, mid_axis, bend_towards)
        self._definition = Definition(
            describing.plan_of(skeleton, self), describing.rest_of(skeleton, self, axis)
        )

    def __setstate__(self, state):  # of a copy, which gets a number of its own
        vars(self).update(state, _number=str(next(NUMBERS)))
        LIMBS[self._number] = self

    def __repr__(self):
        label = self.skeleton.label
        shown = [repr(label(joint)) for joint in (self.start, self.mid, self.end)]
        shown.append(
            f"mid_axis={tuple(round(part, 3) + 0.0 for part in self._definition.rest.mid_axis)}"
        )
        if self.limits is not None:
            shown.append(f"limits={self.limits.least_degrees, self.limits.greatest_degrees}")
        if self.twist:
            shown.append(f"twist={ {label(joint): share for joint, share in self.twist.items()} }")
        return f"Limb({', '.join(shown)})"

    @property
    def mid_axis(self) -> NDArray[np.float64]:
        """The hinge axis in the space of `mid`; a positive rotation about it opens the joint."""
        return np.array(self._definition.rest.mid_axis)

    @overload
    def reach(
        self,
        pose: LocalPose[ArrayLike[F]],
        target: ArrayLike[F],
        **options: Unpack[NumPyKeywords],
    ) -> Posed[LocalPose[NDArray[F]], NDArray[F], NDArray[np.int8]]: ...
    @overload
    def reach(
        self, pose: LocalPose[A], target: Mixed[A], **options: Unpack[Keywords]
    ) -> Posed[LocalPose[A], A, A]: ...
    @overload
    def reach(
        self, pose: LocalPose[OfNumPy], target: Arrays[A], **options: Unpack[Keywords]
    ) -> Posed[LocalPose[A], A, A]: ...
    @overload
    def reach(
        self,
        pose: GlobalPose[ArrayLike[F]],
        target: ArrayLike[F],
        **options: Unpack[NumPyKeywords],
    ) -> Posed[GlobalPose[NDArray[F]], NDArray[F], NDArray[np.int8]]: ...
    @overload
    def reach(
        self, pose: GlobalPose[A], target: Mixed[A], **options: Unpack[Keywords]
    ) -> Posed[GlobalPose[A], A, A]: ...
    @overload
    def reach(
        self, pose: GlobalPose[OfNumPy], target: Arrays[A], **options: Unpack[Keywords]
    ) -> Posed[GlobalPose[A], A, A]: ...
    @in_float32
    def reach(
        self,
        pose: LocalPose[Any] | GlobalPose[Any],
        target: AnyArray,
        *,
        pole: AnyArray | None = None,
        pole_point: AnyArray | None = None,
        end_rotation: EndRotation | AnyArray = "world",
        position_weight: AnyArray = 1.0,
        rotation_weight: AnyArray = 1.0,
        pole_weight: AnyArray = 1.0,
        bend: Bend | None = None,
        before: Posed[Any, Any, Any] | None = None,
        fade_degrees: float = 10.0,
        unreachable: Unreachable = "clamp",
    ) -> Posed[Any, Any, Any]:
        """Rotate the limb so that its end reaches a target, in every pose of a batch.

        All vectors are in world space. The leading axes (...) of all arguments broadcast, so one
        pose can reach for many targets, or a clip for one target per frame.

        Parameters
        ----------
        pose : LocalPose or GlobalPose
            The present poses of the skeleton: rotations of shape (..., J, 4) and positions or
            translations of shape (..., J, 3).
        target : array, shape (..., 3)
            The position that the end must reach.
        pole : array, shape (..., 3), optional
            The direction towards which the joint bends (pole vector), of any length.
        pole_point : array, shape (..., 3), optional
            Alternative to `pole`: a point towards which the joint bends (pole target). The pole is
            the direction from `start` to this point.
        end_rotation : "world", "local" or array, shape (..., 4)
            The rotation of the end. "world": it keeps its world rotation, as a foot that stays
            level does. "local": it keeps its rotation relative to its parent, so it rotates with
            the second bone. An array: its new world rotations, quaternions xyzw of any length but
            0.
        position_weight : number or array, shape (...)
            How far the end moves, along a straight line, from where it is (0) to the target (1).
        rotation_weight : number or array, shape (...)
            How far the end rotates, from its "local" rotation (0) to `end_rotation` (1).
        pole_weight : number or array, shape (...)
            How far the bending plane rotates, from that of the given pose (0) to the one that
            `bend` chooses (1). All weights are clamped to 0 and 1.
        bend : "pole", "rest" or "transport"
            What determines the plane in which the limb bends, that is, where the knee or elbow
            points. "pole": the pole, and where the target direction is close to that of the pole,
            the rest pose (see `fade_degrees`). "rest": the rest pose, whose plane is rotated to the
            target by the shortest arc. "transport": the plane of the previous frame, parallel
            transported to the target and then moved towards the pole, if there is one; the first
            batch axis counts the frames. The default is "pole" if there is a pole, else "rest".
        before : Posed, optional
            With `bend="transport"`: the result for the previous frame. `pose` and `target` are then
            those of the next frame alone, without an axis of frames, and the batch axes of `before`
            broadcast to theirs. Use it in real time, where later frames are not known yet.
        fade_degrees : float
            Where the angle between pole and target direction is smaller than this, the rest pose
            gradually takes the place of the pole; above 0 and at most 90.
        unreachable : str or Policy
            What to do with targets that cannot be reached, as in `twobone.solve`. The limits of the
            limb apply first. If the policy stretches the bones, the translations of the pose
            change.

        Returns
        -------
        Posed
            `pose`, of the same kind as given, with new rotations of the limb's joints; `status`,
            `conditioning` and `transported`. New rotations have length 1; those of all other joints
            are returned bit for bit. All arrays are new, and both parts of `pose` have one library
            and dtype; `pose.translations` is None if the pose had none and no bone may stretch.

        Raises
        ------
        ShapeError, ArrayTypeError, PolicyError, UnreachableError
            As in `twobone.solve`. `ShapeError` also if `before` is the result of a whole clip.
        PoseError
            If both `pole` and `pole_point` are given, if `bend="pole"` has neither, if `bend` or
            `end_rotation` is an unknown word, if `before` does not fit, or if `fade_degrees` is out
            of range.

        Notes
        -----
        **Invalid values.** A row is INVALID, and its limb's rotations NaN, if an argument is NaN or
        infinite, if the rotation of a joint from the top of the skeleton to `end` (included, even
        if `end_rotation` replaces it) is 0, NaN or infinite, or if both bones have length 0 or lie
        along the hinge axis. (`twobone.reach`, which returns points, has an answer for bones of
        length 0.) If all weights are below 1, so that nothing replaces them, the rotations of twist
        joints count too. Other joints may have any rotation; a `LocalPose` returns it as it was.
        Distances and poles whose squares overflow or underflow (beyond 1e150, float32: 1e18) are
        not supported.

        **Weights** blend from the given pose. If all are 0, it comes back bit for bit, even if its
        quaternions do not have length 1. (A `GlobalPose` then differs by rounding below `start`,
        and has rotations of length 1 there.) The plane of a straight limb is that of the rest pose,
        rotated along with it. The way round that the end takes to `end_rotation` depends on the
        given pose alone, and may be the longer one. `status` is that of the weighted target.

        If `unreachable` or the limits would move the end even without a target, that fades in as
        `position_weight` grows. A joint that is bent the wrong way passes through straight as
        `position_weight` or `pole_weight` grows. Meanwhile the end is not at the weighted target,
        whatever the status.

        All joints and rotations depend continuously on each weight, except where the weighted
        target passes through `start`, or comes closer to the axis of the pole than `fade_degrees`;
        where the end passes through the line through `start` along the hinge axis, which it can if
        the bones are not perpendicular to that; where the transported plane is opposite to that of
        the given pose; and for twist joints, at a half turn.

        **Twist.** Twist joints take a fraction of the twist of the end: its rotation about the
        second bone, compared with the rest pose.

        **Continuity.** No rule that looks at one frame alone can choose the bending plane for all
        target directions without a jump somewhere (hairy ball theorem). With "pole" the jump is
        near the direction of the pole and its opposite, on the side away from the rest pose. With
        "rest" it is opposite to the direction from start to end in the rest pose. "transport" has
        no jump but where the target passes through the start, and its result depends on the frames
        before. A pole rotates its plane by at most 2 radians while the target, or the pole target,
        moves by the length of both bones, and by at most 2 radians while a pole vector rotates by
        1. All motion is measured from `start`, in the space of its parent.

        **Derivatives** (PyTorch, JAX) are those of normalised rotations: along a quaternion they
        are 0. A quaternion whose length is within 16 eps of 1 is used as it is, any other one is
        divided by its length.

        Examples
        --------
        The ankle of a leg reaches a point:

        >>> import numpy as np
        >>> import twobone
        >>> from twobone import LocalPose, Skeleton
        >>> skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
        >>> leg = twobone.Limb(skeleton, 0, 1, 2)
        >>> pose = LocalPose(skeleton.rotations)
        >>> posed = leg.reach(pose, [0.0, 0.3, 0.2])
        >>> skeleton.to_global(posed.pose).positions[2].round(6)
        array([0. , 0.3, 0.2])

        A clip of 50 frames, with the knee pointing forward and outward, and soft limits of reach:

        >>> targets = np.linspace([0.0, 0.0, -0.4], [0.0, 0.0, 0.4], 50)
        >>> posed = leg.reach(pose, targets, pole=[0.3, 0.0, 1.0], unreachable=twobone.Soft(0.05))
        >>> posed.pose.rotations.shape, posed.status.shape
        ((50, 3, 4), (50,))

        Frame by frame in real time, without jumps of the knee; here the target passes above the
        hip:

        >>> posed = leg.reach(pose, [0.0, 1.5, 0.4], pole=[0.0, 0.0, 1.0])
        >>> for z in (0.2, 0.0, -0.2):
        ...     posed = leg.reach(pose, [0.0, 1.5, z], bend="transport", before=posed)
        >>> twobone.Status(posed.status).name
        'REACHED'
        """
        if arrays.is_taken_into_graph():
            from twobone.core import torch_graphs  # unreached: dynamo

            settings = bend, fade_degrees, isinstance(pose, GlobalPose)
            weights = position_weight, rotation_weight, pole_weight
            state = None if before is None else before.transported
            controls = target, pole, pole_point, end_rotation, *weights, state
            told = torch_graphs.told(unreachable)
            rotations, *others = torch_graphs.call(
                __name__, "_reach_with", told, self._number, *settings, *pose, *controls
            )
            status, sine, transported, *moved = others
            where = moved[0] if moved else None
            made = GlobalPose(where, rotations) if settings[-1] else LocalPose(rotations, where)
            return Posed(made, status, sine, transported)
        words = isinstance(end_rotation, str)
        if words and end_rotation not in END_ROTATIONS:
            raise PoseError(
                "end_rotation", f"be {one_of(END_ROTATIONS)} or quaternions", repr(end_rotation)
            )
        bend = options.bend_of(bend, pole, pole_point)
        if before is not None and (bend != "transport" or not isinstance(before, Posed)):
            came = f"{type(before).__name__} with bend={bend!r}"
            raise PoseError(
                "before", 'be a result of `reach` and come with `bend="transport"`', came
            )
        fade = options.sine("fade_degrees", fade_degrees)
        arguments = {
            "target": target,
            "pole": pole,
            "pole_point": pole_point,
            "end_rotation": None if words else end_rotation,
            "before": None if before is None else before.transported,
        }
        given: tuple[Any, ...] = position_weight, rotation_weight, pole_weight
        weights = dict(zip(WEIGHTS, given, strict=True))
        # Without weights there is nothing to blend, and a call takes half the time.
        if not all(type(weight) in (int, float) and weight >= 1 for weight in weights.values()):
            arguments |= weights
        settings = ReachOptions(bend, words and end_rotation == "local", fade)
        if isinstance(pose, GlobalPose):
            # 0 stands for an invalid rotation: NaN would pass through to all derivatives.
            local = self.skeleton.beside_parents(pose, none=0.0)
            posed = self._reach(local, arguments, settings, unreachable)
            return posed._replace(pose=self._to_global(pose, posed.pose))
        return self._reach(pose, arguments, settings, unreachable)

    @overload
    def controls(
        self, pose: LocalPose[ArrayLike[F]] | GlobalPose[ArrayLike[F]]
    ) -> Controls[NDArray[F]]: ...
    @overload
    def controls(self, pose: LocalPose[A] | GlobalPose[A]) -> Controls[A]: ...
    @in_float32
    def controls(self, pose: LocalPose[Any] | GlobalPose[Any]) -> Controls[Any]:
        """Return the target, pole and end rotation that reproduce the limb's present pose.

        Use it to switch from FK to IK: with these arguments, `reach` leaves the limb where it is. A
        straight limb has a pole too, given by its hinge. A joint that is bent the wrong way, beyond
        straight, is the exception: `reach` bends it by the same angle the right way.

        Parameters
        ----------
        pose : LocalPose or GlobalPose
            Poses of the skeleton, with any batch axes; quaternions of any length but 0.

        Returns
        -------
        Controls
            `target`, shape (..., 3); `pole`, shape (..., 3), a unit vector; `end_rotation`, shape
            (..., 4); all in world space. They are NaN where the rotation of a joint that they
            depend on is 0, NaN or infinite.

        Raises
        ------
        ShapeError, ArrayTypeError
            If the pose does not belong to the skeleton or is not a pose.

        Examples
        --------
        >>> import numpy as np
        >>> import twobone
        >>> from twobone import LocalPose, Skeleton
        >>> skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
        >>> leg = twobone.Limb(skeleton, 0, 1, 2)
        >>> found = leg.controls(LocalPose(skeleton.rotations))
        >>> found.target, found.pole
        (array([0., 0., 0.]), array([0., 0., 1.]))

        From FK to IK and back; the pose does not change:

        >>> pose = LocalPose([[-0.3, 0.1, 0.0, 1.0], [0.5, 0.0, 0.0, 1.0], [0.1, 0.0, 0.0, 1.0]])
        >>> found = leg.controls(pose)
        >>> posed = leg.reach(pose, found.target, pole=found.pole, end_rotation=found.end_rotation)
        >>> before, after = skeleton.to_global(pose), skeleton.to_global(posed.pose)
        >>> all(np.allclose(old, new) for old, new in zip(before, after, strict=True))
        True
        """
        if isinstance(pose, GlobalPose):
            pose = self.skeleton.beside_parents(pose, none=0.0)
        given, limb = self._gather(pose, {})[0], self._definition

        def formula(xp, t, **parts):
            return reaching.controls(xp, t, limb, **parts)

        return Controls(
            *batches.run(formula, given, [(3,), (3,), (4,)], self._programs, "controls")
        )

    def prepare(
        self, pose: LocalPose[Any] | GlobalPose[Any], target: AnyArray, **options: Any
    ) -> None:
        """Make calls of `reach` and `controls` fast from the first one on, for games.

        The compiled kernel runs `reach` as a program, which Python records once for each kind of
        call: each combination of `bend`, `end_rotation`, policy, `fade_degrees` and dtype, and of
        which arguments are given. That takes 10 to 30 ms, more than a frame of a game may, and
        normally happens at the eighth call for one pose. Pass the arguments of a typical call;
        values of arrays do not matter, and calls with and without weights are both prepared. For
        `bend="transport"` in real time, prepare a call with `before`. `Skeleton.prepare` does the
        same for `to_global` and `to_local`.

        Tensors of PyTorch on the CPU are recorded too, and with them the derivatives when they are
        first taken. Without the compiled kernel, and for other arrays, nothing is recorded. A
        policy of your own is never recorded.

        Parameters
        ----------
        pose, target, **options
            The arguments of a call of `reach`.

        Raises
        ------
        ShapeError, ArrayTypeError, PolicyError, PoseError, UnreachableError
            As in `reach`.

        Examples
        --------
        >>> import twobone
        >>> from twobone import LocalPose, Skeleton
        >>> skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
        >>> leg = twobone.Limb(skeleton, 0, 1, 2)
        >>> pose = LocalPose(skeleton.rotations)
        >>> leg.prepare(pose, [0.0, 0.0, 0.0], pole=[0.0, 0.0, 1.0])
        >>> posed = leg.reach(pose, [0.0, 0.3, 0.2], pole=[0.0, 0.0, 1.0])
        """
        with self._programs.made_at_once(), self.skeleton._programs.made_at_once():
            self.reach(pose, target, **options)
            # A weight of 1 may be one of many on a curve: calls with and without weights differ.
            plain = {name: value for name, value in options.items() if name not in WEIGHTS}
            self.reach(pose, target, **plain)
            self.reach(pose, target, **plain, position_weight=0.5)
            self.controls(pose)

    # --- from arguments to a pose ---------------------------------------------------------

    def _reach(self, pose, arguments, settings, unreachable):
        """Solve all poses; `pose` is a `LocalPose`."""
        policy = options.limb_policy(self.limits, unreachable)
        inner = policies.resolve(policy.inner)
        arguments = arguments | policies.parameters(inner)
        given, rotations, translations = self._gather(pose, arguments)
        if settings.bend == "transport":
            given = self._transport(given, settings)
        # Policies that users write may define equality and hashes in any way, so they are no keys.
        kept = self._programs if engine.is_compiled(policy.inner) else None
        key = (policy, settings)
        limb = self._definition

        def formula(xp, t, **parts):
            inputs = reaching.inputs_of(limb.plan, parts)
            solve = plane_solver(with_parameters(policy.inner, parts))
            reached = reaching.reach(xp, t, limb, settings._replace(solve=solve), inputs)
            found, new = reached.found, reached.rotations
            is_valid = reached.valid & (found.status != INVALID) & (found.sine == found.sine)
            for weight in inputs.weights or ():
                is_valid = is_valid & (weight == weight)
            if policy.signals:
                new = [signal(xp, found.status, q) for q in new]
            new = [tuple(xp.where(is_valid, part, NAN) for part in q) for q in new]
            status = xp.where(is_valid, found.status, INVALID)
            stretched = ()
            if policy.stretches:
                stretched = reaching.stretched_translations(
                    xp, limb, reached, parts["translations"]
                )
            return [status, found.sine, reached.transported, *new, *stretched]

        joints = [self.start, self.mid, self.end, *self.twist]
        path = self.skeleton.path(self.end)
        stretchable = path[path.index(self.start) + 1 :]
        stretchable = stretchable if policy.stretches else []
        outputs = [None, (), (3, 3)] + [(4,)] * len(joints) + [(3,)] * len(stretchable)
        status, sine, transported, *found = batches.run(formula, given, outputs, kept, key)
        if policy.raises:
            dispatch.raise_if_unreachable(given.library, status)
        rotated, stretched = found[: len(joints)], found[len(joints) :]
        rotations = arrays.put(given.library, rotations, dict(zip(joints, rotated, strict=True)))
        if stretchable:
            stretched = dict(zip(stretchable, stretched, strict=True))
            translations = arrays.put(given.library, translations, stretched)
        elif pose.translations is None:
            translations = None
        else:  # a copy: results share no memory with arguments
            unchanged = {0: translations[..., 0, :]}
            translations = arrays.put(given.library, translations, unchanged)
        return Posed(LocalPose(rotations, translations), status, sine, transported)

    def _to_global(self, pose, found):
        """Return a local pose in world space; only start and its descendants differ from `pose`."""
        there = self.skeleton.to_global(found)
        below = self.skeleton.below(self.start)
        kept = [joint for joint in range(len(self.skeleton.parents)) if joint not in below]
        if not kept:
            return there
        # Together with what was found, so that the pose becomes arrays of the same library.
        tails = {"found": tuple(there.rotations.shape[-2:])}
        given = self.skeleton.gather(pose, {"found": there.rotations}, tails)
        parts = []
        for name in GlobalPose._fields:
            old = given.values[name]
            rows = {joint: old[..., joint, :] for joint in kept}
            parts.append(arrays.put(given.library, getattr(there, name), rows))
        return GlobalPose(*parts)

    def _gather(self, pose, arguments):
        """Return the arguments with the joints that the limb uses, and the whole pose."""
        tails: dict[str, tuple] = {
            "target": (3,),
            "pole": (3,),
            "pole_point": (3,),
            "end_rotation": (4,),
        }
        tails |= {"before": (3, 3)}
        tails |= {name: () for name in arguments if name not in tails}  # numbers of each pose
        needed = [name for name in arguments if name in NEEDED]
        given = self.skeleton.gather(pose, arguments, tails, needed)
        rotations, translations = given.values["rotations"], given.values["translations"]
        count = len(self.used)
        picked = {
            "rotations": arrays.take(given.library, rotations, self.used),
            "translations": arrays.take(given.library, translations, self.used),
        }
        tails = given.tails | {"rotations": (count, 4), "translations": (count, 3)}
        return given._replace(values=given.values | picked, tails=tails), rotations, translations

    @np.errstate(all="ignore")
    def _transport(self, given, settings):
        """Return the arguments with the transported bending planes of all frames added."""
        before = given.values.get("before")
        if before is None and not given.shape:
            wanted = (
                'have an axis of frames as its first axis for `bend="transport"` (for one frame'
                " alone, pass the result of the previous frame as `before`; solve the very first"
                ' with `bend="pole"` or "rest")'
            )
            raise ShapeError("target", wanted, given.values["target"].shape)
        if before is not None:
            _check_one_frame(given)
        limb = self._definition

        def formula(xp, t, **parts):
            return reaching.transport_inputs(
                xp, t, limb, settings, reaching.inputs_of(limb.plan, parts)
            )

        frames = batches.run(
            formula, given, [(3,), (3,), (3,), (), ()], self._programs, ("frames", settings)
        )
        if before is None:
            found = transport.transport(given, frames, settings.fade, None, self._programs)
        else:
            xp = given.library.xp
            frames = [xp.asarray(frame)[None, ...] for frame in frames]
            found = transport.transport(given, frames, settings.fade, before, self._programs)
            found = [each[0, ...] for each in found]
        values = dict(zip(("normal", "transported"), found, strict=True))
        tails = {"normal": (3,), "transported": (3, 3)}
        return given._replace(values=given.values | values, tails=given.tails | tails)


def _reach_with(unreachable, number, bend, fade_degrees, is_global, first, second, *controls):
    """Do the same as `Limb.reach`; all arguments have their place, and results are tensors."""
    target, pole, pole_point, end_rotation, *weights, state = controls
    pose: Any = GlobalPose(first, second) if is_global else LocalPose(first, second)
    posed: Any = LIMBS[number].reach(
        pose,
        target,
        pole=pole,
        pole_point=pole_point,
        end_rotation=end_rotation,
        **dict(zip(WEIGHTS, weights, strict=True)),
        bend=bend,
        before=None if state is None else Posed(None, None, None, state),
        fade_degrees=fade_degrees,
        unreachable=unreachable,
    )
    found = posed.pose._asdict()
    moved = found["positions" if is_global else "translations"]
    return found["rotations"], *posed[1:], *(() if moved is None else (moved,))


def _check_one_frame(given):
    """Raise if `before` has batch axes that the other arguments do not have."""
    leads = {
        name: tuple(value.shape[: value.ndim - len(given.tails[name])])
        for name, value in given.values.items()
    }
    before = leads.pop("before")
    shape = arrays.broadcast_shapes(leads)
    if arrays.broadcast_shapes({"before": before, "others": shape}) != shape:
        wanted = "be the result of one frame, whose batch axes broadcast to those of the others"
        raise ShapeError("before", f"{wanted}, {shape}", before)
