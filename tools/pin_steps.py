"""Single-frame steps of `pin` on clips with noise and glitches: a program, and its measures.

`python tools/pin_steps.py --minutes 60 --seed 5` takes clips of ../shared/clips in turn, at frame
rates from 24 to 120 a second, stretches them or not, adds noise and single-frame glitches, and pins
them with the contacts of the clean clip in which feet stand. It goes on for as long as it is told.

A step is the second difference of a hip, knee or ankle, x[t - 1] - 2 x[t] + x[t + 1]. None may be
larger than twice the largest one of the clean clip within a quarter of a second, plus that of the
noise there, plus that of a glitch in the same frame; those below a thousandth of the leg do not
count. Three frames a minute may have larger ones. Lengths are in mm of a leg of one metre.
The exit status is 1 if there are more, or if feet drift that are held exactly.
`tests/motion/test_pinning_noise.py` does a few seconds of this.
"""

import argparse
import itertools
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import clip_files
from twobone import LocalPose, motion
from twobone.motion import Clip, chains, find_contacts, find_limbs, legs, pin, writing
from twobone.motion.holding import Body, Reaching
from twobone.rotations import slerp

NOISE, GLITCH = 0.002, 0.02  # metres, of a leg of one metre: standard deviation; size
OFTEN = 1.0  # glitches a second
NEAR = 0.25  # seconds around a frame, of which the clean clip's largest step counts
TIMES = 2.0  # what a step may be of that
SEEN = 0.001  # of a leg: smaller steps do not count
STANDS = 0.05  # of a leg: a joint in contact that goes further from its mean place does not stand
ALLOWED = 3.0  # frames a minute with larger steps
DRIFT = 0.0005  # metres, 95 %
RATES = (24.0, 30.0, 60.0, 120.0)
KINDS = ("root", "feet", "all", "none")  # what the noise moves
WAYS: tuple[tuple[Body, Reaching], ...] = (
    ("least", "exact"),
    ("follow", "exact"),
    ("least", "soft"),
    ("least", "stretch"),
)
FILES = [
    *(f"cmu_bvh/{name}.bvh" for name in ("02_01", "09_01", "02_04", "01_01")),
    clip_files.DAB,
    clip_files.JUMPS,
    clip_files.CHARACTER,
    clip_files.FOX,
    clip_files.HORSE,
    clip_files.FOX_2,
    clip_files.SPIDER,
]


class Case(NamedTuple):
    """A clean clip, its contacts, and the same with noise, without and with glitches."""

    name: str
    clean: Clip
    limbs: list
    contacts: dict
    noisy: Clip
    disturbed: Clip


class Steps(NamedTuple):
    """What pinning did to a case; steps are in metres."""

    name: str
    seconds: float
    over: list  # (excess, joint, frame) of the frames with steps above what is allowed
    drift: float  # metres, 95 %


# --- clips --------------------------------------------------------------------------------


def resampled(clip, fps):
    """Return a clip at another frame rate; poses between frames are interpolated."""
    at = np.arange(0.0, len(clip) - 1.0 + 1e-9, clip.fps / fps)
    frames = np.minimum(at.astype(int), len(clip) - 2)
    part = at - frames
    rotations, translations = clip.pose
    turned = slerp(rotations[frames], rotations[frames + 1], part[:, None])
    share = part[:, None, None]
    moved = (1.0 - share) * translations[frames] + share * translations[frames + 1]
    pose = LocalPose(turned, moved)
    return Clip(clip.skeleton, pose, fps, up=clip.up, metres=clip.metres)


def sources(paths=FILES):
    """Yield the names and clips of files, without a T-pose at their beginning."""
    for path in paths:
        for clip in motion.load_all(clip_files.path_of(path)):
            first = 1 if path.startswith("cmu") else 0
            if len(clip) > first + 8:
                yield f"{path.split('/')[-1]} {clip.name}", clip[first:]


def size_of(clip, limbs):
    """Return the length of a leg in units of the clip."""
    at = legs.legs_of(chains.forward(clip, joints_of(limbs)), limbs)
    return float(np.median(legs.bones(at)))


def joints_of(limbs):
    return sorted({j for limb in limbs for j in (limb.start, limb.mid, limb.end)})


# --- noise --------------------------------------------------------------------------------


