"""Hold the kernel's loops for several processors against each other, bit by bit.

`python tools/kernel_processors.py` compares those that run here: with and without AVX, and without
vectors, as they are compiled for processors other than x86. `--emulate` adds ARM, under emulation:
`apt-get install g++-aarch64-linux-gnu qemu-user-static`.
"""

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KERNEL = Path(__file__).parents[1] / "src" / "kernel"
PROGRAM = Path(__file__).with_suffix(".cpp")
FLAGS = ["-std=gnu++17", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-tree-slp-vectorize"]
FLAGS += ["-fno-tree-loop-vectorize"]
SETS = {  # name: flags as in CMakeLists.txt, and what /proc/cpuinfo must list
    "without vectors": ("-U__SSE2__", ()),
    "baseline": ("", ()),
    "avx2": ("-mavx2 -mfma", ("avx2", "fma")),
    "avx512": (
        "-mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mprefer-vector-width=512",
        ("avx512f", "avx512vl", "avx512dq", "avx512bw"),
    ),
}
ARM = "aarch64-linux-gnu-g++"
EMULATOR = "qemu-aarch64-static"


def build(compiler, flags, made):
    """Compile the program with the loops of one instruction set."""
    sources = [PROGRAM, KERNEL / "loops.cpp"]
    options = [*FLAGS, "-w", *flags.split(), "-DTWOBONE_LOOPS=baseline", f"-I{KERNEL}", "-static"]
    subprocess.run([compiler, *options, *sources, "-o", made], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, beside baseline")
    parser.add_argument("--count", type=int, default=20_000, help="batches of up to 500 limbs")
    parser.add_argument("--emulate", action="store_true", help="compare ARM too")
    told = parser.parse_args()
    needed = ["g++", *((ARM, EMULATOR) if told.emulate else ())]
    missing = [name for name in needed if not shutil.which(name)]
    if missing:
        sys.exit(f"missing: {', '.join(missing)}")
    words = set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    sets = SETS if platform.machine() == "x86_64" else {"baseline": SETS["baseline"]}
    with tempfile.TemporaryDirectory() as folder:
        printed = {}
        for name, (flags, needs) in sets.items():
            chosen = not told.names or name in (*told.names, "baseline")
            if chosen and words.issuperset(needs):
                made = Path(folder) / name.replace(" ", "_")
                build("g++", flags, made)
                printed[name] = subprocess.check_output([made, str(told.count)], text=True)
        if told.emulate:
            made = Path(folder) / "arm"
            build(ARM, "", made)
            printed["ARM"] = subprocess.check_output([EMULATOR, made, str(told.count)], text=True)
    lines = {name: text.splitlines() for name, text in printed.items()}
    wrong = 0
    for name, found in lines.items():
        differ = [pair for pair in zip(lines["baseline"], found, strict=True) if len(set(pair)) > 1]
        print(f"{name}: {len(found):,} batches, {len(differ)} with other bits than baseline")
        for pair in differ[:5]:
            print(*pair, sep="\n", end="\n\n")
        wrong += len(differ)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
