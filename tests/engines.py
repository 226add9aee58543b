"""Which engine answers in a test: NumPy, or the kernel with one of its instruction sets."""

import contextlib

import pytest

from twobone.core import engine

KERNEL = engine.KERNEL
SETS = KERNEL.instruction_sets() if KERNEL else []


class Engines:
    """Chooses the engine; the fixture `engines` puts back what was there."""

    def __init__(self):
        self.patch = pytest.MonkeyPatch()

    def use(self, name):
        """Let an engine answer: "numpy", "compiled" or an instruction set of the kernel."""
        self.patch.setattr(engine, "KERNEL", None if name == "numpy" else KERNEL)
        if name in SETS:
            KERNEL.use_instruction_set(name)

    def share(self, rows, threads):
        """Let so many threads share calls of fewer rows than they otherwise would."""
        self.patch.setattr(engine, "SHARE", rows)
        engine.THREADS.count = threads

    @contextlib.contextmanager
    def using(self, name):
        """Let an engine answer in a `with` statement."""
        before = engine.KERNEL
        self.use(name)
        yield
        self.patch.setattr(engine, "KERNEL", before)


@contextlib.contextmanager
def engines_as_they_were():
    """Yield `Engines`; then put back the engine, its instruction set and its threads."""
    found, threads = Engines(), engine.THREADS.count
    instruction_set = KERNEL.instruction_set() if KERNEL else None
    yield found
    found.patch.undo()
    engine.THREADS.count = threads
    if KERNEL:
        KERNEL.use_instruction_set(instruction_set)
