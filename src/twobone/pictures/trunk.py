"""Trunks that bend: where a part of the body is that sits somewhere along it.

`Recording.body_bend` describes a trunk: with the coefficients c, its middle line is at the height
`c0 + c1 z + c2 z^2 + c3 z^3` above the body's z axis. What is attached to it moves up and down by
that height and pitches with its slope.
"""

import numpy as np

from twobone.rotations import normalize, rotate

UP = np.array([0.0, 1.0, 0.0])


def carried(bend, along):
    """Return the heights (...) and rotations (..., 4) of a trunk at z = `along`, in its body.

    `bend` are coefficients, shape (..., 4).
    """
    constant, first, second, third = np.moveaxis(bend, -1, 0)
    height = constant + along * (first + along * (second + along * third))
    slope = first + along * (2.0 * second + along * (3.0 * third))
    upright, nothing = 1.0 + np.sqrt(1.0 + slope * slope), np.zeros_like(slope)
    return height, normalize(np.stack([-slope, nothing, nothing, upright], axis=-1))


def moved(bend, along):
    """Return by how much (3), and the rotation (4) with which, a trunk moves a part of the body.

    The part is given in the body's space, and sits at z = `along`.
    """
    height, turn = carried(bend, along)
    anchor = np.array([0.0, 0.0, along])
    return anchor + height * UP - rotate(turn, anchor), turn
