"""Draw one limb or many as SVG files, which any browser opens."""

import tempfile
from pathlib import Path

import numpy as np

import twobone
from twobone.pictures.svg import diagram, overview

folder = Path(tempfile.mkdtemp(prefix="twobone-"))
rng = np.random.default_rng(1)

pictures = {
    "arm.svg": diagram([1.2, 0.5], 1.0, 0.8),
    "circles.svg": diagram([1.2, 0.5], 1.0, 0.8, show=("circles", "direction", "across", "labels")),
    "soft.svg": diagram([1.7, 0.4], 1.0, 0.8, unreachable=twobone.Soft(0.1)),
    "leg.svg": diagram([0.1, -0.8, 0.2], 0.5, 0.48, pole=[0.0, 0.0, 1.0]),
    "many.svg": overview(rng.normal(size=(200, 2)), 1.0, 0.8),
}
for name, text in pictures.items():
    (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(text):7,} bytes  {folder / name}")
