"""The Overview and Texts pages with real widgets and a real study."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core.annotation.annotators import Team, save_team
from core.annotation.assignment import assign, set_role
from core.domain import pyramid
from core.domain.assignment import Role, Work
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import Annotator, TopicHeader
from core.ports import EditRecord, MetricConfig, ScoreBlock, language_of, set_language
from core.progress import run_to_completion
from core.scoring.experiment_scores import tag_scores
from gui.annotation.progress.progress_grid import count_done
from gui.pages.match.progress import survey
from gui.pages.overview import presenter as overview
from gui.pages.texts import presenter as texts
from gui.shell import progress_counts
from tests.scoring import score_all


@pytest.fixture
def overview_page(context, shown, qtbot):
    view, presenter = overview.build(context)
    with qtbot.waitSignal(presenter.counted):
        shown(view)
    return view, presenter


@pytest.fixture
def texts_page(context, shown):
    view, presenter = texts.build(context)
    context.commands.set_page(texts.KEY)
    return shown(view), presenter


def labels(widget) -> list[str]:
    from PySide6.QtWidgets import QLabel

    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


def test_nothing_is_claimed_before_the_study_is_counted(context, shown, qtbot):
    view, presenter = overview.build(context)
    with qtbot.waitSignal(presenter.counted):
        shown(view)
        assert not view.next_button.isVisible()
        assert "No scores yet." not in labels(view)
    assert view.next_button.text() == "Start annotating"
    assert view.next_button.isVisible()
    assert "No scores yet." in labels(view)


def annotate(context, is_done=True):
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    before = context.study.pyramids.annotation(topic.id, context.annotator.id)
    after = pyramid.add_scu(before, "Ban lifted", topic.references[0].id, [(0, 9)])
    after = pyramid.mark_pyramid_done(after, is_done)
    summary = topic.summaries[0].id
    after = pyramid.set_summary_state(after, summary, context.annotator.id, is_done=True)
    context.study.pyramids.commit(before, after, "new SCU", context.annotator.id).result()


def counted(study):
    """Count the study as Ann sees it."""
    return run_to_completion(overview.count_study(study, Annotator("0" * 32, "Ann")))


def save_scores(study) -> None:
    topic = study.texts.topics()[0]
    config = MetricConfig("rouge-n|n:1|version:1", "rouge-n", "Lexical", "rouge-n:n=1", ("rouge-1.f",))
    block = ScoreBlock(topic.id, ("bad", "good", "lead"), ("A", "B"), np.zeros((3, 1)), None, "hash", 0.1)
    study.scores.save(config, block).result()


class TestOverview:
    def test_texts_authors_and_systems_are_counted(self, overview_page) -> None:
        view, _ = overview_page
        visible = labels(view)
        for fact in ("Small", "4 by 2 authors", "6 by 3 systems"):
            assert fact in visible

    def test_the_next_step_is_offered(self, overview_page, qtbot, requests) -> None:
        view, _ = overview_page
        assert view.next_button.text() == "Start annotating"
        view.next_button.click()
        assert requests.pages == ["pyramids"]

    def test_counts_follow_changes(self, overview_page, context, qtbot) -> None:
        view, presenter = overview_page
        with qtbot.waitSignal(presenter.counted, check_params_cb=lambda c: c.shown(Work.PYRAMIDS).done == 1):
            annotate(context)
        qtbot.waitUntil(lambda: "1 of 2" in labels(view))
        latest = context.study.edits.history(limit=1)[0]
        name = context.study.texts.topics()[0].name
        qtbot.waitUntil(lambda: f"{name}: {latest.what}" in labels(view))

    def test_what_makes_scores_stale_is_named(self, overview_page, context, qtbot, requests) -> None:
        view, _ = overview_page
        score_all(context.study, "rouge-n:n=1")
        assert not view.stale_notice.isVisible()
        references = {"C": NewText("Judges lifted a ban.")}
        context.study.import_data(ImportContent("x", topics=[NewTopic("D1", references=references)]))
        qtbot.waitUntil(lambda: "Reference C of D1 was added on" in view.stale_notice.text_label.text())
        view.stale_notice.remedy_button.click()
        assert requests.pages == ["score"]

    def test_consecutive_similar_edits_share_a_row(self, context) -> None:
        topic = context.study.texts.topics()[0]
        counts = counted(context.study)

        def edit(verb: str, what: str, *, is_undone: bool = False) -> EditRecord:
            at = datetime(2026, 3, 4, 10, 42, tzinfo=UTC)
            return EditRecord("1", verb, "Ann", at, topic.id, 0.0, is_undone, what)

        latest = [
            edit("rate fluency", "Rated 5"),
            edit("rate coherence", "Rated 2"),
            edit("add unit", "Noted a unit"),
            edit("add unit", "Noted a unit"),
            edit("add unit", "Noted a unit", is_undone=True),
        ]
        descriptions = [edit.description for edit in overview.recent_edits(replace(counts, latest=latest))]
        expected = ["2 ratings", "2 × noted a unit", "Noted a unit (undone)"]
        assert descriptions == [f"{topic.name}: {each}" for each in expected]

    def test_ratings_are_counted_per_summary_not_per_system_and_topic(self, context) -> None:
        study = context.study
        one_more = NewTopic("D3", summaries={"lead": NewText("Rain fell.")})
        study.import_data(ImportContent("more", topics=(one_more,)))
        for name in ("coherence", "fluency"):
            study.ratings.add_dimension(name)
        topic, scales = study.texts.topic(study.texts.topics()[2].id), study.ratings.dimensions()
        for summary, rated in ((topic.summaries[0], scales), (topic.summaries[-1], scales[:1])):
            for scale in rated:
                study.ratings.rate(summary.id, scale.id, context.annotator.id, 4.0).result()
        steps = {s.page: s for s in overview.workflow_steps(counted(study))}
        assert (steps["ratings"].done, steps["ratings"].total) == (1, 7)

    def test_scores_are_listed_with_their_signature(self, overview_page, context, qtbot) -> None:
        view, presenter = overview_page
        with qtbot.waitSignal(presenter.counted, check_params_cb=lambda c: bool(c.configs)):
            save_scores(context.study)
        model = view.table.model()
        assert [model.index(0, column).data() for column in range(4)] == [
            "rouge-1", "f", "1", "rouge-n|n:1|version:1",
        ]  # fmt: skip

    def test_scores_are_of_topics_with_summaries_and_of_the_metrics_that_compare_lists(self, context) -> None:
        study = context.study
        bare = NewTopic("D3", references={"A": NewText("Rain fell.")})
        study.import_data(ImportContent("more", topics=(bare,)))
        score_all(study, "rouge-n:n=1")
        by_experiment = MetricConfig("js|version:1", "js", "Lexical", "js", ("js.score",))
        block = ScoreBlock(study.texts.topics()[0].id, ("lead",), (), np.zeros((1, 1)), None, "hash", 0.1)
        study.scores.save(by_experiment, block).result()
        tag_scores(study, "0" * 32, {one.signature for one in study.scores.configs()} - {"js|version:1"})
        counts = counted(study)
        assert [config.spec for config, _ in counts.configs] == ["rouge-n:n=1"]
        step = next(step for step in overview.workflow_steps(counts) if step.page == "score")
        assert (step.fact, step.done, step.total) == ("1 metric on 2 topics", 2, 2)

    def test_the_next_step_depends_on_progress(self, context) -> None:
        def step():
            return overview.offered_step(counted(context.study))

        assert step() == ("Start annotating", "pyramids")
        annotate(context)
        assert step() == ("Score the summaries", "score")
        save_scores(context.study)
        assert step() == ("Score the summaries", "score"), "one of two topics"
        score_all(context.study, "rouge-n:n=1")
        assert step() == ("Compare with judgements", "compare")

    def test_assigned_work_is_offered_to_its_annotator_alone(self, context) -> None:
        study = context.study
        assign(study, Work.MATCHES, {study.texts.topics()[0].name: ("Ann",)}, None).result()
        set_role(study, "Mia", Role.MANAGER, None).result()
        assert overview.offered_step(counted(study)) == ("Start annotating", "matches")
        mia = Annotator("1" * 32, "Mia")
        counts = run_to_completion(overview.count_study(study, mia))
        assert overview.offered_step(counts) == ("Score the summaries", "score")

    def test_summaries_without_references_are_rated_or_scored(self, tmp_path) -> None:
        from storage.study_file import new_study

        with new_study(tmp_path / "bare.pyramidion") as study:
            topic = NewTopic("D1", summaries={"lead": NewText("One.")})
            study.import_data(ImportContent("made", topics=[topic]))
            assert overview.offered_step(counted(study)) == ("Score the summaries", "score")
            study.ratings.add_dimension("coherence")
            assert overview.offered_step(counted(study)) == ("Start annotating", "ratings")

    def test_what_an_import_left_out_is_listed_below_what_came(self, overview_page) -> None:
        view, _ = overview_page
        view.show_import("Imported 2 topics.", ["Line 3: no topic.", "Line 4: no topic."])
        notice = view.import_notice
        assert notice.text_label.text() == "Imported 2 topics.\nLine 3: no topic.\nLine 4: no topic."
        notice.close_button.click()
        assert not notice.isVisible()

    def test_an_empty_study_offers_the_import(self, tmp_path) -> None:
        from storage.study_file import new_study

        with new_study(tmp_path / "empty.pyramidion") as study:
            assert overview.offered_step(counted(study)) == ("Import texts…", "")

    def test_tallies_count_only_the_annotators_own_work(self, context) -> None:
        annotate(context)
        other = context.study.annotators.get_or_create("Ben")
        assert run_to_completion(progress_counts.count_progress(context.study, context.annotator)) == {
            "pyramids": "1/2",
            "matches": "1/6",
            "nuggets": "",
            "hits": "",
            "ratings": "",
            "comparisons": "",
        }
        unused = {"nuggets": "", "hits": "", "ratings": "", "comparisons": ""}
        assert run_to_completion(progress_counts.count_progress(context.study, other)) == {
            "pyramids": "",
            "matches": "",
            **unused,
        }, "Ben looks, but is no annotator"
        save_team(context.study, Team(added=frozenset({"Ben"})), None).result()
        assert run_to_completion(progress_counts.count_progress(context.study, other)) == {
            "pyramids": "0/2",
            "matches": "0/6",
            **unused,
        }

    def test_matches_of_the_second_annotator_have_one_number_everywhere(self, context) -> None:
        study, ann = context.study, context.annotator
        ben = study.annotators.get_or_create("Ben")
        topic = study.texts.topic(study.texts.topics()[0].id)
        before = study.pyramids.annotation(topic.id, ann.id)
        after = pyramid.add_scu(before, "ban", topic.references[0].id, [(0, 9)])
        for person, summaries in ((ben, topic.summaries[:1]), (ann, topic.summaries[:2])):
            for summary in summaries:
                after = pyramid.set_summary_state(after, summary.id, person.id, is_done=True)
        study.pyramids.commit(before, after, "annotate", ann.id).result()
        assert run_to_completion(progress_counts.count_progress(study, ben))["matches"] == "1/6"
        counts = run_to_completion(overview.count_study(study, ben))
        matches = next(step for step in overview.workflow_steps(counts) if step.page == "matches")
        assert (matches.done, matches.total) == (1, 6)
        assert "by all annotators 2 of 6" in matches.fact
        assert count_done(run_to_completion(survey(study, ben)).rows) == (1, 6)


class TestTexts:
    def test_the_title_column_is_hidden_if_no_topic_has_a_title(self, texts_page, context) -> None:
        view, _ = texts_page
        assert not view.topic_table.isColumnHidden(1)
        view.show_topics([TopicHeader("1", "cnn-test-404f859482d47c127868964a9a39d1a7645dd2e9", "")])
        assert view.topic_table.isColumnHidden(1)

    def test_the_first_topic_is_shown_with_its_first_document(self, texts_page, context) -> None:
        view, _ = texts_page
        assert view.place.name_label.text() == "D1"
        assert context.selection.topic_id == context.study.texts.topics()[0].id
        assert view.reading.toPlainText().startswith("The court met on Monday.\n\nIt rejected")

    def test_the_next_button_selects_the_next_topic(self, texts_page, context) -> None:
        view, _ = texts_page
        view.place.next_button.click()
        assert context.selection.topic_id == context.study.texts.topics()[1].id
        assert view.place.position_label.text() == "2 / 2"
        assert not view.place.next_button.isEnabled()

    def test_a_summary_selected_elsewhere_is_opened(self, texts_page, context) -> None:
        view, _ = texts_page
        topic = context.study.texts.topic(context.study.texts.topics()[1].id)
        summary = next(text for text in topic.summaries if text.name == "good")
        context.selection.select(topic_id=topic.id, summary_id=summary.id, system="good")
        assert view.kind.current == "summaries"
        assert view.reading.toPlainText() == summary.content

    def test_a_summary_opened_here_becomes_the_selection(self, texts_page, context) -> None:
        view, _ = texts_page
        topic = context.study.texts.topic(context.selection.topic_id)
        view.kind.choose("summaries")
        view.kind.chosen.emit("summaries")
        row = [line.text.name for line in view.text_table.rows.rows()].index("lead")
        view.text_table.setCurrentIndex(
            view.text_table.sorted.mapFromSource(view.text_table.rows.index(row, 0))
        )
        lead = next(text for text in topic.summaries if text.name == "lead")
        assert (context.selection.summary_id, context.selection.system) == (lead.id, "lead")

    def test_an_empty_text_is_marked_as_empty(self, texts_page, context, qtbot) -> None:
        view, _ = texts_page
        context.study.import_data(
            ImportContent("more", topics=(NewTopic("D1", summaries={"silent": NewText("")}),))
        )
        topic = context.study.texts.topic(context.selection.topic_id)
        silent = next(text for text in topic.summaries if text.name == "silent")
        qtbot.waitUntil(lambda: view.kind.button("summaries").text() == "Summaries 4")
        context.selection.select(topic_id=topic.id, summary_id=silent.id, system="silent")
        assert view.reading.placeholderText() == "This text is empty."
        row = [line.text.name for line in view.text_table.rows.rows()].index("silent")
        assert view.text_table.rows.index(row, 1).data() == "empty"

    def test_characters_outside_the_basic_plane_are_shown(self, texts_page, context) -> None:
        view, _ = texts_page
        reference = context.study.texts.topic(context.selection.topic_id).references[1]
        view.show_text("references", reference.id)
        assert view.reading.toPlainText() == reference.content
        assert "🌉" in reference.content

    def test_searching_filters_the_topics(self, texts_page, qtbot) -> None:
        view, _ = texts_page
        qtbot.keyClicks(view.find_field, "storm")
        assert view.topic_table.sorted.rowCount() == 1

    def test_imported_texts_appear(self, texts_page, context, qtbot) -> None:
        view, _ = texts_page
        context.study.import_data(
            ImportContent("more", topics=[NewTopic("D3", documents={"d": NewText("New.")})])
        )
        qtbot.waitUntil(lambda: view.topic_table.rows.rowCount() == 3)

    def test_a_study_without_texts_offers_the_import(self, tmp_path, context, shown) -> None:
        from gui.session.edits import ChangeFeed
        from storage.study_file import new_study

        with new_study(tmp_path / "empty.pyramidion") as study:
            changes = ChangeFeed(study)
            view, presenter = texts.build(replace(context, study=study, changes=changes))
            shown(view)
            assert "There are no texts yet. Import a data set to begin." in labels(view)
            assert presenter is not None
            changes.close()


def test_the_language_of_the_texts_is_shown_and_changed_on_the_overview(overview_page, context, qtbot):
    view, _ = overview_page
    assert view.language_box.currentText() == "English"
    view.language_box.setCurrentIndex(view.language_box.findText("Japanese"))
    view.language_box.activated.emit(view.language_box.currentIndex())
    qtbot.waitUntil(lambda: language_of(context.study) == "ja")
    set_language(context.study, "zh").result()
    qtbot.waitUntil(lambda: view.language_box.currentText() == "Chinese")


def test_the_language_of_topics_is_shown_where_it_differs_and_changed(context, texts_page, qtbot):
    view, presenter = texts_page
    assert view.topic_table.isColumnHidden(3)
    view.topic_table.selectRow(1)
    context.commands.action("topic.language").trigger()
    field = presenter.language_dialog.field
    assert field.currentText() == "That of the study: English (en)"
    field.setCurrentIndex(field.findText("German"))
    presenter.language_dialog.accept_button.click()
    qtbot.waitUntil(lambda: not view.topic_table.isColumnHidden(3))
    column = [view.topic_table.rows.index(row, 3).data() for row in range(view.topic_table.rows.rowCount())]
    assert column == ["", "German"]
    first, second = (context.study.texts.topic(topic.id) for topic in context.study.texts.topics())
    assert (first.summaries[0].language, second.documents[0].language) == ("en", "de")


class TestSetsOfTopics:
    def sets(self, study):
        return [topic.set for topic in study.texts.topics()]

    def change(self, context, view, presenter, qtbot, name):
        with qtbot.waitSignal(context.writes.saved):
            context.commands.action("topic.set").trigger()
            presenter.set_dialog.field.setEditText("other")
            presenter.set_dialog.field.setEditText(name)
            presenter.set_dialog.accept_button.click()

    def test_the_selected_topics_are_moved_and_it_can_be_undone(self, context, texts_page, qtbot):
        view, presenter = texts_page
        assert self.sets(context.study) == ["initial", "update"]
        view.topic_table.selectAll()
        self.change(context, view, presenter, qtbot, "late")
        assert self.sets(context.study) == ["late", "late"]
        qtbot.waitUntil(lambda: [topic.set for topic in view.topic_table.rows.rows()] == ["late", "late"])
        assert not view.topic_table.isColumnHidden(2)
        assert context.study.edits.history()[0].what == "Moved 2 topics to set “late”"
        context.study.edits.undo(context.annotator.id).result()
        assert self.sets(context.study) == ["initial", "update"]

    def test_known_sets_are_offered_and_an_invalid_name_is_refused(self, context, texts_page):
        view, presenter = texts_page
        view.topic_table.selectRow(0)
        context.commands.action("topic.set").trigger()
        dialog = presenter.set_dialog
        assert dialog.windowTitle() == "Set of topic D1"
        assert dialog.name == "initial"
        assert [dialog.field.itemText(at) for at in range(dialog.field.count())] == ["", "initial", "update"]
        dialog.field.setEditText("up\ndate\x00")
        assert not dialog.accept_button.isEnabled()
        assert "cannot have this name" in dialog.notice.text_label.text()
        dialog.reject()

    def test_topics_of_different_sets_stay_there_unless_one_is_chosen(self, context, texts_page):
        view, presenter = texts_page
        view.topic_table.selectAll()
        context.commands.action("topic.set").trigger()
        dialog = presenter.set_dialog
        assert dialog.field.lineEdit().placeholderText() == "Different sets: initial, update"
        assert not dialog.accept_button.isEnabled()
        dialog.field.setCurrentIndex(1)
        assert dialog.accept_button.isEnabled()
        dialog.reject()

    def test_a_study_without_sets_has_no_column_of_them(self, context, texts_page, qtbot):
        view, presenter = texts_page
        view.topic_table.selectAll()
        assert not view.topic_table.isColumnHidden(2)
        self.change(context, view, presenter, qtbot, "")
        qtbot.waitUntil(lambda: view.topic_table.isColumnHidden(2))
