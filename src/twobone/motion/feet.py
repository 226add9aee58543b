"""The feet of a clip that touch the ground: their limbs, where they are, when they are held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from twobone.errors import ClipError
from twobone.motion import chains, footplants, legs, writing
from twobone.motion.chains import Chains, Floats
from twobone.motion.clip import Clip
from twobone.motion.curves import Flags
from twobone.motion.footplants import Plants
from twobone.motion.ground import ClipGround, Given, terrain_of
from twobone.motion.legs import Legs, Limb
from twobone.pose import Skeleton
from twobone.terrain import arguments
from twobone.terrain.ground import Flat

Height: TypeAlias = Callable[[Floats], Floats]  # of the ground below points (3, ...)

PAUSE = 0.07  # seconds; a joint that is out of contact for no longer is held all the while
JUMP = 0.25  # of a limb's length; a foot that moves so far in a frame is somewhere else
LOW = 2.0  # percentile of the heights of joints in contact that is taken for the ground


class Feet(NamedTuple):
    """What `pin` needs of a clip; L limbs, T frames, units and axes of the clip."""

    limbs: Sequence[Limb]
    chains: Chains  # what `writing.write` needs
    legs: Legs
    foot: Floats  # (3, L, T), from the end to the toe; 0 if the limb has no toe
    tip: Floats  # (3, L, T), from the toe to the tip of the toes
    ends: Plants
    toes: Plants
    up: int  # the axis that points up
    height: Height
    fps: float
    rests: ClipGround | None = None  # joints that are held stand on this ground, where they rest

    @property
    def held(self) -> Flags:
        """The frames in which a limb is held by its end or its toe, (L, T)."""
        return self.ends.held | self.toes.held

    @property
    def is_any_lasting(self) -> bool:
        """Whether a footplant is longer than a frame; it may go on from the last to the first."""
        found = [self.ends, self.toes]
        sizes = np.concatenate([np.diff(plants.spans[:, 1:]).ravel() for plants in found])
        is_across = any((plants.held[:, 0] & plants.held[:, -1]).any() for plants in found)
        return bool((sizes > 1).any()) or is_across

    def frames(self, seconds: float) -> int:
        """Return a number of frames, at least 1."""
        return max(round(seconds * self.fps), 1)


def feet_of(
    clip: Clip, on: dict[int, Flags], sliding: dict[int, Flags], limbs: Any, ground: Given
) -> Feet | None:
    """Return the feet of a clip that are in contact; None if there are none.

    `on` and `sliding` are the frames, by joint, in contact and those in which it is not held.
    """
    joints_needed(clip.skeleton, limbs)
    known = {joint for limb in limbs for joint in (limb.end, limb.toe)}
    for given, name in ((on, "the contacts"), (sliding, "keep_sliding")):
        for joint in given.keys() - known:
            wanted = "the end or the toe of a limb"
            raise ClipError(name, wanted, repr(clip.skeleton.label(joint)))
    touching = {joint for joint, flags in on.items() if flags.any()}
    limbs = [limb for limb in limbs if {limb.end, limb.toe} & touching]
    if not limbs:
        return None
    ends = [limb.end for limb in limbs]
    toes = [limb.end if limb.toe is None else limb.toe for limb in limbs]
    tips = [tip_of(clip.skeleton, toe) for toe in toes]
    placed = chains.forward(clip, joints_needed(clip.skeleton, limbs) + tips)
    at = legs.legs_of(placed, limbs)
    (toe, _), (tip, _) = legs.stacked(placed, toes), legs.stacked(placed, tips)
    up = "xyz".index(clip.up)

    def rows(flags: dict[int, Flags], joints: Iterable[int | None]) -> Flags:
        none = np.zeros(len(clip), bool)
        return np.stack([none if joint is None else flags.get(joint, none) for joint in joints])

    on_end, on_toe = rows(on, ends), rows(on, [limb.toe for limb in limbs])
    free_end, free_toe = rows(sliding, ends), rows(sliding, [limb.toe for limb in limbs])
    if ground is None:
        lows = toe[up][on_toe] if on_toe.any() else at.end[up][on_end]
        height = level(float(np.percentile(lows, LOW)))
    else:
        height = height_of(ground, up)
    pause = max(round(PAUSE * clip.fps), 1)
    apart = JUMP * np.median(legs.bones(at), axis=-1)
    on_end, free_end = footplants.split_at_jumps(on_end, free_end, at.end, apart)
    on_toe, free_toe = footplants.split_at_jumps(on_toe, free_toe, toe, apart)
    return Feet(
        limbs,
        writing.needed(clip, limbs, placed),
        at,
        toe - at.end,
        tip - toe,
        footplants.plants_of(on_end, free_end, pause),
        footplants.plants_of(on_toe, free_toe, pause),
        up,
        height,
        clip.fps,
    )


def joints_needed(skeleton: Skeleton, limbs: Sequence[Limb]) -> list[int]:
    """Return the joints of limbs, in any order."""
    joints = [joint for limb in limbs for joint in (limb.start, limb.mid, limb.end, limb.toe)]
    for joint in joints:
        if joint is not None and not 0 <= joint < len(skeleton.parents):
            wanted = f"joints below {len(skeleton.parents)}"
            raise ClipError("the limbs", wanted, joint)
    return [joint for joint in joints if joint is not None]


def tip_of(skeleton: Skeleton, joint: int) -> int:
    """Return the joint at the tip of the toes: the last of first children, or the joint itself."""
    first_child: dict[int, int] = {}
    for child, parent in enumerate(skeleton.parents):
        first_child.setdefault(parent, child)
    while joint in first_child:
        joint = first_child[joint]
    return joint


def level(height: float) -> Height:
    """Return the function of level ground; a height that was found can be of any size."""
    return lambda points: np.full(points.shape[1:], height)


def is_level(ground: Given) -> bool:
    """Return whether ground, as it is given to `pin`, is level; what is found is."""
    terrain = ground.terrain if isinstance(ground, ClipGround) else ground
    return terrain is None or arguments.is_number(terrain) or isinstance(terrain, Flat)


def height_of(ground: Given, up: int) -> Height:
    """Return a function from points (3, ...) to the height of the ground below them."""
    first, second = (axis for axis in range(3) if axis != up)
    terrain = terrain_of(ground)

    def height(points: Floats) -> Floats:
        found = terrain.height(points[first], points[second])
        return np.broadcast_to(np.asarray(found, np.float64), points.shape[1:])

    return height
