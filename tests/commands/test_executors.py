"""Jobs in other processes: results, processes that are killed, and stopping early."""

import contextlib
import functools
import multiprocessing
import sys
import threading
import time

import pytest

import done_elsewhere
from twobone.commands import executors
from twobone.commands.streams import CommandError


def test_results_have_the_numbers_of_their_items():
    for processes in (1, 2):
        found = dict(executors.results(done_elsewhere.double, [5, 6, 7], processes))
        assert found == {0: 10, 1: 12, 2: 14}


def test_an_error_of_a_call_is_raised():
    with pytest.raises(TypeError):
        list(executors.results(done_elsewhere.double, [object(), object()], 2))


@pytest.mark.slow
def test_what_a_killed_process_did_is_done_again(tmp_path):
    call = functools.partial(done_elsewhere.doubled_unless_killed, tmp_path)
    assert dict(executors.results(call, range(8), 2)) == {n: 2 * n for n in range(8)}
    assert done_elsewhere.count(tmp_path, 3) == 2


@pytest.mark.slow
def test_what_kills_processes_is_lost_and_nothing_else(tmp_path):
    call = functools.partial(done_elsewhere.killed_by_three, tmp_path)
    found = dict(executors.results(call, range(8), 2))
    assert found.pop(3) == executors.Lost(executors.KILLED)
    assert found == {n: 2 * n for n in range(8) if n != 3}


@pytest.mark.slow
def test_stopping_early_ends_the_processes_at_once(tmp_path):
    call = functools.partial(done_elsewhere.slow, tmp_path)

    def interrupt():
        with contextlib.closing(executors.results(call, range(4), 2)) as found:
            next(found)

    begun = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:

        def as_completed(futures):
            while not list(tmp_path.iterdir()):
                time.sleep(0.05)
            raise KeyboardInterrupt

        patch.setattr(executors, "as_completed", as_completed)
        with pytest.raises(KeyboardInterrupt):
            interrupt()
    assert time.monotonic() - begun < 30.0
    assert multiprocessing.active_children() == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of dask's own threads, when processes are killed
def test_a_cluster_without_workers_is_waited_for_and_its_errors_are_told(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    import dask

    fatal = functools.partial(done_elsewhere.killed_by_three, tmp_path)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=None) as pool,
    ):
        said, address = [], pool.scheduler_address

        def say(text):
            said.append(text)
            pool.scale(1)

        monkeypatch.setattr(executors, "say", say)
        timer = threading.Timer(30.0, pool.scale, [1])  # if nothing is said
        timer.start()
        assert dict(executors.results(done_elsewhere.double, [5], scheduler=address)) == {0: 10}
        timer.cancel()
        assert said == [f"{address} has no workers; this waits for them"]
        [(_, lost)] = executors.results(done_elsewhere.double, [{}], scheduler=address)
        assert lost.reason.startswith("TypeError: unsupported operand")
        [(_, lost)] = executors.results(fatal, [3], scheduler=address)
        assert lost == executors.Lost(executors.KILLED)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CommandError, match=r"--scheduler needs dask.distributed: .*\[dask\]"):
        list(executors.results(done_elsewhere.double, [1], scheduler="tcp://127.0.0.1:1"))
