"""Small models of every kind, and their results on a device."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import h5py
import numpy as np
import torch

from core.domain.study import Text, TopicTexts
from core.metrics.registry import parse
from core.models.encoders.elmo_network import load_elmo
from core.models.encoders.infersent import load_infersent
from core.models.encoders.text_encoding import TextEncoder
from core.models.encoders.word_vectors import load_word_vectors
from core.models.heads.pair_classifier import load_pair_classifier
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_sentences
from tests.core.models import test_elmo, test_infersent

Make = Callable[..., Path]
Numbers = Mapping[str, np.ndarray]

ENCODED = (
    "bertscore:idf=yes",
    "moverscore:mode=v1",
    "moverscore:mode=v2",
    "cosine",
    "cosine-tokens:layers=all,joining=max",
    "ancr:n=1",
    "ancr:units=pairs,anchor=type,window=longest",
    "supert",
    "sms:context=yes",
)
PAIRS = [("the court ruled on monday .", "the court ruled ."), ("a cat sat .", "dogs ran on the mat .")]


@dataclass(frozen=True, slots=True)
class Made:
    """Where small random models lie."""

    filling: Path
    answering: Path
    entailing: Path
    elmo: tuple[Path, Path]
    infersent: tuple[Path, Path]


def make_all(make_model: Make, folder: Path) -> Made:
    """Write a model of every kind but an encoder, of which the packaged one serves."""
    sizes = {"max_position_embeddings": 64, "initializer_range": 0.6}
    return Made(
        make_model("filling", "BertForMaskedLM", **sizes),
        make_model("answering", "BertForQuestionAnswering", **sizes),
        make_model("entailing", "BertForSequenceClassification", id2label=_LABELS, **sizes),
        _write_elmo(folder),
        _write_infersent(folder),
    )


_LABELS = {0: "contradiction", 1: "entailment", 2: "neutral"}


def topic() -> TopicTexts:
    """Three summaries, one of them empty; two references, one document."""
    made = topic_of_sentences(
        [["the court ruled on monday .", "a cat sat ."], ["dogs ran on the mat ."], [""]],
        [["On Monday the court ruled on new dogs .", "A cat sat on Mat 3 ."]],
    )
    return replace(made, references=made.summaries[1::-1])


def numbers_on(device: str, made: Made) -> dict[str, np.ndarray]:
    """Every number but InferSent's, by what gives it."""
    return dict(_numbers(device, made))


def infersent_on(device: str, made: Made) -> np.ndarray:
    """InferSent's, which packs texts of several lengths as only a true device can."""
    weights, words = made.infersent
    return _rows(load_infersent(weights, 2, load_word_vectors(str(words)), device))


def tuned_on(device: str, made: Made) -> np.ndarray:
    """What a model says that learns first: its random numbers are the device's own."""
    return _scores(
        f"blanc-tune:masked_lm={made.filling},gap=2,finetune_epochs=2", StudyResources(None, device)
    )


def _numbers(device: str, made: Made) -> Iterator[tuple[str, np.ndarray]]:
    resources = StudyResources(None, device)
    specs = (f"summaqa:qa={made.answering},entities=rules{mode}" for mode in ("", ",mode=toolkit"))
    for spec in (*ENCODED, f"blanc-help:masked_lm={made.filling},gap=2", *specs):
        yield spec.partition("=/")[0], _scores(spec, resources)
    yield "entailment", load_pair_classifier(str(made.entailing), device=device).judge(PAIRS).presence
    yield "elmo", _rows(load_elmo(*made.elmo, device))


def _rows(reader: TextEncoder) -> np.ndarray:
    texts = [Text(str(i), str(i), content) for i, content in enumerate(("The dog runs.", "It does n't ."))]
    return np.concatenate([reading.rows for reading in reader.read(texts)])


def _scores(spec: str, resources: StudyResources) -> np.ndarray:
    metric = parse(spec)
    prepared = metric.prepare(topic(), resources)
    metric.explain(prepared, 0)
    return metric.score(prepared).values


def _write_elmo(folder: Path) -> tuple[Path, Path]:
    described, weights = folder / "options.json", folder / "weights.hdf5"
    described.write_text(json.dumps(test_elmo.options()), encoding="utf-8")
    with h5py.File(weights, "w") as file:
        for name, values in test_elmo.numbers().items():
            file[name] = values
    return described, weights


def _write_infersent(folder: Path) -> tuple[Path, Path]:
    weights, words = folder / "infersent.pkl", folder / "words.txt"
    torch.save(test_infersent.state(), weights)
    random = np.random.default_rng(3)
    rows = (f"{word} {' '.join(map(str, random.normal(size=4)))}" for word in test_infersent.VOCABULARY)
    words.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return weights, words
