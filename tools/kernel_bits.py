"""Hold the compiled kernel against the formula, bit by bit, on every instruction set.

Run by hand and, briefly, by CI: python tools/kernel_bits.py --count 10000000. NumPy answers
every case and plain Python floats some of them; both know nothing of the kernel.
"""

import argparse
import itertools
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import families
from twobone.core import answer, blocks, engine, solver
from twobone.core.answer import Answer, Targets
from twobone.core.arrays import FLOATS, NUMPY, REALS, parts
from twobone.core.exact import FLOAT64, WIDE
from twobone.core.policies import NAMED, Limits, Soft, Stretch

KERNEL = engine.KERNEL
WORDS = ("clamp", "stretch", "nan")
POLICIES = (  # objects; each chunk takes the next one
    Soft(0.05),
    Stretch(1.2),
    Limits(30.0, 170.0),
    Soft(0.9),
    Limits(20.0, 160.0) | Soft(0.2) | Stretch(1.5),
    Stretch(math.inf),
    Limits(0.0, 90.0),
    Soft(0.1) | Limits(40.0, 130.0),
    Stretch(1e300),
    Limits(90.0, 90.0),
    Soft(1e-30),
    Soft(1e-157),
    Soft(1e-20),
    Limits(1e-25, 180.0 - 1e-9) | Soft(1e-12),
)
TINY = (Soft(1e-157), Soft(1e-20), Soft(1e-30), POLICIES[-1])
CHUNK = 30_000  # rows: memory stays small
SHARED = 1_027  # targets for one pair of bones: no multiple of the lanes
STREAMED = 270_011  # targets for one pair of bones whose answers no cache holds
SAMPLE = 1_000  # cases for each one that Python floats answer


# --- families near the seams between the fast, the careful and the general way ---------------


def zero_parts(dtype, size, count, rng):
    """Easy limbs, some parts of target and pole +0 or -0."""
    target, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    for vector in (target, pole):
        if vector is not None:
            zero = rng.choice([0.0, -0.0], vector.shape)
            vector[...] = np.where(rng.random(vector.shape) < 0.4, zero, vector)
    return target, r1, r2, side, pole


def tiny_parts(dtype, size, count, rng):
    """Easy limbs, some parts of target and pole where they stop being easy, or below."""
    target, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    for vector in (target, pole):
        if vector is not None:
            power = rng.choice([0, 0, 0, -1, 1, -20, 20, -300, -860], vector.shape)
            tiny = _bits_beside(_edge(dtype, size, "part", rng), vector.shape, rng) * 2.0**power
            tiny = np.copysign(tiny.astype(dtype), vector)
            vector[...] = np.where(rng.random(vector.shape) < 0.4, tiny, vector)
    return target, r1, r2, side, pole


def cancelling(dtype, size, count, rng):
    """Poles of which, made square to the target, one part or all nearly vanish."""
    target, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    if pole is None:
        return target, r1, r2, side, pole
    p, n = target.astype(float), pole.astype(float)
    rows, i = np.arange(count), rng.integers(0, 3, count)
    others = np.sum(p * n, axis=1) - p[rows, i] * n[rows, i]
    rest = np.sum(p * p, axis=1) - p[rows, i] ** 2
    n[rows, i] = p[rows, i] * others / np.where(rest > 0, rest, 1.0)
    few = 1 + float(np.finfo(dtype).eps) * rng.integers(-9, 10, n.shape)
    along = p * few * 2.0 ** rng.integers(-3, 4, (count, 1))
    n = np.where(rng.random((count, 1)) < 0.6, along, n).astype(dtype)
    return target, r1, r2, side, _beside(n, rng)


