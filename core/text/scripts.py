"""What a word is made of, by Unicode's categories, and the shares of scripts among the letters of a text.

Letters (L), marks (M) and numbers (N) make words, in every script. `str.isalpha` and `str.isalnum` are not
that: they are false for marks, such as the vowel signs of Hindi or a decomposed accent. Where a program that
defines a metric has words of its own (ROUGE-1.5.5, rouge-score, METEOR, sacrebleu, the Penn Treebank), those
count.
"""

from __future__ import annotations

import re
import unicodedata

REFUSAL_SHARE = 0.5
"""Share of a text that a model does not know, or of letters in another script, above which it is not read."""

_LATIN = "\u0000-\u024f\u1e00-\u1eff"
_OTHER_LETTER = re.compile(rf"[^\W\d_{_LATIN}]")

_LETTER = re.compile(r"[^\W\d_]")
_OUTSIDE_ASCII = re.compile(r"[^\W\d_\x00-\x7f]")
_UNSPACED_LETTER = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, kana and Han."""


def is_word_sign(sign: str) -> bool:
    """Return whether a character can be a part of a word: a letter, a mark or a number."""
    return unicodedata.category(sign)[0] in "LMN"


def has_word(text: str) -> bool:
    """Return whether a text has a letter or a number."""
    return any(unicodedata.category(sign)[0] in "LN" for sign in text)


def is_alphabetic(word: str) -> bool:
    """Return whether a word has letters, marks on them, and nothing else."""
    kinds = {unicodedata.category(sign)[0] for sign in word}
    return "L" in kinds and kinds <= {"L", "M"}


def is_inside_word(text: str, at: int) -> bool:
    """Return whether the characters before and after an offset belong to one word."""
    return 0 < at < len(text) and is_word_sign(text[at - 1]) and is_word_sign(text[at])


def non_latin_share(text: str) -> float:
    """Return the share of a text's letters outside the Latin script, in [0, 1]."""
    return 0.0 if text.isascii() else _share(_OTHER_LETTER, text)


def unsegmented_share(text: str) -> float:
    """Return the share of a text's letters in scripts without spaces between words, in [0, 1]."""
    return 0.0 if text.isascii() else _share(_UNSPACED_LETTER, text)


def has_unsegmented(text: str) -> bool:
    """Return whether a text has letters of scripts without spaces between words."""
    return not text.isascii() and _UNSPACED_LETTER.search(text) is not None


def non_ascii_share(text: str) -> float:
    """Return the share of a text's letters outside ASCII, in [0, 1]."""
    return 0.0 if text.isascii() else _share(_OUTSIDE_ASCII, text)


def _share(pattern: re.Pattern[str], text: str) -> float:
    # Thai vowel and tone signs are not letters in Unicode, so `pattern` may match more than all letters
    letters = len(_LETTER.findall(text))
    return min(1.0, len(pattern.findall(text)) / letters) if letters else 0.0
