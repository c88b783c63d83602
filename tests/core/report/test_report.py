"""The report: what it says, that it needs nothing else, and that two runs give the same bytes."""

from __future__ import annotations

import random
import re
import shlex
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

from core.comparison.comparison import load_comparison
from core.comparison.families import family_of
from core.comparison.inference import infer
from core.comparison.judgements import included_ratings, judgement_matrix
from core.comparison.noise_ceiling import ONE_ANNOTATOR, ONE_ANNOTATOR_NOTE
from core.comparison.options import Variants
from core.comparison.study_digest import study_digest
from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.errors import InputError
from core.formatting.tables import LOWER
from core.operations.options import ReportRequest
from core.progress import run_to_completion
from core.report.build import build_report
from core.report.formats.html import to_html, write_csv, write_html
from core.report.formats.markdown import to_report_markdown
from core.report.model import Report
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from storage.sample_study import sample_records
from storage.study_file import new_study, open_study
from tests.scoring import QUICK, report_of, score_all

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report(judged_study) -> Report:
    return report_of(judged_study)


def section(report: Report, anchor: str):
    return next(each for each in report.sections if each.anchor == anchor)


def test_reports_are_reproducible(judged_study, report, tmp_path):
    for name, made in (("a", report), ("b", report_of(judged_study))):
        write_html(made, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert b"\r" not in (tmp_path / "a").read_bytes()


def test_the_page_loads_nothing_from_the_network(report):
    page = to_html(report)
    addresses = re.findall(r"""(?:src|href)=["']([^"']+)["']|url\(([^)]+)\)|@import""", page)
    assert addresses
    for attribute, style in addresses:
        assert (attribute or style).strip("\"'").startswith(("#", "data:"))
    assert "<script" not in page


def test_the_page_is_well_formed(report):
    open_tags: list[str] = []

    class Checker(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag not in {"meta", "br", "wbr", "use", "path", "rect"}:
                open_tags.append(tag)

        def handle_endtag(self, tag):
            if tag not in {"use", "path", "rect"}:
                assert open_tags.pop() == tag

        def handle_startendtag(self, tag, attrs):
            pass

    Checker().feed(to_html(report))
    assert open_tags == []


def test_names_from_a_study_are_escaped(changeable_study):
    changeable_study.settings.save("name", "<script>alert(1)</script>").result()
    page = to_html(report_of(changeable_study))
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_every_level_has_a_table_for_every_judgement(report):
    for level in Level:
        tables = section(report, f"correlation-{level.value}").tables
        assert len(tables) == 5
        assert [len(table.rows) for table in tables] == [4] * 5
    first = section(report, "correlation-system").tables[0]
    assert [column.title for column in first.columns] == [
        "Measure", "Family", "r", "p", "p (diff.)", "ρ", "τ-b", "n", "dropped", "Out of date",
    ]  # fmt: skip
    assert [group for group in first.heading_groups() if group[0]] == [
        ("Pearson's r", 3), ("Spearman's ρ", 1), ("Kendall's τ-b", 1)
    ]  # fmt: skip
    notes = " ".join((*section(report, "correlation-system").paragraphs, first.note))
    assert "p: test of no correlation, bca bootstrap-both" in notes
    assert first.rows[0][-3:-1] == (4, 0)
    assert ": 4 systems are too few to resample" in first.note


def test_tables_have_intervals_and_differences_the_best_measure_first(tmp_path, sample_file):
    path = shutil.copy(sample_file, tmp_path / "s.pyramidion")
    with open_study(path) as study:
        score_all(study, "rouge-n:n=1", "js:n=1")
        options = replace(QUICK, judgements=("rating.responsiveness",), levels=(Level.SYSTEM,))
        level = section(run_to_completion(build_report(study, options)), "correlation-system")
        (table,) = level.tables
        rows = [dict(zip([column.key for column in table.columns], row, strict=True)) for row in table.rows]
        comparison = load_comparison(study, ["rating.responsiveness"])
        result = run_to_completion(infer(
            comparison, "rating.responsiveness", Level.SYSTEM, Coefficient.PEARSON, QUICK.inference(),
            family=family_of(comparison.refs, Variants.MAIN, comparison.ranked("rating.responsiveness")),
        ))  # fmt: skip
    assert [abs(row["pearson"]) for row in rows] == sorted(
        (abs(row["pearson"]) for row in rows), reverse=True
    )
    assert any(row["pearson"] < 0 for row in rows)
    assert "Lower is better: js-1.divergence" in table.note
    labels = [ref.label for ref in comparison.refs]
    for row in rows:
        at = labels.index(row["measure"].removesuffix(LOWER))
        assert row["better"] == ("lower" if row["measure"].endswith(LOWER) else "higher")
        intervals = result.intervals
        expected = (intervals.low[at], intervals.high[at], intervals.p[at])
        assert (row["low"], row["high"], row["pearson_p"]) == pytest.approx(expected)
    assert [row["measure"] for row in rows if row["p_difference"] is not None]
    assert "BCa bootstrap over systems and topics, 199 resamples, seed 0" in level.paragraphs[0]
    assert "chosen on the same data" in table.note


def test_facts_are_counted(report):
    facts = dict(section(report, "study").tables[0].rows)
    assert facts["Topics"] == "4"
    assert facts["Systems"] == "6 (4 automatic, 1 baseline, 1 human)"
    assert facts["References"].startswith("8, 56 words")
    assert facts["SCUs"] == "6 (2 of weight 2, 4 of weight 1)"
    assert facts["Summaries matched"] == "12 marked done"
    assert facts["Ratings of coherence"] == "69 by 3 annotators, 1 to 5"


def test_policies_state_the_included_annotators(report):
    text = " ".join(section(report, "policies").paragraphs)
    assert "mean of the ratings by expert-1 and expert-2" in text
    assert "matched by ann and ben, averaged over them" in text
    assert "Human summaries are excluded from the systems: person." in text


def test_commands_reproduce_scores_and_correlations(report):
    code = section(report, "repeat").code
    assert code[0] == "pyramidion score judged.pyramidion -m rouge-n:n=1 -m rouge-n:n=2"
    assert sum(line.startswith("pyramidion correlate judged.pyramidion --level") for line in code) == 9
    assert code[-1] == "pyramidion report judged.pyramidion -o report.html --draws 199"
    assert all("--compare best --draws 199" in line for line in code if "--compare" in line)


def test_every_configuration_shows_its_signature_once(report):
    assert section(report, "signatures").tables[0].rows == (
        ("rouge-1.recall, rouge-1.f", 4, "rouge-n|n:1|version:1"),
        ("rouge-2.recall, rouge-2.f", 4, "rouge-n|n:2|version:1"),
    )


def test_scores_of_texts_that_changed_since_are_named(report):
    """The study's score blocks were computed from other texts."""
    (warning,) = section(report, "signatures").paragraphs
    assert warning.startswith(
        "rouge-1.recall, rouge-1.f, rouge-2.recall, rouge-2.f: out of date. 8 references"
    )


def test_notes_of_metrics_are_listed_with_the_policies(changeable_study):
    config = changeable_study.scores.configs()[0]
    for block in changeable_study.scores.blocks(config.signature):
        changeable_study.scores.save(config, replace(block, notes={"undecided_answers": 2}))
    changeable_study.flush()
    paragraph = section(report_of(changeable_study), "policies").paragraphs[-1]
    assert paragraph.startswith("rouge-1.recall, rouge-1.f: 8 answers almost as likely as another one")


def test_a_report_without_clusters_says_why_and_prints_nothing_bold(report):
    table = next(one for one in section(report, "results").tables if one.title.startswith("System level"))
    assert not table.bold, "a measure is bold only where others differ from it"


def test_where_no_clusters_are_possible_the_best_and_what_is_like_it_are_bold(tmp_path):
    """Eight systems and six topics: 2 of 8,192 permutations by Holm over the pairs of all measures."""
    human = "rating.responsiveness"
    random = np.random.default_rng(2)
    ratings = [
        NewRating(record["name"], one["system"], "responsiveness", "A", float(one["value"]))
        for record in sample_records()[:6]
        for one in record["ratings"]
        if one["dimension"] == "responsiveness"
    ]
    scores = [
        NewScore(one.topic, one.system, f"m{n}.score", sign * one.value + 0.1 * random.normal())
        for n, sign in enumerate([1, -1] * 11)
        for one in ratings
    ]
    systems = {one.system: NewText("Made.") for one in ratings}
    topics = [NewTopic(name, summaries=systems) for name in dict.fromkeys(one.topic for one in ratings)]
    with new_study(tmp_path / "s.pyramidion") as study:
        about = {"dimensions": {"responsiveness": (1.0, 5.0)}, "annotators": {"A": ""}}
        study.import_data(ImportContent("made", topics=topics, ratings=ratings, scores=scores, **about))
        options = ReportRequest(judgements=(human,), levels=(Level.SYSTEM,), has_appendix=False)
        made = run_to_completion(build_report(study, options))
    (table,) = section(made, "results").tables
    assert not any(column.key.endswith(" cluster") for column in table.columns)
    assert "No clusters: no difference can be significant after 231 tests" in table.note
    assert "too few different permutations of 8 systems and 6 topics" in table.note
    bold = {table.rows[row][0] for row, _ in table.bold}
    assert bold == {f"m{n}.score" for n in range(0, 22, 2)}


def test_a_report_without_appendix_does_not_refer_to_it(judged_study):
    options = replace(
        QUICK, levels=(Level.TOPIC,), coefficient=Coefficient.GAMMA, has_appendix=False, output="paper"
    )
    made = run_to_completion(build_report(judged_study, options))
    assert "appendix" not in to_report_markdown(made).replace("--no-appendix", "")
    (code,) = [one for one in section(made, "reproduction").code if one.startswith("pyramidion report")]
    assert code == (
        "pyramidion report judged.pyramidion -o paper --level topic --coefficient gamma "
        "--draws 199 --no-appendix"
    )
    assert section(made, "reproduction").code[-1].startswith("pyramidion replay paper ")


def test_judgements_with_one_policy_are_named_together(report):
    policies = section(report, "policies").paragraphs
    (ratings,) = [text for text in policies if "mean of the ratings" in text]
    assert ratings.startswith("Coherence: ")
    assert sum("SCU's weight" in text for text in policies) == 1


def test_agreement_of_each_scale_is_that_of_its_own_annotators(study):
    """Experts have used one scale only: where they count, others do not, and they do not elsewhere."""
    drawn, people = random.Random(2), {"E1": "expert", "E2": "expert", "C1": "", "C2": "", "C3": ""}
    texts = {system: NewText(f"By {system}.") for system in ("s1", "s2", "s3")}
    cells = [(f"T{n}", system) for n in range(4) for system in texts]
    ratings = [
        NewRating(*cell, scale, who, float(drawn.randint(1, 5)))
        for cell in cells
        for who in people
        for scale in (("one", "two") if who.startswith("C") else ("one",))
    ]
    topics = [NewTopic(f"T{n}", summaries=texts) for n in range(4)]
    scales = {"one": (1.0, 5.0), "two": (1.0, 5.0)}
    study.import_data(
        ImportContent("x", topics=topics, annotators=people, dimensions=scales, ratings=ratings)
    )
    table = section(report_of(study), "agreement").tables[0]
    assert {row[0]: row[5] for row in table.rows} == {"Ratings of one": 2, "Ratings of two": 3}


def test_agreement_is_that_of_the_annotators_who_count(report):
    table = section(report, "agreement").tables[0]
    annotators = {row[0]: row[5] for row in table.rows}
    assert annotators["Ratings of coherence"] == 2  # the crowd is left out


def test_figures_are_drawn_for_light_and_dark_mode(report):
    main = section(report, "overview").illustrations
    assert main[0].title == "Measures and judgements"
    assert len(main) == 2
    figures = (*main, *section(report, "scatter").illustrations)
    assert len(figures) == 2 + 5  # scatter plots, and heatmaps of the main measures and of all
    for figure in figures:
        assert figure.light.startswith("<svg ")
        assert figure.draw_dark() != figure.light


def test_the_report_contains_a_hash_of_the_studys_contents(changeable_study, report):
    before = study_digest(changeable_study)  # another file of the same contents
    changeable_study.annotators.get_or_create("Somebody who only looks")
    assert study_digest(changeable_study) == before
    assert section(report, "versions").tables[0].rows[-1][1] == before
    topic = next(iter(changeable_study.texts.load()))
    dimension, rater = (
        changeable_study.ratings.dimensions()[0],
        changeable_study.annotators.get_or_create("expert-1"),
    )
    changeable_study.ratings.rate(topic.summaries[0].id, dimension.id, rater.id, 5.0).result()
    assert study_digest(changeable_study) != before


def test_csv_files_contain_every_table(report, tmp_path):
    written = write_csv(report, tmp_path / "tables")
    assert len(written) == sum(len(each.tables) for each in report.sections)
    means = next(path for path in written if path.name.endswith("system-means.csv"))
    assert "'=west," in means.read_text(encoding="utf-8")


def test_a_report_can_be_restricted(judged_study):
    options = replace(
        QUICK,
        judgements=("rating.coherence",),
        measures=("rouge-2.f",),
        levels=(Level.TOPIC,),
        made_at="1 May",
    )
    report = run_to_completion(build_report(judged_study, options))
    assert [each.anchor for each in report.sections if "correlation" in each.anchor] == ["correlation-topic"]
    assert len(section(report, "correlation-topic").tables[0].rows) == 1
    assert report.about == "1 measure vs 1 human judgement · 1 May"
    assert "--human rating.coherence --measure rouge-2.f" in " ".join(section(report, "repeat").code)


def test_pyramid_scores_of_a_report_can_be_restricted_to_some_references(judged_study):
    options = replace(QUICK, judgements=("pyramid.modified", "rating.coherence"), human_references=("A",))
    report = run_to_completion(build_report(judged_study, options))
    code = section(report, "repeat").code
    assert any("--human 'pyramid.modified[references:A]' --human rating.coherence" in line for line in code)
    assert code[-1].endswith("-o report.html --human-references A --draws 199")
    assert any("only references by A" in paragraph for paragraph in section(report, "policies").paragraphs)


def test_a_study_without_scores_or_judgements_has_a_report(tmp_path):
    from storage.study_file import new_study

    with new_study(tmp_path / "empty.pyramidion") as study:
        report = report_of(study)
    assert not {"overview", "signatures"} & {each.anchor for each in report.sections}
    assert section(report, "policies").paragraphs[:4] == (
        "The study has no texts yet. Import a data set.",
        "The study has no human judgements yet. Match or rate summaries, or import ratings.",
        "No summaries are scored yet. Score them, or import scores.",
        "This report therefore contains no correlations.",
    )
    assert to_html(report).startswith("<!DOCTYPE html>")


def test_missing_scores_are_reported_once(changeable_study):
    for config in changeable_study.scores.configs():
        changeable_study.scores.remove(config.signature).result()
    paragraph = section(report_of(changeable_study), "policies").paragraphs
    assert paragraph[:2] == (
        "No summaries are scored yet. Score them, or import scores.",
        "This report therefore contains no correlations.",
    )


def test_imported_scores_are_listed_by_file_without_a_command(changeable_study):
    topic = next(iter(changeable_study.texts.load()))
    scores = [NewScore(topic.name, text.name, "length", len(text.content)) for text in topic.summaries]
    changeable_study.import_data(ImportContent("50% | lengths.csv", scores=scores))
    repeated = section(report_of(changeable_study), "repeat")
    assert any("Imported from 50% | lengths.csv, so no" in each for each in repeated.paragraphs)
    assert not any("-m imported" in line or "-m length" in line for line in repeated.code)


def test_commands_quote_names_that_hold_commas(changeable_study):
    changeable_study.annotators.get_or_create("Smith, J.", "expert")
    options = replace(QUICK, judgements=("rating.coherence",), annotators=("expert-1", "Smith, J."))
    code = section(run_to_completion(build_report(changeable_study, options)), "repeat").code
    chosen = next(shlex.split(line) for line in code if "correlate" in line)
    given = [value for flag, value in pairwise(chosen) if flag == "--annotator"]
    assert given == ["expert-1", "Smith, J."]


def test_undefined_correlations_can_be_an_error(changeable_study):
    topic = next(iter(changeable_study.texts.load()))
    rater = changeable_study.annotators.get_or_create("expert-3", "expert")
    flat = changeable_study.ratings.add_dimension("fluency")
    for summary in topic.summaries:
        changeable_study.ratings.rate(summary.id, flat.id, rater.id, 3.0).result()
    options = replace(QUICK, judgements=("rating.fluency",), undefined=UndefinedPolicy.ERROR)
    with pytest.raises(InputError, match=r"rouge-1\.recall against rating\.fluency: .*undefined"):
        run_to_completion(build_report(changeable_study, options))
    skipped = run_to_completion(
        build_report(changeable_study, replace(QUICK, judgements=("rating.fluency",)))
    )
    assert "–" in to_html(skipped)


def test_an_unwritable_page_is_reported_and_leaves_no_file(report, tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        write_html(report, tmp_path / "missing" / "report.html")
    assert list((tmp_path).glob("*.part")) == []


def test_dark_mode_shows_one_version_of_each_figure(judged_study):
    """The rule that hides the dark version must precede the dark rules, which have the same specificity."""
    page = to_html(report_of(judged_study))
    assert page.index("figure .night { display: none; }") < page.index("prefers-color-scheme: dark")
    assert page.count("figure .night {") == 2


def test_the_best_measure_is_a_main_one_unless_measures_are_chosen(judged_study):
    human = ("rating.coherence",)
    best = section(report_of(judged_study, judgements=human), "overview").illustrations[1]
    assert best.title.split()[0].endswith((".f", ".score"))
    assert "Only the main measure of each metric (F, else score) is considered" in best.caption
    chosen = replace(QUICK, judgements=human, measures=("rouge-1.recall", "rouge-1.f"))
    best = section(run_to_completion(build_report(judged_study, chosen)), "overview").illustrations[1]
    assert "Only the main measure" not in best.caption


def test_only_ranked_measures_are_best_and_others_have_a_reason(changeable_study):
    judged = judgement_matrix(changeable_study, "rating.coherence")
    cells = [(s, t) for s in range(len(judged.systems)) for t in range(len(judged.topics))]
    there = [(s, t) for s, t in cells if judged.values[s, t] == judged.values[s, t]]
    scores = [
        NewScore(judged.topics[t], judged.systems[s], "copy.score", judged.values[s, t]) for s, t in there
    ]
    scores += [
        NewScore(judged.topics[t], judged.systems[s], "part.score", judged.values[s, t] ** 1.1)
        for s, t in there
        if t < 2
    ]
    changeable_study.import_data(ImportContent("theirs", scores=scores))
    made = run_to_completion(build_report(changeable_study, replace(QUICK, judgements=("rating.coherence",))))
    (table,) = (one for one in section(made, "correlation-system").tables)
    rows = {row[0]: row for row in table.rows}
    assert list(rows)[-1] == "copy.score"
    assert rows["copy.score"][-1] == "same annotations, not ranked"
    assert rows["part.score"][-1] == "2/4 topics, not ranked"
    heatmap, best = section(made, "overview").illustrations
    assert "computed from the same annotations: copy.score." in heatmap.caption
    assert best.title.split()[0] not in ("copy.score", "part.score")
    assert any(
        "incomplete: part.score (2/4 topics)." in text for text in section(made, "policies").paragraphs
    )


def test_the_main_table_ends_with_the_agreement_of_the_annotators(judged_study, report):
    """By hand: the mean over annotators of r of their system means with those of the others' mean."""
    table = next(one for one in section(report, "results").tables if one.title.startswith("System level"))
    keys = [column.key for column in table.columns]
    last = dict(zip(keys, table.rows[-1], strict=True))
    assert last["measure"] == ONE_ANNOTATOR == "one annotator"
    ratings = included_ratings(judged_study, "rating.coherence")
    automatic = load_comparison(judged_study, ["rating.coherence"]).judgements["rating.coherence"].systems
    rows = [place for place, system in enumerate(ratings.systems) if system in automatic]
    values, means = np.ma.masked_invalid(ratings.values[:, rows]), []
    for who in range(len(values)):
        mine, others = values[who], values[np.arange(len(values)) != who].mean(axis=0)
        either = np.ma.getmaskarray(mine) | np.ma.getmaskarray(others)
        sides = [np.ma.array(side, mask=either).mean(axis=1) for side in (mine, others)]
        there = ~(np.ma.getmaskarray(sides[0]) | np.ma.getmaskarray(sides[1]))
        means.append(np.corrcoef(sides[0].data[there], sides[1].data[there])[0, 1])
    human = next(key for key in keys if key.startswith("rating.coherence "))
    assert last[human] == pytest.approx(np.mean(means), abs=1e-9)
    assert last["rating.coherence cluster"] is None
    others = [last[key] for key in keys if key.startswith("pyramid.") and key.endswith(" pearson")]
    assert others
    assert set(others) == {None}, "a pyramid score has no such ceiling"
    assert f"{ONE_ANNOTATOR_NOTE}." in table.note
    assert f"{len(values)} annotators: others may agree more or less" in table.note
