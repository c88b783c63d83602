"""Law: an experiment or recipe runs on a study with any kind of judgement, or refuses with a true reason.

Tried to be broken by studies with one kind of judgement only, next to a scale that nobody used; by judgements
selected by each name that `correlate` accepts; and by looking for settings that a run never reads.
"""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from core.annotation.comparison_plans import draw_plan
from core.comparison.judgements import has_judgements, judgements
from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import add_match, add_scu, set_summary_state
from core.errors import InputError, MissingResource
from core.experiments.analyses import truncation
from core.experiments.experiment import Experiment
from core.experiments.inputs import text_representations
from core.experiments.inputs.text_representations import REPRESENTATIONS
from core.experiments.registry import all_experiments, all_recipes, parse_request
from core.formatting.tables import to_csv
from core.jit import Kernel
from core.progress import run_to_completion
from core.results.result import Result
from core.scoring.study_resources import StudyResources
from storage.study_file import new_study, open_study
from tests.scoring import score_all

pytestmark = pytest.mark.slow

SYSTEMS = ("lead", "north", "south", "east")
TEXT = "the court met on monday and lifted an old ban on a bridge near port"
WORDS = tuple(TEXT.split())
FALSE_OF = {"nugget": ("no judgements", "nugget scores", "no nugget"), "preference": ("no judgements",)}
"""What no refusal may say of a study that has this kind of judgement only."""

AGAIN = ("sera-table-2", "conditions-table-9")
"""Recipes that run although another of their class ran, or for the second kind of judgement."""

WITHOUT_JUDGEMENTS = ()

NAMELESS = re.compile(r"  | [,;:)]|: ?[.,;]|\bfor [,.]|^[,.;:]")
"""A sentence with an empty name."""

MAY_BE_EMPTY = {"Cluster", "Required", "High", "Outlying", "Dominated by", "Low"}
"""Columns of few systems and resamples."""


def _text(random: np.random.Generator) -> NewText:
    return NewText(f"{' '.join(random.choice(WORDS, 9)).capitalize()}. {' '.join(random.choice(WORDS, 7))}.")


@contextmanager
def _unjudged(path):
    """Texts of four systems on three topics, scored; a scale and a plan that nobody used."""
    random = np.random.default_rng(3)
    topics = [
        NewTopic(
            f"D{n}",
            set="update" if n > 0 else "initial",
            documents={"news": _text(random)},
            references={author: _text(random) for author in "AB"},
            summaries={system: _text(random) for system in SYSTEMS},
        )
        for n in range(3)
    ]
    with new_study(path) as study:
        study.import_data(ImportContent("made", topics=topics, annotators={"ann": "", "ben": ""}))
        score_all(study, "rouge-n:n=1", "js")
        yield study


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """A study for each kind of judgement: experiments read all scores of a study, and some add others."""
    folder = tmp_path_factory.mktemp("law")
    with _unjudged(folder / "nugget.pyramidion") as nugget, _unjudged(folder / "better.pyramidion") as better:
        _match(nugget)
        _prefer(better)
        for study in (nugget, better):
            study.flush()
        yield {"nugget": nugget, "preference": better}


def _match(study):
    me = study.annotators.get_or_create("ann").id
    for topic in study.texts.load():
        before = after = study.nuggets.annotation(topic.id, me)
        for n, (reference, start) in enumerate([(0, 0), (0, 4), (1, 0)]):
            part = topic.references[reference].id, [(start, start + 3)]
            after = add_scu(after, f"unit {n}", *part, f"{topic.id}-{n}")
        for at, summary in enumerate(topic.summaries):
            for n in range((at + 2 + at * int(topic.name[1])) % 4):
                after = add_match(after, summary.id, me, f"{topic.id}-{n}")
            after = set_summary_state(after, summary.id, me, is_done=True)
        study.nuggets.commit(before, after, "match", me).result()


def _prefer(study):
    plan, items = draw_plan(study, "better", ComparisonKind.PAIRWISE, per_summary=4, size=0)
    study.comparisons.add_plan(plan, items, None).result()
    me = study.annotators.get_or_create("ann").id
    for n, item in enumerate(items):
        first, second = item.summary_ids
        best, worst = (first, second) if n % 3 else (second, first)
        study.comparisons.answer(item.id, me, best, worst).result()


