"""`pyramidion import` of tables of other projects: the guess is printed and can be changed."""

from __future__ import annotations

import json

TEXT = "The court met on Monday and ruled."


def test_the_guess_is_printed_and_options_change_it(run, tmp_path):
    study, table = tmp_path / "new.pyramidion", tmp_path / "t.csv"
    table.write_bytes(f"doc_id;model;hyp;q1;url\nd1;M;{TEXT} café;7;x\n".encode("windows-1252"))
    run("new", study)
    code, _, err = run("import", study, table, "--dry-run")
    assert (code, "is not UTF-8" in err, "--encoding" in err) == (1, True, True)
    options = ("--encoding", "windows-1252", "--map", "rating:quality@KO=q1", "--scale", "1-7")
    code, out, err = run("import", study, table, *options)
    assert code == 0, err
    assert (
        "Columns (3 guessed): doc_id = topic, model = system, hyp = summary, q1 = rating:quality@KO."
        in " ".join(err.split())
    )
    assert "Not used: url." in " ".join(err.split())
    code, out, _ = run("export", study, "--what", "ratings", "-o", tmp_path / "r.xlsx")
    assert code == 0
    code, out, _ = run("import", study, tmp_path / "r.xlsx", "--json")
    assert json.loads(out)["unchanged"]["ratings"] == 1


def test_columns_are_left_out_and_rows_numbered(run, tmp_path):
    study, table = tmp_path / "new.pyramidion", tmp_path / "t.csv"
    table.write_text(f"article,bart,pegasus\n{TEXT},{TEXT},{TEXT}\n")
    run("new", study)
    code, _, err = run("import", study, table)
    assert (code, "may contain the summaries of one system" in err) == (1, True)
    code, out, err = run(
        "import",
        study,
        table,
        "--map",
        "topic=#",
        "--map",
        "summary:bart=bart",
        "--ignore",
        "pegasus",
        "--json",
    )
    assert code == 0, err
    assert {kind: n for kind, n in json.loads(out)["added"].items() if n} == {
        "systems": 1,
        "topics": 1,
        "documents": 1,
        "summaries": 1,
    }
