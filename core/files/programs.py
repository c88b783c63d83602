"""Programs in other languages, which read and write JSON Lines.

A program is started without a shell, with a time limit, in a process group of its own, which is ended as a
whole when the time is over or the job is cancelled. Only programs that the user allowed are started.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from core.errors import InputError
from core.files.allowed_names import NameKind, allowed_names
from core.progress import raise_if_cancelled

_MOST_SHOWN = 500
"""Characters of a program's error output in a message."""

_POLL_SECONDS = 0.05


def command_problem(command: str) -> str:
    """Return why a command cannot be started, with the remedy; empty = it can.

    Raises NotAllowed for one that the user has not named.
    """
    try:
        parts = shlex.split(command)
    except ValueError as error:
        return f"The command {command!r} cannot be read: {error}. Check its quotes."
    if not parts:
        return "Name the program: command=PROGRAM ARGUMENTS."
    allowed_names().check(NameKind.COMMAND, command)
    if shutil.which(parts[0]) is None:
        return f"There is no program {parts[0]!r}. Check the name, or write its whole path."
    return ""


def files_of(command: str) -> list[Path]:
    """Return the files that a command names: the program, and arguments that are files. Raises NotAllowed."""
    allowed_names().check(NameKind.COMMAND, command)
    first, *arguments = shlex.split(command)
    program = shutil.which(first)
    named = [*([program] if program else []), *arguments]
    return [path for path in map(Path, named) if path.is_file()]


def exchange(
    command: str, rows: Iterable[Mapping[str, Any]], seconds: float, slow: str, form: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Run a program on rows, one JSON object per line, and yield its rows with their line numbers.

    slow: the remedy where it takes more than `seconds`. form: of its rows, for messages.
    Raises InputError where the program fails, takes too long, or writes anything but objects with an "id".
    """
    if problem := command_problem(command):
        raise InputError(problem)
    with TemporaryFile() as questions, TemporaryFile() as answers, TemporaryFile() as errors:
        for row in rows:
            questions.write((json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass"))
        questions.seek(0)
        _run(shlex.split(command), (questions, answers, errors), seconds, slow)
        answers.seek(0)
        for number, line in enumerate(answers, 1):
            if line.strip():
                yield number, _row(line, number, form)


def wrong_line(number: int, what: str, form: str) -> InputError:
    """Return the error for a line that a program wrote."""
    return InputError(f"Line {number} of what the program wrote: {what}. Write {form}.")


def _row(line: bytes, number: int, form: str) -> dict[str, Any]:
    try:
        row = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise wrong_line(number, "it is no JSON", form) from None
    if not isinstance(row, dict) or not isinstance(row.get("id"), str):
        raise wrong_line(number, 'it has no "id"', form)
    return row


def _run(
    program: list[str], files: tuple[IO[bytes], IO[bytes], IO[bytes]], seconds: float, slow: str
) -> None:
    stdin, stdout, stderr = files
    with _started(program, stdin, stdout, stderr) as process:
        _wait(process, program[0], seconds, slow)
    if process.returncode:
        stderr.seek(0)
        text = stderr.read().decode("utf-8", "replace").strip()[-_MOST_SHOWN:]
        raise InputError(
            f"{program[0]} ended with status {process.returncode}. It wrote: {text or 'nothing'}"
        )


_SUPERVISE = """
import os, signal, subprocess, sys, threading
def watch():
    os.read(int(sys.argv[1]), 1)
    os.killpg(0, signal.SIGKILL)
try:
    process = subprocess.Popen(sys.argv[2:])
except OSError as error:
    sys.exit(f"It could not be started: {error.strerror or error}.")
threading.Thread(target=watch, daemon=True).start()
code = process.wait()
os._exit(code if code >= 0 else 128 - code)
"""
"""Runs a program and kills its process group once the pipe of the first argument is closed."""


@contextmanager
def _started(
    program: list[str], stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program, which ends with the block, and with this process, even if that is killed."""
    ours = theirs = -1
    if sys.platform != "win32":
        theirs, ours = os.pipe()  # the system closes our end when this process ends
        program = [sys.executable, "-I", "-S", "-c", _SUPERVISE, str(theirs), *program]
    try:
        process = subprocess.Popen(
            program,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            pass_fds=[theirs] if theirs >= 0 else (),
        )
        try:
            yield process
        finally:
            _end(process)
    except OSError as error:
        raise InputError(f"{program[0]} could not be started: {error.strerror or error}.") from error
    finally:
        for end in (ours, theirs):
            if end >= 0:
                os.close(end)


def _wait(process: subprocess.Popen[bytes], name: str, seconds: float, slow: str) -> None:
    """Wait for a program, checking whether the job was cancelled. Raises InputError after its time."""
    left = seconds
    while True:
        step = min(_POLL_SECONDS, left)
        try:
            process.wait(step)
            return
        except subprocess.TimeoutExpired:
            raise_if_cancelled()
        left -= step
        if left <= 0:
            raise InputError(f"{name} did not finish within {seconds:g} seconds. {slow}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program, where it still runs, and everything that it started."""
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        kill = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        subprocess.run(kill, capture_output=True, check=False)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
