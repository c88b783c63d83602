"""ZIP files that depend on their content alone, also those of Office programs."""

from __future__ import annotations

import io
import re
import zipfile

_FIRST = (1980, 1, 1, 0, 0, 0)
"""The earliest time of the format."""

_PROPERTIES = "docProps/core.xml"
_TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def without_times(content: bytes) -> bytes:
    """Return a ZIP file with the same members; every time is the same, also those in its properties."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for member in old.infolist():
            info = zipfile.ZipInfo(member.filename, _FIRST)
            info.compress_type = zipfile.ZIP_DEFLATED
            data = old.read(member)
            if member.filename == _PROPERTIES:
                data = _TIME.sub(b"1980-01-01T00:00:00Z", data)
            new.writestr(info, data)
    return made.getvalue()
