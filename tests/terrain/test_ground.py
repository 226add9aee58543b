"""Ground: heights, normals, sameness of bits, and what is no ground."""

import math

import numpy as np
import pytest

from twobone import creature
from twobone.errors import ArrayTypeError, CreatureError, ShapeError, TwoBoneError
from twobone.terrain.ground import (
    Flat,
    HeightArray,
    HeightFunction,
    Noise,
    Slope,
    Steps,
    Terrain,
    as_terrain,
    check_heights,
)

RNG = np.random.default_rng(6)
TABLE = RNG.normal(size=(5, 7))
KINDS = [
    Flat(0.3),
    Slope(20, 35),
    Steps(0.2, 0.9),
    Noise(0.3, 2.0, seed=4),
    HeightArray(TABLE, 0.5, (-1.0, 2.0)),
    HeightFunction(lambda x, z: np.sin(x) * np.cos(2 * z)),
]
kinds = pytest.mark.parametrize("terrain", KINDS, ids=lambda t: type(t).__name__)
X, Z = RNG.uniform(-4, 6, (2, 4000))


# --- what holds for every ground ----------------------------------------------------------


@kinds
def test_normals_are_square_to_the_ground(terrain):
    """Against differences of the heights, which know nothing of the formulas of slopes."""
    step = 1e-6
    along_x = (terrain.height(X + step, Z) - terrain.height(X - step, Z)) / (2 * step)
    along_z = (terrain.height(X, Z + step) - terrain.height(X, Z - step)) / (2 * step)
    normal = terrain.normal(X, Z)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=-1), 1, rtol=0, atol=1e-15)
    assert np.all(normal[:, 1] > 0)
    # A face of a step bends so much that a difference is right to 1e-4 of its slope of 8.
    np.testing.assert_allclose(normal[:, 0], -along_x * normal[:, 1], rtol=0, atol=2e-5)
    np.testing.assert_allclose(normal[:, 2], -along_z * normal[:, 1], rtol=0, atol=2e-5)


@kinds
def test_one_place_has_the_bits_of_many(terrain):
    far = RNG.normal(size=(2, 300)) * 10.0 ** RNG.uniform(-3.0, 6.0, (2, 300))
    for x, z in (*zip(X[:500], Z[:500], strict=True), *far.T):
        found = terrain.height_at(float(x), float(z))
        assert type(found) is float
        assert found == terrain.height(x, z)


@pytest.mark.sampled(3)
@kinds
def test_the_normal_is_continuous(terrain):
    """Neighbours on a fine line differ little, also across seams of cells, steps and borders."""
    line = np.linspace(-4, 6, 400_001)
    for x, z in ((line, 0.37 * line), (0.21, line), (line, 3.1)):
        turn = np.abs(np.diff(terrain.normal(x, z), axis=0))
        assert np.max(turn) < 4e-2 if isinstance(terrain, Steps) else np.max(turn) < 2e-3


@kinds
def test_a_place_has_the_same_bits_in_every_array(terrain):
    x, z = X[:2050], Z[:2050]
    heights, normals = terrain.height(x, z), terrain.normal(x, z)
    for count in (1, 2, 3, 7, 1023, 1024, 1025, 2049):
        for start in (0, 1, 5):
            part = slice(start, start + count)
            assert np.array_equal(terrain.height(x[part], z[part]), heights[part])
            assert np.array_equal(terrain.normal(x[part], z[part]), normals[part])
    assert np.array_equal(terrain.height(x[::-3], z[::-3]), heights[::-3])
    assert terrain.height(float(x[9]), float(z[9])) == heights[9]


@kinds
def test_shapes_broadcast(terrain):
    assert terrain.height(1.0, 2.0).shape == ()
    assert terrain.normal(1.0, 2.0).shape == (3,)
    assert terrain.height(X[:3, None], Z[:4]).shape == (3, 4)
    assert terrain.normal(X[:3, None], Z[:4]).shape == (3, 4, 3)
    assert terrain.height(np.zeros((2, 0)), 1.0).shape == (2, 0)
    assert np.array_equal(terrain.height([1, 2], [3, 4]), terrain.height([1.0, 2.0], [3.0, 4.0]))
    single = terrain.height(np.float32([1, 2]), 3)
    assert single.dtype == np.float64