def size_edges(dtype, size, count, rng):
    """Targets, bones or poles at the sizes where scaling begins, and a quarter of them."""
    target, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    at = _bits_beside(_edge(dtype, size, "size", rng), count, rng) * rng.choice(
        [0.25, 1, 1, 2], count
    )
    at = np.where(rng.random(count) < 0.5, at, 1 / at)
    unit = np.choose(rng.integers(0, 3, count), [r1, r2, np.abs(target).max(axis=1)])
    scale = at / unit.astype(float)
    target = _beside((target * scale[:, None]).astype(dtype), rng)
    r1, r2 = _beside((r1 * scale).astype(dtype), rng), _beside((r2 * scale).astype(dtype), rng)
    if pole is not None:
        scale = np.where(rng.random(count) < 0.5, 1.0, at / np.abs(pole).max(axis=1))
        pole = _beside((pole * scale[:, None]).astype(dtype), rng)
    return target, r1, r2, side, pole


def fast_edges(dtype, size, count, rng):
    """Easy bones, and targets of about the least and the greatest size that is easy.

    The kernel measures the squared length, Python the largest part, so all directions occur, also
    those in which all parts are equal or all but one 0.
    """
    target, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    edge = float(_edge(dtype, size, "size", rng))
    at = np.where(rng.random(count) < 0.5, edge, 1 / edge) * rng.uniform(0.6, 1.6, count)
    parts = np.abs(target / np.abs(target).max(axis=1, keepdims=True)).astype(float)
    parts = parts ** rng.choice([0.0, 1.0, 20.0], (count, 1))
    target = (np.copysign(parts, target) * at[:, None]).astype(dtype)
    scale = at / r1 * edge ** rng.choice([0.0, 0.0, -0.5, -1.0], count)
    bones = scale[:, None] * np.stack([r1, r2], 1)
    r1, r2 = np.clip(bones, 1.1 / edge, edge / 1.1).astype(dtype).T
    return target, r1, np.maximum(np.minimum(r2, 4 * r1), r1 / 4), side, pole


def slack_edges(dtype, size, count, rng):
    """Hardly any second bone, and targets that are too far by about the slack of REACHED."""
    _, _, _, side, pole = families.make("generic", dtype, size, count, rng)
    eps = float(np.finfo(dtype).eps)
    r2 = np.full(count, eps * 2.0 ** rng.uniform(-8, 1), dtype)  # also where bones are shared
    s, k = r2.astype(float), rng.integers(0, 4, count)
    far = 2 * s + s * s + 8 * eps * (1 + 2 * s) - 2 * k * eps - (k * eps) ** 2
    y = np.sqrt(np.maximum(far, 0.0)).astype(dtype)
    y = y * (1 + eps * rng.integers(-3, 4, count))
    target = np.zeros((count, size))
    target[:, 0], target[:, 1] = 1 + k * eps, y
    return target.astype(dtype), np.ones(count, dtype), r2, side, pole


def ring_edges(dtype, size, count, rng):
    """Targets in any direction a few bits within and without the ring."""
    _, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    return _at_ring(dtype, size, r1, r2, rng), r1, r2, side, pole


def kept_edges(dtype, size, count, rng):
    """Targets where policies that are objects begin to move the end, and a little before."""
    _, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    r1, r2 = np.full(count, r1[0]), np.full(count, np.clip(r2[0], r1[0] / 8, 8 * r1[0]))
    inner, outer = np.abs(r1.astype(float) - r2), r1.astype(float) + r2
    share = 1 - 2.0 ** rng.uniform(-18, -6, count)
    factor = rng.choice([1.0, 0.95, 0.9, 0.8], count)
    distance = np.where(rng.random(count) < 0.8, outer * factor * share, inner / factor / share)
    target = distance[:, None] * families._directions(size, count, rng)
    return target.astype(dtype), r1, r2, side, pole


