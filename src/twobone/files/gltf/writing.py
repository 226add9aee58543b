"""Writer of glTF 2.0 binaries: a scene of meshes, materials and nodes with animations.

Source: Khronos, "glTF 2.0 Specification", 2021 (chapters 3 and 4). It uses no
extensions but those that are asked for.
"""

import json
import struct

import numpy as np

MAGIC, VERSION = 0x46546C67, 2
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
ARRAYS, INDICES = 34962, 34963  # targets of buffer views
COMPONENTS = {
    np.dtype("<f4"): 5126,
    np.dtype("u1"): 5121,
    np.dtype("<u2"): 5123,
    np.dtype("<u4"): 5125,
}
TYPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}


class Model:
    """A scene to which parts are added; `to_bytes` returns the file."""

    def __init__(self, generator):
        self.asset = {"version": "2.0", "generator": generator}
        self.parts = {
            name: []
            for name in ("nodes", "meshes", "materials", "accessors", "bufferViews", "skins")
        }
        self.extensions = {}  # of the whole file, by their names
        self.roots = []
        self.clips = {}
        self.data = bytearray()

    # --- materials, meshes, nodes ---------------------------------------------------------

    def add_material(self, name, colour, roughness=0.9):
        """Add a non-metallic material with a colour such as "#3B4252"; return its index."""
        factor = [*map(to_linear, bytes.fromhex(colour[1:])), 1.0]
        surface = {
            "baseColorFactor": factor,
            "metallicFactor": 0.0,
            "roughnessFactor": roughness,
        }
        return self._add("materials", {"name": name, "pbrMetallicRoughness": surface})

    def add_mesh(self, name, *primitives):
        """Add a mesh of (shape, material) or (shape, material, hold); return its index.

        `hold` are the joints of a skin, by their numbers in it, that the vertices follow, shape
        (V, 4), and their weights, the same, as numbers from 0 to 255 whose sum is 255.
        """
        drawn = [
            {
                "attributes": {
                    "POSITION": self.add_accessor(shape.points, ARRAYS, bounds=True),
                    "NORMAL": self.add_accessor(shape.normals, ARRAYS),
                    **(self._add_weights(*hold[0]) if hold else {}),
                },
                "indices": self.add_accessor(_to_indices(shape.triangles), INDICES),
                "material": material,
            }
            for shape, material, *hold in primitives
        ]
        return self._add("meshes", {"name": name, "primitives": drawn})

    def _add_weights(self, joints, weights):
        """Add the attributes of vertices that follow joints."""
        kind = "u1" if joints.max() < 256 else "<u2"
        return {
            "JOINTS_0": self.add_accessor(joints.astype(kind), ARRAYS),
            "WEIGHTS_0": self.add_accessor(weights.astype("u1"), ARRAYS, normalized=True),
        }

    def add_node(self, name, *, parent=None, mesh=None, skin=None, **transform):
        """Add a node with the "translation", "rotation" or "scale" given; return its index."""
        node = {"name": name}
        if mesh is not None:
            node["mesh"] = mesh
        if skin is not None:
            node["skin"] = skin
        for path, values in transform.items():
            if values is not None:
                node[path] = [float(part) for part in values]
        index = self._add("nodes", node)
        if parent is None:
            self.roots.append(index)
        else:
            self.parts["nodes"][parent].setdefault("children", []).append(index)
        return index

    def add_skin(self, joints, inverse_bind_matrices, skeleton=None):
        """Add a skin of nodes, so that programs take them for a skeleton; return its index.

        `inverse_bind_matrices`, shape (J, 4, 4), take the world at rest to each joint. `skeleton`
        is the common root of the joints.
        """
        columns = np.swapaxes(inverse_bind_matrices, 1, 2)  # matrices are stored by columns
        matrices = self.add_accessor(columns)
        skin = {"inverseBindMatrices": matrices, "joints": list(joints)}
        if skeleton is not None:
            skin["skeleton"] = skeleton
        return self._add("skins", skin)

    # --- animation ------------------------------------------------------------------------

    def add_times(self, times):
        """Add the times of keyframes, in seconds; return the index of their accessor."""
        return self.add_accessor(times, bounds=True)

    def animate(self, node, path, times, values, clips=("",)):
        """Animate the "translation", "rotation" or "scale" of a node, linear between keyframes.

        `times` is what `add_times` returned. The rest pose of the node, shown by viewers that play
        no animation, is that of the first keyframe, unless the node was added with one. `clips` are
        the names of the animations, one without a name if there is only one.
        """
        self.parts["nodes"][node].setdefault(path, [float(part) for part in values[0]])
        output = self.add_accessor(values)
        for clip in clips:
            channels, samplers = self.clips.setdefault(clip, ([], []))
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            samplers.append({"input": times, "output": output, "interpolation": "LINEAR"})

    # --- bytes ----------------------------------------------------------------------------

    def add_accessor(self, values, target=None, *, bounds=False, normalized=False):
        """Add an array as an accessor with its own buffer view; return its index.

        If `normalized`, the largest number of its type stands for 1.
        """
        values = np.ascontiguousarray(values)
        values = values.astype(
            values.dtype.newbyteorder("<") if values.dtype.kind == "u" else "<f4"
        )
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": values.nbytes}
        if target is not None:
            view["target"] = target
        self.data += values.tobytes()
        self.data += bytes(-len(self.data) % 4)
        accessor = {
            "bufferView": self._add("bufferViews", view),
            "componentType": COMPONENTS[values.dtype],
            "count": len(values),
            "type": TYPES[values.shape[1:]],
        }
        if normalized:
            accessor["normalized"] = True
        if bounds:
            accessor["min"] = np.atleast_1d(values.min(axis=0)).tolist()
            accessor["max"] = np.atleast_1d(values.max(axis=0)).tolist()
        return self._add("accessors", accessor)

    def to_bytes(self, clip):
        """Return the contents of the file; `clip` is the name of the animation without one."""
        scene = {"asset": self.asset, "scene": 0, "scenes": [{"nodes": self.roots}]}
        scene.update({name: part for name, part in self.parts.items() if part})
        if self.clips:
            scene["animations"] = [
                {"name": name or clip, "channels": channels, "samplers": samplers}
                for name, (channels, samplers) in self.clips.items()
            ]
        if self.extensions:
            scene |= {"extensionsUsed": [*self.extensions], "extensions": self.extensions}
        scene["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(scene, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        chunks = _chunk(JSON_CHUNK, text) + _chunk(BINARY_CHUNK, bytes(self.data))
        return struct.pack("<III", MAGIC, VERSION, 12 + len(chunks)) + chunks

    def _add(self, kind, thing):
        self.parts[kind].append(thing)
        return len(self.parts[kind]) - 1


def to_linear(byte):
    """Convert an sRGB component from 0 to 255 to a linear one from 0 to 1."""
    value = byte / 255
    return round(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4, 6)


def _to_indices(triangles):
    flat = np.ravel(triangles)
    # The maximum value of each type is reserved for primitive restart.
    return flat.astype("<u2" if flat.max() < 65535 else "<u4")


def _chunk(kind, data):
    return struct.pack("<II", len(data), kind) + data
