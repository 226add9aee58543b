"""Faults of matrices and axes: numbered by the formulas, raised as errors with NumPy."""

import math

import numpy as np

from twobone.core.arrays import NUMPY
from twobone.core.formula import dot
from twobone.errors import PoseError

LAST_ROW = "have 0, 0, 0, 1 as its last row (points are columns, `M @ [x, y, z, 1]`)"
LAST_ROWS = LAST_ROW, "have 0, 0, 1 as its last row (points are columns, `M @ [x, y, 1]`)"
FAULTS = {
    1: ("mid_axis", "have length 1", "a different length"),
    2: ("start", "be invertible", "a singular matrix"),
    3: ("mid", "be invertible", "a singular matrix"),
    4: ("start", LAST_ROW, "a different row"),
    5: ("mid", LAST_ROW, "a different row"),
    6: ("end", LAST_ROW, "a different row"),
}
PLANE_FAULTS = {
    number: (name, wanted.replace(*LAST_ROWS), came)
    for number, (name, wanted, came) in FAULTS.items()
}


def fault_of(xp, t, mid_axis, start_space, mid_space, matrices):
    """Return the number of the first fault of matrices and axis, 0 for none; NaN is no fault."""
    square = dot(mid_axis, mid_axis)
    zero = 0.0 * xp.where(square < math.inf, square, 0.0)
    fault = xp.where((square < 0.996) | ((square > 1.004) & (square < math.inf)), zero + 1.0, zero)
    fault = xp.where(mid_space.flat, 3.0, xp.where(start_space.flat, 2.0, fault))
    for number, matrix in enumerate(matrices, start=4):
        fault = xp.where(last_row_is_wrong(matrix), float(number), fault)
    return xp.where(fault == fault, fault, 0.0)


def last_row_is_wrong(matrix):
    """Return whether a matrix's last row is finite and not 0, 0, 0, 1."""
    error = last_row_error(matrix)
    return (error > 0.0) & (error - error == 0.0)


def last_row_error(matrix):
    """Return the squared distance of a matrix's last row from 0, 0, 0, 1; NaN stays NaN."""
    x, y, z, w = matrix[3]
    return x * x + y * y + z * z + (w - 1.0) * (w - 1.0)


def raise_fault(library, faults, found):
    """Raise an error for the first fault; with NumPy only, whose values can be read at once."""
    if library is not NUMPY or not found.any():
        return
    rows = np.argwhere(found)
    name, wanted, came = faults[int(np.asarray(found)[tuple(rows[0])])]
    raise PoseError(name, wanted, came, rows)
