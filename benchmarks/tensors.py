"""Compare `solve` on tensors with six lines of the same library: `python benchmarks/tensors.py`

Each library runs in a process of its own, on one thread. Targets are in space and in reach, bones
and pole are numbers and a vector. "gradient" is the forward pass and the backward pass to the
target. Times are medians of runs in turns. The NumPy kernel solves the same targets beside them.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import recorded

import twobone
from twobone import Limb, LocalPose, Skeleton

R1, R2, POLE = 1.0, 0.8, (0.0, 0.0, 1.0)
COUNTS = (1_000, 100_000, 10_000_000)
DTYPES = ("float32", "float64")
FRAMES = 1_000
ROUNDS, LEAST_ROUNDS = 40, 3
SECONDS = 2.0  # for one case: the rounds stop then
SAMPLE = 2e-3  # seconds of one sample: short calls are repeated, for the clock
ONE_THREAD = {
    "TWOBONE_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def targets(count, dtype):
    """Return targets in space that the bones reach."""
    rng = np.random.default_rng(1)
    way = rng.normal(size=(count, 3))
    way /= np.linalg.norm(way, axis=-1, keepdims=True)
    return (way * rng.uniform(0.3, 1.7, (count, 1))).astype(dtype)


def a_clip():
    """Return a limb, poses of `FRAMES` frames, and a target for each."""
    rng = np.random.default_rng(2)
    skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
    rotations = rng.normal(size=(FRAMES, 3, 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return Limb(skeleton, 0, 1, 2), rotations, rng.uniform(-0.3, 0.3, (FRAMES, 3))


def in_turns(functions):
    """Return the median time of each function in microseconds, measured in turns."""
    repeats = {}
    for name, function in functions.items():
        function()
        start = time.perf_counter()
        function()
        repeats[name] = max(1, int(SAMPLE / (time.perf_counter() - start)))
    times = {name: [] for name in functions}
    begun = time.perf_counter()
    for i in range(ROUNDS):
        if i >= LEAST_ROUNDS and time.perf_counter() - begun > SECONDS:
            break
        for name, function in functions.items():
            start = time.perf_counter()
            for _ in range(repeats[name]):
                function()
            times[name].append((time.perf_counter() - start) / repeats[name])
    return {name: 1e6 * statistics.median(each) for name, each in times.items()}


def seconds_of(call):
    """Return how long one call takes, in seconds."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def kernel_of(given):
    """Return a function: the NumPy kernel on the same targets."""
    pole = np.array(POLE, given.dtype)
    return lambda: twobone.solve(given, R1, R2, pole=pole)


# --- PyTorch ------------------------------------------------------------------------------


def of_torch(counts):
    """Return what was measured with PyTorch: batches, compile times, and what else has a bar."""
    import torch

    def six(target, pole):
        h = (target * target).sum(-1, keepdim=True)
        w = h + R1 * R1 - R2 * R2
        m = pole * h - target * (target * pole).sum(-1, keepdim=True)
        s = (4 * R1 * R1 * h - w * w).clamp(min=0)
        across = m * (h / (m * m).sum(-1, keepdim=True)).sqrt()
        return (w * target + s.sqrt() * across) / (2 * h)

    def ours(target, pole):
        return twobone.solve(target, R1, R2, pole=pole)

    def forward(function, target, pole):
        def call():
            with torch.no_grad():
                function(target, pole)

        return call

    def gradient(function, target, pole):
        leaf, bar = target.clone().requires_grad_(), torch.ones_like(target)

        def call():
            leaf.grad = None
            function(leaf, pole).backward(bar)

        return call

    both = {"twobone": ours, "six lines": six}
    small = torch.from_numpy(targets(1_000, "float32")), torch.tensor(POLE)
    compiled, compile_times = {}, {}
    for name, function in both.items():
        compiled[name] = torch.compile(function, fullgraph=True, dynamic=True)
        compile_times[name] = seconds_of(gradient(compiled[name], *small))
        forward(compiled[name], *small)()
    rows = []
    for dtype in DTYPES:
        for count in counts:
            numpy = targets(count, dtype)
            target = torch.from_numpy(numpy)
            pole = torch.tensor(POLE, dtype=target.dtype)
            for how, chosen in (("eager", both), ("compiled", compiled)):
                for what, made in (("forward", forward), ("gradient", gradient)):
                    calls = {name: made(each, target, pole) for name, each in chosen.items()}
                    calls["NumPy"] = kernel_of(numpy)
                    about = {"library": "torch", "dtype": dtype, "count": count}
                    rows.append({**about, "how": how, "what": what, "us": in_turns(calls)})
                    show(rows[-1])
    compiling = [{"what": "torch.compile(solve), forward and backward", "s": compile_times}]
    show(compiling[-1])
    return {"rows": rows, "compiling": compiling, "calls": [*_one_limb(torch), *_clips(torch)]}


