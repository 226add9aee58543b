"""Runs of the command in processes of their own that share the time of the imports.

One Python imports the command line and forks for each case; every fork ends as Python does.
"""

import json
import os
import signal
import subprocess
import sys
from threading import Timer
from typing import NamedTuple

CODE = """
import contextlib, io, json, os, signal, sys
from twobone import cli, creature
from twobone.commands import endings
from twobone.files.atomic import replacing

# What is imported only when it is needed is needed by most.
with contextlib.redirect_stdout(io.StringIO()):
    cli.run(["solve", "--help"])
    cli.run(["walk", "--report", "--seconds", "0.1"])

for number, (code, streams) in enumerate(json.loads(sys.argv[1])):
    sys.stdout.flush()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
        continue
    for descriptor, name in (1, "stdout"), (2, "stderr"):
        how = streams.get(name, "file")
        if how == "closed":
            os.close(descriptor)
            setattr(sys, name, None)
            continue
        if how == "unread":
            end, there = os.pipe()
            os.close(end)
        else:
            there = os.open(how if "/" in how else f"{name}-{number}", os.O_WRONLY | os.O_CREAT)
        os.dup2(there, descriptor)
        os.close(there)
    os.mkdir(f"folder-{number}")
    os.chdir(f"folder-{number}")
    exec(code)
    sys.exit()
"""

# As from a shell: nothing that changes how Python writes or warns should be seen.
ODD = ("PYTHONWARNINGS", "PYTHONUNBUFFERED")
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in ODD}
ENVIRONMENT["COLUMNS"] = "100"


def printed(code):
    """Run Python in a fresh process and return what it prints, errors too, as lines."""
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return (found.stdout + found.stderr).splitlines()


class Ended(NamedTuple):
    """How a run has ended, and the files that it left where it ran."""

    code: int  # below 0: by that signal
    stdout: str
    stderr: str
    files: dict  # by name, the beginnings as text


def run(folder, cases):
    """Run Python code, each in a process and a folder of its own; return how all have ended.

    A case is the code and where its streams go: {"stdout": ..., "stderr": ...}, each the path of
    a device, "closed" or "unread"; what is not named is returned.
    """
    with subprocess.Popen(
        [sys.executable, "-c", CODE, json.dumps(cases)],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    ) as python:
        timer = Timer(300, os.killpg, (python.pid, signal.SIGKILL))  # whoever waits for ever
        timer.start()
        try:
            printed, said = python.communicate()
        finally:
            timer.cancel()
    codes = list(map(int, printed.split()))
    assert len(codes) == len(cases), said
    return [
        Ended(
            code, *(_read(folder / f"{name}-{i}") for name in ("stdout", "stderr")), _files(there)
        )
        for i, code in enumerate(codes)
        for there in [folder / f"folder-{i}"]
    ]


def _read(path):
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _files(folder):
    return {path.name: path.read_bytes()[:1000].decode("latin-1") for path in folder.iterdir()}


def command(*arguments):
    """Return the code that runs the command."""
    return f"sys.exit(cli.run({list(arguments)!r}))"
