"""List of references of a report, as BibTeX: metrics, models, methods, the study and this program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from core.formatting.tables import latex_text
from core.metrics import registry
from core.metrics.base import Need
from core.report.model import Report

_OF_METRICS = {
    "rouge-n": ("lin-2004-rouge",),
    "rouge-l": ("lin-2004-rouge",),
    "rouge-w": ("lin-2004-rouge",),
    "rouge-s": ("lin-2004-rouge",),
    "rouge-su": ("lin-2004-rouge",),
    "be": ("hovy-2006-basic-elements", "lin-2004-rouge"),
    "rouge-we": ("ng-abrecht-2015-rouge-we", "peyrard-2017-s3"),
    "ancr": ("wang-2020-anchor",),
    "bleu": ("papineni-2002-bleu", "post-2018-call"),
    "chrf": ("popovic-2015-chrf", "post-2018-call"),
    "cider": ("vedantam-2015-cider",),
    "meteor": ("denkowski-lavie-2014-meteor",),
    "idss": ("jain-2022-widar",),
    "widar": ("jain-2022-widar",),
    "js": ("lin-2006-information-theoretic", "peyrard-2017-s3"),
    "bertscore": ("zhang-2020-bertscore",),
    "cosine": ("sun-nenkova-2019-feasibility",),
    "cosine-tokens": ("sun-nenkova-2019-feasibility",),
    "cosine-words": ("sun-nenkova-2019-feasibility",),
    "enc-avg": ("sun-nenkova-2019-feasibility",),
    "moverscore": ("zhao-2019-moverscore",),
    "sms": ("clark-2019-sms",),
    "supert": ("gao-2020-supert",),
    "blanc-help": ("vasilyev-2020-blanc",),
    "blanc-tune": ("vasilyev-2020-blanc",),
    "summaqa": ("scialom-2019-summaqa",),
    "sera": ("cohan-goharian-2016-sera",),
    "s3": ("peyrard-2017-s3",),
    "lite-pyramid": ("zhang-bansal-2021-lite",),
    "pyramid": ("nenkova-passonneau-2004-pyramid", "nenkova-2007-pyramid", "shapira-2019-crowdsourcing"),
}
_OF_METHODS = ("deutsch-2021-statistical", "efron-1987-bca", "holm-1979-simple")
_OF_MODELS = {
    "all-minilm": ("reimers-gurevych-2019-sentence-bert", "wang-2020-minilm"),
    "bert-": ("devlin-2019-bert",),
    "roberta": ("liu-2019-roberta",),
}
"""References by the beginning of a model's name, in lower case."""

_MODEL_KEYS: dict[Need, tuple[str, ...]] = {
    Need.ENCODER: ("model", "encoder"),
    Need.MASKED_LM: ("model",),
    Need.NLI: ("model", "nli"),
    Need.QA: ("model", "qa"),
    Need.PARSER: ("parser",),
    Need.WORD_VECTORS: ("vectors",),
    Need.LEARNED: ("model",),
}
"""Parts of a signature that name the model of a metric, the first one that it has."""

_ENTRY = re.compile(r"^@\w+\{([^,]+),.*?^\}$", re.DOTALL | re.MULTILINE)


def to_bibtex(report: Report) -> str:
    """Return the entries of everything that a report used, each once."""
    known = entries()
    keys: dict[str, None] = {}
    made: dict[str, str] = {}
    for signature in report.signatures:
        name = signature.partition("|")[0]
        if known_keys := keys_of_metric(name):
            keys |= dict.fromkeys(known_keys)
        elif entry := _entry_of_metric(name):
            made[f"metric-{name}"] = entry
        for model in _models(signature):
            made[_key("model", model)] = _entry_of_model(model)
            plain = model.rsplit("/", 1)[-1].lower()
            keys |= {key: None for start, of in _OF_MODELS.items() if plain.startswith(start) for key in of}
    if report.signatures:
        keys |= dict.fromkeys(_OF_METHODS)
    made["pyramidion"] = _misc(
        "pyramidion",
        author="{The Pyramidion developers}",
        title="{Pyramidion}",
        note=f"Version {version('pyramidion')}",
    )
    title = latex_text(report.study_name or report.title)
    made["study"] = _misc(
        "study", title=f"{{{title}}}", key=title, note=f"Study file, SHA-256 {report.study_digest}"
    )
    return "\n\n".join([*(known[key] for key in keys), *made.values()]) + "\n"


def keys_of_metric(name: str) -> tuple[str, ...]:
    """Return the keys of a metric's entries; empty for a metric of another package."""
    return _OF_METRICS.get(name, ())


@cache
def entries() -> Mapping[str, str]:
    """Return the entries that come with the program, by key."""
    text = files("resources").joinpath("bibliography/references.bib").read_text(encoding="utf-8")
    return {found[1]: found[0] for found in _ENTRY.finditer(text)}


def _entry_of_metric(name: str) -> str:
    """Return an entry for a metric of another package from its paper, empty = it names none."""
    paper = next((cls.paper for cls in registry.metrics() if cls.name == name), "")
    return (
        _misc(f"metric-{name}", title=f"{{{latex_text(name)}}}", key=latex_text(name), note=latex_text(paper))
        if paper
        else ""
    )


def _models(signature: str) -> Iterator[str]:
    """Yield the models of a signature; that of the file rather than the name that was chosen for it."""
    name, *parts = signature.split("|")
    values = dict(part.partition(":")[::2] for part in parts)
    needs = next((cls.needs for cls in registry.metrics() if cls.name == name), frozenset())
    for need, keys in _MODEL_KEYS.items():
        if need in needs:
            yield from [values[key] for key in keys if values.get(key) not in (None, "", "none", "no")][:1]


def _entry_of_model(model: str) -> str:
    note = "Model or word vectors, as named in the signature"
    return _misc(_key("model", model), title=f"{{{latex_text(model)}}}", key=latex_text(model), note=note)


def _key(kind: str, name: str) -> str:
    return f"{kind}-{re.sub('[^A-Za-z0-9]+', '-', name).strip('-').lower() or 'unnamed'}"


def _misc(entry: str, /, **fields: str) -> str:
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return f"@misc{{{entry},\n" + ",\n".join(lines) + "\n}"