def moved(clip, limbs, root, ends, feet):
    """Return a clip whose root is moved by (3, T), ends of limbs by (3, L, T) more, feet turned.

    `feet` (3, L, T) are rotation vectors of feet, in radians, in the world.
    """
    needed = joints_of(limbs) + [limb.toe for limb in limbs if limb.toe is not None]
    placed = chains.forward(clip, needed)
    at = legs.legs_of(placed, limbs)
    turns = legs.solve(at, at.end + ends)
    half = 0.5 * feet
    foot_turn = np.concatenate([half, np.ones((1, *half.shape[1:]))])
    foot_turn /= np.sqrt((foot_turn**2).sum(0))
    none = legs.no_turn(at.end.shape[1:])
    change = writing.Change(root, np.ones(none.shape[1:]), turns, foot_turn, none)
    return writing.write(clip, limbs, placed, at, change)


def disturb(clip, limbs, rng, kind):
    """Return a clip with noise of 2 mm, and with single-frame glitches of 20 mm as well."""
    size = size_of(clip, limbs)
    shape = (3, len(limbs), len(clip))
    foot = 0.25  # legs, the length of a foot, about
    root, ends, feet = np.zeros((3, len(clip))), np.zeros(shape), np.zeros(shape)
    if kind in ("root", "all"):
        root = rng.normal(size=root.shape) * NOISE * size
    if kind in ("feet", "all"):
        ends = rng.normal(size=shape) * NOISE * size
        feet = rng.normal(size=shape) * NOISE / foot
    noisy = moved(clip, limbs, root, ends, feet)
    root, ends, feet = root.copy(), ends.copy(), feet.copy()
    for _ in range(max(round(OFTEN * len(clip) / clip.fps), 1)):
        frame, limb = rng.integers(len(clip)), rng.integers(len(limbs))
        way = rng.normal(size=3)
        way *= GLITCH / np.linalg.norm(way)
        what = rng.choice(["end", "toe", "toes"])
        if what == "end":
            ends[:, limb, frame] += way * size
        elif what == "toe":
            feet[:, limb, frame] += way / foot
        else:
            feet[:, :, frame] += way[:, None] / foot
    return noisy, moved(clip, limbs, root, ends, feet)


# --- steps --------------------------------------------------------------------------------


def steps(clip, limbs, unit):
    """Return the second differences (T, J, 3) of hips, knees and ankles; 0 at both ends."""
    placed = chains.forward(clip, joints_of(limbs))
    at = np.stack([placed.positions[j].T for j in joints_of(limbs)], axis=1) / unit
    out = np.zeros(at.shape)
    out[1:-1] = np.diff(at, 2, axis=0)
    return out


def around(values, reach):
    """Return the maxima (T, J) of values over so many frames on both sides."""
    padded = np.pad(values, [(reach, reach), (0, 0)], mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)
    return windows.max(-1)


def size(v):
    return np.sqrt((v * v).sum(-1))


def allowed(case):
    """Return how large steps (T, J) may be, in legs."""
    unit = size_of(case.clean, case.limbs)
    reach = max(round(NEAR * case.clean.fps), 1)
    clean, noisy, disturbed = (
        steps(clip, case.limbs, unit) for clip in (case.clean, case.noisy, case.disturbed)
    )
    usual = np.maximum(TIMES * around(size(clean), reach), SEEN)
    return usual + around(size(noisy - clean), reach) + size(disturbed - noisy)


def measure(case, body: Body = "least", reach: Reaching = "exact", contacts=None):
    """Pin a case; return its steps and the result."""
    contacts = case.contacts if contacts is None else contacts
    made = pin(case.disturbed, contacts, case.limbs, body=body, reach=reach)
    unit = size_of(case.clean, case.limbs)
    excess = size(steps(made.clip, case.limbs, unit)) - allowed(case)
    frames = np.flatnonzero((excess > 1e-9).any(1))
    joints = joints_of(case.limbs)
    over = [
        (float(excess[t].max()), case.clean.skeleton.label(joints[excess[t].argmax()]), int(t))
        for t in frames
    ]
    name = f"{case.name} {body} {reach}"
    seconds = len(case.clean) / case.clean.fps
    return Steps(name, seconds, over, made.report.drift_95.after), made


