"""Parts of the page's walker compute what Python's compute: geometry, gaits, ground, footholds."""

import re

import numpy as np
import pytest

from twobone import creature
from twobone.core import elementary
from twobone.creature import (
    animals,
    footing,
    gait,
    governor,
    knees,
    measures,
    polygons,
    posture,
    springs,
)
from twobone.creature.anatomy import anatomy_of
from twobone.errors import CreatureError
from twobone.play.animals_table import entry
from twobone.terrain.ground import Flat, HeightArray, Noise, Slope, Steps

CLOSE = {"rtol": 1e-12, "atol": 1e-13}
HEIGHTS = np.random.default_rng(3).uniform(-0.3, 0.3, (40, 30))
GROUNDS = [
    *(Flat(0.3), Slope(12.0), Steps(0.2, 1.1), Noise(0.25, 1.9, seed=5)),
    *(HeightArray(HEIGHTS, 1.7, (-25.0, -40.0)), HeightArray(HEIGHTS[:1], 0.4)),
]
NAMES = list(creature.ANIMALS)


@pytest.fixture
def answer(modules):
    """Return a function that runs JavaScript: an expression of `given`."""

    def run(names, expression, **given):
        return modules(
            {f"walker/{name}": parts for name, parts in names.items()}, expression, given
        )

    return run


def same(found, wanted, **tolerance):
    """Compare two nested records of numbers."""
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for name, each in wanted.items():
            same(found[name], each, **tolerance)
        return
    if isinstance(wanted, np.ndarray) and wanted.dtype.kind == "c":
        wanted = np.stack([wanted.real, wanted.imag], -1)
    np.testing.assert_allclose(found, wanted, **(tolerance or CLOSE))


def animal(name, **changes):
    return animals.check(creature.animal(name)._replace(**changes))


def standing(name, ground, count=20, seed=0):
    """Return the state of walkers in the middle of a walk, at various places."""
    draw = np.random.default_rng(seed)
    beast = animal(name)
    walker = creature.Walker(
        beast,
        ground,
        count=count,
        position=draw.uniform(-20.0, 20.0, (count, 2)),
        heading=draw.uniform(-9.0, 9.0, count),
    )
    for _ in range(40):
        velocity = draw.uniform(-0.5, 1.0, (count, 2)) * beast.speed
        walker.step(1 / 60, velocity, draw.uniform(-1.0, 1.0, count))
    return walker._state


# --- random numbers and ground ------------------------------------------------------------


def test_seeds_give_the_random_numbers_of_numpy(answer):
    seeds = [*range(40), 2**31, 2**32 - 1, 2**32, 123456789012345, 2**53 - 1]
    found = answer(
        {"random": "generator"},
        """given.seeds.map((seed) => {
             const draw = generator(seed), order = draw.permutation(24), odd = draw.permutation(3);
             const list = (value) => Array.from({ length: 24 }, value);
             return [order, odd, list(draw.random), list(() => draw.uniform(-2, Math.PI))];
           })""",
        seeds=seeds,
    )
    for seed, values in zip(seeds, found, strict=True):
        draw = np.random.default_rng(seed)
        wanted = draw.permutation(24), draw.permutation(3), draw.random(24)
        for each, other in zip(values, (*wanted, draw.uniform(-2.0, np.pi, 24)), strict=True):
            assert each == other.tolist(), seed


def test_grounds_of_a_formula_have_the_same_heights_and_normals(answer):
    draw = np.random.default_rng(1)
    places = np.concatenate(
        [draw.uniform(-50.0, 50.0, (200, 2)), draw.integers(-9, 9, (50, 2)), [[0.55, 0.55]]]
    )
    found = answer(
        {"ground": "makeGround"},
        """given.formulas.map(makeGround).map((ground) => ({
             edges: ground.hasEdges,
             heights: given.places.map(([x, z]) => ground.height(x, z)),
             normals: given.places.map(([x, z]) => ground.normal(x, z)),
           }))""",
        formulas=[ground.formula() for ground in GROUNDS],
        places=places,
    )
    for ground, each in zip(GROUNDS, found, strict=True):
        assert each["edges"] == ground.has_edges
        assert each["heights"] == ground.height(*places.T).tolist(), ground
        same(each["normals"], ground.normal(*places.T), rtol=1e-9, atol=1e-12)


