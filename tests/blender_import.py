"""Import models in Blender and print what is there as JSON: run by the Python that has bpy.

`python tests/blender_import.py KEYS walk.glb ...`: the scene has so many frames per second.
"""

import json
import sys

import bpy
import numpy as np


def main():
    keys, *files = sys.argv[1:]
    print(json.dumps([imported(file, int(keys)) for file in files]))


def imported(file, keys):
    """Import a file into an empty scene and return what it contains."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = keys
    done = bpy.ops.import_scene.gltf(filepath=file)
    rigs = [one for one in bpy.data.objects if one.type == "ARMATURE"]
    animal, action = bpy.data.objects["animal"], bpy.data.actions["walk"]
    curves = list(fcurves(action))
    times = sorted({point.co[0] for curve in curves for point in curve.keyframe_points})
    return {
        "done": list(done),
        "rigs": [rig.name for rig in rigs],
        "actions": [one.name for one in bpy.data.actions],
        "curves": sorted({curve.data_path for curve in curves}),
        "times": times,
        "bones": {bone.name: described(bone) for bone in rigs[0].data.bones},
        "parent": animal.parent.name,
        "modifiers": [[one.type, one.object.name] for one in animal.modifiers],
        "groups": [group.name for group in animal.vertex_groups],
        "weights": sorted({len(vertex.groups) for vertex in animal.data.vertices}),
        "sums": sorted(
            {
                round(sum(group.weight for group in vertex.groups), 3)
                for vertex in animal.data.vertices
            }
        ),
        "frames": [pose(rigs[0], animal, frame) for frame in times],
    }


def fcurves(action):
    """Yield the curves of an action, which has layers since Blender 4.4."""
    if not hasattr(action, "layers") or not action.layers:
        yield from action.fcurves
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                yield from bag.fcurves


def described(bone):
    return {
        "parent": bone.parent.name if bone.parent else None,
        "head": list(bone.head_local),
        "tail": list(bone.tail_local),
    }


def pose(rig, animal, frame):
    """Return the places of all bones in a frame, and how far the mesh is from each of them."""
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
    mesh = animal.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3) @ np.array(animal.matrix_world.to_3x3()).T
    points += np.array(animal.matrix_world.translation)
    found = {}
    for bone in rig.pose.bones:
        place = (rig.matrix_world @ bone.matrix).translation
        away = np.linalg.norm(points - np.array(place), axis=-1)
        found[bone.name] = [*place, float(away.min())]
    return found


main()
