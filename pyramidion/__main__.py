"""The command line: ``python -m pyramidion`` and the command ``pyramidion``."""

from __future__ import annotations

import sys

from pyramidion._shadowing import check_packages


def start() -> None:
    """Run the command line and exit; without arguments, open the window.

    Prints a sentence and exits where another package hides one of the program's.
    """
    try:
        check_packages()
    except ImportError as error:
        sys.exit(str(error))
    from cli.main import run

    run()


if __name__ == "__main__":
    start()