def ties(dtype, size, count, rng):
    """Limbs with b in the middle of two floats, apart from the square of a tiny part.

    Lengths are integers of half the digits, and b = x^2 - (r1 - r2)^2 has one digit too many.
    """
    _, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    eps = float(np.finfo(dtype).eps)
    least = 2 / eps  # of numbers with one digit too many
    difference = 2 * int(np.sqrt(least) * rng.uniform(0.5, 8.0))
    second = int(np.sqrt(least) * rng.uniform(0.75, 8.0))
    b = rng.uniform(least, 2 * least, count)
    along = np.floor(np.sqrt(difference**2 + b)) // 2 * 2 + 1
    tiny = np.sqrt(eps) * 2.0 ** rng.uniform(-1, 3, count) * rng.choice([-1, 1], count)
    target = np.zeros((count, size))
    target[:, 0], target[:, 1] = along * rng.choice([-1, 1], count), tiny
    target = rng.permuted(target, axis=1)
    unit = 2.0 ** (5 - np.ceil(np.log2(second + difference)))
    r1, r2 = np.full(count, second + difference), np.full(count, second)
    if rng.random() < 0.2:
        r1, r2 = r2, r1
    target, r1, r2 = ((value * unit).astype(dtype) for value in (target, r1, r2))
    return target, r1, r2, side, pole


def right_angles(dtype, size, count, rng):
    """Bones at a right angle, or nearly so: w is tiny, and tiny parts of the target decide it."""
    _, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    most = 0.5 / float(np.finfo(dtype).eps)
    x = 4.0 * np.floor(rng.uniform(most / 8, most / 4)) + 1.0
    if rng.random() < 0.5:
        r1, r2 = (3 * x + 5) / 4, (5 * x + 3) / 4  # w = 1: r2 - r1 = (x - 1) / 2, r2 + r1 = 2 x + 2
    else:
        x = 4.0 * rng.integers(1, 256)  # b has few digits, and its low word is a tiny part's square
        r1, r2 = 3 * x / 4, 5 * x / 4
    edge = np.log2(float(_edge(dtype, size, "size", rng)))
    unit = 2.0 ** (int(rng.choice([0, 0, -1]) * (edge - 2)) - np.ceil(np.log2(x)))
    least = np.log2(float(np.finfo(dtype).smallest_subnormal))
    shape = (count, size)
    power = np.where(
        rng.random(shape) < 0.5,
        rng.uniform(least, 0, shape),
        rng.choice([-800, -200], shape) + rng.uniform(-20, 20, shape),
    )
    target = 2.0**power * rng.uniform(-1, 1, shape)
    target *= rng.choice([0.0, 1.0], shape)
    target[:, 0] = x * unit * rng.choice([-1, 1], count)
    if pole is not None:
        # Perpendicular to the long part, so that tiny parts of the joint remain visible.
        pole = np.zeros((count, size))
        pole[:, rng.integers(1, size)] = 2.0 ** (rng.choice([0, -1]) * (edge - 1))
        pole = pole.astype(dtype)
    bones = np.full(count, r1 * unit, dtype), np.full(count, r2 * unit, dtype)
    return target.astype(dtype), *bones, side, pole


def faint_lines(dtype, size, count, rng):
    """The thinnest first bones and the farthest targets, each with a part next to the least.

    There is no triangle, so the least part of the joint is that of the target times r1 / |p|.
    """
    _, _, _, side, pole = families.make("generic", dtype, size, count, rng)
    edge = float(REALS[np.dtype(dtype).name].plane_size if size == 2 else 2.0**60)
    target = np.zeros((count, size))
    target[:, 0] = edge * rng.uniform(0.99, 0.999, count)
    target[:, 1] = 2.0 ** rng.uniform(-825, -820, count) * rng.choice([-1, 1], count)
    r2 = np.full(count, 2.0 ** rng.integers(-50, 10), dtype)
    return target.astype(dtype), np.full(count, (1 + 2.0**-20) / edge, dtype), r2, side, pole


