"""Metrics by name, by configuration and by signature."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields

import pytest

from core.errors import BadSetting, InputError
from core.metrics import names
from core.metrics.registry import metric, metrics, parse, parse_with_extras
from core.scoring.study_resources import StudyResources


def test_a_metric_is_made_by_name_and_settings():
    assert parse("rouge-n:n=2,stem=yes") == metric("rouge-n", n=2, stem=True)
    assert parse("rouge-n") == metric("rouge-n")
    assert parse("rouge-l:alpha=1") == metric("rouge-l", alpha=1.0)


def test_a_spec_holds_only_what_differs_from_the_defaults():
    assert parse("rouge-n:n=1,stem=yes,stop_words=no").spec == "rouge-n:n=1,stem=yes"
    assert parse("rouge-n").spec == "rouge-n"


@pytest.mark.parametrize("text", ["rouge-n:n=1", "rouge-n:n=3,stem=yes,alpha=0.25", "rouge-l:rounding=none"])
def test_a_signature_makes_the_metric_that_it_came_from(text):
    made = parse(text)
    assert parse(made.signature(StudyResources(None))) == made
    assert parse(made.spec) == made


def test_equal_settings_make_equal_metrics_and_equal_signatures():
    resources = StudyResources(None)
    one, other = parse("rouge-l:alpha=1"), parse("rouge-l:alpha=1.0")
    assert one.signature(resources) == other.signature(resources)
    assert len({one, other}) == 1


def test_signature_extras_are_returned():
    request = parse_with_extras("rouge-n|n:2|references:A+B|version:1")
    assert request.metric == metric("rouge-n")
    assert request.extras == {"references": "A+B"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("bertscor", "Did you mean bertscore"),
        ("rouge-n|n:2|version:99", "version 99"),
        ("nothing like it", "`pyramidion metrics` lists them"),
    ],
)
def test_an_unknown_metric_or_version_is_refused_with_a_remedy(text, sentence):
    with pytest.raises(InputError, match=sentence):
        parse(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rouge-n:stemm=yes", "Did you mean stem"),
        ("rouge-n:stem=true", "neither yes nor no"),
        ("rouge-n:n=two", "not a whole number"),
        ("rouge-n:n=0", "below 1"),
        ("rouge-n:text=latin", "Choose one of: 1.5.5, unicode"),
        ("rouge-n:n=1,n=2", "set twice"),
        ("rouge-n:n", "key=value"),
        ("rouge-l:alpha=nan", "not a number"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_place(text, sentence):
    with pytest.raises(BadSetting, match=sentence):
        parse(text)


def test_a_common_name_means_what_a_search_in_all_metrics_finds(monkeypatch):
    common = dict(names.COMMON)
    monkeypatch.setattr(names, "COMMON", {})
    assert {name: names.resolve_metric(name) for name in common} == {
        name: (spec, "") for name, spec in common.items()
    }


def test_listing_metrics_imports_no_torch_and_no_numba():
    code = (
        "import sys; from core.metrics.registry import metrics; names = {m.name for m in metrics()};"
        "assert {'rouge-n', 'rouge-l'} <= names, names;"
        "sys.exit(', '.join({'torch', 'numba', 'transformers', 'scipy'} & set(sys.modules)) or 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_every_metric_and_setting_has_a_description():
    for cls in metrics():
        assert cls.about
        assert cls.family
        made = cls()
        for measure in made.measures():
            assert "." in measure
        for f in fields(made):
            assert f.metadata["help"].endswith(".")
