"""The packaged sample: what its files hold, and that the study went through the annotation code."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from storage.sample_study import ANNOTATOR, sample_records, span_of
from storage.study_file import open_study

pytestmark = pytest.mark.slow

SHEETS = sample_records()


def words(text):
    return len(text.split())


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda s: s["name"])
class TestTopic:
    def test_it_has_the_texts_of_a_real_topic(self, sheet):
        assert len(sheet["documents"]) == 3
        assert all(300 <= words(d["text"]) <= 600 for d in sheet["documents"])
        assert [r["author"] for r in sheet["references"]] == ["A", "B", "C", "D"]
        assert all(85 <= words(r["text"]) <= 115 for r in sheet["references"])
        assert len({s["system"] for s in sheet["summaries"]}) == 8

    def test_baselines_are_sentences_of_the_documents(self, sheet):
        documents = " ".join(d["text"] for d in sheet["documents"]).replace("\n\n", " ")
        (lead,) = (s["text"] for s in sheet["summaries"] if s["system"] == "lead")
        assert lead.replace("\n\n", " ") in documents

    def test_every_part_is_in_its_text(self, sheet):
        references = {r["author"]: r["text"] for r in sheet["references"]}
        summaries = {s["system"]: s["text"] for s in sheet["summaries"]}
        for scu in sheet["scus"]:
            authors = [c["reference"] for c in scu["contributors"]]
            assert len(set(authors)) == len(authors)
            for contributor in scu["contributors"]:
                for part in contributor["parts"]:
                    span_of(references[contributor["reference"]], part)
        for matched in sheet["matches"]:
            for unit in matched["units"]:
                for part in unit["parts"]:
                    span_of(summaries[matched["system"]], part)

    def test_it_is_a_pyramid_with_all_weights_and_parts_apart(self, sheet):
        weights = Counter(len(scu["contributors"]) for scu in sheet["scus"])
        assert all(weights[w] for w in (1, 2, 3, 4))
        assert sum(len(c["parts"]) > 1 for scu in sheet["scus"] for c in scu["contributors"]) >= 4

    def test_every_summary_is_matched_and_rated(self, sheet):
        systems = {s["system"] for s in sheet["summaries"]}
        labels = {scu["label"] for scu in sheet["scus"]}
        assert len(labels) == len(sheet["scus"])
        assert {m["system"] for m in sheet["matches"]} == systems
        assert {u["scu"] for m in sheet["matches"] for u in m["units"]} <= labels | {None}
        rated = Counter((r["system"], r["dimension"]) for r in sheet["ratings"])
        assert set(rated.values()) == {1}
        assert len(rated) == 8 * 3


def test_there_are_six_topics():
    assert [sheet["name"] for sheet in SHEETS] == [f"D0{n}" for n in range(1, 7)]


def test_every_decision_is_in_the_history(sample_file, tmp_path):
    with open_study(Path(shutil.copyfile(sample_file, tmp_path / "sample.pyramidion"))) as study:
        verbs = Counter(edit.verb for edit in study.edits.history(limit=100_000))
        (annotator,) = study.annotators.all()
        first = study.pyramids.annotation(study.texts.topics()[0].id, annotator.id)
        texts = {t.id: t.content for t in study.texts.topic(first.pyramid.topic_id).references}
    assert annotator.name == ANNOTATOR
    assert verbs["new SCU"] == sum(len(s["scus"]) for s in SHEETS)
    assert verbs["match"] + verbs["add unit"] == sum(len(m["units"]) for s in SHEETS for m in s["matches"])
    assert verbs["mark summary done"] == 48
    assert sum(n for verb, n in verbs.items() if verb.startswith("rat")) == 6 * 8 * 3
    assert first.pyramid.is_done
    made = {
        scu.label: [[texts[c.reference_id][p.start : p.end] for p in c.parts] for c in scu.contributors]
        for scu in first.pyramid.scus
    }
    written = {
        scu["label"]: [[p["text"] for p in c["parts"]] for c in scu["contributors"]]
        for scu in SHEETS[0]["scus"]
    }
    assert made == written