def faint_squares(dtype, size, count, rng):
    """The least bones in space, hardly bent, and a part whose square breaks a tie of S.

    With bones 3 and 7, h = 16 and b = y^2 for the part y. Then S = 84 y^2 has one digit too many.
    """
    _, _, _, side, pole = families.make("generic", dtype, size, count, rng)
    unit = 2.0**-61
    y = 2.0 * np.floor(np.sqrt(rng.uniform(2.0**53, 2.0**54, count) / 21) / 2) + 1
    target = np.zeros((count, size))
    target[:, 0], target[:, 1] = 4 * unit, y * 2.0**-124 * unit
    if pole is not None:
        target[:, 2] = 2.0 ** rng.uniform(-216, -212, count) * rng.choice([-1, 1], count)
        pole = np.tile(np.array([0, 0, 2.0**50], dtype), (count, 1))
    bones = np.full(count, 3 * unit, dtype), np.full(count, 7 * unit, dtype)
    return (rng.choice([-1, 1], (count, 1)) * target).astype(dtype), *bones, side, pole


def faint_products(dtype, size, count, rng):
    """Poles nearly across, and a part p_i for which p_i (p.pole) is a tie but for its last digit.

    That digit is next to the least number. Bones are long and targets near, so that a part of the
    joint is little else than that product.
    """
    _, _, _, side, pole = families.make("generic", dtype, size, count, rng)
    u, v = np.array([_nearly_a_tie(rng) for _ in range(64)])[rng.integers(0, 64, count)].T
    far = rng.choice([-175, -200, -232], count)  # exponent of p.pole
    target = np.zeros((count, size))
    target[:, 0] = 2.0**-59
    target[:, 1] = np.ldexp(u, far + 60 - 52)
    if pole is not None:
        target[:, 2] = np.ldexp(v, rng.integers(-974, -969, count) - far - 52)
        pole = np.tile(np.array([0, 2.0**-60, 0], dtype), (count, 1))
    return target.astype(dtype), *np.full((2, count), 2.0**59, dtype), side, pole


def _nearly_a_tie(rng):
    """Return two numbers of 53 digits; their product is 1 / 2^53 beside the middle of two."""
    while True:
        u = 2 * int(rng.integers(2**51, 2**52)) + 1
        v = (2**52 + int(rng.choice([-1, 1]))) * pow(u, -1, 2**53) % 2**53
        if v >= 2**52 and u * v >= 2**105:
            return float(u), float(v)


def axis_edges(dtype, size, count, rng):
    """Targets on an axis and at an edge, so that hardly any distance to it is visible."""
    _, _, _, side, pole = families.make("generic", dtype, size, count, rng)
    first, second = rng.integers(1, 256, 2) / 128
    second *= 2.0 ** -rng.integers(0, 12 if dtype == np.float32 else 40)
    edge = np.where(rng.random(count) < 0.5, first + second, abs(first - second)).astype(dtype)
    target = np.zeros((count, size), dtype)
    target[:, 0] = _beside(edge, rng)
    target = rng.permuted(target, axis=1)
    if pole is not None:
        pole = np.eye(size, dtype=dtype)[rng.integers(0, size, count)]
    return target, np.full(count, first, dtype), np.full(count, second, dtype), side, pole


def thick_enough(dtype, size, count, rng):
    """First bones a few bits thicker or thinner than the least part of the second that is easy."""
    _, r1, _, side, pole = families.make("generic", dtype, size, count, rng)
    thick = np.full(count, REALS[np.dtype(dtype).name].thick)
    if dtype == np.float32:
        thick = np.where(rng.random(count) < 0.5, thick, WIDE.thick)
    r2 = _beside((thick * r1).astype(dtype), rng)
    return _at_ring(dtype, size, r1, r2, rng), r1, r2, side, pole


def nonsense(dtype, size, count, rng):
    """Here and there a number that means nothing, or a pole of length 0."""
    target, r1, r2, side, pole = families.make("generic", dtype, size, count, rng)
    bad = np.array([np.nan, np.inf, -np.inf, -1, 0, -0.0, 2, 1 + np.finfo(dtype).eps], dtype)
    for value in (target, r1, r2, side, pole):
        if value is not None:
            value[...] = np.where(
                rng.random(value.shape) < 0.1, rng.choice(bad, value.shape), value
            )
    if pole is not None:
        pole[rng.random(count) < 0.1] = 0
    return target, r1, r2, side, pole


