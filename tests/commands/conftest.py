"""A walk whose feet slide, as a clip and as a file."""

import pytest

import walkers
from twobone import motion


@pytest.fixture(scope="module")
def walk():
    return walkers.walk(30, seconds=1.5, stretch=1.15)


@pytest.fixture
def bvh(tmp_path, walk):
    """Return a function that writes a walk whose feet slide to a file below a folder."""

    def write(name="walk.bvh"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        motion.save(walk.clip, path)
        return path

    return write
