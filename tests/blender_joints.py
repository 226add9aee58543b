"""Print where Blender has the joints of clips, as JSON: run by the Python that has bpy.

`python tests/blender_joints.py 20 walk.glb walk.bvh ...`: the scene has so many frames per second.
"""

import json
import sys

import bpy

IMPORTERS = {
    "glb": lambda file: bpy.ops.import_scene.gltf(filepath=file, disable_bone_shape=True),
    "bvh": lambda file: bpy.ops.import_anim.bvh(filepath=file, update_scene_fps=True),
    "fbx": lambda file: bpy.ops.import_scene.fbx(filepath=file),
    "usdc": lambda file: bpy.ops.wm.usd_import(filepath=file),
}


def main():
    rate, *files = sys.argv[1:]
    print(json.dumps([joints(file, int(rate)) for file in files]))


def joints(file, rate):
    """Return the positions of a file's joints in each frame, with z up, by their names."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = rate
    IMPORTERS[file.rpartition(".")[2]](file)
    [rig] = [each for each in bpy.data.objects if each.type == "ARMATURE"]
    first, last = map(round, rig.animation_data.action.frame_range)
    found = {bone.name: [] for bone in rig.pose.bones}
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        for bone in rig.pose.bones:
            found[bone.name].append(list(rig.matrix_world @ bone.head))
    return found


if __name__ == "__main__":
    main()
