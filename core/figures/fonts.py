"""Fonts of figures and reports: installed fallbacks by script, and codes for characters that no font has."""

from __future__ import annotations

import logging
import re
import unicodedata
from functools import cache
from pathlib import Path

FALLBACK_FONT = "DejaVu Sans"
"""Font distributed with matplotlib."""

_FALLBACKS = (
    # Chinese, Japanese, Korean
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans JP", "Noto Sans KR",
    "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback",
    "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Hiragino Sans GB", "Hiragino Sans", "PingFang SC",
    "Apple SD Gothic Neo", "Arial Unicode MS",
    # Arabic, Hebrew, scripts of India, Thai and others
    "Noto Sans Arabic", "Noto Naskh Arabic", "Amiri", "Geeza Pro", "Segoe UI", "Noto Sans Hebrew",
    "Noto Sans Devanagari", "Lohit Devanagari", "Nirmala UI", "Kohinoor Devanagari", "Noto Sans Bengali",
    "Noto Sans Tamil", "Noto Sans Telugu", "Noto Sans Thai", "Leelawadee UI", "Thonburi",
    "Noto Sans Ethiopic",
    # symbols and emoji in one colour
    "Noto Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Sans Symbols", "Noto Sans Symbols 2", "Symbola",
    "FreeSans", "Unifont",
)  # fmt: skip
"""Families of common systems. Those that are installed are asked in this order."""

_FIRST_RARE = 0x250
"""Characters before this one are in every font that is used."""

_SELECTORS = range(0xFE00, 0xFE10)


@cache
def fallback_families() -> tuple[str, ...]:
    """Return the installed families that supplement `FALLBACK_FONT`."""
    from matplotlib.font_manager import fontManager

    # most of them have no bold face, which matplotlib reports each time
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    installed = {entry.name for entry in fontManager.ttflist}
    return tuple(name for name in _FALLBACKS if name in installed)


@cache
def font_files() -> tuple[Path, ...]:
    """Return the files of `FALLBACK_FONT` in all its faces and of the fallbacks, for other programs."""
    from matplotlib.font_manager import fontManager

    names = {FALLBACK_FONT, f"{FALLBACK_FONT} Mono", *fallback_families()}
    return tuple(sorted({Path(entry.fname) for entry in fontManager.ttflist if entry.name in names}))


def drawable_parts(text: str) -> list[str]:
    """Return a text in parts: characters, or codes of those that no font has."""
    if all(ord(sign) < _FIRST_RARE for sign in text):
        return list(text)
    known = _covered()
    parts = [sign if ord(sign) < _FIRST_RARE or ord(sign) in known else _code(sign) for sign in text]
    coded = [part.startswith("U+") and len(part) > 2 for part in parts]
    return [
        f"{part} " if is_code and at + 1 < len(parts) and coded[at + 1] else part
        for at, (part, is_code) in enumerate(zip(parts, coded, strict=True))
    ]


def _code(sign: str) -> str:
    """Return what stands for a character without a glyph; marks that have none are left as they are."""
    category = unicodedata.category(sign)
    if category in ("Cc", "Cf") or ord(sign) in _SELECTORS:
        return sign
    return " " if category == "Zs" else f"U+{ord(sign):04X}"


@cache
def _covered() -> frozenset[int]:
    """Return the code points that the fonts have."""
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    families = (FALLBACK_FONT, *fallback_families())
    paths = [fontManager.findfont(FontProperties(family=name)) for name in families]
    return frozenset(code for path in paths for code in get_font(path).get_charmap())


_RARE_TEXT = re.compile(f"[^\x00-{chr(_FIRST_RARE - 1)}]+")


def page_text(text: str) -> str:
    """Return a text or SVG of a page with codes for characters that no font has."""
    return _RARE_TEXT.sub(lambda found: "".join(drawable_parts(found[0])), text)
