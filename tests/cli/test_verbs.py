"""The verbs, run as a user would: arguments in, exit code and streams out."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

import pyramidion
from cli.errors import BAD_INPUT, DONE, USAGE
from cli.options import names
from core.formatting.numbers import pluralize
from storage.formats import import_registry
from storage.study_file import open_study
from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def test_help_is_complete(run):
    code, out, _ = run("--help")
    assert code == DONE
    for verb in ("new", "import", "validate", "metrics", "score", "correlate", "report", "export", "doctor"):
        assert verb in out
        assert run(verb, "--help")[0] == DONE


def test_an_unknown_option_is_a_matter_of_usage(run):
    assert run("score", "x.pyramidion", "--colour")[0] == USAGE


def test_a_missing_study_gives_a_sentence(run, tmp_path):
    code, out, err = run("validate", tmp_path / "none.pyramidion")
    assert code == BAD_INPUT
    assert out == ""
    assert "none.pyramidion" in err


def test_a_study_is_never_overwritten(run, tmp_path):
    path = tmp_path / "a.pyramidion"
    assert run("new", path)[0] == DONE
    before = path.read_bytes()
    assert run("new", path)[0] == BAD_INPUT
    assert path.read_bytes() == before


def test_metrics_are_listed_as_one_document(run):
    code, out, _ = run("metrics", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert code == DONE
    assert {"rouge-n", "rouge-l", "bertscore", "cosine"} <= set(rows)
    settings = {s["name"]: s for s in rows["rouge-n"]["settings"]}
    assert (settings["n"]["low"], settings["n"]["high"]) == (1, 9)
    assert all(row["available"] or row["why_not"] for row in rows.values())


def test_an_error_of_the_user_is_a_sentence_and_bad_input(run, scored):
    code, _, err = run("score", scored, "-m", "ruge-n")
    assert code == BAD_INPUT
    assert "rouge-n" in err


def test_correlations_come_as_the_promised_document(run, scored):
    arguments = ("--human", "rating.coherence", "--level", "topic", "--coefficient", "kendall", "--json")
    code, out, _ = run("correlate", scored, *arguments)
    rows = json.loads(out)["rows"]
    keys = {"measure", "signature", "human", "level", "coefficient", "value", "p", "n", "dropped"}
    keys |= {"stand_in", "status", "coverage", "reason", "p_method", "p_caution", "tie_threshold"}
    keys |= {"higher_is_better", "ranked_by"}
    keys |= {"low", "high", "no_interval", "tail_draws", "undefined_draws"}  # p is of the bootstrap
    assert code == DONE
    assert len(rows) == 6
    assert all(set(row) == keys for row in rows)
    assert {(row["level"], row["coefficient"], row["human"]) for row in rows} == {
        ("topic", "kendall", "rating.coherence")
    }
    assert "rouge-2[stem:yes].f" in {row["measure"] for row in rows}


def test_an_unknown_judgement_gives_a_sentence(run, scored):
    code, _, err = run("correlate", scored, "--human", "rating.coherance")
    assert code == BAD_INPUT
    assert "rating.coherence" in err


def test_exported_scores_nest_at_the_last_dot_and_come_back(run, scored, tmp_path):
    target = tmp_path / "scores.jsonl"
    assert run("export", scored, "--what", "scores", "--format", "sacrerouge", "-o", target)[0] == DONE
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 64
    assert {frozenset(line) for line in lines} == {
        frozenset({"instance_id", "summarizer_id", "summarizer_type", "metrics"})
    }
    assert set(lines[0]["metrics"]["rouge-2[stem:yes]"]) == {"recall", "precision", "f"}
    back = import_registry.read(target, "sacrerouge")
    assert len(back.scores) == 64 * 6


@pytest.mark.parametrize("name", ["sacrerouge", "csv"])
def test_exported_texts_come_back_as_they_are(run, scored, tmp_path, name):
    target, copy = tmp_path / f"texts{'.csv' if name == 'csv' else '.jsonl'}", tmp_path / "copy.pyramidion"
    assert run("export", scored, "--what", "texts", "--format", name, "-o", target)[0] == DONE
    run("new", copy)
    code, out, _ = run("import", copy, target, "--json")
    assert code == DONE
    assert json.loads(out)["added"]["summaries"] == 64
    code, out, _ = run("import", scored, target, "--dry-run", "--json")
    document = json.loads(out)
    assert code == DONE
    assert not any(document["added"].get(kind) for kind in ("topics", "documents", "references", "summaries"))
    assert document["left_out"] == []


def test_ratings_and_judgements_leave_as_tables(run, scored, tmp_path):
    target = tmp_path / "ratings.csv"
    assert run("export", scored, "--what", "ratings", "--format", "csv", "-o", target)[0] == DONE
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == (8 + 5) * 8 * 3
    assert len(import_registry.read(target, "table").ratings) == len(rows)
    code, _, err = run("export", scored, "--what", "pyramids", "--format", "csv", "-o", target)
    assert code == BAD_INPUT
    assert "No format of pyramids is named 'csv'. Choose one of: ducview, rose" in err


def test_a_bad_import_shows_every_problem_and_changes_nothing(run, tmp_path):
    study, source = tmp_path / "s.pyramidion", tmp_path / "bad.csv"
    run("new", study)
    source.write_text("topic,system,text\nt1,S,Fine.\n,S,Nameless.\nt2,,Whose?\n", encoding="utf-8")
    code, out, err = run("import", study, source)
    assert code == BAD_INPUT
    assert out == ""
    assert "line 3" in err
    assert "line 4" in err
    assert "nothing was written" in err
    assert json.loads(run("import", study, source, "--map", "text=text", "--json")[1] or "null") is None
    source.write_text("topic,system,text\nt1,S,Fine.\n", encoding="utf-8")
    assert json.loads(run("import", study, source, "--json")[1])["added"]["summaries"] == 1


def test_empty_texts_are_listed_by_import_and_validate(run, tmp_path):
    study, table = tmp_path / "s.pyramidion", tmp_path / "t.csv"
    table.write_text("topic,system,text\nD1,one,A text.\nD1,two,\n", encoding="utf-8")
    run("new", study)
    code, _, err = run("import", study, table)
    assert code == DONE
    assert "t.csv, topic D1, summary of two: The text is empty." in err
    code, _, err = run("validate", study)
    assert code == DONE
    assert "Topic D1: the summary by two is empty." in err
    _, out, _ = run("validate", study, "--json")
    assert json.loads(out)["empty_texts"] == [{"topic": "D1", "role": "summary", "name": "two"}]


def test_a_sound_study_validates(run, scored):
    code, out, _ = run("validate", scored, "--json")
    assert code == DONE
    assert json.loads(out)["faults"] == []


def test_the_report_is_the_same_to_the_last_byte(run, scored, tmp_path):
    path = tmp_path / "report.html"
    assert run("report", scored, "--no-appendix", "--draws", "99", "-o", path)[0] == DONE
    first = path.read_bytes()
    assert run("report", scored, "--no-appendix", "--draws", "99", "-o", path)[0] == DONE
    assert path.read_bytes() == first
    text = first.decode("utf-8").replace("<wbr>", "")  # where a signature may wrap
    assert "rouge-n|n:2|stem:yes" in text
    assert "<svg" in text
    assert 'src="http' not in text


def test_a_table_shows_what_distinguishes_two_configurations(run, scored, tmp_path):
    path = tmp_path / "two.pyramidion"
    shutil.copy(scored, path)
    assert run("score", path, "-m", "rouge-n:n=1,stem=yes")[0] == DONE
    out = run("correlate", path, "--human", "rating.coherence")[1]
    assert "rouge-1.recall" in out
    assert "rouge-1[stem:yes].recall" in out


def test_what_is_undefined_is_explained(run, tmp_path):
    study, source = tmp_path / "s.pyramidion", tmp_path / "t.csv"
    rows = ["topic,system,author,text,dimension,annotator,value", "t,,R,The cat sat.,,,"]
    for system in "XYZ":
        rows += [f"t,{system},,The cat {system}.,,,", f"t,{system},,,tone,KO,3"]
    source.write_text("\n".join(rows), encoding="utf-8")
    run("new", study)
    code, _, err = run("score", study, "-m", "rouge-n")
    assert (code, "no texts yet" in err) == (BAD_INPUT, True), "as correlate"
    assert run("correlate", study)[0] == BAD_INPUT
    run("import", study, source)
    code, _, err = run("correlate", study)
    assert (code, "no scores yet" in err) == (BAD_INPUT, True)
    run("score", study, "-m", "rouge-n:n=1")
    code, out, err = run("correlate", study)
    assert code == DONE
    assert "rouge-1.f" in out
    assert "undefined (constant values or fewer" in err
    assert {row["value"] for row in json.loads(run("correlate", study, "--json")[1])["rows"]} == {None}
    err = run("correlate", study, "--human", "pyramid.modified")[2]
    assert "pyramid.modified: no included annotator has judged a summary yet." in err


def test_correlations_say_what_was_scored_in_part_or_from_other_texts(run, scored, tmp_path):
    path, more = tmp_path / "s.pyramidion", tmp_path / "more.csv"
    shutil.copy(scored, path)
    assert "scored in" not in run("correlate", path, "--json")[2]
    with open_study(path) as study:
        first = study.texts.topics()[0].name
    rows = [
        "topic,system,author,text",
        f"{first},,Z,One more reference.",
        "new,,A,A reference.",
        "new,S,,A summary.",
    ]
    more.write_text("\n".join(rows), encoding="utf-8")
    assert run("import", path, more)[0] == DONE
    code, out, err = run("correlate", path, "--measure", "rouge-2[stem:yes].f", "--json")
    assert code == DONE
    assert json.loads(out)["rows"]
    assert "rouge-2[stem:yes].f: scored in 8 of 9 topics." in err
    assert "rouge-2[stem:yes].f: out of date." in err
    changed = f"Reference Z of {first} was added on {datetime.now(UTC):%Y-%m-%d} UTC."
    assert changed in err
    assert "rouge-1" not in err
    code, out, err = run("score", path, "-m", "rouge-n:n=2,stem=yes", "--plan", "--json")
    assert json.loads(out)[0]["changed"] == changed
    assert changed in run("score", path, "-m", "rouge-n:n=2,stem=yes", "--plan")[2]
    findings = json.loads(run("doctor", path, "--json")[1])["findings"]
    assert changed in next(one["found"] for one in findings if one["what"] == "Scores of the study")


def test_what_a_metric_noted_is_reported_in_words(run, tmp_path):
    study, source = tmp_path / "s.pyramidion", tmp_path / "t.csv"
    rows = ["topic,system,author,text", "t,,R,Das Café.", "t,S,,Über das Café."]
    source.write_text("\n".join(rows), encoding="utf-8")
    run("new", study)
    run("import", study, source)
    err = run("score", study, "-m", "rouge-n:n=1")[2]
    assert (
        "rouge-n:n=1: 2 texts with non-ASCII letters that were ignored (text=unicode includes them)." in err
    )


def test_a_choice_that_names_nobody_is_no_choice_of_all(run, scored):
    for arguments in (
        ("score", scored, "-m", "rouge-l", "--references", " , "),
        ("correlate", scored, "--human-references", ""),
    ):
        code, _, err = run(*arguments)
        assert code == USAGE
        assert "contains no name" in err


def test_a_device_that_nobody_has_is_refused_even_where_none_is_needed(run, scored):
    for arguments in (("score", scored, "-m", "rouge-l"), ("metrics",)):
        code, out, err = run(*arguments, "--device", "quantum")
        assert (code, out) == (BAD_INPUT, "")
        assert "Unknown device 'quantum'" in err


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        ("['--help']", "numpy sqlalchemy core.scoring.engine storage.study_file"),
        ("['validate', {study!r}]", "scipy torch transformers numba matplotlib alembic PySide6 sentencex"),
        ("['import', {study!r}, 'none.csv']", "scipy torch transformers numba matplotlib alembic PySide6"),
    ],
)
def test_light_verbs_import_nothing_heavy(scored, arguments, absent):
    script = (
        f"import sys; from cli.main import main; main({arguments.format(study=str(scored))}); "
        f"print(*(name for name in {absent.split()} if name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines()[-1] == ""


def test_the_version_is_reported(run):
    code, out, _ = run("--version")
    assert code == DONE
    assert out == f"pyramidion {version('pyramidion')}\n"


def test_a_folder_given_as_a_study_gives_a_sentence(run, tmp_path):
    for verb in ("validate", "score", "correlate"):
        code, _, err = run(verb, tmp_path)
        assert code == BAD_INPUT
        assert "is a folder" in err


def test_counts_are_printed_with_singular_and_plural():
    assert [pluralize(n, "row") for n in (0, 1, 1600)] == ["0 rows", "1 row", "1,600 rows"]


def test_a_comma_within_a_setting_suggests_the_other_form(run, scored):
    code, _, err = run("score", scored, "-m", "bertscore:encoder=/models/a, b")
    assert code == BAD_INPUT
    assert "bertscore|key:value" in err


@pytest.mark.parametrize("verb", ["export", "report"])
def test_no_output_replaces_a_study(run, scored, verb):
    before = scored.read_bytes()
    code, _, err = run(verb, scored, "-o", scored)
    assert code == BAD_INPUT
    assert "may not be overwritten" in err
    assert scored.read_bytes() == before
    if verb == "export":  # a report in a folder is several files
        assert run(verb, scored, "-o", scored.parent)[0] == BAD_INPUT


@pytest.mark.parametrize("option", ["--systems", "--undefined", "--level", "--coefficient"])
def test_a_wrong_choice_is_a_matter_of_usage_that_lists_the_choices(run, scored, option):
    code, _, err = run("correlate", scored, option, "some")
    assert code == USAGE
    assert "Choose one of: " in err


def test_names_with_commas_are_in_quotes():
    assert names('ref-00, "Smith, J." ,B,') == ["ref-00", "Smith, J.", "B"]


@pytest.mark.parametrize(
    ("scale", "ends"), [("1-5", (1, 5)), ("-2-2", (-2, 2)), ("-3--1", (-3, -1)), ("0 - 0.5", (0, 0.5))]
)
def test_a_scale_may_go_below_zero(run, tmp_path, scale, ends):
    study, source = tmp_path / "s.pyramidion", tmp_path / "t.csv"
    run("new", study)
    rows = ["topic,system,text,dimension,annotator,value", "t,S,A text.,,,", f"t,S,,tone,KO,{ends[0]}"]
    source.write_text("\n".join(rows), encoding="utf-8")
    assert run("import", study, source, f"--scale={scale}")[0] == DONE
    with open_study(study) as opened:
        (dimension,) = opened.ratings.dimensions()
    assert (dimension.low, dimension.high) == ends


@pytest.mark.parametrize("scale", ["5-1", "3-3", "low-high", "1", "-", "nan-5"])
def test_a_scale_that_is_none_gives_a_sentence(run, tmp_path, scale):
    run("new", tmp_path / "s.pyramidion")
    (tmp_path / "t.csv").write_text("topic,system,text\nt,S,A text.\n", encoding="utf-8")
    code, _, err = run("import", tmp_path / "s.pyramidion", tmp_path / "t.csv", f"--scale={scale}")
    assert code == BAD_INPUT
    assert "with the lower end first" in err


def test_bad_rows_are_skipped_on_request_and_listed(run, tmp_path):
    study = tmp_path / "s.pyramidion"
    run("new", study)
    table = tmp_path / "t.csv"
    table.write_text("topic,system,text\nt,S,A text.\n,S,No topic.\n", encoding="utf-8")
    assert run("import", study, table)[0] == BAD_INPUT
    code, out, err = run("import", study, table, "--skip-bad-rows", "--json")
    assert code == DONE
    (skipped,) = json.loads(out)["skipped"]
    assert (skipped["place"], skipped["field"]) == ("line 3", "topic")
    code, out, err = run("import", study, table, "--skip-bad-rows", "--dry-run")
    assert "1 bad row would be skipped" in out + err
    assert "line 3, topic" in out + err


def test_vectors_computed_elsewhere_score_the_texts_that_hashes_list(run, tmp_path):
    study, texts, vectors = (tmp_path / name for name in ("s.pyramidion", "texts.jsonl", "v.jsonl"))
    run("new", study, "--sample")
    assert run("export", study, "--what", "texts", "--format", "hashes", "-o", texts)[0] == DONE
    rows = [json.loads(line) for line in texts.read_text(encoding="utf-8").splitlines()]
    assert len({row["sha256"] for row in rows}) == len(rows) > 64
    assert all(hashlib.sha256(row["text"].encode()).hexdigest() == row["sha256"] for row in rows)
    made = [{"sha256": r["sha256"], "vector": [len(r["text"]), r["text"].count("e")]} for r in rows]
    vectors.write_text("\n".join(map(json.dumps, made)), encoding="utf-8")
    code, _, err = run("score", study, "-m", f"cosine:encoder=vectors:{vectors},pooling=max")
    assert code == DONE
    vectors.write_text("\n".join(map(json.dumps, made[:-3])), encoding="utf-8")
    code, _, err = run("score", study, "-m", f"cosine:encoder=vectors:{vectors}")
    assert "v.jsonl has no vector for" in err


def test_a_judgement_by_which_nobody_is_left_out_is_refused(run, scored):
    code, out, err = run("correlate", scored, "--weak-by", "rating.nobody")
    assert (code, out) == (USAGE, "")
    assert "add --leave-out-weakest" in " ".join(err.replace("│", " ").split())


def test_pyramids_are_proposed_by_a_machine_annotator(run, small_file, tmp_path):
    path = Path(shutil.copy(small_file, tmp_path))
    code, out, _ = run("propose", path, "--topic", "D1", "--json")
    made = json.loads(out)
    assert (code, made["topics"], made["annotator"]) == (DONE, 1, "auto-pyramid")
    assert made["scus"] > 0
    assert run("propose", path, "-m", "rouge-l")[0] == BAD_INPUT
    with pyramidion.open(path, write=True) as study:
        assert study.propose(["D1"])["scus"] == made["scus"]
