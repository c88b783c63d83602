"""Queries to the Hugging Face Hub, and the offline setting."""

from __future__ import annotations

import json
import os
import re
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request

from core.errors import InputError
from core.files.downloads import BROKEN, RemoteFile, error_reason, open_address
from core.models.catalogue.conversion import OLD_WEIGHTS, WEIGHTS
from core.models.catalogue.user_models import user_models

HUB = "https://huggingface.co"
_FILES = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "sentencepiece.bpe.model",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
)
"""Files of a model other than its weights; none of them can contain code. The older PyTorch weight files can:
if the hub has no others, only their tensors are read, and only the converted file is stored.
"""

_SHARD = re.compile(r"model-[\w-]+\.safetensors", re.ASCII)
_MODULE = re.compile(r"[0-9]\w*", re.ASCII)
"""Folder of a module of a sentence encoder, such as 1_Pooling."""

_LONGEST_ANSWER = 64 * 2**20

_OFFLINE = ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model on the hub. revision: commit of its files."""

    repository: str
    revision: str
    files: tuple[RemoteFile, ...]

    @property
    def size(self) -> int:
        """Size of all files in bytes."""
        return sum(file.size for file in self.files)


def offline_reason() -> str:
    """Return why downloads are off, with the remedy; empty = they are on."""
    no = {"", "0", "no", "off", "false"}
    by = next((name for name in _OFFLINE if os.environ.get(name, "").strip().lower() not in no), "")
    if by:
        return f"{by} is set, which disables downloads. Unset it to download."
    if user_models().is_offline:
        return (
            "Offline mode is on, which disables downloads. Turn off “Work offline” "
            "under Score, Models…, or run: pyramidion models offline off"
        )
    return ""


def hub_address() -> str:
    """Return the address of the hub; HF_ENDPOINT can set a mirror."""
    return (os.environ.get("HF_ENDPOINT") or HUB).rstrip("/")


def query_hub(repository: str) -> HubModel:
    """Return the files of a model on the hub. Raises InputError if it or its weights are missing."""
    answer = _json(f"{hub_address()}/api/models/{quote(repository)}?blobs=true", repository)
    files = [_remote(row) for row in answer.get("siblings") or ()]
    names = {file.name for file in files}
    weights = {WEIGHTS} if WEIGHTS in names else {n for n in names if _is_shard(n)}
    weights = weights or names.intersection({OLD_WEIGHTS})
    if not weights:
        raise InputError(
            f"{repository} has neither {WEIGHTS} nor {OLD_WEIGHTS} on the hub. Convert it with transformers' "
            "save_pretrained, and add its folder."
        )
    needed = [file for file in files if file.name in weights or _is_needed(file.name)]
    return HubModel(repository, str(answer.get("sha") or "main"), tuple(needed))


def query_hub_data_set(repository: str, revision: str) -> tuple[str, list[RemoteFile]]:
    """Return the commit and the files of a data set on the hub. Raises InputError if there is none."""
    place = f"{hub_address()}/api/datasets/{quote(repository)}/revision/{quote(revision, safe='')}"
    answer = _json(f"{place}?blobs=true", repository)
    files = [_remote(row) for row in answer.get("siblings") or ()]
    return str(answer.get("sha") or revision), files


def _json(address: str, repository: str) -> dict[str, Any]:
    try:
        with closing(open_address(request_to(address))) as response:
            answer = json.loads(response.read(_LONGEST_ANSWER))
        for row in answer.get("siblings") or ():
            _remote(row)
    except HTTPError as error:
        raise http_error(repository, error) from error
    except BROKEN as error:
        raise InputError(
            f"{hub_address()} cannot be reached ({error_reason(error)}). Try again later."
        ) from error
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise InputError(
            f"{hub_address()} gave no list of the files of {repository}. Check HF_ENDPOINT, or try again "
            "later."
        ) from error
    return dict(answer)


def http_error(repository: str, error: HTTPError) -> InputError:
    """Return the error for a refused request."""
    if error.code in {401, 403, 404}:
        return InputError(
            f"The hub has no public model or data set {repository} (HTTP {error.code}). Check the name; one "
            "that requires an account must be downloaded manually and added as a folder."
        )
    return InputError(f"The hub rejected the request for {repository} (HTTP {error.code}). Try again later.")


def _remote(row: dict[str, Any]) -> RemoteFile:
    large = row.get("lfs") or {}
    size = large.get("size") or row.get("size") or 0
    return RemoteFile(
        str(row["rfilename"]), int(size), str(large.get("sha256") or ""), str(row.get("blobId") or "")
    )


def _is_shard(name: str) -> bool:
    return name == f"{WEIGHTS}.index.json" or _SHARD.fullmatch(name) is not None


def _is_needed(name: str) -> bool:
    head, _, last = name.rpartition("/")
    if not head:
        return name in _FILES
    return _MODULE.fullmatch(head) is not None and last in {"config.json", WEIGHTS}


def request_to(address: str) -> Request:
    """Return a request to the hub. Raises InputError if HF_ENDPOINT is not a valid address."""
    if not address.startswith(("https://", "http://")):
        raise InputError(f"HF_ENDPOINT={hub_address()} is not a valid address; it must begin with https://.")
    return Request(address, headers={"User-Agent": "pyramidion"})
