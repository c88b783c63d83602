"""Scores as rows of a table, with what a reader of them should know."""

from __future__ import annotations

import csv

import numpy as np

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.ports import MetricConfig, ScoreBlock
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry

BERT = MetricConfig(
    "bertscore|encoder:minilm|model:all-MiniLM-L6-v2|version:1",
    "bertscore",
    "Embeddings",
    "bertscore",
    ("bertscore.f",),
)
ROUGE = MetricConfig("rouge-n|n:1|version:1", "rouge-n", "Overlap", "rouge-n:n=1", ("rouge-1.f",))


def score(study, config, notes):
    """Every system of the first topic gets 0.5."""
    topic = study.texts.topics()[0]
    systems = ("bad", "good", "lead")
    block = ScoreBlock(topic.id, systems, (), np.full((3, 1), 0.5), None, "h", 0.1, notes)
    study.scores.save(config, block).result()


def rows_of(study, path, what="scores"):
    run_to_completion(export_registry.export_steps(study, export_registry.find(what, "csv"), path))
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_row_names_the_model_that_stood_in_and_what_its_topic_noted(study, tmp_path):
    """The blocks were not computed of these texts, so that they are out of date."""
    score(study, BERT, {"truncated": 2, "undecided_answers": 1})
    score(study, ROUGE, {})
    rows = {row["measure"]: row for row in rows_of(study, tmp_path / "s.csv")}
    assert rows["bertscore.f"]["stand_in"] == "all-MiniLM-L6-v2 for roberta-large"
    assert rows["bertscore.f"]["notes"] == (
        "out of date; 2 texts truncated at the model's limit; "
        "1 answer almost as likely as another one, so that a different batch size or device may change it"
    )
    assert (rows["rouge-1.f"]["stand_in"], rows["rouge-1.f"]["notes"]) == ("", "out of date")


def test_scores_of_a_topic_that_was_removed_meanwhile_are_left_out_alone(study):
    late = NewTopic("late", summaries={"good": NewText("Late.")})
    study.import_data(ImportContent("late", topics=[late]))
    *_, removed = topics = [topic.id for topic in study.texts.topics()]
    blocks = [ScoreBlock(topic, ("good",), (), np.zeros((1, 1)), None, "h", 0.1, {}) for topic in topics]
    study.edits.undo(None).result()
    together = study.scores.save_all([(ROUGE, block) for block in blocks])
    alone = study.scores.save(BERT, blocks[-1])
    together.result()
    alone.result()
    assert removed not in {topic.id for topic in study.texts.topics()}
    assert [block.topic_id for block in study.scores.blocks(ROUGE.signature)] == topics[:-1]
    assert not study.scores.blocks(BERT.signature)


def test_what_was_written_comes_back_in(study, tmp_path):
    score(study, BERT, {"truncated": 2})
    path = tmp_path / "s.csv"
    assert len(rows_of(study, path)) == 3
    assert [s.value for s in import_registry.read(path, "table").scores] == [0.5] * 3


def test_numbers_of_people_have_no_model(study, tmp_path):
    scale, ann = study.ratings.add_dimension("coherence", 1, 5), study.annotators.get_or_create("Ann")
    topic = study.texts.topic(study.texts.topics()[0].id)
    study.ratings.rate(topic.summaries[0].id, scale.id, ann.id, 3).result()
    (row,) = rows_of(study, tmp_path / "j.csv", "judgements")
    assert set(row) == {"topic", "system", "measure", "value"}