def test_grounds_for_an_animal_are_those_of_python(answer):
    kinds = ["flat", "slope", "steps", 0.0, 0.05, 0.15, 0.25]
    seeds = [*range(10), 4_000_000_000]
    found = answer(
        {"ground": "makeTerrain"},
        """given.kinds.map((kind) =>
             given.seeds.map((seed) => makeTerrain(kind, given.length, seed).formula()))""",
        kinds=kinds,
        seeds=seeds,
        length=animals.length(animal("dog")),
    )
    for kind, row in zip(kinds, found, strict=True):
        for seed, each in zip(seeds, row, strict=True):
            wanted = creature.make_terrain(kind, "dog", seed=seed).formula()
            assert each.pop("kind") == wanted.pop("kind")
            assert each == wanted


def test_angles_and_exponentials_have_the_same_bits(answer):
    draw = np.random.default_rng(8)
    angles = np.concatenate([draw.uniform(-40.0, 40.0, 300), [0.0, np.pi, -0.5 * np.pi, 1e9]])
    powers = np.concatenate([draw.uniform(-30.0, 3.0, 300), [0.0, -699.9, -701.0, 701.0, np.nan]])
    found = answer(
        {"elementary": "cis, cosine, turned, exp"},
        """({
             cis: given.angles.map(cis),
             turned: given.angles.map(turned),
             cosine: given.angles.map(cosine),
             exp: given.powers.map(exp),
           })""",
        angles=angles,
        powers=powers,
    )
    ways, turns = elementary.cis(angles), elementary.turned(angles)
    assert found["cis"] == np.stack([ways.real, ways.imag], -1).tolist()
    assert found["turned"] == np.stack([turns.real, turns.imag], -1).tolist()
    assert found["cosine"] == turns.real.tolist()
    np.testing.assert_array_equal(found["exp"], [elementary.exp(x) for x in powers.tolist()])


# --- gaits --------------------------------------------------------------------------------


