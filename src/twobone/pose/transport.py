"""Parallel transport of the bending plane through all frames of a clip."""

import math

import numpy as np

from twobone.core import arrays, batches, formula, programs, vectors
from twobone.core.arrays import NUMPY
from twobone.core.formula import dot
from twobone.pose import bending
from twobone.rotations import quaternions

# The largest rotation towards the pole, in radians, while the target or the pole target moves by
# the reach of the limb, or while the pole vector rotates by 1 radian.
FOLLOW = 2.0


STATE = ("old_normal", "old_direction", "old_pole")
FRAME = ("normal", "direction", "pole", "pull", "distance")
TAILS = dict.fromkeys((*STATE, *FRAME[:3]), (3,)) | {"pull": (), "distance": ()}


def transport(given, frames, fade, before, kept):
    """Return the bending plane of each frame, as a unit normal, and the state after each frame.

    The state, shape (..., 3, 3), holds the plane's normal, the target direction and the pole of
    the last valid frame. `before` is the state to start from; without it, each limb starts in the
    plane of its first valid frame.

    `frames` are arrays whose first axis counts frames: the normal that each frame would have by
    itself, the target direction and the pole (unit vectors), the pull of the pole and the distance
    of the target in units of the limb's reach. `given` has the library and the dtype, `kept` the
    `Programs` of the limb.
    """
    library, normals = given.library, frames[0]
    if normals.shape[0] == 0:
        return normals, library.xp.stack(frames[:3], axis=-2)

    if before is None:  # a zero normal marks a state that has not started yet
        state = (library.xp.zeros_like(normals[0, ...]),) * 3
    else:
        shape = normals.shape[1:]
        state = tuple(library.xp.broadcast_to(before[..., i, :], shape) for i in range(3))
    if library is NUMPY:
        states = scan_compiled(given.real, state, frames, fade, kept)
    else:
        states = batches.without_gradients(
            library,
            [*state, *frames],
            lambda real, *views: scan_compiled(real, views[:3], views[3:], fade, kept),
        )
    if states is None:
        states = scan(library, state, frames, fade)
    # A frame with NaN keeps its own NaN normal: no derivative of other frames may pass through it.
    normals_found = library.where((normals == normals)[..., :1], states[0], normals)
    return normals_found, library.xp.stack(states, axis=-2)


def scan(library, state, frames, fade):
    """Return the states after all frames."""

    def step(state, frame):
        normal, direction, pole, pull, distance = frame
        state, (normal, direction, pole) = (
            [arrays.parts(v, 3) for v in three] for three in (state, (normal, direction, pole))
        )
        found = transport_step(library, state, (normal, direction, pole, pull, distance), fade)
        return tuple(arrays.join(library, v, pull.shape) for v in found)

    return arrays.scan(library, step, state, frames)


def scan_compiled(real, state, frames, fade, kept):
    """Return the same for NumPy arrays, computed by the kernel; None if it cannot."""

    def formula(xp, t, **parts):
        state, frame = ([parts[name] for name in names] for names in (STATE, FRAME))
        return transport_step(xp, state, frame, fade)

    shape = frames[-1].shape
    values = dict(zip((*STATE, *FRAME), (*state, *frames), strict=True))
    given = batches.Given(NUMPY, real, values, TAILS, shape)
    # Traced at the first call for 50 frames, because each takes 0.2 ms in NumPy.
    program = kept.find(("transport", fade), formula, given, [(3,)] * 3, at_once=50)
    if program is None:
        return None
    rows = math.prod(shape[1:])
    inputs = [v.reshape(rows, 3) for v in state]
    widths = [math.prod(TAILS[name]) for name in FRAME]
    inputs += [v.reshape(shape[0], rows, width) for v, width in zip(frames, widths, strict=True)]
    outputs = [np.empty((shape[0], rows, 3), frames[0].dtype) for _ in STATE]
    programs.run(program, inputs, outputs, carried=(0, 1, 2, *[-1] * len(FRAME)))
    return [v.reshape(*shape, 3) for v in outputs]


def transport_step(xp, state, frame, fade):
    """Return the normal of a frame's plane, its target direction and its pole, from those before.

    Parallel transport: the shortest arc from the old target direction to the new one rotates the
    plane. Where the pole is not parallel to the target direction, the plane also follows it, by at
    most `FOLLOW` radians while the target or the pole target moves by the reach of the limb. Near
    the root, small motions change directions much, and there the rate would be too high if it were
    measured by directions. A frame with NaN keeps the state. A frame whose target is at the root
    keeps the direction. The first valid frame starts with its own plane.
    """
    normal, old_direction, old_pole = state
    own_normal, direction, pole, pull, distance = frame
    total = dot(own_normal, own_normal) + dot(direction, direction) + dot(pole, pole) + pull
    valid = total == total
    started = dot(normal, normal) > 0.5
    direction = vectors.choose(xp, valid & ((distance > 0.0) | ~started), direction, old_direction)
    pole = vectors.choose(xp, valid, pole, old_pole)
    arc = quaternions.shortest_arc_of_units(
        xp, old_direction, direction, vectors.cross(normal, old_direction)
    )
    transported = vectors.unit(xp, vectors.square_to(quaternions.rotate(arc, normal), direction))
    perpendicular, across = vectors.cross(direction, transported), vectors.cross(direction, pole)
    # The distance of the target from its old direction, which is at most the way that it went.
    motion = vectors.length(xp, vectors.cross(direction, old_direction))
    motion = motion * formula.least(xp, distance, 1.0)
    motion = motion + vectors.length(xp, vectors.cross(pole, old_pole))
    pull = xp.where(valid, pull, 0.0)
    max_step = FOLLOW * motion * bending.pole_influence(xp, vectors.length(xp, across), fade) * pull
    cos, sin = dot(transported, across), dot(perpendicular, across)
    near = (cos > 0.0) & (formula.magnitude(xp, sin) <= max_step * cos)
    step = xp.where(near, sin, xp.where(sin < 0.0, -max_step, max_step))
    cos = xp.where(near, cos, 1.0)
    new_normal = vectors.unit(
        xp, vectors.plus(vectors.times(cos, transported), vectors.times(step, perpendicular))
    )
    new_normal = vectors.choose(xp, started, new_normal, own_normal)
    return vectors.choose(xp, valid, new_normal, normal), direction, pole
