"""What other processes do in tests of executors; they import it by name."""

import os
import signal
import time
from pathlib import Path


def double(number):
    """Return twice a number."""
    return 2 * number


def doubled_unless_killed(folder, number):
    """Return twice a number; the first time that it is asked for 3, the process is killed."""
    _note(folder, number)
    if number == 3 and len(_notes(folder, number)) == 1:
        time.sleep(0.2)  # others are done meanwhile
        kill()
    return 2 * number


def killed_by_three(folder, number):
    """Return twice a number; whatever process is asked for 3 is killed."""
    _note(folder, number)
    if number == 3:
        kill()
    return 2 * number


def killed_by_name(name, value, job):
    """Return a value for any job of a command but that of a name, which kills the process."""
    if job.name == name:
        kill()
    return value


def slow(folder, number):
    """Note that a number was asked for, and take a minute."""
    _note(folder, number)
    time.sleep(60.0)


def kill():
    """End this process as if there were no memory left."""
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def count(folder, number):
    """Return how often a number was asked for."""
    return len(_notes(folder, number))


def _notes(folder, number):
    return list(Path(folder).glob(f"{number}-*"))


def _note(folder, number):
    Path(folder, f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