def test_gaits_have_the_same_offsets(answer):
    own = creature.Gait([[0.0, 0.5, 0.9, 0.4], [0.1, 0.6, 0.2, 0.7]], (0.8, 0.6))
    gaits = [animal(name).gait for name in NAMES]
    gaits += [each.with_duty_factor((0.75, 0.5)) for each in gaits] + [own]
    gaits += [creature.Gait(name) for name in gait.GAITS]
    gaits += [creature.Gait(("crawl", "trot"), (0.9, 0.6)), own.with_duty_factor(0.7)]
    entries = [entry(animal("dog", gait=each))["gait"] for each in gaits[-11:]]
    entries = (
        [entry(animal(name))["gait"] for name in NAMES]
        + [
            entry(animal(name, gait=each))["gait"]
            for name, each in zip(NAMES, gaits[len(NAMES) : 2 * len(NAMES)], strict=True)
        ]
        + entries
    )
    pairs = [len(animal(name).legs.hips) // 2 for name in NAMES] * 2 + [2] * 11
    factors = np.linspace(0.45, 1.0, 23)
    found = answer(
        {"gait": "Gait"},
        """given.entries.map((entry, i) => {
             const gait = new Gait(entry), pairs = given.pairs[i];
             const other = gait.withDutyFactor(0.6);
             return {
               offsets: given.factors.map((factor) => gait.offsetsAt(factor, pairs)),
               other: given.factors.map((factor) => other.offsetsAt(factor, pairs)),
               factors: given.factors.map((part) => gait.dutyFactorAt(2 * part - 1)),
               steepness: gait.steepness(pairs),
               together: gait.neighboursSwingTogether(pairs),
             };
           })""",
        entries=entries,
        pairs=pairs,
        factors=factors,
    )
    for each, given, count in zip(found, gaits, pairs, strict=True):
        assert each["offsets"] == given.offsets_at(factors, count).tolist(), given
        assert each["other"] == given.with_duty_factor(0.6).offsets_at(factors, count).tolist()
        assert each["factors"] == given.duty_factor_at(2.0 * factors - 1.0).tolist()
        assert each["steepness"] == given.steepness(count)
        assert each["together"] == given.neighbours_swing_together(count), given
    assert len({each["together"] for each in found}) == 2


def test_feet_fly_along_the_same_path(answer):
    draw = np.random.default_rng(2)
    swings, parts = draw.normal(size=(50, 4, 3)), np.concatenate([[0.0, 1.0], draw.random(48)])
    times = draw.uniform(-0.2, 1.2, 50)
    found = answer(
        {"gait": "glide, warp, arch, settle"},
        """({
             glide: given.swings.map((swing, i) => glide(swing, given.parts[i])),
             place: given.swings.map((swing, i) => glide(swing, given.parts[i], 1)[0]),
             warp: given.times.map(warp),
             arch: given.times.map(arch),
             settle: given.swings.map(([[a, b, c]]) => settle(a, b, c, 6, 1 / 120)),
           })""",
        swings=swings,
        parts=parts,
        times=times,
    )
    moved = gait.glide(swings, parts)
    assert found["glide"] == moved.tolist()
    assert found["place"] == moved[:, 0].tolist()
    assert found["warp"] == gait.warp(times).tolist()
    assert found["arch"] == gait.arch(times).tolist()
    same(found["settle"], np.stack(gait.settle(*swings[:, 0].T.copy(), 6.0, 1.0 / 120.0), -1))


# --- animals ------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", [None, 0.62])
def test_animals_have_the_same_geometry(answer, factor):
    beasts = [animal(name) for name in NAMES]
    found = answer(
        {"anatomy": "animalOf, anatomyOf, withDutyFactor"},
        """given.entries.map((entry) => {
             const animal = animalOf(entry);
             return anatomyOf(given.factor ? withDutyFactor(animal, given.factor) : animal);
           })""",
        entries=[entry(beast) for beast in beasts],
        factor=factor,
    )
    for beast, each in zip(beasts, found, strict=True):
        if factor:
            beast = beast._replace(gait=beast.gait.with_duty_factor(factor))
        wanted = anatomy_of(beast)
        assert each["stride"] == wanted.stride
        assert each["steepness"] == wanted.steepness
        assert each["spaced"] == wanted.spaced
        assert each["gains"]["frequencies"] == list(wanted.gains.frequencies)
        assert each["hips"] == wanted.hips.tolist()
        assert each["bones"] == wanted.bones.T.tolist()
        assert each["underside"]["keel"] == wanted.underside.keel.T.tolist()
        assert each["legs"]["minReach"] == wanted.legs.min_reach.tolist()
        assert each["legs"]["passing"] == wanted.legs.passing.tolist()
        assert each["trunk"] == (None if wanted.trunk is None else wanted.trunk.tolist())


# --- poses --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_bodies_have_the_same_pose_and_slacks(answer, name):
    ground = Noise(0.1, 1.5, seed=2)
    state = standing(name, ground)
    anatomy, feet = state.anatomy, state.feet.points()
    draw = np.random.default_rng(3)
    planes = np.array(state.suspension.plane) + 0.3 * draw.normal(size=(20, 3))
    poles = draw.normal(size=state.feet.poles.shape)
    bend = 0.2 * draw.normal(size=(20, 2))
    given = {"turned": state.course.facing, "at": state.course.place, "plane": planes, "bend": bend}
    pose = posture.pose_over(anatomy, state.animal.body.height, poles=poles, **given)
    found = answer(
        {
            "anatomy": "animalOf, anatomyOf",
            "posture": "poseOver, raised, rotationOf, rotationBetween",
            "governor": "slack, unknownSlack",
            "ground": "makeGround",
        },
        """(() => {
             const animal = animalOf(given.entry), anatomy = anatomyOf(animal);
             const ground = makeGround(given.ground), { height } = animal.body;
             return given.plane.map((plane, i) => {
               const at = given.at[i], turned = given.turned[i], bend = given.bend[i];
               const pose = poseOver(anatomy, height, at, turned, plane, bend, given.poles[i]);
               const rotation = rotationOf(plane, given.heading[i]);
               return {
                 pose,
                 raised: raised(pose, 0.25),
                 slack: slack(ground, anatomy, pose, given.feet[i]),
                 slackOfFlying: slack(ground, anatomy, pose, given.feet[i], given.flies[i]),
                 rotation,
                 between: rotationBetween(rotation, rotationOf(given.plane[0], given.heading[0])),
               };
             });
           })()""",
        **given,
        entry=entry(state.animal),
        ground=ground.formula(),
        poles=poles,
        feet=feet,
        flies=state.feet.flies,
        heading=state.course.heading,
    )
    rotations = posture.rotation_of(planes, state.course.heading)
    slacks = governor.slack(ground, anatomy, pose, feet)
    flying = governor.slack(ground, anatomy, pose, feet, state.feet.flies)
    assert np.any(flying.least != slacks.least)
    for i, each in enumerate(found):
        assert each["pose"] == {k: v[i].tolist() for k, v in pose._asdict().items()}
        assert each["slack"] == {k: v[i].tolist() for k, v in slacks._asdict().items()}
        assert each["slackOfFlying"] == {k: v[i].tolist() for k, v in flying._asdict().items()}
        same(each["raised"]["hips"], pose.raised(np.full(20, 0.25)).hips[i])
        same(each["rotation"], rotations[i])
        same(each["between"], posture.rotation_between(rotations[i : i + 1], rotations[:1])[0])


@pytest.mark.parametrize("name", ["insect", "dog"])
def test_planes_of_legs_turn_alike(answer, name):
    state = standing(name, Noise(0.1, 1.5, seed=2))
    draw = np.random.default_rng(8)
    feet, before = state.feet, state.feet.copy()
    feet.spread[:] = draw.random(feet.spread.shape)
    feet.swing[:, :, 0] += 0.2 * draw.normal(size=feet.swing[:, :, 0].shape)
    state.pose.poles[...] += 0.3 * draw.normal(size=feet.poles.shape)
    rows = lambda record: [  # noqa: E731
        dict(zip(record._fields, parts, strict=True)) for parts in zip(*record, strict=True)
    ]
    found = answer(
        {"anatomy": "animalOf, anatomyOf", "knees": "turnKnees"},
        """given.feet.map((feet, i) => {
             const anatomy = anatomyOf(animalOf(given.entry));
             const state = { anatomy, feet, pose: given.poses[i] };
             turnKnees(state, given.before[i], 0.995, 0.1, 0.99);
             return state.feet.poles;
           })""",
        entry=entry(state.animal),
        feet=rows(feet),
        before=rows(before),
        poses=rows(state.pose),
    )
    knees.turn_knees(state, before, 0.995, 0.1, 0.99)
    wanted = knees.pole_vectors(state.anatomy, feet.spread)
    assert 10 < np.sum(np.any(feet.poles != wanted, -1)) < feet.progress.size - 10
    same(found, feet.poles)


def test_bodies_slow_down_alike(answer):
    draw = np.random.default_rng(4)
    now, later = draw.normal(size=(2, 60, 5)) + 0.6
    feet, ways = (draw.normal(size=(60, n)) + 1j * draw.normal(size=(60, n)) for n in (6, 1))
    ways = (ways / np.abs(ways))[:, 0]
    bears = draw.random((60, 6)) < 0.7
    room = draw.normal(size=(60, 4))
    found = answer(
        {"governor": "freeFraction, supportAhead, supportFraction", "polygons": "signedDistance"},
        """given.now.map((now, i) => [
             freeFraction(now, given.later[i]),
             supportAhead(given.feet[i], given.bears[i], given.ways[i]),
             supportFraction(...given.room[i]),
             signedDistance(given.ways[i], given.feet[i], given.bears[i]),
           ])""",
        now=now,
        later=later,
        feet=feet,
        bears=bears,
        ways=ways,
        room=room,
    )
    seen = [np.stack([part.real, part.imag], -1) for part in (ways, feet)]
    wanted = [
        governor.free_fraction(now, later),
        governor.support_ahead(feet, bears, ways),
        governor.support_fraction(*room.T),
        polygons.signed_distance(*seen, bears),
    ]
    assert np.array(found).T.tolist() == np.array(wanted).tolist()


def test_distances_to_hulls_of_few_or_equal_corners(answer):
    rows = [
        ([0.0, 0.0], [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]], [True, True, True]),
        ([1.5, 0.0], [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]], [True, True, True]),
        ([1.0, 1.0], [[1.0, 0.0], [1.0, 0.0], [3.0, 0.0]], [True, True, False]),
        ([1.0, 1.0], [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]], [False, False, False]),
        ([1.0, 1.0], [[1.0, np.nan], [2.0, 0.0], [3.0, 0.0]], [True, True, False]),
    ]
    found = answer(
        {"polygons": "signedDistance"}, "given.rows.map((row) => signedDistance(...row))", rows=rows
    )
    points, corners, counted = (np.array(part) for part in zip(*rows, strict=True))
    np.testing.assert_equal(found, polygons.signed_distance(points, corners, counted))


