"""What the name of a joint says: its side, its place, and its role in a leg or an arm."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal, NamedTuple

Role = Literal["start", "mid", "end", "toe"]
Kind = Literal["leg", "arm"]
Side = Literal["left", "right"]
Place = Literal["front", "hind"]

SIDES: dict[str, Side] = {"left": "left", "l": "left", "right": "right", "r": "right"}
PLACES: dict[str, Place] = {
    "front": "front",
    "fore": "front",
    "hind": "hind",
    "back": "hind",
    "rear": "hind",
}
WORDS: dict[tuple[Kind, Role | None], str] = {  # compounds are written as one word
    ("leg", "start"): "upperleg legupper upleg thigh femur hip",
    ("leg", "mid"): "lowerleg leglower lowleg shin calf knee tibia",
    ("leg", "end"): "foot ankle legankle legfoot hock hoof paw tarsus",
    ("leg", "toe"): "toe toes toebase ball",
    ("leg", None): "leg",
    ("arm", "start"): "upperarm armupper uparm humerus",
    ("arm", "mid"): "forearm lowerarm armlower elbow radius",
    ("arm", "end"): "hand wrist fist",
    ("arm", None): "shoulder arm",
}
ROLES = {word: meant for meant, words in WORDS.items() for word in words.split()}
# Chains with such a joint at their start are no limbs.
OTHERS = frozenset(
    """breast cape cloth ctrl ear eye finger hair head index jaw middle neck pinky pole ring skirt
    spine tail target thumb tongue weapon wing""".split()  # noqa: SIM905
)
IN_JAPANESE = {  # MikuMikuDance; longer ones first
    "\u5de6": " left ",
    "\u53f3": " right ",
    "\u8db3\u9996": " ankle ",
    "\u3064\u307e\u5148": " toe ",
    "\u3072\u3056": " knee ",
    "\u8db3": " thigh ",
    "\u3072\u3058": " elbow ",
    "\u624b\u9996": " wrist ",
    "\u8155": " upper arm ",
}
# Names of skeletons written in ASF, such as lfemur.
ONE_LETTER = re.compile(r"^([lr])(hip|femur|tibia|foot|toes|humerus|radius|wrist|hand|ankle|knee)")


class Meaning(NamedTuple):
    """What the name of a joint says; None where it says nothing."""

    side: Side | None
    place: Place | None
    kind: Kind | None
    role: Role | None
    is_other: bool  # of a part that is no limb, such as a tail or a pole target
    words: tuple[str, ...]  # without the side


def meaning(name: str) -> Meaning:
    """Return what a name says.

    The conventions of Mixamo, CMU, Rokoko, SMPL, Unreal, 3ds Max, Rigify, VRM, ASF and
    MikuMikuDance are known. Namespaces, such as "mixamorig:", are ignored.

    Parameters
    ----------
    name : str
        The name of a joint.

    Returns
    -------
    Meaning

    Examples
    --------
    >>> from twobone.motion.joint_names import meaning
    >>> meaning("mixamorig:LeftUpLeg")[:4]
    ('left', None, 'leg', 'start')
    >>> meaning("Front_Leg_Lower_R")[:4]
    ('right', 'front', 'leg', 'mid')
    """
    words = split(name)
    side: Side | None = next((SIDES[word] for word in words if word in SIDES), None)
    place: Place | None = next((PLACES[word] for word in words if word in PLACES), None)
    kind, role = _role([word for word in words if word not in SIDES and word not in PLACES])
    rest = tuple(word for word in words if word not in SIDES)
    return Meaning(side, place, kind, role, not OTHERS.isdisjoint(words), rest)


def split(name: str) -> list[str]:
    """Return the words of a name in lower case; digits and namespaces are left out."""
    name = name.rsplit(":", 1)[-1]
    for japanese, english in IN_JAPANESE.items():
        name = name.replace(japanese, english)
    name = re.sub(r"([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])", r"\1\3 \2", name)
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", name)]
    out: list[str] = []
    for word in words:
        found = ONE_LETTER.match(word)
        if word == "arm" and out[-1:] == ["fore"]:
            out[-1] = "forearm"
        else:
            out += [found[1], word[1:]] if found else [word]
    return out


def _role(words: list[str]) -> tuple[Kind | None, Role | None]:
    """Return kind and role; two words, such as "lower leg", count before one."""
    pairs = [first + second for first, second in pairwise(words)]
    found = [ROLES[word] for word in (*pairs, *words) if word in ROLES]
    exact = [each for each in found if each[1] is not None]
    first = [*exact, *found][:1]
    return first[0] if first else (None, None)
