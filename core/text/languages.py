"""Languages of studies: codes, names and detection."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core.errors import InputError
from core.names import unknown_name
from core.text.language_model import language_identifier
from core.text.scripts import is_word_sign, non_latin_share

LANGUAGE_SETTING = "language"
"""Key of the study's setting; a study without it is treated as English."""

TOPIC_LANGUAGE = f"{LANGUAGE_SETTING}."
"""Begins the key of a topic's setting, before the topic's id; a topic without it has the study's language."""

ENGLISH, UNDETERMINED = "en", "und"
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
    "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu", "und": "Undetermined, not in Latin letters",
}  # fmt: skip
"""Languages that a study can have, by their ISO 639-1 codes, or und."""

_SCRIPTS = {
    "am": "\u1200-\u139f\u2d80-\u2ddf\uab01-\uab2f",
    "bn": "\u0980-\u09ff",
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "gu": "\u0a80-\u0aff",
    "he": "\u0590-\u05ff\ufb1d-\ufb4f",
    "hy": "\u0530-\u058f\ufb13-\ufb17",
    "ja": "\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9d",
    "ka": "\u10a0-\u10ff\u1c90-\u1cbf\u2d00-\u2d2f",
    "km": "\u1780-\u17ff",
    "kn": "\u0c80-\u0cff",
    "ko": "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff",
    "lo": "\u0e80-\u0eff",
    "ml": "\u0d00-\u0d7f",
    "my": "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f",
    "pa": "\u0a00-\u0a7f",
    "si": "\u0d80-\u0dff",
    "ta": "\u0b80-\u0bff",
    "te": "\u0c00-\u0c7f",
    "th": "\u0e00-\u0e7f",
    "zh": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
}
"""Scripts that only one of these languages uses, except Han, which Japanese uses too."""

_VARIETIES = {"wuu": "zh", "yue": "zh", "lzh": "zh", "no": "nb", "hbs": "hr", "zlm": "ms"}
"""Codes of the detector that a study cannot have, and the codes that replace them."""

_KANA_SHARE = 0.05
"""Share of kana among Japanese and Chinese characters from which a text is Japanese."""

_MIN_LETTERS = 120
"""Minimum number of letters, of one text or of several short ones together, to detect a language by words."""

_HEADLINE = 30
"""Characters up to which a text in Han alone may be Japanese, if other texts are."""

_MIN_CONFIDENCE = 0.9
_MAX_TEXTS, _MAX_CHARACTERS = 400, 2000
_MIN_SHARE = 0.1
"""Minimum share of a study's letters for another language to be reported."""


@dataclass(frozen=True, slots=True)
class DetectedLanguage:
    """Language that the texts of a study seem to be written in. code: empty = undecided.

    others: codes of other languages, each with its share of the letters in [0, 1], largest first.
    """

    code: str = ""
    others: Sequence[tuple[str, float]] = ()


def check_language(code: str) -> str:
    """Return a language code in lower case. Raises InputError for an unknown one."""
    normalized = code.strip().lower()
    if normalized not in LANGUAGE_NAMES:
        listing = "codes of ISO 639 such as en, de or ja"
        raise InputError(unknown_name("language", code, list(LANGUAGE_NAMES), listing))
    return normalized


def language_name(code: str) -> str:
    """Return the name of a language with its code, e.g. ``Japanese (ja)``."""
    return f"{LANGUAGE_NAMES[code]} ({code})" if code in LANGUAGE_NAMES else code


