"""Settings shared by the ROUGE metrics, named after the options of ROUGE-1.5.5."""

from __future__ import annotations

from typing import Any

from core.metrics.base import setting


def stem_setting() -> Any:
    return setting(False, "Compare English stems instead of words (-m in ROUGE-1.5.5).", title="Stem")


def stop_words_setting() -> Any:
    return setting(False, "Remove English stop words (-s in ROUGE-1.5.5).", title="Drop stop words")


def text_setting() -> Any:
    explained = (
        "Tokenization: 1.5.5 = runs of ASCII letters and digits; unicode = words of every "
        "script; icu = unicode with word segmentation for scripts without spaces; word = runs "
        "of letters, digits and underscores with Snowball stems, as in S3."
    )
    return setting("1.5.5", explained, choices=("1.5.5", "unicode", "icu", "word"), title="Words")


def words_setting() -> Any:
    explained = (
        "Use only the first words of each text, including references; words are separated by "
        "spaces (-l); 0 = no limit."
    )
    return setting(0, explained, low=0, title="Word limit")


def bytes_setting() -> Any:
    explained = (
        "Use only the first bytes of each text, including references, not counting spaces "
        "between sentences (-b); 0 = no limit. ROUGE-L and ROUGE-W search for subsequences "
        "beyond the limit, as ROUGE-1.5.5 does."
    )
    return setting(0, explained, low=0, title="Byte limit")


def pooling_setting() -> Any:
    explained = (
        "Several references: sum = counts are added (-f A); best = the reference with the highest "
        "recall (-f B)."
    )
    return setting("sum", explained, choices=("sum", "best"), title="References")


def alpha_setting() -> Any:
    return setting(0.5, "Weight of precision in F; 0 = recall only (-p).", low=0.0, high=1.0, title="Alpha")


def rounding_setting() -> Any:
    explained = (
        "1.5.5 = round recall and precision to five decimals before computing F, as the Perl "
        "script does; none = exact."
    )
    return setting("1.5.5", explained, choices=("1.5.5", "none"), title="Rounding")


def mode_setting() -> Any:
    explained = (
        "1.5.5 = Lin's Perl script; rouge-score = Google's package: NLTK stems, no rounding, "
        "and the reference with the highest F."
    )
    return setting("1.5.5", explained, choices=("1.5.5", "rouge-score"), title="Mode")


def gap_setting() -> Any:
    explained = "Maximum number of words between the two words of a pair; -1 = any number. Perl's option -2."
    return setting(4, explained, low=-1, title="Gap")