def test_springs_are_the_same(answer):
    draw = np.random.default_rng(5)
    offset, rate, goal = draw.normal(size=(3, 2, 3))
    found = answer(
        {"springs": "advance, oneStep, bounded"},
        """({
             advance: advance([9, 8], given.offset, given.rate, given.goal, 1 / 120),
             one: oneStep([7, 0.3], given.offset[0], given.rate[0], 1 / 120),
             bounded: given.offset[0].map((v) => bounded(v, 0.5)),
             sized: given.offset[0].map((v) => bounded(v, 0.5, 2)),
           })""",
        offset=offset,
        rate=rate,
        goal=goal,
    )
    wanted = {
        "advance": np.array(springs.advance((9.0, 8.0), offset, rate, goal, 1 / 120)),
        "one": np.array(springs.one_step((7.0, 0.3), offset[0], rate[0], 1 / 120)),
        "bounded": springs.bounded(offset[0], 0.5),
        "sized": springs.bounded(offset[0], 0.5, 2.0),
    }
    same(found, wanted)


# --- footholds ----------------------------------------------------------------------------


def legs_in_swing(state, seed=6):
    """Return places near nominal footholds, and legs that are about to step there."""
    draw = np.random.default_rng(seed)
    anatomy, feet = state.anatomy, state.feet
    m = feet.progress.size
    leg = np.arange(m) % feet.progress.shape[1]
    swing = feet.flat.copy()
    swing[:, 1:3] = 0.3 * anatomy.length * draw.normal(size=(m, 2, 3))
    wobble = 0.15 * anatomy.length * (draw.normal(size=m) + 1j * draw.normal(size=m))
    places = anatomy.footholds_at(state.course.place, state.course.facing).reshape(-1) + wobble
    hips = state.pose.hips.reshape(-1, 3)
    landing = footing.from_above(hips) + 0.3 * wobble
    legs = footing.SwingLegs(
        swing,
        np.where(draw.random(m) < 0.3, 0.0, draw.uniform(0.0, 0.7, m)),
        draw.uniform(0.0, 0.2, m) * anatomy.length,
        draw.uniform(0.05, 0.5, m) * anatomy.length,
        footing.HipsAhead(hips, landing, landing - 0.5 * wobble, hips[:, 2] - 0.01),
        anatomy.legs.landing.take(leg),
        anatomy.legs.min_reach.take(leg),
    )
    near, far = anatomy.legs.near.take(leg), anatomy.legs.long.take(leg)
    stand = footing.Standing(swing[:, 0].copy(), landing, hips[:, 2].copy(), near, far)
    return places, legs, stand, anatomy.legs.used.take(leg)


