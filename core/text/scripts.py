"""Scripts of texts, by their letters."""

from __future__ import annotations

import re

_LATIN = "\u0000-\u024f\u1e00-\u1eff"
_OTHER_LETTER = re.compile(rf"[^\W\d_{_LATIN}]")


def has_other_scripts(text: str) -> bool:
    """Return whether a text has a letter that is not Latin."""
    return not text.isascii() and _OTHER_LETTER.search(text) is not None