def standing(clip, contacts, unit):
    """Return the contacts in which joints stay where they are, or move with the ground in place."""
    labels = {str(clip.skeleton.label(j)): j for j in range(len(clip.skeleton.parents))}
    placed = chains.forward(clip, [labels[joint] for joint in contacts]).positions
    at = {joint: placed[labels[joint]].T / unit for joint in contacts}
    steps = [
        np.diff(at[joint][first:last], axis=0)
        for joint, spans in contacts.items()
        for first, last in spans
    ]
    belt = np.concatenate(steps).mean(0) if any(len(step) for step in steps) else np.zeros(3)
    kept = {}
    for joint, spans in contacts.items():
        kept[joint] = []
        for first, last in spans:
            here = at[joint][first:last] - belt * np.arange(last - first)[:, None]
            if size(here - here.mean(0)).max() < STANDS:
                kept[joint].append((first, last))
    return kept


def case_of(name, clip, fps, stretch, kind, seed, every_contact=False):
    """Return a case; None if there is no contact."""
    rng = np.random.default_rng(seed)
    clean = resampled(clip, fps)
    limbs = list(find_limbs(clean).legs)
    if not limbs:
        return None
    contacts = find_contacts(clean, limbs)
    if not every_contact:
        contacts = standing(clean, contacts, size_of(clean, limbs))
    touching = {joint for joint, spans in contacts.items() if spans}
    label = clean.skeleton.label
    limbs = [limb for limb in limbs if {str(label(j)) for j in limb.contacts} & touching]
    if not limbs:
        return None
    feet = {str(label(j)) for limb in limbs for j in (limb.end, limb.toe) if j is not None}
    contacts = {joint: spans for joint, spans in contacts.items() if joint in feet}
    clean = clip_files.stretched(clean, stretch)
    noisy, disturbed = disturb(clean, limbs, rng, kind)
    name = f"{name} {fps:g} x{stretch:g} {kind} {seed}"
    return Case(name, clean, limbs, contacts, noisy, disturbed)


def cases(seed, paths=FILES, every_contact=False):
    """Yield cases without end."""
    rng = np.random.default_rng(seed)
    loaded = list(sources(paths))
    for number in itertools.count():
        name, clip = loaded[rng.integers(len(loaded))]
        fps = RATES[rng.integers(len(RATES))]
        stretch = float(rng.choice([1.0, 1.0, 0.9, 1.15]))
        kind = KINDS[rng.integers(len(KINDS))]
        case = case_of(name, clip, fps, stretch, kind, seed * 100_000 + number, every_contact)
        if case is not None:
            yield case, WAYS[rng.integers(len(WAYS))]


def main():
    parser = argparse.ArgumentParser(description="Count single-frame steps of pinned clips.")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", nargs="*", default=FILES)
    parser.add_argument("--every-contact", action="store_true", help="also of feet that move")
    parser.add_argument("--verbose", action="store_true", help="a line for every case")
    options = parser.parse_args()
    end = time.monotonic() + 60.0 * options.minutes
    totals = {}
    for case, way in cases(options.seed, options.files, options.every_contact):
        if time.monotonic() > end:
            break
        found, _ = measure(case, *way)
        fps, kind = case.clean.fps, case.name.split()[-2]
        keys = [f"{kind}, {' '.join(way)}"]
        if kind != "none":
            keys += ["with noise", f"{fps:g} fps", " ".join(way), case.name.split()[0]]
        for key in keys:
            count, seconds, drift = totals.get(key, (0, 0.0, 0.0))
            totals[key] = (
                count + len(found.over),
                seconds + found.seconds,
                max(drift, found.drift),
            )
        if found.over or options.verbose:
            worst = max(found.over, default=(0.0, "", 0))
            print(
                f"{found.name}: {len(found.over)} in {found.seconds:.1f} s,"
                f" worst {1000 * worst[0]:.1f} mm at {worst[1]}, frame {worst[2]};"
                f" drift {1000 * found.drift:.2f} mm",
                flush=True,
            )
    for key, (count, seconds, drift) in sorted(totals.items()):
        print(
            f"{key:40} {count / seconds * 60:8.2f} a minute in {seconds / 60:6.1f} min"
            f"  drift {1000 * drift:.2f}"
        )
    count, seconds, _ = totals.get("with noise", (0, 0.0, 0.0))
    drifts = [totals[key][2] for key in ("least exact", "follow exact") if key in totals]
    return int(count > ALLOWED * seconds / 60.0 or max(drifts, default=0.0) > DRIFT)


if __name__ == "__main__":
    sys.exit(main())