FEET = """(() => {
  const ground = makeGround(given.ground), { legs, stand } = given, { far } = stand;
  const { now, landing, middle, height } = legs.hips;
  const leg = (i) => ({
    swing: legs.swing[i],
    progress: legs.progress[i],
    lift: legs.lift[i],
    maxLift: legs.max_lift[i],
    hips: { now: now[i], landing: landing[i], middle: middle[i], height: height[i] },
    maxReach: legs.max_reach[i],
    minReach: legs.min_reach[i],
  });
  return given.places.map((place, i) => {
    const hip = stand.hips[i], top = stand.tops[i];
    const point = withinReach(ground, place, hip, top, given.used[i]);
    const stands = { stood: stand.stood[i], hips: hip, top, near: stand.near[i], far: far[i] };
    return {
      point,
      better: better(ground, place, given.length, stands),
      bears: bears(ground, point, leg(i), given.length),
      search: search(ground, place, leg(i), given.length),
      some: search(ground, place, leg(i), given.length, ([x]) => x > place[0]),
      sudden: isSudden([point[0] + given.shifts[i], point[1], point[2]], leg(i), given.length),
      leans: leans(ground, place, given.length),
      over: liftOver(ground, legs.swing[i][0], point, 0.05, 0.3),
    };
  });
})()"""


