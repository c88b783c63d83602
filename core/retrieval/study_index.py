"""Index of a study's own documents, built in memory when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from core.ports import ScoringInputs
from core.progress import run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.array_index import ArrayBackedIndex
from core.retrieval.builder import ContentDigest, build_index
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.protocols import STUDY_INDEX, SourceDocument


def study_documents(study: ScoringInputs | None) -> Iterator[SourceDocument]:
    """Yield a study's documents in order, named by topic and document; nothing without a study."""
    for topic in study.texts.load() if study else ():
        for text in topic.documents:
            title = " · ".join(filter(None, (topic.name, topic.title, text.name)))
            yield SourceDocument(f"{topic.name}/{text.name}", title, text.content)


class StudyIndex(ArrayBackedIndex):
    """The current documents of a study. The fingerprint is cheap; words are indexed when needed.

    read: returns the documents, called whenever they are needed.
    """

    def __init__(self, read: Callable[[], Iterator[SourceDocument]], analysis: Analysis) -> None:
        self.name = STUDY_INDEX
        self.analysis = analysis
        self._read = read
        self._count = 0
        seen = ContentDigest(analysis)
        for document in read():
            seen.add(document)
            self._count += 1
        self.fingerprint = seen.hexadecimal()

    @property
    def documents(self) -> int:
        """Number of documents in the study."""
        return self._count

    @cached_property
    def arrays(self) -> IndexArrays:
        """Arrays of the index, built at first access."""
        return run_to_completion(build_index(self._read(), self.analysis, self._count)).arrays