def mixed(dtype, size, count, rng):
    """Rows of all families side by side, so that the lanes of one step differ."""
    each = count // 8 + 1
    names = rng.choice([*families.FAMILIES], 3)
    pieces = [families.make(name, dtype, size, each, rng) for name in names]
    pieces += [seam(dtype, size, each, rng) for seam in (zero_parts, nonsense, ring_edges)]
    pieces += [families.make("generic", dtype, size, each, rng) for _ in range(2)]
    order = rng.permutation(8 * each)[:count]
    columns = zip(*pieces, strict=True)
    return [None if c[0] is None else np.concatenate(c)[order] for c in columns]


def _edge(dtype, size, name, rng):
    t = REALS[np.dtype(dtype).name]
    if dtype == np.float32 and rng.random() < 0.5:
        t = WIDE
    edge = getattr(t, f"{'plane' if size == 2 else 'space'}_{name}")
    return dtype(1 / edge if name == "part" else edge)


def _bits_beside(value, shape, rng):
    """Return a number, or one a few bits from it, as float64."""
    return float(value) * (1 + float(np.finfo(value).eps) * rng.integers(-3, 4, shape))


def _beside(values, rng):
    steps = rng.choice([0, 0, 0, -1, 1, 2], values.shape).astype(values.dtype)
    return values + np.spacing(np.abs(values)) * steps


def _at_ring(dtype, size, r1, r2, rng):
    a, b = r1.astype(float), r2.astype(float)
    inner, outer = np.abs(a - b), a + b
    distance = np.choose(
        rng.integers(0, 3, len(a)), [inner, outer, inner + (outer - inner) * rng.random(len(a))]
    )
    direction = families._directions(size, len(a), rng)
    return _beside((distance[:, None] * direction).astype(dtype), rng)


SEAMS = {
    seam.__name__: seam
    for seam in (
        zero_parts,
        tiny_parts,
        cancelling,
        size_edges,
        fast_edges,
        slack_edges,
        ring_edges,
        kept_edges,
        ties,
        right_angles,
        faint_lines,
        faint_squares,
        faint_products,
        axis_edges,
        thick_enough,
        nonsense,
        mixed,
    )
} | {"bits": families.make_bits}
NAMES = [*families.FAMILIES, *SEAMS]


# --- limbs as the kernel takes them ----------------------------------------------------------


def limbs(name, dtype, size, count, rng):
    """Return named columns, one row a limb."""
    if name in SEAMS:
        columns = SEAMS[name](dtype, size, count, rng)
    else:
        columns = families.make(name, dtype, size, count, rng)
    named = zip(("target", "r1", "r2", "side", "pole"), columns, strict=True)
    return {
        key: np.ascontiguousarray(np.broadcast_to(value, (count, *np.shape(value)[1:])), dtype)
        for key, value in named
        if value is not None
    }


def limbs_of_one_pair(name, dtype, size, count, rng):
    """Return the same with one pair of bones, one side and one pole for all targets."""
    values = limbs(name, dtype, size, count, rng)
    target, r1, r2 = values.pop("target"), values["r1"].copy(), values["r2"].copy()
    values = {key: value[0] for key, value in values.items()}
    # Targets lie to these bones as they lay to their own, or at the ring.
    own = (r1.astype(float) + r2) / (float(values["r1"]) + float(values["r2"]))
    target = np.where(np.isfinite(own) & (own > 0), target.T / own, target.T).T.astype(dtype)
    both = np.full(count, values["r1"]), np.full(count, values["r2"])
    ring = _at_ring(dtype, size, *both, rng)
    keep = (rng.random((count, 1)) < 0.5) | (np.arange(count)[:, None] % 5 == 0)
    return {"target": np.where(keep, target, ring)} | values


