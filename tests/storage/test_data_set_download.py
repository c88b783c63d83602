"""Data sets from a local server: checked, resumed, refused and imported."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from re import fullmatch
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from core.domain.data_origin import DATA_SET_SETTING, DataOrigin
from core.errors import InputError
from core.files import downloads
from core.files.data_sets import DataSet, HubFolder
from core.files.downloads import RemoteFile
from core.models.catalogue.user_models import user_models
from core.operations.options import ReportRequest
from core.progress import Cancelled, cancellable, run_to_completion
from core.report import main_part
from storage.data_set_download import RECORD, download, import_steps
from storage.datasets import catalogue
from storage.datasets.catalogue import data_sets
from storage.formats import import_registry
from storage.study_file import new_study
from tests.core.models.hub_server import LARGE, Hub, serving

FILES = {
    "SCUs.txt": b"A bridge fell.\n",
    "references.txt": b"The bridge fell" + b" and fell" * LARGE + b".\n",
    "summaries/bart.summary": b"It fell.\n",
    "labels/bart.label": b"1\n",
}
SCORES = b'{"instance_id": "t", "summarizer_id": "S", "summarizer_type": "peer", "summary": {"text": "A."}}\n'


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A server with a data set as plain files, and one on the hub."""
    user_models().use_folder(tmp_path / "settings")
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(downloads, "PAUSE_S", 0.0)
    with serving({}) as served:
        served.files = {
            "plain": {**FILES, "scores.jsonl": SCORES},
            "somebody/set": {"part/0.parquet": b"x" * LARGE},
        }
        monkeypatch.setenv("HF_ENDPOINT", served.address)
        yield served


def data_set(served: Hub, *files: RemoteFile, **more: object) -> DataSet:
    about = {
        "title": "Tiny",
        "about": "",
        "citation": "Nobody 2020",
        "page": "https://example.org",
        "licence": "MIT",
    }
    facts = {"name": "tiny", "format": "sacrerouge", "address": f"{served.address}/plain/", **about, **more}
    return DataSet(files=files, **facts)  # type: ignore[arg-type]


def folder_set(hub: Hub) -> DataSet:
    hashed = [RemoteFile(n, len(c), hashlib.sha256(c).hexdigest()) for n, c in FILES.items()]
    return data_set(hub, *hashed, format="lite2pyramid", is_folder=True)


def test_a_data_set_is_checked_imported_and_its_origin_stored(hub: Hub, tmp_path: Path) -> None:
    steps = list(download(folder_set(hub), tmp_path))
    assert [step.done for step in steps if step.total] == sorted(step.done for step in steps if step.total)
    assert steps[-1].total == sum(map(len, FILES.values()))
    hub.requests.clear()
    there = run_to_completion(download(folder_set(hub), tmp_path))
    assert hub.requests == [], "what is there and sound is not downloaded again"
    assert (there.path, there.unverified) == (tmp_path / "tiny", ())
    with new_study(tmp_path / "a.pyramidion") as study:
        counts = run_to_completion(import_steps(study, there, {}))
        assert counts.added["matches"] == 1
        origin = DataOrigin.from_text(study.settings.get(f"{DATA_SET_SETTING}.tiny"))
    assert origin is not None
    assert origin.sha256["SCUs.txt"] == hashlib.sha256(FILES["SCUs.txt"]).hexdigest()
    assert (origin.name, origin.unverified) == ("tiny", ())
    assert origin.sentence.startswith("The data are Tiny (Nobody 2020), https://example.org, downloaded on 2")
    assert origin.sentence.endswith("The files had the published hashes.")


@pytest.mark.parametrize("text", ["", "[]", "{", "7", '{"name": "x"}', "[" * 100_000])
def test_a_damaged_origin_counts_as_none(text: str) -> None:
    assert DataOrigin.from_text(text) is None


