"""Entry point of the command `pyramidion`; without a subcommand it opens the window."""

from __future__ import annotations

import errno
import os
import signal
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from cli.errors import BAD_INPUT, BUG, DONE, INTERRUPTED
from core.errors import Interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.errors import PyramidionError
    from core.manual.page import ManualPage


_COMPLETE = "_PYRAMIDION_COMPLETE"
"""Environment variable that the script of `pyramidion --install-completion` sets."""


def run() -> None:
    """Run the command line and exit.

    Exit codes: 0 success, 1 invalid input, 2 wrong usage, 70 a bug, 130 interrupted.
    """
    try:
        from cli.streams import open_streams

        open_streams()
        if not sys.warnoptions:
            warnings.simplefilter("ignore")  # for developers only, such as missing glyphs of a font
        code = main(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # everything is written, so there is nothing left to interrupt
    sys.exit(_flushed(code))


def _flushed(code: int) -> int:
    """Flush the standard streams and return the exit code: 1 if that fails, as on a full disk."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            _discard(stream)
            if code == DONE:
                code = _report_unwritten(error)
    return code


def _discard(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that closing it does not write again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _report_unwritten(error: OSError) -> int:
    with suppress(OSError):
        print(
            f"The output could not be written: {error.strerror}. Redirect it to another place.",
            file=sys.stderr,
            flush=True,
        )
    return BAD_INPUT


def main(arguments: list[str]) -> int:
    """Run one command line; returns the exit code."""
    from core.errors import PyramidionError
    from core.files.study_address import refuse_password

    try:
        for argument in arguments:
            refuse_password(argument)  # before any message could repeat it
    except PyramidionError as error:
        return _report_error(error)
    if _COMPLETE in os.environ:
        return _complete()
    if not arguments or (len(arguments) == 1 and _is_study(arguments[0])):
        return _open_window(arguments[0] if arguments else "")
    from cli.app import command_line
    from core.files.allowed_names import allowed_names
    from storage.process_setup import set_up_process

    set_up_process()
    try:
        allowed_names().named(*arguments[1:])
        command_line(arguments[0])(args=arguments, prog_name="pyramidion")
    except SystemExit as end:  # raised by typer after help and usage errors
        return end.code if isinstance(end.code, int) else DONE
    except PyramidionError as error:
        return _report_error(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # An error without a file name comes from a stream, as when the disk is full.
        is_stream = error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT)
        return _report_unwritten(error) if is_stream else _report_bug(error)
    except Exception as error:  # noqa: BLE001 - the one place that catches bugs; it writes a report
        from core.extras import missing_extra

        if missing := missing_extra(error):
            return _report_error(missing)
        if damage := _damage_in(arguments):
            print(damage, file=sys.stderr)
            return BAD_INPUT
        return _report_bug(error)
    return DONE


def _complete() -> int:
    """Print what the shell completes, which is in the environment."""
    from cli.app import command_line

    try:
        command_line()(args=[], prog_name="pyramidion", complete_var=_COMPLETE)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE
    return DONE


def _is_study(argument: str) -> bool:
    return argument.endswith(".pyramidion") or argument.startswith("postgres")


def _damage_in(arguments: list[str]) -> str:
    """Return what is damaged in the first damaged study of a command line, empty = nothing."""
    from storage.integrity_check import damage_of

    paths = [path for path in map(Path, arguments) if path.suffix == ".pyramidion" and path.is_file()]
    return next(filter(None, map(damage_of, paths)), "")


def _open_window(study: str) -> int:
    from cli.window import missing_display_reason, open_window

    if why := missing_display_reason():
        print(f"{why}\n`pyramidion --help` lists the commands that work without a window.", file=sys.stderr)
        return BAD_INPUT
    from core.errors import InputError
    from core.files.study_address import parse_study_address

    try:
        address = parse_study_address(study) if study else None
    except InputError as error:
        return _report_error(error)
    return open_window(address, _command_pages)


def _command_pages() -> Iterator[ManualPage]:
    """Yield the pages of the manual on commands, which are imported when the help is first opened."""
    from cli.command_pages import command_pages

    return command_pages()


def _report_error(error: PyramidionError) -> int:
    from cli.console import print_message
    from core.errors import MAX_PROBLEMS, BadImport, grouped
    from core.formatting.numbers import pluralize

    if isinstance(error, BadImport):
        for problem in grouped(error.problems):
            print_message(str(problem))
        count = len(error.problems)
        more = "at least " if count >= MAX_PROBLEMS else ""
        print_message(
            f"There {'is' if count == 1 else 'are'} {more}{pluralize(count, 'problem')}; nothing was written."
        )
    else:
        print_message(str(error))
    return INTERRUPTED if isinstance(error, Interrupted) else BAD_INPUT


def _report_bug(error: Exception) -> int:
    import tempfile

    from core.files.crash_report import write_crash_report
    from storage.user_folders import reports_folder

    path = write_crash_report(error, reports_folder(), Path(tempfile.gettempdir()))
    where = f"Crash report saved to {path}." if path else f"{type(error).__name__}: {error}"
    print(f"Unexpected error: this is a bug in Pyramidion. {where}", file=sys.stderr)
    return BUG
