"""Orders of joints that networks and trackers use, each with a rough T-pose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.errors import ClipError

Floats = NDArray[np.float64]

# A joint, the joint it hangs from and, in a T-pose, the direction from there: y up, z forward, x to
# the left. Only directions count: lengths are measured. Joints of the right side mirror the left.
SMPL = """
pelvis - 0 0 0; left_hip pelvis 6 -9 0; right_hip pelvis -6 -9 0; spine1 pelvis 0 1 0
left_knee left_hip 0 -1 0; right_knee right_hip 0 -1 0; spine2 spine1 0 1 0
left_ankle left_knee 0 -1 0; right_ankle right_knee 0 -1 0; spine3 spine2 0 1 0
left_foot left_ankle 0 -6 13; right_foot right_ankle 0 -6 13; neck spine3 0 1 0
left_collar spine3 8 12 0; right_collar spine3 -8 12 0; head neck 0 1 0
left_shoulder left_collar 10 3 0; right_shoulder right_collar -10 3 0
left_elbow left_shoulder 1 0 0; right_elbow right_shoulder -1 0 0
left_wrist left_elbow 1 0 0; right_wrist right_elbow -1 0 0
"""
HANDS = "left_hand left_wrist 1 0 0; right_hand right_wrist -1 0 0"
KIT = """
pelvis - 0 0 0; spine1 pelvis 0 1 0; spine2 spine1 0 1 0; neck spine2 0 1 0; head neck 0 1 0
right_shoulder neck -1 0 0; right_elbow right_shoulder -1 0 0; right_wrist right_elbow -1 0 0
left_shoulder neck 1 0 0; left_elbow left_shoulder 1 0 0; left_wrist left_elbow 1 0 0
right_hip pelvis -1 0 0; right_knee right_hip 0 -1 0; right_ankle right_knee 0 -1 0
right_foot right_ankle 0 -6 13; right_toe right_foot 0 0 1
left_hip pelvis 1 0 0; left_knee left_hip 0 -1 0; left_ankle left_knee 0 -1 0
left_foot left_ankle 0 -6 13; left_toe left_foot 0 0 1
"""
COCO = """
nose neck 0 20 10; left_eye nose 3 3 -2; right_eye nose -3 3 -2
left_ear nose 8 0 -10; right_ear nose -8 0 -10
left_shoulder neck 1 0 0; right_shoulder neck -1 0 0
left_elbow left_shoulder 1 0 0; right_elbow right_shoulder -1 0 0
left_wrist left_elbow 1 0 0; right_wrist right_elbow -1 0 0
left_hip pelvis 1 0 0; right_hip pelvis -1 0 0
left_knee left_hip 0 -1 0; right_knee right_hip 0 -1 0
left_ankle left_knee 0 -1 0; right_ankle right_knee 0 -1 0
pelvis - 0 0 0; neck pelvis 0 1 0
"""
H36M = """
pelvis - 0 0 0; right_hip pelvis -1 0 0; right_knee right_hip 0 -1 0
right_ankle right_knee 0 -1 0; left_hip pelvis 1 0 0; left_knee left_hip 0 -1 0
left_ankle left_knee 0 -1 0; spine pelvis 0 1 0; neck spine 0 1 0; nose neck 0 10 8
head nose 0 10 -6; left_shoulder neck 1 0 0; left_elbow left_shoulder 1 0 0
left_wrist left_elbow 1 0 0; right_shoulder neck -1 0 0; right_elbow right_shoulder -1 0 0
right_wrist right_elbow -1 0 0
"""
LIMBS = (("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist"))
HUMAN = {  # humanoid bones as VRM names them, by joints
    "pelvis": "hips",
    "spine": "spine",
    "spine1": "spine",
    "spine2": "chest",
    "spine3": "upperChest",
    "neck": "neck",
    "head": "head",
}
SIDED = {  # those of both sides
    "hip": "UpperLeg",
    "knee": "LowerLeg",
    "ankle": "Foot",
    "foot": "Toes",
    "collar": "Shoulder",
    "shoulder": "UpperArm",
    "elbow": "LowerArm",
    "wrist": "Hand",
}
MIDDLES = {  # joints that a layout does not have, halfway between two that it has
    "coco17": (("left_hip", "right_hip"), ("left_shoulder", "right_shoulder")),
}


class Layout(NamedTuple):
    """The joints of a skeleton in the order of their points."""

    name: str
    names: tuple[str, ...] | None
    parents: tuple[int, ...]
    limbs: tuple[tuple[int, int, int], ...]  # start, mid and end joint of arms and legs
    rest: Floats | None  # (J, 3), directions from the parents in a T-pose, y up
    middles: tuple[tuple[int, int], ...] = ()  # the last joints are halfway between these
    metres: float = 1.0  # per unit, unless the caller says otherwise

    @property
    def human_bones(self) -> dict[str, int]:
        """The joint of each humanoid bone, by its name in VRM."""
        found = {}
        for joint, name in enumerate(self.names or () if self.rest is not None else ()):
            side, _, part = name.partition("_")
            if name in HUMAN:
                found[HUMAN[name]] = joint
            elif part in SIDED:
                found[f"{side}{SIDED[part]}"] = joint
        return found

    @property
    def count(self) -> int:
        """How many points a frame has."""
        return len(self.parents) - len(self.middles)


def _named(name: str, text: str, metres: float = 1.0) -> Layout:
    rows = [row.split() for row in text.replace("\n", ";").split(";") if row.strip()]
    names = tuple(row[0] for row in rows)
    place = {each: joint for joint, each in enumerate(names)} | {"-": -1}
    limbs = [
        tuple(place[f"{side}_{part}"] for part in parts)
        for side in ("left", "right")
        for parts in LIMBS
    ]
    middles = [(place[a], place[b]) for a, b in MIDDLES.get(name, ())]
    return Layout(
        name,
        names,
        tuple(place[row[1]] for row in rows),
        tuple((a, b, c) for a, b, c in limbs),
        np.array([row[2:] for row in rows], np.float64),
        tuple(middles),
        metres,
    )


LAYOUTS = {
    layout.name: layout
    for layout in (
        _named("smpl22", SMPL),
        _named("smpl24", SMPL + HANDS),
        _named("kit21", KIT, 0.001),
        _named("coco17", COCO),
        _named("h36m17", H36M),
    )
}


def chosen(skeleton: str | None, count: int) -> Layout:
    """Return the layout of a name, or the only one that has so many joints.

    Examples
    --------
    >>> from twobone.motion.joints.layouts import chosen
    >>> chosen(None, 22).name
    'smpl22'
    """
    if skeleton is not None:
        if skeleton not in LAYOUTS:
            wanted = f"one of {', '.join(LAYOUTS)} (or parents=)"
            raise ClipError("the joints", wanted, repr(skeleton), field="skeleton")
        layout = LAYOUTS[skeleton]
        if layout.count != count:
            wanted = f"{layout.count} joints for {skeleton}"
            raise ClipError("the joints", wanted, count, field="points")
        return layout
    fitting = [layout for layout in LAYOUTS.values() if layout.count == count]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        wanted = " or ".join(f"'{layout.name}'" for layout in fitting)
        raise ClipError("the joints", f"{wanted} for {count} joints", "none", field="skeleton")
    known = ", ".join(f"{layout.count} ({layout.name})" for layout in LAYOUTS.values())
    wanted = f"a known number of joints, {known}, or parents="
    raise ClipError("the joints", wanted, f"{count} joints", field="points")


def of_parents(parents: Sequence[int | None], names: Sequence[str] | None) -> Layout:
    """Return the layout of a skeleton of the caller's, without a T-pose."""
    plain = tuple(-1 if parent is None else int(parent) for parent in parents)
    return Layout("parents", None if names is None else tuple(names), plain, (), None)
