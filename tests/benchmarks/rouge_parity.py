"""All ROUGE values compared with other implementations: SummEval and MultiLing, all variants and options.

More than 10,000 (summary, reference set) evaluations by Perl, each with ROUGE-1 to -4, -L, -W, -S and -SU,
and 3,000 by rouge-score, compared exactly; about ten minutes, most of it theirs. Differences are printed.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.domain.study import Text, TopicTexts, join_sentences
from core.metrics.registry import parse
from core.scoring.study_resources import StudyResources
from tests.benchmarks import sized
from tests.benchmarks.made_studies import SHARED, SUMMEVAL
from tests.perl_rouge import evaluations, missing_requirements, spec_of, unpack

MULTILING = SHARED / "multiling" / "texts.json"
OPTIONS = {
    "-w 1.2 -2 4 -U": "",
    "-m -w 1.2 -2 4 -U": "stem=yes",
    "-m -s -w 2 -2 0 -U": "stem=yes,stop_words=yes",
    "-p 0.25 -w 0.7 -2 -1 -U": "alpha=0.25",
    "-f B -w 1.2 -2 9 -U": "pooling=best",
    "-f B -m -s -w 1.5 -2 2 -U": "pooling=best,stem=yes,stop_words=yes",
    "-l 30 -w 1.2 -2 4 -U": "words=30",
    "-b 75 -m -w 1.2 -2 4 -U": "bytes=75,stem=yes",
    "-b 200 -f B -w 1.2 -2 -1 -U": "bytes=200,pooling=best",
}
ITS_KINDS = {
    **{f"rouge{n}": f"rouge-n:n={n},mode=rouge-score" for n in range(1, 10)},
    "rougeL": "rouge-l:split=text,mode=rouge-score",
    "rougeLsum": "rouge-l:split=lines,mode=rouge-score",
}
"""Pyramidion's settings of rouge-score's measures."""

REFERENCES = (1, 1, 2, 4)
"""Number of references to draw for each topic."""


def main() -> None:
    if not (SUMMEVAL.exists() and MULTILING.exists()):
        print(f"SummEval and MultiLing are not here; put them into {SHARED}.")
        return
    if reason := missing_requirements():
        print(reason)
        return
    beside_perl()
    beside_rouge_score()


def beside_perl() -> None:
    done = numbers = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        release = unpack(Path(folder))
        for seed, (options, settings) in enumerate(sized(list(OPTIONS.items()), [("-w 1.2 -2 4 -U", "")])):
            began = time.perf_counter()
            topics = drawn_topics(random.Random(seed))
            printed = evaluations(release, ["-r", "1", "-n", "4", *options.split()], topics, Path(folder))
            for kind, expected in printed.items():
                wrong += differing(spec_of(kind, settings), topics, expected)
                numbers += 3 * len(expected)
            done += len(expected)
            print(
                f"  {options:<30} {len(expected):>6,} evaluations {time.perf_counter() - began:7.0f} s",
                flush=True,
            )
    print(f"{done:,} evaluations by Perl, {numbers:,} numbers, {wrong:,} of them differ")


def beside_rouge_score() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    done = wrong = 0
    for stem in (False, True):
        topics = drawn_topics(random.Random(stem))
        scorer = RougeScorer(list(ITS_KINDS), use_stemmer=stem)
        theirs = [
            scorer.score_multi([text.content for text in topic.references], summary.content)
            for topic in topics
            for summary in topic.summaries
        ]
        for kind, spec in ITS_KINDS.items():
            expected = [[each[kind].recall, each[kind].precision, each[kind].fmeasure] for each in theirs]
            wrong += differing(f"{spec},stem={'yes' if stem else 'no'}", topics, expected)
        done += len(theirs)
    numbers = 3 * len(ITS_KINDS) * done
    print(f"{done:,} evaluations by rouge-score, {numbers:,} numbers, {wrong:,} of them differ")


def drawn_topics(draw: random.Random) -> list[TopicTexts]:
    """Yield every summary with some of its topic's references."""
    return [
        replace(topic, references=tuple(draw.sample(topic.references, min(count, len(topic.references)))))
        for topic in (*multiling(), *summeval())
        for count in (draw.choice(REFERENCES),)
    ]


def differing(spec: str, topics: list[TopicTexts], expected: list[list[float]]) -> int:
    """Return how many values differ from the expected ones, and print the first few."""
    metric, resources = parse(spec), StudyResources()
    mine = [row for topic in topics for row in metric.score(metric.prepare(topic, resources)).values.tolist()]
    wrong = 0
    for at, (actual, target) in enumerate(zip(mine, expected, strict=True)):
        if actual != target:
            wrong += sum(one != other for one, other in zip(actual, target, strict=True))
            print(f"  {spec}: evaluation {at + 1} gives {actual}, not {target}")
    return wrong


def summeval() -> Iterator[TopicTexts]:
    rows: dict[str, list[dict[str, object]]] = {}
    for line in SUMMEVAL.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row["id"], []).append(row)
    for name, own in rows.items():
        references = [Text(f"r{i}", f"r{i}", str(text)) for i, text in enumerate(own[0]["references"])]
        summaries = [Text(str(row["model_id"]), str(row["model_id"]), str(row["decoded"])) for row in own]
        yield TopicTexts(name, name, references=tuple(references), summaries=tuple(summaries))


def multiling() -> Iterator[TopicTexts]:
    for i, item in enumerate(json.loads(MULTILING.read_text(encoding="utf-8"))):
        references = [
            Text(f"r{j}", f"r{j}", *join_sentences(text)) for j, text in enumerate(item["references"])
        ]
        summary = Text("s", "s", *join_sentences(item["candidate"]))
        yield TopicTexts(f"m{i}", f"m{i}", references=tuple(references), summaries=(summary,))
