"""The motion clips beside the project; tests that need them are skipped where they are absent."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / ".." / "shared" / "clips"
BVH = sorted(FOLDER.glob("*/*.bvh"))
ABSENT = pytest.param(None, marks=pytest.mark.skip(reason="no motion clips beside the project"))

with_bvh = pytest.mark.parametrize(
    "path", BVH or [ABSENT], ids=lambda path: getattr(path, "stem", "")
)


def clip_named(name):
    """Return the path of a clip; skip the test if it is absent."""
    found = [path for path in BVH if path.name == name]
    if not found:
        pytest.skip("no motion clips beside the project")
    return found[0]
