"""Crowds of the compiled kernel: the bits of those of Python, and no state half-changed."""

import copy
import gc
import itertools
import pickle
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

from engines import KERNEL
from slow import all_but, nightly
from twobone import creature
from twobone.creature import Flat, HeightArray, Noise, Slope, Steps, Walker, as_terrain, crowd

pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built")


def ground_of(kind, leg):
    """Return a ground of each kind that the kernel knows, or one that it asks Python about."""
    table = np.random.default_rng(5).uniform(0.0, 0.2 * leg, (40, 9))
    return {
        "flat": lambda: Flat(0.1 * leg),
        "slope": lambda: Slope(15.0, 40.0),
        "steps": lambda: Steps(0.15 * leg, 1.2 * leg),
        "noise": lambda: Noise(0.15 * leg, 2.0 * leg, 5),
        "array": lambda: HeightArray(table, 0.7 * leg, (-3.0 * leg, -3.0 * leg)),
        "function": lambda: as_terrain(lambda x, z: 0.05 * leg * np.sin(x / leg + z)),
    }[kind]()


KINDS = "flat", "slope", "steps", "noise", "array", "function"
CASES = [(name, kind) for name in creature.ANIMALS for kind in KINDS]


def go(name, kind, seconds):
    """Yield the numbers of two walkers that start, turn, stop, go back, are pushed and put."""
    animal = creature.animal(name)
    apart = 4.0 * animal.length
    walker = Walker(animal, ground_of(kind, animal.length), count=2, position=[[0, 0], [apart, 1]])
    top, frames = animal.top_speed, round(60 * seconds)
    for frame in range(frames):
        part = frame / frames
        told = 0.6 if part < 0.5 else 0.0 if part < 0.6 else -0.3
        walker.step(1.0 / (30 + 60 * (frame % 3)), [[0.1 * top, told * top], [0.0, 0.3 * top]], 0.3)
        if frame % 100 == 15:
            walker.shove([[0.3 * top, 0.1 * top], [0.0, -0.2 * top]])
        if frame % 300 == 30:
            walker.put([[0.3, apart * 0.5], [apart, 0.2]], [0.5, -2.0])
        yield walker.state, walker.place, walker.heading, walker.motion, walker.blocked


def bits(found):
    """Return the bits of arrays and tuples of them, with their types and shapes."""
    if isinstance(found, tuple):
        return [bits(each) for each in found]
    return found.dtype, found.shape, found.tobytes()


PLAIN = {}  # walks without the kernel


def assert_same_walks(engines, name, kind, seconds):
    compiled = map(bits, go(name, kind, seconds))
    if (name, kind, seconds) not in PLAIN:
        with engines.using("numpy"):
            PLAIN[name, kind, seconds] = list(map(bits, go(name, kind, seconds)))
    for frame, (one, other) in enumerate(zip(compiled, PLAIN[name, kind, seconds], strict=True)):
        assert one == other, f"{name} on {kind}, frame {frame}"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "kind"),
    all_but(
        CASES, ("insect", "noise"), ("dog", "steps"), ("centipede", "slope"), ("bird", "array")
    ),
)
def test_walks_have_the_same_bits_with_the_kernel_and_without(engines, name, kind):
    assert_same_walks(engines, name, kind, 1.5)


def test_so_have_those_of_each_instruction_set(engines, instruction_set):
    assert_same_walks(engines, "bird", "noise", 1.0)


# Each animal on hills, and on one of the others.
LONG = [(name, "noise") for name in creature.ANIMALS]
LONG += list(zip(creature.ANIMALS, itertools.cycle(KINDS), strict=False))


@pytest.mark.parametrize(("name", "kind"), nightly(*dict.fromkeys(LONG)))
def test_so_have_longer_walks(engines, name, kind):
    assert_same_walks(engines, name, kind, 6.0)


def make(name="bird", ground=None, starts=((0.0, 0.0, 0.0), (3.0, 1.0, 0.5))):
    anatomy = creature.animal(name).anatomy
    return KERNEL.Crowd(anatomy, as_terrain(0.0) if ground is None else ground, np.array(starts))


def travel(found, frames=20):
    orders = np.tile([0.1, 0.6, 0.2], (len(found.courses()), 1))
    for _ in range(frames):
        found.travel(1 / 60, orders)


def all_of(found):
    return bits((*found.shapes(), found.courses(), found.blocked(), found.misfits()))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: roundtrip(one)])
def test_a_copy_goes_on_by_itself_with_the_same_bits(copied):
    one = make(ground=Noise(0.1, 2.0, 3))
    travel(one)
    other = copied(one)
    before = all_of(one)
    assert other.animal == one.animal
    assert all_of(other) == before
    travel(other)
    assert all_of(one) == before
    travel(one)
    assert all_of(one) == all_of(other)


def roundtrip(one):
    return pickle.loads(pickle.dumps(one))


def test_a_crowd_may_be_empty():
    found = make(starts=np.empty((0, 3)))
    found.travel(1.0, np.empty((0, 3)))
    assert found.shapes()[0].shape == (0, 1, 3)
    assert roundtrip(found).blocked().shape == (0,)


