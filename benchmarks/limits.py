"""What limits solving speed: copying the same bytes, and the divider.

`limits.c` is compiled when it is needed. Without a compiler, `np.copyto` is the only limit.
"""

import ctypes
import functools
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from twobone.commands import bench_rows, stopwatch

COPIES = bench_rows.COPIES[1:]
DIVIDERS = tuple(
    f"divider_{dtype}_{name}"
    for dtype in ("float64", "float32")
    for name in ("baseline", "avx2", "avx512")
)
NEEDS = {"avx2": "has_avx2", "avx512": "has_avx512"}  # functions of limits.c
BLOCK = 512  # numbers that a divider reads, as in limits.c
AHEAD = (0, 512, 1024, 2048, 4096)  # prefetch distances to try, in bytes
LARGE = 1 << 20  # bytes; for smaller arrays prefetching makes no difference


class NoCompilerError(Exception):
    """Nothing is compiled; the message says why."""


@functools.cache
def load():
    """Compile `limits.c` and return the functions that this processor supports, by name."""
    command = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if command is None or os.name != "posix":
        raise NoCompilerError("no C compiler found (cc, gcc, clang)")
    source = Path(__file__).with_name("limits.c")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "limits.so"
        flags = ["-O2", "-shared", "-fPIC", "-o", made, source]
        try:
            subprocess.run([*shlex.split(command), *flags], capture_output=True, check=True)
            library = ctypes.CDLL(str(made))
        except (OSError, ValueError, subprocess.CalledProcessError):
            raise NoCompilerError(f"the C compiler ({command}) failed") from None
    names = [name for name in (*COPIES, *DIVIDERS) if _runs(library, name)]
    return {name: _typed(library, name) for name in names}


def _runs(library, name):
    needs = NEEDS.get(name.rpartition("_")[2])
    return hasattr(library, name) and (needs is None or getattr(library, needs)())


def _typed(library, name):
    function = getattr(library, name)
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]
    function.restype = None
    return function


def copies(target, out, threads):
    """Return functions by name, each of which copies `target` to `out`, one slice per thread.

    Each function uses the prefetch distance that is fastest on this machine. Without a compiler
    the result is empty.
    """
    runs = {}
    try:
        functions = load()
    except NoCompilerError:
        return runs
    for name in functions.keys() & set(COPIES):
        function = functions[name]
        tries = {
            ahead: bench_rows.share(
                threads, target, out, functools.partial(_prepare, function, ahead)
            )
            for ahead in (AHEAD if name != "ordinary" and target.nbytes >= LARGE else (0,))
        }
        taken = stopwatch.measure(tries, 0.0, fewest=2) if len(tries) > 1 else {}
        runs[name] = tries[min(taken, key=lambda ahead: taken[ahead].least, default=0)]
    return runs


def dividers(case):
    """Return the function that takes one square root and one quotient for each limb of a case.

    It uses one thread and the registers of the instruction set of the case. The result is empty
    for several threads and without a compiler.
    """
    name = f"divider_{case.dtype}_{case.instruction_set}"
    try:
        functions = load() if case.threads == 1 else {}
    except NoCompilerError:
        functions = {}
    if name not in functions:
        return {}
    numbers = np.linspace(1.0, 2.0, BLOCK, dtype=case.dtype)
    room = np.empty(2 * BLOCK, case.dtype)
    addresses = (array.ctypes.data_as(ctypes.c_void_p) for array in (room, numbers))
    return {bench_rows.DIVIDER: functools.partial(functions[name], *addresses, case.count, 0)}


def _prepare(function, ahead, to, source):
    """Return the copy with addresses looked up in advance; it keeps the arrays alive."""
    addresses = (array.ctypes.data_as(ctypes.c_void_p) for array in (to, source))
    return functools.partial(function, *addresses, to.nbytes, ahead)


def told():
    """Return the names of the compiled copies that run here, or why there are none."""
    try:
        return ", ".join(name for name in load() if name in COPIES)
    except NoCompilerError as error:
        return f"np.copyto alone: {error}"
