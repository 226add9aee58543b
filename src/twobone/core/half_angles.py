"""Squared sines and cosines of half an angle, of numbers and of arrays.

Libraries compute sines with different last bits. So that a row of an array gives what the number
gives, in every library, each is computed by `math.sin`. Only the derivatives are the library's.
"""

import math
import sys

import numpy as np

from twobone.core.arrays import NUMPY
from twobone.core.easing import HalfAngle
from twobone.core.vectors import with_slope


def half_angle(degrees: float) -> HalfAngle:
    """Return the `HalfAngle` of a number."""
    return HalfAngle(sin2_half(degrees), sin2_half(180.0 - degrees))


def half_angles(library, degrees) -> HalfAngle:
    """Return the `HalfAngle` of an array, or of a number."""
    if type(degrees) is float:
        return half_angle(degrees)
    return HalfAngle(*(_of_array(library, degrees, is_cosine) for is_cosine in (False, True)))


def sin2_half(degrees: float) -> float:
    """Return `sin^2(angle / 2)`, exactly 1/2 for a right angle."""
    return 0.5 if degrees == 90.0 else math.sin(math.radians(degrees) / 2.0) ** 2


_EACH = np.frompyfunc(sin2_half, 1, 1)


def of_numpy(degrees, is_cosine):
    """Return the squared sines or cosines of a NumPy array, in its dtype."""
    from twobone.core import engine  # which imports policies, which import this

    wide = degrees.astype(np.float64)
    function = _EACH if engine.KERNEL is None else engine.KERNEL.sin2_half
    return np.asarray(function(180.0 - wide if is_cosine else wide), degrees.dtype)


def _of_array(library, degrees, is_cosine):
    if library is NUMPY:
        return of_numpy(degrees, is_cosine)
    given = library.constant(degrees)
    angle = (180.0 - degrees if is_cosine else degrees) * (math.pi / 360.0)
    sine = library.xp.sin(angle)
    if library.name == "torch":
        from twobone.core import for_torch

        value = for_torch.half_angles_of(given, is_cosine)
    elif library.name == "jax":
        value = _of_jax(given, is_cosine)
    else:
        return sine * sine
    return with_slope(library, value, sine * sine)


def _of_jax(degrees, is_cosine):
    """Return squared sines or cosines, which JAX calls for while a program runs."""
    jax = sys.modules["jax"]

    def compute(values):
        return of_numpy(np.asarray(values), is_cosine)

    if not isinstance(degrees, jax.core.Tracer):
        return jax.numpy.asarray(compute(degrees))
    shape = jax.ShapeDtypeStruct(degrees.shape, degrees.dtype)
    return jax.pure_callback(compute, shape, degrees, vmap_method="expand_dims")