@pytest.mark.parametrize("ground", GROUNDS, ids=repr)
@pytest.mark.parametrize("name", ["insect", "dog"])
def test_feet_find_the_same_ground(answer, name, ground):
    state = standing(name, ground, 12)
    places, legs, stand, used = legs_in_swing(state)
    length = state.anatomy.length
    shifts = np.random.default_rng(7).uniform(0.0, 1.5 * length, len(places))
    found = answer(
        {
            "footing": "better, bears, search, isSudden, withinReach, leans, liftOver",
            "ground": "makeGround",
        },
        FEET,
        ground=ground.formula(),
        places=places,
        legs=legs,
        stand=stand,
        used=used,
        shifts=shifts,
        length=length,
    )
    points = footing.within_reach(ground, places, stand.hips, stand.tops, used)
    near = footing.bears(ground, points[:, None], legs, length)
    searched = footing.search(ground, places, legs, length)
    some = footing.search(
        ground, places, legs, length, lambda tried: tried[..., 0] > places.real[:, None]
    )
    start = np.ascontiguousarray(legs.swing[:, 0])
    over = footing.lift_over(ground, start, points, np.full(len(points), 0.05), 0.3)
    offsets = footing.better(ground, places, length, stand)
    leans = footing.leans(ground, places, length)
    assert 0 < np.sum(near.good) < len(points)
    assert 0 < np.sum(some[1]) < len(points)
    same([each["point"] for each in found], points)
    same([each["better"] for each in found], offsets)
    assert [each["bears"]["good"] for each in found] == near.good[:, 0].tolist()
    same([each["bears"]["lift"] for each in found], near.lift[:, 0], rtol=1e-9, atol=1e-12)
    same([each["bears"]["lean"] for each in found], near.leans[:, 0])
    moved = points + shifts[:, None] * [1.0, 0.0, 0.0]
    sudden = footing.is_sudden(moved, legs, length)
    assert 0 < np.sum(sudden) < len(points)
    assert [each["sudden"] for each in found] == sudden.tolist()
    same([each["leans"] for each in found], leans)
    same([each["over"] for each in found], over)
    for key, wanted in (("search", searched), ("some", some)):
        assert [each[key]["good"] for each in found] == wanted[1].tolist()
        for field, values in zip(("point", "good", "lift", "lean"), wanted, strict=True):
            same([each[key][field] for each in found], values, rtol=1e-9, atol=1e-12)


def test_planes_and_rotations_of_feet(answer):
    draw = np.random.default_rng(7)
    feet, places, turns = draw.normal(size=(30, 6, 3)), draw.normal(size=30), draw.normal(size=30)
    places = places + 1j * draw.normal(size=30)
    rotations = draw.normal(size=(30, 4))
    rotations /= np.linalg.norm(rotations, axis=1, keepdims=True)
    axes, points = draw.normal(size=(30, 3, 3)), draw.normal(size=(30, 1, 3))
    found = answer(
        {"footing": "planeThrough, facing, leanOf, timesAxes, least"},
        """given.feet.map((feet, i) => [
             planeThrough(feet, given.places[i], facing(given.turns[i]), 0.1),
             leanOf(given.rotations[i]),
             timesAxes(given.points[i][0], given.axes[i]),
           ])""",
        feet=feet,
        places=places,
        turns=turns,
        rotations=rotations,
        axes=axes,
        points=points,
    )
    planes = footing.plane_through(feet, places, footing.facing(turns), 0.1)
    leans = footing.lean_of(rotations)
    same([each[0] for each in found], planes)
    same([each[1] for each in found], leans)
    assert [each[2] for each in found] == footing.times_axes(points, axes)[:, 0].tolist()


# --- figures ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kind"), [("insect", 0.1), ("bird", "steps"), ("dog", 0.0)])
def test_reports_have_the_same_figures(answer, name, kind):
    ground = creature.make_terrain(kind, name, seed=1)
    walker = creature.Walker(name, ground)
    states = []
    for frame in range(90):
        walker.step(1 / 60, (0.1, 0.6 * walker.animal.speed), 0.3)
        state = walker.state
        slips = np.where(frame % 9 == 0, 1e-4, 0.0)  # so that no figure is 0
        states.append(
            state._replace(feet=state.feet - slips, knees=state.knees - 0.3 * (frame == 5))
        )
    recording = creature.record(walker, states, 1 / 60)
    wanted = creature.report(recording, ground)._asdict()
    frames = [
        {
            "bodyPosition": state.body_position,
            "bodyRotation": state.body_rotation,
            "hips": state.hips,
            "knees": state.knees,
            "feet": state.feet,
            "contact": state.stance,
        }
        for state in states
    ]
    found = answer(
        {"measures": "figures", "ground": "makeGround"},
        "figures(given.frames, given.bones, makeGround(given.ground))",
        frames=frames,
        bones=walker.animal.legs.bones,
        ground=ground.formula(),
    )
    assert len(found) == 9
    for figure, value in found.items():
        assert value == pytest.approx(float(wanted[figure]), rel=1e-9, abs=1e-12), figure
    assert measures.EPS * found["bone_error"] > 0.1


