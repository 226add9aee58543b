"""Planes that go from frame to frame, for whole clips at once."""

from twobone.core import arrays
from twobone.pose import reaching


def transport(library, frames, fade, before=None):
    """Return the normals of the planes in which limbs bend, and what goes on with them.

    That, as `before` for the first one, of shape (..., 3, 3), is normal, way and pole: of the last
    frame that said something.
    `frames` are, along the first axis, the planes were each the first one, ways, poles (unit
    vectors), how much the poles have to say, and how far the targets are.
    """
    planes = frames[0]
    if planes.shape[0] == 0:
        return planes, library.xp.stack(frames[:3], axis=-2)

    def step(state, frame):
        plane, way, pole, weight, far = frame
        state, (plane, way, pole) = (
            [arrays.parts(v, 3) for v in vectors] for vectors in (state, (plane, way, pole))
        )
        found = reaching.transport(library, state, (plane, way, pole, weight, far), fade)
        return tuple(arrays.join(library, v, weight.shape) for v in found)

    if before is None:  # a normal of no length says so
        state = (library.xp.zeros_like(planes[0, ...]),) * 3
    else:
        shape = planes.shape[1:]
        state = tuple(library.xp.broadcast_to(before[..., i, :], shape) for i in range(3))
    states = arrays.scan(library, step, state, frames)
    # A frame with NaN has its own plane, NaN: derivatives of others must not come through it.
    own = library.where((planes == planes)[..., :1], states[0], planes)
    return own, library.xp.stack(states, axis=-2)
