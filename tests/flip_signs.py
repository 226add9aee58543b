"""Flip one sign or choice at a time in the source, and see that a test goes red each time.

Run by hand and by CI: python tests/flip_signs.py, with `core`, `pose` or `creature` for flips of
that room alone and a number after it for every so many of them. Works on a copy; nothing here is
changed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parents[1]
CORE = [
    ("core/formula.py", "exact.two_sum(r1, -r2)", "exact.two_sum(r1, r2)"),
    ("core/formula.py", "b, lost = exact.two_sum(h, -ff)", "b, lost = exact.two_sum(h, ff)"),
    ("core/formula.py", "lost + (h_low - (ff_low", "lost + (h_low + (ff_low"),
    ("core/formula.py", "words += [lost, -ff_low, -fe]", "words += [lost, -ff_low, fe]"),
    ("core/formula.py", "four_low - square * b_low", "four_low + square * b_low"),
    ("core/formula.py", "(-side * py, side * px)", "(side * py, -side * px)"),
    ("core/formula.py", "extended | (f >= 0.0), one", "extended, one"),
    ("core/formula.py", "inside = met & (", "inside = met | ("),
    ("core/formula.py", "met = (a >= 0.0) & (b >= 0.0)", "met = (a >= 0.0)"),
    ("core/formula.py", "exact.two_sum(u, -v)", "exact.two_sum(u, v)"),
    ("core/formula.py", "part.whole * h_low - along", "part.whole * h_low + along"),
    ("core/formula.py", "near * b_low + (c_low +", "near * b_low - (c_low +"),
    ("core/formula.py", "large = a < -8.0", "large = a < 8.0"),
    ("core/formula.py", "small = b[0] < -8.0", "small = b[0] < -0.0"),
    ("core/formula.py", "(16.0 * t.eps * t.eps)", "(0.0 * t.eps)"),
    ("core/formula.py", "4.0 * r1 >= r2", "1e6 * r1 >= r2"),
    ("core/formula.py", "along * p + across * q", "along * p - across * q"),
    ("core/formula.py", "two_sum(four, -(square * b))", "two_sum(four, square * b)"),
    ("core/exact.py", "(a - (s - c)) + (b - c)", "(a - (s - c)) - (b - c)"),
    ("core/exact.py", "+ a.high * b.low + a.low", "+ a.high * b.low - a.low"),
    ("core/exact.py", "tail = tail + lost", "tail = tail - lost"),
    ("core/exact.py", "((u[0] - p) - e) + (", "((u[0] - p) - e) - ("),
    ("core/exact.py", "p, e + (u[0] * v[1]", "p, e - (u[0] * v[1]"),
    ("core/scaling.py", "near = formula.least(xp, distance, 8.0)", "near = distance"),
    ("core/scaling.py", "bent.inside & (at_root | limb", "bent.inside & (limb"),
    ("core/scaling.py", "xp.where(fold < 0.0, -low, low)", "low"),
    ("core/scaling.py", "side * side == 1.0", "side == side"),
    ("core/fitting.py", "lost + (u[1] - v[1])", "lost + (u[1] + v[1])"),
    ("core/fitting.py", "w = b + 2.0 * (ring.r1", "w = b - 2.0 * (ring.r1"),
    ("core/policies.py", "far=xp.where(fast, fit.width - near, far)", "far=far"),
    ("core/policies.py", "short & (factor <= self.limit)", "short & (factor >= self.limit)"),
    ("core/policies.py", "fit.far - less, fit.near - more", "fit.far - less, fit.near + more"),
    ("core/policies.py", "xp.where(hardly_opens, fit", "xp.where(hardly_closes, fit"),
    ("core/fitting.py", "part - excess * part", "part + excess * part"),
    ("core/fitting.py", "xp.where(fit.met, length / safe / units.thin", "xp.where(fit.met, 1.0"),
    ("core/answer.py", "bend.edge * limb.root / bend.h[0]", "bend.edge / limb.root"),
    ("core/answer.py", "limb.bend.inside, units.first", "limb.bend.inside, units.longer"),
    ("core/answer.py", "xp.where(valid, answer.status, INVALID)", "answer.status"),
    ("core/engine.py", "answer.is_easy(NUMPY, t, targets) & np.logical_not", "np.logical_not"),
]
POSE = [
    ("pose/turns.py", "choose(xp, dot(p, q) < 0.0", "choose(xp, dot(p, q) >= 0.0"),
    ("pose/turns.py", "minus(times(cos, over(each", "plus(times(cos, over(each"),
    ("pose/turns.py", "words += [lost, product_low]", "words += [lost]"),
    ("pose/turns.py", "unit = unit / t.coarse / t.coarse", "unit = unit / t.coarse"),
    ("pose/frames.py", "proper = dot(rows[0]", "proper = -dot(rows[0]"),
    ("pose/frames.py", "choose(xp, a < -e, z, w)", "choose(xp, a < e, z, w)"),
    ("pose/angles.py", "(((h - square) - lost) + h_low)", "((h - square) - lost)"),
    ("pose/angles.py", "s * dc + c * ds", "s * dc - c * ds"),
    ("pose/angles.py", "axis, a) | turns", "axis, a) & turns"),
    ("pose/angles.py", "end = xp.where(away > 0.0", "end = xp.where(away < 0.0"),
    ("pose/reaching.py", "turn = turns.multiply(turned[parent], turn)", "turn = turn"),
    ("pose/reaching.py", "far == 0.0, at_rest, way", "far != 0.0, at_rest, way"),
    ("pose/reaching.py", "xp.where(sin < 0.0, -most, most)", "xp.where(sin < 0.0, most, -most)"),
    ("pose/reaching.py", "sound & ((far > 0.0) | ~began)", "sound"),
    (
        "pose/reaching.py",
        "back = turns.conjugate(stance.above)\n    plane",
        "back = stance.above\n    plane",
    ),
    ("pose/reaching.py", "turns.multiply(back, wanted)", "turns.multiply(wanted, back)"),
    ("pose/reaching.py", "beside_mid, turns.conjugate(rest.turn)", "beside_mid, rest.turn"),
    ("pose/angles.py", "back = cos < 0.0", "back = cos < -2.0"),
    ("pose/reaching.py", "first if joint <= plan.mid", "first if joint < plan.mid"),
    ("pose/reaching.py", "turns.choose(xp, still, offset, longer)", "longer"),
    ("pose/bending.py", "x * y + y * beyond", "x * y - y * beyond"),
    (
        "pose/bending.py",
        "turns.minus(turns.times(x, hinge.first)",
        "turns.plus(turns.times(x, hinge.first)",
    ),
    (
        "pose/bending.py",
        "(far - hinge.lift) * (far + hinge.lift)",
        "far * far + hinge.lift * hinge.lift",
    ),
    ("pose/bending.py", "turns.times(1.0 - share, own)", "turns.times(1.0 + share, own)"),
    ("pose/bending.py", "dot(turns.cross(way, own), plane)", "dot(turns.cross(own, way), plane)"),
    ("pose/bending.py", "hinge.skew | (end >", "hinge.skew & (end >"),
    ("pose/turns.py", "beyond = c < 0.0", "beyond = c < -2.0"),
    ("pose/corrections.py", "(status == TOO_FAR) | (status == TOO_NEAR)", "(status == TOO_FAR)"),
    ("pose/corrections.py", "hand.sign * space.sign", "hand.sign"),
    ("pose/corrections.py", "(long < 0.996) | ((long", "((long"),
    ("pose/branches.py", "(1.0 - hysteresis) * (1.0 - hysteresis)", "(1.0 + hysteresis)"),
    ("pose/branches.py", "xp.where(swap, -side, side)", "side"),
    ("pose/skeleton.py", "turns.minus(point, positions[parent])", "point"),
    ("pose/describing.py", "turns.cross(second, first)", "turns.cross(first, second)"),
    ("pose/limb.py", "return policy.gives", "return False"),
    ("pose/limb.py", "self.limits | rest", "rest"),
    ("pose/limb.py", "if joint not in below]", "if joint in below]"),
]
CREATURE = [
    ("creature/gait.py", "slow + (fast - slow)", "slow - (fast - slow)"),
    ("creature/gait.py", "rank * (1.0 - duty)", "rank * (1.0 + duty)"),
    ("creature/gait.py", "np.tile([0.0, 0.5], pairs)", "np.tile([0.0, 0.0], pairs)"),
    ("creature/gait.py", "swing.place - speed - 0.5", "swing.place + speed - 0.5"),
    ("creature/gait.py", "speed - 0.5 * bend", "speed + 0.5 * bend"),
    ("creature/gait.py", "short, flat = -speed - bend", "short, flat = -speed + bend"),
    ("creature/gait.py", "10.0 * away - 4.0 * short", "10.0 * away + 4.0 * short"),
    ("creature/gait.py", "7.0 * short - flat", "7.0 * short + flat"),
    ("creature/gait.py", "6.0 * away - 3.0 * short", "6.0 * away + 3.0 * short"),
    ("creature/gait.py", "bent / (left * left)", "bent / left"),
    ("creature/gait.py", "(t * (1.0 - t)) ** 3", "(t * (1.0 - t)) ** 2"),
    ("creature/gait.py", "speed + rate * away", "speed - rate * away"),
    ("creature/gait.py", "speed - rate * pull", "speed + rate * pull"),
    ("creature/footing.py", "c * x + s * z, c * z - s * x", "c * x - s * z, c * z + s * x"),
    ("creature/footing.py", "np.abs(middle - height[:, None])", "(middle - height[:, None])"),
    ("creature/footing.py", "np.maximum(steep - STEEP, 0.0)", "np.maximum(STEEP - steep, 0.0)"),
    ("creature/footing.py", "cost + 0.02 * np", "cost - 0.02 * np"),
    ("creature/footing.py", "reach * reach - drop * drop", "reach * reach + drop * drop"),
    ("creature/footing.py", "np.abs(hips[:, 2] - heights", "np.abs(hips[:, 2] + heights"),
    ("creature/footing.py", "[..., [0, 2]]) - way[..., 1]", "[..., [0, 2]]) + way[..., 1]"),
    ("creature/footing.py", "clearance + np.clip", "clearance - np.clip"),
    (
        "creature/footing.py",
        "place[:, None], -heading[:, None]",
        "place[:, None], heading[:, None]",
    ),
    ("creature/footing.py", "feet[..., 1] - low[:, None]", "feet[..., 1] + low[:, None]"),
    ("creature/walker.py", "self.velocity + follow * (wanted", "self.velocity - follow * (wanted"),
    ("creature/walker.py", "self.turning + follow * (turn", "self.turning - follow * (turn"),
    ("creature/walker.py", "self.heading + 0.5 * dt", "self.heading - 0.5 * dt"),
    (
        "creature/walker.py",
        "np.stack([homes[:, 1], -homes",
        "np.stack([0.0 * homes[:, 1], 0.0 * homes",
    ),
    ("creature/walker.py", "rate = self.duty * by", "rate = (1.0 - self.duty) * by"),
    (
        "creature/walker.py",
        "restless = np.any((self.progress < 1.0) | away, -1)",
        "restless = np.any(away, -1)",
    ),
    ("creature/walker.py", "np.clip(change, -most, most)", "np.clip(change, most, -most)"),
    ("creature/walker.py", "phases() < 0.5 * share)", "phases() > 0.5 * share)"),
    ("creature/walker.py", "~swings[:, 4:] & ~swings", "~swings[:, 4:] | ~swings"),
    ("creature/walker.py", "plain[rows, legs] + self.aside", "plain[rows, legs] - self.aside"),
    ("creature/walker.py", "plain = plain + self.aside", "plain = plain - self.aside"),
    ("creature/walker.py", "landed = made >= left", "landed = made <= left"),
    ("creature/walker.py", "np.clip(1.0 - self.progress", "np.clip(1.0 + self.progress"),
    ("creature/walker.py", "left + 0.5 * self.duty[:", "left - 0.5 * self.duty[:"),
    ("creature/walker.py", "heading + 0.5 * turn)", "heading - 0.5 * turn)"),
    (
        "creature/walker.py",
        "way.shape), heading + turn)\n        hips",
        "way.shape), heading - turn)\n        hips",
    ),
    ("creature/walker.py", "[..., [0, 2]] - self._homes()", "[..., [0, 2]] + self._homes()"),
    ("creature/walker.py", "_smooth((1.0 - phases) / fade)", "_smooth((1.0 + phases) / fade)"),
    ("creature/walker.py", "_smooth((phases - share) / fade)", "_smooth((phases + share) / fade)"),
    ("creature/walker.py", "rate * (2.0 / LEAN)", "rate * (-2.0 / LEAN)"),
    ("creature/walker.py", "middle - ahead, -self.heading", "middle - ahead, self.heading"),
    ("creature/walker.py", "ahead = self.place + (2.0", "ahead = self.place - (2.0"),
    ("creature/walker.py", "there[:, 0] -= np.min", "there[:, 0] += np.min"),
    ("creature/walker.py", "air * (self.goal - later)", "air * (self.goal + later)"),
    ("creature/walker.py", "(1.0 - WAIT) * ease(self.strain)", "(1.0 - WAIT) * ease(0.0)"),
    ("creature/walker.py", "ease(np.maximum(self.reach, self.strain))", "ease(0.0 * self.reach)"),
    ("creature/walker.py", "self.feet[..., 1] += high", "self.feet[..., 1] -= high"),
    ("creature/walker.py", "-plane[:, 1], -plane[:, 2]", "plane[:, 1], -plane[:, 2]"),
    ("creature/walker.py", "(both, -z, 1.0", "(both, z, 1.0"),
    ("creature/walker.py", "both = -x * z", "both = x * z"),
    ("creature/paths.py", "np.copysign(self.most, aside)", "np.copysign(self.most, -aside)"),
    ("creature/paths.py", "bend = 2.0 * aside", "bend = -2.0 * aside"),
    (
        "creature/paths.py",
        "ARRIVE * (self.total - self.along)",
        "ARRIVE * (self.total + self.along)",
    ),
    ("creature/paths.py", "self.ways[:-1], -1) < CORNER", "self.ways[:-1], -1) > CORNER"),
    ("creature/paths.py", "max(ahead, 0.0)", "max(-ahead, 0.0)"),
    ("creature/paths.py", "self.walker.place[0], -self", "self.walker.place[0], self"),
    ("creature/measures.py", "r.ground - r.feet[..., 1]", "r.feet[..., 1] - r.ground"),
    ("creature/measures.py", "ground - r.knees[..., 1]", "r.knees[..., 1] - ground"),
    ("creature/measures.py", "return _greatest(-np.sum(step", "return _greatest(np.sum(step"),
    ("creature/measures.py", "2 * (x * z + w * y), w * w", "2 * (x * z - w * y), w * w"),
    ("creature/measures.py", "w * w - x * x - y * y + z * z", "w * w + x * x - y * y + z * z"),
    ("creature/measures.py", "w * w - x * x + y * y", "w * w + x * x + y * y"),
    ("creature/measures.py", "2 * (x * y - w * z), 2", "2 * (x * y + w * z), 2"),
    ("creature/measures.py", "(-other, -lost)", "(-other, lost)"),
    ("creature/measures.py", "two_sum(e, -s)", "two_sum(e, s)"),
    ("creature/measures.py", "return stance & ~before", "return stance"),
    ("creature/measures.py", "reach >= fold - ROUNDING", "reach >= fold + ROUNDING"),
    ("creature/measures.py", "(reach <= 1.0 + ROUNDING) &", "(reach <= 1.0 + ROUNDING) |"),
    ("creature/measures.py", "_touch_downs(r.stance)[1:]", "_touch_downs(r.stance)[:-1]"),
    ("creature/polygons.py", "np.minimum(most, -least)", "np.minimum(most, least)"),
    ("creature/polygons.py", "[way[..., 1], -way[..., 0]]", "[way[..., 1], way[..., 0]]"),
    ("creature/polygons.py", "-np.sum(a * way", "np.sum(a * way"),
    ("creature/polygons.py", "inside, 0.0 - outside", "inside, 0.0 + outside"),
    ("creature/polygons.py", "inside > 4e-15 * scale", "inside > -4e-15 * scale"),
    ("creature/polygons.py", "counted[:, first] & counted", "counted[:, first] | counted"),
]
# Flips of a room run its tests; what sees most of a file, or of the room, comes first.
FIRST = {
    "core": ["golden", "policies_accuracy", "edges"],
    "pose": ["limb", "controls", "branches", "carrying"],
    "creature": ["walker", "walks"],
    "gait.py": ["gait"],
    "footing.py": ["footing"],
    "paths.py": ["paths"],
    "measures.py": ["measures"],
    "polygons.py": ["measures"],
    "turns.py": ["turns", "rotations", "rotations_accuracy", "corrections"],
    "frames.py": ["rotations", "rotations_accuracy"],
    "angles.py": ["rotations", "rotations_accuracy", "limb"],
    "corrections.py": ["peer_cases", "corrections"],
    "bending.py": ["peer_cases", "corrections"],
}
OPTIONS = ["-x", "-q", "-n", "2", "-p", "no:cacheprovider", "-k", "not jax"]


def main():
    rooms = {"core": CORE, "pose": POSE, "creature": CREATURE}
    flips = {**rooms, "": CORE + POSE + CREATURE}[(sys.argv[1:] or [""])[0]]
    flips = flips[:: int((sys.argv[2:] or ["1"])[0])]
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".hypothesis", "build")
        shutil.copytree(PROJECT, copy, ignore=ignored)
        for name, old, new in flips:
            path = copy / "src" / "twobone" / name
            source = path.read_text(encoding="utf-8")
            if source.count(old) != 1:
                sys.exit(f"{name} has {source.count(old)} times: {old}")
            path.write_text(source.replace(old, new), encoding="utf-8")
            caught = run(copy, *name.split("/")) != 0
            path.write_text(source, encoding="utf-8")
            print("caught  " if caught else "SURVIVED", name, "|", old, "->", new, flush=True)
            if not caught:
                survivors.append((name, old))
    if survivors:
        sys.exit(f"{len(survivors)} of {len(flips)} flips were not caught")
    print(f"all {len(flips)} flips were caught")


def run(copy, room, file):
    # The kernel has the formula once more; `tests/core/test_kernel.py` holds it against this one.
    engine = "" if room == "creature" else "numpy"
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "TWOBONE_ENGINE": engine}
    names = FIRST.get(file, FIRST[room])
    tests = [f"tests/{room}/test_{name}.py" for name in names] + [f"tests/{room}"]
    command = [sys.executable, "-m", "pytest", *tests, *OPTIONS]
    return subprocess.run(
        command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, check=False
    ).returncode


if __name__ == "__main__":
    main()
