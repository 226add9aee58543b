"""Models as VRM editors write them: a skinned body, a face with morph targets, springs, MToon."""

import struct
import zlib

import numpy as np

from gltf_files import Maker

BONES = [  # humanoid bone of VRM 1.0, parent, offset; the model looks along z, its left is at +x
    *[("hips", -1, (0, 0.9, 0)), ("spine", 0, (0, 0.12, 0)), ("chest", 1, (0, 0.14, 0))],
    *[("neck", 2, (0, 0.24, 0)), ("head", 3, (0, 0.09, 0.01))],
    *[("leftEye", 4, (0.03, 0.06, 0.07)), ("rightEye", 4, (-0.03, 0.06, 0.07))],
]
for side, x in (("left", 1), ("right", -1)):
    at = len(BONES)
    BONES += [
        *[(f"{side}UpperLeg", 0, (0.09 * x, -0.04, 0)), (f"{side}LowerLeg", at, (0, -0.4, 0.01))],
        *[(f"{side}Foot", at + 1, (0, -0.38, -0.02)), (f"{side}Toes", at + 2, (0, -0.06, 0.12))],
        *[
            (f"{side}Shoulder", 2, (0.03 * x, 0.19, 0)),
            (f"{side}UpperArm", at + 4, (0.1 * x, 0, 0)),
        ],
        *[(f"{side}LowerArm", at + 5, (0.24 * x, 0, 0)), (f"{side}Hand", at + 6, (0.23 * x, 0, 0))],
        *[(f"{side}ThumbMetacarpal", at + 7, (0.02 * x, -0.01, 0.03))],
        *[(f"{side}ThumbProximal", at + 8, (0.03 * x, 0, 0.02))],
    ]
HAIR = [("", 4, (0, 0.12, -0.1)), ("", len(BONES), (0, -0.1, -0.02))]  # bones of a spring
OLD_NAMES = {"ThumbMetacarpal": "ThumbProximal", "ThumbProximal": "ThumbIntermediate"}
CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
SIDES = np.array(
    [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
)
TRIANGLES = SIDES[:, [0, 1, 2, 0, 2, 3]].reshape(-1)
CHIN = [0, 1, 4, 5]  # the lower corners of the cube
EXPRESSIONS = ("aa", "blink")  # the chin moves down, or the upper corners do


def png(size=4, colour=(240, 200, 180)):
    """Return an image of one colour."""
    rows = (b"\0" + bytes(colour) * size) * size
    chunks = [(b"IHDR", struct.pack(">2I5B", size, size, 8, 2, 0, 0, 0))]
    chunks += [(b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def vrm(version, **animations):
    """Return a .vrm file of a version, 0 or 1; its nodes have names that say nothing.

    `animations` are the weights of both morph targets, an array of shape (T, 2) at 10 frames a
    second, by the name of a clip.
    """
    # Models of VRM 0.x look along -z.
    turned = np.array([1.0, 1.0, 1.0] if version else [-1.0, 1.0, -1.0])
    bones = BONES + HAIR
    nodes = [{"name": f"bone_{i:02}"} for i in range(len(bones))]
    places = np.zeros((len(bones), 3))
    for i, (_, parent, offset) in enumerate(bones):
        nodes[i]["translation"] = (turned * offset).tolist()
        places[i] = turned * offset + (places[parent] if parent >= 0 else 0.0)
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(i)
    body, face = len(nodes), len(nodes) + 1
    nodes += [{"name": "mesh_0", "mesh": 0, "skin": 0}, {"name": "mesh_1", "mesh": 1, "skin": 0}]
    made = Maker(*nodes)
    made.json["scenes"] = [{"nodes": [0, body, face]}]
    inverse = np.tile(np.eye(4, dtype="f4"), (len(bones), 1, 1))
    inverse[:, 3, :3] = -places
    matrices = {"bufferView": made.view(inverse.tobytes()), "componentType": 5126}
    made.json["accessors"].append(matrices | {"count": len(bones), "type": "MAT4"})
    made.json["skins"] = [{"joints": list(range(len(bones))), "inverseBindMatrices": 0}]
    _add_meshes(made, places)
    image = made.view(png())
    made.json["images"] = [{"bufferView": image, "mimeType": "image/png"}]
    made.json["textures"] = [{"source": 0}]
    extensions, of_material = (_vrm_1 if version else _vrm_0)(bones, face)
    used = {*extensions, *of_material, "KHR_texture_transform"}
    surface = {"baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": {}}}}
    made.json["materials"] = [
        {"name": f"m{i}", "pbrMetallicRoughness": surface, "extensions": of_material}
        for i in range(2)
    ]
    made.json |= {"extensions": extensions, "extensionsUsed": sorted(used)}
    for name, weights in animations.items():
        times = made.times(np.arange(len(weights)) / 10.0)
        made.animate(name, **{f"weights_{face}": (times, np.reshape(weights, -1))})
    return made.glb()


def _add_meshes(made, places):
    """Add a cube at each bone, and a head whose lower and upper corners are morph targets."""
    count = len(places)
    points = (places[:, None] + 0.03 * CUBE).reshape(-1, 3)
    attributes = _skinned(made, points, np.repeat(np.arange(count), 8))
    triangles = (TRIANGLES + 8 * np.arange(count)[:, None]).reshape(-1)
    primitive = {"attributes": attributes, "indices": made.accessor(triangles, 5123)}
    head = places[4] + [0.0, 0.08, 0.0] + 0.08 * CUBE
    attributes = _skinned(made, head, np.full(8, 4))
    targets = [
        {"POSITION": _moved(made, corners, [0.0, -0.06, 0.0], 8)}
        for corners in (CHIN, sorted({*range(8)} - {*CHIN}))
    ]
    targets[0]["NORMAL"] = _moved(made, CHIN, [0.0, -0.1, 0.0], 8)
    halves = [made.accessor(part, 5123) for part in np.split(TRIANGLES, [18])]
    faces = [  # as editors write them: one for each material, with the same vertices
        {"attributes": attributes, "indices": half, "material": i, "targets": targets}
        for i, half in enumerate(halves)
    ]
    extras = {"targetNames": ["Fcl_MTH_A", "Fcl_EYE_Close"]}
    made.json["meshes"] = [
        {"primitives": [primitive | {"material": 0}]},
        {"primitives": faces, "extras": extras, "weights": [0.0, 0.0]},
    ]


def _skinned(made, points, joints):
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(points), 1))
    centres = points.reshape(-1, 8, 3).mean(1, keepdims=True)
    normals = (points.reshape(-1, 8, 3) - centres).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    bounds = {
        "min": points.min(0).astype("f4").tolist(),
        "max": points.max(0).astype("f4").tolist(),
    }
    return {
        "POSITION": made.accessor(points, **bounds),
        "NORMAL": made.accessor(normals),
        "TEXCOORD_0": made.accessor(np.zeros((len(points), 2))),
        "JOINTS_0": made.accessor(joints[:, None] * [1, 0, 0, 0], 5121),
        "WEIGHTS_0": made.accessor(weights),
    }


