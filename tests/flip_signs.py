"""Flip one sign or choice at a time in `core/` and `pose/`, and see that a test goes red each time.

Run by hand and by CI: python tests/flip_signs.py, with `core` or `pose` for flips of that room
alone and a number after it for every so many of them. Works on a copy; nothing here is changed.
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
# Flips of a room run its tests; what sees most of a file, or of the room, comes first.
FIRST = {
    "core": ["golden", "policies_accuracy", "edges"],
    "pose": ["limb", "controls", "branches", "carrying"],
    "turns.py": ["turns", "rotations", "rotations_accuracy", "corrections"],
    "frames.py": ["rotations", "rotations_accuracy"],
    "angles.py": ["rotations", "rotations_accuracy", "limb"],
    "corrections.py": ["peer_cases", "corrections"],
    "bending.py": ["peer_cases", "corrections"],
}
OPTIONS = ["-x", "-q", "-n", "2", "-p", "no:cacheprovider", "-k", "not jax"]


def main():
    flips = {"core": CORE, "pose": POSE, "": CORE + POSE}[(sys.argv[1:] or [""])[0]]
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
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "TWOBONE_ENGINE": "numpy"}
    names = FIRST.get(file, FIRST[room])
    tests = [f"tests/{room}/test_{name}.py" for name in names] + [f"tests/{room}"]
    command = [sys.executable, "-m", "pytest", *tests, *OPTIONS]
    return subprocess.run(
        command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, check=False
    ).returncode


if __name__ == "__main__":
    main()
