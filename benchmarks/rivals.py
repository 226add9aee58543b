"""Other solvers to compare with: the article's formula in several libraries, and robot solvers.

All solve the same targets. Those that are not installed are left out; `MISSING` says why. Robot
solvers return angles; the conversion to points is not timed.
"""

import importlib
import math
import os

import numpy as np
from formulas import article, cosines

from twobone.core.engine import SHARE

ARRAYS = ("article", "cosines", "numba", "jax.jit", "torch", "torch.compile")  # table columns
BATCH = 1000  # poses in one call of EAIK
MISSING = {}  # names of modules that are left out, and why


def rivals(limbs, threads):
    """Return functions by name that solve limbs, with `threads` threads where that can be set."""
    alone = threads == 1
    shared = len(limbs.target) < 2 * SHARE or threads == (os.cpu_count() or 1)
    runs = {}
    if alone:
        runs["article"] = lambda: article(limbs.target, limbs.r1, limbs.r2, 1.0, limbs.pole)
        runs["cosines"] = lambda: cosines(limbs.target, limbs.r1, limbs.r2, 1.0, limbs.pole)
    for module, make in (("numba", _numba), ("torch", _torch), ("torch", _torch_compiled)):
        _add(runs, module, make, limbs, threads)
    if shared:  # the number of its threads cannot be set
        _add(runs, "jax", _jax, limbs, threads)
    _check(runs, limbs)
    if limbs.pole is None and limbs.target.dtype == float and len(limbs.target) in (1, BATCH):
        makers = SINGLE if len(limbs.target) == 1 else BATCHED
        for module, make in makers.items():
            _add(runs, module, make, limbs, threads)
    return runs


def _add(runs, module, make, limbs, threads):
    """Add a solver if its module can be imported."""
    if module in MISSING:
        return
    try:
        library = importlib.import_module(module) if module != "math" else math
    except Exception as error:  # some modules raise other errors than ImportError
        MISSING[module] = f"{module} is left out: {str(error).splitlines()[0]}"
        return
    runs.update(make(library, limbs, threads))


def _check(runs, limbs):
    """Raise if a solver's joints are wrong for targets within reach."""
    target, _, r1, r2, pole, _ = limbs
    reached = np.sum(target * target, axis=-1) < (r1 + r2) ** 2
    wanted = article(target, r1, r2, 1.0, pole)
    for name, run in runs.items():
        if not np.allclose(np.asarray(run())[reached], wanted[reached], atol=1e-3):
            raise ValueError(f"{name} solves something else")


# --- the article's formula in other libraries ---------------------------------------------


def _in(xp, target, r1, r2, pole):
    """Solve with a library whose functions are those of NumPy."""
    h = xp.sum(target * target, -1)
    w = h + (r1 * r1 - r2 * r2)
    s = xp.sqrt(xp.clip(4.0 * r1 * r1 * h - w * w, 0.0))
    if pole is None:
        across = xp.stack([-target[..., 1], target[..., 0]], -1)
    else:
        m = pole - target * (xp.sum(target * pole, -1) / h)[..., None]
        across = m * xp.sqrt(h / xp.sum(m * m, -1))[..., None]
    return (w[..., None] * target + s[..., None] * across) / (2.0 * h)[..., None]


def _jax(jax, limbs, threads):
    jax.config.update("jax_enable_x64", True)
    target, pole = (None if v is None else jax.numpy.asarray(v) for v in (limbs.target, limbs.pole))
    solve = jax.jit(lambda target, pole: _in(jax.numpy, target, limbs.r1, limbs.r2, pole))
    return {"jax.jit": lambda: solve(target, pole).block_until_ready()}


def _torch(torch, limbs, threads, solve=None, name="torch"):
    torch.set_num_threads(threads)
    target, pole = (None if v is None else torch.from_numpy(v) for v in (limbs.target, limbs.pole))
    solve = solve or (lambda target, pole: _in(torch, target, limbs.r1, limbs.r2, pole))
    return {name: lambda: solve(target, pole)}


def _torch_compiled(torch, limbs, threads):
    torch.compiler.reset()  # it stops compiling after a few different sizes otherwise
    solve = torch.compile(lambda target, pole: _in(torch, target, limbs.r1, limbs.r2, pole))
    return _torch(torch, limbs, threads, solve, "torch.compile")


def _numba(numba, limbs, threads):
    target, _, r1, r2, pole, out = limbs
    numba.set_num_threads(threads)
    if "loops" not in COMPILED:
        COMPILED["loops"] = _compile(numba)
    plane, space = COMPILED["loops"]
    kind = target.dtype.type
    r1, r2, joint = kind(r1), kind(r2), np.empty_like(out)

    def run():
        if pole is None:
            plane(target, r1, r2, joint)
        else:
            space(target, r1, r2, pole, joint)
        return joint

    return {"numba": run}


COMPILED = {}  # a cache of numba's functions


