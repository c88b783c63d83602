"""File names, valid on every common file system, for names from a study."""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_NAME_BYTES = 240
"""Maximum bytes of a name in UTF-8: file systems allow 255, and a number may be added."""

_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*\x7f\ud800-\udfff]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=$|[ .])", re.IGNORECASE)
"""Names of devices on Windows, with any suffix."""


def fitting(text: str) -> str:
    """Return a part of a file name with underscores for characters that no name can have."""
    return _UNFIT.sub("_", text)


def file_name(stem: str, suffix: str = "") -> str:
    """Return a valid file name for a stem with any characters.

    Invalid characters become underscores, as does a final dot or space. An underscore is put before names
    that Windows reserves, before a leading dot (hidden file) and a leading dash (option of a command). A stem
    that is too long is cut, with a hash of the whole stem.
    """
    name = fitting(stem)
    if not suffix and name.endswith((".", " ")):
        name = f"{name[:-1]}_"
    if is_reserved(name):
        name = f"_{name}"
    encoded = name.encode()
    most = MAX_NAME_BYTES - len(suffix.encode())
    if len(encoded) > most:
        digest = hashlib.sha256(stem.encode(errors="surrogatepass")).hexdigest()[:12]
        name = f"{encoded[: most - len(digest) - 1].decode(errors='ignore')}~{digest}"
    return f"{name or '_'}{suffix}"


def is_reserved(name: str) -> bool:
    """Return whether a name is one of a device on Windows, with any suffix, a hidden file or an option."""
    return _RESERVED.match(name) is not None or name.startswith((".", "-"))


class FileNames:
    """Unique valid names for the files of one folder, regardless of case."""

    def __init__(self, joint: str = "~") -> None:
        """Start without names. joint: text before the number of a duplicate name."""
        self._joint = joint
        self._taken: set[str] = set()

    def reserve(self, stem: str, suffix: str) -> str:
        """Return a valid name that was not returned before."""
        base = name = file_name(stem, suffix)
        number = 1
        while (key := unicodedata.normalize("NFC", name).casefold()) in self._taken:
            number += 1
            name = f"{base.removesuffix(suffix)}{self._joint}{number}{suffix}"
        self._taken.add(key)
        return name
