"""The list of models and how they are found."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BadSetting, InputError, MissingResource
from core.models.catalogue import model_folder
from core.models.catalogue.digests import DigestCache
from core.models.catalogue.entries import CATALOGUE, Role
from core.models.catalogue.lookup import find_model, seconds_per_text, verified_hash

Make = Callable[..., Path]


def test_looking_for_a_model_imports_neither_torch_nor_transformers() -> None:
    script = (
        "import sys; from core.models.catalogue.lookup import find_model; find_model('minilm');"
        "sys.exit(any(name in sys.modules for name in ('torch', 'transformers')))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_the_packaged_model_has_the_released_weights() -> None:
    model = find_model("minilm")
    assert (model.name, model.layers, model.dimension, model.limit) == ("all-MiniLM-L6-v2", 6, 384, 512)
    assert verified_hash(model, DigestCache()) == CATALOGUE[0].sha256


def test_other_weights_than_the_released_ones_are_refused() -> None:
    with pytest.raises(InputError, match="does not match the release"):
        verified_hash(replace(find_model("minilm"), sha256="0" * 64), DigestCache())


def test_a_model_is_found_by_its_folder(make_model: Make) -> None:
    made = make_model("mine")
    model = find_model(str(made))
    assert (model.name, model.layers, model.dimension, model.limit) == ("mine", 2, 32, 12)
    assert model.weights == (made / "model.safetensors",)


def test_a_model_is_found_by_name_in_the_local_cache(
    make_model: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "hub" / "models--somebody--small"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("abc")
    (repository / "snapshots").mkdir()
    make_model().rename(repository / "snapshots" / "abc")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    assert find_model("somebody/small").folder == repository / "snapshots" / "abc"


def test_a_missing_model_error_explains_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingResource, match="models get FacebookAI/roberta-large; or copy its folder"):
        find_model("roberta-large")
    with pytest.raises(MissingResource, match="models get somebody/unknown"):
        find_model("somebody/unknown")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match=r"no model in .*nowhere; its folder needs config\.json"):
        find_model(str(tmp_path / "nowhere"))


def test_an_invalid_name_is_refused() -> None:
    with pytest.raises(InputError, match="neither a folder nor a hub name"):
        find_model("no such: model")


def test_weights_as_a_pickle_are_refused(make_model: Make) -> None:
    made = make_model()
    (made / "model.safetensors").rename(made / "pytorch_model.bin")
    with pytest.raises(InputError, match="only as a pickle, which can run code"):
        find_model(str(made))


def test_a_missing_part_of_the_weights_is_noticed(make_model: Make) -> None:
    made = make_model()
    (made / "model.safetensors").rename(made / "a.safetensors")
    index = made / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"x": "a.safetensors", "y": "b.safetensors"}}))
    with pytest.raises(InputError, match="Some weight files of the model"):
        find_model(str(made))
    (made / "b.safetensors").write_bytes(b"")
    assert [file.name for file in find_model(str(made)).weights] == ["a.safetensors", "b.safetensors"]


def test_a_folder_without_weights_is_noticed(make_model: Make) -> None:
    made = make_model()
    (made / "model.safetensors").unlink()
    with pytest.raises(MissingResource, match=r"has no model\.safetensors"):
        find_model(str(made))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ("[]", "contains no JSON object"),
        ("{}", "has none of"),
        ('{"architectures": 5}', "architectures is 5"),
        ('{"id2label": ["a"]}', "id2label is"),
        ('{"id2label": {"a": "b"}}', "are no numbers"),
        ('{"model_type": []}', "model_type is"),
        ('{"pad_token_id": "x"}', "pad_token_id is 'x'"),
        ('{"vocab_size": "x"}', "vocab_size is 'x'"),
        ('{"num_hidden_layers": 1000000}', "num_hidden_layers is 1000000"),
        ('{"num_hidden_layers": 2, "decoder_layers": -1}', "decoder_layers is -1"),
    ],
)
def test_a_damaged_configuration_is_named(make_model: Make, content: str, message: str) -> None:
    made = make_model()
    (made / "config.json").write_text(content)
    with pytest.raises(InputError, match=message):
        find_model(str(made))


def test_roberta_counts_positions_after_the_padding(make_model: Make) -> None:
    made = make_model()
    config = json.loads((made / "config.json").read_text())
    config |= {"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1}
    (made / "config.json").write_text(json.dumps(config))
    assert find_model(str(made)).limit == 512


def test_the_tokenizer_may_allow_less_than_the_positions(make_model: Make) -> None:
    made = make_model()
    (made / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 9}))
    assert find_model(str(made)).limit == 9


def test_known_matching_layers_are_those_of_bert_score() -> None:
    package = pytest.importorskip("bert_score.utils", reason="run: pip install bert-score==0.3.13")
    by_name = {name.rpartition("/")[2]: layer for name, layer in package.model2layers.items()}
    ours = dict(model_folder._LAYERS)
    assert ours.pop("all-MiniLM-L6-v2") == 5
    assert ours == {name: by_name[name] for name in ours}


def test_an_unknown_model_is_matched_at_three_quarters_of_its_depth(make_model: Make) -> None:
    assert find_model(str(make_model(num_hidden_layers=12))).layer(0) == 9


def test_a_layer_beyond_the_last_is_refused() -> None:
    with pytest.raises(BadSetting, match="has 6 layers"):
        find_model("minilm").layer(7)


def test_a_gpu_is_expected_to_be_faster_and_more_layers_to_take_longer() -> None:
    model = find_model("minilm")
    gpu, half, whole = (seconds_per_text(model, n, d) for n, d in ((6, "cuda:1"), (3, "cpu"), (6, "cpu")))
    assert gpu < half < whole


def test_every_model_has_instructions_and_a_unique_name() -> None:
    names = [name for entry in CATALOGUE for name in {entry.key, *entry.repositories}]
    assert len(names) == len(set(names))
    assert all(entry.repositories or entry.how_to_get for entry in CATALOGUE)
    assert {role for entry in CATALOGUE for role in entry.roles} == set(Role)


def test_instructions_name_the_command_that_adds_a_model_once() -> None:
    for entry in CATALOGUE:
        assert "run: pyramidion" not in entry.how_to_get
        if not entry.repositories and not entry.package:
            assert entry.by_hand.endswith(f". Then run: {entry.command}")
            assert entry.by_hand.count("pyramidion models add") == 1


def test_a_model_that_is_not_on_the_hub_has_instructions() -> None:
    with pytest.raises(MissingResource, match="released by the authors of MoverScore"):
        find_model("bert-base-mnli")
