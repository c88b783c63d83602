"""BLANC against cases by hand, counts of the authors' program, and a direct computation."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting, InputError, MissingResource
from core.metrics.base import Need, Pool
from core.metrics.comprehension.blanc import Blanc
from core.metrics.comprehension.blanc_documents import Answers, cut_sentences
from core.metrics.comprehension.blanc_masking import MinimumPieceLengths, fit, random_maskings, regular_masks
from core.metrics.registry import metric, parse
from core.progress import Cancelled, cancellable
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_sentences as topic

Make = Callable[..., Path]

REFERENCE = Path(__file__).parents[2] / "reference" / "blanc"
MODEL = REFERENCE / "model"
CASES = json.loads((REFERENCE / "cases.json").read_text(encoding="utf-8"))

PUBLISHED = MinimumPieceLengths(4, 2, 100)
DOCUMENTS = (
    ("The court ruled on Monday that the ban on the old bridge was void.", "Cafés reopened near it."),
    ("The storm closed the harbour, and two ships waited outside for days.",),
)
SUMMARIES = (
    ("The court lifted the ban on the bridge.", "Cafes reopened."),
    ("The storm closed the harbour for days.",),
    (),
)


def blanc(name: str, **settings: Any) -> Blanc:
    chosen = metric(name, **{"masked_lm": str(MODEL), **settings})
    assert isinstance(chosen, Blanc)
    return chosen


def answers_of(chosen: Blanc, one: TopicTexts, resources: StudyResources) -> list[Answers]:
    return chosen.answers(chosen.prepare(one, resources), one.summaries)


@pytest.fixture(scope="module")
def resources() -> StudyResources:
    return StudyResources(None, "cpu")


def test_every_gapth_piece_is_masked_if_it_is_long_enough() -> None:
    pieces = ["the", "court", "rul", "##ing", "on", "monday", "stands"]
    assert regular_masks(pieces, 2, 1, PUBLISHED) == [(2, 6), (1, 5)]
    assert regular_masks(pieces, 6, 1, PUBLISHED) == [(6,), (1,), (2,), (5,)]  # 3 and 4 are too short
    assert regular_masks(pieces, 3, 2, PUBLISHED) == [(1, 6), (1, 2, 5), (2, 5, 6)]
    assert regular_masks(pieces[:2], 6, 1, PUBLISHED) == [(1,)]
    assert regular_masks([], 6, 1, PUBLISHED) == []
    assert regular_masks(pieces, 1, 1, MinimumPieceLengths(1, 1, 3)) == [tuple(range(7))]


@given(st.lists(st.sampled_from(["the", "court", "##ing", "ban"]), max_size=30), st.integers(1, 8))
def test_each_piece_that_is_long_enough_is_requested_once(pieces: list[str], gap: int) -> None:
    allowed = [i for i in range(len(pieces)) if PUBLISHED.admits(pieces, i)]
    evenly = regular_masks(pieces, gap, 1, PUBLISHED)
    drawn = random_maskings(pieces, 0.15, PUBLISHED, random.Random(3))
    for maskings in (evenly, drawn):
        assert sorted(place for masking in maskings for place in masking) == allowed


def test_a_long_sentence_is_cut_before_the_summary_and_that_by_sentences() -> None:
    assert fit(10, [5, 5], 2, 100, 22) == (10, 0, 10)
    assert fit(30, [5, 5], 2, 8, 22) == (10, 0, 10)  # to as much as leaves the summary whole
    assert fit(30, [5, 5, 5], 2, 8, 22) == (8, 0, 10)  # then the last sentence goes
    assert fit(30, [15, 5], 2, 8, 22) == (8, 3, 15)  # of one too long the end stays
    assert fit(30, [], 2, 100, 22) == (20, 0, 0)
    assert fit(600, [400], 2, 100, 0) == (600, 0, 400)


@given(st.integers(0, 60), st.lists(st.integers(0, 30), max_size=5), st.integers(1, 80), st.integers(3, 60))
def test_truncated_inputs_fit_the_limit(sentence: int, summary: list[int], least: int, limit: int) -> None:
    left, start, end = fit(sentence, summary, 2, least, limit)
    assert 0 <= start <= end <= sum(summary)
    assert 2 + left + end - start <= limit
    assert left == sentence or left >= min(least, limit - 2)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['metric']}-{case['options']['gap']}")
def test_counts_are_those_of_the_authors_program(case: dict[str, Any], resources: StudyResources) -> None:
    from tests.benchmarks.blanc import SMALL

    actual = answers_of(blanc(case["metric"], **case["options"]), SMALL.topic(), resources)
    assert [answers.counts().tolist() for answers in actual] == case["counts"]


@cache
def plain_network() -> Any:
    from transformers import BertForMaskedLM

    return BertForMaskedLM.from_pretrained(MODEL).eval()


def plain_guesses(ids: list[int]) -> list[int]:
    """The likeliest piece at each mask, by the model itself, one text at a time."""
    with torch.no_grad():
        best = plain_network()(torch.tensor([ids])).logits[0].argmax(-1).tolist()
    return [guess for guess, piece in zip(best, ids, strict=True) if piece == 4]


def test_it_agrees_with_a_plain_computation(resources: StudyResources) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(MODEL)
    counts_by_text = []
    for summary in SUMMARIES:
        summary_ids = [i for line in summary for i in tokenizer(line, add_special_tokens=False)["input_ids"]]
        counts = np.zeros((2, 2), dtype=int)
        for line in (line for document in DOCUMENTS for line in document):
            ids = tokenizer(line, add_special_tokens=False)["input_ids"]
            pieces = tokenizer.convert_ids_to_tokens(ids)
            for masking in regular_masks(pieces, 3, 1, PUBLISHED):
                masked = [4 if place in masking else piece for place, piece in enumerate(ids)]
                filler = [tokenizer.convert_tokens_to_ids(".")] * len(summary_ids)
                right = [ids[place] for place in masking]
                plain, helped = (plain_guesses([2, *ahead, *masked, 3]) for ahead in (filler, summary_ids))
                for expected, a, b in zip(right, plain, helped, strict=True):
                    counts[int(a == expected), int(b == expected)] += 1
        counts_by_text.append(counts.tolist())
    one = topic(SUMMARIES, DOCUMENTS)
    actual = answers_of(blanc("blanc-help", gap=3), one, resources)
    assert [answers.counts().tolist() for answers in actual] == counts_by_text
    assert any(counts[0][1] or counts[1][0] for counts in counts_by_text)


@pytest.mark.parametrize("measure", ["relative", "improve"])
def test_the_score_is_made_of_the_counts(measure: str, resources: StudyResources) -> None:
    one, chosen = topic(SUMMARIES, DOCUMENTS), blanc("blanc-help", gap=2, measure=measure)
    values = chosen.score(chosen.prepare(one, resources)).values[:, 0]
    for value, answers in zip(values, answers_of(chosen, one, resources), strict=True):
        (neither, gained), (lost, both) = answers.counts().tolist()
        improve = gained / (neither + gained + both)
        relative = (gained - lost) / (neither + gained + lost + both)
        assert value == pytest.approx(relative if measure == "relative" else improve)
    assert values[2] == 0.0  # nothing helps as little as the filler
    assert len(set(values)) > 1


@pytest.mark.parametrize("name", ["blanc-help", "blanc-tune"])
def test_batches_and_order_change_no_answer(name: str) -> None:
    one = topic(SUMMARIES, DOCUMENTS)
    turned = topic(SUMMARIES[::-1], DOCUMENTS)
    options = {"gap": 2, "learning_rate": 0.01, "finetune_epochs": 1} if name == "blanc-tune" else {"gap": 2}
    alone = StudyResources(None, "cpu", batch_tokens=1)
    together = StudyResources(None, "cpu", batch_tokens=100_000)
    chosen = blanc(name, **options)
    a, b = answers_of(chosen, one, alone), answers_of(chosen, turned, together)[::-1]
    for mine, theirs in zip(a, b, strict=True):
        np.testing.assert_array_equal(mine.plain, theirs.plain)
        np.testing.assert_array_equal(mine.helped, theirs.helped)


def test_equal_inputs_go_through_the_network_once(
    resources: StudyResources, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = resources.masked_lm(str(MODEL))
    rows = []
    step = model._step
    monkeypatch.setattr(model, "_step", lambda inputs, batch: rows.extend(batch) or step(inputs, batch))
    one = topic([SUMMARIES[1]] * 3, DOCUMENTS)
    answers_of(blanc("blanc-help"), one, resources)
    blanks = sum(
        len(regular_masks(sentence.strings, 6, 1, PUBLISHED))
        for document in one.documents
        for sentence in cut_sentences(model, document)
    )
    assert len(rows) == 2 * blanks


def test_a_tree_shows_the_words_gained_and_lost(resources: StudyResources) -> None:
    one, chosen = topic(SUMMARIES, DOCUMENTS), blanc("blanc-help", gap=2)
    prepared = chosen.prepare(one, resources)
    values = chosen.score(prepared).values[:, 0]
    for system, answers in enumerate(answers_of(chosen, one, resources)):
        tree = chosen.explain(prepared, system)["blanc-help.score"]
        assert tree.evaluate() == pytest.approx(values[system])
        gained = tree.children[0].children[0].children
        assert len(gained) == answers.counts()[0, 1]
        for leaf in gained:
            (evidence,) = leaf.evidence
            document = next(text for text in one.documents if text.name == evidence.name)
            word = document.content[slice(*evidence.span)]
            assert leaf.label.startswith(f"{word}: ")
            assert leaf.label.endswith(f"→ {word.lower()}")


def test_words_are_found_again_in_a_text_that_decomposes_otherwise(resources: StudyResources) -> None:
    text = Text("d", "d", "The ﬁrst cafés² 🌉 reopened. Storm…")
    model = resources.masked_lm(str(MODEL))
    sentences = cut_sentences(model, text)
    spans = [text.content[slice(*span)] for sentence in sentences for span in sentence.spans]
    assert spans == ["The", "ﬁrst", "cafés²", "🌉", "re", "open", "ed", ".", "Storm", "…", "…", "…"]


def test_truncated_texts_and_near_ties_are_noted(resources: StudyResources) -> None:
    long = ("the court ruled on the bridge " * 12,)
    one = topic([SUMMARIES[0] * 6, SUMMARIES[1]], [long])
    chosen = blanc("blanc-help", len_sent_allow_cut=20)
    assert chosen.score(chosen.prepare(one, resources)).notes["truncated"] == 2
    alike = topic([SUMMARIES[0]], DOCUMENTS)
    assert chosen.score(chosen.prepare(alike, resources)).notes == {}


def test_a_tie_counts_as_undecided(make_model: Make) -> None:
    from safetensors.torch import load_file, save_file

    folder = make_model("flat", "BertForMaskedLM", max_position_embeddings=64)
    file = folder / "model.safetensors"
    weights = {key: torch.zeros_like(value) for key, value in load_file(file).items()}
    save_file(weights, file, {"format": "pt"})
    one = topic([["the cat sat"]], [["the court ruled"]])
    chosen = blanc("blanc-help", masked_lm=str(folder))
    notes = chosen.score(chosen.prepare(one, StudyResources(None, "cpu"))).notes
    assert notes == {"undecided_answers": 4}  # two words, with help and without


def test_tuning_leaves_the_model_and_the_random_numbers_as_they_were(resources: StudyResources) -> None:
    model = resources.masked_lm(str(MODEL))
    before = {name: value.clone() for name, value in model.module.state_dict().items()}
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    chosen = blanc("blanc-tune", learning_rate=0.01, finetune_epochs=1)
    first = answers_of(chosen, topic(SUMMARIES, DOCUMENTS), resources)
    torch.testing.assert_close(torch.rand(3), expected)
    for name, value in model.module.state_dict().items():
        torch.testing.assert_close(value, before[name])
    again = answers_of(chosen, topic(SUMMARIES[:1], DOCUMENTS), resources)
    np.testing.assert_array_equal(first[0].helped, again[0].helped)


def test_training_chunks_fit_the_limit_of_the_model(resources: StudyResources) -> None:
    long = topic([["the court ruled on the bridge " * 12]], DOCUMENTS)
    options = {"finetune_epochs": 1, "learning_rate": 0.01, "finetune_top_fully": False}
    (whole,) = answers_of(blanc("blanc-tune", finetune_chunk_size=300, **options), long, resources)
    (most,) = answers_of(blanc("blanc-tune", finetune_chunk_size=54, **options), long, resources)
    np.testing.assert_array_equal(whole.helped, most.helped)


def test_tuning_stops_between_two_steps(resources: StudyResources) -> None:
    chosen = blanc("blanc-tune", finetune_epochs=1000)
    one = topic(SUMMARIES, DOCUMENTS)
    prepared = chosen.prepare(one, resources)
    asks = iter(range(1000))
    with cancellable(lambda: next(asks) > 5), pytest.raises(Cancelled):
        chosen.score(prepared)
    assert next(asks) < 10


def test_documents_without_a_word_to_mask_give_0(resources: StudyResources) -> None:
    one, chosen = topic(SUMMARIES, [["It is so."]]), blanc("blanc-help")
    prepared = chosen.prepare(one, resources)
    np.testing.assert_array_equal(chosen.score(prepared).values, np.zeros((3, 1)))
    assert chosen.explain(prepared, 0)["blanc-help.score"].evaluate() == 0.0


def test_a_model_without_a_head_is_refused_before_a_run(resources: StudyResources, make_model: Make) -> None:
    assert "is not a masked language model: config.json lists BertModel" in blanc(
        "blanc-help", masked_lm="minilm"
    ).unavailable(resources)
    with pytest.raises(InputError, match="Choose a model whose architecture ends in ForMaskedLM"):
        resources.masked_lm(str(make_model()))
    reason = metric("blanc-tune").unavailable(resources)
    assert reason.startswith("The model 'bert-base-uncased' is not on this machine.")
    with pytest.raises(MissingResource, match="get google-bert/bert-base-uncased"):
        resources.masked_lm("bert-base-uncased")
    assert blanc("blanc-help").unavailable(resources) == ""


def test_settings_are_checked_and_results_are_reproducible(resources: StudyResources) -> None:
    chosen = blanc("blanc-help")
    assert (chosen.needs, chosen.pool) == ({Need.DOCUMENTS, Need.MASKED_LM}, Pool.JOINT)
    assert chosen.measures() == ("blanc-help.score",)
    signature = chosen.signature(resources)
    assert "|gap:6|gap_mask:1|" in signature
    assert "|model:model|hash:" in signature
    assert parse(signature) == chosen
    assert chosen.seconds_per_text(resources) > 0 < blanc("blanc-tune").seconds_per_text(resources)
    with pytest.raises(BadSetting, match="gap_mask=3 exceeds gap=2"):
        blanc("blanc-help", gap=2, gap_mask=3)
