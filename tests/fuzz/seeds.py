"""Sound files of every format, each a little different, and what is done to them."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from tests.fuzz import mapping_seeds, table_seeds
from tests.storage.formats.ducview.conftest import pan, pyr, without_regex

Files = dict[str, bytes]
"""A case: contents by path below its folder. The first is imported, unless the format is a folder."""

STRINGS = [
    "", " ", "a ", "\x00", "\x1b[31mred", "a\x07b", "\x7f", "\x85", "\x9b", "\u2028", "\u202e", "\ufeff",
    "\ufffe", "\ud800", "\udfff", "a\nb", "a\r\nb", "\r", "\t", "🌉", "e\u0301", "=SUM(A1)", "'=x", "''",
    "+1", "@a", "-1", "../../etc/passwd", "/etc/passwd", "C:\\x", "CON", "a/b", "a\\b", ".", "..",
    "x" * 300, "x" * 5000, "null", "none", "true", "NaN", "1e999", "-0", "٣", "0-10 11-20", "5-1",
    "-{99999999}", "(a+)+$", "(?R)", "[", "<b>x</b>", "&amp;", "&#0;", "]]>", "a.b", "a..b", ".", "ref-00",
    "A", "B", "S1", "D1", ":cat:", "%s", "{0}", "\\", '"', "'",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 5, 6, 3.5, 1e308, 10**40, float("nan"), float("inf"), [], {}, [[]], [{}],
    {"": ""}, {"text": None}, {"text": ["a", "b"]}, ["a", 1], ["a", ""], {"a": {"b": 1.0}, "a.b": 2.0},
    {"1": "poor"},
]  # fmt: skip
BYTES = [
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xc3", b"&#xD800;", b"&#0;", b"&lol;", b"]]>",
    b"<!--", b"<![CDATA[", b"<!ENTITY e 'x'>", b"<a>" * 40, b"[" * 2000, b'{"a":' * 1200,
    b"99999999999999999999", b"1e999", b'"', b"'", b"<", b">", b"/>", b"\r", b"\n", b"\n\n", b",", b"\t",
    b";", b"\\u0000", b"\\ud800", b"\\udc00\\ud800", b"\xe2\x80\xa8", b'"topic":', b"<?x?>", b"(?R)",
    b"-{99999999}", b"\x1b]0;x\x07", b"NaN", b"-Infinity",
]  # fmt: skip


def texts(chance: random.Random) -> str:
    words = (
        "the",
        "court",
        "ban",
        "bridge",
        "fell",
        "cafés",
        "on",
        "Monday",
        "🌉",
        "橋",
        "naïve",
        "AT&T",
        "1,000",
    )
    return " ".join(chance.choice(words) for _ in range(chance.randrange(1, 12))) + "."


def summeval(chance: random.Random) -> Files:
    def rated() -> dict[str, float]:
        names = ("coherence", "consistency", "fluency", "relevance")
        return {name: chance.choice([1, 2, 3.5, 5]) for name in names}

    rows: list[Any] = []
    for topic in ("dm-1", "cnn-2")[: chance.choice([1, 2])]:
        references = [texts(chance) for _ in range(2)]
        for system in ("M0", "M1"):
            row = {"id": topic, "model_id": system, "decoded": texts(chance), "references": references}
            row["expert_annotations"] = [rated() for _ in range(2)]
            rows.append({**row, "turker_annotations": [rated()], "text": f"Article {topic}."})
    return {"rows.jsonl": lines(changed(rows, chance), chance)}


def sacrerouge(chance: random.Random) -> Files:
    rows: list[Any] = []
    for topic in ("d1", "d2")[: chance.choice([1, 2])]:
        references = [{"summarizer_id": a, "text": [texts(chance), f"By {a}."]} for a in "AB"]
        documents = [{"filename": "d.txt", "text": f"Document {topic}."}]
        for system, kind in (("1", "peer"), ("A", "reference")):
            row = {"instance_id": topic, "summarizer_id": system, "summarizer_type": kind}
            row |= {"summary": {"text": texts(chance)}, "references": references, "documents": documents}
            rows.append({**row, "metrics": {"rouge-1": {"recall": 0.4, "f": 0.3}, "grade": [2, 3]}})
    return {"rows.jsonl": lines(changed(rows, chance), chance)}


def table_rows(chance: random.Random) -> list[dict[str, Any]]:
    """Rows of texts, ratings, scores and scales."""
    rows: list[dict[str, Any]] = [{"topic": "D1", "title": "Ban", "query": "Which?", "set": "initial"}]
    for owner, name in (
        ("document", "d1"),
        ("author", "A"),
        ("author", "B"),
        ("system", "S1"),
        ("system", "S2"),
    ):
        rows.append({"topic": "D1", owner: name, "text": texts(chance), "sentences": ""})
    for system in ("S1", "S2"):
        rating = {
            "topic": "D1",
            "system": system,
            "dimension": "fluency",
            "annotator": "Kim",
            "group": "expert",
        }
        rows.append({**rating, "value": chance.choice([1, 2, 3]), "low": 1, "high": 5})
        rows.append({"topic": "D1", "system": system, "measure": "rouge-1.f", "value": 0.25})
    rows.append(
        {"dimension": "fluency", "low": 1, "high": 5, "question": "Fluent?", "anchors": '{"1": "poor"}'}
    )
    return rows[: chance.choice([7, 10, 11])]


def jsonl_table(chance: random.Random) -> Files:
    return {"rows.jsonl": lines(changed(table_rows(chance), chance), chance)}


def csv_table(chance: random.Random) -> Files:
    rows = table_rows(chance)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [columns, *([str(row.get(column, "")) for column in columns] for row in rows)]
    for _ in range(chance.choice([0, 1, 1, 2])):
        line = chance.choice(cells[1:] if chance.random() < 0.9 else cells)
        line[chance.randrange(len(line))] = chance.choice(STRINGS)
    suffix, separator = chance.choice([(".csv", ","), (".tsv", "\t")])
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=chance.choice(["\n", "\r\n"])).writerows(cells)
    return {f"rows{suffix}": out.getvalue().encode("utf-8", "surrogatepass")}


def foreign_csv(chance: random.Random) -> Files:
    return table_seeds.foreign_csv(chance, STRINGS)


def newsroom(chance: random.Random) -> Files:
    return table_seeds.newsroom(chance, STRINGS)


def published(chance: random.Random) -> Files:
    name, rows = table_seeds.published(chance)
    rows = changed(rows, chance)
    return {name: lines(rows, chance) if name.endswith(".jsonl") else json.dumps(rows).encode()}


def folders(chance: random.Random) -> Files:
    files = {
        "documents/D1/one.txt": texts(chance), "documents/D2/b/two": texts(chance),
        "references/D1.A": texts(chance), "references/D1.B.txt": texts(chance),
        "summaries/D1.S1": texts(chance), "summaries/D2.S1.txt": texts(chance),
    }  # fmt: skip
    cases = {path: content.encode() for path, content in files.items()}
    for _ in range(chance.choice([0, 1, 1, 2])):
        path = chance.choice(list(cases))
        content = cases.pop(path)
        head, _, name = path.rpartition("/")
        odd = chance.choice(
            [*STRINGS, "D1.\udcee", "\udcff.A", ".hidden", "D1", "D1.", ".A", "D1..A", "SCUs.txt"]
        )
        cases[f"{head}/{chance.choice([odd, name + odd, odd + name])}" if chance.random() < 0.8 else odd] = (
            content
        )
    return cases


def rose(chance: random.Random) -> Files:
    rows: list[Any] = []
    for topic in ("a1", "a2")[: chance.choice([1, 2])]:
        row: dict[str, Any] = {"example_id": topic, "count_id": len(rows), "source": texts(chance)}
        row |= {"reference": texts(chance), "reference_acus": ["The bridge fell.", texts(chance)]}
        row["system_outputs"] = {system: texts(chance) for system in ("bart", "gold")}
        labels = {"acu_labels": [1, 0], "acu": 0.5, "normalized_acu": 0.4, "prior": 3}
        rows.append({**row, "annotations": {"bart": labels, "gold": {"acu_labels": [0, 0], "acu": 0}}})
    return {"rows.jsonl": lines(changed(rows, chance), chance)}


def lite2pyramid(chance: random.Random) -> Files:
    files = {
        "SCUs.txt": "A bridge fell.\tNobody was hurt.\nThe court ruled.\n",
        "references.txt": f"<t> The bridge fell . </t> <t> {texts(chance)} </t>\n{texts(chance)}\n",
        "documents.txt": "One.\nTwo.\n", "ids.txt": "D1\nD2\n",
        "summaries/S1.summary": f"{texts(chance)}\n{texts(chance)}\n", "labels/S1.label": "1\t0\n1\n",
        "summaries/S2.summary": f"{texts(chance)}\n\n", "labels/S2.label": "0\t1\n\n",
    }  # fmt: skip
    if chance.random() < 0.5:
        path = chance.choice(list(files))
        rows = files[path].split("\n")
        rows[chance.randrange(len(rows))] = chance.choice(STRINGS)
        files[path] = "\n".join(rows)
    if chance.random() < 0.3:
        path, odd = chance.choice(list(files)), chance.choice(STRINGS)
        files[f"summaries/{odd}.summary" if "S1.s" in path else odd] = files.pop(path)
    return {path: content.encode("utf-8", "surrogatepass") for path, content in files.items()}


def mt_metrics_eval(chance: random.Random) -> Files:
    files = {
        "documents/en-de.docs": "news d1\nnews d1\n", "sources/en-de.txt": "One.\nTwo.\n",
        "references/en-de.refA.txt": f"{texts(chance)}\n[No translation supplied]\n",
        "system-outputs/en-de/S1.txt": f"{texts(chance)}\n{texts(chance)}\n",
        "system-outputs/en-de/S2.jsonl": '{"hypothesis": "a"}\n{"hypothesis": null}\n',
        "human-scores/en-de.mqm.seg.score": "S1\t-1\nS1\tNone\n",
        "metric-scores/en-de/BLEU-refA.seg.score": "S1 0.5\nS1 0.25\n",
    }  # fmt: skip
    if chance.random() < 0.5:
        path, word = chance.choice(list(files)), chance.choice(["S1", "None", "0.5", "d1", "news", "One."])
        files[path] = files[path].replace(word, chance.choice(STRINGS), 1)
    if chance.random() < 0.3:
        path, odd = chance.choice(list(files)), chance.choice(STRINGS)
        files[chance.choice([path.replace("S1", odd), path.replace("en-de", odd), odd])] = files.pop(path)
    return {path: content.encode("utf-8", "surrogatepass") for path, content in files.items()}


def rouge_xml(chance: random.Random) -> Files:
    names = ["S1", "A", "one.txt", "a.txt", "systems", "models", "D1"]
    if chance.random() < 0.5:
        names[chance.randrange(len(names))] = chance.choice([s for s in STRINGS if _is_xml(s)])
    system, author, one, a, systems, models, topic = names
    kind = chance.choice(["SPL", "SPL", "SEE", "ISI", "spl"])
    settings = (
        f'<ROUGE-EVAL version="1.5.5">\n<EVAL ID={quoteattr(topic)}>\n'
        f"<PEER-ROOT>{escape(systems)}</PEER-ROOT>\n"
        f'<MODEL-ROOT>{escape(models)}</MODEL-ROOT>\n<INPUT-FORMAT TYPE="{kind}"></INPUT-FORMAT>\n'
        f"<PEERS><P ID={quoteattr(system)}>{escape(one)}</P></PEERS>\n"
        f"<MODELS><M ID={quoteattr(author)}>{escape(a)}</M></MODELS>\n</EVAL>\n</ROUGE-EVAL>\n"
    )
    text = {
        "SEE": '<html>\n<a name="1">[1]</a> <a href="#1" id=1>The ban.</a>\n</html>',
        "ISI": '<S SNTNO="1">The ban.</S>\n',
    }.get(kind, f"{texts(chance)}\nIt fell.\n")
    return {
        "settings.xml": settings.encode(),
        "systems/one.txt": text.encode(),
        "models/a.txt": text.encode(),
    }


def pyramids(chance: random.Random) -> Files:
    return {"D7.pyr": reworded(chance.choice([pyr(), pyr(without_regex())]), chance)}


def annotations(chance: random.Random) -> Files:
    return {"D7.4.pan": reworded(chance.choice([pan(), pan(without_regex(), score="")]), chance)}


def ducview_folder(chance: random.Random) -> Files:
    files = {"D7.pyr": pyr(), "D7.4.pan": reworded(pan(), chance), "D7.5.pan": pan()}
    if chance.random() < 0.6:
        name = chance.choice(list(files))
        odd = chance.choice([*STRINGS, "D7.\udcee.pan", "D7.pan", "x.y.z.pan", "D7.4.PAN", ".pyr"])
        files[odd if odd.lower().endswith((".pyr", ".pan")) else f"{odd}{name[-4:]}"] = files.pop(name)
    return files


def brat_folder(chance: random.Random) -> Files:
    """A corpus as exported, with one reference and one summary; notes, types and offsets are odd at times."""
    reference, summary = texts(chance), texts(chance)
    ends = [chance.randrange(1, len(summary) + 1) for _ in range(2)]
    odd = [chance.choice(STRINGS) if chance.random() < 0.15 else name for name in ("SCU", "ban", "Kim")]
    places = {"Kim/r": ("reference", "A"), "Kim/s": ("summary", "S1")}
    about = {"sentences": None, "done": [], "rated": [], "without_span": []}
    manifest = {
        "format": "pyramidion annotations",
        "version": 1,
        "scales": [],
        "types": {},
        "lists": changed([{"topic": "D1", "owner": "Kim", "kind": "scu", "done": True, "units": []}], chance),
        "texts": {
            path: {"topic": "D1", "kind": kind, "name": name, "annotator": odd[2], **about}
            for path, (kind, name) in places.items()
        },
    }
    ann = f"T1\t{odd[0]} 0 3\t{reference[:3]}\n#1\tAnnotatorNotes T1\t{odd[1]}\n"
    spans = "".join(f"T{n}\tSCU 0 {end}\t{summary[:end]}\n" for n, end in enumerate(ends, 1))
    files = {
        "pyramidion.json": json.dumps(manifest),
        "Kim/r.txt": reference,
        "Kim/r.ann": ann,
        "Kim/s.txt": summary,
        "Kim/s.ann": f"{spans}A1\tUnit T1 {odd[1].replace(' ', '_')}\nR1\tCause Arg1:T1 Arg2:T2\n",
    }
    return {path: content.encode("utf-8", "surrogatepass") for path, content in files.items()}


def label_studio(chance: random.Random) -> Files:
    rows: list[Any] = []
    for system in ("S1", "S2"):
        text = texts(chance)
        words = {"start": 0, "end": 3, "text": text[:3], "labels": ["Wrong"]}
        given = (
            ("labels", words),
            ("rating", {"rating": 3}),
            ("number", {"number": 2.5}),
            ("choices", {"choices": [system]}),
            ("textarea", {"text": ["good"]}),
        )
        results = [{"from_name": kind, "type": kind, "value": value} for kind, value in given]
        annotations = [{"completed_by": {"email": "kim@example.org"}, "result": results}]
        rows.append({"data": {"topic": "D1", "system": system, "text": text}, "annotations": annotations})
    data = {"topic": "D1", "systems": ["S1", "S2"]}
    pair = {"from_name": "better", "type": "pairwise", "value": {"selected": "left"}}
    rows.append({"data": data, "annotations": [{"completed_by": 3, "result": [pair]}]})
    content = json.dumps(changed(rows, chance), ensure_ascii=chance.random() < 0.5)
    return {"tasks.json": content.encode("utf-8", "surrogatepass")}


def doccano(chance: random.Random) -> Files:
    reference, summary = texts(chance), texts(chance)
    who = {"topic": "D1", "annotator": "Kim"}
    units = {"SCU:1": {"label": "ban", "note": "", "importance": "", "comment": ""}}
    scus = {"owner": "Kim", "kind": "scu", "units": units, "done": True, "list_done": True}
    rows: list[Any] = [
        {"text": reference, "label": [[0, 3, "SCU:1"]], **who, "author": "A", **scus},
        {"text": summary, "label": [[0, 3, "SCU:1"]], **who, "system": "S1", **scus},
        {"text": summary, "label": [[0, 2, "Wrong"]], **who, "system": "S1", "scale": "errors"},
        {"text": summary, "label": ["4"], **who, "system": "S1", "scale": "fluency", "kind": "number"},
    ]
    rows.append({"text": summary, "label": [], "Comments": ["good"], **who, "system": "S1"})
    return {"rows.jsonl": lines(changed(rows, chance), chance)}


def potato(chance: random.Random) -> Files:
    rows: list[Any] = []
    for system in ("S1", "S2"):
        text = texts(chance)
        span = {"schema": "errors", "start": 0, "end": 3, "span": text[:3], "annotation": "Wrong"}
        labels = {"fluency": {"scale_4": "4"}, "verdict": {system: "true"}, "remarks": {"text_box": "good"}}
        about = {"topic": "D1", "system": system, "annotator": "Kim"}
        head = {"id": f"D1.summary.{system}", "displayed_text": text}
        rows.append({**head, "label_annotations": labels, "span_annotations": [span], **about})
    pair = {"topic": "D1", "systems": ["S1", "S2"], "label_annotations": {"better": {"selection": "A"}}}
    rows.append({"id": "pair-1", **pair, "span_annotations": [], "annotator": "Kim"})
    return {"annotated_instances.jsonl": lines(changed(rows, chance), chance)}


def potato_2(chance: random.Random) -> Files:
    """The folder of a task with its configuration, its texts and the state of an annotator."""
    items = [
        {"id": system, "text": texts(chance), "topic": "D1", "system": system} for system in ("S1", "S2")
    ]
    span = {"schema": "errors", "name": "Wrong", "start": 0, "end": 1}
    label = {"schema": "fluency", "name": "scale_4"}, {"schema": "verdict", "name": "good"}
    state: dict[str, Any] = {"user_id": "Kim"}
    state["instance_id_to_label_to_value"] = {"S1": [[label[0], "4"]], "S2": [[label[1], "true"]]}
    state["instance_id_to_span_to_value"] = {"S1": [[span, "Wrong"]]}
    state = next(iter(changed([state], chance)), {})
    schemes = [{"annotation_type": "radio", "name": "verdict", "labels": ["good", "bad"]}]
    config = {"data_files": ["texts.jsonl"], "annotation_schemes": changed(schemes, chance)}
    content = {"config.yaml": json.dumps(config), "out/Kim/user_state.json": json.dumps(state)}
    files = {name: one.encode("utf-8", "surrogatepass") for name, one in content.items()}
    return {**files, "texts.jsonl": lines(changed(items, chance), chance)}


def webanno_tsv(chance: random.Random) -> Files:
    """A summary as WebAnno TSV, with the list of texts in an archive."""
    text = texts(chance).replace("\r", " ")
    cell = chance.choice(["Wrong", "*", "a|b", "a[1]", "[", "->", "\\", *STRINGS[:5]])
    rows = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=webanno.custom.Errors|value", "", ""]
    rows += [f"#Text={line}" for line in text.replace("\\", "\\\\").split("\n")]
    rows += [f"1-1\t0-3\t{text[:3]}\t{cell}\t", f"1-2\t{chance.choice([4, 9**9])}-7\tx\ta[1]", ""]
    return {"project.zip": _project("Kim/s.tsv", "\n".join(rows), chance)}


def cas(chance: random.Random) -> Files:
    """A summary as a CAS document, as XMI or JSON, with the list of texts in an archive."""
    text = texts(chance)
    ends = [chance.choice([3, len(text) if text.isascii() else 3]) for _ in range(2)]
    about = {"kind": "scu", "unit": "1", "label": "ban", "owner": "Kim", "part": "1.1"}
    places = [{"begin": 0, "end": end, **about} for end in ends]
    sofa = {"sofaNum": 1, "sofaID": "_InitialView", "sofaString": text}
    if is_json := chance.random() < 0.5:
        structures: list[Any] = [{"%ID": 1, "%TYPE": "uima.cas.Sofa", **sofa}]
        for number, place in enumerate(places, 2):
            kind = "webanno.custom.PyramidionUnit"
            structures.append({"%ID": number, "%TYPE": kind, "@sofa": 1, **place})
        record = {"%TYPES": {}, "%FEATURE_STRUCTURES": changed(structures, chance), "%VIEWS": {}}
        document = json.dumps(record)
    else:
        odd = chance.choice([s for s in STRINGS if _is_xml(s)]) if chance.random() < 0.2 else "ban"
        units = "".join(
            f'<custom:PyramidionUnit xmi:id="{number}" sofa="1" begin="0" end="{place["end"]}" '
            f'kind="scu" unit="1" label={quoteattr(odd)} owner="Kim"/>'
            for number, place in enumerate(places, 2)
        )
        document = (
            '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
            f'xmlns:custom="http:///webanno/custom.ecore">{units}<cas:Sofa xmi:id="1" sofaNum="1" '
            f'sofaID="_InitialView" sofaString={quoteattr(text)}/></xmi:XMI>'
        )
    return {"project.zip": _project(f"Kim/s.{'json' if is_json else 'xmi'}", document, chance)}


def _project(name: str, document: str, chance: random.Random) -> bytes:
    """Return an archive with a document of a summary and the list of texts."""
    entry = {"topic": "D1", "kind": "summary", "name": "S1", "annotator": "Kim", "sentences": None}
    entry |= {"done": [["Kim", "scu"]], "rated": [], "without_span": []}
    manifest = {"format": "pyramidion annotations", "version": 1, "scales": [], "types": {}, "lists": []}
    manifest["texts"] = {name: entry}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
        archive.writestr("pyramidion.json", json.dumps(manifest))
        archive.writestr(name, document.encode("utf-8", "surrogatepass"))
    return packed.getvalue()


def reworded(content: bytes, chance: random.Random) -> bytes:
    """A file of DUCView with another expression, label, number or line."""
    text = content.decode()
    pieces = [r"[-]+\n D[0-9]+\.M\.[A-Z]\n[-]+\n", "The ban fell", "late", "D7.M.A", 'uid="12"', 'start="20"']
    for _ in range(chance.choice([0, 1, 1, 2])):
        piece = chance.choice(pieces)
        odd = chance.choice([s for s in STRINGS if _is_xml(s)])
        if piece.endswith('"'):
            number = chance.choice([odd, "0", "7", "43", "99", "107"])
            text = text.replace(piece, piece.partition("=")[0] + "=" + quoteattr(number), 1)
        else:
            text = text.replace(piece, escape(odd, {'"': "&quot;"}) if "]]>" not in odd else "x", 1)
    return text.encode()


def _is_xml(text: str) -> bool:
    return all(
        sign in "\t\n" or (ord(sign) >= 32 and not 0xD800 <= ord(sign) <= 0xDFFF) for sign in text
    ) and not (set(text) & {"\ufffe", "\uffff"})


def changed(rows: list[Any], chance: random.Random) -> list[Any]:
    """Rows with values, fields or rows exchanged for odd ones."""
    rows = json.loads(json.dumps(rows))
    for _ in range(chance.choice([0, 1, 1, 1, 2, 3])):
        holder: Any = rows
        while True:
            key = chance.choice(list(holder) if isinstance(holder, Mapping) else range(len(holder)))
            inner = holder[key]
            if not isinstance(inner, (list, dict)) or not inner or chance.random() < 0.15:
                break
            holder = inner
        way = chance.random()
        if way < 0.45:
            holder[key] = chance.choice(STRINGS)
        elif way < 0.75:
            holder[key] = deepcopy(chance.choice(VALUES))
        elif way < 0.85 and isinstance(holder, dict):
            holder[chance.choice(STRINGS)] = holder.pop(key)
        elif way < 0.92 and len(holder) > 1:
            del holder[key]
        elif isinstance(holder, list):
            holder.insert(key, deepcopy(inner))
    return rows


def lines(rows: list[Any], chance: random.Random) -> bytes:
    is_ascii = chance.random() < 0.5
    text = "\n".join(json.dumps(row, ensure_ascii=is_ascii) for row in rows) + "\n"
    return text.encode("utf-8", "surrogatepass")


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Bytes cut, repeated, inserted, exchanged or swapped."""
    if not content:
        return chance.choice(BYTES)
    at = chance.randrange(len(content))
    way = chance.randrange(5)
    if way == 0:
        return content[:at] + content[at + chance.randrange(1, 40) :]
    if way == 1:
        return content[:at] + content[at : at + chance.randrange(1, 200)] + content[at:]
    if way == 2:
        return content[:at] + chance.choice(BYTES) + content[at:]
    if way == 3:
        return content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
    to = chance.randrange(len(content))
    first, last = min(at, to), max(at, to)
    return content[:first] + content[last:] + content[first:last]


