"""Base class of metrics whose word tokenization is the setting `text`, which older signatures lack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from core.metrics.base import Metric, Resources, Script, setting
from core.metrics.base.metric import P
from core.text.languages import UNSEGMENTED_LANGUAGES
from core.text.segmentation import icu_version

_KINDS = {
    "word": "runs of letters, digits and underscores",
    "simetrix": "runs of ASCII letters and digits",
    "rouge-score": "runs of ASCII letters and digits with English stems",
}


def tokenization_setting(usual: str) -> Any:
    """Return the setting `text` of a metric.

    usual: the published tokenization and default, ``word``, ``simetrix`` or ``rouge-score``.
    """
    description = (
        f"Tokenization: {usual} = {_KINDS[usual]}, as published; unicode = words of every script; icu = "
        "unicode with word segmentation for scripts without spaces."
    )
    return setting(usual, description, choices=(usual, "unicode", "icu"), title="Words")


def word_tokenization(language: str) -> str:
    """Return the tokenization of a language other than English: Unicode rules, or ICU without spaces."""
    return "icu" if language in UNSEGMENTED_LANGUAGES else "unicode"


def icu_signature(text: str) -> dict[str, str]:
    """Return the ICU version for signatures; empty for other tokenizations."""
    return {"icu": icu_version()} if text == "icu" else {}


def script_of(text: str) -> Script:
    """Return the scripts that a tokenization supports."""
    match text:
        case "unicode" | "icu":
            return Script.ALL
        case "word" | "spaces":
            return Script.SPACED
        case _:
            return Script.ASCII


class WordMetric(Metric[P]):
    """A metric that compares words. Subclasses declare `text` by `tokenization_setting`."""

    added_settings: ClassVar[frozenset[str]] = frozenset({"text"})
    text: str

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {"text": word_tokenization(language)}

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        return icu_signature(self.text)

    @property
    def reads(self) -> Script:
        return script_of(self.text)