def detect_language(texts: Iterable[str]) -> DetectedLanguage:
    """Detect the language of a study from a sample of its texts; deterministic.

    A script that only one language uses decides, however short the texts are. Other languages are detected by
    words if there are enough of them. If there are not, and most letters are not Latin, the code is ``und``.
    """
    letters: Counter[str] = Counter()
    rest: list[str] = []
    headlines = 0
    for text in _sample([text for text in texts if text.strip()]):
        code, count = _by_script(text)
        if code == "zh" and count <= _HEADLINE:
            headlines += count
        elif code:
            letters[code] += count
        else:
            rest.append(text)
    letters["ja" if letters["ja"] > letters["zh"] else "zh"] += headlines
    letters.update(_by_words(rest))
    letters = +letters
    total = letters.total()
    if not total:
        return DetectedLanguage()
    (code, most), *others = letters.most_common()
    latin = sum(_letters(text) for text in rest if not _is_mostly_foreign(text))
    if most * 2 <= total:
        return DetectedLanguage(UNDETERMINED if (total - latin) * 2 > total else "")
    known = (pair for pair in others if pair[0] not in ("", UNDETERMINED))
    return DetectedLanguage(
        code, tuple((other, count / total) for other, count in known if count / total >= _MIN_SHARE)
    )


def languages_by_topic(
    topics: Mapping[str, Sequence[str]], detected: DetectedLanguage, usual: str
) -> dict[str, str]:
    """Return the languages of the topics that are not in the usual one, by topic.

    topics: texts of each. detected: of all texts together. usual: code of the study's language, empty = none.
    """
    usual = usual or ENGLISH
    if not detected.others and detected.code in ("", usual):
        return {}
    codes = {topic: detect_language(texts).code for topic, texts in topics.items()}
    return {topic: code for topic, code in codes.items() if code not in ("", UNDETERMINED, usual)}


def _sample(texts: Sequence[str]) -> list[str]:
    """Return at most `_MAX_TEXTS` texts, evenly spaced, each cut to `_MAX_CHARACTERS` characters."""
    step = max(1, -(-len(texts) // _MAX_TEXTS))
    return [text[:_MAX_CHARACTERS] for text in texts[::step]]


def _by_script(text: str) -> tuple[str, int]:
    """Return the language whose script most letters are in, empty = undecided, and the number of letters.

    Marks of a script, such as vowel signs, count as letters here.
    """
    if text.isascii():
        return "", 0
    counts = {code: len(pattern.findall(text)) for code, pattern in _patterns().items()}
    east = counts["ja"] + counts["zh"]
    is_japanese = counts["ja"] and counts["ja"] >= _KANA_SHARE * east
    counts["ja"], counts["zh"] = (east, 0) if is_japanese else (0, east)
    code, most = max(counts.items(), key=lambda pair: pair[1])
    return (code, most) if most * 2 > _letters(text) else ("", 0)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {code: re.compile(rf"[{characters}](?<!\d)") for code, characters in _SCRIPTS.items()}


def _letters(text: str) -> int:
    """Return the number of letters and marks of a text."""
    counts = Counter(text)
    return sum(count for sign, count in counts.items() if is_word_sign(sign) and not sign.isnumeric())


def _is_mostly_foreign(text: str) -> bool:
    return non_latin_share(text) > 0.5


def _by_words(texts: Sequence[str]) -> Counter[str]:
    """Return the number of letters by language. Short texts of one script are classified as one.

    Where words do not decide, the code is empty for texts in Latin letters and ``und`` for others.
    """
    letters: Counter[str] = Counter()
    for is_foreign in (False, True):
        own = [text for text in texts if _is_mostly_foreign(text) == is_foreign]
        long = [text for text in own if _letters(text) >= _MIN_LETTERS]
        short = "\n".join(text for text in own if _letters(text) < _MIN_LETTERS)
        for text in (*long, short):
            letters[_classify(text) or (UNDETERMINED if is_foreign else "")] += _letters(text)
    return letters


def _classify(text: str) -> str:
    if _letters(text) < _MIN_LETTERS:
        return ""
    code, confidence = language_identifier().classify(text[: 10 * _MAX_CHARACTERS])
    code = _VARIETIES.get(code, code)
    return code if confidence >= _MIN_CONFIDENCE and code in LANGUAGE_NAMES else ""