def _moved(made, corners, by, count):
    """Add a sparse accessor: zeros but for some vertices."""
    indices = {"bufferView": made.view(np.array(corners, "<u2").tobytes()), "componentType": 5123}
    values = np.tile(np.array(by, "<f4"), (len(corners), 1))
    sparse = {"count": len(corners), "indices": indices}
    sparse["values"] = {"bufferView": made.view(values.tobytes())}
    bounds = {"min": np.minimum(values[0], 0).tolist(), "max": np.maximum(values[0], 0).tolist()}
    part = {"componentType": 5126, "count": count, "type": "VEC3", "sparse": sparse} | bounds
    made.json["accessors"].append(part)
    return len(made.json["accessors"]) - 1


def _vrm_1(bones, face):
    named = {bone: {"node": i} for i, (bone, *_) in enumerate(bones) if bone}
    licence = "https://vrm.dev/licenses/1.0/"
    meta = {"name": "made", "authors": ["twobone"], "licenseUrl": licence}
    preset = {
        name: {"morphTargetBinds": [{"node": face, "index": i, "weight": 1.0}]}
        for i, name in enumerate(EXPRESSIONS)
    }
    joints = [{"node": len(BONES) + i, "hitRadius": 0.02, "stiffness": 1.0} for i in range(2)]
    shape = {"sphere": {"offset": [0, 0.1, 0], "radius": 0.1}}
    return {
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": meta,
            "humanoid": {"humanBones": named},
            "expressions": {"preset": preset},
            "firstPerson": {"meshAnnotations": [{"node": face, "type": "auto"}]},
            "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.06, 0]},
        },
        "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": [{"node": 4, "shape": shape}],
            "colliderGroups": [{"name": "head", "colliders": [0]}],
            "springs": [{"name": "hair", "joints": joints, "colliderGroups": [0]}],
        },
    }, {
        "KHR_materials_unlit": {},
        "VRMC_materials_mtoon": {"specVersion": "1.0", "shadeColorFactor": [0.8, 0.6, 0.6]},
    }


def _vrm_0(bones, face):
    def old(bone):
        side = "left" if bone.startswith("left") else "right"
        rest = bone.removeprefix(side)
        return side + OLD_NAMES[rest] if rest in OLD_NAMES else bone

    named = [
        {"bone": old(bone), "node": i, "useDefaultValues": True}
        for i, (bone, *_) in enumerate(bones)
        if bone
    ]
    named.append({"bone": "jaw", "node": -1, "useDefaultValues": True})  # not there
    groups = [
        {
            "name": name,
            "presetName": {"aa": "a"}.get(name, name),
            "binds": [{"mesh": 1, "index": i, "weight": 100}],
            "materialValues": [],
        }
        for i, name in enumerate(EXPRESSIONS)
    ]
    spring = {"comment": "hair", "stiffiness": 1.0, "dragForce": 0.4, "hitRadius": 0.02}
    collider = {"offset": {"x": 0, "y": 0.1, "z": 0}, "radius": 0.1}
    shader = {"shader": "VRM/MToon", "renderQueue": 2000, "floatProperties": {"_Cutoff": 0.5}}
    shader |= {"vectorProperties": {"_Color": [1, 1, 1, 1]}, "textureProperties": {"_MainTex": 0}}
    return {
        "VRM": {
            "exporterVersion": "made",
            "specVersion": "0.0",
            "meta": {"title": "made", "author": "twobone", "texture": -1},
            "humanoid": {"humanBones": named, "armStretch": 0.05},
            "firstPerson": {"firstPersonBone": 4, "lookAtTypeName": "Bone"},
            "blendShapeMaster": {"blendShapeGroups": groups},
            "secondaryAnimation": {
                "boneGroups": [spring | {"bones": [len(BONES)], "colliderGroups": [0]}],
                "colliderGroups": [{"node": 4, "colliders": [collider]}],
            },
            "materialProperties": [{"name": f"m{i}", **shader} for i in range(2)],
        }
    }, {"KHR_materials_unlit": {}}
