"""What the compiled kernel computes of grounds and polygons has the bits of NumPy."""

import numpy as np
import pytest

from engines import KERNEL
from twobone.creature import Noise
from twobone.creature.polygons import signed_distance

pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built")


@pytest.mark.parametrize("count", [1, 2, 4, 6, 20])
def test_support_polygons_have_the_same_bits_with_the_kernel_and_without(engines, count):
    draw = np.random.default_rng(1)
    corners = draw.normal(size=(1000, count, 2))
    corners[::7] = np.round(corners[::7])  # in lines, or the same point more than once
    corners[::50], corners[5::97, 0] = 0.0, np.nan
    counted, points = draw.random((1000, count)) < 0.7, 0.5 * draw.normal(size=(1000, 2))
    by_kernel = signed_distance(points, corners, counted)
    engines.use("numpy")
    found = signed_distance(points, corners, counted)
    assert np.array_equal(by_kernel, found, equal_nan=True)


@pytest.mark.parametrize("far", [50.0, 1e9, 1e18])
@pytest.mark.parametrize("shape", [(), (1,), (2,), (128,), (129,), (3, 94)])
@pytest.mark.usefixtures("instruction_set")
def test_rough_ground_has_the_same_bits_with_the_kernel_and_without(engines, shape, far):
    ground = Noise(0.4, 5.6, 1)
    x, z = np.random.default_rng(2).normal(0.0, far, (2, *shape))
    by_kernel = ground.height(x, z)
    engines.use("numpy")
    found = ground.height(x, z)
    assert type(found) is type(by_kernel)
    assert np.array_equal(by_kernel, found)


def test_places_that_are_not_finite_have_no_height_and_raise_no_warning():
    found = Noise(0.4, 5.6, 1).height([np.nan, np.inf, 1.0], 0.0)
    assert np.isnan(found).tolist() == [True, True, False]
