"""What a skeleton's tree of joints is checked for: names, scales, rotations of any length."""

import numpy as np
import pytest

from twobone import PoseError, Skeleton

LEG = [[0.0, 1.0, 0.0], [0.0, -0.5, 0.01], [0.0, -0.5, -0.01]]


def leg(**options):
    return Skeleton([-1, 0, 1], LEG, **options)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_there_is_one_name_for_each_joint(count):
    with pytest.raises(PoseError, match=f"`names` must be 3 names, got {count}"):
        leg(names=[f"joint {i}" for i in range(count)])


def test_a_name_that_only_lacks_a_long_prefix_is_suggested():
    skeleton = leg(
        names=["character:deform:thigh", "character:deform:shin", "character:deform:foot"]
    )
    with pytest.raises(PoseError, match=r"\(did you mean 'character:deform:foot'\?\)"):
        skeleton.index("foot")


def test_nothing_is_suggested_for_an_empty_name():
    with pytest.raises(PoseError) as caught:
        leg(names=["thigh", "shin", "foot"]).index("")
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize("size", [1e-7, 1.0, 1e7])
def test_scales_along_the_axes_may_differ_by_the_rounding_of_float32(size):
    assert leg(scales=[[size, size, size * (1.0 + 5e-6)], [1, 1, 1], [1, 1, 1]]).scales[0] == size
    with pytest.raises(PoseError, match="`scales` must be the same along all axes"):
        leg(scales=[[size, size, size * (1.0 + 5e-5)], [1, 1, 1], [1, 1, 1]])


@pytest.mark.parametrize("scale", [np.inf, np.nan, 0.0, -1.0])
def test_scales_are_positive_and_finite(scale):
    with pytest.raises(PoseError, match="`scales` must be positive and finite"):
        leg(scales=[1.0, scale, 1.0])


@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_products_of_scales_have_an_inverse(scale):
    """1e-320 is a float, but 1e320, its inverse, is not."""
    with pytest.raises(PoseError, match=r"`scales` must not overflow or underflow .* at joint 1"):
        leg(scales=[scale, scale, 1.0])
    leg(scales=[1.0, scale, scale])  # nothing is in the space of the last joint


def test_scales_multiply_the_offsets_of_all_descendants_in_any_order_of_joints():
    offsets = [*LEG, [0.0, 0.0, 0.1]]
    wanted = [[0.0, 1.0, 0.0], [0.0, 0.0, 0.02], [0.0, -3.0, -0.04], [0.0, -3.0, 0.56]]
    found = Skeleton([-1, 0, 1, 2], offsets, scales=[2, 3, 1, 1]).rest.positions
    np.testing.assert_allclose(found, wanted, atol=1e-15)
    backwards = Skeleton([1, 2, 3, -1], offsets[::-1], scales=[1, 1, 3, 2]).rest.positions
    np.testing.assert_allclose(backwards[::-1], wanted, atol=1e-15)


@pytest.mark.parametrize("length", [1e-300, 1e-160, 1e160, 1e300])
def test_rotations_of_any_length_are_normalised(length):
    found = leg(rotations=np.array([[0.0, 0.6, 0.0, 0.8]] * 3) * length).rotations
    np.testing.assert_allclose(found, [[0.0, 0.6, 0.0, 0.8]] * 3, rtol=1e-15)
