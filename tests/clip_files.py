"""Clips of ../shared/clips, read by readers made for tests and independent of the package's."""

import functools
import json
import re
import struct
from pathlib import Path

import numpy as np
import pytest

from twobone import LocalPose, Skeleton
from twobone.motion import Clip

CLIPS = Path(__file__).parents[2] / "shared" / "clips"
CMU = 0.0254 / 0.45  # metres per unit of CMU's clips
FEET = ("LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase")
JUMPS = "animated_drawings_bvh/cmu1_jumping_jacks.bvh"
DAB = "animated_drawings_bvh/fair1_dab.bvh"
FOX, FOX_2 = "khronos_glb/Fox.glb", "mesh2motion_glb/fox-animations.glb"
SPIDER = "mesh2motion_glb/spider-animations.glb"
HORSE = "quaternius_glb/animals_pack_Horse.glb"
CHARACTER = "quaternius_glb/platformer_game_pack_Character.glb"


def path_of(name):
    """Return the path of a clip; skip the test if there are no clips."""
    if not (CLIPS / name).exists():
        pytest.skip(f"no {CLIPS / name}")
    return CLIPS / name


def cmu(name, every=1):
    """Return a clip of CMU without its first frame, a T-pose, or every so many frames of it."""
    clip = bvh(f"cmu_bvh/{name}.bvh", metres=CMU)
    pose = LocalPose(*(part[1::every] for part in clip.pose))
    return Clip(clip.skeleton, pose, clip.fps / every, metres=CMU)


def stretched(clip, factor):
    """Return a clip whose root moves further over the ground, so that the feet slide."""
    moved = clip.pose.translations.copy()
    level = [0, 2] if clip.up == "y" else [0, 1]
    for joint, parent in enumerate(clip.skeleton.parents):
        if parent < 0:
            first = moved[:1, joint, level]
            moved[:, joint, level] = first + factor * (moved[:, joint, level] - first)
    return clip.with_pose(LocalPose(clip.pose.rotations, moved))


def noisy(clip, degrees):
    """Return a clip whose hips, legs and feet turn by random angles in each frame."""
    if not degrees:
        return clip
    rotations = clip.pose.rotations.copy()
    joints = [
        joint
        for joint, name in enumerate(clip.skeleton.names)
        if any(part in name for part in ("Hips", "Leg", "Foot", "Toe"))
    ]
    half = np.random.default_rng(1).normal(size=(len(clip), len(joints), 3))
    turns = np.insert(0.5 * np.radians(degrees) * half, 3, 1.0, axis=-1)
    rotations[:, joints] = multiply(rotations[:, joints], turns)
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return clip.with_pose(LocalPose(rotations, clip.pose.translations))


def renamed(clip, names):
    """Return a clip whose joints have other names, or none."""
    old = clip.skeleton
    rest = dict(rotations=old.rotations, scales=old.scales)
    skeleton = Skeleton(old.parents, old.offsets, names=names, **rest)
    return Clip(skeleton, clip.pose, clip.fps, up=clip.up, metres=clip.metres)


def moved(clip, rotation, scale=1.0, up=None):
    """Return a clip rotated as a whole (a quaternion xyzw) and scaled."""
    rotations, translations = (part.copy() for part in clip.pose)
    for joint, parent in enumerate(clip.skeleton.parents):
        if parent < 0:
            rotations[:, joint] = multiply(np.array(rotation), rotations[:, joint])
            translations[:, joint] = rotated(np.array(rotation), translations[:, joint])
    old = clip.skeleton
    rest = dict(names=old.names, rotations=old.rotations, scales=old.scales)
    skeleton = Skeleton(old.parents, old.offsets * scale, **rest)
    pose = LocalPose(rotations, translations * scale)
    return Clip(skeleton, pose, clip.fps, up=up or clip.up, metres=clip.metres / scale)


def multiply(p, q):
    """Return the product of quaternions xyzw."""
    a, b, c, d = np.moveaxis(p, -1, 0)
    x, y, z, w = np.moveaxis(q, -1, 0)
    parts = [
        d * x + a * w + b * z - c * y,
        d * y + b * w + c * x - a * z,
        d * z + c * w + a * y - b * x,
        d * w - a * x - b * y - c * z,
    ]
    return np.stack(parts, axis=-1)


def rotated(q, v):
    """Return vectors rotated by a quaternion of length 1."""
    t = 2.0 * np.cross(q[:3], v)
    return v + q[3] * t + np.cross(q[:3], t)


# --- BVH ----------------------------------------------------------------------------------


