"""Resources that a metric requires, and ways to combine several references."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache


class Pool(StrEnum):
    """Method to combine the scores of several references."""

    SUM = "sum"  # statistics are added, then turned into a score
    MEAN = "mean"  # scores against each reference are averaged
    MAX = "max"  # the best reference counts, measure by measure
    JOINT = "joint"  # needs the texts again for another set of references


class Need(StrEnum):
    """A resource without which a metric cannot run."""

    REFERENCES = "references"
    DOCUMENTS = "documents"
    CORPUS = "all references of the study"
    ENCODER = "encoder"
    WORD_VECTORS = "word vectors"
    PARSER = "parser"
    MASKED_LM = "masked language model"
    QA = "question answering model"
    PYRAMIDS = "pyramids"
    NLI = "entailment model"
    RATER = "trained rating model"
    LANGUAGE_MODEL = "generative language model"
    LEARNED = "a trained model"
    INDEX = "documents to search in"
    PROGRAM = "a program of the user"


class Script(StrEnum):
    """Writing systems that a metric can tokenize."""

    ALL = "all scripts"
    SPACED = "scripts with blanks between words"
    ASCII = "letters of ASCII"


@lru_cache(maxsize=256)
def texts_read(needs: frozenset[Need]) -> tuple[str, ...]:
    """Return the kinds of texts of a topic that are read, as attributes of `TopicTexts`."""
    references = ("references",) if Need.REFERENCES in needs else ()
    documents = ("documents",) if Need.DOCUMENTS in needs else ()
    return ("summaries", *references, *documents)


MODELS = frozenset(
    {
        *(Need.ENCODER, Need.WORD_VECTORS, Need.PARSER, Need.MASKED_LM, Need.QA, Need.NLI),
        *(Need.LANGUAGE_MODEL, Need.LEARNED, Need.RATER),
    }
)
"""Needs that are met by a model, which may not be installed."""
