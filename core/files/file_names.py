"""Names of files made of names from a study, valid on every common file system."""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_NAME_BYTES = 240
"""Of a name in UTF-8: file systems take 255, and a number may have to be added."""

_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*\x7f\ud800-\udfff]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=$|[ .])", re.IGNORECASE)
"""Names that stand for devices on Windows, whatever their suffix."""


def file_name(stem: str, suffix: str = "") -> str:
    """Return a valid file name for a stem, which may hold any characters.

    Characters that no file name may have become underscores, so does a last dot or space. Names that Windows
    reserves get one in front, as do names with a dot, which are hidden, or a dash, which commands take for an
    option, at their beginning. A stem that is too long is shortened, with a hash of the whole stem.
    """
    name = _UNFIT.sub("_", stem)
    if not suffix and name.endswith((".", " ")):
        name = f"{name[:-1]}_"
    if _RESERVED.match(name) or name.startswith((".", "-")):
        name = f"_{name}"
    encoded = name.encode()
    most = MAX_NAME_BYTES - len(suffix.encode())
    if len(encoded) > most:
        digest = hashlib.sha256(stem.encode(errors="surrogatepass")).hexdigest()[:12]
        name = f"{encoded[: most - len(digest) - 1].decode(errors='ignore')}~{digest}"
    return f"{name or '_'}{suffix}"


class FileNames:
    """Valid names for the files of one folder, each given once, whatever the case of its letters."""

    def __init__(self, joint: str = "~") -> None:
        """joint: what stands before the number of a name that was given already."""
        self._joint = joint
        self._taken: set[str] = set()

    def give(self, stem: str, suffix: str) -> str:
        """Return a valid name that was not given before."""
        first = name = file_name(stem, suffix)
        number = 1
        while (key := unicodedata.normalize("NFC", name).casefold()) in self._taken:
            number += 1
            name = f"{first.removesuffix(suffix)}{self._joint}{number}{suffix}"
        self._taken.add(key)
        return name
