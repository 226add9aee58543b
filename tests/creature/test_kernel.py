"""The parts of a step that the compiled kernel computes have the bits of NumPy."""

from types import SimpleNamespace

import numpy as np
import pytest

from engines import KERNEL
from slow import all_but
from twobone import creature
from twobone.core.elementary import CIRCLE
from twobone.creature import Flat, Noise, Steps, Walker, few, swinging
from twobone.creature.footing import Bearing
from twobone.creature.governor import slack, support_ahead
from twobone.creature.polygons import signed_distance
from twobone.creature.posture import pose_over
from twobone.creature.state import Course

pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built")


def arrays_of(record, name=""):
    """Return all arrays of a state by name."""
    if isinstance(record, np.ndarray):
        return {name: record.copy()}
    parts = record._fields if isinstance(record, tuple) else record.__slots__
    found = {}
    for part in parts:
        value = getattr(record, part)
        if isinstance(value, np.ndarray | tuple) and part not in ("animal", "anatomy"):
            found |= arrays_of(value, f"{name}.{part}")
    return found


def go(animal, ground, count, frames=30):
    """Return the states of walkers that start slowly, turn, are pushed and walk backwards."""
    place = [[3.0 * i, float(i)] for i in range(count)] if count else (0.0, 0.0)
    walker, found = Walker(animal, ground, count=count, position=place), []
    speed = walker.animal.speed
    for frame in range(frames):
        if frame == 20:
            walker.shove((0.3 * speed, 0.2 * speed))
        told = 0.15 if frame < 6 else 0.8 if frame < frames - 6 else -0.5
        walker.step(1 / 60, (0.1 * speed, told * speed), 0.4)
        found.append(arrays_of(walker._state))
    return found


@pytest.mark.parametrize(
    ("name", "roughness", "count"),
    all_but(
        [(name, *case) for name in creature.ANIMALS for case in ((0.0, None), (0.15, 3))],
        ("insect", 0.15, 3),
        ("dog", 0.0, None),
    ),
)
def test_walks_have_the_same_bits_with_the_kernel_and_without(engines, name, roughness, count):
    ground = creature.make_terrain(roughness, name, seed=3)
    by_kernel = go(name, ground, count)
    engines.use("numpy")
    assert_same(by_kernel, go(name, ground, count))


@pytest.mark.parametrize("name", all_but(["insect", "dog", "bird"], "insect"))
def test_so_have_walks_into_a_wall(engines, name):
    """Feet search for ground, are held and put back, and bodies brake."""
    length = Walker(name).length
    wall = Steps(0.9 * length, 3.0 * length)
    by_kernel = go(name, wall, None, 90)
    engines.use("numpy")
    assert_same(by_kernel, go(name, wall, None, 90))


@pytest.mark.parametrize("pairs", [1, 2, 3, 129])
def test_so_have_walks_on_any_number_of_legs(engines, pairs):
    along = 0.5 * np.arange(pairs)
    rows = [((0.22, 0.0, z), (0.7, z), (0.5, 0.55), (0.0, 1.0, 0.0)) for z in along - along.mean()]
    many = creature.animal("centipede")._replace(legs=creature.pairs(rows))
    by_kernel = go(many, 0.0, None, 3)
    engines.use("numpy")
    assert_same(by_kernel, go(many, 0.0, None, 3))


def test_support_ahead_of_any_number_of_feet(engines):
    draw = np.random.default_rng(4)
    feet, ways = (draw.normal(size=(20, n)) + 1j * draw.normal(size=(20, n)) for n in (300, 1))
    bears = draw.random(feet.shape) < 0.5
    by_kernel = support_ahead(feet, bears, ways[:, 0])
    engines.use("numpy")
    assert np.array_equal(by_kernel, support_ahead(feet, bears, ways[:, 0]))


def assert_same(by_kernel, by_numpy):
    for frame, (one, other) in enumerate(zip(by_kernel, by_numpy, strict=True)):
        different = [k for k, v in one.items() if not np.array_equal(v, other[k], equal_nan=True)]
        assert (frame, different) == (frame, [])


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


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (np.zeros((1, 3)),),
        (np.zeros((1, 3)), np.zeros(2), np.zeros(1, complex), 1.0),
        tuple(np.zeros((1, 3)) for _ in range(8)),
        (None,) * 8,
    ],
)
def test_wrong_arguments_are_refused(arguments):
    for name in ("pose", "plane_goal", "support_ahead", "wave_heights", "fly", "bearing"):
        with pytest.raises((ValueError, TypeError)):
            getattr(KERNEL, name)(*arguments)


