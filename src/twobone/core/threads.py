"""Threads: jobs, and helper threads that wait for jobs."""

import contextvars

# `threading` and `queue` would take a fifth of the import time of twobone. They are not imported
# later either: a process forked during an import would wait for that import forever.
from _queue import SimpleQueue
from _thread import RLock, start_new_thread


class Job:
    """A function that is called once, by the first thread to claim the job.

    A job needs no other thread: if none has claimed it by the time its result is wanted, the
    thread that wants the result calls the function itself.
    """

    def __init__(self, work):
        self._work = work  # None once the job is claimed or withdrawn
        self._context = contextvars.copy_context()  # so that `np.errstate` holds in any thread
        # Held while the function runs. Reentrant, so that a thread that a signal interrupts in
        # `do` can still wait in `withdraw`.
        self._lock = RLock()
        self.value = None
        self.error: BaseException | None = None

    def do(self):
        """Call the function, unless it has been called or another thread is calling it."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            work, self._work = self._work, None
            if work is not None:
                self.value = self._context.run(work)
        except BaseException as error:  # belongs to the thread that asks for the result
            self.error = error
        finally:
            self._lock.release()

    def withdraw(self):
        """Wait while the function runs; if it has not been called, make sure that it never is."""
        with self._lock:
            self._work = None

    def result(self):
        """Return what the function returned, or raise what it raised."""
        self.do()
        self.withdraw()
        if self.error is None:
            return self.value
        error, self.error = self.error, None
        try:
            raise error
        finally:
            del error  # its traceback holds this frame: a cycle that would keep the arrays alive


class Threads:
    """The helper threads that share the work of large calls.

    Helpers are started when they are first needed, and kept, because starting one takes 0.1 ms.
    They never shut down, so no call can come too late for them. If Python refuses to start one
    (at the end of the program, or because there are too many), the calling thread does the work.

    Parameters
    ----------
    count : int
        How many threads one call may use. It may change at any time, also during calls.
    """

    def __init__(self, count):
        self.count = count
        self._have_no_helpers()

    def _have_no_helpers(self):
        self._lock = RLock()  # reentrant: a signal handler may start helpers too
        self._jobs = SimpleQueue()
        self._helpers = 0

    def start_afresh(self):
        """Forget the helpers of the parent process: a forked process has only one thread.

        It uses one, because its siblings usually keep the other cores busy.
        """
        self.count = 1
        self._have_no_helpers()

    def run(self, works):
        """Call functions in parallel, the first one in this thread; raise the first error.

        None of them is running when this returns or raises, even if a signal interrupts it.
        """
        jobs = [Job(work) for work in works]
        try:
            self._offer(jobs[1:], len(jobs) - 1)
            for job in jobs:
                job.do()
                if job.error is not None:
                    break
        finally:
            _withdraw(jobs)
        for job in jobs:
            if job.error is not None:
                job.result()

    def begin(self, work, helpers):
        """Return a job that one of up to `helpers` helpers starts as soon as it can."""
        job = Job(work)
        self._offer([job], helpers)
        return job

    def _offer(self, jobs, helpers):
        """Put jobs into the queue, and start helpers until there are `helpers` of them."""
        with self._lock:
            while self._helpers < helpers and self._start_helper():
                self._helpers += 1
            if self._helpers:  # otherwise the jobs would stay in the queue forever
                for job in jobs:
                    self._jobs.put(job)

    def _start_helper(self):
        """Start a thread that waits for jobs; return whether Python allows it."""
        # A thread started this way does not keep the program from ending.
        try:
            start_new_thread(_help, (self._jobs,))
        except RuntimeError:
            return False
        return True


def _help(jobs):
    while True:  # unreached: bare-thread
        jobs.get().do()


def _withdraw(jobs):
    """Withdraw jobs; raise what interrupts this only when none of them is running."""
    interrupt = None
    while True:
        try:
            for job in jobs:
                job.withdraw()
            break
        except BaseException as error:  # raised by a signal handler: KeyboardInterrupt, usually
            interrupt = error
    if interrupt is not None:
        raise interrupt
