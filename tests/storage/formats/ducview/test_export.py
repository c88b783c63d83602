"""Export to DUCView's files and import of the result, with equal scores."""

from __future__ import annotations

import math
import re
import shutil
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pyramidion
from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import Match, Pyramid, Scu, TopicAnnotation
from core.domain.pyramid.scores import score_summary
from core.errors import InputError
from core.files.file_names import fitting
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.ducview.decode import decode
from storage.formats.ducview.model import FileAnnotation
from storage.formats.ducview.scores import score_block
from storage.formats.export_registry import export_steps, find
from storage.formats.readers.fields import Problems
from storage.sample_study import ANNOTATOR
from storage.study_file import StudyFile, new_study, open_study
from tests.conftest import examples
from tests.storage.formats.ducview.conftest import PYRAMID, SCORE, pan, pyr, without_regex
from tests.storage.formats.ducview.test_files import UNKNOWN, squeezed
from tests.storage.formats.ducview.test_import import OFF, annotation_of, bring, put, topic_of


def write(study: StudyFile, folder: Path) -> dict[str, bytes]:
    """Every file of an export by its name."""
    count = run_to_completion(export_steps(study, find("pyramids", "ducview"), folder))
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(files) == count
    return files


def without_declaration(content: bytes) -> list[str]:
    return [line for line in squeezed(re.sub(rb"<!DOCTYPE.*?\]>", b"", content, flags=re.S)) if line]


TWO_PARTS = PYRAMID.replace('label="The ban...fell"', 'label="fell; The ban"')


@pytest.mark.parametrize(
    "content",
    [
        pyr(),
        pyr(without_regex()),
        pyr(OFF),
        pyr(TWO_PARTS),
        pyr(UNKNOWN, before="<!-- by hand -->\n", after="<?end?>\n"),
    ],
)
def test_a_pyramid_leaves_the_study_as_it_came(
    empty_study: StudyFile, tmp_path: Path, content: bytes
) -> None:
    """With misfits, unknown things, labels in an order of their own."""
    bring(empty_study, put(tmp_path / "d", D7__pyr=content), split="proposed")
    files = write(empty_study, tmp_path / "out")
    assert list(files) == ["D7.pyr"]
    assert without_declaration(files["D7.pyr"]) == without_declaration(content)


@pytest.mark.parametrize("pyramid_file", [PYRAMID, UNKNOWN, OFF])
def test_an_annotation_leaves_the_study_as_it_came(
    empty_study: StudyFile, tmp_path: Path, pyramid_file: str
) -> None:
    content = pan(pyramid_file, score=SCORE.replace("<score>", '<score by="hand">'))
    bring(empty_study, put(tmp_path / "d", D7__4__pan=content))
    files = write(empty_study, tmp_path / "out")
    assert without_declaration(files["D7.4.pan"]) == without_declaration(content)


def test_a_file_keeps_its_white_space_where_the_study_has_another(
    bridge_study: StudyFile, tmp_path: Path
) -> None:
    bring(bridge_study, put(tmp_path / "d", D7__pyr=pyr()))
    files = write(bridge_study, tmp_path / "out")
    assert without_declaration(files["D7.pyr"]) == without_declaration(pyr())


def test_what_is_edited_is_written_and_uids_stay(empty_study: StudyFile, tmp_path: Path) -> None:
    bring(empty_study, put(tmp_path / "d", D7__4__pan=pan()))
    before = annotation_of(empty_study)
    author = topic_of(empty_study).references[0]
    after = pyramid.set_label(before, before.pyramid.scus[0].id, "The ban is void")
    after = pyramid.add_scu(after, "There was a bridge", author.id, [(15, 21)])
    empty_study.pyramids.commit(before, after, "edit", before.pyramid.annotator_id).result()
    written = decode(write(empty_study, tmp_path / "out")["D7.4.pan"], Problems("x")).body
    assert isinstance(written, FileAnnotation)
    assert [(scu.uid, scu.label) for scu in written.pyramid.scus] == [
        ("12", "The ban is void"),
        ("3", "Cafés reopened"),
        ("13", "There was a bridge"),
    ]
    peers = [(scu.uid, scu.weight, scu.label) for scu in written.scus]
    assert peers[0] == ("12", 2, "The ban is void"), "peer SCUs bear the label that counts now"
    assert ("13", 1, "There was a bridge") in peers