def test_results_that_would_not_be_computed_are_refused():
    places, waves = np.zeros(3), np.zeros((2, 4))
    with pytest.raises(ValueError, match="not the arguments of this function"):
        KERNEL.wave_heights(places, places, waves, np.zeros(4), 1.0, np.zeros(0))
    one, three, place = np.zeros(1), np.zeros((1, 3)), np.zeros(1, complex)
    swing = np.zeros((1, 4, 3)), one, one, one, three, place, place, one, one, one
    rest = place, np.zeros((4, 1)), one  # a border of one point, not four
    with pytest.raises(ValueError, match="not the arguments of this function"):
        KERNEL.bearing(Bearing, 0.0, np.zeros((1, 1, 3)), *swing, *rest, 1.0, 1.0, 1.0)


def test_records_that_are_none_are_refused():
    course, refused = Walker("insect")._state.course, (ValueError, TypeError)
    assert KERNEL.course_after(Course, course, 0.0, CIRCLE)._fields == Course._fields
    for kind in (Course(*course), int, list, None):
        with pytest.raises(refused):
            KERNEL.course_after(kind, course, 0.0, CIRCLE)
    for record in (course[:3], (*course, 0.0), (), list(course), None):
        with pytest.raises(refused):
            KERNEL.course_after(Course, record, 0.0, CIRCLE)


def test_records_with_too_many_fields_are_not_copied():
    one = np.zeros(1)
    assert len(KERNEL.copied(tuple, (one,) * 48)) == 48
    with pytest.raises(ValueError, match="not the arguments of this function"):
        KERNEL.copied(tuple, (one,) * 49)


def test_feet_that_do_not_exist_are_refused():
    state = Walker("insect")._state
    places = state.anatomy.hip_places, state.anatomy.footholds
    given = state.feet.progress, state.cycle, state.course, *places, 1.0, CIRCLE
    for foot in (-1, 6):
        with pytest.raises(ValueError, match="not the arguments of this function"):
            KERNEL.feet_ahead(swinging.Ahead, np.array([foot]), *given)


@pytest.mark.parametrize("values", [[0.0, -0.0], [1.0, np.nan, -2.0], [3.0], [-np.inf, 0.0]])
def test_questions_about_a_few_numbers_have_the_same_answers(engines, values):
    values = np.array([values])
    answers = [few.some(values), few.least(values), few.greatest(values)]
    engines.use("numpy")
    found = [few.some(values), few.least(values), few.greatest(values)]
    assert np.array_equal(found, answers, equal_nan=True)


@pytest.mark.parametrize("far", [5.0, 1e9, 1e12])
@pytest.mark.parametrize("wavelength", [5.6, 0.04])
@pytest.mark.parametrize("name", ["insect", "centipede"])
@pytest.mark.usefixtures("instruction_set")
def test_the_least_clearance_has_the_same_bits_although_few_points_are_computed(
    engines, name, wavelength, far
):
    """Single precision rules out most points, unless they are far away or waves are short."""
    state = Walker(name, count=200)._state
    draw = np.random.default_rng(5)
    lean, height = draw.normal(0.0, 0.2, (200, 2)), draw.normal(0.0, 0.5, 200)
    plane, place = np.column_stack([lean, height]), draw.normal(0.0, far, (2, 200))
    turned, bend = np.exp(1j * draw.normal(0.0, 3.0, 200)), draw.normal(0.0, 0.3, (200, 2))
    ground, places = Noise(0.42, wavelength, 1), place[0] + 1j * place[1]

    def found():
        pose = pose_over(state.anatomy, 0.9, places, turned, plane, bend, state.feet.poles)
        feet = np.add(pose.hips, [0.5, 0.5, -1.0])
        return slack(ground, state.anatomy, pose, feet, state.feet.flies)

    by_kernel = found()
    engines.use("numpy")
    for part, wanted in zip(by_kernel, found(), strict=True):
        assert np.array_equal(part, wanted)


def test_bodies_over_ground_without_a_height_have_no_clearance(engines):
    state = Walker("insect")._state
    feet = state.feet.points()
    state.pose.body[0, 0] = np.nan
    for name in ("compiled", "numpy"):
        engines.use(name)
        found = slack(Noise(0.42, 5.6, 1), state.anatomy, state.pose, feet)
        assert np.isnan(found.belly).tolist() == [True]


def test_errors_of_your_ground_are_raised_by_the_kernel():
    def bottomless(x, z):
        raise LookupError("no ground")

    walker = Walker("insect")
    walker.terrain = bottomless
    with pytest.raises(LookupError, match="no ground"):
        walker.step(1 / 60, 1.0)
    state = walker._state
    short = SimpleNamespace(for_kernel=lambda: lambda x, z: x[1:], has_edges=False)
    with pytest.raises(ValueError, match="not a height for each place"):
        slack(short, state.anatomy, state.pose, state.feet.points())


def test_your_own_kind_of_flat_ground_has_your_heights():
    class Hollow(Flat):
        def height(self, x, z):
            return super().height(x, z) - 1.0

    assert Hollow().for_kernel()(np.zeros(1), np.zeros(1)) == -1.0
