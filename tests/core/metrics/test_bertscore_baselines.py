"""Rescaling of BERTScore with baselines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.errors import InputError, MissingResource
from core.metrics.embedding.bertscore import FILE, find_baselines
from core.metrics.registry import metric, parse
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import Model
from core.models.encoders.encoder import Encoder
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts as topic
from tests.core.metrics.scored import tools_for

Make = Callable[..., Path]
ROWS = "LAYER,P,R,F\n0,0.1,0.1,0.1\n1,0.2,0.3,0.25\n2,0.4,0.5,0.45\n"
TEXTS = (
    "A federal judge struck the ban down on Monday.",
    "The court ruled that the state's ban was void, and the governor vowed to appeal at once.",
    "Rain is expected in the north tomorrow; roads may be closed.",
)


@pytest.fixture
def resources() -> StudyResources:
    return tools_for(topic((), TEXTS))


@pytest.fixture
def model(make_model: Make) -> Model:
    return find_model(str(make_model()))


def named(model: Model, name: str) -> Model:
    return replace(model, name=name)


def test_published_baselines_are_those_of_the_paper_s_models(model: Model) -> None:
    # F as its authors state them: roberta-large at layer 17, bert-base-uncased at layers 8 and 9
    for name, layer, precision in (
        ("roberta-large", 17, 0.8315),
        ("bert-base-uncased", 8, 0.3723),
        ("google-bert/bert-base-uncased", 9, 0.3538),
    ):
        assert find_baselines(named(model, name), layer)[0] == pytest.approx(precision, abs=5e-5)


def test_published_baselines_are_those_of_bert_score() -> None:
    peer = pytest.importorskip("bert_score", reason="run: pip install bert-score==0.3.13")
    folder = Path(peer.__file__).parent / "rescale_baseline" / "en"
    table = (files("resources") / "baselines" / "bertscore_en.tsv").read_text(encoding="utf-8")
    ours: dict[str, list[str]] = {}
    for line in table.splitlines():
        if not line.startswith("#"):
            name, _, row = line.partition("\t")
            ours.setdefault(name, []).append(row.replace("\t", ","))
    for name, rows in ours.items():
        (file,) = folder.rglob(f"{name}.tsv")
        assert rows == file.read_text(encoding="utf-8").splitlines()[1:]
    assert {"roberta-large", "bert-base-uncased", "distilbert-base-uncased"} <= ours.keys()


def test_a_file_in_the_models_folder_goes_before_published_ones_and_a_named_one_before_both(
    model: Model, tmp_path: Path
) -> None:
    (model.folder / FILE).write_text(ROWS, encoding="utf-8")
    known = named(model, "roberta-large")
    assert find_baselines(known, 2).tolist() == [0.4, 0.5, 0.45]
    other = tmp_path / "mine.tsv"
    other.write_text(ROWS.replace(",", "\t").replace("0.45", "0.46"), encoding="utf-8")
    assert find_baselines(known, 2, str(other)).tolist() == [0.4, 0.5, 0.46]


def test_scores_are_counted_from_the_baselines(model: Model, resources: StudyResources) -> None:
    (model.folder / FILE).write_text(ROWS, encoding="utf-8")
    one = topic(["the cat sat", ""], ["a cat ran", "the dog"])
    raw, rescaled = (
        metric("bertscore", encoder=str(model.folder), layer=2, rescale=rescale) for rescale in (False, True)
    )
    before, after = (m.score(m.prepare(one, resources)) for m in (raw, rescaled))
    b = np.array([0.4, 0.5, 0.45])
    np.testing.assert_allclose(after.values, (before.values - b) / (1 - b), atol=1e-12)
    np.testing.assert_allclose(after.values[1], -b / (1 - b), atol=1e-12)
    assert before.stats is not None
    assert after.stats is not None
    np.testing.assert_allclose(after.stats, (before.stats - b) / (1 - b), atol=1e-12)
    mask = np.array([False, True])
    np.testing.assert_allclose(
        rescaled.combine(after.stats, mask), (raw.combine(before.stats, mask) - b) / (1 - b), atol=1e-12
    )


@pytest.mark.parametrize("pooling", ["best", "mean"])
def test_the_explanation_of_a_rescaled_score_evaluates_to_it(
    pooling: str, model: Model, resources: StudyResources
) -> None:
    (model.folder / FILE).write_text(ROWS, encoding="utf-8")
    chosen = metric("bertscore", encoder=str(model.folder), layer=2, rescale=True, pooling=pooling)
    prepared = chosen.prepare(topic(["the cat sat", ""], ["a cat ran", "the dog"]), resources)
    values = chosen.score(prepared).values
    for system in range(2):
        explained = [tree.evaluate() for tree in chosen.explain(prepared, system).values()]
        np.testing.assert_allclose(explained, values[system], atol=1e-6)


def test_the_signature_has_the_baselines_and_repeats_the_run(model: Model, resources: StudyResources) -> None:
    file = model.folder / FILE
    file.write_text(ROWS, encoding="utf-8")
    chosen = metric("bertscore", encoder=str(model.folder), layer=2, rescale=True)
    signature = chosen.signature(resources)
    assert "|rescale:yes|dtype:float32|" in signature
    assert "|baselines:0.4/0.5/0.45|" in signature
    assert parse(signature) == parse(chosen.spec) == chosen
    file.write_text(ROWS.replace("0.45", "0.44"), encoding="utf-8")
    assert chosen.signature(resources) != signature


def test_a_missing_baseline_error_names_the_remedy(model: Model, resources: StudyResources) -> None:
    with pytest.raises(MissingResource, match=r"no baseline for layer 2 of tiny. Score without rescaling"):
        find_baselines(model, 2)
    (model.folder / FILE).write_text(ROWS, encoding="utf-8")
    with pytest.raises(MissingResource, match=rf"no baseline in .*{FILE} for layer 3 of tiny"):
        find_baselines(model, 3)
    with pytest.raises(MissingResource, match="There is no file /nowhere"):
        find_baselines(model, 3, "/nowhere")
    assert "layer 5 of all-MiniLM-L6-v2" in parse("bertscore:rescale=yes").unavailable(resources)
    assert parse("bertscore").unavailable(resources) == ""


@pytest.mark.parametrize("row", ["2,0.4,0.5", "2,0.4,0.5,much", "2,0.4,0.5,1.0", "2,0.4,nan,0.5"])
def test_a_damaged_file_error_describes_the_format(model: Model, row: str) -> None:
    (model.folder / FILE).write_text(f"LAYER,P,R,F\n{row}\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=rf"The baselines in .*{FILE} cannot be read .* Each row must have a layer"
    ):
        find_baselines(model, 2)


def test_a_file_alone_rescales_too(model: Model, resources: StudyResources, tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(ROWS, encoding="utf-8")
    one = topic(["the cat sat"], ["a cat ran"])
    by_file, by_both = (
        metric("bertscore", encoder=str(model.folder), layer=2, rescale=rescale, baseline=str(file))
        for rescale in (False, True)
    )
    values = [m.score(m.prepare(one, resources)).values.tolist() for m in (by_file, by_both)]
    assert values[0] == values[1]
    assert "|baselines:0.4/0.5/0.45|" in by_file.signature(resources)


@pytest.mark.filterwarnings("ignore:The given NumPy array is not writable")  # the peer's own
@pytest.mark.parametrize("idf", [False, True])
def test_rescaled_scores_agree_with_bert_score(
    idf: bool, minilm: Encoder, resources: StudyResources, tmp_path: Path
) -> None:
    peer = pytest.importorskip("bert_score", reason="run: pip install bert-score==0.3.13")
    file = tmp_path / "baseline.tsv"
    file.write_text("LAYER,P,R,F\n" + "".join(f"{i},0.{i + 1},0.2,0.3\n" for i in range(7)), encoding="utf-8")
    resources._encoders["minilm", "float32"] = minilm
    chosen = metric("bertscore", idf=idf, rescale=True, baseline=str(file))
    ours = chosen.score(chosen.prepare(topic(TEXTS, TEXTS[1:]), resources)).values
    folder = str(minilm.model.folder)
    weights: Any = False
    if idf:
        weights = peer.utils.get_idf_dict(list(TEXTS), peer.utils.get_tokenizer(folder), nthreads=0)
    theirs = peer.score(
        list(TEXTS),
        [list(TEXTS[1:])] * len(TEXTS),
        model_type=folder,
        num_layers=5,
        idf=weights,
        device="cpu",
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(file),
    )
    np.testing.assert_allclose(ours, torch.stack(theirs, dim=1).numpy(), atol=1e-4)
