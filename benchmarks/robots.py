"""A robot leg: one foot beside other solvers, one target by `reach` for any limb, and batches.

`python benchmarks/robots.py` takes half a minute. All solvers of a table are measured alternately.
"""

import functools
import platform
import statistics
import timeit

import numpy as np
import robot_rivals

import twobone
from twobone import robots

ROUNDS, ROWS, POSES = 15, 20_000, 200
SEED = np.array([0.0, 0.9, -1.8])  # the rest pose, from which solvers that iterate start
SAME = 1e-6  # radians: angles that differ by less are the same branch
OFF = 1e-5  # radians by which an axis of the skewed limbs is off
ARM = (  # of four or five joints: offset and axis of each, then the tip
    ("0 0 0.1", "0 0 1"),
    ("0.03 0 0.05", "0 1 0"),
    ("0 0 0.116", "0 1 0"),
    ("0 0 0.135", "0 1 0"),
    ("0 0 0.06", "0 0 1"),
)


def limb(steps, tip, rest, off=0.0):
    """Return a limb without limits; the second of its parallel axes is off by an angle."""
    hinges = [i for i, (_, axis) in enumerate(steps) if axis == "0 1 0"]
    text = "".join(f'<link name="{i}"/>' for i in range(len(steps) + 2))
    rows = [*((place, "continuous", axis) for place, axis in steps), (tip, "fixed", "1 0 0")]
    for i, (place, kind, axis) in enumerate(rows):
        axis = f"{off} 1 0" if i == hinges[1] else axis
        text += f'<joint name="j{i}" type="{kind}"><parent link="{i}"/><child link="{i + 1}"/>'
        text += f'<origin xyz="{place}"/><axis xyz="{axis}"/></joint>'
    return robots.read_urdf(f"<robot>{text}</robot>").limb(str(len(steps) + 1), rest=rest)


def alternately(functions, number, rounds=ROUNDS):
    """Return the least time of each function in microseconds: other programs disturb it least."""
    times = [[] for _ in functions]
    for _ in range(rounds):
        for taken, function in zip(times, functions, strict=True):
            taken.append(timeit.timeit(function, number=number) / number * 1e6)
    return list(map(min, times))


def pose_of(leg, angles):
    """Return the foot's frame as a matrix, which EAIK needs."""
    about_y, matrix = angles[1] + angles[2], np.eye(4)
    (s, c), (t, d) = ((np.sin(a), np.cos(a)) for a in (angles[0], about_y))
    matrix[:3, :3] = [[d, 0, t], [s * t, c, -s * d], [-c * t, s, c * d]]
    matrix[:3, 3] = leg.forward_kinematics(angles)
    return matrix


def solve_rows(solve, rows):
    """Solve some targets one after the other."""
    for row in rows:
        solve(*row, SEED)


def beside_others(leg):
    """Yield lines about one foot at a time, by all solvers."""
    found, missing = robot_rivals.rivals()
    angles = np.random.default_rng(1).uniform(*leg.limits.T, (2 * POSES, 3))
    targets = leg.forward_kinematics(angles)
    first = np.abs(leg.solve_all(targets).angles[:, 0] - angles).max(axis=1) < SAME
    angles, targets = angles[first][:POSES], targets[first][:POSES]
    poses = [pose_of(leg, each) for each in angles]
    solvers = {
        "solve_xyz": lambda target, pose, seed: leg.solve_xyz(*target),
        "by hand, acos": lambda target, pose, seed: robot_rivals.by_hand(*target),
        "reach": lambda target, pose, seed: leg.reach(target, near=seed).angles,
    } | found
    given = {"solve_xyz": targets.tolist(), "by hand, acos": targets.tolist()}
    taken = {name: [] for name in solvers}
    for i in range(0, POSES, 10):
        for name, solve in solvers.items():
            rows = list(zip(given.get(name, targets)[i : i + 10], poses[i : i + 10], strict=True))
            run = functools.partial(solve_rows, solve, rows)
            taken[name].append(min(timeit.repeat(run, number=1, repeat=3)) / len(rows) * 1e6)
    yield f"{POSES} poses in the branch of the rest pose {SEED.tolist()}, which is the seed:"
    yield f"{'':24}{'us a solve':>12}{'asked branch':>14}{'median miss':>14}{'worst miss':>12}"
    for name, solve in solvers.items():
        rows = zip(given.get(name, targets), poses, strict=True)
        q = np.array([solve(*row, SEED) for row in rows])
        apart = np.abs((q - angles + np.pi) % (2.0 * np.pi) - np.pi).max(axis=1)
        miss = np.linalg.norm(leg.forward_kinematics(q) - targets, axis=1)
        line = f"{name:24}{statistics.median(taken[name]):12.2f}{np.mean(apart < SAME):14.0%}"
        yield f"{line}{np.median(miss):12.0e} m{miss.max():10.0e} m"
    yield from missing


