"""Basic Elements (Hovy et al. 2006), matched and counted as in ROUGE-1.5.5 -3.

Elements are read from a file with one ``head|modifier|relation`` per line, or extracted from a dependency
parse: prepositions are collapsed into relations, multi-word names form one element, and function words are
skipped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from core.domain.reference_authors import reference_system_name
from core.domain.study import Span, Text, TopicTexts
from core.errors import InputError, MissingResource
from core.files.allowed_names import allowed_names
from core.metrics.base import Array, Need, Prepared, Resources, Script, setting
from core.metrics.kernels.ngrams import NumberedUnits, ends_of, unit_statistics
from core.metrics.registry import register
from core.metrics.rouge.overlap import Overlap, OverlapMetric, Unit, explain_overlap
from core.metrics.rouge.rouge_settings import alpha_setting, pooling_setting, rounding_setting
from core.models.nlp.noun_phrases import phrases_of
from core.models.nlp.parser import Token, find_pipeline, spacy_version
from core.text.scripts import has_word
from core.text.sentences import sentence_spans_of
from core.text.stemming import irregular_forms, porter_stem

NIL = "nil"
"""Placeholder for an absent modifier or relation."""

MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PREPOSITION = re.compile(
    r"\s+(?P<word>of|in|on|at|for|from|by|with|against|between|under|over|to|about|near|after|before)"
    r"\s+(?:(?:a|an|the|this|that|these|those|its|their|his|her|our|my)\s+)?",
    re.IGNORECASE,
)
"""What may stand between two noun phrases of which the second modifies the first."""

_FUNCTION_RELATIONS = frozenset(
    {"det", "predet", "punct", "space", "aux", "auxpass", "cop", "cc", "preconj", "mark", "case", "expl"}
    | {"fixed", "meta"}
)
"""Relations of function words in ClearNLP and Universal Dependencies."""

_PREPOSITIONS = frozenset({"prep", "agent"})
_OBJECTS = frozenset({"pobj", "pcomp"})
_NAME_RELATIONS = frozenset({"compound", "flat"})
_HEAD_TAGS = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", ""})
"""Parts of speech of words that head a phrase; empty if the parser provides none."""


@dataclass(frozen=True, slots=True)
class Element:
    """A basic element in lower case. places: spans of its head and modifier."""

    head: str
    modifier: str = NIL
    relation: str = NIL
    places: tuple[Span, ...] = ()

    def key(self, mode: str, stem: bool) -> str | None:
        """Return the key compared in a mode of ROUGE-1.5.5, or None if the mode ignores the element."""
        normalize = stemmed if stem else str
        head, modifier = normalize(self.head), normalize(self.modifier)
        has_modifier, has_relation = self.modifier != NIL, self.relation != NIL
        counts = {"H": not has_modifier, "HM": has_modifier, "HMR": has_relation, "HMR1": has_modifier}
        if not counts.get(mode, True):
            return None
        parts = {"H": (head,), "HM": (head, modifier), "HM1": (head, modifier)}
        return "|".join(parts.get(mode, (head, modifier, self.relation)))


@cache
def stemmed(words: str) -> str:
    """Stem words as ROUGE-1.5.5 stems heads and modifiers: words of up to three letters are unchanged."""
    if len(words) <= 3:
        return words
    return " ".join(map(_stem, re.split(r"\s+", words.rstrip())))


def _stem(word: str) -> str:
    if not re.search("[a-z0-9]", word):
        return word
    return irregular_forms().get(word) or (porter_stem(word) if len(word) > 2 else word)


def read_elements(content: str, where: str, *, are_placed: bool = False) -> tuple[Element, ...]:
    """Parse elements, one per line; blank lines are skipped.

    where: name of the file for messages. are_placed: return the spans of the lines.
    Raises InputError with the number of an invalid line.
    """
    elements, start = [], 0
    for number, line in enumerate(content.split("\n"), start=1):
        parts = line.rstrip("\r").lower().split("|")
        if line.strip():
            if len(parts) != 3 or not all(parts):
                raise InputError(
                    f"{where}, line {number}: {line.strip()!r} is not a basic element. Write "
                    "head|modifier|relation, with NIL for an absent part."
                )
            places = ((start, start + len(line)),) if are_placed else ()
            elements.append(Element(parts[0], parts[1], parts[2], places))
        start += len(line) + 1
    return tuple(elements)


def elements_of(tokens: Sequence[Token]) -> tuple[Element, ...]:
    """Return the elements of a parsed text in order: each head alone, then with its governor."""
    return tuple(_Parse(tokens).elements())


def elements_by_rules(content: str, sentences: Sequence[Span]) -> tuple[Element, ...]:
    """Return elements of noun phrases that are found by rules for English, without a parser.

    The last word of a phrase is its head and the others are its modifiers; a phrase that follows another
    after a single preposition modifies it. Verbs and their arguments are not found.
    """
    elements: list[Element] = []
    before: tuple[Span, str] | None = None
    for start, end in phrases_of(content, sentences):
        words = [(start + word.start(), start + word.end()) for word in _WORD.finditer(content[start:end])]
        if not words:
            continue
        (*modifiers, head) = words
        name = content[slice(*head)].lower()
        elements.append(Element(name, places=(head,)))
        elements += [
            Element(name, content[slice(*modifier)].lower(), "mod", (head, modifier))
            for modifier in modifiers
        ]
        if before is not None and (between := _PREPOSITION.fullmatch(content, before[0][1], start)):
            elements.append(Element(before[1], name, between["word"].lower(), (before[0], head)))
        before = head, name
    return tuple(elements)


class _Parse:
    """Extracts the elements of a parsed text."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._dependents: list[list[int]] = [[] for _ in tokens]
        for at, token in enumerate(tokens):
            if token.head != at:
                self._dependents[token.head].append(at)

    def elements(self) -> Iterator[Element]:
        for at, token in enumerate(self._tokens):
            if self._is_function_word(at) or self._is_preposition(at) or self._is_part_of_name(at):
                continue
            word, places = self._phrase(at)
            if token.part_of_speech in _HEAD_TAGS:
                yield Element(word, places=places)
            if (governor := self._governor(at)) is not None:
                head, head_places = self._phrase(governor)
                yield Element(head, word, self._relation(at), (*head_places, *places))

    def _is_function_word(self, at: int) -> bool:
        token = self._tokens[at]
        is_sign = token.part_of_speech in ("PUNCT", "SPACE") or not has_word(token.word)
        is_word_of_relation = token.relation in _PREPOSITIONS or self._belongs_to_preposition(at)
        return is_sign or is_word_of_relation or _plain(token.relation) in _FUNCTION_RELATIONS

    def _is_preposition(self, at: int) -> bool:
        """Return whether a word is a preposition with an object."""
        token = self._tokens[at]
        could_be = token.relation in _PREPOSITIONS or token.part_of_speech == "ADP"
        return could_be and any(
            self._tokens[below].relation in (_OBJECTS | _PREPOSITIONS) for below in self._dependents[at]
        )

    def _belongs_to_preposition(self, at: int) -> bool:
        """Return whether a word is the second part of a preposition, as *of* in *because of*."""
        token = self._tokens[at]
        return token.relation == "pcomp" and token.part_of_speech == "ADP" and not self._is_preposition(at)

    def _is_part_of_name(self, at: int) -> bool:
        """Return whether a word belongs to the name that its governor heads."""
        token, head = self._tokens[at], self._tokens[self._tokens[at].head]
        both = {token.part_of_speech, head.part_of_speech}
        return token.head != at and _plain(token.relation) in _NAME_RELATIONS and both == {"PROPN"}

    def _phrase(self, at: int) -> tuple[str, tuple[Span, ...]]:
        """Return a word with the other words of its name, and their places."""
        words = [self._tokens[i] for i in sorted(self._name(at))]
        return " ".join(token.word.lower() for token in words), tuple(token.span for token in words)

    def _name(self, at: int) -> Iterator[int]:
        yield at
        for below in self._dependents[at]:
            if self._is_part_of_name(below):
                yield from self._name(below)

    def _governor(self, at: int) -> int | None:
        """Return the governor of a word, skipping prepositions and parts of names; None for a root."""
        below, above = at, self._tokens[at].head
        while above != below and (self._is_preposition(above) or self._is_part_of_name(above)):
            below, above = above, self._tokens[above].head
        return None if above == below else above

    def _relation(self, at: int) -> str:
        """Return the prepositions between a word and its governor, otherwise the parser's relation."""
        between: list[str] = []
        above = self._tokens[at].head
        while self._is_preposition(above) and self._tokens[above].head != above:
            second_parts = filter(self._belongs_to_preposition, self._dependents[above])
            between[:0] = [self._tokens[i].word.lower() for i in sorted([above, *second_parts])]
            above = self._tokens[above].head
        return " ".join(between or self._cases(at)) or self._tokens[at].relation.lower() or NIL

    def _cases(self, at: int) -> list[str]:
        """Return the prepositions that depend on a word, as in Universal Dependencies."""
        return [
            self._tokens[below].word.lower()
            for below in self._dependents[at]
            if _plain(self._tokens[below].relation) == "case" and self._tokens[below].part_of_speech == "ADP"
        ]


