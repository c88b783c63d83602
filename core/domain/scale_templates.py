"""Rating scales of published evaluations, to add to a study. The questions are worded anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.pyramid import new_id
from core.domain.ratings import Anchor, Dimension, span_scale
from core.names import resolve_name


@dataclass(frozen=True, slots=True)
class ScaleTemplate:
    """Scales of one evaluation. source: where they are from. scales: without ids of their own."""

    key: str
    title: str
    source: str
    scales: tuple[Dimension, ...]


def _anchors(*texts: str, first: int = 1) -> tuple[Anchor, ...]:
    return tuple((float(value), text) for value, text in enumerate(texts, first))


_QUALITY = _anchors("very poor", "poor", "barely acceptable", "good", "very good")
_AGREEMENT = ((1.0, "not at all"), (4.0, "partly"), (7.0, "completely"))


def _five(name: str, question: str, description: str = "", anchors: tuple[Anchor, ...] = ()) -> Dimension:
    return Dimension("", name, 1.0, 5.0, question, description, anchors)


def _seven(name: str, question: str, description: str = "") -> Dimension:
    return Dimension("", name, 1.0, 7.0, question, description, _AGREEMENT)


_SUMMEVAL = (
    _five(
        "coherence",
        "How well do the sentences fit together?",
        "Judge the summary as a whole: its sentences should build on each other and not be a heap of facts.",
    ),
    _five(
        "consistency",
        "Does the source support everything that the summary states?",
        "Judge facts only. A statement that the source does not support is an error, even if it is true.",
    ),
    _five(
        "fluency",
        "How good is each sentence on its own?",
        "Judge grammar, spelling and formatting that make sentences hard to read.",
    ),
    _five(
        "relevance",
        "Does the summary contain what is important in the source, and little else?",
        "Missing important content and superfluous content both lower the rating.",
    ),
)

TEMPLATES: tuple[ScaleTemplate, ...] = (
    ScaleTemplate(
        "tac",
        "TAC: responsiveness, readability (1–5)",
        "Owczarzak & Dang 2009; TAC 2008",
        (
            _five(
                "responsiveness",
                "How well does the summary meet the need for information in the topic statement?",
                "Overall responsiveness: judge content and linguistic quality together.",
                _QUALITY,
            ),
            _five(
                "readability",
                "How readable is the summary?",
                "Judge grammar, redundancy, clear references, focus and structure, not the content.",
                _QUALITY,
            ),
        ),
    ),
    ScaleTemplate(
        "duc",
        "DUC 2007: content responsiveness, linguistic quality (1–5)",
        "Owczarzak & Dang 2009; DUC 2006 and 2007",
        (
            _five(
                "content responsiveness",
                "How much of the requested information does the summary give?",
                "Judge the content only, not the linguistic quality.",
                _QUALITY,
            ),
            _five("grammaticality", "Are the sentences grammatical and well formatted?", "", _QUALITY),
            _five("non-redundancy", "Is the summary free of unnecessary repetition?", "", _QUALITY),
            _five(
                "referential clarity",
                "Is it clear to whom and to what pronouns and noun phrases refer?",
                "",
                _QUALITY,
            ),
            _five("focus", "Do all sentences contribute to the topic?", "", _QUALITY),
            _five("structure and coherence", "Is the summary well organized?", "", _QUALITY),
        ),
    ),
    ScaleTemplate(
        "duc-coverage",
        "DUC: coverage (0–100)",
        "Lin & Hovy 2003; DUC 2001 and 2002",
        (
            Dimension(
                "",
                "coverage",
                0.0,
                100.0,
                "What share of the content units of the reference does the summary express?",
                "In percent, as a whole; matches of single units are made on Pyramids › Match.",
                ((0.0, "none"), (50.0, "half"), (100.0, "all")),
            ),
        ),
    ),
    ScaleTemplate("summeval", "SummEval: four dimensions (1–5)", "Fabbri et al. 2021", _SUMMEVAL),
    ScaleTemplate(
        "dialsummeval",
        "DialSummEval: four dimensions (1–5)",
        "Gao & Wan 2022",
        tuple(_SUMMEVAL[place] for place in (1, 0, 2, 3)),
    ),
    ScaleTemplate(
        "newsroom",
        "Newsroom: six dimensions (1–7)",
        "Grusky et al. 2018; Sun & Nenkova 2019",
        (
            _seven("informativeness", "Does the summary contain the key points of the article?"),
            _seven("relevance", "Is what the summary states consistent with the article?"),
            _seven("verbosity", "Is the summary free of unnecessary words?", "A higher value is better."),
            _seven(
                "unnecessary content",
                "Is the summary free of content that it does not need?",
                "A higher value is better.",
            ),
            _seven("perfect surrogate", "Can the summary stand in for the article?"),
            _seven(
                "continue reading",
                "After the summary, would the article still give much further information?",
            ),
        ),
    ),
    ScaleTemplate(
        "newsroom-2018",
        "Newsroom: four dimensions (1–5)",
        "Grusky et al. 2018, as in the published ratings",
        (
            _five("coherence", "Do the sentences form a coherent whole?"),
            _five("fluency", "Are the sentences well written and grammatical?"),
            _five("informativeness", "How well does the summary capture the key points of the article?"),
            _five("relevance", "Are the details of the summary consistent with the article?"),
        ),
    ),
    ScaleTemplate(
        "frank",
        "FRANK: factual errors, as marked spans",
        "Pagnoni et al. 2021",
        (
            span_scale(
                "",
                "factual errors",
                [
                    "predicate",
                    "entity",
                    "circumstance",
                    "coreference",
                    "discourse link",
                    "not in the source",
                    "grammar",
                    "other",
                ],
                "Which parts of the summary does the source not support, and why?",
            ),
        ),
    ),
    ScaleTemplate(
        "factual",
        "Factual consistency (yes or no)",
        "A yes-or-no judgement of the whole summary",
        (
            Dimension(
                "",
                "factual consistency",
                0.0,
                1.0,
                "Does the source support every statement of the summary?",
                "",
                _anchors("no", "yes", first=0),
            ),
        ),
    ),
)


def find_template(key: str) -> ScaleTemplate:
    """Return the template of a key. Raises InputError, which lists the available ones."""
    known = {template.key: template for template in TEMPLATES}
    return known[resolve_name("template of rating scales", key, known)]


def add_template(scales: Sequence[Dimension], template: ScaleTemplate) -> tuple[Dimension, ...]:
    """Return the scales with those of a template at the end, except those whose name is already used."""
    used = {scale.name for scale in scales}
    new = (replace(one, id=new_id()) for one in template.scales if one.name not in used)
    return (*scales, *new)
