"""Topics from texts or sentences, for tests of model-based metrics."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.study import Text, TopicTexts, join_sentences


def texts(contents: Sequence[str], name: str) -> tuple[Text, ...]:
    """Texts by ``name-0``, ``name-1``, …"""
    return tuple(Text(f"{name}{i}", f"{name}-{i}", content) for i, content in enumerate(contents))


def topic_of_texts(
    summaries: Sequence[str], references: Sequence[str] = (), documents: Sequence[str] = ()
) -> TopicTexts:
    return TopicTexts(
        "t",
        "t",
        documents=texts(documents, "doc"),
        references=texts(references, "ref"),
        summaries=texts(summaries, "sys"),
    )


def topic_of_sentences(summaries: Sequence[Sequence[str]], documents: Sequence[Sequence[str]]) -> TopicTexts:
    """A topic of texts whose sentences are given."""
    return TopicTexts(
        "t",
        "t",
        documents=tuple(Text(f"d{i}", f"doc-{i}", *join_sentences(d)) for i, d in enumerate(documents)),
        summaries=tuple(Text(f"s{i}", f"sys-{i}", *join_sentences(s)) for i, s in enumerate(summaries)),
    )