def test_after_an_error_of_the_ground_all_animals_are_as_they_were():
    calls = 0

    def height(x, z):
        nonlocal calls
        calls += 1
        if calls > most:
            raise LookupError("no map")
        return 0.1 * np.sin(x)

    most = np.inf
    found = make("dog", as_terrain(height))
    travel(found)
    before = all_of(found)
    for more in (1, 60, 500):
        most = calls + more
        with pytest.raises(LookupError, match="no map"):
            travel(found, 600)
        most = np.inf
        if more == 1:
            assert all_of(found) == before
    with pytest.raises(ValueError, match="not finite"):
        make(ground=Deep())


def test_so_are_walkers_without_the_kernel(both_engines):
    class Edge(Flat):
        def height(self, x, z):
            if armed and z > 0.5:
                raise LookupError("no map")
            return super().height(x, z)

    armed = False
    walker = Walker("dog", Edge(), count=2, position=[[0.0, -9.0], [0.0, 0.0]])
    walker.step(0.1, 0.5)
    before = bits((walker.state, walker.motion))
    armed = True
    with pytest.raises(LookupError, match="no map"):
        walker.step(3.0, 0.5)
    assert bits((walker.state, walker.motion)) == before


class Deep(Flat):
    """Ground with a height that is none."""

    def height_at(self, x, z):
        return float("nan")


def test_ground_that_is_derived_from_a_formula_is_asked():
    class Raised(Flat):
        def height_at(self, x, z):
            return 0.5

    assert make(ground=Raised()).shapes()[5][0, :, 1] == pytest.approx(0.5)


def test_so_is_ground_with_another_height_of_arrays(both_engines):
    class Hollow(Flat):
        def height(self, x, z):
            return super().height(x, z) - 1.0

    assert Hollow().height_at(0.0, 0.0) == -1.0
    assert Walker("dog", Hollow()).state.feet[:, 1] == pytest.approx(-1.0)


def test_the_ground_may_be_changed_on_the_way():
    found = make()
    found.terrain = Slope(5.0)
    travel(found, 60)
    plain = make(ground=Slope(5.0))
    travel(plain, 60)
    assert all_of(found) != all_of(plain)
    with pytest.raises(AttributeError):
        found.terrain = 0.5
    assert isinstance(found.terrain, Slope)
    with pytest.raises(AttributeError):
        del found.terrain


def test_ground_that_looks_at_its_crowd_sees_it_as_it_was():
    seen = []

    def height(x, z):
        if found is not None and not seen:
            seen.append(found.courses())
            found.travel(0.0, np.zeros((2, 3)))
        return 0.0

    found = None
    found = make(ground=as_terrain(height))
    before = found.courses()
    found.travel(0.5, np.full((2, 3), 0.5))
    assert bits(seen[0]) == bits(before)
    assert bits(found.courses()) != bits(before)


def test_a_crowd_in_a_circle_is_freed():
    class Ground(Flat):
        pass

    ground = Ground()
    object.__setattr__(ground, "crowd", make(ground=ground))
    gone = weakref.ref(ground)
    del ground
    gc.collect()
    assert gone() is None


def test_threads_may_share_a_crowd():
    """They wait for each other, so that every step is taken whole."""
    found, alone = make(starts=np.zeros((40, 3))), make(starts=np.zeros((40, 3)))
    order = np.tile([0.1, 0.6, 0.2], (40, 1))

    def work():
        for _ in range(20):
            found.travel(1 / 30, order)
            found.shapes()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for _ in range(80):
        alone.travel(1 / 30, order)
    assert all_of(found) == all_of(alone)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("threads", [2, 7, 2000])
def test_the_animals_of_a_crowd_may_be_shared_among_threads(threads):
    """However many they are, the animals walk as they do on one thread."""
    starts = np.random.default_rng(7).uniform(-3.0, 3.0, (1500, 3))
    one, other = (make(ground=Noise(0.1, 2.0, 3), starts=starts) for _ in range(2))
    order = np.tile([0.1, 0.6, 0.2], (1500, 1))
    one.travel(0.1, order)
    other.travel(0.1, order, threads)
    assert bits(other.shapes(threads)) == bits(one.shapes())
    assert all_of(other) == all_of(one)


def test_no_threads_are_one_thread():
    one, other = make(), make()
    travel(one)
    for _ in range(20):
        other.travel(1 / 60, np.tile([0.1, 0.6, 0.2], (2, 1)), 0)
    assert bits(other.shapes(-3)) == bits(one.shapes())
    for wrong in ("2", 1.5, 1 << 80):
        with pytest.raises((TypeError, OverflowError)):
            other.shapes(wrong)
        with pytest.raises((TypeError, OverflowError)):
            other.travel(0.1, np.zeros((2, 3)), wrong)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_ends_a_very_long_call_and_leaves_all_animals_as_they_were(threads):
    found = make(starts=np.zeros((2000, 3)))
    before = all_of(found)
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        found.travel(60.0, np.tile([0.0, 0.5, 0.1], (2000, 1)), threads)
    timer.join()
    assert all_of(found) == before


