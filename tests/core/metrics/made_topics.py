"""Topics of plain texts or of sentences, as the tests of model-based metrics write them."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.study import Text, TopicTexts, join_sentences


def topic_of_texts(summaries: Sequence[str], references: Sequence[str]) -> TopicTexts:
    return TopicTexts(
        "t",
        "t",
        references=tuple(Text(f"r{i}", f"ref-{i}", text) for i, text in enumerate(references)),
        summaries=tuple(Text(f"s{i}", f"sys-{i}", text) for i, text in enumerate(summaries)),
    )


def topic_of_sentences(summaries: Sequence[Sequence[str]], documents: Sequence[Sequence[str]]) -> TopicTexts:
    """A topic of texts whose sentences are given."""
    return TopicTexts(
        "t",
        "t",
        documents=tuple(Text(f"d{i}", f"doc-{i}", *join_sentences(d)) for i, d in enumerate(documents)),
        summaries=tuple(Text(f"s{i}", f"sys-{i}", *join_sentences(s)) for i, s in enumerate(summaries)),
    )
