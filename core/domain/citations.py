"""Citances of a topic's document: what other papers say about it, and the parts that they cite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.domain.study import Span, Text

FACETS = ("aim", "hypothesis", "method", "results", "implication", "discussion", "dataset")
"""Discourse facets of BiomedSumm and CL-SciSumm, in the order of a paper; others are stored as they are."""

NO_VALUE = frozenset({"", "na", "none"})
"""Texts of fields without a value, in lower case."""


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """A part of the cited document. span: None = its place is unknown. text: as the annotator copied it."""

    span: Span | None
    text: str


@dataclass(frozen=True, slots=True)
class CitanceAnnotation:
    """An annotator's reading of a citance.

    text: what the citing paper says. spans: its places there, empty = unknown.
    cited: the parts of the cited document that it reflects. facets: what kind of content they are.
    """

    annotator_id: str
    text: str
    spans: tuple[Span, ...] = ()
    cited: tuple[CitedSpan, ...] = ()
    facets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "facets", facet_names(self.facets))


@dataclass(frozen=True, slots=True)
class Citance:
    """A citation of a document of the topic, with the text around it.

    number: as in its data set, unique with the citing paper.
    document_id: the cited document, empty = not in the study.
    marker: the words that cite, such as ``Marcu, 1997``. marker_span: their place in the citing paper.
    """

    id: str
    number: str
    citing_paper_id: str
    document_id: str = ""
    marker: str = ""
    marker_span: Span | None = None
    annotations: tuple[CitanceAnnotation, ...] = ()

    @property
    def text(self) -> str:
        """The text that most annotators chose; of equally many the first one."""
        texts = Counter(one.text for one in self.annotations)
        return texts.most_common(1)[0][0] if texts else ""

    def places(self) -> list[tuple[str, Span]]:
        """Return every known place, with the id of its text."""
        of_paper = [self.marker_span, *(span for one in self.annotations for span in one.spans)]
        of_document = [part.span for one in self.annotations for part in one.cited]
        found = [(self.citing_paper_id, span) for span in of_paper]
        found += [(self.document_id, span) for span in of_document]
        return [(text_id, span) for text_id, span in found if span is not None]


@dataclass(frozen=True, slots=True)
class TopicCitations:
    """The citances of a topic, in the order of import. papers: the citing papers; some have no text."""

    topic_id: str
    papers: tuple[Text, ...] = ()
    citances: tuple[Citance, ...] = ()


def facet_order(name: str) -> tuple[int, str]:
    """Return the key that sorts facets in the order of a paper, unknown ones and none at the end."""
    place = FACETS.index(name) if name in FACETS else len(FACETS) + (not name)
    return place, name


def facet_names(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the names of facets, each once: ``Method_Citation`` is ``method``; ``None`` is no facet."""
    names = (label.strip().lower() for label in labels)
    names = (name.removesuffix("_citation").removesuffix("_facet").strip() for name in names)
    return tuple(dict.fromkeys(name for name in names if name not in NO_VALUE))
