"""Encoders for tests (the packaged one, and tiny random ones), and a judged study."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.domain.study import SystemKind, TopicTexts
from core.ports import MetricConfig, ScoreBlock

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "on",
    "mat",
    "ran",
    "court",
    "ruled",
    "##s",
    "##ed",
    "new",
    ".",
    ",",
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.fixture(scope="session")
def minilm() -> Any:
    """The packaged encoder on the CPU."""
    from core.models.encoders.encoder import load_encoder

    return load_encoder("minilm", device="cpu")


@pytest.fixture
def make_model(tmp_path: Path) -> Callable[..., Path]:
    """Save a random BERT of two layers, 32 wide, for texts of up to 12 pieces, and return its folder.

    kind: the class of transformers, which may have a head.
    """

    def make(name: str = "tiny", kind: str = "BertModel", **changed: Any) -> Path:
        import torch
        import transformers

        torch.manual_seed(7)
        sizes = {
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "intermediate_size": 64,
            "max_position_embeddings": 12,
            **changed,
        }
        folder = tmp_path / name
        configuration = transformers.BertConfig(vocab_size=len(SPECIAL) + len(WORDS), **sizes)
        getattr(transformers, kind)(configuration).save_pretrained(folder)
        _write_tokenizer(folder)
        return folder

    return make


def _write_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    vocabulary = {piece: i for i, piece in enumerate(SPECIAL + WORDS)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    marks = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    settings = {"tokenizer_class": "BertTokenizer", "model_max_length": 1_000_000_000_000, **marks}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")


TOPICS = ("D1", "D2", "D3", "D10")
SYSTEMS = {
    "lead": SystemKind.BASELINE,
    "north": SystemKind.AUTOMATIC,
    "south": SystemKind.AUTOMATIC,
    "east": SystemKind.AUTOMATIC,
    "=west": SystemKind.AUTOMATIC,  # a name that a spreadsheet would run
    "person": SystemKind.HUMAN,
}
RATERS = {"expert-1": "expert", "expert-2": "expert", "crowd-1": "crowd"}


@pytest.fixture(scope="session")
def judged_study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A read-only study: texts, ratings by experts and crowd, pyramids on D1 (by two) and D2, scores."""
    from storage.study_file import new_study

    with new_study(tmp_path_factory.mktemp("judged") / "judged.pyramidion", name="Judged") as study:
        study.import_data(_judged_texts())
        for topic in list(study.texts.load())[:2]:
            _match_summaries(study, topic)
        _keep_scores(study)
        yield study


@pytest.fixture
def changeable_study(judged_study: Any, tmp_path: Path) -> Iterator[Any]:
    """A copy of the judged study that a test can change."""
    with copied(judged_study, tmp_path / "judged.pyramidion") as study:
        yield study


def copied(study: Any, path: Path) -> Any:
    """Return an opened copy of an open study."""
    from storage.study_file import open_study

    study.flush()
    with closing(sqlite3.connect(study.path)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)
    return open_study(path)


def _judged_texts() -> ImportContent:
    topics = [
        NewTopic(
            name,
            documents={"news": NewText(f"The council of {name} met on Monday. It raised the tax.")},
            references={author: NewText(f"{author} says the council raised the tax.") for author in "AB"},
            summaries={system: NewText(f"Words of {system} on {name}.") for system in SYSTEMS},
        )
        for name in TOPICS
    ]
    ratings = [
        NewRating(topic, system, "coherence", rater, float(1 + (i * 3 + j * 2 + k) % 5))
        for i, topic in enumerate(TOPICS)
        for j, system in enumerate(SYSTEMS)
        for k, rater in enumerate(RATERS)
        if (topic, system) != ("D10", "east")
    ]
    return ImportContent(
        "made for tests",
        topics=topics,
        systems=SYSTEMS,
        annotators=RATERS,
        dimensions={"coherence": (1.0, 5.0)},
        ratings=ratings,
    )


def _match_summaries(study: Any, topic: TopicTexts) -> None:
    """Match SCUs of weight 2, 1, 1: lead none, north one, south two, east all; others are not marked done."""
    first, second = (reference.id for reference in topic.references)
    summaries = {text.name: text.id for text in topic.summaries}
    for name in ("ann", "ben") if topic.name == "D1" else ("ann",):
        me = study.annotators.get_or_create(name).id
        before = study.pyramids.annotation(topic.id, study.annotators.get_or_create("ann").id)
        after = before
        if name == "ann":
            after = pyramid.add_scu(after, "Council raised the tax", first, [(0, 4)], f"{topic.id}-1")
            after = pyramid.add_contributor(after, f"{topic.id}-1", second, [(0, 4)])
            after = pyramid.add_scu(after, "It met", first, [(5, 9)], f"{topic.id}-2")
            after = pyramid.add_scu(after, "On Monday", second, [(5, 9)], f"{topic.id}-3")
        for system, scus in {"lead": "", "north": "1", "south": "12", "east": "123"}.items():
            seen = scus[: 2 if name == "ben" else 3]  # ben never finds the third
            for number in seen:
                after = pyramid.add_match(after, summaries[system], me, f"{topic.id}-{number}")
            after = pyramid.set_summary_state(after, summaries[system], me, is_done=True)
        after = pyramid.add_match(after, summaries["=west"], me, f"{topic.id}-1")
        study.pyramids.commit(before, after, "match", me).result()


def _keep_scores(study: Any) -> None:
    random = np.random.default_rng(5)
    for n, step in ((1, 0.5), (2, 0.25)):
        measures = (f"rouge-{n}.recall", f"rouge-{n}.f")
        config = MetricConfig(f"rouge-n|n:{n}|version:1", "rouge-n", "Lexical", f"rouge-n:n={n}", measures)
        for i, topic in enumerate(study.texts.topics()):
            noise = random.random((len(SYSTEMS), 2)) / 4
            values = np.arange(len(SYSTEMS))[:, None] * step / 10 + noise
            if topic.name == "D3":
                values[0] = np.nan
            block = ScoreBlock(topic.id, tuple(SYSTEMS), (), values, None, f"hash-{i}", 0.1)
            study.scores.save(config, block).result()
