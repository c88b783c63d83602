"""`pyramidion scales`."""

from __future__ import annotations

import json

from cli.errors import BAD_INPUT, DONE, USAGE


def test_templates_are_listed_and_their_scales_added_once(study, run) -> None:
    study.close()
    _, out, _ = run("scales", "--json")
    assert "newsroom" in [template["template"] for template in json.loads(out)["templates"]]
    assert "no rating scales" in run("scales", study.path)[2]
    code, out, err = run("scales", study.path, "--template", "newsroom", "--template", "summeval", "--json")
    assert (code, "9 scales added" in err) == (DONE, True), "relevance is in both"
    scales = {scale["name"]: (scale["low"], scale["high"]) for scale in json.loads(out)["scales"]}
    assert (scales["relevance"], scales["perfect surrogate"], scales["coherence"]) == ((1, 7), (1, 7), (1, 5))
    assert "0 scales added" in run("scales", study.path, "--template", "summeval")[2]
    assert "1 to 7" in run("scales", study.path)[1]


def test_wrong_names_and_a_missing_study_are_refused(study, run) -> None:
    study.close()
    code, _, err = run("scales", study.path, "--template", "nothing")
    assert (code, "Known: tac" in " ".join(err.split())) == (BAD_INPUT, True)
    assert run("scales", "--template", "tac")[0] == USAGE
