"""Large calls on several threads: at the end of a program, beside other threads, interrupted."""

import contextlib
import functools
import gc
import itertools
import os
import queue
import signal
import threading
import time
import weakref

import numpy as np
import pytest

import apart
import twobone
from twobone.core import threads
from twobone.core.threads import Threads

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")


pytestmark = pytest.mark.usefixtures("engines")  # which puts back the number of threads


def printed(code):
    """Return the lines that Python prints for code which may solve on three threads."""
    return apart.printed(f"import numpy as np, twobone\ntwobone.engine(threads=3)\n{SOLVE}{code}")


SOLVE = """
targets = np.ones((450_000, 2))
def solve(when):
    joints = twobone.solve(targets, 1.0, 1.0)
    print(when, bool(np.all(joints == [0.0, 1.0])), flush=True)
"""


# --- the end of a program -----------------------------------------------------------------


@pytest.mark.parametrize("before", ["", "solve('before')"])
def test_a_thread_that_outlives_the_main_thread_gets_answers(before):
    code = f"""
import threading
def late():
    threading.main_thread().join()
    solve("late")
threading.Thread(target=late).start()
{before}
"""
    assert printed(code) == ["before True"] * bool(before) + ["late True"]


@pytest.mark.parametrize("before", ["", "solve('before')"])
def test_functions_registered_with_atexit_get_answers(before):
    code = f"""
import atexit
atexit.register(solve, "at exit")
{before}
"""
    assert printed(code) == ["before True"] * bool(before) + ["at exit True"]


def test_a_program_ends_while_a_daemon_solves():
    code = """
import threading
begun = threading.Event()
def go_on():
    while True:
        twobone.solve(targets, 1.0, 1.0)
        begun.set()
threading.Thread(target=go_on, daemon=True).start()
begun.wait()
solve("main")
"""
    assert printed(code) == ["main True"]


@needs_fork
def test_a_process_forked_while_other_threads_solve_gets_answers_on_threads_of_its_own():
    code = """
import os, threading, warnings
warnings.simplefilter("ignore")
stop = threading.Event()
def go_on():
    while not stop.is_set():
        twobone.solve(targets, 1.0, 1.0)
others = [threading.Thread(target=go_on) for _ in range(2)]
for other in others:
    other.start()
for _ in range(5):
    child = os.fork()
    if child == 0:
        solve(twobone.engine().threads)
        twobone.engine(threads=3)
        solve("again")
        os._exit(0)
    os.waitpid(child, 0)
stop.set()
for other in others:
    other.join()
"""
    assert printed(code) == ["1 True", "again True"] * 5


@needs_fork
def test_a_process_forked_during_the_first_large_call_does_not_wait_for_imports():
    # An import that another thread had begun would never end in the child: so there is none.
    code = """
import sys
before = set(sys.modules)
solve("large")
print(sorted(set(sys.modules) - before))
"""
    assert printed(code) == ["large True", "[]"]


def test_work_that_gets_no_thread_is_done_by_the_caller(monkeypatch):
    def refuse(function, arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "start_new_thread", refuse)
    crew, done = Threads(3), []
    crew.run([functools.partial(done.append, i) for i in range(3)])
    assert done == [0, 1, 2]
    assert crew.begin(lambda: "drawn", 2).result() == "drawn"
    assert crew._jobs.empty()  # where nobody would ever take anything


# --- beside other threads -----------------------------------------------------------------


def bits(arrays):
    return [np.asarray(array).tobytes() for array in arrays]


def test_calls_get_the_same_bits_while_another_thread_changes_the_number_of_threads(engines):
    rng = np.random.default_rng(3)
    target = rng.normal(size=(4_000, 3))
    pole = rng.normal(size=(4_000, 3))
    matrices = [np.tile(np.eye(4), (4_000, 1, 1)) for _ in range(3)]
    matrices[1][:, 1, 3], matrices[2][:, 1, 3] = -1.0, -1.0

    def answers():
        yield from twobone.reach(target, 1.5, 1.0, pole=pole)
        yield twobone.solve(target[:, :2].copy(), 1.5, 1.0)
        found = twobone.correct_limb(*matrices, target, pole=pole, mid_axis=np.eye(3)[0])
        yield from (found.start, found.mid, found.status)

    engines.share(500, threads=1)
    want, stop = bits(answers()), threading.Event()

    def change():
        for count in itertools.cycle((1, 2, 3, 5)):
            twobone.engine(threads=count)
            if stop.is_set():
                return

    other = threading.Thread(target=change)
    other.start()
    try:
        for _ in range(40):
            assert bits(answers()) == want
    finally:
        stop.set()
        other.join()


def test_helpers_are_kept_and_no_more_are_started_than_were_ever_needed():
    crew = Threads(1)
    for count in (2, 4, 3, 2):
        crew.run([lambda: None] * count)
    assert crew._helpers == 3


def test_a_job_may_share_work_itself():
    crew, done = Threads(2), queue.SimpleQueue()

    def share():
        crew.run([functools.partial(done.put, None)] * 3)

    crew.run([share] * 3)
    assert done.qsize() == 9


def test_work_is_not_kept_waiting_by_helpers_that_are_busy():
    crew, gate = Threads(2), threading.Event()
    busy = crew.begin(gate.wait, 1)
    try:
        done = []
        crew.run([functools.partial(done.append, i) for i in range(2)])
        assert done == [0, 1]
    finally:
        gate.set()
    assert busy.result()