@dataclass(frozen=True, slots=True)
class Kind:
    """A format with its seeds.

    is_folder: the folder itself is imported. damage: how often bytes are changed.
    """

    name: str
    format: str
    make: Callable[[random.Random], Files]
    is_folder: bool = False
    damage: float = 0.3
    options: tuple[Mapping[str, str], ...] = ({},)


def excerpt(name: str, chance: random.Random) -> Files:
    """Return an excerpt of a published file with values exchanged for odd ones."""
    found = dict(mapping_seeds.EXCERPTS[name])
    file = chance.choice(list(found))
    text = found[file].decode()
    if file.endswith(".jsonl"):
        found[file] = lines(changed([json.loads(line) for line in text.splitlines()], chance), chance)
    elif file.endswith(".json"):
        found[file] = json.dumps(changed([json.loads(text)], chance)[0]).encode()
    else:
        rows = list(csv.reader(io.StringIO(text, newline=""))) if file.endswith(".csv") else [[text]]
        for _ in range(chance.choice([0, 1, 1, 2])):
            row = chance.choice(rows)
            row[chance.randrange(len(row))] = chance.choice(STRINGS)
        out = io.StringIO()
        csv.writer(out).writerows(rows)
        text = out.getvalue() if file.endswith(".csv") else rows[0][0]
        found[file] = text.encode("utf-8", "surrogatepass")
    return found


