"""What is at fault with matrices and axes: a number for each fault, found by the formulas."""

import math

import numpy as np

from twobone.core.arrays import NUMPY
from twobone.core.formula import dot
from twobone.errors import PoseError

LAST_ROW = "have 0, 0, 0, 1 as its last row (points are columns, `M @ [x, y, z, 1]`)"
LAST_ROWS = LAST_ROW, "have 0, 0, 1 as its last row (points are columns, `M @ [x, y, 1]`)"
FAULTS = {
    1: ("mid_axis", "have length 1", "another length"),
    2: ("start", "keep all three directions apart", "a matrix that makes space flat"),
    3: ("mid", "keep all three directions apart", "a matrix that makes space flat"),
    4: ("start", LAST_ROW, "another"),
    5: ("mid", LAST_ROW, "another"),
    6: ("end", LAST_ROW, "another"),
}
PLANE_FAULTS = {
    number: (name, wanted.replace("all three", "both").replace(*LAST_ROWS), came)
    for number, (name, wanted, came) in FAULTS.items()
}


def fault_of(xp, t, mid_axis, space, hand, matrices):
    """Return the number of what is at fault, 0 for nothing; NaN is no fault."""
    long = dot(mid_axis, mid_axis)
    zero = 0.0 * xp.where(long < math.inf, long, 0.0)
    fault = xp.where((long < 0.996) | ((long > 1.004) & (long < math.inf)), zero + 1.0, zero)
    fault = xp.where(hand.flat, 3.0, xp.where(space.flat, 2.0, fault))
    for number, matrix in enumerate(matrices, start=4):
        fault = xp.where(last_row_is_wrong(matrix), float(number), fault)
    return xp.where(fault == fault, fault, 0.0)


def last_row_is_wrong(matrix):
    """Say whether a matrix does not map points to points."""
    off = off_last_row(matrix)
    return (off > 0.0) & (off - off == 0.0)


def off_last_row(matrix):
    """Return how far the last row of a matrix is from 0, 0, 0, 1; NaN stays NaN."""
    x, y, z, w = matrix[3]
    return x * x + y * y + z * z + (w - 1.0) * (w - 1.0)


def raise_fault(library, faults, found):
    """Raise if anything is at fault, where values can be seen without waiting for a device."""
    if library is not NUMPY or not found.any():
        return
    rows = np.argwhere(found)
    name, wanted, came = faults[int(np.asarray(found)[tuple(rows[0])])]
    raise PoseError(name, wanted, came, rows)
