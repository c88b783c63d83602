"""Queries to the Hugging Face Hub, and the offline setting."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import httpx2

from core.errors import InputError
from core.files.downloads import BROKEN, HEADERS, TIMEOUT_S, RemoteFile
from core.models.catalogue.conversion import OLD_WEIGHTS, WEIGHTS
from core.models.catalogue.lightning import HYPERPARAMETERS, RELEASED
from core.models.catalogue.user_models import user_models
from core.server_causes import cause_of
from core.server_secrets import checked_secret, may_receive_secrets, without_login

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import RepoSibling

T = TypeVar("T")

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
    "spm.model",
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
            "under Analyse › Models…, or run: pyramidion models offline off"
        )
    return ""


def hub_address() -> str:
    """Return the address of the hub; HF_ENDPOINT can set a mirror."""
    return (os.environ.get("HF_ENDPOINT") or HUB).rstrip("/")


def hub_headers() -> dict[str, str]:
    """Return the headers of requests to the hub: with a token if HF_TOKEN or `hf auth login` set one.

    Raises InputError if it would be sent unencrypted over a network.
    """
    from huggingface_hub import get_token

    token = checked_secret(get_token() or "", "The token of HF_TOKEN or `hf auth login`")
    if token and not may_receive_secrets(hub_address()):
        raise InputError(
            f"HF_ENDPOINT={without_login(hub_address())} would receive your token unencrypted. Use its https "
            "address, or remove the token: unset HF_TOKEN, and run `hf auth logout`."
        )
    return {**HEADERS, "authorization": f"Bearer {token}"} if token else HEADERS


def query_hub(repository: str) -> HubModel:
    """Return the files of a model on the hub. Raises InputError if it or its weights are missing."""
    found = _ask(repository, lambda hub: hub.model_info(repository, timeout=TIMEOUT_S, files_metadata=True))
    files = _listed(repository, found.siblings)
    names = {file.name for file in files}
    weights = {WEIGHTS} if WEIGHTS in names else {n for n in names if _is_shard(n)}
    weights = weights or names.intersection({OLD_WEIGHTS}) or names.intersection({RELEASED, HYPERPARAMETERS})
    if not weights:
        raise InputError(
            f"{repository} has neither {WEIGHTS} nor {OLD_WEIGHTS} on the hub. Convert it with transformers' "
            "save_pretrained, and add its folder."
        )
    needed = [file for file in files if file.name in weights or _is_needed(file.name)]
    return HubModel(repository, found.sha or "main", tuple(needed))


def query_hub_tokenizer(repository: str) -> HubModel:
    """Return the tokenizer's files of a model on the hub. Raises InputError if it is missing."""
    found = _ask(repository, lambda hub: hub.model_info(repository, timeout=TIMEOUT_S, files_metadata=True))
    files = [one for one in _listed(repository, found.siblings) if one.name.startswith("tokenizer")]
    needed = [one for one in files if one.name in _FILES]
    return HubModel(repository, found.sha or "main", tuple(needed))


def query_hub_data_set(repository: str, revision: str) -> tuple[str, list[RemoteFile]]:
    """Return the commit and the files of a data set on the hub. Raises InputError if there is none."""
    found = _ask(
        repository,
        lambda hub: hub.dataset_info(repository, revision=revision, timeout=TIMEOUT_S, files_metadata=True),
    )
    return found.sha or revision, _listed(repository, found.siblings)


def file_address(repository: str, revision: str, name: str, kind: str = "model") -> str:
    """Return the address of a file on the hub or its mirror. kind: model or dataset."""
    from huggingface_hub import hf_hub_url

    return hf_hub_url(repository, name, repo_type=kind, revision=revision, endpoint=hub_address())


def _ask(repository: str, ask: Callable[[HfApi], T]) -> T:
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    where = without_login(hub_address())
    if not hub_address().startswith(("https://", "http://")):
        raise InputError(f"HF_ENDPOINT={where} is not a valid address; it must begin with https://.")
    headers = hub_headers()
    try:
        return ask(HfApi(endpoint=hub_address(), headers=dict(headers), token=False))
    except HfHubHTTPError as error:
        raise refusal(repository, error.response) from error
    except BROKEN as error:
        raise InputError(f"{where} cannot be reached ({cause_of(error)}). Try again later.") from error
    except HFValidationError as error:
        raise InputError(
            f"{repository!r} is neither in the catalogue nor a hub name such as FacebookAI/roberta-large."
        ) from error
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise _no_list(repository) from error


def refusal(repository: str, response: httpx2.Response) -> InputError:
    """Return the error for a request that the hub refused."""
    code, reason = response.status_code, response.headers.get("X-Error-Code", "")
    has_token = "authorization" in hub_headers()
    if reason == "GatedRepo":
        page = f"{HUB}/{'datasets/' * ('/datasets/' in str(response.url))}{repository}"
        if has_token:
            return InputError(
                f"{repository} is gated, and the account of your token has no access to it. Accept its "
                f"licence at {page} with that account, and download it again."
            )
        return InputError(
            f"{repository} is gated: its licence must be accepted at {page}. Then create a token at "
            f"{HUB}/settings/tokens, set HF_TOKEN to it, and download it again."
        )
    if code == 401 and has_token:
        return InputError(
            f"The hub refused the token (HTTP 401) or has no model or data set {repository}. Check the "
            f"name, and HF_TOKEN against {HUB}/settings/tokens."
        )
    if code in {401, 403, 404}:
        return InputError(
            f"The hub has no public model or data set {repository} (HTTP {code}). Check the name; a "
            f"private one needs HF_TOKEN, a token of {HUB}/settings/tokens."
        )
    return InputError(f"The hub rejected the request for {repository} (HTTP {code}). Try again later.")


def _listed(repository: str, siblings: Iterable[RepoSibling] | None) -> list[RemoteFile]:
    try:
        return [
            RemoteFile(
                each.rfilename,
                (each.lfs.size if each.lfs else each.size) or 0,
                each.lfs.sha256 if each.lfs else "",
                each.blob_id or "",
            )
            for each in siblings or ()
        ]
    except (AttributeError, TypeError) as error:
        raise _no_list(repository) from error


def _no_list(repository: str) -> InputError:
    return InputError(
        f"{without_login(hub_address())} gave no list of the files of {repository}. Check HF_ENDPOINT, or "
        "try again later."
    )


def _is_shard(name: str) -> bool:
    return name == f"{WEIGHTS}.index.json" or _SHARD.fullmatch(name) is not None


def _is_needed(name: str) -> bool:
    head, _, last = name.rpartition("/")
    if not head:
        return name in _FILES
    return _MODULE.fullmatch(head) is not None and last in {"config.json", WEIGHTS}
