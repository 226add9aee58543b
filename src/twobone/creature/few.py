"""Questions about a few numbers: whether some are not 0, the least and the greatest of them.

A step of one walker asks about twenty of them, and NumPy's functions take longer to be called than
to look at the numbers. With the kernel an answer takes a tenth of a microsecond instead of one.
"""

from __future__ import annotations

import numpy as np

from twobone.core import engine


def some(values) -> bool:
    """Return whether any element of an array, such as a mask, is not 0."""
    if engine.KERNEL is not None:
        return engine.KERNEL.some(values)
    return bool(np.count_nonzero(values))  # `np.any` takes three times as long


def least(values) -> float:
    """Return the smallest of some numbers; NaN if there is one."""
    if engine.KERNEL is not None:
        return engine.KERNEL.least(values)
    return float(np.minimum.reduce(values, None))


def greatest(values) -> float:
    """Return the largest of some numbers; NaN if there is one."""
    if engine.KERNEL is not None:
        return engine.KERNEL.greatest(values)
    return float(np.maximum.reduce(values, None))
