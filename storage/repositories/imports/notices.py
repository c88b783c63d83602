"""What an import mentions about its texts: languages, differences between systems, empty texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.comparison.text_differences import describe_texts, text_differences
from core.domain.import_batch import ImportContent
from core.errors import Problem
from core.text.languages import ENGLISH, UNDETERMINED, DetectedLanguage, language_name

_CHANGE = "Change it on the Overview page or with `pyramidion language`."


def contents(incoming: ImportContent) -> list[str]:
    """Return all texts, whose language is that of the study."""
    texts = (
        text
        for topic in incoming.topics
        for kind in (topic.documents, topic.references, topic.summaries)
        for text in kind.values()
    )
    return [text.content for text in texts]


def import_notices(incoming: ImportContent, detected: DetectedLanguage) -> list[Problem]:
    """Return what the first import into a study mentions."""
    empty = [
        empty_text(incoming.source, topic.name, f"{called} {name}")
        for topic in incoming.topics
        for called, texts in (
            ("document", topic.documents),
            ("reference", topic.references),
            ("summary of", topic.summaries),
        )
        for name, text in texts.items()
        if not text.content.strip()
    ]
    return [
        *incoming.notices,
        *language_notices(incoming.source, detected),
        *difference_notices(incoming),
        *empty_notices(incoming.source, empty),
    ]


def language_notices(source: str, detected: DetectedLanguage) -> list[Problem]:
    """Return messages on the detected language and its effect."""
    return [Problem(source, "", "", *notice) for notice in _language_sentences(detected)]


def difference_notices(incoming: ImportContent) -> list[Problem]:
    """Return what differs between the imported systems' texts and can move correlations."""
    texts = ((system, text.content) for topic in incoming.topics for system, text in topic.summaries.items())
    found = text_differences(describe_texts(texts))
    return [Problem(incoming.source, "", "", f"{one.what}.", one.remedy) for one in found]


def empty_text(source: str, topic: str, text: str) -> Problem:
    """Return the notice on an empty text, which is imported unchanged."""
    what, remedy = "The text is empty.", "It is imported unchanged. Check whether a text is missing."
    return Problem(source, f"topic {topic}", text, what, remedy)


def empty_notices(source: str, empty: Sequence[Problem]) -> list[Problem]:
    """Return the notices on empty texts, with their number before several."""
    what, remedy = f"{len(empty):,} texts are empty.", "They are listed below."
    return [*([Problem(source, "", "", what, remedy)] if len(empty) > 1 else []), *empty]


def _language_sentences(detected: DetectedLanguage) -> Iterator[tuple[str, str]]:
    """Yield messages on the detected language and its effect."""
    if detected.code == UNDETERMINED:
        yield (
            "The texts are not in Latin letters, and there are too few words to tell the language.",
            f"Metrics read the words of every script and use no English stems or stop words. {_CHANGE}",
        )
    elif detected.code not in ("", ENGLISH):
        yield (
            f"The texts are in {language_name(detected.code)}; the study's language is set to that.",
            f"Metrics use it by default, as their signatures show. {_CHANGE}",
        )
    if detected.others:
        listed = ", ".join(
            f"{language_name(code)} ({share:.0%} of the letters)" for code, share in detected.others
        )
        treated = f"as {language_name(detected.code)}, the main language" if detected.code else "as English"
        yield f"Some texts are in other languages: {listed}.", f"All are treated {treated}. {_CHANGE}"