@contextmanager
def _recorded(names):
    """Record the names of the attributes of experiments that are read, except for their id."""
    plain = Experiment.__getattribute__

    def read(self, name):
        names.add(name)
        return {} if name == "settings" else plain(self, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Experiment, "__getattribute__", read, raising=False)
        patch.setattr(Experiment, "id", "0" * 32)
        yield


def _outcome(study, experiment: Experiment, resources: StudyResources | None = None) -> Result | str:
    """Return the result, or why the experiment does not run. resources: with models that others loaded."""
    if reason := experiment.missing_requirements(study):
        return reason
    Kernel.interpreted_steps = 0  # as in a new process: no loop of these small studies is compiled
    try:
        return run_to_completion(
            experiment.run(study, resources or StudyResources(study, "cpu"))
        ).with_footnotes()
    except (InputError, MissingResource) as error:
        return str(error)


def everything() -> dict[str, Experiment]:
    """Every experiment and recipe, with few resamples and values."""
    few = {"draws": 20, "k": "1", "words": "5"}
    known = {cls.name: cls() for cls in all_experiments()}
    known |= {one.name: one.experiment for one in all_recipes()}
    for name, one in known.items():
        lowest = {f.name: f.metadata.get("low") or 0 for f in fields(one)}
        chosen = few.keys() & one.settings().keys()
        values = {key: max(few[key], lowest[key]) if key == "draws" else few[key] for key in chosen}
        known[name] = replace(one, **values)
    return known


@pytest.fixture(scope="module")
def outcomes(studies):
    """Results or refusals by kind of judgement and name, and the attributes read of each experiment."""
    found, read = {}, defaultdict(set)
    few = tuple(each for each in REPRESENTATIONS if each.label in ("max", "InferSent"))
    with pytest.MonkeyPatch.context() as patch:
        for module in (text_representations, truncation):
            patch.setattr(module, "REPRESENTATIONS", few)
        for kind, study in studies.items():
            found[kind], classes, resources = {}, set(), StudyResources(study, "cpu")
            for name, one in everything().items():
                is_new = type(one) not in classes or name in AGAIN
                classes.add(type(one))
                is_slow = name == "power"  # it simulates studies
                if is_slow or not is_new or (kind == "preference" and one.scores_texts and name not in AGAIN):
                    found[kind][name] = one.missing_requirements(study)
                    continue
                with _recorded(read[type(one)]):
                    found[kind][name] = _outcome(study, one, resources)
    return found, read


def test_refusals_are_true(outcomes):
    for kind, results in outcomes[0].items():
        refused = {name: one for name, one in results.items() if isinstance(one, str) and one}
        for name, reason in refused.items():
            assert not any(part in reason for part in FALSE_OF[kind]), f"{name}: {reason}"
        assert len(refused) < len(results) / 2
    assert isinstance(outcomes[0]["nugget"]["conditions-table-9"], Result), "nuggets replace the pyramid"


def test_no_sentence_of_a_result_names_nothing_and_no_column_is_empty(outcomes):
    """An empty column is a lookup by a label that is shown otherwise, an empty name one that has none."""
    for kind, results in outcomes[0].items():
        for name, result in results.items():
            if not isinstance(result, Result):
                continue
            for sentence in (*result.policy, *result.stand_ins, *result.warnings):
                assert not NAMELESS.search(sentence), f"{name}: {sentence}"
            for table in result.tables if kind == "nugget" else ():
                for at, column in enumerate(table.columns):
                    is_empty = all(row[at] in (None, "") for row in table.rows)
                    assert not is_empty or column.title in MAY_BE_EMPTY, f"{name}: {column.title}"


