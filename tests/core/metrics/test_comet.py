"""COMET against the ratings of unbabel-comet 2.2.7 in tests/reference/comet, by checkpoints of each kind.

Another 400 rows of random texts, with rare characters and marks, most of them longer than the limit, were
rated alike to 7e-6 (each kind, two draws).
"""

from __future__ import annotations

import json
import os
import shutil
from argparse import Namespace
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.errors import InputError, MissingResource
from core.metrics.base import Need, Pool
from core.metrics.learned.comet import Comet
from core.metrics.registry import parse
from core.models.catalogue.entries import Role
from core.models.catalogue.user_models import user_models
from core.models.library.add_model import add_model
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts

REFERENCE = Path(__file__).parents[2] / "reference" / "comet"
CASES: dict[str, Any] = json.loads((REFERENCE / "cases.json").read_text(encoding="utf-8"))
ROWS = CASES.pop("rows")
Make = Callable[..., Path]


def released(folder: Path, kind: str, **changed: Any) -> Path:
    """Write a checkpoint as its authors release it, with the tokenizer of its encoder, and return its folder.

    changed: hyperparameters that differ.
    """
    import yaml
    from safetensors.torch import load_file

    case = CASES[kind]
    every = load_file(REFERENCE / "model.safetensors")
    state = {name.removeprefix(f"{kind}/"): tensor for name, tensor in every.items()}
    state = {name: tensor for name, tensor in state.items() if "/" not in name}
    (folder / "checkpoints").mkdir(parents=True)
    shutil.copyfile(REFERENCE / "tokenizer.json", folder / "tokenizer.json")
    parameters = {**case["parameters"], **changed}
    content = {"state_dict": state, "hyper_parameters": parameters, "pytorch-lightning_version": "2.6.6"}
    torch.save(content, folder / "checkpoints" / "model.ckpt")
    written = {**parameters, **case["written"]}
    (folder / "hparams.yaml").write_text(yaml.safe_dump(written), encoding="utf-8")
    return folder


@pytest.fixture
def resources(tmp_path: Path) -> StudyResources:
    user_models().use_folder(tmp_path / "settings")
    return StudyResources(None, "cpu", batch_tokens=120)


def _spec(kind: str, settings: str = "") -> str:
    reads = CASES[kind]["written"]["class_identifier"] == "regression_metric"
    return f"comet:rater={kind}" + (settings if reads else ",pooling=none")


@pytest.mark.parametrize("kind", CASES)
def test_ratings_are_those_of_the_authors_program(
    kind: str, resources: StudyResources, tmp_path: Path
) -> None:
    added = add_model(released(tmp_path / kind, kind), copies=tmp_path / "models")
    assert (added.name, added.roles) == (kind, (Role.ENCODER, Role.COMET))
    metric = parse(_spec(kind))
    metric.check(resources)
    assert f"|model:{kind}|hash:" in metric.signature(resources)
    for row, rating in zip(ROWS, CASES[kind]["ratings"], strict=True):
        topic = topic_of_texts([row["mt"]], [row["ref"]], [row["src"]])
        prepared = metric.prepare(topic, resources)
        scores = metric.score(prepared)
        np.testing.assert_allclose(scores.values, [[rating]], atol=1e-5)
        assert metric.explain(prepared, 0)["comet.score"].evaluate() == scores.values[0, 0]


def test_several_references_are_pooled_and_documents_joined_by_lines(
    resources: StudyResources, tmp_path: Path
) -> None:
    add_model(released(tmp_path / "wmt22-da", "wmt22-da"), copies=tmp_path / "models")
    first, second, third = (row["ref"] for row in ROWS[:3])
    summaries = [first, second]
    ratings = np.array(
        [
            [
                resources.comet("wmt22-da").rate([(one, other, f"{first}\n{third}")]).values[0]
                for other in (second, third)
            ]
            for one in summaries
        ]
    )
    assert ratings.std() > 1e-3
    topic = topic_of_texts(summaries, [second, third], [first, third])
    for pooling, expected in (("mean", ratings.mean(axis=1)), ("best", ratings.max(axis=1))):
        metric = parse(_spec("wmt22-da", f",pooling={pooling}"))
        scores = metric.score(metric.prepare(topic, resources))
        np.testing.assert_allclose(scores.values[:, 0], expected, atol=1e-5)


