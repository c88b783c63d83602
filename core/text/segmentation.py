"""Word segmentation by ICU, for every script.

ICU follows Unicode's rules (UAX #29) and segments Chinese, Japanese, Thai, Khmer, Lao and Burmese with
dictionaries, regardless of the language given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from core.domain.study import Span
from core.text.scripts import has_word

_SURROGATE = re.compile("[\ud800-\udfff]")


def word_spans(text: str, language: str = "") -> list[Span]:
    """Return the span of every word of a text, in order.

    text: any text, including lone surrogates.
    language: BCP 47 code such as ``ja``; empty = Unicode's rules without language-specific ones.
    Returns half-open spans in code points, without punctuation, symbols and white space. A number with its
    separators is one word, and so is a word with its apostrophe; hyphenated parts are separate words.
    """
    return [(start, end) for start, end in segment_spans(text, language) if has_word(text[start:end])]


def segment_spans(text: str, language: str = "") -> Iterator[Span]:
    """Yield all segments of a text: words, and what is between them. Together they cover the text."""
    from icu4py.breakers import WordBreaker  # takes 25 ms; not needed at start-up

    at = 0
    # ICU counts UTF-16 units: lengths in code points come from the segments themselves.
    for segment in WordBreaker(_SURROGATE.sub("\ufffd", text), language or "und"):
        yield at, at + len(segment)
        at += len(segment)


@cache
def icu_version() -> str:
    """Return the version of ICU's data, which determines word boundaries."""
    import icu4py

    return str(icu4py.icu_version)
