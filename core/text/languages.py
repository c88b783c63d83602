"""Languages of studies: codes, names and detection."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.errors import InputError

LANGUAGE_SETTING = "language"
"""Key of the study's setting; a study without it is treated as English."""

ENGLISH = "en"
UNSEGMENTED_LANGUAGES = frozenset(("zh", "ja", "th", "km", "lo", "my"))
"""Languages written without spaces between words."""

LANGUAGE_NAMES = {
    "af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian",
    "bg": "Bulgarian", "bn": "Bengali", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician",
    "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "hy": "Armenian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese",
    "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ko": "Korean", "lo": "Lao",
    "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam", "mr": "Marathi",
    "ms": "Malay", "my": "Burmese", "nb": "Norwegian Bokmål", "ne": "Nepali", "nl": "Dutch",
    "nn": "Norwegian Nynorsk", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "so": "Somali",
    "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu",
    "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese",
    "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip
"""Languages that a study can have, by their ISO 639-1 codes."""

_SCRIPTS = {
    "ja": "\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9d",
    "zh": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "th": "\u0e00-\u0e7f",
    "lo": "\u0e80-\u0eff",
    "my": "\u1000-\u109f",
    "km": "\u1780-\u17ff",
}
"""Characters that only one of these languages uses, except Han, which Japanese uses too."""

_VARIETIES = {"wuu": "zh", "yue": "zh", "lzh": "zh", "no": "nb", "hbs": "hr", "zlm": "ms"}
"""Codes of the detector that a study cannot have, and the codes that replace them."""

_KANA_SHARE = 0.05
"""Share of kana among Japanese and Chinese characters from which a text is Japanese."""

_MIN_LETTERS, _MIN_SCRIPT_LETTERS = 120, 10
"""Minimum numbers of letters to detect a language by words, and by script."""

_MIN_CONFIDENCE = 0.9
_MAX_TEXTS, _MAX_CHARACTERS = 400, 2000
_MIN_SHARE = 0.1
"""Minimum share of a study's letters for another language to be reported."""

_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class DetectedLanguage:
    """Language that the texts of a study seem to be written in. code: empty = undecided.

    others: codes of other languages, each with its share of the letters in [0, 1], largest first.
    """

    code: str = ""
    others: Sequence[tuple[str, float]] = ()


def check_language(code: str) -> str:
    """Return a language code in lower case. Raises InputError, with all known codes, for an unknown one."""
    normalized = code.strip().lower()
    if normalized not in LANGUAGE_NAMES:
        raise InputError(f"No language has the code {code!r}. Known: {', '.join(LANGUAGE_NAMES)}.")
    return normalized


def language_name(code: str) -> str:
    """Return the name of a language with its code, e.g. ``Japanese (ja)``."""
    return f"{LANGUAGE_NAMES[code]} ({code})" if code in LANGUAGE_NAMES else code


def detect_language(texts: Iterable[str]) -> DetectedLanguage:
    """Detect the language of a study from a sample of its texts; deterministic.

    Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer are detected by script, other languages by words
    if there are enough of them.
    """
    sample = _sample([text for text in texts if text.strip()])
    letters: Counter[str] = Counter()
    rest: list[str] = []
    for text in sample:
        code = _by_script(text)
        if code:
            letters[code] += len(_LETTER.findall(text))
        else:
            rest.append(text)
    letters.update(_by_words(rest))
    letters = Counter({code: count for code, count in letters.items() if count})
    total = letters.total()
    if not total:
        return DetectedLanguage()
    (code, most), *others = letters.most_common()
    if most * 2 <= total:
        return DetectedLanguage()
    reported = tuple(
        (other, count / total) for other, count in others if count / total >= _MIN_SHARE and other
    )
    return DetectedLanguage(code, reported)


def _sample(texts: Sequence[str]) -> list[str]:
    """Return at most `_MAX_TEXTS` texts, evenly spaced, each cut to `_MAX_CHARACTERS` characters."""
    step = max(1, -(-len(texts) // _MAX_TEXTS))
    return [text[:_MAX_CHARACTERS] for text in texts[::step]]


def _by_script(text: str) -> str:
    """Return the language whose script most letters of a text are in; empty = undecided."""
    total = len(_LETTER.findall(text))
    counts = {code: len(pattern.findall(text)) for code, pattern in _patterns().items()}
    east = counts["ja"] + counts["zh"]
    if counts["ja"] >= _KANA_SHARE * east:
        counts["ja"], counts["zh"] = east, 0
    else:
        counts["ja"], counts["zh"] = 0, east
    code, most = max(counts.items(), key=lambda pair: pair[1])
    # vowel signs of Thai, Lao, Burmese and Khmer are not letters, so `most` may exceed the total
    return code if most >= _MIN_SCRIPT_LETTERS and most * 2 > total else ""


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {code: re.compile(f"[{characters}]") for code, characters in _SCRIPTS.items()}


def _by_words(texts: Sequence[str]) -> Counter[str]:
    """Return the number of letters by language, empty = undecided. Short texts are classified as one."""
    long = [text for text in texts if len(_LETTER.findall(text)) >= _MIN_LETTERS]
    short = "\n".join(text for text in texts if len(_LETTER.findall(text)) < _MIN_LETTERS)
    letters: Counter[str] = Counter()
    for text in (*long, short):
        letters[_classify(text)] += len(_LETTER.findall(text))
    return letters


def _classify(text: str) -> str:
    if len(_LETTER.findall(text)) < _MIN_LETTERS:
        return ""
    code, confidence = _identifier().classify(text[: 10 * _MAX_CHARACTERS])
    code = _VARIETIES.get(code, code)
    return code if confidence >= _MIN_CONFIDENCE and code in LANGUAGE_NAMES else ""


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # takes a second; needed by imports only

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
