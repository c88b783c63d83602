"""DUCView's files on their way into a study: texts, pyramids, matches, and what is odd in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from core.domain import pyramid
from core.domain.import_batch import ImportContent, ImportCounts, NewText, NewTopic
from core.domain.pyramid import TopicAnnotation
from core.domain.study import SystemKind, TopicTexts
from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.import_registry import Preview
from storage.study_file import StudyFile
from tests.storage.conftest import dump
from tests.storage.formats.ducview.conftest import ANNOTATION, PYRAMID, SCORE, pan, pyr, without_regex


def put(folder: Path, **files: bytes) -> Path:
    """A folder of files; two lines in a name stand for a point."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_bytes(content)
    return folder


def bring(study: StudyFile, path: Path, **options: str) -> ImportCounts:
    return run_to_completion(
        import_registry.import_steps(study, import_registry.import_request(path, "ducview", options))
    )


def preview(study: StudyFile, path: Path, **options: str) -> Preview:
    return run_to_completion(
        import_registry.preview_steps(study, import_registry.import_request(path, "ducview", options))
    )


def problems(study: StudyFile, path: Path, **options: str) -> list[str]:
    """Every problem of an import, which writes nothing."""
    before = dump(study.path)
    with pytest.raises(BadImport) as caught:
        bring(study, path, **options)
    assert dump(study.path) == before
    return [str(problem) for problem in caught.value.problems]


def topic_of(study: StudyFile, name: str = "D7") -> TopicTexts:
    return study.texts.topic(next(head.id for head in study.texts.topics() if head.name == name))


def annotation_of(study: StudyFile, annotator: str = "ducview", topic: str = "D7") -> TopicAnnotation:
    person = next(person for person in study.annotators.all() if person.name == annotator)
    return study.pyramids.annotation(topic_of(study, topic).id, person.id)


def spans(study: StudyFile, annotator: str = "ducview") -> list[list[tuple[str, list[str]]]]:
    """Author and words of each contributor of each SCU."""
    texts = {text.id: text for text in topic_of(study).references}
    return [
        [
            (texts[c.reference_id].name, [texts[c.reference_id].content[slice(*p.span)] for p in c.parts])
            for c in scu.contributors
        ]
        for scu in annotation_of(study, annotator).pyramid.scus
    ]


WORDS = [[("A", ["The ban", "fell"]), ("B", ["the ban\nfell"])], [("B", ["Cafe\u0301s reopened", "Monday"])]]


def test_a_pyramid_imports_its_references_and_scus(empty_study: StudyFile, tmp_path: Path) -> None:
    counts = bring(empty_study, put(tmp_path / "d", D7__pyr=pyr()))
    assert counts.added == {"annotators": 1, "topics": 1, "references": 2, "pyramids": 1, "SCUs": 2}
    assert [text.content for text in topic_of(empty_study).references] == [
        'The ban & the "bridge" fell.',
        "On Monday the ban\nfell. Cafe\u0301s reopened.",
    ]
    found = annotation_of(empty_study).pyramid
    assert spans(empty_study) == WORDS
    assert [(scu.label, scu.weight, scu.comment) for scu in found.scus] == [
        ("The ban fell", 2, ""),
        ("Cafés reopened", 1, "late"),
    ]
    assert found.scus[0].contributors[1].comment == "over two lines"