@pytest.mark.parametrize("settings", ["", ",pooling=none"])
def test_all_ratings_of_a_topic_read_the_same_joined_document(settings: str) -> None:
    topic = topic_of_texts(["a", "b"], ["c", "d"], ["long", "longer"])
    metric = parse(f"comet:rater=any{settings}")
    assert isinstance(metric, Comet)
    rows = metric.rows(topic, metric.others(topic))
    assert len(rows) == (2 if settings else 4)
    assert {row[-1] for row in rows} == {"long\nlonger"}
    assert len({id(row[-1]) for row in rows}) == 1


@pytest.mark.parametrize("kind", ["wmt22-da", "kiwi"])
def test_blank_texts_have_no_rating_and_cut_ones_are_noted(
    kind: str, resources: StudyResources, tmp_path: Path
) -> None:
    add_model(released(tmp_path / kind, kind), copies=tmp_path / "models")
    metric = parse(_spec(kind))
    short, long = "a dog ran", "the dog ran on the mat " * 9
    for summaries, documents, blank, cut in (
        (["", short, long], [short], [0], 1),
        ([short], ["", " "], [0], 0),
        ([short], [long, short], [], 1),
        ([short], [short], [], 0),
    ):
        topic = topic_of_texts(summaries, [short], documents)
        prepared = metric.prepare(topic, resources)
        scores = metric.score(prepared)
        assert np.flatnonzero(np.isnan(scores.values[:, 0])).tolist() == blank
        assert scores.notes == {**({"truncated": cut} if cut else {}), **({"no_units": 1} if blank else {})}
        for system, (value,) in enumerate(scores.values.tolist()):
            tree = metric.explain(prepared, system)["comet.score"]
            np.testing.assert_equal(tree.evaluate(), value)


def test_batches_and_other_texts_change_no_rating(resources: StudyResources, tmp_path: Path) -> None:
    add_model(released(tmp_path / "wmt20-da", "wmt20-da"), copies=tmp_path / "models")
    rows = [(row["mt"], row["ref"], row["src"]) for row in ROWS]
    together = StudyResources(None, "cpu", batch_tokens=100_000).comet("wmt20-da").rate(rows).values
    np.testing.assert_allclose(resources.comet("wmt20-da").rate(rows[::-1]).values[::-1], together, atol=1e-5)


def test_each_text_goes_through_the_encoder_once(resources: StudyResources, tmp_path: Path) -> None:
    add_model(released(tmp_path / "wmt22-da", "wmt22-da"), copies=tmp_path / "models")
    network, passes = resources.comet("wmt22-da"), []
    network.module.register_forward_pre_hook(
        lambda _m, _a, inputs: passes.append(len(inputs["input_ids"])), with_kwargs=True
    )
    rows = [(row["mt"], row["ref"], row["src"]) for row in ROWS]
    network.rate(rows)
    network.rate(rows)
    assert sum(passes) == len({text for row in rows for text in row})


def test_a_checkpoint_and_its_use_must_fit(
    make_model: Make, resources: StudyResources, tmp_path: Path
) -> None:
    for kind in ("wmt22-da", "kiwi"):
        add_model(released(tmp_path / kind, kind), copies=tmp_path / "models")
    assert "kiwi reads no references. Set pooling=none" in parse("comet:rater=kiwi").unavailable(resources)
    refusal = parse("comet:rater=wmt22-da,pooling=none").unavailable(resources)
    assert "wmt22-da reads references. Set pooling=mean" in refusal
    assert "is not a checkpoint of COMET" in parse(f"comet:rater={make_model()}").unavailable(resources)
    assert "config.json lists Comet" in parse("bleurt:rater=wmt22-da").unavailable(resources)
    assert parse("comet").needs == {Need.REFERENCES, Need.DOCUMENTS, Need.RATER}
    free = parse("comet:rater=kiwi,pooling=none")
    assert (free.needs, free.pool) == ({Need.DOCUMENTS, Need.RATER}, Pool.JOINT)
    assert "Unbabel/wmt22-comet-da" in parse("comet").unavailable(resources)


