"""Texts of the study, with which imported files are compared."""

from __future__ import annotations

from core.domain.study import Text, TopicTexts
from core.ports import ScoringInputs


class StudyTexts:
    """Texts of a study by topic and name, loaded on first use; empty without a study."""

    def __init__(self, study: ScoringInputs | None) -> None:
        self._study = study
        self._ids = {head.name: head.id for head in study.texts.topics()} if study is not None else {}
        self._loaded: dict[str, TopicTexts] = {}

    @property
    def topics(self) -> frozenset[str]:
        """Names of the study's topics."""
        return frozenset(self._ids)

    def references(self, topic: str) -> dict[str, Text]:
        """Return the study's references of a topic by author."""
        texts = self._topic(topic)
        return {text.name: text for text in texts.references} if texts is not None else {}

    def summary(self, topic: str, system: str) -> Text | None:
        """Return the study's summary, or None."""
        found = self._topic(topic)
        summaries = found.summaries if found is not None else ()
        return next((text for text in summaries if text.name == system), None)

    def _topic(self, name: str) -> TopicTexts | None:
        if self._study is None or name not in self._ids:
            return None
        if name not in self._loaded:
            self._loaded[name] = self._study.texts.topic(self._ids[name])
        return self._loaded[name]