def _plain(relation: str) -> str:
    """Return a Universal Dependencies relation without its subtype, in lower case."""
    return relation.partition(":")[0].lower()


Folder = Literal["summaries", "references"]
RULES = "rules"
"""Setting `elements`: noun phrases found without a parser."""


@dataclass(frozen=True, slots=True)
class PreparedElements(Prepared):
    """The compared parts of each text's basic elements, with their spans."""

    summaries: tuple[tuple[Unit, ...], ...]
    references: tuple[tuple[Unit, ...], ...]


@register
@dataclass(frozen=True)
class BasicElements(OverlapMetric[PreparedElements]):
    """Overlap of basic elements, each counted at most as often as in the reference.

    Formula:
        matched   = Σ over references and basic elements: min(count in the summary, count in the reference)
        recall    = matched / basic elements of all references
        precision = matched / (number of references × basic elements of the summary)
        f         = P · R / ((1 − alpha) · P + alpha · R)

    Limits:
        Elements of another parser than that of the published scores give other scores, and that parser is
        no longer available. `elements=rules` finds noun phrases only, in English.
    """

    name: ClassVar[str] = "be"
    version: ClassVar[int] = 2
    about: ClassVar[str] = "Overlap of words together with the words they depend on (BE-HM)."
    paper: ClassVar[str] = "Hovy, Lin, Zhou & Fukumoto 2006; ROUGE-1.5.5 with -3"
    bibliography: ClassVar[tuple[str, ...]] = ("hovy-2006-basic-elements", "lin-2004-rouge")
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.PARSER})
    topic_input: ClassVar[str] = "files of basic elements"

    mode: str = setting(
        "HM",
        "What is compared: H = heads of single-word elements; HM = head and modifier; HMR = "
        "head, modifier and relation; HM1 = HM plus single heads; HMR1 = HMR, only with a "
        "modifier; HMR2 = every triple (-3).",
        choices=MODES,
        title="Mode",
    )
    stem: bool = setting(True, "Compare English stems of heads and modifiers (-m).", title="Stem")
    elements: str = setting(
        "parser",
        "Source of the elements: parser = extracted from the texts; rules = noun phrases found by "
        "approximate rules for English, a stand-in for the parser; text = each text is a "
        "list of elements, one head|modifier|relation per line; or a folder with "
        "summaries/TOPIC.SYSTEM.be and references/TOPIC.AUTHOR.be.",
        title="Elements",
    )
    parser: str = setting(
        "en_core_web_sm",
        "The parser: the folder or the installed package of a spaCy pipeline.",
        title="Parser",
    )
    pooling: str = pooling_setting()
    alpha: float = alpha_setting()
    rounding: str = rounding_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.elements in ("text", RULES):
            object.__setattr__(self, "needs", frozenset({Need.REFERENCES}))

    def substitutes(self) -> tuple[tuple[str, str], ...]:
        return (("approximate English rules", "a dependency parser"),) if self.elements == RULES else ()

    def unused(self) -> dict[str, str]:
        return {} if self._parses else {"parser": f"elements={self.elements}"}

    def prefix(self) -> str:
        return f"{self.name}-{self.mode.lower()}"

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        if not self._parses:
            return {}
        pipeline = find_pipeline(self.parser)
        label = "-".join(part for part in (pipeline.name, pipeline.version) if part)
        return {
            "pipeline": label,
            "hash": resources.files_hash(pipeline.files)[:12],
            "spacy": spacy_version(),
        }

    def check(self, resources: Resources) -> None:
        if self._parses:
            find_pipeline(self.parser)
        elif self._folder is not None and not self._folder.is_dir():
            raise MissingResource(
                f"There is no folder {self._folder}. Set elements to the folder with the BE files."
            )

    def seconds_per_text(self, resources: Resources) -> float:
        return 2e-2 if self._parses else 1e-4

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        if self._folder is None:
            return ""
        is_complete = all(file.is_file() for file in self._files(topic))
        return "" if is_complete else "no BE file for each of its texts"

    def topic_hash(self, topic: TopicTexts, resources: Resources) -> str:
        if self._folder is None:
            return ""
        read = [hashlib.sha256(_bytes(file)).hexdigest() for file in self._files(topic)]
        return hashlib.sha256("\n".join(read).encode()).hexdigest()

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedElements:
        summaries, references = (self._units(topic, kind, resources) for kind in ("summaries", "references"))
        return PreparedElements(topic, summaries, references)

    def count(self, prepared: PreparedElements) -> Array:
        numbers: dict[object, int] = {}
        texts = (*prepared.summaries, *prepared.references)
        units = [numbers.setdefault(key, len(numbers)) for text in texts for key, _ in text]
        ends = ends_of([len(text) for text in texts])
        numbered = NumberedUnits(np.array(units, dtype=np.int64), len(numbers), ends)
        return unit_statistics(numbered, len(prepared.summaries))

    def overlap(self, prepared: PreparedElements, system: int, reference: int) -> Overlap:
        topic = prepared.topic
        return explain_overlap(
            prepared.references[reference],
            prepared.summaries[system],
            topic.references[reference].name,
            topic.summaries[system].name,
        )

    @property
    def reads(self) -> Script:
        return Script.SPACED if self._parses or self.elements == RULES else Script.ALL

    @property
    def _parses(self) -> bool:
        return self.elements == "parser"

    @property
    def _folder(self) -> Path | None:
        """Return the folder of the BE files, None if elements come from the texts."""
        return None if self.elements in ("parser", "text", RULES) else allowed_names().place(self.elements)

    def _units(self, topic: TopicTexts, kind: Folder, resources: Resources) -> tuple[tuple[Unit, ...], ...]:
        texts = topic.summaries if kind == "summaries" else topic.references
        if self._parses:
            parsed = [elements_of(tokens) for tokens in resources.parser(self.parser).parse(texts)]
        elif self.elements == RULES:
            parsed = [elements_by_rules(text.content, sentence_spans_of(text)) for text in texts]
        elif self._folder is None:
            parsed = [
                read_elements(text.content, f"{topic.name}, {text.name}", are_placed=True) for text in texts
            ]
        else:
            files = [_file_of(self._folder, kind, topic, text) for text in texts]
            parsed = [read_elements(_content(file), str(file)) for file in files]
        return tuple(self._compared(elements) for elements in parsed)

    def _compared(self, elements: Sequence[Element]) -> tuple[Unit, ...]:
        keys = ((element.key(self.mode, self.stem), element.places) for element in elements)
        return tuple((key, places) for key, places in keys if key is not None)

    def _files(self, topic: TopicTexts) -> list[Path]:
        folder = self._folder or Path()
        summaries = [_file_of(folder, "summaries", topic, text) for text in topic.summaries]
        return summaries + [_file_of(folder, "references", topic, text) for text in topic.references]


def _file_of(folder: Path, kind: Folder, topic: TopicTexts, text: Text) -> Path:
    """Return a text's BE file; a reference scored as a system uses its reference file."""
    if kind == "summaries" and text.id in topic.humans:
        kind, name = "references", text.name.removeprefix(reference_system_name(""))
    else:
        name = text.name
    return folder / kind / f"{topic.name}.{name}.be"


def _content(file: Path) -> str:
    try:
        return _bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text ({error}). Save it as UTF-8.") from error


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(
            f"{file} cannot be read ({error.strerror}). Check its permissions, or remove it."
        ) from error
