"""The picture of docs/tutorials/joints.md, made by its example; make_pictures.py calls it."""

import contextlib
import io
import runpy
from pathlib import Path

from walk_figure import page

from twobone.pictures import canvas
from twobone.pictures import stage as on

EXAMPLE = Path(__file__).parents[1] / "examples" / "27_joints_to_bvh.py"
SCALE, HEIGHT = 140.0, 560.0  # px per metre, px
FRAMES = range(0, 60, 8)
FEET = (7, 8, 10, 11)


def pictures():
    """Return the text of every picture by its file name."""
    return {"joints.svg": joints()}


def joints():
    """Draw positions as they came above the clip that was made of them."""
    with contextlib.redirect_stdout(io.StringIO()):
        found = runpy.run_path(str(EXAMPLE))
    points, clip = found["points"], found["pinned"].clip
    placed, parents, parts = clip.joints(), clip.skeleton.parents, []
    for row, text in ((0, "in: positions, 22 points a frame"), (1, "out: bones and planted feet")):
        place = on.stage((55.0, 255.0 + 270.0 * row), SCALE, view=(25.0, 5.0))
        for frame in FRAMES:
            if row:
                bones = [
                    (placed[frame, parent], placed[frame, joint])
                    for joint, parent in enumerate(parents)
                    if parent >= 0
                ]
                parts += [on.path(place, "bone thin second", *bone) for bone in bones]
            else:
                parts += [canvas.circle("mark target", place.at(p), 2.2) for p in points[frame]]
        parts.append(on.say((280.0, 18.0 + 270.0 * row), "hushed", text))
    return page(
        "From positions to bones",
        "Above, the joints of a walker as points; below, the skeleton that was made of them.",
        HEIGHT,
        parts,
    )
