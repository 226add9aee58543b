"""What formulas of every room take as arguments, for tests that call a formula by itself.

A formula takes a library and the constants of a dtype; `answer` gives it arrays.
"""

from twobone.core.arrays import FINITE_FLOATS, FLOATS, NUMPY
from twobone.core.batches import QUATERNION, VECTOR, answer
from twobone.core.exact import FLOAT64

__all__ = ["FINITE_FLOATS", "FLOAT64", "FLOATS", "NUMPY", "QUATERNION", "VECTOR", "answer"]
