"""The command `evaluate`: files in, scores, tests and correlations out."""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from sacrebleu.metrics import CHRF

from cli.errors import BAD_INPUT, DONE

WORDS = [
    "dam",
    "river",
    "city",
    "council",
    "bridge",
    "crack",
    "water",
    "plan",
    "money",
    "town",
    "road",
    "vote",
]
SYSTEMS = {"delta": 0.9, "alpha": 0.7, "omega": 0.5, "beta": 0.2}
"""Shares of the reference's words, in the order of the file."""


def text(base: list[str], share: float) -> str:
    words = [word if random.random() < share else random.choice(WORDS) for word in base]
    return f"{' '.join(words).capitalize()}."


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight topics, four systems, a rating; no document."""
    random.seed(4)
    path = tmp_path_factory.mktemp("table") / "stranger.csv"
    with path.open("w", newline="") as file:
        write = csv.writer(file)
        write.writerow(["doc_id", "model", "reference", "output", "Coherence (1-5)", "grade"])
        for topic in range(8):
            base = [random.choice(WORDS) for _ in range(20)]
            for system, share in SYSTEMS.items():
                rating = 1 + round(4 * share) - (topic % 3 == 0)
                row = [topic, system, text(base, 1), text(base, share), rating, max(1, rating - topic % 2)]
                write.writerow(row)
    return path


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with references and two outputs, a text per line."""
    random.seed(5)
    folder = tmp_path_factory.mktemp("lines")
    bases = [[random.choice(WORDS) for _ in range(12)] for _ in range(9)]
    for name, share in (("refs", 1.0), ("better", 0.8), ("worse", 0.3)):
        content = "".join(f"{text(base, share)}\n" for base in bases)
        (folder / f"{name}.txt").write_text(content)
    return folder


def test_numbers_are_those_of_import_score_and_correlate(run, table, tmp_path):
    metrics = ("rouge-1", "rouge-2.recall", "rouge-l:stem=yes", "chrf", "bleu")
    asked = [word for name in metrics for word in ("-m", name)]
    code, out, _ = run("evaluate", table, *asked, "--draws", 500, "--json")
    assert code == DONE
    found = json.loads(out)
    study = tmp_path / "study.pyramidion"
    run("new", study)
    run("import", study, table, "--format", "columns")
    run("score", study, *asked)
    labels = list(dict.fromkeys(one["measure"] for one in found["scores"]))
    assert labels == ["rouge-1.f", "rouge-2.recall", "rouge-l[stem:yes].f", "chrf.score", "bleu.score"]
    chosen = [word for label in labels for word in ("--measure", label)]
    options = ("--interval", "bootstrap-both", "--draws", 500, "--json")
    assert found["correlations"] == json.loads(run("correlate", study, *chosen, *options)[1])["rows"]
    settings = ("-s", f"measures={','.join(labels)}", "-s", "judgements=", "--draws", 500)
    tables = json.loads(run("resample", study, "--experiment", "leaderboard", *settings, "--json")[1])[
        "tables"
    ]
    means = {
        (one["title"].removeprefix("Systems by "), row[1]): row[2:6] for one in tables for row in one["rows"]
    }
    for one in found["scores"]:
        expected = [one["mean"], one["low"], one["high"], one["topics"]]
        assert means[one["measure"], one["system"]] == expected


