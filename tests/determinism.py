"""Print a hash of the answers of each scenario: `python tests/determinism.py`.

The answers have the same bits in every engine, with every instruction set,
and on every machine. Inputs are made of sums, products and square roots alone, because sines differ
between machines.
"""

import hashlib
import itertools
import json
import sys

import numpy as np

import twobone
from engines import KERNEL, SETS
from twobone import Limb, Limits, LocalPose, Skeleton, Soft, Stretch, creature, motion, rotations

POLICIES = {
    "clamp": "clamp",
    "stretch": "stretch",
    "nan": "nan",
    "soft": Soft(0.1),
    "chain": Limits(20.0, 165.0) | Soft(0.05) | Stretch(1.2),
}
ROWS = 2_000
FRAMES = 60
SECONDS = 1.0
WALKS = {
    "insect": 0.1,
    "dog": 0.15,
    "bird": 0.0,
    "crab": 0.05,
    "spider": 0.1,
    "centipede": 0.05,
    "horse": 0.1,
    "human": 0.05,
}


def draw(seed, *shape):
    """Return numbers between -1 and 1."""
    return 2.0 * np.random.default_rng(seed).random(shape) - 1.0


def limbs(size, dtype):
    """Return arguments of `reach`: in and out of reach, and of all sizes."""
    target = draw(1, ROWS, size)
    r1, r2 = 0.6 + 0.5 * draw(2, 2, ROWS)
    target[: ROWS // 2] *= ((r1 + r2) / np.sqrt((target * target).sum(-1)))[: ROWS // 2, None]
    target[: ROWS // 4] *= 1.0 + 1e-6 * draw(3, ROWS // 4, 1)
    scale = 2.0 ** (np.arange(ROWS) % 61 - 30)
    target, r1, r2 = target * scale[:, None], r1 * scale, r2 * scale
    given = {"target": target, "r1": r1, "r2": r2, "side": np.where(draw(4, ROWS) < 0, -1.0, 1.0)}
    if size == 3:
        given["pole"] = draw(5, ROWS, 3)
    return {name: value.astype(dtype) for name, value in given.items()}


def a_leg():
    """Return a limb, poses of it for some frames, and targets."""
    skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.4, -0.02]])
    turned = rotations.normalize(draw(6, FRAMES, 3, 4))
    targets = 0.9 * draw(7, FRAMES, 3) + [0.0, 1.0, 0.0]
    return Limb(skeleton, 0, 1, 2), LocalPose(turned), targets


def reaches():
    for size, dtype, (name, policy) in itertools.product(
        (2, 3), ("float64", "float32"), POLICIES.items()
    ):
        yield (
            f"reach, {size}-D, {dtype}, {name}",
            lambda s=size, d=dtype, p=policy: twobone.reach(**limbs(s, d), unreachable=p),
        )


def one_by_one():
    given = limbs(3, "float64")
    rows = zip(*(value[:300].tolist() for value in given.values()), strict=True)
    return [twobone.solve_xyz(*p, r1, r2, *pole, side) for p, r1, r2, side, pole in rows]


def poses(**options):
    leg, pose, targets = a_leg()
    posed = leg.reach(pose, targets, **options)
    return [posed.pose.rotations, posed.status, leg.skeleton.to_global(posed.pose).positions]


def corrected():
    _, _, targets = a_leg()
    start, mid, end = np.broadcast_to(np.eye(4), (3, FRAMES, 4, 4)).copy()
    mid[:, :3, 3], end[:, :3, 3] = [0.0, -0.5, 0.05], [0.0, -1.0, 0.0]
    found = twobone.correct_limb(
        start, mid, end, targets, pole=[0.0, 0.0, 1.0], mid_axis=[1.0, 0.0, 0.0]
    )
    return [found.start, found.mid, found.status]


def a_clip():
    """Return the clip of a body that sways on two legs, and the contacts of its feet."""
    leg = [[0, -0.45, 0.01], [0, -0.4, -0.02], [0, -0.05, 0.15]]
    names = [side + bone for side in ("Left", "Right") for bone in ("Thigh", "Shin", "Foot", "Toe")]
    offsets = [[0, 0.8, 0], [0.1, 0, 0], *leg, [-0.1, 0, 0], *leg]
    skeleton = Skeleton([-1, 0, 1, 2, 3, 0, 5, 6, 7], offsets, names=["Hips", *names])
    sway = np.cumsum(np.cumsum(draw(8, FRAMES, 9, 3), axis=0), axis=0) / FRAMES**2
    turned = rotations.normalize(np.concatenate([sway, np.ones((FRAMES, 9, 1))], axis=-1))
    clip = motion.Clip(skeleton, LocalPose(turned), 30)
    return clip, {"LeftFoot": [(5, 30)], "LeftToe": [(8, 34)], "RightFoot": [(25, 50)]}


def pinned(**options):
    clip, contacts = a_clip()
    found = motion.pin(clip, contacts, **options)
    return [found.clip.pose.rotations, found.clip.pose.translations]


def moved():
    clip, _ = a_clip()
    found = motion.move_end(clip, "RightFoot", [-0.1, 0.3, 0.2], frames=(20, 40))
    return [found.pose.rotations]


def walk(name, roughness):
    found = creature.walk(name, seconds=SECONDS, terrain=roughness, seed=3)
    parts = [found.stations, found.station_rotations, found.feet, found.ankles, found.knees]
    return [part + 0.0 for part in parts]  # the sign of a zero may differ


SCENARIOS = dict(reaches()) | {
    "solve_xyz": one_by_one,
    "Limb.reach, pole": lambda: poses(pole=[0.0, 0.0, 1.0]),
    "Limb.reach, transport, soft": lambda: poses(bend="transport", unreachable=Soft(0.1)),
    "correct_limb": corrected,
    "motion.pin": pinned,
    "motion.pin, soft": lambda: pinned(reach="soft", body="follow"),
    "motion.move_end": moved,
    **{f"walk of {name}": lambda n=name, r=rough: walk(n, r) for name, rough in WALKS.items()},
}


def hashed(answers):
    """Return a hash of arrays; all NaN count as one."""
    digest = hashlib.sha256()
    for part in answers:
        part = np.ascontiguousarray(part)
        if part.dtype.kind == "f":
            part = np.where(np.isnan(part), np.array(np.nan, part.dtype), part)
        digest.update(str((part.dtype, part.shape)).encode() + part.tobytes())
    return digest.hexdigest()[:16]


def hashes():
    return {name: hashed(scenario()) for name, scenario in SCENARIOS.items()}


def main():
    """Print what each instruction set gives, or NumPy where there is no kernel."""
    if KERNEL is None:
        found = {"numpy": hashes()}
    else:
        found = {}
        for name in SETS:
            KERNEL.use_instruction_set(name)
            found[name] = hashes()
    json.dump(found, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
