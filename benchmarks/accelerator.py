"""Test and measure `solve` and `reach` on a GPU: `python benchmarks/accelerator.py`

First, limbs of all families of the tests are solved and differentiated on the device and on the
CPU. Then the time of `solve` is compared with that of a copy on the device: forward it reads a
target and writes a joint, backward it reads both again (a target, a derivative) and writes one.
The goals are .6 of the copy's bandwidth forward, and .5 forward and backward, for 1e7 limbs.

Without a GPU the script says so and does the same on the CPU, whose compiler of PyTorch then
stands in for the GPU's: the tests mean something, the ratios only that the script works.
"""

import argparse
import contextlib
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import recorded
import torch

import twobone
from twobone.core import for_accelerators, for_torch

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from families import FAMILIES, make

COUNT, COUNT_ON_CPU = 10_000_000, 200_000
ROWS = 2_000  # of each family
REPEATS = 20
EPS = {torch.float32: 2.0**-23, torch.float64: 2.0**-52}
GOALS = {"forward": 0.6, "forward and backward": 0.5}
LIMIT = 5.0  # eps r1: device and CPU are each within 2.5 of the exact joint
SLOPE_LIMIT = 1e-6  # of the row's largest derivative


def find_device():
    """Return the device that kernels are compiled for; the CPU if there is none."""
    for kind in for_torch.ACCELERATORS:
        module = getattr(torch, kind, None)
        if module is not None and module.is_available():
            return torch.device(kind, module.current_device())
    return torch.device("cpu")


def wait(device):
    if device.type != "cpu":
        getattr(torch, device.type).synchronize(device)


def name_of(device):
    if device.type == "cpu":
        return "the CPU, in place of a GPU"
    return getattr(torch, device.type).get_device_name(device)


# --- tests --------------------------------------------------------------------------------


def limbs(dtype, size):
    """Return limbs of every family that are finite and have derivatives: tensors on the CPU."""
    numbers = np.float32 if dtype is torch.float32 else np.float64
    rng = np.random.default_rng(1)
    parts = [make(name, numbers, size, ROWS, rng) for name in FAMILIES]
    return [
        None if each[0] is None else torch.tensor(np.concatenate(each))
        for each in zip(*parts, strict=True)
    ]


def reach(values, device):
    """Return joint, end, status and the derivatives by target, r1, r2 and pole, on the CPU."""
    target, r1, r2, side, pole = (
        None if v is None else v.clone().to(device).detach().requires_grad_() for v in values
    )
    found = twobone.reach(target, r1, r2, side=side, pole=pole)
    loss = torch.nan_to_num(found.joint).sum() + torch.nan_to_num(2.0 * found.end).sum()
    leaves = [v for v in (target, r1, r2, pole) if v is not None]
    slopes = torch.autograd.grad(loss, leaves)
    slopes = torch.cat([s.reshape(len(target), -1).double() for s in slopes], 1)
    return [part.detach().cpu() for part in (*found, slopes)]


def hard_rows(values):
    target, r1, r2, side, pole = values
    t = for_accelerators.REALS[target.dtype]
    targets = for_accelerators._targets(target.shape[-1], target, r1, r2, side, pole)
    policy = for_accelerators.engine.policy_of_numbers([0.0])
    return for_accelerators.fused.solve(for_torch.EAGER, t, targets, policy)[1]


def test(device, dtype, size):
    """Compare the device with the CPU; return what was found."""
    values = limbs(dtype, size)
    start = time.perf_counter()
    joint, _, status, slopes = reach(values, device)
    seconds = time.perf_counter() - start
    with serving():
        wanted, _, wanted_status, wanted_slopes = reach(values, torch.device("cpu"))
    moderate = ~hard_rows(values)
    r1 = values[1].double()
    apart = torch.linalg.vector_norm(joint.double() - wanted.double(), dim=-1)
    error = (apart / (EPS[dtype] * r1))[moderate & (r1 > 0)].max().item()
    largest = wanted_slopes.abs().amax(1)
    # The CPU's kernel limits each term to the largest number of the type before it adds them.
    fits = slopes.abs().amax(1) < 1e-3 * torch.finfo(dtype).max
    apart = (slopes - wanted_slopes).abs().amax(1) / largest.clamp_min(1e-300)
    return {
        "case": f"{dtype}, {size}-D"[6:],
        "limbs": len(r1),
        "hard": int((~moderate).sum()),
        "error": error,
        "statuses": int((status != wanted_status).sum()),
        "slopes": apart[moderate & fits].max().item(),
        "first_call_s": seconds,
    }


