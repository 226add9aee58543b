"""Humanoid bones that VRM models and VRM animations name.

Source: VRM Consortium, "VRMC_vrm-1.0", "VRMC_vrm_animation-1.0" and, for VRM 0.x, "VRM"
(github.com/vrm-c/vrm-specification).
"""

from __future__ import annotations

from typing import Any

from twobone.files.gltf.document import Document

NAMED = ("VRMC_vrm", "VRMC_vrm_animation")  # extensions with bones as an object
RENAMED = {  # VRM 0.x counts the bones of the thumb from another one
    f"{side}Thumb{old}": f"{side}Thumb{new}"
    for side in ("left", "right")
    for old, new in (("Proximal", "Metacarpal"), ("Intermediate", "Proximal"))
}
ANIMATION = "VRMC_vrm_animation"
SIDED = ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand")
NEEDED = (
    "hips",
    "spine",
    "head",
    *(f"{side}{bone}" for side in ("left", "right") for bone in SIDED),
)


def animation_extension(nodes: dict[str, int]) -> dict[str, Any]:
    """Return the extension of a VRM animation, given the node of each humanoid bone.

    It is empty if bones are missing that every humanoid must have.
    """
    if any(bone not in nodes for bone in NEEDED):
        return {}
    bones = {bone: {"node": node} for bone, node in nodes.items()}
    return {ANIMATION: {"specVersion": "1.0", "humanoid": {"humanBones": bones}}}


def human_bones(document: Document) -> dict[str, int]:
    """Return the node of each humanoid bone, by its name in VRM 1.0; empty if there are none."""
    root, found = document.root, {}
    count = len(root.array("nodes"))
    for name in NAMED:
        bones = root.find("extensions", name, "humanoid", "humanBones")
        if bones is None:
            continue
        for bone in bones.value:
            found[bone] = bones.object(bone).index("node", count)
    if found:
        return found
    humanoid = root.find("extensions", "VRM", "humanoid")
    for bone in humanoid.array("humanBones") if humanoid else ():
        if bone.member("node").value != -1:  # some exporters list the bones that are not there
            name = bone.string("bone")
            found[RENAMED.get(name, name)] = bone.index("node", count)
    return found


def expression_nodes(document: Document) -> set[int]:
    """Return the nodes of a VRM animation that animate expressions and gaze and are not joints."""
    animation = document.root.find("extensions", "VRMC_vrm_animation")
    count = len(document.root.array("nodes"))
    found: set[int] = set()
    if animation is None:
        return found
    for kind in ("preset", "custom"):
        expressions = animation.find("expressions", kind)
        if expressions is None:
            continue
        for name in expressions.value:
            found.add(expressions.object(name).index("node", count))
    look_at = animation.find("lookAt")
    if look_at is not None and look_at.has("node"):
        found.add(look_at.index("node", count))
    return found
