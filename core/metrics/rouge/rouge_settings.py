"""Settings that the metrics of ROUGE share, under the names of ROUGE-1.5.5's options."""

from __future__ import annotations

from typing import Any

from core.metrics.base import setting


def stem_setting() -> Any:
    return setting(False, "Compare English stems instead of words (-m of ROUGE-1.5.5).", title="Stem")


def stop_words_setting() -> Any:
    return setting(False, "Leave English stop words out (-s of ROUGE-1.5.5).", title="Drop stop words")


def text_setting() -> Any:
    explained = (
        "What a word is: 1.5.5 = runs of ASCII letters and digits; unicode = words of every script; "
        "icu = the same with words in scripts without blanks, where unicode takes each character; word = "
        "runs of letters, digits and underscores with Snowball's stems, as S3 reads them."
    )
    return setting("1.5.5", explained, choices=("1.5.5", "unicode", "icu", "word"), title="Words")


def words_setting() -> Any:
    explained = "Only the first words of each text count, references too; blanks divide them (-l); 0 = all."
    return setting(0, explained, low=0, title="Word limit")


def bytes_setting() -> Any:
    explained = (
        "Only the first bytes of each text count, references too, blanks between sentences left out (-b); "
        "0 = all. ROUGE-L and -W look for sequences beyond the limit, as ROUGE-1.5.5 does."
    )
    return setting(0, explained, low=0, title="Byte limit")


def pooling_setting() -> Any:
    explained = "Several references: sum = their counts are added (-f A); best = the highest recall (-f B)."
    return setting("sum", explained, choices=("sum", "best"), title="References")


def alpha_setting() -> Any:
    return setting(0.5, "Weight of precision in F; 0 = recall alone (-p).", low=0.0, high=1.0, title="Alpha")


def rounding_setting() -> Any:
    explained = "1.5.5 = five decimals, recall and precision before F, as the Perl script; none = exact."
    return setting("1.5.5", explained, choices=("1.5.5", "none"), title="Rounding")


def mode_setting() -> Any:
    explained = (
        "1.5.5 = Lin's Perl script; rouge-score = Google's package: NLTK's stems, nothing rounded, of "
        "several references the one with the highest F."
    )
    return setting("1.5.5", explained, choices=("1.5.5", "rouge-score"), title="Mode")


def gap_setting() -> Any:
    explained = "How many words may lie between the two of a pair (-2); -1 = any number."
    return setting(4, explained, low=-1, title="Gap")