def one_target():
    """Yield lines about one target by `reach`, for each kind of limb."""
    leg = (("0.2 -0.05 0", "1 0 0"), ("0 -0.1 0", "0 1 0"), ("0 0 -0.2", "0 1 0"))
    kinds = {
        "leg": (leg, [0.0, 0.8, -1.6]),
        "leg of two joints": (leg[1:], [0.8, -1.6]),
        "arm of four joints": (ARM[:4], [0.1, 0.3, 0.8, 0.6]),
        "arm of five joints": (ARM, [0.1, 0.3, 0.8, 0.6, 0.2]),
    }
    functions, names = [], []
    for kind, (steps, rest) in kinds.items():
        for off in (0.0, OFF):
            made = limb(steps, "0 0.01 -0.2" if kind[0] == "l" else "0 0 0.1", rest, off)
            target = made.forward_kinematics(np.array(rest) + 0.1)
            tool = {"pitch": 0.3} if isinstance(made, robots.Arm) else {}
            functions.append(lambda made=made, target=target, tool=tool: made.reach(target, **tool))
            names.append(f"{kind}, axes {'off by 1e-5' if off else 'square'}")
    yield "one target by reach, an array in, arrays out:"
    for name, taken in zip(names, alternately(functions, 20, rounds=60), strict=True):
        yield f"{name:44}{taken:8.1f} us"


def batches(leg):
    """Yield lines about many targets."""
    low, high = leg.limits.T
    feet = leg.forward_kinematics(np.random.default_rng(1).uniform(low, high, (ROWS, 3)))
    pole = np.array([0.0, 0.0, 1.0])
    batch, points = alternately(
        [lambda: leg.solve_all(feet), lambda: twobone.reach(feet, 0.213, 0.213, pole=pole)], 1
    )
    batch, points = batch / ROWS / 4 * 1e3, points / ROWS * 1e3
    yield (
        f"{ROWS:,} feet: solve_all {batch:.0f} ns a row and branch, twobone.reach {points:.1f} ns"
        f" a row, {batch / points:.1f} times"
    )


def beyond_limits(leg):
    """Yield lines about targets that the limits of the joints keep the foot from."""
    middle = leg.forward_kinematics([0.0, 0.0, 0.0])
    middle[2] += sum(leg.bones)  # the hip
    targets = np.random.default_rng(48).uniform(-0.6, 0.6, (ROWS, 3)) + middle
    found = leg.solve_all(targets)
    targets = targets[~found.within.any(axis=1)]
    clipped = leg.forward_kinematics(found.angles.clip(*leg.limits.T))[~found.within.any(axis=1)]
    clipped = np.linalg.norm(clipped - targets[:, None], axis=-1).min(axis=1)
    nearest = np.linalg.norm(leg.reach(targets, limits="clamp").end - targets, axis=1)
    worst = np.argmax(clipped - nearest)
    yield (
        f"{len(targets):,} targets beyond limits: the foot misses by {nearest.mean():.3f} m, with"
        f" clipped angles by {clipped.mean():.3f} m, {np.mean(clipped > nearest + 0.01):.0%} of"
        f" them by 1 cm more, one by {clipped[worst]:.3f} instead of {nearest[worst]:.3f}"
    )
    few = targets[:60]
    functions = [functools.partial(leg.reach, each, limits="clamp") for each in few]
    one = statistics.median(alternately(functions, 5))
    many = alternately([lambda: leg.reach(targets, limits="clamp")], 1, rounds=5)[0]
    yield f"{one:.0f} us one by one, {many / len(targets):.1f} us a row of an array"


def main():
    leg = robots.read_urdf(robot_rivals.leg_text()).leg("foot")
    foot = (0.2, -0.14, -0.3)
    both = leg.solve_xyz(*foot), robot_rivals.by_hand(*foot)
    assert max(abs(a - b) for a, b in zip(*both, strict=True)) < 1e-12
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    ours, hand = alternately(
        [lambda: leg.solve_xyz(*foot), lambda: robot_rivals.by_hand(*foot)], 5000
    )
    print(f"one foot, Python floats: solve_xyz {ours:.2f} us, by hand {hand:.2f} us,", end=" ")
    print(f"{ours / hand:.2f} times")
    for lines in (beside_others(leg), one_target(), batches(leg), beyond_limits(leg)):
        print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
