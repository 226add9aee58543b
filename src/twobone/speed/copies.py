"""The strictest copies of the same bytes that this machine can do: the measure of all speeds.

`copy.c` is compiled where it is run; without a compiler `np.copyto` stands alone.
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

from twobone.core.engine import THREADS, shares
from twobone.speed import clock

KINDS = {  # by what the processor must have
    "ordinary": None,
    "ordinary_avx2": "has_avx2",
    "ordinary_avx512": "has_avx512",
    "stream_avx2": "has_avx2",
    "stream_avx512": "has_avx512",
}
AHEAD = (0, 512, 1024, 2048, 4096)  # bytes to fetch beforehand; the fastest is taken
LARGE = 1 << 20  # bytes: with fewer it makes no difference


class NoCompilerError(Exception):
    """Why there is no compiled copy."""


@functools.cache
def load():
    """Compile `copy.c` and return its functions by name: those that run here."""
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
    """Return functions by name, each of which copies `target` to `out`, slice by slice.

    Each kind of compiled copy comes with the distance of fetching that is fastest here.
    """
    copyto = functools.partial(functools.partial, np.copyto)
    runs = {"np.copyto": _share(threads, target, out, copyto)}
    try:
        functions = load()
    except NoCompilerError:
        return runs
    for name, function in functions.items():
        tries = {
            ahead: _share(threads, target, out, functools.partial(_prepare, function, ahead))
            for ahead in (AHEAD if name != "ordinary" and target.nbytes >= LARGE else (0,))
        }
        taken = clock.measure(tries, 0.0, fewest=2) if len(tries) > 1 else {}
        runs[name] = tries[min(taken, key=lambda ahead: taken[ahead].least, default=0)]
    return runs


def _prepare(function, ahead, to, source):
    """Look addresses up beforehand; what is made keeps the arrays."""
    addresses = (array.ctypes.data_as(ctypes.c_void_p) for array in (to, source))
    return functools.partial(function, *addresses, to.nbytes, ahead)


def _share(threads, target, out, prepare):
    """Return a function that copies in slices, one for each thread, as the library solves."""
    jobs = [prepare(out[i:j], target[i:j]) for i, j in shares(len(out), threads)]
    return jobs[0] if threads == 1 else functools.partial(THREADS.run, jobs)
