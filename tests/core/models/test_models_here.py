"""Models added by the user, and the status of all models."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError, MissingResource
from core.models.catalogue.digests import DigestCache
from core.models.catalogue.entries import CATALOGUE, Role
from core.models.catalogue.lookup import find_model
from core.models.catalogue.user_models import UserModelStore, user_models
from core.models.encoders.word_vectors import find_vectors
from core.models.heads.nli_labels import entailment_label
from core.models.library.add_model import add_model
from core.models.library.inventory import Availability, list_models, model_status
from core.models.library.validation import parse_role
from core.models.nlp.parser import find_pipeline
from core.progress import run_to_completion

Make = Callable[..., Path]


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_models().use_folder(tmp_path / "settings")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


def test_an_added_model_is_found_by_its_name_from_now_on(make_model: Make, tmp_path: Path) -> None:
    folder = make_model("mine")
    assert add_model(folder).roles == (Role.ENCODER,)
    assert find_model("mine").folder == folder
    assert UserModelStore(tmp_path / "settings").get("mine") == user_models().get("mine")


def test_a_removed_model_keeps_its_files(make_model: Make) -> None:
    folder = make_model("mine")
    add_model(folder)
    user_models().remove("mine")
    with pytest.raises(MissingResource):
        find_model("mine")
    assert find_model(str(folder)).layers == 2


def test_a_model_that_was_not_added_cannot_be_removed(make_model: Make) -> None:
    add_model(make_model("mine"))
    with pytest.raises(InputError, match=r"No added model is named 'other'\. Choose one of: mine"):
        user_models().remove("other")


def test_a_small_model_cannot_replace_a_papers(make_model: Make) -> None:
    with pytest.raises(InputError, match="roberta-large takes about 1,425 MB"):
        add_model(make_model(), name="roberta-large")


def test_a_model_serves_in_the_roles_of_its_head(make_model: Make) -> None:
    folder = make_model("mine", "BertForQuestionAnswering")
    assert add_model(folder).roles == (Role.ENCODER, Role.QA)
    assert add_model(folder, Role.QA).roles == (Role.QA,)
    with pytest.raises(InputError, match="cannot be used as masked language model"):
        add_model(folder, Role.MASKED_LM)
    _change(make_model("headless"), architectures=["BertForQuestionAnswering"])
    with pytest.raises(
        InputError, match=r"do not contain qa_outputs\.bias, .*: --role encoder adds that alone"
    ):
        add_model(folder.with_name("headless"))
    assert add_model(folder.with_name("headless"), Role.ENCODER).roles == (Role.ENCODER,)


def test_a_role_is_named_in_words_or_by_its_abbreviation() -> None:
    for role in Role:
        assert parse_role(role) is role
        assert parse_role(role.name.lower().replace("_", "-")) is role
        assert parse_role(role.upper().replace(" ", "_")) is role
    assert parse_role(" ") is None
    assert parse_role("question") is Role.QA
    with pytest.raises(InputError, match=rf"'cook'\. There are {len(Role)}: `pyramidion models add --help`"):
        parse_role("cook")
    with pytest.raises(InputError, match=r"mean 'masked language model' or 'generative language model'\?"):
        parse_role("language")


@pytest.mark.parametrize(
    ("labels", "place"),
    [
        ({"0": "entailment", "1": "neutral", "2": "contradiction"}, 0),
        ({"0": "CONTRADICTION", "1": "NEUTRAL", "2": "ENTAILMENT"}, 2),
        ({"0": "entailment", "1": "not_entailment"}, 0),
    ],
)
def test_the_label_of_entailment_is_read(labels: dict[str, str], place: int) -> None:
    assert entailment_label({"id2label": labels}, Path("m")) == place


@pytest.mark.parametrize("labels", [{}, {"0": "LABEL_0", "1": "LABEL_1"}, {"0": "good", "1": "bad"}])
def test_labels_without_entailment_are_refused(labels: dict[str, str]) -> None:
    with pytest.raises(InputError, match="does not name an entailment label"):
        entailment_label({"id2label": labels}, Path("m"))


def test_labels_without_names_are_those_of_the_authors() -> None:
    labels = {"id2label": {str(i): f"LABEL_{i}" for i in range(3)}}
    assert entailment_label(labels, Path("m"), "shiyue--roberta-large-tac08") == 0


def test_a_classifier_without_named_labels_still_serves_as_an_encoder(make_model: Make) -> None:
    folder = make_model("mnli", "BertForSequenceClassification")
    assert add_model(folder).roles == (Role.ENCODER,)
    with pytest.raises(InputError, match="does not name an entailment label"):
        add_model(folder, Role.NLI)
    _change(folder, id2label={"0": "entailment", "1": "neutral"})
    assert add_model(folder).roles == (Role.ENCODER, Role.NLI)


def test_cut_off_weights_are_noticed(make_model: Make) -> None:
    folder = make_model()
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(InputError, match="is truncated: 100 bytes are missing"):
        add_model(folder)
    weights.write_bytes(b"no weights at all")
    with pytest.raises(InputError, match="is damaged or not a safetensors file"):
        add_model(folder)


def test_a_pickle_that_would_run_code_is_not_opened(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[Callable[..., object], tuple[str, str]]:
            return Path.write_text, (tmp_path / "exploded", "x")  # type: ignore[return-value]

    file = tmp_path / "infersent1.pkl"
    file.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(InputError, match="could run code when loaded"):
        add_model(file)
    assert not (tmp_path / "exploded").exists()


def test_weights_of_pytorch_are_read_as_numbers_alone(tmp_path: Path) -> None:
    import torch

    file = tmp_path / "mine.pkl"
    torch.save({"a": torch.zeros(3)}, file)
    with pytest.raises(InputError, match=r"contains no InferSent model: enc_lstm\.weight_ih_l0 is missing"):
        add_model(file)
    torch.save(
        {
            f"enc_lstm.{name}": one
            for name, one in torch.nn.LSTM(3, 2, bidirectional=True).state_dict().items()
        },
        file,
    )
    assert add_model(file).roles == (Role.INFERSENT,)


def test_older_weights_are_converted_into_a_copy(make_model: Make, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file

    folder = make_model("old")
    state = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    torch.save(state, folder / "pytorch_model.bin")
    with pytest.raises(InputError, match="Get a version with"):
        add_model(folder)
    added = add_model(folder, copies=tmp_path / "models")
    assert added.place == tmp_path / "models" / "old"
    assert find_model("old").weights == (added.place / "model.safetensors",)
    assert sorted(file.name for file in folder.iterdir()) == sorted(
        {*(file.name for file in added.place.iterdir()), "pytorch_model.bin"} - {"model.safetensors"}
    )


def test_a_text_file_without_vectors_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Remember the milk.\n")
    with pytest.raises(InputError, match="contains no word vectors"):
        add_model(file)


def test_word_vectors_are_added_under_the_name_of_their_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.vec"
    file.write_text("1 2\nword 0.5 0.5\n")
    assert add_model(file).roles == (Role.WORD_VECTORS,)


@pytest.mark.parametrize(
    ("made", "message"), [("empty", "contains no model"), ("elmo", "has no weights.hdf5")]
)
def test_folders_without_a_model_are_reported_with_the_missing_file(
    tmp_path: Path, made: str, message: str
) -> None:
    folder = tmp_path / made
    folder.mkdir()
    if made == "elmo":
        (folder / "options.json").write_text("{}")
    with pytest.raises(MissingResource, match=message):
        add_model(folder)


def test_added_vectors_and_parsers_are_found_by_their_names(tmp_path: Path) -> None:
    vectors, pipeline = tmp_path / "mine.vec", tmp_path / "pipeline"
    vectors.write_text("1 2\nword 0.5 0.5\n")
    pipeline.mkdir()
    (pipeline / "config.cfg").write_text("")
    (pipeline / "meta.json").write_text("{}")
    add_model(vectors, name="my-words")
    assert add_model(pipeline, name="my-parser").roles == (Role.PARSER,)
    assert find_vectors("my-words").files == (vectors,)
    assert find_pipeline("my-parser").folder == pipeline


def test_the_list_contains_every_model_with_its_status(make_model: Make, tmp_path: Path) -> None:
    add_model(make_model("mine"))
    by_name = {one.name: one for one in run_to_completion(list_models(DigestCache()))}
    assert list(by_name) == [*(entry.key for entry in CATALOGUE), "mine"]
    assert by_name["minilm"].state is Availability.PACKAGED
    assert by_name["minilm"].sha256 == CATALOGUE[0].sha256
    assert 20e6 < by_name["minilm"].parameters < 25e6
    assert (by_name["mine"].state, by_name["mine"].place) == (Availability.ADDED, tmp_path / "mine")
    assert by_name["roberta-large"].state is Availability.ABSENT
    assert by_name["elmo"].problem.startswith("Download AllenNLP's original ELMo")


def test_an_added_model_that_is_now_damaged_is_unusable(make_model: Make) -> None:
    folder = make_model("mine")
    add_model(folder)
    (folder / "config.json").write_text("{")
    status = model_status("mine", DigestCache())
    assert status.state is Availability.DAMAGED
    assert "cannot be read" in status.problem


def test_a_damaged_list_of_models_names_its_file(make_model: Make, tmp_path: Path) -> None:
    add_model(make_model("mine"))
    (tmp_path / "settings" / "models.json").write_text("[]")
    with pytest.raises(InputError, match=r"models\.json, the list of models"):
        user_models().all()


def test_larger_models_take_longer_and_a_gpu_is_faster() -> None:
    small, large = (model_status(name, DigestCache()) for name in ("minilm", "roberta-large"))
    assert small.seconds_for(1000, "cpu") < large.seconds_for(1000, "cpu")
    assert large.seconds_for(1000, "cuda:0") < large.seconds_for(1000, "cpu")
    assert model_status("google-news", DigestCache()).seconds_for(1000, "cpu") != 0  # NaN: no network


def _change(folder: Path, **settings: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | settings))