def test_the_caller_passes_over_what_a_helper_is_doing():
    crew, gate = Threads(3), threading.Event()
    begun, last_is_done = threading.Event(), threading.Event()

    def helped():
        begun.set()
        assert last_is_done.wait(10.0)

    busy = crew.begin(gate.wait, 1)
    try:
        crew.run([lambda: begun.wait(10.0), helped, last_is_done.set])
    finally:
        gate.set()
    assert busy.result()


def test_a_signal_handler_may_share_work_while_helpers_are_being_started(monkeypatch):
    crew, done, start = Threads(2), [], threads.start_new_thread

    def interrupted(function, arguments):
        monkeypatch.undo()
        signal.raise_signal(signal.SIGINT)
        start(function, arguments)

    monkeypatch.setattr(threads, "start_new_thread", interrupted)
    before = signal.signal(signal.SIGINT, lambda *_: crew.run([lambda: done.append("handler")] * 2))
    try:
        crew.run([lambda: done.append("call")] * 2)
    finally:
        signal.signal(signal.SIGINT, before)
    assert sorted(done) == ["call", "call", "handler", "handler"]


def test_jobs_heed_the_callers_error_state_in_every_thread():
    crew, threads_seen = Threads(2), []
    both = threading.Barrier(2)

    def divide():
        both.wait(10.0)
        threads_seen.append(threading.get_ident())
        return np.float64(1.0) / np.float64(0.0)

    with np.errstate(divide="ignore"):
        crew.run([divide, divide])
    assert len(set(threads_seen)) == 2
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        crew.run([divide, divide])


# --- errors and interrupts ----------------------------------------------------------------


class Helped:
    """Two jobs, the second of which a helper has begun before the first goes on, and outlasts."""

    def __init__(self, first):
        self.first = first
        self.begun, self.first_is_over = threading.Event(), threading.Event()
        self.has_ended = False

    def jobs(self):
        return [self._run_first, self._run_second]

    def _run_first(self):
        assert self.begun.wait(10.0)
        try:
            self.first()
        finally:
            self.first_is_over.set()

    def _run_second(self):
        self.begun.set()
        assert self.first_is_over.wait(10.0)
        self.go_on()
        time.sleep(0.05)
        self.has_ended = True

    def interrupted(self):
        """Run both jobs; return whether the second had ended when the interrupt came through."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with pytest.raises(KeyboardInterrupt):
                Threads(2).run(self.jobs())
            return self.has_ended
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            while not self.has_ended:  # no interrupt may reach another test
                time.sleep(0.001)
            signal.signal(signal.SIGINT, before)

    def go_on(self):
        """Be overridden by what else the second job does."""


def fail(error):
    raise error


def test_an_error_is_raised_once_nobody_works_any_more():
    pair = Helped(lambda: fail(MemoryError("first")))
    with pytest.raises(MemoryError, match="first"):
        Threads(2).run(pair.jobs())
    assert pair.has_ended


def test_the_first_of_several_errors_is_raised():
    gate = threading.Barrier(2)

    def late():
        gate.wait(10.0)
        time.sleep(0.05)
        fail(ValueError("the first job, last"))

    def early():
        gate.wait(10.0)
        fail(KeyError("the second job"))

    with pytest.raises(ValueError, match="the first job, last"):
        Threads(2).run([late, early])


def test_an_interrupt_during_the_callers_own_share_waits_for_the_others():
    assert Helped(lambda: signal.raise_signal(signal.SIGINT)).interrupted()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signal wakes a thread here")
def test_interrupts_while_the_caller_waits_leave_nobody_at_work():
    pair = Helped(lambda: None)

    def interrupt():
        for _ in range(3):
            time.sleep(0.01)  # the caller waits by now
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    pair.go_on = interrupt
    assert pair.interrupted()


def test_what_nobody_has_begun_is_not_done_after_an_error():
    crew, gate, done = Threads(2), threading.Event(), []
    busy = crew.begin(gate.wait, 1)
    with pytest.raises(ZeroDivisionError):
        crew.run([lambda: 1 / 0, lambda: done.append("too late")])
    gate.set()
    assert busy.result()
    crew.begin(lambda: None, 1).result()  # whatever waited before this has been taken
    assert done == []


class Memory:
    """Something whose end can be observed."""


@pytest.mark.parametrize("fails", [False, True])
def test_jobs_do_not_keep_what_they_worked_on(fails):
    crew = Threads(2)

    def observed():
        memory = Memory()

        def work():
            assert memory
            if fails:
                raise ValueError("of a job")

        with contextlib.suppress(ValueError):
            crew.run([work] * 3)
        return weakref.ref(memory)

    gc.disable()
    try:
        memory = observed()
        idle = crew.begin(lambda: None, 1)
        idle.result()
        end = time.monotonic() + 10.0  # a helper may still be leaving a job
        while memory() is not None and time.monotonic() < end:
            time.sleep(0.001)
        assert memory() is None
    finally:
        gc.enable()


def test_a_job_is_done_once_whoever_asks():
    for _ in range(200):
        done = []
        job = threads.Job(lambda done=done: done.append(threading.get_ident()))
        others = [threading.Thread(target=job.do) for _ in range(3)]
        for other in others:
            other.start()
        job.result()
        for other in others:
            other.join()
        assert len(done) == 1
