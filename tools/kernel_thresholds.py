"""Loosen each limit of the kernel's vectorised path; `kernel_bits.py` must then find wrong bits.

Run by hand after a change of `easy` in src/kernel/solvers.hpp: python tools/kernel_thresholds.py.
Each limit is made twice as loose in a copy of the sources, the copy is built for the baseline, and
the families near that limit are compared. The limits of the pole are removed instead: within them a
pole may be scaled by a power of two without changing a bit, so a factor of 2 cannot be noticed. So
are that of w, because the high word of w is 0 or at least eps / 4 of each of its terms, and the
rounding test of b.

The limits of tiny numbers are bounds for the unlikeliest digits: every low word must be whole, also
that of a product with a low word. They are loosened to where one rounding goes wrong, as comments
in the sources derive: `fine_part` by 4 in the plane, `fine_square` by 4, a part times p.pole below
2^-970, and `fit_least` to where the square of a whole zone is far from normal.
It needs CMake and takes ten minutes.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOOSER = {  # text of the sources: looser text, and a family that must notice
    "at_least(h.high, V(D * R::above": ("at_least(h.high, V(D * R::above / 2", "fast_edges"),
    "V(size * size / R::above), h.high": ("V(2 * size * size / R::above), h.high", "fast_edges"),
    "zero_or_at_least(p[i], 1 / part)": ("zero_or_at_least(p[i], 1 / part / 2)", "tiny_parts"),
    "are_easy_bones<V, R>(r1, r2, side, size))": (
        "are_easy_bones<V, R>(r1, r2, side, 2 * size))",
        "size_edges",
    ),
    "s.good &= bits(is_easy_vector<3>(pole, size, part));": ("", "any_size"),
    "V(16 * R::eps * R::eps * R::above)": (
        "V(8 * R::eps * R::eps)",
        "cancelling",
    ),
    "measure<true, POLICY == twobone::clamp, D": (
        "measure<true, POLICY != twobone::stretch, D",
        "slack_edges",
    ),
    "at_least(V(R::thick) * r1, r2)": ("at_least(V(2 * R::thick) * r1, r2)", "thick_enough"),
    "eps = Real<float>::eps, thick = 0x1p20": (
        "eps = Real<float>::eps, thick = 0x1p21",
        "thick_enough",
    ),
    "nearest * nearest * real<V>(1 + 0x1p-14)": (
        "nearest * nearest * real<V>(1 - 0x1p-10)",
        "kept_edges",
    ),
    "farthest * farthest * real<V>(1 - 0x1p-14)": (
        "farthest * farthest * real<V>(1 + 0x1p-10)",
        "kept_edges",
    ),
    "good = good & rounds_alike(b, s.gap_error * h.high)": ("", "ties"),
    "fine_part[2] = {0x1p-822": ("fine_part[2] = {0x1p-824", "faint_lines"),
    "0x1p-740}, fine_square": ("0x1p-797}, fine_square", "faint_products"),
    "fine_d = 0x1p-175": ("fine_d = 0x1p-232", "faint_products"),
    "fine_square = 0x1p-215": ("fine_square = 0x1p-213", "faint_squares"),
    "V(4 * R::eps) * magnitude(s.bones.c.high)": ("V(0)", "right_angles"),
    "fit_least = 0x1p-430": ("fit_least = 0x1p-530", "axis_edges"),
    "fit_least = 0x1p-38f": ("fit_least = 0x1p-68f", "axis_edges"),
    "double eps = Real<float>::eps": ("double eps = Real<float>::eps / 2", "slack_edges"),
}
COUNT = 800_000


def variants():
    """Return (name, file, source with one limit looser, family) of each limit."""
    sources = [
        ROOT / "src/kernel" / name
        for name in ("exact.hpp", "solvers.hpp", "fitted.hpp", "two_bone.hpp", "loops.cpp")
    ]
    for text, (looser, family) in LOOSER.items():
        found = [path for path in sources if text in path.read_text()]
        if len(found) != 1 or found[0].read_text().count(text) != 1:
            sys.exit(f"kernel_thresholds.py quotes what is not there once: {text}")
        yield text, found[0], found[0].read_text().replace(text, looser), family


def build(tree, into):
    """Build the kernel of a copy of the project, and put it beside the copy's modules."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DTWOBONE_X86=OFF"]
    python = f"-DPython_EXECUTABLE={sys.executable}"
    commands = [["cmake", "-S", tree, "-B", into, python, *options], ["cmake", "--build", into]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
    (kernel,) = Path(into).glob("_kernel*")
    for old in (Path(tree) / "src/twobone/core").glob("_kernel*"):
        old.unlink()
    shutil.copy(kernel, Path(tree) / "src/twobone/core")


def notices(tree, family):
    """Return whether `kernel_bits.py` finds wrong bits in a family, with the kernel of a copy."""
    command = [sys.executable, Path(tree) / "tools/kernel_bits.py", f"--count={COUNT}"]
    environment = {**os.environ, "PYTHONPATH": str(Path(tree) / "src")}
    done = subprocess.run(
        [*command, f"--family={family}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode != 0


def main():
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        tree, into = Path(folder) / "project", Path(folder) / "build"
        for name in ("src", "tests", "tools", "CMakeLists.txt"):
            place = ROOT / name
            (shutil.copytree if place.is_dir() else shutil.copy)(place, _parent(tree) / name)
        build(tree, into)
        for family in sorted({family for _, _, _, family in variants()}):
            if notices(tree, family):
                sys.exit(f"{family}: wrong bits before anything was loosened")
        for text, path, source, family in variants():
            place = tree / path.relative_to(ROOT)
            place.write_text(source)
            build(tree, into)
            found = notices(tree, family)
            print(f"{'noticed' if found else 'MISSED ':8}  {family:14} {text}", flush=True)
            missed += [] if found else [text]
            place.write_text(path.read_text())
    sys.exit(1 if missed else 0)


def _parent(folder):
    folder.mkdir(exist_ok=True)
    return folder


if __name__ == "__main__":
    main()
