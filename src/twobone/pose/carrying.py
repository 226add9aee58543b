"""Planes that go from frame to frame, for whole clips at once."""

from twobone.core import arrays
from twobone.pose import reaching


def carry(library, frames, fade):
    """Return the normals of the planes in which limbs bend, frame after frame.

    `frames` are, along the first axis, the planes were each the first one, ways, poles (unit
    vectors) and how much the poles have to say.
    """
    planes, ways, poles, weights = frames

    def step(state, frame):
        state = [arrays.parts(v, 3) for v in state]
        way, pole, weight = frame
        frame = arrays.parts(way, 3), arrays.parts(pole, 3), weight
        found = reaching.carry(library, state, frame, fade)
        return tuple(arrays.join(library, v, weight.shape) for v in found)

    state = planes[0], ways[0], poles[0]
    return arrays.scan(library, step, state, (ways, poles, weights))[0]