def test_lexical_metrics_import_nothing_heavy(table):
    heavy = (
        "pandas pyarrow sqlalchemy alembic matplotlib torch transformers numba sklearn spacy scipy.stats "
        "PySide6 core.report core.metrics.js core.metrics.embedding.bertscore cli.commands.score"
    )
    code = (
        f"import sys; from cli.main import main; assert main(['evaluate', {str(table)!r}]) == 0; "
        f"sys.exit(', '.join(set({heavy!r}.split()) & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_several_tables_are_evaluated_as_one(run, table, tmp_path):
    rows = list(csv.DictReader(table.read_text().splitlines()))
    parts = {"texts": ("doc_id", "model", "reference", "output"), "ratings": ("doc_id", "model", "grade")}
    for name, columns in parts.items():
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            write = csv.DictWriter(file, columns, extrasaction="ignore")
            write.writeheader()
            write.writerows(rows)
    options = ("-m", "rouge-1", "--draws", 200, "--human", "grade", "--json")
    files = [tmp_path / f"{name}.csv" for name in parts]
    assert run("evaluate", *files, *options)[1] == run("evaluate", table, *options)[1]


def test_the_best_system_is_on_top_and_the_first_one_the_baseline(run, table):
    found = json.loads(run("evaluate", table, "-m", "rouge-1", "--json")[1])["scores"]
    assert [one["system"] for one in found] == list(SYSTEMS)
    assert [one["is_best"] for one in found] == [True, False, False, False]
    assert [one["compared_with"] for one in found] == ["", "delta", "delta", "delta"]
    assert all(one["difference"] == pytest.approx(one["mean"] - found[0]["mean"]) for one in found[1:])
    out = run("evaluate", table, "-m", "rouge-1", "--baseline", "beta")[1]
    assert [line.split()[1] for line in out.splitlines() if "(baseline)" in line] == ["beta"]


def test_lines_are_aligned_as_by_sacrebleu(run, lines):
    files = [lines / f"{name}.txt" for name in ("refs", "better", "worse")]
    code, out, err = run("evaluate", *files, "-m", "chrf", "--json")
    assert code == DONE
    better, worse = json.loads(out)["scores"]
    texts = [path.read_text().splitlines() for path in files]
    scores = [CHRF().sentence_score(one, [ref]).score for ref, one in zip(*texts[:2], strict=True)]
    assert better["mean"] == pytest.approx(sum(scores) / len(scores))
    assert (better["system"], worse["compared_with"], worse["topics"]) == ("better", "better", 9)
    assert worse["p_adjusted"] < 0.05
    assert "paired permutation of topics" in err
    again = json.loads(run("evaluate", *files[1:], "-r", files[0], "-m", "chrf", "--json")[1])
    assert again["scores"] == [better, worse]


def test_two_files_of_references_are_two_references(run, lines):
    refs = ("-r", lines / "refs.txt", "-r", lines / "worse.txt")
    both = json.loads(run("evaluate", lines / "better.txt", *refs, "-m", "rouge-1", "--json")[1])["scores"]
    one = json.loads(run("evaluate", lines / "better.txt", *refs[:2], "-m", "rouge-1", "--json")[1])["scores"]
    assert both[0]["mean"] != one[0]["mean"]


def test_files_of_different_lengths_are_named_with_their_counts(run, lines, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("One.\nTwo.\n")
    code, out, err = run("evaluate", lines / "refs.txt", short)
    assert (code, out) == (BAD_INPUT, "")
    assert f"{short} has 2 lines" in err
    assert f"{lines / 'refs.txt'} has 9 lines" in err


def test_a_named_column_is_a_rating_whatever_its_name(run, table):
    found = json.loads(run("evaluate", table, "-m", "chrf", "--human", "grade", "--json")[1])
    assert [one["human"] for one in found["correlations"]] == ["rating.grade"]
    found = json.loads(run("evaluate", table, "-m", "chrf", "--human", "Coherence (1-5)", "--json")[1])
    assert [one["human"] for one in found["correlations"]] == ["rating.coherence"]
    found = json.loads(run("evaluate", table, "-m", "chrf", "--human", "GRADE", "--json")[1])
    assert [one["human"] for one in found["correlations"]] == ["rating.grade"]
    code, _, err = run("evaluate", table, "-m", "chrf", "--human", "fluency")
    assert code == BAD_INPUT
    assert "No judgement is named 'fluency'" in err
    assert "rating.coherence" in err
    assert "pyramid" not in err


def test_a_mapping_says_how_a_file_is_read(run, tmp_path):
    path = tmp_path / "texts.json"
    texts = {"reference": "The dam broke.", "alpha": "The dam held.", "beta": "It rained."}
    rows = [
        {"topic": "1", "kind": "reference" if who == "reference" else "output", "who": who, "text": text}
        for who, text in texts.items()
    ]
    path.write_text(json.dumps(rows))
    code, out, _ = run("evaluate", path, "--mapping", "tidy", "-m", "rouge-1", "--json")
    assert code == DONE
    assert [one["system"] for one in json.loads(out)["scores"]] == ["alpha", "beta"]
    code, _, err = run("evaluate", path, "--mapping", "tidy", "--format", "tidy")
    assert code == BAD_INPUT
    assert "Give one of them" in err


def test_study_keeps_everything(run, table, tmp_path):
    study = tmp_path / "kept.pyramidion"
    out = run("evaluate", table, "-m", "rouge-2", "--study", study, "--json")[1]
    correlations = json.loads(out)["correlations"]
    options = ("--measure", "rouge-2.f", "--interval", "bootstrap-both", "--json")
    assert json.loads(run("correlate", study, *options)[1])["rows"] == correlations
    (planned,) = json.loads(run("score", study, "-m", "rouge-2", "--plan", "--json")[1])
    assert (planned["topics"], planned["fresh"]) == (0, 8)
    code, _, err = run("evaluate", table, "--study", study)
    assert code == BAD_INPUT
    assert "exists already" in err


@pytest.mark.parametrize("suffix", [".csv", ".json", ".md", ".tex"])
def test_output_has_scores_and_correlations(run, table, tmp_path, suffix):
    path = tmp_path / f"result{suffix}"
    code, out, err = run("evaluate", table, "-m", "rouge-2", "-o", path)
    assert (code, out) == (DONE, "")
    content = path.read_text(encoding="utf-8")
    assert "rouge-2.f" in content
    assert "rating.coherence" in content
    caution = "intervals are wide, and only large differences between measures can be detected"
    assert caution in " ".join(err.split())
    assert (caution in content) == (suffix in (".md", ".tex"))  # texts for papers; the others are data


def test_one_system_has_no_test_and_correlates_over_summaries(run, table, tmp_path):
    path = tmp_path / "one.csv"
    rows = list(csv.reader(table.read_text().splitlines()))
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(row for row in rows if row[1] in ("model", "alpha"))
    code, out, err = run("evaluate", path, "-m", "rouge-1", "--json")
    found = json.loads(out)
    assert code == DONE
    assert [one["compared_with"] for one in found["scores"]] == [""]
    assert {one["level"] for one in found["correlations"]} == {"global"}
    assert "fewer than 3 systems" in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "There are no columns"),
        ("id,system,summary,reference\n", "nothing to import"),
        ("id,a,b\n1,x,y\n", "No column contains texts"),
        ("id,system,summary\n1,a,The cat sat.\n", "rouge-n:n=1: 1 topic skipped, no references that count."),
    ],
)
def test_a_table_without_results_says_why(run, tmp_path, content, message):
    path = tmp_path / "table.csv"
    path.write_text(content)
    code, out, err = run("evaluate", path)
    assert (code, out) == (BAD_INPUT, "")
    assert message in err


def test_a_missing_metric_is_named_and_the_others_are_computed(run, table):
    code, out, err = run("evaluate", table, "-m", "rouge-1", "-m", "widar", "--json")
    assert {one["measure"] for one in json.loads(out)["scores"]} == {"rouge-1.f"}
    assert code == 1
    assert "widar: 8 topics skipped, no documents." in err


def test_files_that_do_not_belong_together_are_refused(run, table, lines, tmp_path):
    for files, message in (
        ((table, lines / "refs.txt"), "is a table and"),
        ((lines / "refs.txt",), "Name the outputs after it"),
        ((lines / "refs.txt", lines / "refs.txt"), "rouge"),
        ((tmp_path,), "could not be detected"),
        ((tmp_path / "missing.csv",), "does not exist"),
        ((tmp_path / "a.pyramidion",), "is a study"),
    ):
        assert message in "".join(run("evaluate", *files)[1:])
