"""A local server with the required part of the Hugging Face Hub API, and with plain files; it can fail."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

LARGE = 4096
"""Files from this size on are listed with a SHA-256, as large ones are on the hub."""


@dataclass
class Hub:
    """Files and behaviour of the server. As on the hub, large files come from another server.

    breaks_at: bytes after which it closes the connection, one for each response with a file.
    spoiled: names of files that it sends damaged.
    ignores_ranges: send whole files whatever range is requested.
    gated: repositories for those with a token in `accepted`, who accepted the licence. valid: other tokens.
    refusals: codes of the next answers, such as 429.
    pieces: bytes of a piece, with a pause after each; 0 = all at once.
    requests: path and range of each request. redirects: addresses by path.
    tokens: given with requests to the hub. strayed: given to the server of large files.
    answer: sent instead of every list of files, empty = the true list.
    """

    files: Mapping[str, Mapping[str, bytes]]
    breaks_at: list[int] = field(default_factory=list)
    spoiled: set[str] = field(default_factory=set)
    ignores_ranges: bool = False
    gated: set[str] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)
    valid: set[str] = field(default_factory=set)
    refusals: list[int] = field(default_factory=list)
    pieces: int = 0
    requests: list[tuple[str, str]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    strayed: list[str] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    answer: bytes = b""
    address: str = ""
    store: str = ""

    def about(self, repository: str) -> dict[str, Any]:
        return {
            "id": repository,
            "sha": "c0ffee",
            "siblings": [_row(*item) for item in self.files[repository].items()],
        }


def _row(name: str, content: bytes) -> dict[str, Any]:
    blob = hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()
    row: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": blob}
    if len(content) >= LARGE:
        digest = hashlib.sha256(content).hexdigest()
        row["lfs"] = {"size": len(content), "sha256": digest, "pointerSize": 130}
        row["blobId"] = "0" * 40
    return row


@contextmanager
def serving(repositories: Mapping[str, Path]) -> Iterator[Hub]:
    """Serve folders by their names on the hub."""
    files = {
        name: {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}
        for name, folder in repositories.items()
    }
    hub = Hub(files)
    with _running(_handler(hub)) as hub.address, _running(_store(hub)) as hub.store:
        yield hub


@contextmanager
def _running(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Run a server and return its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            hub.requests.append((path, self.headers.get("Range", "")))
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            hub.tokens.append(token)
            kind, _, rest = path.partition("/")
            is_list = kind == "api"
            rest = rest.partition("/")[2] if is_list else path.removeprefix("datasets/")
            repository, _, file = rest.partition("/revision/" if is_list else "/resolve/c0ffee/")
            if hub.refusals:
                self._refuse(hub.refusals.pop(0))
            elif path in hub.redirects:
                self._redirect(hub.redirects[path])
            elif not is_list and "/resolve/" not in path:  # a server of plain files
                repository, _, file = path.partition("/")
                content = hub.files.get(repository, {}).get(file)
                self._refuse(404) if content is None else _send(hub, self, file, content)
            elif token and token not in hub.accepted | hub.valid:
                self._refuse(401, message="Invalid credentials in Authorization header")
            elif repository in hub.gated and token not in hub.accepted:
                self._refuse(403 if token else 401, "GatedRepo")
            elif repository not in hub.files:
                self._refuse(404 if token else 401, "RepoNotFound")
            elif is_list:
                self._send_metadata(repository)
            elif file not in hub.files[repository]:
                self._refuse(404, "EntryNotFound")
            elif len(content := hub.files[repository][file]) >= LARGE:
                digest = hashlib.sha256(content).hexdigest()
                self._redirect(
                    f"{hub.store}/{repository}/{file}",
                    {
                        "X-Repo-Commit": "c0ffee",
                        "X-Linked-ETag": f'"{digest}"',
                        "X-Linked-Size": len(content),
                    },
                )
            else:
                _send(hub, self, file, content)

        def log_message(self, *_: Any) -> None:
            pass

        def _refuse(self, code: int, reason: str = "", message: str = "") -> None:
            self.send_response(code)
            self.send_header("X-Error-Code", reason)
            self.send_header("X-Error-Message", message)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _redirect(self, address: str, headers: Mapping[str, object] = MappingProxyType({})) -> None:
            self.send_response(302)
            for name, value in {"Location": address, **headers, "Content-Length": 0}.items():
                self.send_header(name, str(value))
            self.end_headers()

        def _send_metadata(self, repository: str) -> None:
            message = hub.answer or json.dumps(hub.about(repository)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(message)))
            self.end_headers()
            self.wfile.write(message)

    return Handler


def _store(hub: Hub) -> type[BaseHTTPRequestHandler]:
    """Return a server of large files, at addresses that need no token."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            hub.strayed += filter(None, [self.headers.get("Authorization")])
            owner, name, file = path.split("/", 2)
            _send(hub, self, file, hub.files[f"{owner}/{name}"][file])

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


def _send(hub: Hub, to: BaseHTTPRequestHandler, name: str, content: bytes) -> None:
    start = 0 if hub.ignores_ranges else _start(to.headers.get("Range", ""))
    if start > len(content):
        to.send_error(416)
        return
    body = content[start:]
    if name in hub.spoiled:
        body = bytes(255 - byte for byte in body)
    to.send_response(206 if start else 200)
    to.send_header("Content-Length", str(len(body)))
    to.end_headers()
    if len(content) >= LARGE and hub.breaks_at:
        to.wfile.write(body[: hub.breaks_at.pop(0)])
        to.close_connection = True
        return
    step = hub.pieces or len(body) or 1
    with suppress(ConnectionError):  # who stops a download closes the connection
        for place in range(0, len(body), step):
            to.wfile.write(body[place : place + step])
            time.sleep(0.01 if hub.pieces else 0)


def _start(byte_range: str) -> int:
    return int(byte_range.removeprefix("bytes=").rstrip("-")) if byte_range else 0
