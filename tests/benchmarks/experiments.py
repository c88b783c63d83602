"""Time of the resampled tables of Owczarzak & Dang 2009 on a study of TAC's size.

Run: .venv/bin/python -m tests.benchmarks experiments
48 topics, 58 systems, 4 references, pyramids of about 30 SCUs with matches of every summary, Responsiveness
ratings; texts are SummEval's and all annotations are random. Three metrics are scored first; ROUGE-L replaces
BE, which needs a parser. Timed from the command to the stored result, including reading the study.
"""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from core.domain.import_batch import ImportContent, NewRating
from core.domain.pyramid import Contributor, Match, Scu, SummaryState, TopicAnnotation, new_id
from core.domain.study import TopicTexts
from core.experiments.experiment import ExperimentRequest
from core.experiments.registry import parse_recipe
from core.experiments.runner import run_experiment
from core.ports import Study
from core.progress import run_to_completion
from core.scoring import engine
from core.scoring.study_resources import StudyResources
from tests.benchmarks import sized
from tests.benchmarks.made_studies import is_there, make_study

MEASURES = "pyramid.modified,rouge-2[stem:yes].recall,rouge-su4[stem:yes].recall,rouge-l[stem:yes].recall"
SPECS = ("rouge-n:n=2,stem=yes", "rouge-su:gap=4,stem=yes", "rouge-l:stem=yes")
RECIPES = ("table-1", "table-3", "figure-1", "table-6", "table-7", "table-9")
SCUS, HITS, LIMIT = 30, 10, 10.0
TOPICS, SYSTEMS = sized((48, 58), (4, 8))


def main() -> None:
    """Measure and print."""
    if not is_there():
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tac.pyramidion"
        with make_study(path, topics=TOPICS, systems=SYSTEMS, references=4, documents=1) as study:
            _judge(study)
            resources = StudyResources(study)
            plan = engine.plan(study, [engine.parse_config(spec, resources) for spec in SPECS], resources)
            run_to_completion(engine.score(study, plan, resources))
            print(f"  1,000 draws of each condition; the paper's tables are to take under {LIMIT:g} s\n")
            for name in RECIPES:
                _measure(study, f"conditions-{name}", resources)


def _measure(study: Study, name: str, resources: StudyResources) -> None:
    chosen = {"set": ""} | ({} if name.endswith(("figure-1", "table-6")) else {"measures": MEASURES})
    request: ExperimentRequest = parse_recipe(name, chosen)
    began = time.perf_counter()
    result = run_to_completion(run_experiment(study, request, resources, again=True)).result
    seconds = time.perf_counter() - began
    rows, columns = len(result.tables[0].rows), len(result.tables[0].columns)
    print(f"  {name:22} {seconds:6.2f} s   {rows} × {columns} cells   {request.title}")


def _judge(study: Study) -> None:
    """Create a pyramid with matches of every summary, and correlated Responsiveness, for each topic."""
    annotator = study.annotators.get_or_create("benchmark").id
    chance, ratings = random.Random(0), []
    for topic in study.texts.load():
        before = study.pyramids.annotation(topic.id, annotator)
        after = _matched(before, topic, annotator, chance)
        study.pyramids.commit(before, after, "match", annotator).result()
        for place, summary in enumerate(topic.summaries):
            value = float(min(5, max(1, round(1 + 4 * place / SYSTEMS + chance.gauss(0, 1)))))
            ratings.append(NewRating(topic.name, summary.name, "responsiveness", "benchmark", value))
    scale = {"responsiveness": (1.0, 5.0)}
    study.import_data(ImportContent("drawn", dimensions=scale, annotators={"benchmark": ""}, ratings=ratings))


def _matched(
    before: TopicAnnotation, topic: TopicTexts, annotator: str, chance: random.Random
) -> TopicAnnotation:
    """Create SCUs of one to four references; later systems express more of them."""
    scus = tuple(_scu(number, topic, chance) for number in range(SCUS))
    matches, states = [], []
    for place, summary in enumerate(topic.summaries):
        matched = chance.sample(scus, chance.randint(1, HITS) * (1 + place) // SYSTEMS + 2)
        units = [*(scu.id for scu in matched), None, None]
        matches += [Match(new_id(), summary.id, annotator, unit) for unit in units]
        states.append(SummaryState(new_id(), summary.id, annotator, is_done=True))
    pyramid = replace(before.pyramid, scus=scus)
    return TopicAnnotation(pyramid, tuple(matches), tuple(states))


def _scu(number: int, topic: TopicTexts, chance: random.Random) -> Scu:
    holders = chance.sample(topic.references, chance.randint(1, len(topic.references)))
    return Scu(new_id(), f"unit {number}", tuple(Contributor(new_id(), text.id, ()) for text in holders))


if __name__ == "__main__":
    main()