def _one_limb(torch):
    """Return times of one call for one limb, beside a custom operator that does nothing."""

    @torch.library.custom_op("twobone_bench::nothing", mutates_args=())
    def nothing(target: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(target)

    nothing.register_fake(torch.empty_like)
    nothing.register_autograd(lambda context, bar: bar)
    one, pole = torch.tensor([1.0, 0.5, 0.2]), torch.tensor(POLE)
    leaf, bar = one.clone().requires_grad_(), torch.ones(3)
    found = []
    for what, given in (("forward", one), ("forward and backward", leaf)):

        def times(function, given=given):
            def call():
                joint = function(given)
                if joint.requires_grad:
                    joint.backward(bar)

            return call

        calls = {
            "twobone": times(lambda target: twobone.solve(target, R1, R2, pole=pole)),
            "empty operator": times(nothing),
        }
        found.append({"what": f"one limb, {what}", "us": in_turns(calls)})
        show(found[-1])
    return found


def _clips(torch):
    """Return times of `Limb.reach` for a clip, beside NumPy."""
    limb, rotations, aims = a_clip()
    pose, tensors = LocalPose(rotations), LocalPose(torch.from_numpy(rotations))
    aim = torch.from_numpy(aims)
    leaf = aim.clone().requires_grad_()

    def numpy():
        limb.reach(pose, aims)

    def forward():
        limb.reach(tensors, aim)

    def gradient():
        leaf.grad = None
        limb.reach(tensors, leaf).pose.rotations.sum().backward()

    for call in (numpy, forward, gradient):
        for _ in range(3):  # formulas are traced in the first calls
            call()
    what = f"Limb.reach, {FRAMES:,} frames"
    found = {"NumPy": numpy, "forward": forward, "forward and backward": gradient}
    times = [{"what": what, "us": in_turns(found)}]
    show(times[-1])
    return times


# --- JAX ----------------------------------------------------------------------------------


def of_jax(counts):
    """Return what was measured with JAX: batches and compile times."""
    import jax

    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy

    def six(target, pole):
        h = (target * target).sum(-1, keepdims=True)
        w = h + R1 * R1 - R2 * R2
        m = pole * h - target * (target * pole).sum(-1, keepdims=True)
        s = jnp.maximum(4 * R1 * R1 * h - w * w, 0)
        across = m * jnp.sqrt(h / (m * m).sum(-1, keepdims=True))
        return (w * target + jnp.sqrt(s) * across) / (2 * h)

    def ours(target, pole):
        return twobone.solve(target, R1, R2, pole=pole)

    def gradient_of(function):
        def both(target, pole, bar):
            joint, pull = jax.vjp(lambda p: function(p, pole), target)
            return joint, pull(bar)[0]

        return both

    both = {"twobone": ours, "six lines": six}
    forward = {name: jax.jit(function) for name, function in both.items()}
    gradient = {name: jax.jit(gradient_of(function)) for name, function in both.items()}
    rows = []
    for dtype in DTYPES:
        for count in counts:
            numpy = targets(count, dtype)
            target, pole = jnp.asarray(numpy), jnp.asarray(np.array(POLE, dtype))
            bar = jnp.ones_like(target)
            for what, chosen, more in (("forward", forward, ()), ("gradient", gradient, (bar,))):
                given = (target, pole, *more)
                calls = {
                    name: lambda each=each, given=given: jax.block_until_ready(each(*given))
                    for name, each in chosen.items()
                }
                calls["NumPy"] = kernel_of(numpy)
                about = {"library": "jax", "dtype": dtype, "count": count}
                rows.append({**about, "how": "jit", "what": what, "us": in_turns(calls)})
                show(rows[-1])
    return {"rows": rows, "compiling": _compiled_by_jax(jax, six), "calls": []}


def _compiled_by_jax(jax, six):
    """Return how long JAX takes to compile what is slow to compile."""
    jnp = jax.numpy
    one, pole = jnp.array([1.0, 0.5, 0.2]), jnp.array(POLE)
    soft = twobone.Soft(0.1)
    limb, rotations, aims = a_clip()

    def height(target):
        return twobone.solve(target, R1, R2, pole=pole, unreachable=soft)[1]

    def posed(rotations, aim):
        return limb.reach(LocalPose(rotations), aim).pose.rotations

    given = jnp.asarray(rotations), jnp.asarray(aims)
    found = [
        {
            "what": "jax.hessian(solve) with Soft, in space",
            "s": {
                "twobone": seconds_of(lambda: jax.jit(jax.hessian(height)).lower(one).compile()),
                "six lines": seconds_of(
                    lambda: jax.jit(jax.hessian(lambda p: six(p, pole)[1])).lower(one).compile()
                ),
            },
        },
        {
            "what": "jax.jit(Limb.reach)",
            "s": {"twobone": seconds_of(lambda: jax.jit(posed).lower(*given).compile())},
        },
    ]
    for row in found:
        show(row)
    return found


# --- all ----------------------------------------------------------------------------------


def show(row):
    """Print one result, on standard error, because standard output carries all of them."""
    where = [str(row[name]) for name in ("library", "dtype", "count", "how", "what") if name in row]
    unit = "us" if "us" in row else "s"
    times = "  ".join(f"{name} {value:,.4g}" for name, value in row[unit].items())
    print(f"{', '.join(where):60} {unit}: {times}", file=sys.stderr, flush=True)


LIBRARIES = {"torch": of_torch, "jax": of_jax}


def run(library, counts):
    """Return what a new process measures with a library."""
    done = subprocess.run(
        [sys.executable, __file__, "--here", library, "--counts", *map(str, counts)],
        env=os.environ | ONE_THREAD,
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--here", choices=LIBRARIES, help="measure a library in this process")
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS, help="limbs in a batch")
    recorded.option(parser)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(LIBRARIES[options.here](options.counts)))
        return
    found = [run(library, options.counts) for library in LIBRARIES]
    parts = {part: [row for each in found for row in each[part]] for part in found[0]}
    if options.json:
        import jax
        import torch

        about = recorded.machine(torch=torch.__version__, jax=jax.__version__)
        recorded.write(options.json, about, **parts)


if __name__ == "__main__":
    main()
