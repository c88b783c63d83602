"""The language of a study: detected by its first import, stored, shown, changed, and used by scoring."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from cli.errors import BAD_INPUT, DONE
from core.comparison.measures import measures
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.ports import language_of
from core.text.sentences import sentence_spans_of
from storage.study_file import open_study
from tests.cli.conftest import Run
from tests.core.text.test_languages import LONG

JAPANESE = ("首相は昨日、新しい経済政策を発表しました。", "首相は昨日、新しい病院を訪れました。")
METRICS = ("-m", "rouge-n:n=1", "-m", "js", "-m", "meteor", "-m", "bleu")


def study_of(run: Run, folder: Path, reference: str, summary: str) -> tuple[Path, str]:
    """A study of one topic, and what the import printed."""
    study, table = folder / "s.pyramidion", folder / "t.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["topic", "author", "system", "text"])
        rows.writerow(["D1", "A", "", reference])
        rows.writerow(["D1", "", "one", summary])
    run("new", study)
    code, _, err = run("import", study, table)
    assert code == DONE
    return study, err


def signatures(study: Path) -> list[str]:
    with open_study(study) as opened:
        return [config.signature for config in opened.scores.configs()]


def test_the_first_import_stores_the_language_and_scoring_uses_it(run: Run, tmp_path: Path) -> None:
    study, message = study_of(run, tmp_path, *JAPANESE)
    assert "The texts are in Japanese (ja); the study's language is set to that." in message
    assert run("score", study, *METRICS)[0] == DONE
    rouge, js, meteor, bleu = signatures(study)
    assert "|text:unicode|" in rouge
    assert "|text:icu|" in js
    assert "|tok:icu|" in meteor
    assert "|tok:char|" in bleu or "|tok:ja-mecab|" in bleu
    out = tmp_path / "o.csv"
    run("export", study, "-o", out)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    values = {re.sub(r"\[.*\]", "", row["measure"]): (float(row["value"]), row["notes"]) for row in rows}
    assert 0 < values["js-1.divergence"][0] < 0.69
    assert values["meteor.score"][0] > 0.2
    assert values["bleu.score"][0] > 10
    assert {notes for _, notes in values.values()} == {""}


def test_sentences_are_split_by_the_language_and_a_change_of_it_makes_scores_due(
    run: Run, tmp_path: Path
) -> None:
    text = "Der Vertrag gilt bzw. endet ab dem 3. Mai in Köln. Dann beginnt ein neuer, z. B. in Bonn. "
    study, _ = study_of(run, tmp_path, text * 3, text * 2)
    assert run("language", study, "de")[0] == DONE
    with open_study(study) as opened:
        ((summary,),) = (topic.summaries for topic in opened.texts.load())
    assert len(sentence_spans_of(summary)) == 4
    metric = ("-m", "rouge-l:text=unicode,stem=no,stop_words=no,split=sentences")
    assert run("score", study, *metric)[0] == DONE
    for language, is_stale in (("de", False), ("en", True)):
        assert run("language", study, language)[0] == DONE
        with open_study(study) as opened:
            assert {ref.is_stale for ref in measures(opened)} == {is_stale}, language


def test_without_a_language_the_study_is_read_as_before_and_every_output_notes_it(
    run: Run, tmp_path: Path
) -> None:
    study, _ = study_of(run, tmp_path, *JAPANESE)
    assert run("language", study, "none")[0] == DONE
    code, _, err = run("score", study, *METRICS)
    assert code == DONE
    message = "2 texts in a script that the metric cannot tokenize"
    assert f"js, meteor, bleu: {message}" in err
    assert "with non-ASCII letters that were ignored (text=unicode includes them)" in err
    rouge, js, *_ = signatures(study)
    assert "|text:1.5.5|" in rouge
    assert js == "js|n:1|stem:yes|stop_words:yes|version:1"
    out = tmp_path / "o.csv"
    run("export", study, "-o", out)
    assert message in out.read_text(encoding="utf-8")


def test_english_texts_are_stored_without_a_word_and_leave_signatures_alone(run: Run, tmp_path: Path) -> None:
    study, message = study_of(run, tmp_path, LONG["en"], LONG["en"][:80])
    assert "language" not in message.lower()
    assert json.loads(run("language", study, "--json")[1])["language"] == "en"
    run("score", study, "-m", "js")
    assert signatures(study) == ["js|n:1|stem:yes|stop_words:yes|version:1"]


def test_texts_in_several_languages_are_noted(run: Run, tmp_path: Path) -> None:
    _, message = study_of(run, tmp_path, LONG["en"] * 3, LONG["de"])
    assert "Some texts are in other languages: German (de) (" in message


def test_a_study_that_has_texts_gets_no_language_by_another_import(run: Run, tmp_path: Path) -> None:
    study, _ = study_of(run, tmp_path, "A cat.", "A dog.")
    table = tmp_path / "more.csv"
    table.write_text(f"topic,system,text\nD2,one,{JAPANESE[0]}\n", encoding="utf-8")
    assert run("import", study, table)[0] == DONE
    with open_study(study) as opened:
        assert language_of(opened) == ""
    _, _, err = run("language", study)
    assert "no language set" in err
    assert f"`pyramidion language {study} ja`" in err


def test_a_language_is_stored_by_its_code_and_a_wrong_one_is_refused(run: Run, tmp_path: Path) -> None:
    study, _ = study_of(run, tmp_path, *JAPANESE)
    assert "Chinese (zh)" in run("language", study, "zh")[2]
    assert "Japanese (ja)" in run("language", study, "detect")[2]
    code, _, err = run("language", study, "xx")
    assert code == BAD_INPUT
    assert "codes of ISO 639" in err
    assert json.loads(run("language", study, "--json")[1])["language"] == "ja"


@pytest.mark.parametrize("spec", ["rouge-n:text=1.5.5", "rouge-n|text:1.5.5"])
def test_what_is_typed_counts_more_than_the_language(run: Run, tmp_path: Path, spec: str) -> None:
    study, _ = study_of(run, tmp_path, *JAPANESE)
    assert run("score", study, "-m", spec)[0] == DONE
    assert "|text:1.5.5|" in signatures(study)[0]


def test_an_export_states_which_scores_a_model_cannot_give(run: Run, tmp_path: Path) -> None:
    study, _ = study_of(run, tmp_path, "แมวนั่งอยู่บนเสื่อ", "รถยนต์วิ่งเร็วมากบนถนน")
    assert run("score", study, "-m", "cosine")[0] == DONE
    code, out, err = run("export", study, "-o", tmp_path / "o.csv")
    assert (code, out) == (DONE, "")
    assert "cosine.mean: 2 texts not scored, because more than half of the tokens are unknown" in err


def test_the_first_texts_of_known_topics_store_the_language(run: Run, tmp_path: Path) -> None:
    study = tmp_path / "s.pyramidion"
    run("new", study)
    with open_study(study) as opened:
        opened.import_data(ImportContent("topics", topics=(NewTopic("D1"), NewTopic("D2"))))
        texts = ((topic, NewText(LONG["de"])) for topic in ("D1", "D2"))
        topics = tuple(NewTopic(topic, summaries={"one": text}) for topic, text in texts)
        opened.import_data(ImportContent("texts", topics=topics))
        assert language_of(opened) == "de"
        assert {topic.summaries[0].language for topic in opened.texts.load()} == {"de"}


def test_topics_in_another_language_have_their_own(run: Run, tmp_path: Path) -> None:
    texts = {
        "D1": LONG["en"] * 3,
        "D2": LONG["de"] + " Er gilt bzw. endet ab dem 3. Mai in Köln. Dann z. B. in Bonn.",
    }
    table, study = tmp_path / "t.csv", tmp_path / "s.pyramidion"
    with table.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["topic", "system", "text"])
        rows.writerows([topic, "one", text] for topic, text in texts.items())
    run("new", study)
    _, _, message = run("import", study, table)
    assert "topic D2: The texts are in German (de)." in message
    shown = json.loads(run("language", study, "--json")[1])
    assert (shown["language"], shown["topics"]) == ("en", {"D2": "de"})

    assert run("undo", study)[0] == DONE, "the import, with all that it stored"
    with open_study(study) as opened:
        assert (list(opened.texts.topics()), list(opened.settings.keys("language"))) == ([], [])
    assert run("undo", study, "--redo")[0] == DONE

    def languages() -> dict[str, str]:
        with open_study(study) as opened:
            return {topic.name: topic.summaries[0].language for topic in opened.texts.load()}

    assert languages() == {"D1": "en", "D2": "de"}
    run("language", study, "none", "--topic", "D2")
    assert languages() == {"D1": "en", "D2": "en"}
    run("language", study, "fr", "--topic", "D1", "--topic", "D2")
    assert languages() == {"D1": "fr", "D2": "fr"}
    with open_study(study) as opened:
        assert opened.edits.history(limit=1)[0].what == "Set language of topics"
