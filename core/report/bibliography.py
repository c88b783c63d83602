"""List of references of a report: metrics, models, data sets, statistical methods and this program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby
from unicodedata import normalize

from core.comparison.options import Adjustment, DifferenceTest
from core.domain.data_origin import DATA_SET_SETTING, DataOrigin, read_origins
from core.formatting.legible_text import legible_text
from core.formatting.tables import latex_text
from core.metrics import registry
from core.metrics.base import Need
from core.names import in_sentence
from core.ports import Study
from core.report.model import CitedText, Reference, Report, ReportInputs, Section

_OF_DATA_SETS = {
    "summeval": ("fabbri-2021-summeval",),
    "realsumm": ("bhandari-2020-realsumm", "zhang-bansal-2021-lite"),
    "pyrxsum": ("zhang-bansal-2021-lite",),
    "rose": ("liu-2023-rose",),
    "frank": ("pagnoni-2021-frank",),
    "qags": ("wang-2020-qags",),
    "dialsummeval": ("gao-wan-2022-dialsummeval",),
    "newsroom": ("grusky-2018-newsroom",),
    "cl-scisumm": ("jaidka-2018-cl-scisumm",),
}
"""References by a data set's name, or by its beginning up to a hyphen."""

_BOOTSTRAP, _RESAMPLING, _HOLM = "efron-1987-bca", "deutsch-2021-statistical", "holm-1979-simple"
_WILLIAMS = "williams-1959-regression"
_JUDGES = "calderon-2025-alternative"
PROGRAM = "pyramidion"
_OF_MODELS = {
    "all-minilm": ("reimers-gurevych-2019-sentence-bert", "wang-2020-minilm"),
    "bert-": ("devlin-2019-bert",),
    "bleurt-20": ("pu-2021-bleurt",),
    "roberta": ("liu-2019-roberta",),
}
"""References by the beginning of a model's name, in lower case."""

_MODEL_KEYS: dict[Need, tuple[str, ...]] = {
    Need.ENCODER: ("model", "encoder"),
    Need.MASKED_LM: ("model",),
    Need.NLI: ("model", "nli"),
    Need.RATER: ("model", "rater"),
    Need.QA: ("model", "qa"),
    Need.LANGUAGE_MODEL: ("model", "lm"),
    Need.PARSER: ("parser",),
    Need.WORD_VECTORS: ("vectors",),
    Need.LEARNED: ("model",),
}
"""Parts of a signature that name the model of a metric, the first one that it has."""