@kinds
def test_places_that_do_not_fit_are_named(terrain):
    with pytest.raises(ShapeError, match=r"`z` must broadcast|`x` must broadcast"):
        terrain.height(np.zeros(3), np.zeros(4))
    with pytest.raises(ArrayTypeError, match=r"`x` must"):
        terrain.height("here", 0.0)


@kinds
def test_a_place_that_is_nowhere_does_not_raise(terrain):
    for nowhere in (math.nan, math.inf):
        with np.errstate(invalid="ignore"):  # the sine of infinity is the function's own affair
            heights = terrain.height(np.array([nowhere, 1.0]), np.array([nowhere, 2.0]))
        assert heights[1] == terrain.height(1.0, 2.0)


# --- one by one ---------------------------------------------------------------------------


def test_a_slope_rises_along_its_heading():
    rise = math.tan(math.radians(20))
    slope = Slope(20, heading_degrees=90)  # to the left: +x
    np.testing.assert_allclose(slope.height([0, 1, 2], 5.0), [0, rise, 2 * rise], atol=1e-15)
    np.testing.assert_allclose(Slope(20).height(5.0, [0, 1]), [0, rise], atol=1e-15)
    np.testing.assert_allclose(
        Slope(45).normal(0, 0), [0, math.sqrt(0.5), -math.sqrt(0.5)], atol=1e-15
    )


def test_steps_have_level_treads_and_narrow_faces():
    steps = Steps(0.25, 2.0)
    z = np.array([-3.0, -1.1, -0.95, 0.0, 0.95, 1.0, 1.05, 2.9, 3.1])
    np.testing.assert_array_equal(
        steps.height(7.0, z), [-0.375, -0.25, 0, 0, 0, 0.125, 0.25, 0.25, 0.5]
    )
    fine = np.linspace(-10, 10, 200_001)
    heights = steps.height(0.0, fine)
    assert np.all(np.diff(heights) >= 0)
    assert np.mean(np.diff(heights) > 0) == pytest.approx(0.04, abs=1e-3)
    assert np.array_equal(Steps(-0.25, 2.0).height(7.0, z), -steps.height(7.0, z))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_noise_has_its_rms_and_no_mean(seed):
    x, z = np.random.default_rng(99).uniform(-1e4, 1e4, (2, 200_000))
    heights = Noise(0.3, 2.0, seed).height(x, z)
    assert np.sqrt(np.mean(heights**2)) == pytest.approx(0.3, rel=0.01)
    assert np.mean(heights) == pytest.approx(0, abs=0.003)
    assert np.mean(heights**4) / np.mean(heights**2) ** 2 == pytest.approx(3, abs=0.25)


