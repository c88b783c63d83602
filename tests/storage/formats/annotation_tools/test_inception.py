"""INCEpTION: CAS documents checked by dkpro-cassis, exports of projects, hostile files."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest

from core import extras
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import add_scu
from core.errors import BadImport, InputError, MissingResource
from storage.formats import archive, import_registry
from storage.formats.annotation_tools import inception
from storage.study_file import new_study
from tests.storage.formats.annotation_tools.conftest import bring, content, export

cassis = pytest.importorskip("cassis", reason="pip install 'pyramidion[inception]'")

GOOD = "The court lifted the ban on the bridge 🌉 and cafés reopened."
DKPRO = "de.tudarmstadt.ukp.dkpro.core.api"
NAMED, TOKEN = f"{DKPRO}.ner.type.NamedEntity", f"{DKPRO}.segmentation.type.Token"
POS = f"{DKPRO}.lexmorph.type.pos.POS"


@pytest.mark.parametrize("name", ["inception-xmi", "inception-json"])
def test_everything_comes_back_equal(annotated, other, tmp_path, name) -> None:
    folder = export(annotated, "annotations", name, tmp_path / "out")
    counts = bring(other, folder)
    assert content(other) == content(annotated)
    assert counts.notices == ()
    again = bring(other, folder)
    assert not any(again.added.values())
    assert again.different == ()


@pytest.mark.parametrize("name", ["inception-xmi", "inception-json"])
def test_cassis_reads_the_layers_and_finds_the_same_words(annotated, tmp_path, name) -> None:
    folder = export(annotated, "annotations", name, tmp_path / "out")
    types = cassis.load_typesystem((folder / "TypeSystem.xml").read_text("utf-8"))
    path = next(folder.glob("Ann/D1.summary.good.*"))
    load = cassis.load_cas_from_xmi if name.endswith("xmi") else cassis.load_cas_from_json
    with path.open("rb") as file:
        cas = load(file, typesystem=types)
    assert cas.sofa_string == GOOD
    units = [(one.unit, one.label, one.get_covered_text()) for one in cas.select(inception.UNIT)]
    assert units == [
        ("1", "the ban\nwas lifted ⟂ \\n", "The court lifted the ba"),
        ("2", "cafés reopened 👩‍🚀", "ge"),
        ("2", "cafés reopened 👩‍🚀", "nd ca"),
    ]
    spans = [(one.scale, one.get_covered_text()) for one in cas.select(inception.SPAN)]
    assert spans == [("errors", "The court"), ("errors", "court"), ("errors", "🌉 a")]


def foreign(text: str = GOOD) -> cassis.Cas:
    """A document as INCEpTION has it, with a custom layer, named entities, tokens and its title."""
    types = cassis.TypeSystem()
    for name in (TOKEN, POS, NAMED):
        types.create_type(name, "uima.tcas.Annotation")
    types.create_feature(types.get_type(NAMED), "value", "uima.cas.String")
    made = types.create_type("webanno.custom.Error", "uima.tcas.Annotation")
    types.create_feature(made, "kind", "uima.cas.String")
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = text, "text/plain"
    cas.add(types.get_type(TOKEN)(begin=0, end=3))
    cas.add(types.get_type(POS)(begin=0, end=3))
    cas.add(types.get_type(NAMED)(begin=32, end=38, value="LOC"))
    cas.add(made(begin=45, end=50, kind="wrong"))
    return cas


def zipped(path: Path, **files: str | bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive_:
        for name, inner in files.items():
            archive_.writestr(name.replace("__", "/"), inner)
    return path


def test_other_layers_become_marked_spans(study, tmp_path) -> None:
    cas = foreign()
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as one:
        one.writestr("kim.xmi", cas.to_xmi())
        one.writestr("TypeSystem.xml", cas.typesystem.to_xml())
    path = zipped(
        tmp_path / "project.zip",
        **{
            "exportedproject1.json": "{}",
            "annotation__good.txt__kim.zip": inner.getvalue(),
            "annotation__good.txt__ben.json": cas.to_json(),
            "annotation__good.txt__INITIAL_CAS.xmi": cas.to_xmi(),
        },
    )
    counts = bring(study, path)
    found = {(note.annotator, note.dimension): note.spans for note in study.ratings.notes()}
    assert {key: [GOOD[s:e] for s, e, _ in spans] for key, spans in found.items()} == {
        ("kim", "NamedEntity"): ["bridge"],
        ("kim", "Error"): ["cafés"],
        ("ben", "NamedEntity"): ["bridge"],
        ("ben", "Error"): ["cafés"],
    }
    anchors = {scale.name: [text for _, text in scale.anchors] for scale in study.ratings.dimensions()}
    assert anchors == {"NamedEntity": ["LOC"], "Error": ["wrong"]}
    notices = [notice.what for notice in counts.notices]
    assert "Annotations of linguistic layers: 2 not read." in notices
    assert "Documents before annotation (INITIAL_CAS): 1 not read." in notices


def test_marks_made_in_inception_join_those_that_were_exported(annotated, other, tmp_path) -> None:
    """A document that went through INCEpTION has another name and no manifest."""
    folder = export(annotated, "annotations", "inception-xmi", tmp_path / "out")
    types = cassis.load_typesystem((folder / "TypeSystem.xml").read_text("utf-8"))
    with (folder / "Ann/D1.reference.A.xmi").open("rb") as file:
        cas = cassis.load_cas_from_xmi(file, typesystem=types)
    cas.add(types.get_type(inception.UNIT)(begin=24, end=30, unit="1", label=""))
    path = tmp_path / "document.xmi"
    cas.to_xmi(path)
    bring(other, path, annotator="Ann")
    (annotation,) = other.pyramids.annotations()
    (scu,) = annotation.pyramid.scus
    assert [[part.span for part in one.parts] for one in scu.contributors] == [[(36, 43), (0, 9)], [(24, 30)]]


TSV = (
    "#FORMAT=WebAnno TSV 3.3\n"
    "#T_SP=webanno.custom.Error|kind|ROLE_webanno.custom.Error:links_L|uima.tcas.Annotation\n"
    f"#T_SP={NAMED}|value\n#T_RL=webanno.custom.Cause|why|BT_webanno.custom.Error\n#T_CH=webanno.custom.Link|"
    "referenceRelation|referenceType\n\n\n"
)
TOKENS = """#Text=The court lifted
1-1	0-3	The	a\\_b[1]|c[2]	r	1-2[1]	_	_	_	*->1-1	*[1]
1-2	4-9	court	a\\_b[1]	_	_	_	_	_	*->1-1	*[1]
1-3	10-16	lifted	c	_	_	PER|PER	x	1-1[1_0]	_	_
1-3.1	11-11		c	_	_	_	_	_	_	_