def test_an_annotation_imports_its_summary_with_repeats_and_what_is_outside(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    bring(empty_study, put(tmp_path / "d", D7__4__pan=pan()))
    (summary,) = topic_of(empty_study).summaries
    assert (summary.name, summary.content) == ("4", "The ban fell.\nIt fell again. Rain came.")
    found = annotation_of(empty_study)
    ban = found.pyramid.scus[0].id
    matches = [
        (m.scu_id, [summary.content[slice(*p.span)] for p in m.parts], m.comment) for m in found.matches
    ]
    assert matches == [(ban, ["The ban fell"], ""), (ban, ["It fell"], "again"), (None, ["Rain came"], "")]
    assert [state.is_done for state in found.states] == [True], "an annotation without a match counts too"


def test_a_pyramid_over_some_of_the_studys_references_is_split_by_them(
    bridge_study: StudyFile, tmp_path: Path
) -> None:
    """As where one is held back; a pyramid that has more than the study is asked about."""
    more = NewTopic("D7", references={"Zoe": NewText("It rained.")})
    bridge_study.import_data(ImportContent("more", topics=[more]))
    folder = put(tmp_path / "d", D7__pyr=pyr(without_regex()))
    assert bring(bridge_study, folder).added["SCUs"] == 2
    other = PYRAMID.replace("On Monday the ban", "On Tuesday a ban")
    (found,) = problems(bridge_study, put(tmp_path / "e", D7__pyr=pyr(without_regex(other))))
    assert "“proposed” (lines" in found


def test_the_same_files_again_change_nothing(empty_study: StudyFile, tmp_path: Path) -> None:
    folder = put(tmp_path / "d", D7__pyr=pyr(), D7__4__pan=pan(), D7__5__pan=pan())
    bring(empty_study, folder)
    empty_study.flush()
    before = dump(empty_study.path)
    again = bring(empty_study, folder)
    assert (again.added, again.different) == ({}, ())
    assert again.equal["matches"] == 6
    assert dump(empty_study.path) == before


def test_a_pyramid_without_scus_comes_once(empty_study: StudyFile, tmp_path: Path) -> None:
    bare = PYRAMID[: PYRAMID.index(' <scu uid="12"')] + "</pyramid>"
    folder = put(tmp_path / "d", D7__pyr=pyr(bare))
    assert bring(empty_study, folder).added["pyramids"] == 1
    assert bring(empty_study, folder).added == {}


def test_an_import_is_one_line_of_the_history(empty_study: StudyFile, tmp_path: Path) -> None:
    before = len(empty_study.edits.history())
    bring(empty_study, put(tmp_path / "d", D7__pyr=pyr(), D7__4__pan=pan(), D8__4__pan=pan()))
    assert empty_study.edits.history()[0].verb == "import"
    assert len(empty_study.edits.history()) == before + 1


def test_a_preview_states_what_each_file_is_and_writes_nothing(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    before = dump(empty_study.path)
    seen = preview(empty_study, put(tmp_path / "d", D7__pyr=pyr(), D7__4__pan=pan()))
    assert seen.incoming is not None
    heads = [(f.file, f.holds, f.topic, list(f.authors), f.system, f.units) for f in seen.incoming.files]
    assert heads == [
        ("D7.pyr", "pyramid", "D7", ["A", "B"], "", 2),
        ("D7.4.pan", "matches", "D7", ["A", "B"], "4", 3),
    ]
    assert dump(empty_study.path) == before


def test_an_edit_after_the_import_can_be_undone_alone(empty_study: StudyFile, tmp_path: Path) -> None:
    bring(empty_study, put(tmp_path / "d", D7__pyr=pyr()))
    before = annotation_of(empty_study)
    owner = before.pyramid.annotator_id
    after = pyramid.set_label(before, before.pyramid.scus[0].id, "Fallen")
    empty_study.pyramids.commit(before, after, "label", owner).result()
    empty_study.edits.undo(owner).result()
    assert annotation_of(empty_study) == before
    with pytest.raises(InputError, match="Nothing to undo"):
        empty_study.edits.undo(owner).result()


@pytest.mark.parametrize("content", [pyr(), pyr(without_regex())])
def test_texts_equal_up_to_white_space_are_the_studys(
    bridge_study: StudyFile, tmp_path: Path, content: bytes
) -> None:
    """With an expression or without: the study's texts stay, and each span holds its words there."""
    counts = bring(bridge_study, put(tmp_path / "d", D7__pyr=content))
    assert (counts.equal["references"], counts.added.get("references"), counts.different) == (2, None, ())
    assert spans(bridge_study) == [
        [("Ann", ["The ban", "fell"]), ("Ben", ["the ban fell"])],
        [("Ben", ["Cafe\u0301s reopened", "Monday"])],
    ]


def test_a_reference_in_other_words_is_listed_and_forbids_the_import(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    texts = {"A": NewText('The ban & the "bridge" stood.'), "B": NewText("On Monday the ban fell.")}
    empty_study.import_data(ImportContent("x", topics=[NewTopic("D7", references=texts)]))
    found = problems(empty_study, put(tmp_path / "d", D7__pyr=pyr()))
    assert len(found) == 2, "each of them is reported"
    assert "reference A" in found[0]
    assert "stood" in found[0]
    assert "the study has nothing more" in found[1]


def test_a_summary_in_other_words_is_listed_and_forbids_the_import(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    topic = NewTopic("D7", summaries={"4": NewText("The ban stood.")})
    empty_study.import_data(ImportContent("x", topics=[topic]))
    (found,) = problems(empty_study, put(tmp_path / "d", D7__4__pan=pan()))
    assert found.startswith("D7.4.pan, annotation, text, text: The summary differs from the study's")


def test_without_an_expression_and_texts_the_user_is_asked_with_a_proposal(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    (found,) = problems(empty_study, put(tmp_path / "d", D7__pyr=pyr(without_regex())))
    assert "“proposed” (lines 4, 8)" in found


@pytest.mark.parametrize("split", ["proposed", "4, 8", r"-+\n D7.*\n-+\n"])
def test_the_user_states_where_references_begin(empty_study: StudyFile, tmp_path: Path, split: str) -> None:
    counts = bring(empty_study, put(tmp_path / "d", D7__pyr=pyr(without_regex())), split=split)
    assert counts.added["references"] == 2
    assert [[c[1] for c in scu] for scu in spans(empty_study)] == [[c[1] for c in scu] for scu in WORDS]


@pytest.mark.parametrize(
    ("split", "sentence"),
    [("99", "The text has only the lines 1 to 9"), ("(", "not valid"), ("xyz", "matches nothing")],
)
def test_a_split_that_finds_nothing_is_reported(
    empty_study: StudyFile, tmp_path: Path, split: str, sentence: str
) -> None:
    folder = put(tmp_path / "d", D7__pyr=pyr(without_regex()))
    assert any(sentence in found for found in problems(empty_study, folder, split=split))


def test_an_expression_that_would_search_for_ever_is_given_up(
    empty_study: StudyFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.formats.ducview.expressions.SECONDS", 0.05)
    content = PYRAMID.replace(r"[-]+\n D[0-9]+\.M\.[A-Z]\n[-]+\n", r"(x+x+)+y").replace("On Monday", "x" * 60)
    (found,) = problems(empty_study, put(tmp_path / "d", D7__pyr=pyr(content)))
    assert "show where each reference begins" in found


OFF = PYRAMID.replace('start="20" end="27"', 'start="21" end="28"')


def test_a_span_that_is_off_by_one_comes_in_with_a_repair_proposed(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    counts = bring(empty_study, put(tmp_path / "d", D7__pyr=pyr(OFF)))
    (notice,) = counts.notices
    assert notice.place.endswith("SCU 12, contributor[1], part[1]")
    assert "21 to 28 contains “he ban ”, not “The ban”" in notice.what
    assert "20 to 27" in notice.remedy
    assert spans(empty_study)[0][0] == ("A", ["he ban ", "fell"]), (
        "as it is, for nothing is mended in silence"
    )


def test_a_repair_that_is_requested_moves_the_span(empty_study: StudyFile, tmp_path: Path) -> None:
    counts = bring(empty_study, put(tmp_path / "d", D7__pyr=pyr(OFF)), repair="yes")
    assert "imported as 20 to 27" in counts.notices[0].remedy
    assert spans(empty_study) == WORDS


def test_a_span_outside_the_text_goes_to_its_words_or_is_a_problem(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    outside = PYRAMID.replace('start="93" end="108"', 'start="930" end="1080"')
    nowhere = outside.replace('part label="Cafés reopened"', 'part label="Tea"')
    (found,) = problems(empty_study, put(tmp_path / "d", D7__pyr=pyr(nowhere)))
    assert "930 to 1080 is outside the text" in found
    there = outside.replace('part label="Cafés reopened"', 'part label="Cafe&#769;s reopened"')
    counts = bring(empty_study, put(tmp_path / "d", D7__pyr=pyr(there)))
    assert "is outside the text" in counts.notices[0].what
    assert spans(empty_study) == WORDS


def test_contributors_that_cross_a_reference_are_a_problem(empty_study: StudyFile, tmp_path: Path) -> None:
    crossing = PYRAMID.replace('label="Monday" start="72" end="78"', 'label="ban" start="24" end="27"')
    (found,) = problems(empty_study, put(tmp_path / "d", D7__pyr=pyr(crossing)))
    assert "SCU 3, contributor[1], part: Its parts are in B and A" in found
    heading = PYRAMID.replace('label="Monday" start="72" end="78"', 'label="D7" start="7" end="9"')
    alone = heading.replace('<part label="Cafés reopened" start="93" end="108"/>', "")
    (found,) = problems(empty_study, put(tmp_path / "e", D7__pyr=pyr(alone)))
    assert "outside the references" in found


def test_offsets_that_count_as_java_does_are_counted_again(empty_study: StudyFile, tmp_path: Path) -> None:
    """DUCView is written in Java, where a sign outside the basic plane counts twice."""
    text = ["--", "A", "--", "🌉 fell 👩\u200d🚀 at once"]
    lines = "".join(f"<line>{line}</line>" for line in text)
    start = len("\n".join(text[:3])) + 1 + len("🌉 fell 👩\u200d🚀 ".encode("utf-16-le")) // 2
    part = f'<part label="at once" start="{start}" end="{start + 7}"/>'
    scu = f'<scu uid="1" label="x"><contributor label="at once">{part}</contributor></scu>'
    regex = r"<startDocumentRegEx><![CDATA[--\nA\n--\n]]></startDocumentRegEx>"
    content = pyr(f"<pyramid>{regex}<text>{lines}</text>{scu}</pyramid>")
    counts = bring(empty_study, put(tmp_path / "d", D7__pyr=content))
    assert "converted to count" in counts.notices[0].remedy
    assert spans(empty_study) == [[("A", ["at once"])]]


def test_an_scu_whose_two_contributors_are_of_one_reference_weighs_one(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    twice = PYRAMID.replace(
        '<part label="the banfell" start="79" end="91"/>', '<part label="fell" start="43" end="47"/>'
    )
    bring(empty_study, put(tmp_path / "d", D7__pyr=pyr(twice)))
    scu = annotation_of(empty_study).pyramid.scus[0]
    assert (len(scu.contributors), scu.weight) == (2, 1)


def test_a_pyramid_that_differs_from_the_pyr_gives_way_and_matches_go_by_uid(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    older = PYRAMID.replace('label="Cafés reopened" comment="late"', 'label="Coffee"')
    counts = bring(empty_study, put(tmp_path / "d", D7__pyr=pyr(), D7__4__pan=pan(older)))
    assert [str(notice).split(" The other")[0] for notice in counts.notices] == [
        "D7.4.pan, pyramid: The pyramid in it differs from that in D7.pyr."
    ]
    assert [scu.label for scu in annotation_of(empty_study).pyramid.scus] == [
        "The ban fell",
        "Cafés reopened",
    ]
    renamed = pan(PYRAMID.replace('uid="12"', 'uid="13"'), ANNOTATION.replace('uid="12"', 'uid="13"'))
    (found,) = problems(empty_study, put(tmp_path / "e", D7__pyr=pyr(), D7__5__pan=renamed))
    assert "The pyramid used for this topic has no SCU with this uid" in found


def test_a_pyramid_that_was_changed_in_the_study_stays_and_is_reported(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    folder = put(tmp_path / "d", D7__pyr=pyr())
    bring(empty_study, folder)
    before = annotation_of(empty_study)
    after = pyramid.set_label(before, before.pyramid.scus[1].id, "Tea rooms reopened")
    empty_study.pyramids.commit(before, after, "label", before.pyramid.annotator_id).result()
    counts = bring(empty_study, put(folder, D7__4__pan=pan()))
    (message,) = counts.different
    assert message.startswith(
        "The pyramid of topic D7 by ducview differs from the study's, which stays as it is"
    )
    assert "first at “Cafés reopened”" in message
    assert counts.added["matches"] == 3, "its SCUs are known by the uids that they came with"
    assert annotation_of(empty_study).pyramid.scus == after.pyramid.scus


def test_a_pyramid_that_somebody_else_has_already_is_reported(empty_study: StudyFile, tmp_path: Path) -> None:
    folder = put(tmp_path / "d", D7__pyr=pyr())
    bring(empty_study, folder, annotator="KO")
    (notice,) = bring(empty_study, folder).notices
    assert str(notice) == (
        "d, topic D7: KO has an identical pyramid in the study; it is imported again by ducview. "
        "Give KO as the annotator if it is the same."
    )


def test_a_summary_that_was_begun_is_done_with_its_import(empty_study: StudyFile, tmp_path: Path) -> None:
    bring(empty_study, put(tmp_path / "d", D7__4__pan=pan()))
    before = annotation_of(empty_study)
    me, (summary,) = before.pyramid.annotator_id, topic_of(empty_study).summaries
    after = before
    for match in before.matches:
        after = pyramid.remove_match(after, match.id)
    after = pyramid.set_summary_state(after, summary.id, me, is_done=False, note="later")
    empty_study.pyramids.commit(before, after, "undo all", me).result()
    assert bring(empty_study, tmp_path / "d").added["matches"] == 3
    (state,) = annotation_of(empty_study).states
    assert (state.is_done, state.note) == (True, "later")


def test_matches_that_were_changed_in_the_study_stay_and_are_reported(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    folder = put(tmp_path / "d", D7__4__pan=pan())
    bring(empty_study, folder)
    before = annotation_of(empty_study)
    after = pyramid.remove_match(before, before.matches[0].id)
    empty_study.pyramids.commit(before, after, "remove", before.pyramid.annotator_id).result()
    (message,) = bring(empty_study, folder).different
    assert message.startswith("What ducview matched in the summary of 4 of topic D7 differs")
    assert annotation_of(empty_study) == after


def test_scores_that_the_file_has_otherwise_are_reported(empty_study: StudyFile, tmp_path: Path) -> None:
    other = SCORE.replace("<coverageScore>0.6667", "<coverageScore>1")
    counts = bring(empty_study, put(tmp_path / "d", D7__4__pan=pan(score=other)))
    (notice,) = counts.notices
    assert (notice.place, notice.field) == ("score", "coverageScore")
    assert "The file states 1; the official scoring, used here, gives 0.6667" in notice.what


def test_a_uid_that_is_no_number_is_kept_and_reported(empty_study: StudyFile, tmp_path: Path) -> None:
    content = pyr(PYRAMID.replace('uid="3"', 'uid="iii"'))
    (notice,) = bring(empty_study, put(tmp_path / "d", D7__pyr=content)).notices
    assert "'iii' is not a number" in notice.what


NAMES: Mapping[str, tuple[str, tuple[str, str, str]]] = {
    "D7.4.pan": ("", ("D7", "4", "ducview")),
    "D7_4.pan": ("", ("D7", "4", "ducview")),
    "D7/4.pan": ("", ("D7", "4", "ducview")),
    "D7.M.250.4.pan": ("", ("D7.M.250", "4", "ducview")),
    "4-on-D7-by-KO.PAN": ("{system}-on-{topic}-by-{annotator}.pan", ("D7", "4", "KO")),
    "run/x/D7.4.pan": ("{system}/*/{topic}.*.pan", ("D7", "run", "ducview")),
    "D7.4.KO.pan": ("{topic}.pyr; {topic}.{system}.{annotator}", ("D7", "4", "KO")),
}


@pytest.mark.parametrize("file", NAMES)
def test_a_files_name_shows_topic_system_and_annotator(
    empty_study: StudyFile, tmp_path: Path, file: str
) -> None:
    pattern, (topic, system, annotator) = NAMES[file]
    path = tmp_path / "d" / file
    path.parent.mkdir(parents=True)
    path.write_bytes(pan())
    seen = preview(empty_study, tmp_path / "d", pattern=pattern)
    assert seen.problems == ()
    assert seen.incoming is not None
    (head,) = seen.incoming.files
    assert (head.topic, head.system, head.annotator) == (topic, system, annotator)


def test_the_pattern_that_names_known_topics_is_tried_first(empty_study: StudyFile, tmp_path: Path) -> None:
    empty_study.import_data(ImportContent("x", topics=[NewTopic("D7-B")]))
    seen = preview(empty_study, put(tmp_path / "d", **{"D7-B_x__1__pan": pan()}))
    assert seen.incoming is not None
    assert [(head.topic, head.system) for head in seen.incoming.files] == [("D7-B", "x.1")]


def test_a_pattern_for_annotations_leaves_pyramids_their_usual_names(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    folder = put(tmp_path / "d", D7__pyr=pyr(), **{"4-of-D7__pan": pan()})
    assert bring(empty_study, folder, pattern="{system}-of-{topic}.pan").added["topics"] == 1


def test_two_annotators_match_by_one_pyramid(empty_study: StudyFile, tmp_path: Path) -> None:
    folder = put(tmp_path / "d", D7__pyr=pyr(), D7__4__KO__pan=pan(), D7__4__RP__pan=pan())
    bring(empty_study, folder, pattern="{topic}.pyr;{topic}.{system}.{annotator}.pan")
    found = annotation_of(empty_study)
    people = {person.id: person.name for person in empty_study.annotators.all()}
    assert sorted({people[match.annotator_id] for match in found.matches}) == ["KO", "RP"]


def test_two_annotators_with_equal_pyramids_match_each_by_their_own(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    files = {"D7__KO__pyr": pyr(), "D7__RP__pyr": pyr(), "D7__4__KO__pan": pan(), "D7__4__RP__pan": pan()}
    pattern = "{topic}.{annotator}.pyr;{topic}.{system}.{annotator}.pan"
    bring(empty_study, put(tmp_path / "d", **files), pattern=pattern)
    for annotator in ("KO", "RP"):
        found = annotation_of(empty_study, annotator)
        assert {match.annotator_id for match in found.matches} == {found.pyramid.annotator_id}


def test_an_author_in_a_name_is_a_person_who_wrote_the_summary(
    empty_study: StudyFile, tmp_path: Path
) -> None:
    bring(empty_study, put(tmp_path / "d", D7__E__pan=pan()), pattern="{topic}.{author}.pan")
    assert [(s.name, s.kind) for s in empty_study.texts.systems()] == [("E", SystemKind.HUMAN)]


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("{system}.pan", "contains no topic"),
        ("{topic}.{peer}.pan", "{peer} is not a field"),
        ("{topic}.pan", "contains no system"),
        ("{topic}+{system}.pan", "matches no pattern"),
    ],
)
def test_patterns_that_tell_too_little_are_refused(
    empty_study: StudyFile, tmp_path: Path, pattern: str, sentence: str
) -> None:
    with pytest.raises(InputError) as caught:
        bring(empty_study, put(tmp_path / "d", D7__4__pan=pan()), pattern=pattern)
    assert sentence in str(caught.value)


def test_two_files_on_one_summary_are_a_problem(empty_study: StudyFile, tmp_path: Path) -> None:
    folder = put(tmp_path / "d", D7__4__pan=pan(), D7_4__pan=pan())
    (found,) = problems(empty_study, folder, pattern="{topic}.{system}.pan;{topic}_{system}.pan")
    assert "Another file already contains the matches of ducview in the summary of 4" in found


def test_every_file_is_read_and_every_problem_reported(empty_study: StudyFile, tmp_path: Path) -> None:
    folder = put(tmp_path / "d", D7__pyr=b"<pyramid>", D8__4__pan=pan(annotation=""), D9__4__pan=pan())
    assert {found.split(",")[0] for found in problems(empty_study, folder)} == {"D7.pyr", "D8.4.pan"}


def test_a_folder_of_such_files_is_recognised(tmp_path: Path) -> None:
    folder = put(tmp_path / "d", D7__pyr=pyr())
    assert (
        import_registry.detect(folder)
        == import_registry.detect(folder / "D7.pyr")
        == import_registry.find("ducview")
    )
    with pytest.raises(InputError, match=r"contains no \.pyr or \.pan file"):
        import_registry.read(put(tmp_path / "e"), "ducview")
