"""Settings of metrics that ask a language model on this machine or behind a server."""

from __future__ import annotations

from typing import Any, ClassVar

from core.errors import BadSetting, InputError, MissingResource
from core.files.allowed_names import NameKind, allowed_names
from core.metrics.base import Resources, setting
from core.models.catalogue.lookup import find_model
from core.models.chat import ChatModel, check_address
from core.models.runtime.heads import generation_head


def lm_setting() -> Any:
    return setting(
        "", "Model: a folder, an installed model, or the name of a model on the server.", title="Model"
    )


def server_setting() -> Any:
    return setting(
        "",
        "Server with OpenAI's API, such as http://127.0.0.1:8080/v1. Empty = the model runs here.",
        title="Server",
    )


def chat_dtype_setting() -> Any:
    return setting(
        "float32",
        "Numeric precision of a model on this machine.",
        choices=("float32", "bfloat16", "float16"),
        title="Numeric precision",
    )


class AsksChat:
    """Part of a metric with the settings lm, server and dtype."""

    name: ClassVar[str]
    lm: str
    server: str
    dtype: str

    def chat(self, resources: Resources) -> ChatModel:
        """Return the model, loaded once. Raises MissingResource with a remedy."""
        return resources.chat(self.lm, self.server, self.dtype)

    def check_server(self) -> None:
        """Raise BadSetting for an address that is none."""
        if self.server:
            try:
                check_address(self.server)
            except InputError as error:
                raise BadSetting(f"{self.name}: {error}") from None

    def check_model(self, resources: Resources) -> None:
        """Raise MissingResource without a model or server, InputError for another kind of model."""
        if not self.lm:
            raise MissingResource(
                f"{self.name} needs a language model. Name a folder or an installed model, or a server and "
                f"the name of its model: {self.name}:server=http://127.0.0.1:8080/v1,lm=NAME."
            )
        if self.server:
            from core.models.chat_server import ChatServer

            allowed_names().check(NameKind.SERVER, self.server)
            resources.once(("judge server", self.server), ChatServer(self.server, self.lm).models)
        else:
            generation_head(find_model(self.lm))

    def model_extras(self, resources: Resources) -> dict[str, str]:
        """Return the name and hash of a model on this machine, as parts of a signature."""
        if self.server:
            return {}
        return {"model": find_model(self.lm).name, "hash": resources.model_hash(self.lm)[:12]}