# --- arguments ----------------------------------------------------------------------------

REFUSED = """(() => {
  const ground = makeTerrain(0, 1), walker = new Walker(animalOf(given.entry), ground);
  const before = JSON.stringify(walker.state);
  const told = given.calls.map(([name, ...all]) => {
    try {
      if (name === "new") new Walker(walker.animal, ground, { position: all[0], heading: all[1] });
      else if (name === "ground") makeGround(all[0]);
      else if (name === "rough") makeTerrain(...all);
      else walker[name](...all);
      return "";
    } catch (error) {
      return error instanceof CreatureError ? error.message : error.stack;
    }
  });
  return { told, isSame: JSON.stringify(walker.state) === before };
})()"""
NAN, INFINITE = float("nan"), float("inf")


def test_numbers_that_are_not_finite_are_refused_as_python_refuses_them(answer):
    walker = creature.Walker("insect")
    python = {
        "step": walker.step,
        "shove": walker.shove,
        "put": walker.put,
        "new": lambda *given: creature.Walker("insect", position=given[0], heading=given[1]),
    }
    calls = [
        *(("step", dt) for dt in (NAN, INFINITE, -INFINITE, -1.0, 3601.0, 2e9)),
        *(("step", 0.1, [value, 0.0]) for value in (NAN, INFINITE, 2e9)),
        *(("step", 0.1, [0.0, 1.0], value) for value in (NAN, -INFINITE, -2e9)),
        *(("shove", [0.0, value]) for value in (NAN, INFINITE, 2e9)),
        *(("put", [value, 0.0], 0.0) for value in (NAN, 2e9)),
        *(("put", [0.0, 0.0], value) for value in (INFINITE, 2e9)),
        *(("new", [NAN, 0.0], 0.0), ("new", [0.0, 0.0], NAN)),
    ]
    wanted = []
    for name, *given in calls:
        with pytest.raises(CreatureError) as caught:
            python[name](*given)
        wanted.append(str(caught.value))
    # What has another type in Python, or another name there.
    others = {
        ("step", 0.1, None): "`velocity` must be numbers, got null.",
        ("step", 0.1, (1.0,)): "`velocity` must be 2 numbers, got 1.",
        ("step", "1"): "`dt` must be numbers, got string.",
        ("shove", ()): "`velocity` must be 2 numbers, got 0.",
        ("rough", NAN, 1.0): "`rms` must be finite, got NaN or infinity.",
        ("rough", 0.1, 1.0, INFINITE): "`seed` must be a whole number, got Infinity.",
        ("rough", 0.1, 1.0, -3): "`seed` must be at least 0, got -3.",
    }
    kinds = "flat, slope, steps, noise, array"
    grounds = [
        ({"kind": "flat", "level": NAN}, "`level` must be finite, got NaN or infinity."),
        ({"kind": "slope", "rise": [0, 2e9]}, "`rise` must be at most 1e+09, got 2000000000."),
        (HeightArray([[0.0, 1.0]], 1.0).formula() | {"heights": [[0.0, NAN]]}, "`heights` must be"),
        ({"kind": "lake"}, f"`kind` must be one of {kinds}, got lake."),
    ]
    given = [*calls, *others, *(("ground", formula) for formula, _ in grounds)]
    wanted += [*others.values(), *(text for _, text in grounds)]
    parts = {
        "walker": "CreatureError, Walker",
        "anatomy": "animalOf",
        "ground": "makeGround, makeTerrain",
    }
    found = answer(parts, REFUSED, entry=entry(creature.animal("insect")), calls=given)
    assert found["isSame"]
    for call, told, text in zip(given, found["told"], wanted, strict=True):
        assert alike(told).startswith(alike(text)), call


def alike(text):
    """Return a message with its numbers as Python writes them: 2000000000 is 2e+09."""
    return re.sub(r"-?\d[\de+.]*\d|-?\d", lambda found: f"{float(found[0]):g}", text)
