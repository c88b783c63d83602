"""The program without an installation: what PyInstaller starts.

Where the program starts another Python by `sys.executable`, it starts itself, so the options of Python
that it uses are understood here: `-c CODE`, `-m pyramidion` and a file, after `-I`, `-S` and `-P`.
"""

import multiprocessing
import runpy
import sys


def _python(words: list[str]) -> bool:
    """Do what Python would do with these words. Return False if they are for the program."""
    is_python = words[:1] in (["-c"], ["-m"], ["-I"], ["-S"], ["-P"])
    while words and words[0] in ("-I", "-S", "-P"):
        words = words[1:]
    if not is_python or words[:2] == ["-m", "pyramidion"]:
        sys.argv = [sys.argv[0], *(words[2:] if is_python else words)]
        return False
    if words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")
    return True


if __name__ == "__main__":
    multiprocessing.freeze_support()
    if not _python(sys.argv[1:]):
        from pyramidion.__main__ import start

        start()
