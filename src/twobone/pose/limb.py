"""Limb: two bones of a skeleton, described once, brought to targets in whole batches of poses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import arrays, batches, dispatch
from twobone.core.answer import INVALID, NAN
from twobone.core.array_types import A, AnyArray, ArrayLike, Arrays, C, F, Mixed, NDArray, Of, P, X
from twobone.core.policies import Unreachable
from twobone.errors import ArrayTypeError, PoseError, ShapeError
from twobone.pose import describing, options, reaching, transport
from twobone.pose.corrections import in_plane, signal
from twobone.pose.options import END_ROTATIONS, Bend, EndRotation, one_of
from twobone.pose.reaching import Wishes
from twobone.pose.skeleton import GlobalPose, Joint, LocalPose, Skeleton

NEEDED = ("target", "position_weight", "rotation_weight", "pole_weight")


class Posed(NamedTuple, Of[P, X, C]):
    """What `Limb.reach` returns."""

    pose: P  # of the kind that was given
    status: C  # shape (...), of `Status` codes
    conditioning: X  # shape (...), sine of the angle between pole and way; 1 without a pole
    transported: X  # shape (..., 3, 3): what `bend="transport"` goes on with in the next frame


class Controls(NamedTuple, Of[X]):
    """The handles that would give a limb the pose it has: arrays of shapes (..., 3), 3 and 4."""

    target: X
    pole: X
    end_rotation: X


class Limb:
    """Two bones of a skeleton, described once.

    Parameters
    ----------
    skeleton : Skeleton
        Whose limb it is. Joints between the three ride along.
    start, mid, end : str or int
        The joints where the first bone is fixed, where it bends, and which shall reach.
    mid_axis : array, shape (3,), optional
        The hinge's axis in the space of `mid`, length 1; a positive turn about it opens the
        joint. By default it is square to both bones in the rest pose.
    bend_towards : array, shape (3,), optional
        Instead of `mid_axis`: towards which the joint bends, a direction in the world of the rest
        pose. A limb that is straight at rest needs one of both.
    limits : (float, float), optional
        Least and greatest opening of the joint in degrees: 0 is folded, 180 straight.
    twist : dict, optional
        Joints that share the twist of the end: {joint: share}. Each hangs from `mid`, as the
        twist bones of a forearm do.

    Raises
    ------
    PoseError
        If a joint does not exist or does not hang from the one before, the axis has not length 1,
        the rest pose does not say how the limb bends, or limits or shares make no sense.

    Examples
    --------
    >>> import twobone
    >>> from twobone.pose import LocalPose, Skeleton
    >>> leg = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
    >>> limb = twobone.Limb(leg, 0, 1, 2)
    >>> posed = limb.reach(LocalPose(leg.rotations), [0.0, 0.3, 0.2], pole=[0.0, 0.0, 1.0])
    >>> leg.to_global(posed.pose).positions[2, 1:].round(6)
    array([0.3, 0.2])
    """

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
        self.skeleton = skeleton
        self.start, self.mid, self.end = (skeleton.index(joint) for joint in (start, mid, end))
        path = skeleton.path(self.end)
        for name, joint, other in (("start", self.start, self.mid), ("mid", self.mid, self.end)):
            if joint == other or joint not in skeleton.path(other):
                wanted = f"be a joint from which joint {other} hangs"
                raise PoseError(name, wanted, f"joint {joint}")
        self.limits = describing.limits_of(limits)
        self.twist = describing.shares_of(skeleton, self.mid, self.end, twist or {})
        self.used = path + [joint for joint in self.twist if joint not in path]
        self.plan = describing.plan_of(skeleton, self)
        self.rest = describing.rest_of(
            skeleton, self, describing.mid_axis_of(skeleton, self, mid_axis, bend_towards)
        )

    def __repr__(self):
        names = self.skeleton.names or range(len(self.skeleton.parents))
        shown = [repr(names[joint]) for joint in (self.start, self.mid, self.end)]
        shown.append(f"mid_axis={tuple(round(part, 3) + 0.0 for part in self.rest.mid_axis)}")
        if self.limits is not None:
            shown.append(f"limits={self.limits.least_degrees, self.limits.greatest_degrees}")
        if self.twist:
            shown.append(f"twist={ {names[joint]: share for joint, share in self.twist.items()} }")
        return f"Limb({', '.join(shown)})"

    @property
    def mid_axis(self) -> NDArray[np.float64]:
        """The hinge's axis in the space of `mid`; a positive turn about it opens the joint."""
        return np.array(self.rest.mid_axis)

    @overload
    def reach(
        self,
        pose: LocalPose[ArrayLike[F]],
        target: ArrayLike[F],
        *,
        pole: ArrayLike[F] | None = None,
        pole_point: ArrayLike[F] | None = None,
        end_rotation: EndRotation | ArrayLike[F] = "world",
        position_weight: ArrayLike[F] = 1.0,
        rotation_weight: ArrayLike[F] = 1.0,
        pole_weight: ArrayLike[F] = 1.0,
        bend: Bend | None = None,
        before: Posed[Any, Any, Any] | None = None,
        fade_degrees: float = 10.0,
        unreachable: Unreachable = "clamp",
    ) -> Posed[LocalPose[NDArray[F]], NDArray[F], NDArray[np.int8]]: ...
    @overload
    def reach(
        self,
        pose: LocalPose[A],
        target: Mixed[A],
        *,
        pole: Mixed[A] | None = None,
        pole_point: Mixed[A] | None = None,
        end_rotation: EndRotation | Mixed[A] = "world",
        position_weight: Mixed[A] = 1.0,
        rotation_weight: Mixed[A] = 1.0,
        pole_weight: Mixed[A] = 1.0,
        bend: Bend | None = None,
        before: Posed[Any, Any, Any] | None = None,
        fade_degrees: float = 10.0,
        unreachable: Unreachable = "clamp",
    ) -> Posed[LocalPose[A], A, A]: ...
    @overload
    def reach(
        self,
        pose: LocalPose[ArrayLike[Any]],
        target: Arrays[A],
        *,
        pole: Mixed[A] | None = None,
        pole_point: Mixed[A] | None = None,
        end_rotation: EndRotation | Mixed[A] = "world",
        position_weight: Mixed[A] = 1.0,
        rotation_weight: Mixed[A] = 1.0,
        pole_weight: Mixed[A] = 1.0,
        bend: Bend | None = None,
        before: Posed[Any, Any, Any] | None = None,
        fade_degrees: float = 10.0,
        unreachable: Unreachable = "clamp",
    ) -> Posed[LocalPose[A], A, A]: ...
    @overload
    def reach(
        self,
        pose: GlobalPose[ArrayLike[F]],
        target: ArrayLike[F],
        *,
        pole: ArrayLike[F] | None = None,
        pole_point: ArrayLike[F] | None = None,
        end_rotation: EndRotation | ArrayLike[F] = "world",
        position_weight: ArrayLike[F] = 1.0,
        rotation_weight: ArrayLike[F] = 1.0,
        pole_weight: ArrayLike[F] = 1.0,
        bend: Bend | None = None,
        before: Posed[Any, Any, Any] | None = None,
        fade_degrees: float = 10.0,
        unreachable: Unreachable = "clamp",
    ) -> Posed[GlobalPose[NDArray[F]], NDArray[F], NDArray[np.int8]]: ...
    @overload
    def reach(
        self,
        pose: GlobalPose[A],
        target: Mixed[A],
        *,
        pole: Mixed[A] | None = None,
        pole_point: Mixed[A] | None = None,
        end_rotation: EndRotation | Mixed[A] = "world",
        position_weight: Mixed[A] = 1.0,
        rotation_weight: Mixed[A] = 1.0,
        pole_weight: Mixed[A] = 1.0,
        bend: Bend | None = None,
        before: Posed[Any, Any, Any] | None = None,
        fade_degrees: float = 10.0,
        unreachable: Unreachable = "clamp",
    ) -> Posed[GlobalPose[A], A, A]: ...
    @overload
    def reach(
        self,
        pose: GlobalPose[ArrayLike[Any]],
        target: Arrays[A],
        *,
        pole: Mixed[A] | None = None,
        pole_point: Mixed[A] | None = None,
        end_rotation: EndRotation | Mixed[A] = "world",
        position_weight: Mixed[A] = 1.0,
        rotation_weight: Mixed[A] = 1.0,
        pole_weight: Mixed[A] = 1.0,
        bend: Bend | None = None,
        before: Posed[Any, Any, Any] | None = None,
        fade_degrees: float = 10.0,
        unreachable: Unreachable = "clamp",
    ) -> Posed[GlobalPose[A], A, A]: ...
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
        """Bring the end to a target, in all poses of a batch.

        Parameters
        ----------
        pose : LocalPose or GlobalPose
            Poses of the skeleton, shapes (..., J, 4) and (..., J, 3). Quaternions may have any
            length but 0, here and in `end_rotation`.
        target : array, shape (..., 3)
            Where the end shall be in the world.
        pole : array, shape (..., 3), optional
            The direction towards which the joint bends.
        pole_point : array, shape (..., 3), optional
            Instead of `pole`: a point towards which it bends, seen from the start.
        end_rotation : "world", "local" or array, shape (..., 4)
            The end keeps its rotation in the world, keeps the one beside its parent (it rides
            along), or takes a rotation in the world, that of the target.
        position_weight, rotation_weight, pole_weight : number or array, shape (...)
            How much of each, clamped to 0 to 1: the end goes that share of the straight way to the
            target, turns that share of the way from riding along to `end_rotation`, bends that
            share towards the pole rather than as in the rest pose.
        bend : "pole", "rest" or "transport"
            What says in which plane the limb bends: the pole (near it, the rest pose); the rest
            pose, transported along the shortest way; or the frame before, drawn towards the pole,
            where the first axis of the batch counts frames. "pole" if there is one, else "rest".
        before : Posed, optional
            With `bend="transport"`: what came of the frame before. The pose then is the next frame
            alone, with no axis of frames. For games, which do not know what comes.
        fade_degrees : float
            The pole has its full say from this angle to the way to the target on.
        unreachable : str or Policy
            As for `twobone.solve`; the limits of the limb come first. Where bones give, the
            translations of the pose do.

        Returns
        -------
        Posed
            `pose` with the limb's joints turned, `status` and `conditioning`. Joints that were
            turned have rotations of length 1, all others keep theirs to the bit. A row is
            INVALID, the limb's joints in it NaN, if an argument is NaN or infinite, or if the
            rotation of a joint from the topmost one down to `end` is 0, NaN or infinite (with all
            weights 0, where nothing replaces them, also that of a twist joint). Other joints may
            have any rotation: in a `LocalPose` it is returned as it was.

        Raises
        ------
        ShapeError, ArrayTypeError, PolicyError, UnreachableError
            As `twobone.solve` does.
        PoseError
            If both pole and pole point are given, `bend` or `end_rotation` is no such word, or
            `fade_degrees` is not above 0 and at most 90.

        Notes
        -----
        The end's way is weighted, not the angles, so the end moves on a straight line as
        `position_weight` grows. Joints that share a twist get their share of the end's turn about
        the second bone, beside the rest pose. With all weights 0 nothing changes, not a bit, not
        even the length of a quaternion (a `GlobalPose`: but for rounding below `start`, where
        rotations have length 1).

        A quaternion whose length is within 16 eps of 1 is used as it is, any other one is divided
        by its length. Derivatives are those of the normalised rotations: along a quaternion they
        are 0.

        No rule without memory can bend a limb for all targets without a jump somewhere (one cannot
        comb a hedgehog). With "pole" the place is beside the pole axis, on the side away from the
        rest pose; with "rest" it is opposite to the rest pose; with "transport" there is none.

        Distances and poles whose squares overflow or vanish are too much, as for `correct_limb`.

        Examples
        --------
        See the class.
        """
        words = isinstance(end_rotation, str)
        if words and end_rotation not in END_ROTATIONS:
            raise PoseError(
                "end_rotation", f"be {one_of(END_ROTATIONS)} or quaternions", repr(end_rotation)
            )
        bend = options.bend_of(bend, pole, pole_point)
        if before is not None and (bend != "transport" or not isinstance(before, Posed)):
            came = f"{type(before).__name__} with bend={bend!r}"
            raise PoseError("before", 'be what `reach` returned, with `bend="transport"`', came)
        fade = options.sine("fade_degrees", fade_degrees)
        arguments = {
            "target": target,
            "pole": pole,
            "pole_point": pole_point,
            "end_rotation": None if words else end_rotation,
            "position_weight": position_weight,
            "rotation_weight": rotation_weight,
            "pole_weight": pole_weight,
            "before": None if before is None else before.transported,
        }
        wishes = Wishes(bend, words and end_rotation == "local", fade)
        if isinstance(pose, GlobalPose):
            # 0 where a rotation is missing: NaN would come through to all derivatives.
            local = self.skeleton.beside_parents(pose, none=0.0)
            posed = self._reach(local, arguments, wishes, unreachable)
            return posed._replace(pose=self._to_global(pose, posed.pose))
        return self._reach(pose, arguments, wishes, unreachable)

    @overload
    def controls(
        self, pose: LocalPose[ArrayLike[F]] | GlobalPose[ArrayLike[F]]
    ) -> Controls[NDArray[F]]: ...
    @overload
    def controls(self, pose: LocalPose[A] | GlobalPose[A]) -> Controls[A]: ...
    def controls(self, pose: LocalPose[Any] | GlobalPose[Any]) -> Controls[Any]:
        """Return the target, the pole and the end's rotation that give the limb the pose it has.

        A straight limb has a pole too: its hinge says which. A joint that is bent the wrong way
        about its hinge, as a knee beyond straight, comes back bent as far the right way.

        Parameters
        ----------
        pose : LocalPose or GlobalPose
            Poses of the skeleton; quaternions may have any length but 0.

        Returns
        -------
        Controls
            Arrays of shapes (..., 3), (..., 3) and (..., 4); the pole is a unit vector. NaN where
            a rotation of the limb or above it is 0, NaN or infinite.
        """
        if isinstance(pose, GlobalPose):
            pose = self.skeleton.beside_parents(pose, none=0.0)
        given, plan, rest = self._gather(pose, {})[0], self.plan, self.rest

        def formula(xp, t, **parts):
            return reaching.controls(xp, t, plan, rest, **parts)

        return Controls(*batches.run(formula, given, [(3,), (3,), (4,)]))

    # --- the way from arguments to a pose -------------------------------------------------

    def _reach(self, pose, arguments, wishes, unreachable):
        reaction = options.reaction(self.limits, unreachable)
        given, rotations, translations = self._gather(pose, arguments)
        if wishes.bend == "transport":
            given = self._transport(given, wishes)
        plan, rest, solve = self.plan, self.rest, in_plane(reaction.inner)

        def formula(xp, t, **parts):
            parts.pop("before", None)
            reached = reaching.turn_joints(xp, t, solve, plan, rest, wishes, **parts)
            found, new = reached.found, reached.rotations
            good = reached.sound & (found.status != INVALID) & (found.sine == found.sine)
            for weight in (
                parts["position_weight"],
                parts["rotation_weight"],
                parts["pole_weight"],
            ):
                good = good & (weight == weight)
            if reaction.signals:
                new = [signal(xp, found.status, q) for q in new]
            new = [tuple(xp.where(good, part, NAN) for part in q) for q in new]
            status = xp.where(good, found.status, INVALID)
            moved = ()
            if reaction.stretches:
                still = (parts["position_weight"] <= 0.0) & (parts["pole_weight"] <= 0.0)
                moved = reaching.stretch(xp, plan, rest, reached, still, parts["translations"])
            return [status, found.sine, reached.transported, *new, *moved]

        joints = [self.start, self.mid, self.end, *self.twist]
        moving = [joint for joint in self.skeleton.path(self.end) if joint > self.start]
        moving = moving if reaction.stretches else []
        outputs = [None, (), (3, 3)] + [(4,)] * len(joints) + [(3,)] * len(moving)
        status, sine, transported, *found = batches.run(formula, given, outputs)
        if reaction.raises:
            dispatch.raise_if_unreachable(given.library, status)
        turned, moved = found[: len(joints)], found[len(joints) :]
        rotations = arrays.put(given.library, rotations, dict(zip(joints, turned, strict=True)))
        if moving:
            moved = dict(zip(moving, moved, strict=True))
            translations = arrays.put(given.library, translations, moved)
        else:
            translations = pose.translations
        return Posed(LocalPose(rotations, translations), status, sine, transported)

    def _to_global(self, pose, found):
        """Return where a local pose puts the joints; those not below start stay what they were."""
        there = self.skeleton.to_global(found)
        below = self.skeleton.below(self.start)
        kept = [joint for joint in range(len(self.skeleton.parents)) if joint not in below]
        if not kept:
            return there
        given = self.skeleton.gather(pose)
        parts = []
        for name in GlobalPose._fields:
            old = given.values[name]
            rows = {joint: old[..., joint, :] for joint in kept}
            parts.append(arrays.put(given.library, getattr(there, name), rows))
        return GlobalPose(*parts)

    def _gather(self, pose, arguments):
        """Return the arguments, with those joints of the pose that matter, and the whole pose."""
        tails: dict[str, tuple] = {
            "target": (3,),
            "pole": (3,),
            "pole_point": (3,),
            "end_rotation": (4,),
        }
        tails |= {f"{name}_weight": () for name in ("position", "rotation", "pole")}
        tails["before"] = (3, 3)
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
    def _transport(self, given, wishes):
        """Return the arguments with planes that go from frame to frame, and what goes with them."""
        before = given.values.get("before")
        if before is None and not given.shape:
            wanted = 'have an axis of frames, the first one, for `bend="transport"`'
            raise ShapeError("target", wanted, given.values["target"].shape)
        plan, rest = self.plan, self.rest

        def first(xp, t, *, rotation_weight, end_rotation=None, before=None, **parts):
            return reaching.first_planes(xp, t, plan, rest, wishes, **parts)

        frames = batches.run(first, given, [(3,), (3,), (3,), (), ()])
        if before is None:
            found = transport.transport(given.library, frames, wishes.fade)
        else:
            xp = given.library.xp
            frames = [xp.asarray(frame)[None, ...] for frame in frames]
            found = transport.transport(given.library, frames, wishes.fade, before)
            found = [each[0, ...] for each in found]
        values = dict(zip(("plane", "transported"), found, strict=True))
        tails = {"plane": (3,), "transported": (3, 3)}
        return given._replace(values=given.values | values, tails=given.tails | tails)