def test_ends_of_intervals_follow_their_value_in_pairs(outcomes):
    """Screens show a value with the next two columns in brackets, which are therefore marked as its ends."""
    ends = re.compile("(95 %, )?(low|high)", re.IGNORECASE)
    results = [one for found in outcomes[0].values() for one in found.values() if isinstance(one, Result)]
    for table in (table for result in results for table in result.tables):
        for at, column in enumerate(table.columns):
            assert column.is_end == bool(ends.fullmatch(column.title)), f"{table.title}: {column.title}"
            if column.is_end:
                value, *pair = table.columns[(first := at - column.key.endswith("high")) - 1 : first + 2]
                assert value.is_number, f"{table.title}: {value.title}"
                assert not value.is_end
                assert [one.key.rpartition("_")[2] for one in pair] == ["low", "high"]


def test_every_setting_of_an_experiment_is_read(outcomes):
    found, read = outcomes
    known = everything()
    ran = {type(known[name]) for one in found.values() for name, it in one.items() if isinstance(it, Result)}
    for cls in ran:
        unread = {f.name for f in fields(cls)} - read[cls] - {"second_values"}
        assert not unread, f"{cls.name}: {unread}"


def test_a_judgement_without_values_where_they_are_asked_for_stops_no_other(tmp_path):
    """Of a set of topics, of two disjoint samples of topics, or of topics for development and for tests."""
    random, compared = np.random.default_rng(5), set()
    with _unjudged(tmp_path / "gap.pyramidion") as study:
        ratings = [
            NewRating(topic.name, text.name, scale, who, float(random.integers(1, 6)))
            for topic in study.texts.load()
            for scale in ("quality", "clarity", *(("style",) if topic.set == "initial" else ()))
            for text in topic.summaries
            for who in ("ann", "ben")
        ]
        scales = dict.fromkeys(("quality", "clarity", "style"), (1.0, 5.0))
        study.import_data(ImportContent("ratings", dimensions=scales, ratings=ratings))
        resources = StudyResources(study, "cpu")
        for cls in all_experiments():
            names = {f.name for f in fields(cls)}
            if "judgements" not in names or cls.name == "power":  # it simulates studies
                continue
            one = replace(
                everything()[cls.name],
                **{"set": "update"} if "set" in names and cls.name != "thresholds" else {},
                **{"least": "2"} if "least" in names else {},
            )
            alone = _outcome(study, replace(one, judgements="rating.quality,rating.clarity"), resources)
            if isinstance(alone, str):
                continue
            every = _outcome(study, one, resources)
            assert isinstance(every, Result), f"{cls.name}: {every}"
            if any(sentence.startswith("Left out: ") for sentence in every.warnings):
                assert "rating.style" in " ".join(every.warnings), cls.name
                assert list(map(to_csv, every.tables)) == list(map(to_csv, alone.tables)), cls.name
                compared.add(cls.name)
    assert compared >= {
        "best", "bootstrap", "halves", "leaderboard", "leave-out", "length", "outliers", "pairs", "pareto",
        "references", "sets", "thresholds", "topics",
    }  # fmt: skip


def test_every_judgement_can_be_selected(studies):
    study = studies["preference"]
    for ref in judgements(study):
        for name in ("halves", "outliers", "best"):
            chosen = parse_request(name, {"judgements": ref.name}).experiment
            assert isinstance(_outcome(study, chosen), Result), (name, ref.name)


def test_the_sample_lacks_nothing_but_further_studies(sample_file, tmp_path):
    """On the packaged sample each gives a result, or says what the sample lacks for it."""
    with open_study(Path(shutil.copy(sample_file, tmp_path))) as study:
        score_all(study, "js")
        known = everything()
        refused = {name for name, one in known.items() if one.missing_requirements(study)}
        update, pairs = (_outcome(study, known[name]) for name in ("conditions-table-2", "topic-pairs"))
    assert refused == {"published"}
    assert isinstance(update, Result)
    assert "2 judged pairs; at least 5 are needed" in pairs


def test_a_scale_without_ratings_is_no_judgement(tmp_path):
    with new_study(tmp_path / "empty.pyramidion") as study:
        study.import_data(ImportContent("scale", dimensions={"unused": (1.0, 5.0)}))
        assert not has_judgements(study)
        for name, one in everything().items():
            assert one.missing_requirements(study) or name in WITHOUT_JUDGEMENTS, name