def _keep_one_annotator(study: StudyFile) -> str:
    """Remove the work of the sample's second annotator; a file of a DUCView folder names none."""
    people = {person.name: person.id for person in study.annotators.all()}
    for before in list(study.pyramids.annotations()):
        own = [match for match in before.matches if match.annotator_id == people[ANNOTATOR]]
        states = [state for state in before.states if state.annotator_id == people[ANNOTATOR]]
        after = replace(before, matches=tuple(own), states=tuple(states))
        if before.pyramid.annotator_id != people[ANNOTATOR]:
            after = replace(after, pyramid=replace(before.pyramid, scus=(), is_done=False))
        study.pyramids.commit(before, after, "remove", before.pyramid.annotator_id).result()
    return ANNOTATOR


@pytest.mark.slow
def test_the_sample_goes_through_duc_view_and_back(sample_file: Path, tmp_path: Path) -> None:
    with open_study(Path(shutil.copy(sample_file, tmp_path))) as sample:
        name = _keep_one_annotator(sample)
        files = write(sample, tmp_path / "out")
        assert len(files) == 8 + 64
        again = run_to_completion(
            import_registry.preview_steps(
                sample, import_registry.import_request(tmp_path / "out", "ducview", {"annotator": name})
            )
        )
        assert again.counts is not None
        assert (again.counts.added, again.counts.different, again.counts.notices) == ({}, (), ())
    with new_study(tmp_path / "new.pyramidion") as study:
        bring(study, tmp_path / "out", annotator="KO")
        assert write(study, tmp_path / "again") == files


def test_several_annotators_are_in_the_names(empty_study: StudyFile, tmp_path: Path) -> None:
    pattern = "{topic}.pyr;{topic}.{system}.{annotator}.pan"
    bring(empty_study, put(tmp_path / "d", D7__pyr=pyr(), D7__4__KO__pan=pan()), pattern=pattern)
    assert sorted(write(empty_study, tmp_path / "out")) == ["D7.4.KO.pan", "D7.ducview.pyr"]


NAMED = st.text('ab.-~"/:=1é', min_size=1, max_size=6)


