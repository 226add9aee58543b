"""Draw the pictures of the documents: `python docs/make_pictures.py` writes docs/pictures/*.svg.

A test holds the pictures in the repository against what this script makes.
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
SOON = ([1.65, 0.49], 1.0, 0.8)  # ... and with one that is nearly so

CIRCLES = ("circles", "labels")
ACROSS = (*CIRCLES, "way", "across")
FOOT = (*ACROSS, "foot")
TRIANGLE = (*FOOT, "triangle", "bones")
BOTH = (*TRIANGLE, "other")


class Lazy(twobone.Policy):
    """The policy of docs/policies.md: never use the last tenth of the reach."""

    def place(self, xp, distance, inner, outer):
        return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)


def pictures():
    """Return the text of every picture by its file name."""
    found = {**derivation(), **policies(), **beside("limb_pictures"), **beside("walk_pictures")}
    return {**found, "many.svg": many(), "speed.svg": speed()}


def derivation():
    """Return the pictures of docs/derivation.md, in its order."""
    space = ([0.9, 0.5, 0.6], 1.0, 0.8)
    return {
        "circles.svg": diagram(*ARM, show=CIRCLES, title="Two circles meet twice"),
        "across.svg": diagram(*ARM, show=ACROSS, title="The line across, through both meetings"),
        "foot.svg": diagram(*ARM, show=FOOT, title="The foot point on the way to the target"),
        "triangle.svg": diagram(*ARM, show=TRIANGLE, title="A right angle at the foot point"),
        "both.svg": diagram(*ARM, show=BOTH, title="Both answers"),
        "whole.svg": diagram(*ARM, title="Two bones reach a target, in both ways"),
        "space.svg": diagram(*space, pole=[0.0, 1.0, 0.0], title="A limb in its own plane"),
    }


def policies():
    """Return the pictures of docs/policies.md, in its order."""
    given = {
        "clamp": (FAR, "clamp"),
        "near": (([0.1, 0.03], 1.0, 0.6), "clamp"),
        "stretch": (FAR, "stretch"),
        "nan": (FAR, "nan"),
        "soft": (SOON, twobone.Soft(0.15)),
        "stretch-limit": (FAR, twobone.Stretch(limit=1.2)),
        "limits": (SOON, twobone.Limits(40.0, 130.0)),
        "chain": (([1.75, 0.52], 1.0, 0.8), twobone.Soft(0.15) | twobone.Stretch(limit=1.2)),
        "lazy": (FAR, Lazy()),
    }
    return {
        f"policy-{name}.svg": diagram(*limb, unreachable=policy)
        for name, (limb, policy) in given.items()
    }


def beside(name):
    """Return the pictures of docs/limbs.md or docs/walking.md, in their order."""
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        return runpy.run_path(str(Path(__file__).parent / f"{name}.py"))["pictures"]()
    finally:
        sys.path.pop(0)


def many():
    """Return a picture of many targets at once."""
    turn, distance = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 25)[:-1], np.linspace(0.4, 2.1, 6))
    targets = np.stack([distance * np.cos(turn), distance * np.sin(turn)], axis=-1)
    return overview(targets, 1.0, 0.8)


def speed():
    """Return the picture of README's speeds, from what benchmarks/speed.py measured."""
    found = json.loads((BENCHMARKS / "speed.json").read_text(encoding="utf-8"))
    return runpy.run_path(str(BENCHMARKS / "roofline.py"))["draw"](found)


def main():
    PICTURES.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (PICTURES / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
