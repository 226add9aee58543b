"""Hold the kernel for processors with NEON against that of this machine, bit by bit, under emulation.

Run by hand: `python tests/kernel_emulated.py --count 200000`. It needs g++ for this machine and
for aarch64, and qemu: `apt-get install g++-aarch64-linux-gnu qemu-user-static`.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KERNEL = Path(__file__).parents[1] / "src" / "kernel"
PROGRAM = Path(__file__).with_suffix(".cpp")
FLAGS = "-std=gnu++17 -O3 -ffp-contract=off -fno-math-errno -fno-tree-slp-vectorize".split()
SETS = {  # as in CMakeLists.txt
    "baseline": "",
    "avx2": "-mavx2 -mfma",
    "avx512": "-mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mprefer-vector-width=512",
}
EMULATED = "aarch64-linux-gnu-g++"
NEEDED = "g++", EMULATED, "qemu-aarch64-static"


def build(compiler, sets, folder):
    """Return the path of the compiled program with the loops of some instruction sets."""
    objects = []
    for name in sets:
        objects.append(folder / f"{compiler}_{name}.o")
        loops = ["-c", KERNEL / "loops.cpp", f"-DTWOBONE_LOOPS={name}", "-o", objects[-1]]
        subprocess.run([compiler, *FLAGS, "-w", *SETS[name].split(), *loops], check=True)
    made = folder / f"{compiler}_all"
    link = ["-static", f"-I{KERNEL}", PROGRAM, *objects, "-o", made]
    subprocess.run([compiler, *FLAGS, *link], check=True)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=50_000, help="batches of up to 500 limbs")
    count = parser.parse_args().count
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        sys.exit(f"missing: {', '.join(missing)}; see the first lines of this file")
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        words = set(file.read().split())
    runs = {"avx2": {"avx2", "fma"}, "avx512": {"avx512f", "avx512vl", "avx512dq", "avx512bw"}}
    here = ["baseline", *(name for name, needs in runs.items() if needs <= words)]
    with tempfile.TemporaryDirectory() as folder:
        program = build("g++", SETS, Path(folder))
        emulated = build(EMULATED, ["baseline"], Path(folder))
        commands = {name: [program, name] for name in here}
        commands["NEON, emulated"] = ["qemu-aarch64-static", emulated, "baseline"]
        printed = {
            name: subprocess.check_output([*command, str(count)], text=True).splitlines()
            for name, command in commands.items()
        }
    first = printed["baseline"]
    wrong = 0
    for name, lines in printed.items():
        differ = [(ours, line) for ours, line in zip(first, lines, strict=True) if ours != line]
        print(f"{name}: {len(lines):,} batches, {len(differ)} with other bits than baseline")
        for ours, line in differ[:5]:
            print(f"    {ours}\n    {line}")
        wrong += len(differ)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
