"""The command `pyramidion`: without a verb it opens the window."""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import Stopped
from core.errors import MOST_PROBLEMS, BadImport, PyramidionError
from core.report.numbers import counted

if TYPE_CHECKING:
    from core.retrieval.ports import Indexes

_SERVER = re.compile(r"elasticsearch:(https?://[^\s,/|@]+)(?=[\s,/|]|$)")
"""A server's URL within an index's address."""

DONE, BAD_INPUT, USAGE, BUG, INTERRUPTED = 0, 1, 2, 70, 130


def run() -> None:
    """Run the command line and exit: 0 done, 1 a sentence about the input, 2 usage, 70 a bug, 130 stopped."""
    _open_streams()
    _speak_utf8()
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # they speak to developers, as of a font without some sign
    sys.exit(main(sys.argv[1:]))


def _open_streams() -> None:
    """Lead streams that the shell closed to nowhere: without one, print() puts errors among results."""
    if sys.stdout is None or sys.stderr is None:
        nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as the program
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere


def _speak_utf8() -> None:
    """Write UTF-8 into files and pipes, whatever the system's own encoding: JSON and CSV are read as that."""
    if not sys.stdout.isatty() and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def main(arguments: list[str]) -> int:
    """Run one command line; returns the exit code."""
    if not arguments or (len(arguments) == 1 and arguments[0].endswith(".pyramidion")):
        return _open_window(Path(arguments[0]) if arguments else None)
    from cli.verbs import app
    from core.models.added import added_models
    from core.retrieval.at_hand import put_at_hand
    from core.retrieval.servers import named_servers
    from storage.paths import config_folder

    added_models().keep_in(config_folder())
    named_servers().keep_in(config_folder())
    put_at_hand(_indexes)
    try:
        _name_servers(arguments)
        app(args=arguments, prog_name="pyramidion")
    except SystemExit as end:  # how typer ends, after help and after a sentence about usage
        return end.code if isinstance(end.code, int) else DONE
    except PyramidionError as error:
        return _tell(error)
    except Exception as error:  # noqa: BLE001 - the one place where a bug ends; it leaves a report
        return _report(error)
    return DONE


def _name_servers(arguments: list[str]) -> None:
    """Take servers that stand in the command line for named: who types an address wants it asked."""
    from core.retrieval.servers import named_servers

    for argument in arguments:
        for server in _SERVER.findall(argument):
            named_servers().add(server)


def _indexes() -> Indexes:
    from storage.search.local import own_indexes

    return own_indexes()


def _open_window(study: Path | None) -> int:
    from cli.screen import why_no_window

    if why := why_no_window():
        print(f"{why}\n`pyramidion --help` lists what needs no window.", file=sys.stderr)
        return BAD_INPUT
    from gui.app import open_window

    return open_window(study)


def _tell(error: PyramidionError) -> int:
    if isinstance(error, BadImport):
        for problem in error.problems:
            print(problem, file=sys.stderr)
        count = len(error.problems)
        more = "at least " if count >= MOST_PROBLEMS else ""
        print(
            f"There {'is' if count == 1 else 'are'} {more}{counted(count, 'problem')}; nothing was written.",
            file=sys.stderr,
        )
    else:
        print(error, file=sys.stderr)
    return INTERRUPTED if isinstance(error, Stopped) else BAD_INPUT


def _report(error: Exception) -> int:
    import tempfile

    from core.faults import keep_report
    from storage.paths import reports_folder

    kept = keep_report(error, reports_folder(), Path(tempfile.gettempdir()))
    where = f"A report of it lies at {kept}." if kept else f"{type(error).__name__}: {error}"
    print(f"This is a fault of the program. {where}", file=sys.stderr)
    return BUG