CROWD = """
import numpy as np
from twobone.core import engine
from twobone.creature import Noise, animal
starts, order = np.zeros((2000, 3)), np.tile([0.0, 0.5, 0.1], (2000, 1))
found = engine.KERNEL.Crowd(animal("dog").anatomy, Noise(0.1, 2.0), starts)
"""
HANDLER = (
    CROWD
    + """
import signal, threading, time
def look(*_):
    seen.append(found.courses()[0].tolist())
    found.travel(0.0, order, 2)
seen = []
signal.signal(signal.SIGINT, look)
threading.Timer(0.05, signal.raise_signal, [signal.SIGINT]).start()
found.travel(0.6, order, 2)
time.sleep(0.1)
assert seen
print("done")
"""
)
DAEMON = (
    CROWD
    + """
import threading, time
def walk():
    while True:
        found.travel(0.2, order, 2)
        found.shapes(2)
threading.Thread(target=walk, daemon=True).start()
time.sleep(0.1)
print("done")
"""
)


@pytest.mark.parametrize("program", [HANDLER, DAEMON], ids=["handler", "daemon"])
def test_a_signal_handler_may_look_at_its_crowd_and_a_daemon_thread_may_walk_at_the_end(program):
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def wrong_anatomies():
    whole = creature.animal("dog").anatomy
    leg, gait = whole.legs[0], whole.gaits[0]
    yield whole._replace(legs=())
    yield whole._replace(along=())
    yield whole._replace(gaits=())
    yield whole._replace(tail=-1)
    yield whole._replace(legs=(leg._replace(station=2), *whole.legs[1:]))
    yield whole._replace(legs=(leg._replace(station=-1), *whole.legs[1:]))
    yield whole._replace(gaits=(gait._replace(offsets_low=(0.0,)), *whole.gaits[1:]))
    yield whole._replace(gaits=(gait._replace(offsets_high=(0.0,) * 5), *whole.gaits[1:]))


@pytest.mark.parametrize("anatomy", list(wrong_anatomies()))
def test_an_animal_whose_parts_do_not_fit_each_other_is_refused(anatomy):
    with pytest.raises(ValueError, match="do not fit"):
        KERNEL.Crowd(anatomy, Flat(), np.zeros((1, 3)))


def test_what_is_no_animal_ground_or_array_raises():
    anatomy = creature.animal("dog").anatomy
    starts = np.zeros((2, 3))
    for arguments in [(), (anatomy,), (anatomy, Flat()), (anatomy, Flat(), starts, 1)]:
        with pytest.raises(TypeError):
            KERNEL.Crowd(*arguments)
    for wrong in (None, "dog", anatomy[:3], creature.animal("dog")):
        with pytest.raises(AttributeError):
            KERNEL.Crowd(wrong, Flat(), starts)
    with pytest.raises(TypeError):
        KERNEL.Crowd(anatomy._replace(height="tall"), Flat(), starts)
    with pytest.raises(AttributeError):
        KERNEL.Crowd(anatomy, 0.0, starts)
    for wrong in (np.zeros(3), np.zeros((2, 2)), [[0.0]], np.zeros((1, 2, 3))):
        with pytest.raises(ValueError, match="a row for each"):
            KERNEL.Crowd(anatomy, Flat(), wrong)
    found = make()
    for wrong in (np.zeros((3, 3)), np.zeros((2, 2)), 0.0):
        with pytest.raises(ValueError, match="a row for each"):
            found.travel(0.1, wrong)
        with pytest.raises(ValueError, match="a row for each"):
            found.shove(np.zeros((2, 3)))
    with pytest.raises(TypeError):
        found.travel(0.1)
    with pytest.raises(TypeError):
        found.travel("soon", np.zeros((2, 3)))


@pytest.mark.parametrize(
    "known",
    [(), ("hills",), (3,), ("level",), ("level", "deep"), ("noise", (), 0.1, [1.0]), ("grid",)],
)
def test_a_formula_that_the_kernel_does_not_know_is_refused(known):
    class Ground(Flat):
        def for_kernel(self):
            return known

    with pytest.raises((TypeError, ValueError)):
        make(ground=Ground())


def test_numbers_that_are_not_those_of_such_animals_are_refused():
    found = make()
    _, (animal, ground, state) = found.__reduce__()
    restored = type(found).restored
    assert all_of(restored(animal, ground, state)) == all_of(found)
    for wrong in (state[:, :-1], state[0], np.full_like(state, 1e10), np.full_like(state, np.nan)):
        with pytest.raises(ValueError, match=r"not the numbers|a row for each"):
            restored(animal, ground, wrong)
    with pytest.raises(TypeError):
        restored(animal, ground)


def test_it_has_the_methods_of_pythons():
    wanted = {name for name in dir(crowd.Crowd) if not name.startswith("_")} - {"journeys"}
    assert wanted <= set(dir(KERNEL.Crowd))