def sorted_by_ease(values, wanted, t):
    """Return the rows that the fast way takes first: it needs all lanes of a step."""
    shape = wanted.status.shape
    pole = parts(values["pole"], 3) if "pole" in values else ()
    p = parts(values["target"], values["target"].shape[-1])
    targets = Targets(p, values["r1"], values["r2"], values["side"], pole)
    hard = ~(answer.is_easy(NUMPY, t, targets) & (wanted.status == 0))
    order = np.argsort(np.broadcast_to(hard, shape), kind="stable")
    moved = {
        key: value[order] if np.ndim(value) > (key in engine.VECTORS) else value
        for key, value in values.items()
    }
    return moved, Answer(*(part[order] for part in wanted))


# --- who answers -----------------------------------------------------------------------------


def by_numpy(values, word):
    target = values["target"]
    out = Answer(np.empty_like(target), np.empty_like(target), np.empty(len(target), np.int8))
    engine._fill_in_blocks(REALS[target.dtype.name], values, policy(word), out.status.shape, out)
    return out


def policy(word):
    """Return a policy by its word; an object is one already."""
    return NAMED[word] if isinstance(word, str) else word


def by_python(values, word, i):
    """Answer row `i` in Python floats."""
    row = {
        key: (value[i] if np.ndim(value) > (key in engine.VECTORS) else value).tolist()
        for key, value in values.items()
    }
    targets = Targets(
        tuple(row["target"]), row["r1"], row["r2"], row["side"], tuple(row.get("pole", ()))
    )
    if isinstance(word, str) and answer.is_easy(FLOATS, FLOAT64, targets):
        found, along = answer.easy(FLOATS, FLOAT64, targets, NAMED[word])
        if not along:
            return found
    return blocks.any(FLOATS, FLOAT64, targets, policy(word))


def by_kernel(values, word):
    """Yield what each way into the kernel answers: its name, joint, end and status."""
    arguments = list(values.values())
    target = values["target"]
    size = target.shape[-1]
    if isinstance(word, str):
        solvers = {whole: KERNEL.solvers[size, whole, word] for whole in (True, False)}
        short = word
    else:
        solvers = {whole: KERNEL.solvers[size, whole, "steps"] for whole in (True, False)}
        arguments.append(engine._how(word, target.dtype))
        short = engine._as_numbers(word)
    yield "reach", Answer(*solvers[True](*arguments))
    yield "solve", Answer(solvers[False](*arguments), None, None)
    if np.ndim(values["r1"]) == 0:
        numbers = [float(values[key]) for key in ("r1", "r2", "side")]
        joint = KERNEL.solve(target, *numbers, values.get("pole"), short, None, None)
        yield "short way", Answer(joint, None, None)
        answer = KERNEL.reach(target, *numbers, values.get("pole"), short, None)
        yield "short way of reach", Answer(*answer)


def differences(found, wanted):
    """Return the rows where two arrays differ in a bit; all NaN are one."""
    kind = {8: np.uint64, 4: np.uint32, 1: np.uint8}[wanted.dtype.itemsize]
    same = np.ascontiguousarray(found).view(kind) == np.ascontiguousarray(wanted).view(kind)
    if wanted.dtype.kind == "f":
        same |= np.isnan(found) & np.isnan(wanted)
    return np.flatnonzero(~same.reshape(len(wanted), -1).all(axis=1))


# --- comparing -------------------------------------------------------------------------------