@pytest.mark.parametrize(
    ("kind", "changed", "why"),
    [
        ("wmt22-da", {"pool": "max"}, "pool=max"),
        ("wmt22-da", {"layer": 3}, "layer=3"),
        ("wmt22-da", {"encoder_model": "XLM-RoBERTa-XL"}, "encoder_model=XLM-RoBERTa-XL"),
        ("kiwi", {"input_segments": ["mt", "src", "ref"]}, "input_segments="),
        ("kiwi", {"word_level_training": True}, "word_level_training=True"),
        ("wmt22-da", {"activations": "GELU"}, "activations=GELU"),
        ("wmt22-da", {"final_activation": "Softmax"}, "final_activation=Softmax"),
    ],
)
def test_checkpoints_of_other_kinds_are_refused(
    kind: str, changed: dict[str, Any], why: str, resources: StudyResources, tmp_path: Path
) -> None:
    folder = released(tmp_path / kind, kind, **changed)
    with pytest.raises(InputError, match=f"of a kind that is not read here: it has {why}"):
        add_model(folder, copies=tmp_path / "models")
    assert not list((tmp_path / "models").glob("[!.]*"))


def test_what_a_checkpoint_lacks_is_named(resources: StudyResources, tmp_path: Path) -> None:
    folder = released(tmp_path / "kiwi", "kiwi")
    (folder / "tokenizer.json").rename(tmp_path / "kept.json")
    with pytest.raises(MissingResource, match=r"comes without its tokenizer.*xlm-roberta-large"):
        add_model(folder, copies=tmp_path / "models")
    (tmp_path / "kept.json").rename(folder / "tokenizer.json")
    for content, error, why in (
        ("class_identifier: xcomet_metric\n", InputError, "it is a xcomet_metric"),
        ("layer: mix\n", InputError, "no checkpoint of COMET with XLM-RoBERTa: it has no 'class_identifier'"),
        ("a: !!python/object/apply:os.getcwd []\n", InputError, r"hparams\.yaml is damaged"),
        (None, MissingResource, r"comes without hparams\.yaml"),
    ):
        if content is None:
            (folder / "hparams.yaml").unlink()
        else:
            (folder / "hparams.yaml").write_text(content)
        with pytest.raises(error, match=why):
            add_model(folder, copies=tmp_path / "models")


_WORDS = "encoder.model.embeddings.word_embeddings.weight"


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        (_WORDS, lambda tensor: tensor[0].clone(), "no checkpoint of COMET"),
        ("estimator.ff.0.weight", torch.Tensor.to_sparse, "it has no state_dict"),
        ("layerwise_attention.scalar_parameters.x", lambda _: torch.ones(1), "no checkpoint of COMET"),
        ("layerwise_attention.scalar_parameters.0", lambda _: torch.ones(2), "do not fit together"),
        ("layerwise_attention.gamma", lambda _: torch.ones(2), "do not fit together"),
        ("estimator.ff.0.weight", lambda tensor: tensor[:, 1:].clone(), "do not fit together"),
        ("estimator.ff.x.weight", lambda _: torch.ones(1), "do not fit together"),
    ],
)
def test_tensors_of_other_names_and_sizes_are_refused_before_any_rating(
    name: str, change: Callable[[Any], Any], why: str, resources: StudyResources, tmp_path: Path
) -> None:
    folder = released(tmp_path / "wmt22-da", "wmt22-da")
    content = torch.load(folder / "checkpoints" / "model.ckpt")
    content["state_dict"][name] = change(content["state_dict"].get(name))
    torch.save(content, folder / "checkpoints" / "model.ckpt")

    def load() -> None:
        add_model(folder, copies=tmp_path / "models")
        resources.comet("wmt22-da")

    with pytest.raises(InputError, match=why):
        load()


