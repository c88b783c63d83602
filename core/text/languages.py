"""The language of a study: its code, its detection, and what its script needs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.errors import InputError

LANGUAGE_SETTING = "language"
"""Key of the study's setting; without it a study is treated as one of English texts."""

ENGLISH = "en"
UNSEGMENTED_LANGUAGES = frozenset(("zh", "ja", "th", "km", "lo", "my"))
"""Languages written without blanks between words."""

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
"""Characters that one of these languages alone is written with, but for Han, which Japanese has too."""

_VARIETIES = {"wuu": "zh", "yue": "zh", "lzh": "zh", "no": "nb", "hbs": "hr", "zlm": "ms"}
"""Codes that the detector has and a study does not."""

_KANA_SHARE = 0.05
"""Share of kana among Japanese and Chinese characters from which a text is Japanese."""

_LEAST_LETTERS, _LEAST_OF_ITS_SCRIPT = 120, 10
"""Letters below which a text's language is left open: by its words, and by its script."""

_LEAST_CONFIDENCE = 0.9
_MOST_TEXTS, _MOST_CHARACTERS = 400, 2000
_NOTED = 0.1
"""Share of a study's letters from which another language is noted."""

_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class DetectedLanguage:
    """What the texts of a study seem to be written in. code: empty = undecided.

    others: codes of further languages, each with its share of the letters in [0, 1], largest first.
    """

    code: str = ""
    others: Sequence[tuple[str, float]] = ()


def check_language(code: str) -> str:
    """Return a language's code. Raises InputError with the known ones."""
    found = code.strip().lower()
    if found not in LANGUAGE_NAMES:
        raise InputError(f"No language has the code {code!r}. Known: {', '.join(LANGUAGE_NAMES)}.")
    return found


def language_name(code: str) -> str:
    """Return what a language is called, as ``Japanese (ja)``."""
    return f"{LANGUAGE_NAMES[code]} ({code})" if code in LANGUAGE_NAMES else code


def detect_language(texts: Iterable[str]) -> DetectedLanguage:
    """Detect the language of a study from a sample of its texts, the same for the same texts.

    The script decides for Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer; words decide otherwise,
    where there are enough of them.
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
    noted = tuple((other, count / total) for other, count in others if count / total >= _NOTED and other)
    return DetectedLanguage(code, noted)


def _sample(texts: Sequence[str]) -> list[str]:
    """At most so many texts, evenly spaced, each up to so many characters."""
    step = max(1, -(-len(texts) // _MOST_TEXTS))
    return [text[:_MOST_CHARACTERS] for text in texts[::step]]


def _by_script(text: str) -> str:
    """The language that most of a text's letters say by themselves; empty = they do not."""
    total = len(_LETTER.findall(text))
    counts = {code: len(pattern.findall(text)) for code, pattern in _patterns().items()}
    east = counts["ja"] + counts["zh"]
    if counts["ja"] >= _KANA_SHARE * east:
        counts["ja"], counts["zh"] = east, 0
    else:
        counts["ja"], counts["zh"] = 0, east
    code, most = max(counts.items(), key=lambda pair: pair[1])
    # vowel signs of Thai, Lao, Burmese and Khmer are no letters, so that `most` may exceed the total
    return code if most >= _LEAST_OF_ITS_SCRIPT and most * 2 > total else ""


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {code: re.compile(f"[{characters}]") for code, characters in _SCRIPTS.items()}


def _by_words(texts: Sequence[str]) -> Counter[str]:
    """Letters by language, empty for those of texts that cannot be told; short texts are read as one."""
    long = [text for text in texts if len(_LETTER.findall(text)) >= _LEAST_LETTERS]
    short = "\n".join(text for text in texts if len(_LETTER.findall(text)) < _LEAST_LETTERS)
    found: Counter[str] = Counter()
    for text in (*long, short):
        found[_classified(text)] += len(_LETTER.findall(text))
    return found


def _classified(text: str) -> str:
    if len(_LETTER.findall(text)) < _LEAST_LETTERS:
        return ""
    code, confidence = _identifier().classify(text[: 10 * _MOST_CHARACTERS])
    code = _VARIETIES.get(code, code)
    return code if confidence >= _LEAST_CONFIDENCE and code in LANGUAGE_NAMES else ""


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # a second that only imports pay

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