def _compile(numba):
    def plane(target, r1, r2, out):
        two = r1 / r1 + r1 / r1  # of the type of the bones
        for i in numba.prange(len(target)):
            x, y = target[i, 0], target[i, 1]
            h = x * x + y * y
            w = h + r1 * r1 - r2 * r2
            s = np.sqrt(max(two * two * r1 * r1 * h - w * w, h - h))
            out[i, 0] = (w * x - s * y) / (two * h)
            out[i, 1] = (w * y + s * x) / (two * h)

    def space(target, r1, r2, pole, out):
        two = r1 / r1 + r1 / r1
        a, b, c = pole[0], pole[1], pole[2]
        for i in numba.prange(len(target)):
            x, y, z = target[i, 0], target[i, 1], target[i, 2]
            h = x * x + y * y + z * z
            w = h + r1 * r1 - r2 * r2
            s = np.sqrt(max(two * two * r1 * r1 * h - w * w, h - h))
            along = (x * a + y * b + z * c) / h
            u, v, t = a - along * x, b - along * y, c - along * z
            s *= np.sqrt(h / (u * u + v * v + t * t))
            out[i, 0] = (w * x + s * u) / (two * h)
            out[i, 1] = (w * y + s * v) / (two * h)
            out[i, 2] = (w * z + s * t) / (two * h)

    return [numba.njit(parallel=True, nogil=True)(loop) for loop in (plane, space)]


# --- one limb per call --------------------------------------------------------------------


def _formula(math, limbs, threads):
    """Solve by the article's formula in plain Python, as in a control loop."""
    (px, py), r1, r2 = limbs.target[0].tolist(), limbs.r1, limbs.r2

    def solve(px, py, r1, r2):
        h = px * px + py * py
        w = h + r1 * r1 - r2 * r2
        s = math.sqrt(max(4.0 * r1 * r1 * h - w * w, 0.0))
        return (w * px - s * py) / (2.0 * h), (w * py + s * px) / (2.0 * h)

    return {"article in Python": lambda: solve(px, py, r1, r2)}


def _armkin(armkin, limbs, threads):
    (px, py), r1, r2 = limbs.target[0].tolist(), limbs.r1, limbs.r2
    return _robot("armkin", limbs, lambda: armkin.inverse(r1, r2, px, py)[0])


def _eaik(module, limbs, threads):
    arm, poses = _eaik_arm(module, limbs)
    return _robot("EAIK", limbs, lambda: arm.IK(poses[0]).Q[0][0])


def _eaik_batch(module, limbs, threads):
    arm, poses = _eaik_arm(module, limbs)
    return _robot("EAIK", limbs, lambda: arm.IK_batched(poses, threads)[0].Q[0][0])


def _eaik_arm(module, limbs):
    """Return an arm with three hinges, and poses; EAIK solves for the rotation of the hand too."""
    offsets = np.array([[0.0, 0, 0], [limbs.r1, 0, 0], [limbs.r2, 0, 0], [0, 0, 0]])
    arm = module.HPRobot(np.tile([0.0, 0.0, 1.0], (3, 1)), offsets)
    poses = np.tile(np.eye(4), (len(limbs.target), 1, 1))
    poses[:, :2, 3] = limbs.target
    return arm, list(poses)


def _ikpy(module, limbs, threads):
    link, none = importlib.import_module("ikpy.link"), [0.0, 0.0, 0.0]
    axis = [0.0, 0.0, 1.0]
    chain = module.Chain(
        [
            link.OriginLink(),
            link.URDFLink("first", none, none, rotation=axis),
            link.URDFLink("second", [limbs.r1, 0.0, 0.0], none, rotation=axis),
            link.URDFLink("end", [limbs.r2, 0.0, 0.0], none, joint_type="fixed"),
        ],
        active_links_mask=[False, True, True, False],
    )
    target = [*limbs.target[0].tolist(), 0.0]
    start = [0.0, 0.3, 0.3, 0.0]
    return _robot(
        "ikpy", limbs, lambda: chain.inverse_kinematics(target, initial_position=start)[1]
    )


def _tinyik(module, limbs, threads):
    arm = module.Actuator(["z", [limbs.r1, 0.0, 0.0], "z", [limbs.r2, 0.0, 0.0]])
    target = [*limbs.target[0].tolist(), 0.0]

    def solve():
        arm.angles = [0.3, 0.3]
        arm.ee = target
        return arm.angles[0]

    return _robot("tinyik", limbs, solve)


def _roboticstoolbox(module, limbs, threads):
    arm = module.DHRobot([module.RevoluteDH(a=limbs.r1), module.RevoluteDH(a=limbs.r2)]).ets()
    pose, start, mask = np.eye(4), np.array([0.3, 0.3]), np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    pose[:2, 3] = limbs.target[0]
    return _robot(
        "roboticstoolbox", limbs, lambda: arm.ik_LM(pose, q0=start, mask=mask, tol=1e-12)[0][0]
    )


def _robot(name, limbs, solve):
    """Return a solver by name, after a check that its first angle is right for one side."""
    angle = float(solve())
    joint = limbs.r1 * np.array([math.cos(angle), math.sin(angle)])
    sides = [article(limbs.target[:1], limbs.r1, limbs.r2, side, None)[0] for side in (1.0, -1.0)]
    if not any(np.allclose(joint, wanted, atol=1e-2) for wanted in sides):
        raise ValueError(f"{name} solves something else")
    return {name: solve}


SINGLE = {
    "math": _formula,
    "armkin": _armkin,
    "eaik.IK_HP": _eaik,
    "roboticstoolbox": _roboticstoolbox,
    "ikpy.chain": _ikpy,
    "tinyik": _tinyik,
}
BATCHED = {"eaik.IK_HP": _eaik_batch}
