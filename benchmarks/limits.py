"""Compiled copies of memory, with which solving speed is compared.

`copy.c` is compiled when it is needed. Without a compiler, `np.copyto` is the only copy.
"""

import ctypes
import functools
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from twobone.commands import bench_rows, stopwatch

KINDS = {  # name: the function of copy.c that returns whether the processor supports it
    name: {"avx2": "has_avx2", "avx512": "has_avx512"}.get(name.rpartition("_")[2])
    for name in bench_rows.COPIES[1:]
}
AHEAD = (0, 512, 1024, 2048, 4096)  # prefetch distances to try, in bytes
LARGE = 1 << 20  # bytes; for smaller arrays prefetching makes no difference


class NoCompilerError(Exception):
    """There is no compiled copy; the message says why."""


@functools.cache
def load():
    """Compile `copy.c` and return the functions that this processor supports, by name."""
    command = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if command is None or os.name != "posix":
        raise NoCompilerError("no C compiler found (cc, gcc, clang)")
    source = Path(__file__).with_name("copy.c")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "copy.so"
        flags = ["-O2", "-shared", "-fPIC", "-o", made, source]
        try:
            subprocess.run([*shlex.split(command), *flags], capture_output=True, check=True)
            library = ctypes.CDLL(str(made))
        except (OSError, ValueError, subprocess.CalledProcessError):
            raise NoCompilerError(f"the C compiler ({command}) failed") from None
    return {name: _typed(library, name) for name, needs in KINDS.items() if _runs(library, needs)}


def _runs(library, needs):
    return needs is None or getattr(library, needs)()


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
    for name, function in functions.items():
        tries = {
            ahead: bench_rows.share(
                threads, target, out, functools.partial(_prepare, function, ahead)
            )
            for ahead in (AHEAD if name != "ordinary" and target.nbytes >= LARGE else (0,))
        }
        taken = stopwatch.measure(tries, 0.0, fewest=2) if len(tries) > 1 else {}
        runs[name] = tries[min(taken, key=lambda ahead: taken[ahead].least, default=0)]
    return runs


def _prepare(function, ahead, to, source):
    """Return the copy with addresses looked up in advance; it keeps the arrays alive."""
    addresses = (array.ctypes.data_as(ctypes.c_void_p) for array in (to, source))
    return functools.partial(function, *addresses, to.nbytes, ahead)


def told():
    """Return the names of the compiled copies that run here, or why there are none."""
    try:
        return ", ".join(load())
    except NoCompilerError as error:
        return f"np.copyto alone: {error}"