def test_a_report_names_the_source_and_what_was_not_checked(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = run_to_completion(download(data_set(hub, RemoteFile("scores.jsonl", 0)), tmp_path))
    monkeypatch.setattr(main_part, "report_command", lambda inputs: "")
    with new_study(tmp_path / "a.pyramidion") as study:
        inputs: Any = SimpleNamespace(study=study, request=ReportRequest(), digest="")
        assert len(main_part.reproduction_section(inputs)[0].paragraphs) == 1
        run_to_completion(import_steps(study, there, {}))
        first = main_part.reproduction_section(inputs)[0].paragraphs[0]
    digest = hashlib.sha256(SCORES).hexdigest()
    assert f"No published hash was known to check scores.jsonl (SHA-256 {digest})." in first


def test_a_damaged_file_is_deleted_and_downloaded_again(hub: Hub, tmp_path: Path) -> None:
    hub.spoiled = {"references.txt"}
    with pytest.raises(InputError, match=r"references\.txt is damaged: it does not match the published hash"):
        run_to_completion(download(folder_set(hub), tmp_path))
    assert not list(tmp_path.glob("tiny/references*"))
    hub.spoiled = set()
    run_to_completion(download(folder_set(hub), tmp_path))
    (tmp_path / "tiny/SCUs.txt").write_text("Changed.\n")
    hub.requests.clear()
    run_to_completion(download(folder_set(hub), tmp_path))
    assert [path for path, _ in hub.requests] == ["plain/SCUs.txt"]


def test_a_file_with_gits_hash_only_is_checked_by_it(hub: Hub, tmp_path: Path) -> None:
    blob = hashlib.sha1(b"blob %d\0" % len(SCORES) + SCORES).hexdigest()
    run_to_completion(download(data_set(hub, RemoteFile("scores.jsonl", 0, blob=blob)), tmp_path))
    hub.spoiled = {"scores.jsonl"}
    with pytest.raises(InputError, match="is damaged"):
        run_to_completion(download(data_set(hub, RemoteFile("scores.jsonl", 0, blob=blob)), tmp_path / "b"))


def test_an_interrupted_download_resumes_if_the_hash_is_known(hub: Hub, tmp_path: Path) -> None:
    hub.breaks_at = [1000, 10, 10, 10]
    with pytest.raises(InputError, match="Download tiny again to resume"):
        run_to_completion(download(folder_set(hub), tmp_path))
    hub.requests.clear()
    run_to_completion(download(folder_set(hub), tmp_path))
    assert ("plain/references.txt", "bytes=1030-") in hub.requests


def test_without_a_known_hash_it_starts_again(hub: Hub, tmp_path: Path) -> None:
    hub.files = {"plain": {"scores.jsonl": SCORES * LARGE}}
    hub.breaks_at = [1000]
    run_to_completion(download(data_set(hub, RemoteFile("scores.jsonl", 0)), tmp_path))
    assert [wanted for _, wanted in hub.requests] == ["", ""]
    assert (tmp_path / "tiny/scores.jsonl").read_bytes() == SCORES * LARGE


def test_a_cancelled_download_stops_and_leaves_no_file_of_that_name(hub: Hub, tmp_path: Path) -> None:
    with cancellable(lambda: len(hub.requests) > 1), pytest.raises(Cancelled):
        run_to_completion(download(folder_set(hub), tmp_path))
    assert not (tmp_path / "tiny/references.txt").exists()


def test_a_file_without_a_known_hash_is_compared_with_the_first_download(hub: Hub, tmp_path: Path) -> None:
    wanted = data_set(hub, RemoteFile("scores.jsonl", 0))
    first = run_to_completion(download(wanted, tmp_path))
    assert (first.unverified, first.first) == (("scores.jsonl",), ("scores.jsonl",))
    again = run_to_completion(download(wanted, tmp_path))
    assert (again.unverified, again.first) == (("scores.jsonl",), ())
    (tmp_path / "tiny/scores.jsonl").unlink()
    hub.files = {"plain": {"scores.jsonl": SCORES + b"\n"}}
    old, new = (hashlib.sha256(content).hexdigest() for content in (SCORES, SCORES + b"\n"))
    with pytest.raises(InputError, match=rf"SHA-256 is {new}, but was {old}.*Accept it only if"):
        run_to_completion(download(wanted, tmp_path))
    assert not (tmp_path / "tiny/scores.jsonl").exists()
    run_to_completion(download(wanted, tmp_path, accepts_changes=True))
    assert run_to_completion(download(wanted, tmp_path)).hashes == {"scores.jsonl": new}


@pytest.mark.parametrize("content", ["", "[", '{"tiny": 7}', '{"tiny": {"scores.jsonl": []}}'])
def test_a_damaged_record_of_first_downloads_is_written_again(hub: Hub, tmp_path: Path, content: str) -> None:
    (tmp_path / RECORD).write_text(content)
    run_to_completion(download(data_set(hub, RemoteFile("scores.jsonl", 0)), tmp_path))
    assert json.loads((tmp_path / RECORD).read_text())["tiny"]["scores.jsonl"]["sha256"]


def test_a_file_larger_than_announced_is_refused(hub: Hub, tmp_path: Path) -> None:
    small = RemoteFile("references.txt", 100, "0" * 64)
    with pytest.raises(InputError, match=r"larger than expected \(100 bytes\)"):
        run_to_completion(download(data_set(hub, small), tmp_path))
    assert not list(tmp_path.glob("tiny/*"))


def test_a_refusal_names_the_page_and_offline_nothing_is_asked(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = data_set(hub, RemoteFile("gone.jsonl", 0))
    with pytest.raises(InputError, match=r"HTTP 404.*https://example\.org and import it as sacrerouge"):
        run_to_completion(download(missing, tmp_path))
    hub.requests.clear()
    monkeypatch.setenv("PYRAMIDION_OFFLINE", "1")
    with pytest.raises(InputError, match="disables downloads"):
        run_to_completion(download(missing, tmp_path))
    assert hub.requests == []


def test_a_file_on_the_hub_has_the_hubs_hash_and_the_first_downloads(hub: Hub, tmp_path: Path) -> None:
    place = HubFolder("somebody/set", "refs/convert/parquet", "part")
    wanted = data_set(hub, hub=place, address="")
    there = run_to_completion(download(wanted, tmp_path))
    assert (there.path.name, there.unverified) == ("tiny.parquet", ())
    assert hub.requests[0][0] == "api/datasets/somebody/set/revision/refs/convert/parquet"
    hub.requests.clear()
    run_to_completion(download(wanted, tmp_path))
    assert hub.requests == []
    there.path.unlink()
    hub.files = {"somebody/set": {"part/0.parquet": b"y" * LARGE}}
    with pytest.raises(InputError, match="Accept it only if"):
        run_to_completion(download(wanted, tmp_path))
    hub.files = {"somebody/set": {"part/0.parquet": b"y" * LARGE, "part/1.parquet": b"z" * LARGE}}
    with pytest.raises(InputError, match="has 2 Parquet files in part"):
        run_to_completion(download(wanted, tmp_path))


Run = Callable[..., tuple[int, str, str]]


def test_the_command_makes_a_study_and_says_what_was_not_verified(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cli.main import main

    monkeypatch.setenv("PYRAMIDION_CACHE", str(tmp_path / "cache"))
    known = (data_set(hub, RemoteFile("scores.jsonl", 0)),)
    monkeypatch.setattr(catalogue, "data_sets", lambda: known)
    study = tmp_path / "a.pyramidion"
    assert main(["get", "tiny", "-o", str(study)]) == 0
    printed = capsys.readouterr()
    assert "Not verified: no published hash of scores.jsonl is known" in printed.err + printed.out
    assert "Cite Nobody 2020" in printed.err + printed.out
    hub.requests.clear()
    assert main(["get", "tiny", "-o", str(study)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert main(["get", "other", "-o", str(study)]) == 1
    assert "Choose one of: tiny" in capsys.readouterr().err
    assert hub.requests == []
    hub.files = {"plain": {"scores.jsonl": b"{\n"}}
    broken = tmp_path / "b.pyramidion"
    monkeypatch.setenv("PYRAMIDION_CACHE", str(tmp_path / "other"))
    assert main(["get", "tiny", "-o", str(broken)]) == 1
    assert "Not JSON" in capsys.readouterr().err
    assert not list(tmp_path.glob("b.pyramidion*"))


def test_every_address_is_the_authors_and_every_hash_belongs_to_a_commit() -> None:
    formats = {known.name for known in import_registry.formats()}
    for one in data_sets():
        assert one.format in formats, one.name
        assert one.page.startswith("https://")
        if one.hub is not None:
            continue
        assert one.address.startswith("https://")
        assert one.address.endswith("/")
        for file in one.files:
            if file.has_hash:
                assert fullmatch(
                    r"https://raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/[0-9a-f]{40}/.*", one.address
                )
                assert fullmatch("[0-9a-f]{64}" if file.sha256 else "[0-9a-f]{40}", file.sha256 or file.blob)
    assert len({one.name for one in data_sets()}) == len(data_sets())


def test_redirects_lead_to_http_or_https_only(hub: Hub, tmp_path: Path) -> None:
    hub.redirects = {"plain/moved.jsonl": f"{hub.address}/plain/scores.jsonl"}
    there = run_to_completion(download(data_set(hub, RemoteFile("moved.jsonl", 0)), tmp_path))
    assert there.path.read_bytes() == SCORES
    hub.redirects = {"plain/elsewhere.jsonl": "ftp://127.0.0.1:1/a"}
    with pytest.raises(InputError, match="redirects to ftp://127"):
        run_to_completion(download(data_set(hub, RemoteFile("elsewhere.jsonl", 0)), tmp_path))


def test_an_encrypted_download_is_not_redirected_to_an_open_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = httpx2.MockTransport(
        lambda request: httpx2.Response(302, headers={"location": "http://b.org/a"})
    )
    client = partial(httpx2.Client, transport=answer)
    monkeypatch.setattr(httpx2, "Client", client)
    batch = downloads.Batch("tiny", 0, 0)
    with pytest.raises(InputError, match=r"a\.org redirects to http://b\.org, which is not encrypted"):
        list(downloads.fetch(RemoteFile("a", 0), "https://a.org/a", tmp_path, batch))


@pytest.mark.parametrize(
    "answer",
    [b"[]", b"{", b"[" * 100_000, b'{"siblings": [1]}', b'{"siblings": [{"rfilename": "a", "lfs": 1}]}'],
)
def test_a_damaged_list_of_files_is_named(hub: Hub, tmp_path: Path, answer: bytes) -> None:
    hub.answer = answer
    rose = data_set(hub, hub=HubFolder("somebody/set", "v", "part"))
    with pytest.raises(InputError, match="gave no list of the files of somebody/set"):
        run_to_completion(download(rose, tmp_path))