KINDS = (
    Kind("SummEval", "summeval", summeval),
    Kind("sacrerouge", "sacrerouge", sacrerouge),
    Kind("CSV and TSV", "table", csv_table),
    Kind("JSONL tables", "table", jsonl_table),
    Kind("foreign tables", "columns", foreign_csv),
    Kind("XLSX", "columns", table_seeds.workbook, damage=0.4),
    Kind("Parquet", "columns", table_seeds.parquet, damage=0.4),
    Kind("data sets", "data-set", table_seeds.data_set, is_folder=True, damage=0.4),
    Kind("published ratings", "", published),
    Kind("Newsroom", "newsroom", newsroom),
    Kind("TAC", "tac", table_seeds.tac, is_folder=True, damage=0.6),
    Kind("text folders", "folders", folders, is_folder=True),
    Kind(".pyr", "ducview", pyramids, damage=0.6, options=({}, {"split": "proposed", "repair": "yes"})),
    Kind(".pan", "ducview", annotations, damage=0.6, options=({}, {"split": "proposed", "repair": "yes"})),
    Kind("DUCView folders", "ducview", ducview_folder, is_folder=True),
    Kind("mt-metrics-eval", "mt-metrics-eval", mt_metrics_eval, is_folder=True),
    Kind("RoSE", "rose", rose),
    Kind("Lite2Pyramid", "lite2pyramid", lite2pyramid, is_folder=True),
    Kind("brat", "brat", brat_folder, is_folder=True),
    Kind("Label Studio", "label-studio", label_studio),
    Kind("doccano", "doccano", doccano),
    Kind("Potato", "potato", potato),
    Kind("Potato 2", "potato", potato_2, is_folder=True),
    Kind("INCEpTION", "inception", cas),
    Kind("WebAnno TSV", "inception", webanno_tsv),
    Kind("ROUGE XML", "rouge-settings", rouge_xml, options=({}, {"outside": "anywhere"})),
    *(
        Kind(name, name.split()[0], partial(excerpt, name), is_folder=name in mapping_seeds.FOLDERS)
        for name in mapping_seeds.EXCERPTS
    ),
)


def case_of(kind: Kind, chance: random.Random) -> tuple[Files, Mapping[str, str]]:
    """A case of a kind, with the options that it is imported with."""
    files = kind.make(chance)
    if chance.random() < kind.damage:
        for _ in range(chance.choice([1, 1, 2, 5])):
            name = chance.choice(list(files))
            files[name] = damaged(files[name], chance)
    return files, chance.choice(kind.options)