#Text=the ban on the bridge 🌉 and
2-1	17-20	the	_	_	_	_	_	_	_	_
2-2	39-41	🌉	d	_	_	_	_	_	_	_

#Text=cafés reopened.
3-1	46-51	cafés	_	_	_	LOC	_	_	_	_
"""


def test_webanno_tsv_is_read_with_stacked_and_joined_annotations(study, tmp_path) -> None:
    """Blanks between sentences are not in the file; an emoji counts twice."""
    path = tmp_path / "D1.tsv"
    path.write_text(TSV + TOKENS, "utf-8")
    counts = bring(study, path, annotator="kim")
    found = {}
    for note in study.ratings.notes():
        (scale,) = (one for one in study.ratings.dimensions() if one.name == note.dimension)
        names = dict(scale.anchors)
        found[note.dimension] = [(GOOD[start:end], names[category]) for start, end, category in note.spans]
    assert found == {
        "Error": [("The", "c"), ("The court", "a_b"), ("lifted", "c"), ("🌉", "d")],
        "NamedEntity": [("lifted", "PER"), ("cafés", "LOC")],
        "Link": [("The court", "Link")],
    }
    said = [notice.what for notice in counts.notices]
    assert "Spans that repeat another one of the same category: 1." in said
    assert "Relations: 1 not read." in said
    assert "Annotations of no words: 1 not read." in said


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("1-2\t4-9", "1-2\tx-9"), "not a token"),
        (("2-1\t17-20", "2-1\t99999999-20"), "not a token"),
        (("46-51", "46-99"), "outside the text"),
        (("#Text=The court lifted", "#Text=The court has lifted"), "not a token"),
        (("🌉 and", "🌉 or!"), "No text of the study equals"),
    ],
)
def test_damaged_tsv_is_refused(study, tmp_path, change, sentence) -> None:
    path = tmp_path / "kim.tsv"
    path.write_text(TSV + TOKENS.replace(*change), "utf-8")
    with pytest.raises(BadImport, match=sentence):
        bring(study, path)


def test_documents_in_an_own_format_are_named_with_the_one_to_choose(study, tmp_path) -> None:
    files = {f"annotation_ser__good.txt__{who}.ser": "x" for who in ("kim", "ben", "INITIAL_CAS")}
    path = zipped(tmp_path / "project.zip", **files)
    assert import_registry.detect(path).name == "inception"
    with pytest.raises(
        BadImport, match=r"2 documents in INCEpTION's own format \(\.ser\).*WebAnno TSV v3\.3"
    ):
        bring(study, path)
    files["annotation__good.txt__kim.tsv"] = TSV + TOKENS
    notices = bring(study, zipped(path, **files)).notices
    assert "Documents in INCEpTION's own format (.ser): 1 not read." in [one.what for one in notices]


def test_a_control_character_needs_json(tmp_path) -> None:
    topics = [
        NewTopic(
            "D1", references={"A": NewText("The \x1b court ruled on Monday that the ban on the bridge.")}
        )
    ]
    with new_study(tmp_path / "s.pyramidion") as study:
        study.import_data(ImportContent("x", topics=topics))
        ann = study.annotators.get_or_create("Ann").id
        topic = study.texts.topic(study.texts.topics()[0].id)
        before = study.pyramids.annotation(topic.id, ann)
        value = add_scu(before, "court", topic.references[0].id, [(4, 11)])
        study.pyramids.commit(before, value, "scu", ann).result()
        with pytest.raises(InputError, match="XML cannot contain"):
            export(study, "annotations", "inception-xmi", tmp_path / "out")
        export(study, "annotations", "inception-json", tmp_path / "json")
    assert not (tmp_path / "out").exists()


def xmi(head: str = "", annotation: str = "", text: str = GOOD) -> str:
    names = {
        "xmi": "http://www.omg.org/XMI",
        "cas": "http:///uima/cas.ecore",
        "c": "http:///webanno/custom.ecore",
    }
    spaces = " ".join(f'xmlns:{prefix}="{url}"' for prefix, url in names.items())
    sofa = f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString={quoteattr(text)}/>'
    version = "" if head.startswith("<?xml") else "<?xml version='1.0'?>"
    return f'{version}{head}<xmi:XMI {spaces} xmi:version="2.0">{annotation}{sofa}</xmi:XMI>'


def error(begin: object, end: object) -> str:
    return f'<c:Error xmi:id="2" sofa="1" begin="{begin}" end="{end}" kind="x"/>'


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.xmi", xmi(LAUGHS), "declares entities"),
        ("a.xmi", xmi('<!DOCTYPE x SYSTEM "file:///etc/passwd">', error(0, 3)), "refers to other files"),
        ("a.xmi", xmi("<?xml version='1.1'?>"), "XML 1.1"),
        ("a.xmi", xmi(annotation=error(0, 999)), "outside the text"),
        ("a.xmi", xmi(annotation=error(9, 3)), "empty or reversed"),
        ("a.xmi", xmi(annotation=error(-1, 3)), "outside the text"),
        ("a.xmi", xmi(annotation=error("9" * 400, 3)), "is not a span"),
        ("a.xmi", xmi(annotation=error(40, 41)), "outside the text"),
        ("a.xmi", xmi(text="Another text."), "No text of the study equals"),
        ("a.xmi", "<a/>", "not XMI"),
        ("a.xmi", "<a", "Not valid XML"),
        ("a.xmi", "<a>" * 200, "nested more than"),
        ("a.json", "[" * 99999, "not UIMA CAS JSON"),
        ("a.json", '{"%FEATURE_STRUCTURES": 3}', "not UIMA CAS JSON"),
        ("a.json", '{"%FEATURE_STRUCTURES": []}', "has no text"),
    ],
)
def test_damaged_and_hostile_documents_are_refused(study, tmp_path, name, text, sentence) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(BadImport) as refused:
        bring(study, path, "inception")
    assert sentence in refused.value.problems[0].what
    assert str(refused.value).startswith(f"{name}")
    assert str(refused.value).count(name) == 1
    assert all(problem.remedy for problem in refused.value.problems)
    assert study.ratings.notes() == []


def test_hostile_archives_are_refused(study, tmp_path) -> None:
    good = xmi(annotation=error(0, 3))
    deep: bytes = good.encode()
    for level in range(5):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as one:
            one.writestr("a.zip" if level else "a.xmi", deep)
        deep = inner.getvalue()
    cases = {
        "leads out of the archive": zipped(tmp_path / "1.zip", **{"../../a.xmi": good}),
        "more than a text has": zipped(tmp_path / "2.zip", **{"a.xmi": b"<a>" + b" " * 2**23}),
        "nested too deeply": tmp_path / "3.zip",
        "damaged or incomplete": tmp_path / "4.zip",
    }
    cases["nested too deeply"].write_bytes(deep)
    whole = cases["leads out of the archive"].read_bytes()
    cases["damaged or incomplete"].write_bytes(whole[: len(whole) // 2])
    for sentence, path in cases.items():
        with pytest.raises(BadImport, match=sentence):
            bring(study, path, "inception")
    assert study.ratings.notes() == []


def test_an_archive_of_many_files_is_refused_before_it_is_read(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(archive, "MOST_MEMBERS", 2)
    path = zipped(tmp_path / "many.zip", **{f"{number}.xmi": "x" for number in range(3)})
    with pytest.raises(BadImport, match="more than 2 files"):
        import_registry.read(path, "inception")


def test_without_the_package_the_message_says_how_to_get_it(annotated, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(extras, "is_installed", lambda extra: False)
    with pytest.raises(MissingResource, match=r"pip install 'pyramidion\[inception\]'"):
        export(annotated, "annotations", "inception-xmi", tmp_path / "out")


def test_archives_are_recognised(tmp_path) -> None:
    path = zipped(tmp_path / "a.zip", **{"a.xmi": xmi()})
    assert import_registry.detect(path).name == "inception"
    assert import_registry.detect(zipped(tmp_path / "b.zip", **{"all.jsonl": "{}"})) is None
    json_path = tmp_path / "a.json"
    json_path.write_text(json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": []}), "utf-8")
    assert import_registry.detect(json_path).name == "inception"
