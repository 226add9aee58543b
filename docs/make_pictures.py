"""Draw the documentation's pictures: `python docs/make_pictures.py` writes docs/pictures/*.svg.

A test compares the pictures in the repository with the output of this script.
"""

import json
import runpy
import sys
from pathlib import Path

import numpy as np

import twobone
from twobone.pictures.svg import diagram, overview

PICTURES = Path(__file__).parent / "pictures"
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
ARM = ([1.3, 0.45], 1.0, 0.8)  # the limb of the derivation: target, r1, r2
FAR = ([1.85, 0.55], 1.0, 0.8)  # the same arm with a target out of reach
NEARLY = ([1.65, 0.49], 1.0, 0.8)  # the same arm with a target just within reach

CIRCLES = ("circles", "labels")
ACROSS = (*CIRCLES, "direction", "across")
FOOT = (*ACROSS, "foot")
TRIANGLE = (*FOOT, "triangle", "bones")
BOTH = (*TRIANGLE, "other")


class Lazy(twobone.Policy):
    """The example policy of docs/policies.md: never use the last tenth of the reach."""

    def place(self, xp, distance, inner, outer):
        return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)


def pictures():
    """Return the text of every picture by its file name."""
    found = {**derivation(), **policies(), **beside("limb_pictures"), **beside("walk_pictures")}
    found |= beside("robot_pictures") | beside("joints_pictures")
    return {**found, "many.svg": many(), "speed.svg": speed()}


def derivation():
    """Return the pictures of docs/derivation.md, in its order."""
    space = ([0.9, 0.5, 0.6], 1.0, 0.8)
    return {
        "circles.svg": diagram(*ARM, show=CIRCLES, title="Two circles intersect twice"),
        "across.svg": diagram(*ARM, show=ACROSS, title="The line through both intersections"),
        "foot.svg": diagram(*ARM, show=FOOT, title="The foot point on the line to the target"),
        "triangle.svg": diagram(*ARM, show=TRIANGLE, title="A right angle at the foot point"),
        "both.svg": diagram(*ARM, show=BOTH, title="Both solutions"),
        "whole.svg": diagram(*ARM, title="Both solutions of two bones that reach a target"),
        "space.svg": diagram(*space, pole=[0.0, 1.0, 0.0], title="A limb in its own plane"),
    }


def policies():
    """Return the pictures of docs/policies.md, in its order."""
    given = {
        "clamp": (FAR, "clamp"),
        "near": (([0.1, 0.03], 1.0, 0.6), "clamp"),
        "stretch": (FAR, "stretch"),
        "nan": (FAR, "nan"),
        "soft": (NEARLY, twobone.Soft(0.15)),
        "stretch-limit": (FAR, twobone.Stretch(limit=1.2)),
        "limits": (NEARLY, twobone.Limits(40.0, 130.0)),
        "chain": (([1.75, 0.52], 1.0, 0.8), twobone.Soft(0.15) | twobone.Stretch(limit=1.2)),
        "lazy": (FAR, Lazy()),
    }
    return {
        f"policy-{name}.svg": diagram(*limb, unreachable=policy)
        for name, (limb, policy) in given.items()
    }


def beside(name):
    """Return the pictures of a script beside this one, which are those of one page."""
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        return runpy.run_path(str(Path(__file__).parent / f"{name}.py"))["pictures"]()
    finally:
        sys.path.pop(0)


def many():
    """Return the picture of many targets in docs/policies.md."""
    angle, distance = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 25)[:-1], np.linspace(0.4, 2.1, 6))
    targets = np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=-1)
    return overview(targets, 1.0, 0.8)


def speed():
    """Return the speed picture of README, from the measurements of benchmarks/speed.py."""
    found = json.loads((BENCHMARKS / "speed.json").read_text(encoding="utf-8"))
    return runpy.run_path(str(BENCHMARKS / "roofline.py"))["draw"](found)


def main():
    PICTURES.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (PICTURES / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