@given(st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_export_of_several_annotators_comes_back_into_the_texts(tmp_path: Path, data) -> None:
    """Tried to be broken by names with dots, signs that no file name has, and equal parts of other names."""
    topics, systems, people = (
        data.draw(st.lists(NAMED, min_size=2, max_size=3, unique_by=lambda name: fitting(name).casefold()))
        for _ in range(3)
    )
    text = NewText("The ban fell.")
    texts = ImportContent(
        "x", [NewTopic(t, references={"A": text}, summaries=dict.fromkeys(systems, text)) for t in topics]
    )
    shutil.rmtree(tmp_path / "out", ignore_errors=True)
    with new_study(tmp_path / "one.pyramidion", overwrite=True) as study:
        study.import_data(texts)
        ids = [study.annotators.get_or_create(name).id for name in people]
        for at, (topic, owner) in enumerate(product(study.texts.load(), ids)):
            before = study.pyramids.annotation(topic.id, owner)
            after = pyramid.add_scu(before, f"Unit {at}", topic.references[0].id, [(4, 7)])
            for summary, who in product(topic.summaries, ids):
                if data.draw(st.booleans()):
                    after = pyramid.add_match(after, summary.id, who, after.pyramid.scus[0].id, [(0, 7)])
            study.pyramids.commit(before, after, "edit", owner).result()
        write(study, tmp_path / "out")
    with new_study(tmp_path / "two.pyramidion", overwrite=True) as study:
        study.import_data(texts)
        for name in people:
            study.annotators.get_or_create(name)
        bring(study, tmp_path / "out")
    first, second = (pyramidion.open(tmp_path / f"{name}.pyramidion") for name in ("one", "two"))
    with first, second:
        columns = ["topic", "annotator", "unit", "role", "text_of", "start", "end"]
        assert sorted(first.annotations()[columns].values.tolist()) == sorted(
            second.annotations()[columns].values.tolist()
        )


def test_names_that_no_file_may_have_give_way(empty_study: StudyFile, tmp_path: Path) -> None:
    for name in ("a/b", "a:b"):
        topic = NewTopic(name, references={"A": NewText("One two.")})
        empty_study.import_data(ImportContent(name, topics=[topic], annotators={"KO": ""}))
        before = annotation_of(empty_study, "KO", name)
        reference = topic_of(empty_study, name).references[0]
        after = pyramid.add_scu(before, "x", reference.id, [(0, 3)])
        empty_study.pyramids.commit(before, after, "x", before.pyramid.annotator_id).result()
    assert sorted(write(empty_study, tmp_path / "out")) == ["a_b.pyr", "a_b~2.pyr"]


def test_an_export_that_cannot_be_is_a_sentence(study: StudyFile, tmp_path: Path) -> None:
    export = find("pyramids", "ducview")
    with pytest.raises(InputError, match="no pyramid with an SCU yet"):
        run_to_completion(export_steps(study, export, tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    study.import_data(ImportContent("b", topics=[NewTopic("D3", references={"A": NewText("a\x0bb c")})]))
    before = study.pyramids.annotation(topic_of(study, "D3").id, study.annotators.get_or_create("Ann").id)
    after = pyramid.add_scu(before, "x", topic_of(study, "D3").references[0].id, [(0, 1)])
    study.pyramids.commit(before, after, "x", before.pyramid.annotator_id).result()
    with pytest.raises(InputError, match=r"D3\.pyr: XML cannot contain the character U\+000B"):
        run_to_completion(export_steps(study, export, tmp_path / "out"))
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file"):
        run_to_completion(export_steps(study, export, tmp_path / "file"))


def test_a_match_without_a_span_stays_one(study: StudyFile, tmp_path: Path) -> None:
    topic = topic_of(study, "D1")
    ann = study.annotators.get_or_create("Ann").id
    before = study.pyramids.annotation(topic.id, ann)
    after = pyramid.add_scu(before, "x", topic.references[0].id, [(0, 3)], "s1")
    after = pyramid.add_match(after, topic.summaries[0].id, ann, "s1")
    study.pyramids.commit(before, after, "x", ann).result()
    write(study, tmp_path / "out")
    with new_study(tmp_path / "new.pyramidion") as new:
        bring(new, tmp_path / "out")
        assert [match.parts for match in annotation_of(new, topic="D1").matches] == [()]


# Six SCUs over four references: weights 4, 3, 2, 2, 1, 1; thirteen contributions, 3.25 on average.
WEIGHTS = (4, 3, 2, 2, 1, 1)


def hand_made() -> Pyramid:
    scus = []
    for number, weight in enumerate(WEIGHTS):
        held = tuple(
            pyramid.Contributor(f"c{number}{r}", f"r{r}", pyramid.parts_of([(0, 1)])) for r in range(weight)
        )
        scus.append(Scu(f"s{number}", f"SCU {number}", held))
    return Pyramid("p", "t", "a", tuple(scus))


def test_the_scores_are_those_of_duc_view_by_hand() -> None:
    """Found: weights 4, 2, 1, the first twice; one unit outside.

    X = 5 units, the best five weigh 4+3+2+2+1 = 12: quality 7/12. The average reference has 13/4 = 3.25, so 3
    SCUs, the best three weigh 9: coverage 7/9. Their harmonic mean is 2·(7/12)·(7/9) / (7/12 + 7/9) = 2/3.
    """
    found = ["s0", "s0", "s2", "s4", None]
    matches = [Match(f"m{n}", "x", "a", scu) for n, scu in enumerate(found)]
    score = score_summary(hand_made(), matches, [f"r{n}" for n in range(4)])
    assert score_block(score, has_regex=True) == {
        "totalscu": "5",
        "uniquescu": "3",
        "scusNotInPyr": "1",
        "totalWeight": "7",
        "maxScoreTotalscu": "12",
        "qualityScore": "0.5833",
        "averagescu": "3",
        "maxScoreAveragescu": "9",
        "coverageScore": "0.7778",
        "comprehensiveScore": "0.6667",
    }
    assert len(score_block(score, has_regex=False)) == 6


def duc_view(weights: list[int], counts: list[int], outside: int, references: int) -> tuple[str, ...]:
    """DUCView 1.5's arithmetic from its own numbers: contributors by SCU and by peer SCU.

    Its average is cut off; the official scores, which are rounded half up, are what is written here.
    """
    total = sum(counts) + outside
    weight = sum(w for w, n in zip(weights, counts, strict=True) if n)
    best = sum(sorted(weights)[::-1][:total])
    average = math.floor(sum(weights) / references + 0.5)
    ideal = sum(sorted(weights)[::-1][:average])
    quality, coverage = weight / best, min(1, weight / ideal)
    both = 2 / (1 / quality + 1 / coverage) if weight else 0.0
    return tuple(f"{x:.4f}".rstrip("0").rstrip(".") for x in (quality, coverage, both))


@given(counts=st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(any), outside=st.integers(0, 4))
def test_the_scores_agree_with_duc_views_arithmetic(counts: list[int], outside: int) -> None:
    matches = [Match(f"{s}{n}", "x", "a", f"s{s}") for s, count in enumerate(counts) for n in range(count)]
    matches += [Match(f"o{n}", "x", "a", None) for n in range(outside)]
    block = score_block(score_summary(hand_made(), matches, ["r0", "r1", "r2", "r3"]), has_regex=True)
    names = ("qualityScore", "coverageScore", "comprehensiveScore")
    assert tuple(block[name] for name in names) == duc_view(list(WEIGHTS), counts, outside, 4)


def test_nothing_found_has_no_quotients() -> None:
    score = score_summary(hand_made(), [], ["r0"])
    assert list(score_block(score, has_regex=True)) == [
        "totalscu", "uniquescu", "scusNotInPyr", "totalWeight",
    ]  # fmt: skip


signs = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]) | st.sampled_from(
    ["👩\u200d🚀", "e\u0301", "&", "<", ">", '"', "]]>", "&amp;", "\t", "\n", "\u2028", "-----------------\n"]
)
texts = st.lists(signs, min_size=1, max_size=15).map("".join).filter(lambda text: text.strip())


@st.composite
def annotations(draw: st.DrawFn, study: StudyFile) -> TopicAnnotation:
    """SCUs and matches with parts anywhere, in any order, over a topic's texts."""
    topic, ann = study.texts.topic(study.texts.topics()[0].id), study.annotators.get_or_create("KO").id
    found = study.pyramids.annotation(topic.id, ann)

    def spans(text: str) -> list[tuple[int, int]]:
        ends = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
        inner = ends.map(tuple).filter(lambda span: text[slice(*span)].strip())
        return draw(st.lists(inner, min_size=1, max_size=3, unique=True))

    for number in range(draw(st.integers(1, 3))):
        first, *more = draw(st.permutations(topic.references))
        found = pyramid.add_scu(found, draw(texts), first.id, spans(first.content), f"s{number}")
        for reference in more[: draw(st.integers(0, 2))]:
            found = pyramid.add_contributor(found, f"s{number}", reference.id, spans(reference.content))
        found = pyramid.set_comment(found, f"s{number}", draw(texts))
    for summary in topic.summaries:
        scu = draw(st.sampled_from([None, "s0", "s0"]))
        found = pyramid.add_match(found, summary.id, ann, scu, spans(summary.content), repeats=True)
    return found


def meaning(study: StudyFile, found: TopicAnnotation) -> object:
    """What an annotation says, by names and words."""
    topic = study.texts.topic(found.pyramid.topic_id)
    names = {text.id: text.name for text in (*topic.references, *topic.summaries)}
    labels = {scu.id: scu.label for scu in found.pyramid.scus}
    scus = [
        (s.label, s.comment, [(names[c.reference_id], [p.span for p in c.parts]) for c in s.contributors])
        for s in found.pyramid.scus
    ]
    units = [
        (names[m.summary_id], labels.get(m.scu_id or ""), [p.span for p in m.parts]) for m in found.matches
    ]
    return scus, sorted(units, key=str)


@pytest.mark.slow
@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.data(),
    references=st.lists(texts, min_size=1, max_size=3, unique_by=lambda text: "".join(text.split())),
    summary=texts,
)
def test_any_annotation_goes_through_files_and_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, references: list[str], summary: str
) -> None:
    """Into a study that has the texts, whatever they hold."""
    folder = tmp_path_factory.mktemp("any")
    authors = {f"ref.{n}": NewText(text) for n, text in enumerate(references)}
    topic = NewTopic("T 1", references=authors, summaries={"S1": NewText(summary)})
    incoming = ImportContent("any", topics=[topic], annotators={"KO": ""})
    with new_study(folder / "a.pyramidion") as one, new_study(folder / "b.pyramidion") as other:
        one.import_data(incoming)
        other.import_data(incoming)
        before = one.pyramids.annotation(one.texts.topics()[0].id, one.annotators.get_or_create("KO").id)
        after = data.draw(annotations(one))
        one.pyramids.commit(before, after, "all", before.pyramid.annotator_id).result()
        write(one, folder / "out")
        bring(other, folder / "out", annotator="KO")
        assert meaning(other, annotation_of(other, "KO", "T 1")) == meaning(one, after)