@contextlib.contextmanager
def serving(*kinds):
    """Let kernels be compiled for these kinds of devices for a while."""
    before, for_torch.ACCELERATORS = for_torch.ACCELERATORS, kinds
    try:
        yield
    finally:
        for_torch.ACCELERATORS = before


# --- measurements -------------------------------------------------------------------------


def median_time(function, device):
    for _ in range(3):
        function()
    times = []
    for _ in range(REPEATS):
        wait(device)
        start = time.perf_counter()
        function()
        wait(device)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def bandwidth(device, count):
    """Return the bytes per second that a copy reads and writes."""
    source = torch.ones(6 * count, device=device)
    copy = torch.empty_like(source)
    return 2 * source.nbytes / median_time(lambda: copy.copy_(source), device)


def measure(device, dtype, size, count, per_second):
    """Return the times of `solve`, and the shares of the copy's bandwidth."""
    generator = torch.Generator().manual_seed(1)
    target = torch.randn(count, size, generator=generator, dtype=dtype).to(device)
    pole = None if size == 2 else torch.tensor([0.0, 0.0, 1.0], dtype=dtype, device=device)
    lengths = [torch.tensor(v, dtype=dtype, device=device) for v in (1.0, 0.8)]
    leaf, bar = target.clone().requires_grad_(), torch.ones_like(target)

    def forward():
        return twobone.solve(target, *lengths, pole=pole)

    def both():
        return torch.autograd.grad(twobone.solve(leaf, *lengths, pole=pole), leaf, bar)

    rows = []
    for name, function, passes in (("forward", forward, 2), ("forward and backward", both, 5)):
        seconds = median_time(function, device)
        share = passes * target.nbytes / seconds / per_second
        case = f"{dtype}, {size}-D"[6:]
        rows.append({"case": case, "what": name, "ms": 1e3 * seconds, "share": share})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, help=f"limbs; {COUNT} on a GPU")
    recorded.option(parser)
    options = parser.parse_args()
    device = find_device()
    is_cpu = device.type == "cpu"
    count = options.count or (COUNT_ON_CPU if is_cpu else COUNT)
    print(f"PyTorch {torch.__version__} on {name_of(device)}")
    if is_cpu:
        print(
            "PyTorch sees no GPU here, so nothing below is a measurement of one. The CPU takes\n"
            "its place, with the kernels that PyTorch's compiler writes for it: this tests the\n"
            "answers and the script."
        )
    tests, times = [], []
    for_accelerators.MANY_ROWS = 2
    with serving(device.type):
        for dtype in EPS:
            for size in (2, 3):
                found = test(device, dtype, size)
                tests.append(found)
                print(
                    f"{found['case']}: {found['limbs']} limbs, {found['hard']} of them by single "
                    f"operations; of the others, joints within {found['error']:.2f} eps r1 of the "
                    f"CPU's, {found['statuses']} other statuses, derivatives within "
                    f"{found['slopes']:.1e}; the first call took {found['first_call_s']:.0f} s"
                )
        per_second = bandwidth(device, count)
        print(f"copy: {per_second / 1e9:.0f} GB/s")
        for dtype in EPS:
            for size in (2, 3):
                for row in measure(device, dtype, size, count, per_second):
                    times.append(row)
                    goal = "" if is_cpu else f" (goal {GOALS[row['what']]})"
                    print(
                        f"{row['case']}, {count} limbs, {row['what']}: {row['ms']:.3f} ms, "
                        f"{row['share']:.3f} of the copy's bandwidth{goal}"
                    )
    if options.json:
        about = recorded.machine(torch=torch.__version__, device=name_of(device), count=count)
        recorded.write(options.json, about, tests=tests, times=times, copy=[per_second])
    bad = [
        t for t in tests if t["error"] > LIMIT or t["statuses"] or not t["slopes"] <= SLOPE_LIMIT
    ]
    if bad:
        sys.exit("FAILED: " + "; ".join(each["case"] for each in bad))


if __name__ == "__main__":
    main()
