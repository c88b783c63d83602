"""ROUGE against the Perl script; tests/benchmarks/rouge_parity.py repeats this over 10,000 times."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.metrics.registry import parse
from core.progress import run_to_completion
from storage.formats.export_registry import export_steps, find
from storage.study_file import new_study
from tests.perl_rouge import evaluations, missing_requirements, output, spec_of, unpack
from tests.scoring import score_all

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if reason := missing_requirements():
        pytest.skip(reason)
    return unpack(tmp_path_factory.mktemp("rouge"))


@pytest.mark.data
@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ("", ""),
        ("-m -w 1.2 -2 4 -U", "stem=yes"),
        ("-m -s -w 2 -2 0 -U", "stem=yes,stop_words=yes"),
        ("-p 0.25 -w 0.7 -2 -1 -U", "alpha=0.25"),
        ("-f B -m -w 1.2 -2 4 -U", "pooling=best,stem=yes"),
        ("-l 40 -w 1.2 -2 4 -U", "words=40"),
        ("-b 150 -m -w 1.2 -2 4 -U", "bytes=150,stem=yes"),
    ],
)
def test_every_number_equals_that_of_perl(
    options, settings, release, multiling, summeval, resources, tmp_path
):
    topics = [
        replace(topic, references=topic.references[:count], summaries=topic.summaries[:3])
        for topic in [*multiling[::4], *list(summeval.values())[:1]]
        for count in (1, 4)
    ]
    printed = evaluations(release, ["-r", "1", "-n", "4", *options.split()], topics, tmp_path)
    assert printed.keys() >= {"1", "2", "3", "4", "L"}
    for kind, expected in printed.items():
        metric = parse(spec_of(kind, settings))
        mine = [
            row for topic in topics for row in metric.score(metric.prepare(topic, resources)).values.tolist()
        ]
        assert mine == expected, kind


@pytest.mark.data
@pytest.mark.parametrize("name", ["rouge-1.5.5", "rouge-1.5.5-tokens"])
def test_exported_numbers_equal_those_of_perl(name, release, multiling, tmp_path):
    topics = multiling[::3]
    with new_study(tmp_path / "s.pyramidion") as study:
        study.import_data(ImportContent("multiling", [incoming(str(i + 1), t) for i, t in enumerate(topics)]))
        score_all(study, *(spec_of(kind, "stem=yes") for kind in ("1", "2", "L", "W-1.2", "SU4")))
        run_to_completion(export_steps(study, find("rouge", name), tmp_path / "out.txt"))
    options = ["-d", "-n", "2", "-m", "-w", "1.2", "-2", "4", "-u", "-t", str(int(name.endswith("tokens")))]
    assert (tmp_path / "out.txt").read_text("utf-8") == output(release, options, topics, tmp_path)


def incoming(name, topic):
    """A topic on its way into a study, of one summary by X."""
    references = {text.name: NewText(text.content, text.sentence_spans) for text in topic.references}
    (summary,) = topic.summaries
    return NewTopic(
        name, references=references, summaries={"X": NewText(summary.content, summary.sentence_spans)}
    )
