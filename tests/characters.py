"""Characters for tests of the page: a made one, and .glb files that the page must refuse."""

import json
import struct

import numpy as np

from real_clips import FOLDER
from twobone import LocalPose, Skeleton, motion
from twobone.rotations import normalize

FILES = sorted(path for path in FOLDER.glob("*/*.*") if path.suffix in (".bvh", ".glb"))

BODY = [  # name, parent, offset: two legs, two arms, a head
    *[("Hips", -1, [0, 0.9, 0]), ("Spine", 0, [0, 0.2, 0]), ("Head", 1, [0, 0.4, 0.05])],
    *[("LeftUpLeg", 0, [0.1, 0, 0]), ("LeftLeg", 3, [0, -0.45, 0]), ("LeftFoot", 4, [0, -0.4, 0])],
    *[("LeftToe", 5, [0, -0.05, 0.15]), ("RightUpLeg", 0, [-0.1, 0, 0])],
    *[("RightLeg", 7, [0, -0.45, 0]), ("RightFoot", 8, [0, -0.4, 0])],
    *[("RightToe", 9, [0, -0.05, 0.15]), ("LeftArm", 1, [0.2, 0.2, 0])],
    *[("LeftForeArm", 11, [0.3, 0, 0]), ("LeftHand", 12, [0.25, 0, 0])],
    *[("RightArm", 1, [-0.2, 0.2, 0]), ("RightForeArm", 14, [-0.3, 0, 0])],
    ("RightHand", 15, [-0.25, 0, 0]),
]


def made_clip(is_named, seed=1, frames=40, size=1.0):
    draw = np.random.default_rng(seed)
    names, parents, offsets = zip(*BODY, strict=True)
    names = names if is_named else [f"bone{i}" for i in range(len(names))]
    skeleton = Skeleton(parents, offsets, names=names)
    rotations = np.tile(skeleton.rotations, (frames, 1, 1))
    swing = size * np.sin(np.linspace(0.0, 9.0, frames))
    # Knees and elbows are hinges; hips and shoulders rotate about two axes.
    for joint, (name, *_) in enumerate(BODY):
        side = -1 if "Right" in name else 1
        if name.endswith("Leg") and "Up" not in name:
            rotations[:, joint, 0] = 0.3 * size + 0.2 * side * swing
        elif name.endswith("ForeArm"):
            rotations[:, joint, 1] = -side * (0.3 + 0.2 * swing)
        elif name.endswith(("UpLeg", "Arm")):
            rotations[:, joint, 0] = 0.4 * side * swing
            rotations[:, joint, 1] = 0.2 * draw.normal() * swing
    return motion.Clip(skeleton, LocalPose(normalize(rotations)), 30)


def glb(json_chunk, binary=b"", version=2):
    """Return a .glb file of a description and a binary chunk."""
    text = json_chunk if isinstance(json_chunk, bytes) else json.dumps(json_chunk).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", version, 12 + len(chunks)) + chunks


def changed(**changes):
    """Return the description of a triangle, with some members replaced."""
    made = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": "hip", "mesh": 0, "children": [1]}, {"translation": [0, 1, 0]}],
        "scenes": [{"nodes": [0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "buffers": [{"byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    }
    return glb({**made, **changes}, struct.pack("<9f", *range(9)))


def accessor(**changes):
    return [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", **changes}]


def morphed(targets, weights=(1,)):
    """Return the mesh of a triangle with morph targets."""
    primitive = {"attributes": {"POSITION": 0}, "targets": targets}
    return {"primitives": [primitive], "weights": weights}


GLBS = [
    (changed(), ""),
    (b"PK\3\4" + bytes(40), "This is no glTF file in one piece"),
    (glb({}, version=1), "This is glTF of version 1; the page reads version 2."),
    (glb(b"{"), "no valid JSON"),
    (glb({}), "does not say that it is glTF of version 2"),
    (changed()[:-8], "The file ends too early"),
    (changed(nodes=[{"children": [1]}, {"children": [0]}]), "its own ancestor|two parents"),
    (changed(nodes=[{"children": [2]}, {"children": [2]}, {}]), "node 2 has two parents"),
    (changed(nodes=[{"children": [7]}]), "there is no node “7”"),
    (changed(nodes=[{"translation": [0, 1]}]), "the translation of a node is not 3 numbers"),
    (changed(nodes=[{"translation": [0, 1e101, 0]}]), "The node .* up to 1e.100."),
    (changed(nodes=[]), "has no nodes"),
    (changed(nodes=[{}] * 10001), "10001 nodes; the page shows up to 10000"),
    (changed(buffers=[{"uri": "https://example.org/x.bin", "byteLength": 4}]), "outside of it"),
    (changed(images=[{"uri": "../secret.png"}]), "outside of it, “../secret.png”"),
    *(
        (
            changed(extensionsRequired=["VRM", name]),
            f"needs “{name}”.*Export it without compression",
        )
        for name in (
            "KHR_draco_mesh_compression",
            "EXT_meshopt_compression",
            "KHR_meshopt_compression",
            "KHR_texture_basisu",
        )
    ),
    (changed(extensionsRequired=["EXT_other"]), "needs “EXT_other”, which the page cannot read.$"),
    (changed(bufferViews=[{"buffer": 0, "byteLength": 1 << 30}]), "data beyond its end"),
    (changed(accessors=accessor(count=1 << 20)), "numbers beyond its end"),
    (
        changed(accessors=accessor(bufferView=None, count=1 << 30)),
        "no part of the data|more numbers",
    ),
    (
        changed(accessors=[{"componentType": 5126, "count": 1 << 30, "type": "VEC3"}]),
        "more numbers",
    ),
    (changed(accessors=accessor(componentType=1)), "numbers of an unknown kind"),
    (changed(skins=[{"joints": []}]), "a skin has no joints"),
    (changed(skins=[{"joints": [9]}]), "there is no node “9”"),
    (changed(meshes=[{}]), "a mesh has no shapes"),
    (changed(nodes=7), "“nodes” is no list of objects"),
    (changed(meshes=[morphed([{}, {"POSITION": 0}])]), ""),
    (changed(meshes=[morphed([{"NORMAL": 0}])]), ""),
    (changed(meshes=[morphed([{"POSITION": 9}])]), ""),
    (changed(meshes=[morphed([{"POSITION": 0}] * 300, [1] * 300)]), ""),
    (changed(meshes=[morphed(7, "none")]), ""),
    (
        changed(
            meshes=[morphed([{"POSITION": 0}] * 256)],
            accessors=[{"componentType": 5126, "count": 1 << 17, "type": "VEC3"}],
        ),
        "too large for the page",
    ),
    (
        changed(
            animations=[
                {
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
                    "samplers": [{"input": 0, "output": 0}],
                }
            ]
        ),
        "an animation has other values than times",
    ),
    (
        changed(
            animations=[
                {
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
                    "samplers": [{"input": 0, "output": 0}],
                }
            ]
        ),
        "an animation has other values than times",
    ),
]
