"""A local server with the required part of the Hugging Face Hub API, and with plain files; it can fail."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

LARGE = 4096
"""Files from this size on are listed with a SHA-256, as large ones are on the hub."""


@dataclass
class Hub:
    """Files and behaviour of the server.

    breaks_at: bytes after which it closes the connection, one for each response with a file.
    spoiled: names of files that it sends damaged.
    ignores_ranges: send whole files whatever range is requested.
    requests: path and range of each request. redirects: addresses by path.
    answer: sent instead of every list of files, empty = the true list.
    """

    files: Mapping[str, Mapping[str, bytes]]
    breaks_at: list[int] = field(default_factory=list)
    spoiled: set[str] = field(default_factory=set)
    ignores_ranges: bool = False
    requests: list[tuple[str, str]] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    answer: bytes = b""
    address: str = ""

    def about(self, repository: str) -> dict[str, Any]:
        return {"sha": "c0ffee", "siblings": [_row(*item) for item in self.files[repository].items()]}


def _row(name: str, content: bytes) -> dict[str, Any]:
    blob = hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()
    row: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": blob}
    if len(content) >= LARGE:
        row["lfs"] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
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
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            hub.requests.append((path, self.headers.get("Range", "")))
            if path in hub.redirects:
                self.send_response(302)
                self.send_header("Location", hub.redirects[path])
                self.end_headers()
            elif path.startswith("api/models/"):
                self._send_metadata(path.removeprefix("api/models/"))
            elif path.startswith("api/datasets/"):
                self._send_metadata(path.removeprefix("api/datasets/").partition("/revision/")[0])
            else:
                where = "/resolve/c0ffee/" if "/resolve/" in path else "/"  # else a server of plain files
                repository, _, file = path.removeprefix("datasets/").partition(where)
                if file in hub.files.get(repository, {}):
                    self._send(file, hub.files[repository][file])
                else:
                    self.send_error(404)

        def log_message(self, *_: Any) -> None:
            pass

        def _send_metadata(self, repository: str) -> None:
            if repository not in hub.files:
                self.send_error(404)
                return
            message = hub.answer or json.dumps(hub.about(repository)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(message)))
            self.end_headers()
            self.wfile.write(message)

        def _send(self, name: str, content: bytes) -> None:
            start = 0 if hub.ignores_ranges else _start(self.headers.get("Range", ""))
            body = content[start:]
            if name in hub.spoiled:
                body = bytes(255 - byte for byte in body)
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if len(content) >= LARGE and hub.breaks_at:
                self.wfile.write(body[: hub.breaks_at.pop(0)])
                self.close_connection = True
            else:
                self.wfile.write(body)

    return Handler


def _start(byte_range: str) -> int:
    return int(byte_range.removeprefix("bytes=").rstrip("-")) if byte_range else 0
