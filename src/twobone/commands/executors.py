"""Where the jobs of a command are done: here, in processes, or on a Dask cluster."""

import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import NamedTuple

from twobone.commands.endings import say
from twobone.commands.streams import CommandError
from twobone.errors import install_command
from twobone.files import atomic

MOST_ON_WINDOWS = 61  # processes that `concurrent.futures` can wait for there
KILLED = "the process that did it was killed (is there enough memory?)"


class Lost(NamedTuple):
    """Instead of a result, if the process or the cluster came to an end."""

    reason: str


def results(call, items, processes=1, scheduler=None):
    """Call a function with each item, and yield the results as they come.

    Parameters
    ----------
    call : function
        Of one argument, with a result. Pickle must be able to name it, so it is that of a module,
        or a `functools.partial` of one.
    items : list
        What it is called with.
    processes : int
        How many processes do it; with 1 it is done here.
    scheduler : str or None
        The address of a Dask scheduler, whose cluster does it instead.

    Yields
    ------
    (int, object)
        The number of an item, and the result; or a `Lost` if a process died of it. If a process is
        killed, its item is done again. To stop early, close this generator: processes end at once.

    Raises
    ------
    CommandError
        If processes cannot be started, or the scheduler cannot be reached or is gone.
    """
    if scheduler is not None:
        return _on_cluster(call, items, scheduler)
    if min(processes, len(items)) > 1:
        return _in_processes(call, dict(enumerate(items)), processes)
    return ((number, call(item)) for number, item in enumerate(items))


# --- processes of this machine ------------------------------------------------------------


def _in_processes(call, items, processes):
    """Yield results of items by number, whatever happens to single processes.

    A process that dies takes its pool with it, which does not say what it was doing. Items are
    begun in order, so it was one of the first that are left: these are done again, one at a time.
    """
    left = dict(items)
    while left:
        count = len(left)
        yield from _of_a_pool(call, left, processes)
        if len(left) == count:
            _check_start()
        if left and processes == 1:
            number = next(iter(left))
            del left[number]
            yield number, Lost(KILLED)
        elif left:
            first = dict(islice(left.items(), processes))
            left = {number: item for number, item in left.items() if number not in first}
            yield from _in_processes(call, first, 1)


def _check_start():
    """Raise if processes cannot even start."""
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            pool.submit(os.getpid).result()
    except BrokenProcessPool:
        guard = "`if __name__ == '__main__':`"
        message = f"--jobs: no process can be started; scripts must call this below {guard}"
        raise CommandError(message) from None


def _of_a_pool(call, left, processes):
    """Yield results of a pool of processes, and remove their items; end if a process dies."""
    spawn = multiprocessing.get_context("spawn")  # the same on all systems, and safe with threads
    watched, alive = spawn.Pipe(duplex=False)
    most = MOST_ON_WINDOWS if sys.platform == "win32" else processes
    pool = ProcessPoolExecutor(min(processes, most, len(left)), spawn, _prepare, (watched,))
    try:
        with contextlib.suppress(BrokenProcessPool):
            with _interrupts_held_back():
                numbers = {pool.submit(call, item): number for number, item in left.items()}
            for future in as_completed(numbers):
                value = future.result()
                del left[numbers[future]]
                yield numbers[future], value
    except BaseException:
        alive.close()  # processes end at once
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        alive.close()
        watched.close()


@contextlib.contextmanager
def _interrupts_held_back():
    """Hold Ctrl-C back; processes that start meanwhile never get it, where there are masks."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield  # unreached: windows
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(watched):
    """Let a new process ignore Ctrl-C, which reaches all processes of a terminal, and watch."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(watched,), daemon=True).start()


def _end_with(watched):
    """End this process as soon as the other end of a pipe is closed, or its process is gone."""
    with contextlib.suppress(EOFError, OSError):
        watched.recv()
    atomic.remove_all()  # unreached: killed-job
    os._exit(1)


# --- a Dask cluster -----------------------------------------------------------------------


def _on_cluster(call, items, address):
    """Yield results of a cluster. Dask itself repeats what workers did that are gone."""
    client = _client(address)
    try:
        if not client.scheduler_info()["workers"]:
            say(f"{address} has no workers; this waits for them")
        pool = client.get_executor(pure=False)
        numbers = {pool.submit(call, item): number for number, item in enumerate(items)}
        for future in as_completed(numbers):
            yield numbers[future], _value_of(future, address)
    finally:
        client.close()  # whatever was not begun is not begun any more


def _client(address):
    try:
        from distributed import Client
    except ImportError:
        message = f"--scheduler needs dask.distributed: {install_command('dask')}"
        raise CommandError(message) from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # errors are told below
    try:
        return Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CommandError(f"--scheduler: cannot reach {address}: {first}") from None


def _value_of(future, address):
    """Return the result of a future, or a `Lost` if the cluster gave none."""
    try:
        return future.result()
    except CancelledError:
        gone = f"the cluster at {address} is gone; repeat the command to go on"
        raise CommandError(gone) from None
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            return Lost(KILLED)
        return Lost(f"{type(error).__name__}: {error}")