@functools.cache
def bvh(name, *, up="y", metres=1.0):
    """Return a clip of a BVH file, the same one for all tests; End Sites are joints, too."""
    head, motion = path_of(name).read_text(encoding="utf-8").split("MOTION")
    names, parents, offsets, channels, stack = [], [], [], [], []
    words = iter(head.split())
    for word in words:
        if word in ("ROOT", "JOINT", "End"):
            parent = stack[-1] if stack else -1
            found = next(words)
            names.append(f"{names[parent]} End Site" if word == "End" else found)
            parents.append(parent)
            channels.append([])
        elif word == "{":
            stack.append(len(names) - 1)
        elif word == "}":
            stack.pop()
        elif word == "OFFSET":
            offsets.append([float(next(words)) for _ in range(3)])
        elif word == "CHANNELS":
            channels[-1] = [next(words) for _ in range(int(next(words)))]
    count, seconds, numbers = re.match(
        r"\s*Frames:\s*(\d+)\s+Frame Time:\s*(\S+)(.*)", motion, re.DOTALL
    ).groups()
    columns = iter(np.array(numbers.split(), float).reshape(int(count), -1).T)
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (int(count), len(names), 1))
    translations = np.tile(np.array(offsets), (int(count), 1, 1))
    for joint, own in enumerate(channels):
        for channel in own:
            axis = "XYZ".index(channel[0])
            if channel.endswith("position"):
                translations[:, joint, axis] = next(columns)
            else:
                half = 0.5 * np.radians(next(columns))
                turn = np.zeros((int(count), 4))
                turn[:, axis], turn[:, 3] = np.sin(half), np.cos(half)
                rotations[:, joint] = multiply(rotations[:, joint], turn)
    skeleton = Skeleton(parents, offsets, names=names)
    pose = LocalPose(*map(kept, (rotations, translations)))
    return Clip(skeleton, pose, 1.0 / float(seconds), up=up, metres=metres)


def kept(array):
    """Return an array that no test can change for the next one."""
    array.flags.writeable = False
    return array


# --- GLB ----------------------------------------------------------------------------------

TYPES = {5126: np.float32, 5123: np.uint16, 5121: np.uint8}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


@functools.cache
def glb(name, animation, fps=30.0):
    """Return a clip of a GLB file, the same one for all tests; nodes but meshes are joints."""
    data = path_of(name).read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    nodes = document["nodes"]
    parent_of = {c: k for k, node in enumerate(nodes) for c in node.get("children", [])}
    used = [k for k, node in enumerate(nodes) if "mesh" not in node]
    joint_of = {node: joint for joint, node in enumerate(used)}
    offsets = np.array([nodes[k].get("translation", [0, 0, 0]) for k in used], float)
    turns = np.array([nodes[k].get("rotation", [0, 0, 0, 1]) for k in used], float)
    scales = [round(float(np.mean(nodes[k].get("scale", [1, 1, 1]))), 4) for k in used]
    skeleton = Skeleton(
        [joint_of.get(parent_of.get(k, -1), -1) for k in used],
        offsets,
        names=[nodes[k].get("name", f"node {k}") for k in used],
        rotations=turns,
        scales=scales,
    )
    found = next(
        each for each in document["animations"] if each["name"].split("|")[-1] == animation
    )

    def numbers(index):
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        width = WIDTHS[accessor["type"]]
        kind = TYPES[accessor["componentType"]]
        return np.frombuffer(binary, kind, accessor["count"] * width, start).reshape(-1, width)

    ends = [numbers(sampler["input"])[-1, 0] for sampler in found["samplers"]]
    times = np.arange(0.0, max(ends) + 1e-6, 1.0 / fps)
    rotations = np.tile(turns, (len(times), 1, 1))
    translations = np.tile(offsets, (len(times), 1, 1))
    for channel in found["channels"]:
        joint, target = joint_of.get(channel["target"]["node"]), channel["target"]["path"]
        sampler = found["samplers"][channel["sampler"]]
        keys, values = numbers(sampler["input"])[:, 0], numbers(sampler["output"]).astype(float)
        if joint is None or target not in ("rotation", "translation"):
            continue
        if target == "rotation":  # interpolate the shorter way
            signs = np.sign(np.sum(values[1:] * values[:-1], axis=1, keepdims=True))
            values[1:] *= np.cumprod(np.where(signs < 0.0, -1.0, 1.0), axis=0)
        if sampler.get("interpolation") == "STEP":
            at = np.clip(np.searchsorted(keys, times + 1e-9, "right") - 1, 0, len(keys) - 1)
            made = values[at]
        else:
            made = np.stack([np.interp(times, keys, column) for column in values.T], axis=-1)
        (rotations if target == "rotation" else translations)[:, joint] = made
    return Clip(skeleton, LocalPose(*map(kept, (rotations, translations))), fps)