def test_noise_has_wavelengths_about_the_one_given_in_all_directions():
    """The spectrum over a large square: nothing outside the ring, something all around."""
    side, spacing = 512, 0.25
    line = spacing * np.arange(side)
    heights = Noise(1.0, 2.0, seed=5).height(line, line[:, None])
    window = np.hanning(side)
    power = np.abs(np.fft.fft2(heights * window * window[:, None])) ** 2
    waves = np.hypot(*np.meshgrid(*[np.fft.fftfreq(side, spacing)] * 2))
    inside = (waves > 0.95 / 5.0) & (waves < 1.05 / 1.2)
    assert np.sum(power[inside]) > 0.999 * np.sum(power)
    middle = (waves > 1 / 3.4) & (waves < 1 / 1.7)
    assert np.sum(power[middle]) > 0.3 * np.sum(power)
    angles = np.arctan2(*np.meshgrid(*[np.fft.fftfreq(side, spacing)] * 2))
    sectors = [np.sum(power[inside & (angles // (math.pi / 4) == k)]) for k in range(-4, 4)]
    assert min(sectors) > 0.02 * np.sum(power)


@pytest.mark.parametrize("far", [1.0, 1e3, 1e9])
def test_noise_is_the_sum_of_its_waves(far):
    noise = Noise(0.3, 2.0, seed=5)
    x, z = far * np.random.default_rng(6).uniform(-1.0, 1.0, (2, 500))
    formula = noise.formula()
    a, b, c = np.array(formula["waves"]).T[:, :, None]
    heights = formula["high"] * np.sum(np.cos(a * x + b * z + c), axis=0)
    assert np.max(np.abs(noise.height(x, z) - heights)) < 3e-14 * max(1.0, far)


def test_noise_is_the_seed_and_nothing_else():
    here = Noise(0.3, 2.0, 1).height(X, Z)
    assert np.array_equal(here, Noise(0.3, 2.0, 1).height(X, Z))
    assert not np.any(here == Noise(0.3, 2.0, 2).height(X, Z))
    np.testing.assert_allclose(
        2 * here, Noise(0.6, 4.0, 1).height(2 * X, 2 * Z), rtol=0, atol=1e-14
    )
    assert not np.any(Noise(0.0, 2.0).height(X, Z))


def test_a_height_array_goes_through_its_heights_and_levels_out():
    terrain = HeightArray(TABLE, 0.5, (-1.0, 2.0))
    x, z = -1 + 0.5 * np.arange(7), 2 + 0.5 * np.arange(5)
    np.testing.assert_allclose(terrain.height(x, z[:, None]), TABLE, rtol=0, atol=1e-15)
    far = terrain.height([-1e9, -1e9, 1e9, 1e9], [-1e9, 1e9, -1e9, 1e9])
    np.testing.assert_array_equal(far, [TABLE[0, 0], TABLE[-1, 0], TABLE[0, -1], TABLE[-1, -1]])
    np.testing.assert_array_equal(terrain.height(-5.0, z), TABLE[:, 0])
    assert HeightArray([[2.0]], 1.0).height(0.3, -8.0) == pytest.approx(2, abs=1e-15)


def test_a_height_array_keeps_a_plane():
    line = np.arange(8.0)
    plane = HeightArray(2 * line - 3 * line[:, None], 1.0)
    x, z = RNG.uniform(1, 6, (2, 100))
    np.testing.assert_allclose(plane.height(x, z), 2 * x - 3 * z, rtol=0, atol=1e-13)


def test_a_height_array_is_a_copy():
    heights = np.zeros((2, 2))
    terrain = HeightArray(heights, 1.0)
    heights[:] = 9.0
    assert terrain.height(0.0, 0.0) == 0.0
    with pytest.raises(ValueError, match="read-only"):
        terrain.heights[0, 0] = 9.0


def test_they_read_like_their_constructors():
    for terrain in (Flat(0.5), Slope(5.0, 30.0), Steps(0.2, 1.5), Noise(0.3, 2.0, seed=7)):
        again = eval(repr(terrain))
        assert repr(again) == repr(terrain)
        assert np.array_equal(again.height(X, Z), terrain.height(X, Z))
    assert repr(HeightArray([[0, 0.5], [1, 2], [0, 0]], 0.5)) == (
        "HeightArray(<3 x 2 heights from 0 to 2>, spacing=0.5, origin=(0.0, 0.0))"
    )
    assert repr(HeightFunction(math.hypot)) == "HeightFunction(<built-in function hypot>)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Flat(math.nan), "`height` must be finite, got nan."),
        (lambda: Flat(True), "`height` must be a number, got True."),
        (lambda: Flat(-2e9), "`height` must be at most 1e+09, got -2e+09."),
        (lambda: Slope(90), "`degrees` must lie between -90 and 90, got 90.0."),
        (lambda: Steps(0.1, 0), "`run` must be positive, got 0.0."),
        (lambda: Steps(0.1, 1e-10), "`run` must be at least 1e-09, got 1e-10."),
        (lambda: Noise(-1, 2), "`rms` must be at least 0, got -1.0."),
        (lambda: Noise(1, "2"), "`wavelength` must be a number, got '2'."),
        (lambda: Noise(1, 2, 0.5), "`seed` must be a whole number, got 0.5."),
        (lambda: Noise(1, 2, -1), "`seed` must be at least 0, got -1."),
        (
            lambda: HeightArray([1, 2], 1),
            "`heights` must have shape (Nz, Nx), at least one row and one column, got (2,).",
        ),
        (lambda: HeightArray([[0, math.inf]], 1), "got inf at heights[0, 1]."),
        (lambda: HeightArray([[0, -2e9]], 1), "`heights` must be at most 1e+09, got 2e+09."),
        (lambda: HeightArray(TABLE, -1), "`spacing` must be positive, got -1.0."),
        (lambda: HeightArray(TABLE, 1, 5), "`origin` must be two numbers, x and z"),
    ],
)
def test_what_is_no_ground_is_named(make, message):
    with pytest.raises(TwoBoneError) as caught:
        make()
    assert message in str(caught.value)


# --- ground of your own -------------------------------------------------------------------


class Bowl:
    """Ground of a user: has `height` and `normal`, knows nothing of us."""

    def height(self, x, z):
        return x**2 + z**2

    def normal(self, x, z):
        up = np.stack([-2 * x, np.ones_like(x), -2 * z], axis=-1)
        return up / np.linalg.norm(up, axis=-1, keepdims=True)


def test_numbers_functions_and_objects_are_terrains():
    noise = Noise(0.1, 1.0)
    assert as_terrain(noise) is noise
    assert repr(as_terrain(2)) == repr(as_terrain(np.float32(2))) == "Flat(2.0)"
    bowl = as_terrain(Bowl())
    assert isinstance(bowl, Terrain)
    np.testing.assert_array_equal(bowl.height([1, 2], [0, 1]), [1, 5])
    by_differences = as_terrain(Bowl().height)
    assert np.array_equal(bowl.normal(X, Z), Bowl().normal(X, Z))
    assert not np.array_equal(by_differences.normal(X, Z), bowl.normal(X, Z))
    np.testing.assert_allclose(by_differences.normal(X, Z), bowl.normal(X, Z), atol=1e-9)
    np.testing.assert_array_equal(as_terrain(lambda x, z: 3).height(X, Z), np.full(4000, 3.0))


def test_normals_far_away_are_still_right():
    tilted = as_terrain(lambda x, z: x - z)
    np.testing.assert_allclose(
        tilted.normal(np.array([0, 1e6, 1e15]), 0.0)[:, 0], -math.sqrt(1 / 3), rtol=1e-5
    )


def test_an_array_is_a_map_of_heights_around_the_origin():
    heights = np.random.default_rng(2).uniform(-0.2, 0.2, (7, 4))
    ground = as_terrain(heights)
    x, z = np.meshgrid(np.arange(4) - 1.5, np.arange(7) - 3.0)
    np.testing.assert_array_equal(ground.height(x, z), heights)
    assert isinstance(ground, HeightArray)
    walk = creature.walk("insect", terrain=heights, seconds=1.0)
    assert creature.report(walk, heights).depth_of_feet == 0.0
    for wrong in (np.zeros(3), np.zeros((2, 2, 2)), np.zeros((0, 3))):
        with pytest.raises(ShapeError, match=r"`heights` must have shape \(Nz, Nx\)"):
            as_terrain(wrong)


@pytest.mark.parametrize("value", ["flat", None, True, [[0.0]], np.array([["high"]]), Flat, 1j])
def test_what_is_no_terrain_is_named(value):
    with pytest.raises(ArrayTypeError, match=r"`terrain` must be a number, a terrain .*, got "):
        as_terrain(value)
    with pytest.raises(CreatureError, match="`terrain` must be finite, got nan"):
        as_terrain(math.nan)


def test_a_height_that_is_none_is_found():
    pit = as_terrain(lambda x, z: np.where(x > 2, np.nan, z))
    with pytest.raises(CreatureError, match=r"got nan at x = 3\.0, z = 7\.0 and 1 more") as caught:
        pit.height([[1.0, 3.0], [0.0, 4.0]], [[6.0, 7.0], [8.0, 9.0]])
    assert "HeightArray" in str(caught.value)
    assert caught.value.name == "terrain"
    with pytest.raises(CreatureError, match=r"got nan at x = 3\.0, z = 1\.0\."):
        pit.height(3.0, 1.0)
    with pytest.raises(CreatureError, match="got nan at x = 2"):
        pit.normal(2.0, 1.0)  # a hole beside the place


def test_heights_of_a_wrong_kind_are_named():
    x = np.zeros((2, 3))
    for made in (np.zeros(3), np.zeros((3, 2)), np.zeros((2, 3, 1))):
        with pytest.raises(ShapeError, match=r"`terrain` must return heights of shape \(2, 3\)"):
            as_terrain(lambda x, z, made=made: made).height(x, x)
    for made in ("high", None, 1j, [[1], [2, 3]], np.ones((2, 3), bool)):
        with pytest.raises(ArrayTypeError, match="`terrain` must be a function that returns h"):
            as_terrain(lambda x, z, made=made: made).height(x, x)
    with pytest.raises(ShapeError, match=r"return normals of shape \(2, 3, 3\)"):
        HeightFunction(lambda x, z: x, lambda x, z: x).normal(x, x)


@pytest.mark.parametrize("made", [0.25, 2, np.float32(0.1), np.array(0.5), np.array(3), "x"])
def test_one_place_has_the_height_that_it_has_in_an_array(made):
    """Walkers ask for one place at a time: that has a shorter way for a single float64."""
    terrain = as_terrain((lambda x, z: x * z) if made == "x" else lambda x, z: made)
    height = terrain.height_at(0.5, 0.25)
    assert type(height) is float
    assert height == terrain.height(np.array([0.5]), np.array([0.25]))[0]


@pytest.mark.parametrize("made", [math.nan, np.array(math.inf), True, None, "high", np.zeros(1)])
def test_one_place_of_no_height_is_refused_as_in_an_array(made):
    terrain, caught = as_terrain(lambda x, z: made), []
    for ask in (terrain.height_at, terrain.height):
        with pytest.raises(TwoBoneError, match="`terrain` must ") as found:
            ask(0.5, 0.25)
        caught.append(str(found.value))
    assert caught[0] == caught[1]


def test_a_function_of_numbers_is_told_what_to_do():
    with pytest.raises(TypeError) as caught:
        as_terrain(lambda x, z: math.sin(x)).height(np.zeros(3), np.zeros(3))
    assert "numpy.vectorize" in caught.value.__notes__[0]


def test_a_function_may_write_into_what_it_is_given():
    def rude(x, z):
        x += 1
        return x

    x = np.zeros(3)
    np.testing.assert_array_equal(as_terrain(rude).height(x, x), np.ones(3))
    assert not np.any(x)


def test_checked_heights_are_an_array_of_their_own():
    x = np.zeros(2)
    heights = check_heights(1, x, x)
    heights[0] = 5.0
    np.testing.assert_array_equal(heights, [5, 1])
    assert np.isnan(check_heights(np.array([np.nan]), np.array([np.nan]), np.zeros(1))[0])


def test_a_seed_is_one_whole_number():
    for wrong in (np.zeros(1), 1.0, "1", True):
        with pytest.raises(ArrayTypeError, match=r"^`seed` must be a whole number, got "):
            Noise(0.1, 1.0, seed=wrong)


def test_a_height_function_is_checked_when_it_is_made():
    with pytest.raises(ArrayTypeError, match=r"`function` must be a function .*, got 3"):
        HeightFunction(3)
    with pytest.raises(ArrayTypeError, match="`normal_function` must be"):
        HeightFunction(lambda x, z: 0.0 * x, "up")


def test_a_terrain_that_defines_nothing_says_so():
    with pytest.raises(CreatureError, match=r"define `height\(x, z\)`, got none"):
        Terrain().height(0.0, 0.0)
    with pytest.raises(CreatureError, match="`terrain` must have a formula, got Terrain"):
        Terrain().formula()
