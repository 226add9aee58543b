"""Small glTF files made by code, and matrices of their nodes computed by the specification."""

import base64
import json
import struct
from functools import lru_cache

import numpy as np

SIZES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
SHAPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
IDENTITY = (0.0, 0.0, 0.0, 1.0)


class Maker:
    """A document to which accessors and animations are added; see `glb` and `gltf`."""

    def __init__(self, *nodes, **more):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}]}
        self.json |= {"nodes": list(nodes), "accessors": [], "bufferViews": [], **more}
        self.data = bytearray()

    def view(self, data, **more):
        self.data += bytes(-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self.json["bufferViews"].append(view | more)
        self.data += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values, component=5126, **more):
        values = np.array(values)
        rows = values.reshape(len(values), -1)
        part = {
            "bufferView": self.view(rows.astype(SIZES[component]).tobytes()),
            "componentType": component,
            "count": len(rows),
            "type": SHAPES[rows.shape[1]],
        }
        self.json["accessors"].append(part | more)
        return len(self.json["accessors"]) - 1

    def times(self, values):
        values = np.array(values, np.float32)
        return self.accessor(values, min=[float(values[0])], max=[float(values[-1])])

    def animate(self, name=None, **channels):
        """Add an animation; channels are path_node=(times, values[, interpolation])."""
        animation = {"channels": [], "samplers": []} | ({"name": name} if name else {})
        for target, (times, values, *interpolation) in channels.items():
            path, node = target.split("_")
            sampler = {
                "input": times if isinstance(times, int) else self.times(times),
                "output": values if isinstance(values, int) else self.accessor(values),
            }
            sampler |= {"interpolation": interpolation[0]} if interpolation else {}
            driven = {"node": int(node), "path": path}
            channel = {"sampler": len(animation["samplers"]), "target": driven}
            animation["channels"].append(channel)
            animation["samplers"].append(sampler)
        self.json.setdefault("animations", []).append(animation)
        return animation

    def document(self):
        found = {key: part for key, part in self.json.items() if part != []}
        return found | ({"buffers": [{"byteLength": len(self.data)}]} if self.data else {})

    def glb(self, **more):
        binary = self.data + bytes(-len(self.data) % 4)
        return glb(json.dumps(self.document() | more), bytes(binary) if self.data else None)

    def gltf(self, uri=None):
        document = self.document()
        encoded = base64.b64encode(self.data).decode()
        embedded = f"data:application/gltf-buffer;base64,{encoded}"
        document["buffers"][0]["uri"] = embedded if uri is None else uri
        return json.dumps(document, indent=2).encode()


def glb(text, binary=None, more=b""):
    text = text.encode() if isinstance(text, str) else text
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if binary is not None:
        chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    chunks += more
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def walker():
    """Return a file of a leg whose thigh and shin rotate, with all that a file can hold besides."""
    made = Maker(
        {"name": "hips", "translation": [0, 1, 0], "children": [1]},
        {"name": "thigh", "children": [2], "extras": {"kept": 1.50}},
        {"name": "shin", "translation": [0, -0.5, 0], "children": [3]},
        {"name": "foot", "translation": [0, -0.5, 0]},
        extensionsUsed=["EXT_of_nobody"],
        extensions={"EXT_of_nobody": {"text": "\u00e4\u20ac", "number": 1e3}},
    )
    times = made.times(np.arange(10) / 30)
    angles = np.linspace(0, 1, 10)
    quaternions = np.stack([np.sin(angles / 2), 0 * angles, 0 * angles, np.cos(angles / 2)], 1)
    made.animate(
        "walk",
        rotation_1=(times, quaternions),
        rotation_2=(times, quaternions[::-1]),
        translation_0=(times, np.stack([0 * angles, 1 + angles, angles], 1)),
    )
    return made


def matrix(translation, rotation, scale):
    """Return the matrix of a node: translation * rotation * scale."""
    x, y, z, w = np.array(rotation) / np.linalg.norm(rotation)
    whole = np.eye(4)
    whole[:3, :3] = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    ) * np.array(scale)
    whole[:3, 3] = translation
    return whole


def parts(data):
    """Return the JSON and the binary chunk of a .glb file."""
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size]), data[28 + size :]


_parsed = lru_cache(maxsize=4)(parts)  # not to be changed


def array(data, index):
    """Return the elements of an accessor of floats, by the letter."""
    document, binary = _parsed(data)
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    count = accessor["count"]
    stride = view.get("byteStride", width * 4)
    rows = [np.frombuffer(binary, "<f4", width, start + stride * i) for i in range(count)]
    return np.array(rows, np.float64)


def positions(data, animation, time):
    """Return the world position of each node at a time that has a key, or between two."""
    document = _parsed(data)[0]
    nodes = [dict(node) for node in document["nodes"]]
    clip = document["animations"][animation] if animation is not None else {"channels": []}
    for channel in clip["channels"]:
        sampler = clip["samplers"][channel["sampler"]]
        times = array(data, sampler["input"])[:, 0]
        values = array(data, sampler["output"])
        i = int(np.argmin(np.abs(times - time)))
        if sampler.get("interpolation") == "STEP" or not times[0] < time < times[-1]:
            i = int(np.clip(np.searchsorted(times, time + 1e-5) - 1, 0, len(times) - 1))
        elif abs(times[i] - time) > 1e-5:
            continue  # no key here
        nodes[channel["target"]["node"]][channel["target"]["path"]] = values[i]
    found = {}

    def walk(index, above):
        node = nodes[index]
        own = np.eye(4)
        if "matrix" in node:
            own = np.array(node["matrix"]).reshape(4, 4).T
        else:
            own = matrix(
                node.get("translation", (0, 0, 0)),
                node.get("rotation", IDENTITY),
                node.get("scale", (1, 1, 1)),
            )
        found[index] = above @ own
        for child in node.get("children", ()):
            walk(child, found[index])

    children = {child for node in nodes for child in node.get("children", ())}
    for root in set(range(len(nodes))) - children:
        walk(root, np.eye(4))
    return {index: whole[:3, 3] for index, whole in found.items()}


def edited(content, change):
    """Return a .glb file whose JSON a function has changed."""
    found, binary = parts(content)
    change(found)
    return glb(json.dumps(found), binary)
