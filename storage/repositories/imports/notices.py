"""What an import mentions about its texts: languages, differences between systems, empty texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.comparison.text_differences import describe_texts, text_differences
from core.domain.decisions import IMPORTED_MACHINE_GROUP, MACHINE_GROUP
from core.domain.import_batch import ImportContent, NewTopic
from core.errors import Problem
from core.text.languages import ENGLISH, UNDETERMINED, DetectedLanguage, language_name

_CHANGE = "Change it on the Overview page or with `pyramidion language`."


def contents(incoming: ImportContent) -> list[str]:
    """Return all texts, most of which are in the language of the study."""
    return [text for topic in incoming.topics for text in contents_of(topic)]


def contents_of(topic: NewTopic) -> list[str]:
    """Return all texts of a topic."""
    kinds = (topic.documents, topic.references, topic.summaries)
    return [text.content for kind in kinds for text in kind.values()]


def import_notices(
    incoming: ImportContent, detected: DetectedLanguage, own: Mapping[str, str]
) -> list[Problem]:
    """Return what the first import into a study mentions. own: see `language_notices`."""
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
        *language_notices(incoming.source, detected, own),
        *difference_notices(incoming),
        *empty_notices(incoming.source, empty),
    ]


def language_notices(source: str, detected: DetectedLanguage, own: Mapping[str, str]) -> list[Problem]:
    """Return messages on the detected languages and their effect. own: of topics in others, by topic."""
    found = [Problem(source, "", "", *notice) for notice in _language_sentences(detected, bool(own))]
    remedy = (
        "Its sentences are split by the rules of that language; defaults of metrics follow the study's. "
        "Change it on the page Texts or with `pyramidion language STUDY CODE --topic NAME`."
    )
    of_topics = [
        Problem(source, f"topic {topic}", "", f"The texts are in {language_name(code)}.", remedy)
        for topic, code in own.items()
    ]
    return found + of_topics


def difference_notices(incoming: ImportContent) -> list[Problem]:
    """Return what differs between the imported systems' texts and move correlations, and renamed groups."""
    texts = ((system, text.content) for topic in incoming.topics for system, text in topic.summaries.items())
    found = [(f"{one.what}.", one.remedy) for one in text_differences(describe_texts(texts))]
    renamed = [name for name, group in incoming.annotators.items() if group == IMPORTED_MACHINE_GROUP]
    if renamed:
        what = f"The group of {', '.join(renamed[:3])} is imported as {IMPORTED_MACHINE_GROUP}."
        found.append(
            (what, f"Work in the group {MACHINE_GROUP} is what this program proposed; theirs counts.")
        )
    return [Problem(incoming.source, "", "", *one) for one in found]


def empty_text(source: str, topic: str, text: str) -> Problem:
    """Return the notice on an empty text, which is imported unchanged."""
    what, remedy = "The text is empty.", "It is imported unchanged. Check whether a text is missing."
    return Problem(source, f"topic {topic}", text, what, remedy)


def empty_notices(source: str, empty: Sequence[Problem]) -> list[Problem]:
    """Return the notices on empty texts, with their number before several."""
    what, remedy = f"{len(empty):,} texts are empty.", "They are listed below."
    return [*([Problem(source, "", "", what, remedy)] if len(empty) > 1 else []), *empty]


def _language_sentences(detected: DetectedLanguage, are_stored: bool) -> Iterator[tuple[str, str]]:
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
        which = "Those of other topics than below" if are_stored else "All"
        yield f"Some texts are in other languages: {listed}.", f"{which} are treated {treated}. {_CHANGE}"