def compare(case, values, word):
    """Compare all answers to some limbs; exit with a line that says how to see it again."""
    wanted = by_numpy(values, word)
    t = REALS[values["target"].dtype.name]
    for order, (limbs_, want) in {
        "as made": (values, wanted),
        "easy first": sorted_by_ease(values, wanted, t),
    }.items():
        for instruction_set in KERNEL.instruction_sets():
            KERNEL.use_instruction_set(instruction_set)
            for way, found in by_kernel(limbs_, word):
                for name, part, whole in zip(Answer._fields, found, want, strict=True):
                    rows = () if part is None else differences(part, whole)
                    if len(rows):
                        where = f"{case} {word} {instruction_set}, {way}, {order}: {name}"
                        fail(where, limbs_, rows[0], part[rows[0]], whole[rows[0]])
    rows = range(0, len(wanted.status), SAMPLE) if t is FLOAT64 else ()
    for i in rows:
        found = by_python(values, word, i)
        plain = [np.array(found.joint), np.array(found.end), np.int8(found.status)]
        if word == "clamp":
            one = solver.solve_xy if len(found.joint) == 2 else solver.solve_xyz
            plain.append(np.array(call_one(one, values, i)))
        names = (*Answer._fields, "one limb")
        for name, part, whole in zip(names, plain, (*wanted, wanted.joint), strict=False):
            if len(differences(np.atleast_1d(part), np.atleast_1d(whole[i]))):
                fail(f"{case} {word}, Python floats: {name}", values, i, part, whole[i])
    return len(wanted.status), len(rows)


def call_one(one, values, i):
    p, r1, r2, side, *pole = (
        (value[i] if np.ndim(value) > (key in engine.VECTORS) else value).tolist()
        for key, value in values.items()
    )
    return one(*p, r1, r2, *(pole[0] if pole else ()), side)


def fail(where, values, i, found, wanted):
    def shown(value):
        return [float(v).hex() for v in np.atleast_1d(value)]

    row = {
        key: shown(value[i] if np.ndim(value) > (key in engine.VECTORS) else value)
        for key, value in values.items()
    }
    sys.exit(f"DIFFERS  {where}\n  {row}\n  found {shown(found)}\n  wanted {shown(wanted)}")


def check(name, count, seed):
    """Compare a family until there were `count` cases; return how many, and how many in Python."""
    done = sampled = 0
    kinds = list(itertools.product((np.float64, np.float32), (2, 3), range(len(WORDS) + 1)))
    usual = POLICIES[NAMES.index(name) % 4 :] + POLICIES
    policies = itertools.cycle(TINY if name == "axis_edges" else usual)
    for turn in itertools.count():
        for dtype, size, kind in kinds:
            rng = np.random.default_rng([seed, turn, NAMES.index(name), size, kind])
            case = f"--family {name} --seed {seed} (turn {turn}): {np.dtype(dtype)} {size}"
            rows = max(min(CHUNK, (count - done) // (2 * len(kinds))), SHARED)
            made = [limbs(name, dtype, size, rows, rng)]
            made += [
                limbs_of_one_pair(name, dtype, size, SHARED, rng) for _ in range(rows // SHARED)
            ]
            for values in made:
                word = WORDS[kind] if kind < len(WORDS) else next(policies)
                cases, in_python = compare(case, values, word)
                done, sampled = done + cases, sampled + in_python
        if done >= count:
            return done, sampled


def check_streams(seed):
    """Compare so many targets for one pair of bones that answers go past the caches."""
    done = 0
    for dtype, size in itertools.product((np.float64, np.float32), (2, 3)):
        rng = np.random.default_rng([seed, size])
        count = STREAMED * (8 // np.dtype(dtype).itemsize)
        values = limbs_of_one_pair("generic", dtype, size, count, rng)
        done += compare(f"streams --seed {seed}: {np.dtype(dtype)} {size}", values, "clamp")[0]
    return done, 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000_000, help="cases, all families")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--family", choices=NAMES, help="only this one")
    options = parser.parse_args()
    if KERNEL is None:
        sys.exit("there is no kernel here")
    names = [options.family] if options.family else NAMES
    total = 0
    with np.errstate(all="ignore"):
        if not options.family:
            done, _ = check_streams(options.seed)
            print(f"streams        {done:>10,} cases: the same bits", flush=True)
            total += done
        for name in names:
            done, sampled = check(name, options.count // len(names), options.seed)
            print(f"{name:14} {done:>10,} cases: the same bits ({sampled:,} in Python too)")
            sys.stdout.flush()
            total += done
    print(f"{total:,} cases on {', '.join(KERNEL.instruction_sets())}: the same bits")


if __name__ == "__main__":
    main()
