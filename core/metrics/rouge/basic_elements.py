"""Basic Elements (Hovy et al. 2006), matched and counted as in ROUGE-1.5.5 -3."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from core.domain.reference_authors import reference_system_name
from core.domain.study import Text, TopicTexts
from core.errors import InputError, MissingResource
from core.files.allowed_names import allowed_names
from core.metrics.base import Array, Need, Prepared, Resources, Script, setting
from core.metrics.kernels.ngrams import NumberedUnits, ends_of, unit_statistics
from core.metrics.registry import register
from core.metrics.rouge.elements import MODES, Element, elements_by_rules, elements_of, read_elements
from core.metrics.rouge.overlap import Overlap, OverlapMetric, Unit, explain_overlap
from core.metrics.rouge.rouge_settings import alpha_setting, pooling_setting, rounding_setting
from core.models.nlp.parser import find_pipeline, spacy_version
from core.text.sentences import sentence_spans_of

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
