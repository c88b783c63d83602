"""Direction of texts, which does not follow that of the window."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from PySide6.QtCore import Qt

_ISOLATE, _END = "\u2068", "\u2069"
_ISOLATED = re.compile(f"{_ISOLATE}.*?{_END}", re.DOTALL)


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter of a text, outside isolated parts, is written from the right."""
    kinds = map(unicodedata.bidirectional, _ISOLATED.sub("", text))
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)


def direction(text: str) -> Qt.TextFlag:
    """Return the flag to paint a text in its own direction; `AlignLeft` is then where its lines begin."""
    is_turned = is_right_to_left(text)
    return Qt.TextFlag.TextForceRightToLeft if is_turned else Qt.TextFlag.TextForceLeftToRight


@lru_cache(maxsize=256)
def has_right_to_left(text: str) -> bool:
    """Return whether any letter of a text belongs to a script that is written from the right."""
    return not text.isascii() and any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text)


def isolated(text: str) -> str:
    """Return a text that can stand among others of another direction without turning them."""
    return f"{_ISOLATE}{text}{_END}" if has_right_to_left(text) else text