@pytest.mark.parametrize(
    "content", [b"version https://git-lfs.github.com/spec/v1", b"hello", b"\x80\x02", b""]
)
def test_files_of_other_kinds_are_no_checkpoints(content: bytes, tmp_path: Path) -> None:
    folder = released(tmp_path / "wmt22-da", "wmt22-da")
    (folder / "checkpoints" / "model.ckpt").write_bytes(content)
    with pytest.raises(InputError, match=r"model\.ckpt is damaged"):
        add_model(folder, copies=tmp_path / "models")


@pytest.mark.parametrize("content", ["{}", '{"model": {"vocab": [1]}}', '{"model": [1]}'])
def test_files_without_words_are_no_tokenizers(content: str, tmp_path: Path) -> None:
    user_models().use_folder(tmp_path / "settings")
    folder = released(tmp_path / "wmt22-da", "wmt22-da")
    (folder / "tokenizer.json").write_text(content)
    with pytest.raises(MissingResource, match="comes without its tokenizer"):
        add_model(folder, copies=tmp_path / "models")


@pytest.mark.parametrize("changed", [None, [1], {"reads": 3}, {"activation": "gelu"}, {"is_joint": 1}])
def test_a_configuration_that_does_not_say_what_is_read_is_refused(
    changed: Any, resources: StudyResources, tmp_path: Path
) -> None:
    add_model(released(tmp_path / "wmt22-da", "wmt22-da"), copies=tmp_path / "models")
    file = tmp_path / "models" / "wmt22-da" / "config.json"
    config = json.loads(file.read_text())
    config["comet"] = {**config["comet"], **changed} if isinstance(changed, dict) else changed
    file.write_text(json.dumps(config))
    assert "does not say how this checkpoint" in parse("comet:rater=wmt22-da").unavailable(resources)


class _Bomb:
    """An object that makes a folder when it is loaded."""

    def __init__(self, make: Callable[..., Any], folder: Path) -> None:
        self.make, self.folder = make, folder

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return self.make, (str(self.folder),)


def test_objects_of_the_trainer_are_passed_over_and_not_loaded(
    resources: StudyResources, tmp_path: Path
) -> None:
    folder = released(tmp_path / "kiwi", "kiwi")
    file, exploded = folder / "checkpoints" / "model.ckpt", tmp_path / "exploded"
    content = torch.load(file)
    trainer = {"callbacks": {_Bomb: 1, "other": OrderedDict(c=Namespace(a=Path("b")), d=_Bomb)}}
    torch.save({**content, **trainer}, file)
    add_model(folder, copies=tmp_path / "models")
    rows = [(row["mt"], row["src"]) for row in ROWS]
    np.testing.assert_allclose(resources.comet("kiwi").rate(rows).values, CASES["kiwi"]["ratings"], atol=1e-5)
    torch.save({**content, "callbacks": _Bomb(shutil.rmtree, exploded)}, file)
    exploded.mkdir()
    add_model(folder, copies=tmp_path / "models")
    assert exploded.is_dir(), "nothing is called"
    for refused in (
        {**content, "callbacks": _Bomb(os.rmdir, exploded)},
        {**content, "state_dict": _Bomb(os.rmdir, exploded)},
    ):
        torch.save(refused, file)
        with pytest.raises(InputError, match="could run code when loaded"):
            add_model(folder, copies=tmp_path / "models")
    torch.save({**content, "state_dict": _Bomb(shutil.rmtree, exploded)}, file)
    with pytest.raises(InputError, match="no checkpoint of"):
        add_model(folder, copies=tmp_path / "models")
    assert exploded.is_dir()
