"""QAFactEval against its authors' program in tests/reference/qafacteval, by small models."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import shutil
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.domain.study import Text
from core.errors import InputError, MissingResource
from core.metrics.base import Need, Pool
from core.metrics.comprehension.qafacteval import PreparedAnswers
from core.metrics.registry import parse
from core.models.catalogue.entries import Role
from core.models.catalogue.user_models import user_models
from core.models.heads.generation import TextGenerator
from core.models.library.add_model import add_model
from core.models.nlp.noun_phrases import RulePhraseFinder
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts

REFERENCE = Path(__file__).parents[2] / "reference" / "qafacteval"
CASES: dict[str, Any] = json.loads((REFERENCE / "cases.json").read_text(encoding="utf-8"))
SUMMARIES, DOCUMENTS = CASES["summaries"], CASES["documents"]
PARTS = ("lerc", "f1", "em", "answered")
TOLERANCE = 1e-5


def _state(part: str) -> dict[str, torch.Tensor]:
    from safetensors.torch import load_file

    state = load_file(REFERENCE / "models.safetensors")
    return {key.partition("/")[2]: one for key, one in state.items() if key.startswith(f"{part}/")}


def byte_level(folder: Path) -> None:
    """Write the tokenizer of RoBERTa and BART as their folders have it."""
    from tokenizers import ByteLevelBPETokenizer, processors

    made = ByteLevelBPETokenizer(str(REFERENCE / "vocab.json"), str(REFERENCE / "merges.txt"))
    made.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    made._tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, False)
    folder.mkdir(parents=True, exist_ok=True)
    made.save(str(folder / "tokenizer.json"))


def archive(folder: Path, content: Any = None, kind: str = "question_generation", blanks: int = 0) -> Path:
    """Write a question generator as its authors release it. content: instead of the weights.

    blanks: after its configuration.
    """
    byte_level(folder)
    weights = io.BytesIO()
    torch.save(_state("asking") if content is None else content, weights)
    about = json.dumps({"model": {"type": kind, "model_name": "facebook/bart-large"}}).encode()
    about += b" " * blanks
    with tarfile.open(folder / "model.tar.gz", "w:gz") as tar:
        for name, data in (("config.json", about), ("weights.th", weights.getvalue())):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return folder / "model.tar.gz"


def released(folder: Path) -> str:
    """Add the models of the reference as their authors release them, and return the configuration."""
    user_models().use_folder(folder / "settings")
    for part in ("answering", "lerc"):
        (folder / part).mkdir(parents=True)
        torch.save(_state(part), folder / part / "pytorch_model.bin")
        (folder / part / "config.json").write_text(json.dumps(CASES[part]), encoding="utf-8")
    shutil.copyfile(REFERENCE / "vocab.txt", folder / "answering" / "vocab.txt")
    byte_level(folder / "lerc")
    places = {"qg": archive(folder / "generation"), "qa": folder / "answering", "rater": folder / "lerc"}
    added = {key: add_model(place, name=key, copies=folder / "models") for key, place in places.items()}
    assert [one.roles for one in added.values()] == [
        (Role.ENCODER, role) for role in (Role.LANGUAGE_MODEL, Role.QA, Role.RATER)
    ]
    return f"qafacteval:phrases=rules,{','.join(f'{key}={one.place}' for key, one in added.items())}"


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> str:
    return released(tmp_path_factory.mktemp("qafacteval"))


@pytest.fixture(scope="module")
def resources() -> StudyResources:
    return StudyResources(None, "cpu")


@pytest.fixture(scope="module", autouse=True)
def _the_same_questions_are_written_once() -> Iterator[None]:
    """A generator that gets the texts of an earlier call returns what it wrote then; it takes a second."""
    written, patched = cache(TextGenerator.likeliest), pytest.MonkeyPatch()
    patched.setattr(TextGenerator, "likeliest", lambda self, texts, *most: written(self, tuple(texts), *most))
    yield
    patched.undo()


def test_the_phrases_of_the_reference_are_those_of_the_rules() -> None:
    for content, expected in zip(SUMMARIES, CASES["phrases"], strict=True):
        (found,) = RulePhraseFinder().phrases([Text("s", "s", content)])
        assert [[*phrase.span, *phrase.sentence] for phrase in found] == expected


@pytest.mark.parametrize("document", range(len(DOCUMENTS)))
def test_scores_and_answers_are_those_of_the_authors_program(
    document: int, spec: str, resources: StudyResources
) -> None:
    metric = parse(spec)
    prepared = metric.prepare(topic_of_texts(SUMMARIES, documents=[DOCUMENTS[document]]), resources)
    assert isinstance(prepared, PreparedAnswers)
    for own, words, answers in zip(prepared.questions, CASES["questions"], CASES["of_summary"], strict=True):
        assert [question.written.text for question in own] == words
        assert [question.own.text for question in own] == [row[0] for row in answers]
        found = [(question.own.probability, question.own.none) for question in own]
        np.testing.assert_allclose(found, [row[1:] for row in answers] or found, atol=TOLERANCE)
    rows = slice(document * len(SUMMARIES), (document + 1) * len(SUMMARIES))
    for mine, theirs in zip(prepared.answers, CASES["of_document"][rows], strict=True):
        assert [one.reply.text for one in mine] == [row[0] for row in theirs]
        found = [(one.reply.probability, one.reply.none, one.rating or 0.0) for one in mine]
        np.testing.assert_allclose(found, [row[1:] for row in theirs] or found, atol=TOLERANCE)
    expected = [
        [row[name] for name in ("lerc_quip", "f1", "em", "is_answered")] for row in CASES["scores"][rows]
    ]
    np.testing.assert_allclose(metric.score(prepared).values, expected, atol=TOLERANCE)
    for system, row in enumerate(expected):
        trees = metric.explain(prepared, system)
        assert [tree.evaluate() for tree in trees.values()] == pytest.approx(row, abs=TOLERANCE)


def test_the_reference_has_every_kind_of_case() -> None:
    scores = {part: [row[part] for row in CASES["scores"]] for part in CASES["scores"][0]}
    assert all(len(set(found)) > 2 for found in (scores["lerc_quip"], scores["f1"]))
    assert {0.0, 1.0} <= {*scores["em"], *scores["is_answered"]}
    assert any(0 < value < 1 for value in scores["is_answered"])
    assert any(not row for row in CASES["of_document"])


def _by_words(spec: str) -> str:
    return ",".join("answers=words" if one.startswith("rater=") else one for one in spec.split(","))


def test_a_text_answers_its_own_questions_alike(spec: str, resources: StudyResources) -> None:
    metric = parse(_by_words(spec))
    assert metric.measures() == ("qafacteval.f1", "qafacteval.em", "qafacteval.answered")
    for content in (SUMMARIES[0], SUMMARIES[2]):
        prepared = metric.prepare(topic_of_texts([content], documents=[content]), resources)
        assert isinstance(prepared, PreparedAnswers)
        assert all(one.reply.text == one.question.own.text for one in prepared.answers[0])
        (f1, _, answered), *_ = metric.score(prepared).values
        assert answered == 1
        assert f1 > 0.6


@pytest.mark.parametrize(
    ("summary", "document"), [("", DOCUMENTS[0]), ("It is not so.", DOCUMENTS[0]), (SUMMARIES[0], " \n")]
)
def test_nothing_to_ask_or_to_answer_from_counts_as_zero(
    summary: str, document: str, spec: str, resources: StudyResources
) -> None:
    metric = parse(spec)
    prepared = metric.prepare(topic_of_texts([summary], documents=[document]), resources)
    found = metric.score(prepared)
    assert found.values.tolist() == [[0, 0, 0, 0]]
    assert found.notes["counted_as_zero"] == 1
    assert [tree.evaluate() for tree in metric.explain(prepared, 0).values()] == [0, 0, 0, 0]


def test_a_tree_marks_the_phrase_and_the_answer(spec: str, resources: StudyResources) -> None:
    metric, topic = parse(spec), topic_of_texts(SUMMARIES, documents=DOCUMENTS[:3])
    prepared = metric.prepare(topic, resources)
    assert isinstance(prepared, PreparedAnswers)
    texts = {text.name: text.content for text in (*topic.summaries, *topic.documents)}
    marked = set()
    for system, answers in enumerate(prepared.answers):
        for name, tree in metric.explain(prepared, system).items():
            children = tree.children if answers else ()
            for one, leaf in zip(answers, children, strict=True):
                found = {each.role: texts[each.name][slice(*each.span)] for each in leaf.evidence}
                assert found["summary"] == one.question.phrase
                assert ("document" in found) == one.reply.is_answered, name
                if one.reply.is_answered:
                    assert one.reply.text in " ".join(found["document"].split())
                marked |= {each.name for each in leaf.evidence}
    assert marked & {text.name for text in topic.documents}


def test_neither_batches_nor_order_change_a_number(spec: str) -> None:
    alone, together = (StudyResources(None, "cpu", batch_tokens=size) for size in (1, 100_000))
    some = SUMMARIES[:4]
    topic, turned = (topic_of_texts(one, documents=DOCUMENTS[2:3]) for one in (some, some[::-1]))
    metric = parse(spec)
    first, second = (
        metric.score(metric.prepare(*one)).values for one in ((topic, alone), (turned, together))
    )
    np.testing.assert_allclose(first, second[::-1], atol=1e-5)


def test_near_ties_and_what_lerc_does_not_read_are_noted(
    spec: str, resources: StudyResources, tmp_path: Path
) -> None:
    metric = parse(spec)
    notes = metric.score(metric.prepare(topic_of_texts(SUMMARIES, documents=DOCUMENTS[5:]), resources)).notes
    assert notes["truncated"] > 1
    even = {key: one * (0 if key.startswith("qa_outputs") else 1) for key, one in _state("answering").items()}
    (tmp_path / "even").mkdir()
    torch.save(even, tmp_path / "even" / "pytorch_model.bin")
    (tmp_path / "even" / "config.json").write_text(json.dumps(CASES["answering"]), encoding="utf-8")
    shutil.copyfile(REFERENCE / "vocab.txt", tmp_path / "even" / "vocab.txt")
    added = add_model(tmp_path / "even", copies=tmp_path / "models")
    changed = ",".join(f"qa={added.place}" if part.startswith("qa=") else part for part in spec.split(","))
    metric = parse(changed)
    prepared = metric.prepare(topic_of_texts(SUMMARIES[:1], documents=DOCUMENTS[:1]), resources)
    assert metric.score(prepared).notes["undecided_answers"] >= 3


def test_the_signature_names_every_model(spec: str, resources: StudyResources) -> None:
    metric = parse(spec)
    assert (metric.needs, metric.pool) == (
        {Need.DOCUMENTS, Need.LANGUAGE_MODEL, Need.QA, Need.RATER},
        Pool.JOINT,
    )
    signature = metric.signature(resources)
    assert all(f"|{part}_hash:" in signature for part in ("qg", "qa", "rater"))
    assert parse(signature) == metric
    assert metric.unavailable(resources) == ""
    assert "rater_hash" not in parse(_by_words(spec)).signature(resources)


@pytest.mark.parametrize(
    ("part", "message"),
    [("qg", "is not a sequence-to-sequence"), ("qa", "is not a question"), ("rater", "is not a natural")],
)
def test_other_models_are_reported_before_a_run(
    part: str, message: str, spec: str, resources: StudyResources
) -> None:
    other = ",".join(f"{part}=minilm" if one.startswith(f"{part}=") else one for one in spec.split(","))
    assert message in parse(other).unavailable(resources)
    assert "'qafacteval-qg' is not on this machine" in parse("qafacteval").unavailable(resources)


def test_a_generator_without_marks_is_refused(spec: str, resources: StudyResources, tmp_path: Path) -> None:
    from tests.core.language_models import make_language_model

    plain = make_language_model(tmp_path / "plain", "sequence")
    qg = next(one for one in spec.split(",") if one.startswith("qg="))
    assert "has no marks <m>" in parse(spec.replace(qg, f"qg={plain}")).unavailable(resources)


class _Runs:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return print, ("run",)


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        ({"bart.x": torch.zeros(2, device="meta")}, "question_generation", "no named weights"),
        ({"bart.x": torch.zeros(1).expand(10**8, 10**8)}, "question_generation", "no named weights"),
        (_Runs(), "question_generation", "objects other than tensors"),
        ({"bart.model.shared.weight": torch.zeros(4, 4)}, "question_generation", "no archive of a question"),
        (None, "lerc", "an archive of a model for 'lerc'"),
    ],
)
def test_other_archives_are_refused(
    content: Any, kind: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=message):
        add_model(archive(tmp_path / "x", content, kind), name="x", copies=tmp_path / "models")
    assert capsys.readouterr().out == ""
    assert not list((tmp_path / "models").glob("[!.]*"))


def test_an_archive_needs_a_tokenizer_and_is_read_as_a_whole(tmp_path: Path) -> None:
    user_models().use_folder(tmp_path / "settings")
    file = archive(tmp_path / "x")
    (tmp_path / "x" / "tokenizer.json").unlink()
    with pytest.raises(MissingResource, match="comes without its tokenizer"):
        add_model(file, name="x", copies=tmp_path / "models")
    file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(InputError, match="no archive of a question generator"):
        add_model(file, name="x", copies=tmp_path / "models")


def test_an_archive_is_not_unpacked_to_any_size(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has 2,000,"):
        add_model(archive(tmp_path / "x", blanks=2_000_000), name="x", copies=tmp_path / "models")


def test_broken_compression_of_every_kind_is_reported(tmp_path: Path) -> None:
    file = archive(tmp_path / "x", {"bart.model.shared.weight": torch.zeros(1000, 1000)})
    whole = file.read_bytes()
    unpacked = gzip.decompress(whole)
    middle = len(whole) // 2
    for broken in (
        whole[:middle] + b"\xff" * 400 + whole[middle + 400 :],
        lzma.compress(unpacked)[:700] + b"\xff" * 700,
    ):
        file.write_bytes(broken)
        with pytest.raises(InputError, match="no archive of a question generator"):
            add_model(file, name="x", copies=tmp_path / "models")


def test_a_file_that_is_no_tokenizer_is_reported_before_anything_is_written(tmp_path: Path) -> None:
    file = archive(tmp_path / "x")
    words = len(json.loads((REFERENCE / "vocab.json").read_text(encoding="utf-8")))
    written = json.loads((tmp_path / "x" / "tokenizer.json").read_text(encoding="utf-8"))
    names = {f"w{place}": place for place in range(max(words, len(written["model"]["vocab"])))}
    (tmp_path / "x" / "tokenizer.json").write_text(json.dumps({"model": {"vocab": names}}), encoding="utf-8")
    with pytest.raises(InputError, match="is no tokenizer"):
        add_model(file, name="x", copies=tmp_path / "models")
    assert not list((tmp_path / "models").glob("[!.]*"))


@pytest.mark.parametrize("name", ["../outside", "/dev/null/x", "..", "a/./b", "a\0b", "a\\b", "x" * 300])
def test_a_name_leads_to_no_other_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot name a folder"):
        add_model(archive(tmp_path / "x"), name=name, copies=tmp_path / "models")
    assert [file.name for file in tmp_path.iterdir()] == ["x"]


def _changed(spec: str, folder: Path, file: str, **values: Any) -> str:
    """Return the configuration with a copy of the question generator of which a file has other values."""
    qg = Path(next(one for one in spec.split(",") if one.startswith("qg=")).removeprefix("qg="))
    shutil.copytree(qg, folder)
    content = json.loads((folder / file).read_text(encoding="utf-8"))
    (folder / file).write_text(json.dumps({**content, **values}), encoding="utf-8")
    return spec.replace(f"qg={qg}", f"qg={folder}")


def test_a_generator_may_begin_with_the_mark_of_the_end(
    spec: str, resources: StudyResources, tmp_path: Path
) -> None:
    metric = parse(_changed(spec, tmp_path / "qg", "config.json", decoder_start_token_id=2))
    prepared = metric.prepare(topic_of_texts(SUMMARIES, documents=DOCUMENTS[:1]), resources)
    assert isinstance(prepared, PreparedAnswers)
    assert all(one.written.text for own in prepared.questions for one in own)


@pytest.mark.parametrize("added", [[1], ["<m>", "</m>"], {"<m>": 1}, [{"content": ["<m>"]}]])
def test_a_damaged_list_of_marks_is_reported(
    added: Any, spec: str, resources: StudyResources, tmp_path: Path
) -> None:
    metric = parse(_changed(spec, tmp_path / "qg", "tokenizer.json", added_tokens=added))
    assert metric.unavailable(resources)


def test_long_texts_are_answered_alike_a_few_at_a_time(
    spec: str, resources: StudyResources, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    qa = next(one for one in spec.split(",") if one.startswith("qa=")).removeprefix("qa=")
    asked = [(summary, " ".join(DOCUMENTS * 3)) for summary in ("Who came?", "What is it?", "Who came?", "")]
    for held in (1, 4096):
        monkeypatch.setattr("core.models.heads.question_answering._HELD", held)
        found.append(resources.answerer(qa, "float32").replies(asked))
    for one, other in zip(*found, strict=True):
        assert (one.text, one.span) == (other.text, other.span)
        assert (one.probability, one.none) == pytest.approx((other.probability, other.none), abs=TOLERANCE)
