"""Set up what a process shares: the user's settings, caches and indexes.

The command line and the window both call `set_up_process` when they start. Without it, as in tests and in
worker processes, nothing is read from or written to the user's folders and there are no indexes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import jit
from core.files.allowed_names import allowed_names
from core.models.catalogue.digests import digest_cache
from core.models.catalogue.user_models import user_models
from core.models.chat_accounts import chat_accounts
from core.retrieval.index_provider import set_index_provider
from core.scoring.speeds import speeds
from core.text import language_model
from core.worker_processes import isolate_processes
from storage.user_folders import cache_folder, config_folder

if TYPE_CHECKING:
    from core.retrieval.index_store import IndexStore


def set_up_process() -> None:
    """Use the user's caches, added models, allowed names and indexes from now on; isolate processes."""
    isolate_processes()
    jit.use_folder(cache_folder())
    digest_cache().use_folder(cache_folder())
    language_model.use_folder(cache_folder())
    speeds().use_folder(cache_folder())
    user_models().use_folder(config_folder())
    allowed_names().use_folder(config_folder())
    chat_accounts().use_folder(config_folder())
    set_index_provider(user_indexes)


def user_indexes() -> IndexStore:
    """Return the user's document indexes; their modules are imported when first needed."""
    from storage.indexes.index_folder import own_indexes

    return own_indexes()