_ENTRY = re.compile(r"^@\w+\{([^,]+),.*?^\}$", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)
_ACCENT = re.compile(r"\{\\(['\"`^~]|[cv] )(\w)\}")
_MARKS = {
    "'": "\u0301", '"': "\u0308", "`": "\u0300", "^": "\u0302", "~": "\u0303", "c ": "\u0327", "v ": "\u030c",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything that a report can cite.

    metrics: name and keys. models: name and keys of those of each metric in order.
    data_sets: what the data are, and the keys of its papers.
    entries: by key.
    """

    metrics: tuple[CitedText, ...]
    models: tuple[CitedText, ...]
    data_sets: tuple[CitedText, ...]
    entries: Mapping[str, Reference]


def sources(signatures: Iterable[str], origins: Iterable[DataOrigin] = ()) -> Sources:
    """Return what metrics with these signatures and data sets cite."""
    made = {key: _reference(key, bibtex) for key, bibtex in entries().items()}
    made[PROGRAM] = _misc(
        PROGRAM, "Pyramidion", f"Version {version('pyramidion')}", author="The Pyramidion developers"
    )
    metrics: dict[str, tuple[str, ...]] = {}
    models: dict[str, tuple[str, ...]] = {}
    own = registry.REGISTRY.own()
    for signature in signatures:
        name, parts = _parts(signature)
        keys = own[name].bibliography if name in own else ()
        paper = next((cls.paper for cls in registry.metrics() if cls.name == name), "")
        if not keys and paper:
            keys = (_added(made, "metric", name, paper),)
        metrics[parts.get("label", name)] = keys
        for model in _models(signature):
            if model not in models:
                plain = model.rsplit("/", 1)[-1].lower()
                known = [key for start, of in _OF_MODELS.items() if plain.startswith(start) for key in of]
                note = "Model or word vectors, as named in the signature"
                models[model] = (*known, _added(made, "model", model, note))
    data_sets = []
    for origin in origins:
        name = origin.name.partition("-")[0]
        keys = _OF_DATA_SETS.get(origin.name) or _OF_DATA_SETS.get(name) or ()
        if not keys:
            keys = (_added(made, "data", origin.title, f"{origin.citation}. {origin.page}"),)
        data_sets.append(CitedText(origin.claim, keys))
    return Sources(
        tuple(CitedText(name, keys) for name, keys in metrics.items()),
        tuple(CitedText(name, keys) for name, keys in models.items()),
        tuple(data_sets),
        made,
    )


def data_origins(study: Study) -> tuple[DataOrigin, ...]:
    """Return the public data sets from which a study was made, as far as they are known."""
    return read_origins(study.settings.get(key) for key in study.settings.keys(DATA_SET_SETTING))


def study_sources(inputs: ReportInputs) -> Sources:
    """Return everything that a report can cite."""
    order = {cls.name: place for place, cls in enumerate(registry.metrics())}
    signatures = {ref.signature for ref in inputs.comparison.refs}

    def place(signature: str) -> tuple[int, str]:
        return order.get(signature.partition("|")[0], len(order)), signature

    return sources(sorted(signatures, key=place), data_origins(inputs.study))


def cited_data(inputs: ReportInputs) -> tuple[CitedText, ...]:
    """Return a paragraph that names the data sets, empty if they are unknown."""
    return tuple(
        CitedText(f"{' ' if place else ''}{one.text}", one.keys, ".")
        for place, one in enumerate(study_sources(inputs).data_sets)
    )


def cited_methods(inputs: ReportInputs) -> tuple[CitedText, ...]:
    """Return a paragraph that cites metrics, models, statistical methods and the program."""
    found, request = study_sources(inputs), inputs.request
    parts = [*_listed("Metrics: ", found.metrics), *_listed(" Models: ", found.models)]
    methods = [CitedText("BCa intervals", (_BOOTSTRAP,))]
    if request.test is DifferenceTest.WILLIAMS:
        methods += [CitedText("resampling", (_RESAMPLING,)), CitedText("Williams' test", (_WILLIAMS,))]
    else:
        methods.append(CitedText("resampling and permutation tests", (_RESAMPLING,)))
    if request.adjust is Adjustment.HOLM:
        methods.append(CitedText("Holm's adjustment", (_HOLM,)))
    if any(stored.experiment == "judges" and stored.result for stored in inputs.study.experiments.all()):
        methods.append(CitedText("the alternative annotator test", (_JUDGES,)))
    parts += _listed(" Statistics: ", methods)
    parts.append(CitedText(" Computed with Pyramidion", (PROGRAM,), "."))
    return tuple(parts)


def _listed(heading: str, items: Sequence[CitedText]) -> list[CitedText]:
    """Return items as a sentence; neighbours with the same references are cited together."""
    groups = [(keys, [item.text for item in same]) for keys, same in groupby(items, lambda item: item.keys)]
    parts = [CitedText(f" {', '.join(names)}", keys, ",") for keys, names in groups]
    if parts:
        parts[0] = replace(parts[0], text=f"{heading}{parts[0].text[1:]}")
        parts[-1] = replace(parts[-1], end=".")
    return parts


def cited_references(sections: Iterable[Section], found: Sources) -> tuple[Reference, ...]:
    """Return the references that sections cite, in the order in which they are cited."""
    keys = dict.fromkeys(key for section in sections for part in section.cited for key in part.keys)
    return tuple(found.entries[key] for key in keys)


def to_bibtex(report: Report) -> str:
    """Return the entries of a report's references, each once."""
    return "\n\n".join(one.bibtex for one in report.references) + "\n"


@cache
def entries() -> Mapping[str, str]:
    """Return the entries that come with the program, by key."""
    text = files("resources").joinpath("bibliography/references.bib").read_text(encoding="utf-8")
    return {found[1]: found[0] for found in _ENTRY.finditer(text)}


@cache
def _reference(key: str, bibtex: str) -> Reference:
    """Return an entry of the program with its text: authors, year, title, place, address."""
    fields = {name: _plain(value) for name, value in _FIELD.findall(bibtex)}
    names = [" ".join(reversed(name.split(", ", 1))) for name in fields["author"].split(" and ")]
    authors = in_sentence(names)
    place = fields.get("journal") or fields.get("publisher") or ""
    if "booktitle" in fields:
        place = f"In {fields['booktitle']}"
    address = f"doi:{fields['doi']}" if "doi" in fields else fields.get("url", "")
    parts = (authors, fields["year"], fields["title"], place, address)
    return Reference(key, _sentences(parts), bibtex)


def _sentences(parts: Iterable[str]) -> str:
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts if part)


def _plain(value: str) -> str:
    """Return a BibTeX value as text."""
    accented = _ACCENT.sub(lambda found: normalize("NFC", found[2] + _MARKS[found[1]]), value)
    return accented.replace("{", "").replace("}", "").replace("--", "–").replace("\\&", "&")


def _parts(signature: str) -> tuple[str, dict[str, str]]:
    """Return the name of a signature's metric, and its settings by name."""
    name, *parts = signature.split("|")
    return name, dict(part.partition(":")[::2] for part in parts)


def _models(signature: str) -> Iterator[str]:
    """Yield the models of a signature; that of the file rather than the name that was chosen for it."""
    name, values = _parts(signature)
    needs = next((cls.needs for cls in registry.metrics() if cls.name == name), frozenset())
    if not isinstance(needs, frozenset):  # a metric whose settings decide, such as a program of the user
        return
    for need, keys in _MODEL_KEYS.items():
        if need in needs:
            yield from [values[key] for key in keys if values.get(key) not in (None, "", "none", "no")][:1]


def _added(made: dict[str, Reference], kind: str, name: str, note: str) -> str:
    """Add an entry and return its key, which is unique among different names."""
    plain = f"{kind}-{re.sub('[^A-Za-z0-9]+', '-', name).strip('-').lower() or 'unnamed'}"
    key, number = plain, 1
    while key in made and made[key] != _misc(key, name, note):
        number += 1
        key = f"{plain}-{number}"
    made[key] = _misc(key, name, note)
    return key


def _misc(key: str, title: str, note: str, *, author: str = "") -> Reference:
    """Return an entry without a publication."""
    title, note = legible_text(title), legible_text(note)
    escaped = {
        "author": f"{{{latex_text(author)}}}" if author else "",
        "title": f"{{{latex_text(title)}}}",
        "key": "" if author else latex_text(title),
        "note": latex_text(note),
    }
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in escaped.items() if value)
    return Reference(key, _sentences((author, title, note)), f"@misc{{{key},\n{lines}\n}}")
