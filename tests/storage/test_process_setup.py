"""Set-up of a process by the command line and the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.files.allowed_names import AllowedNames, NameKind, allowed_names
from core.models.catalogue.digests import DigestCache, digest_cache
from core.models.catalogue.user_models import UserModelStore, user_models
from core.retrieval import index_provider as provider
from storage.indexes.index_folder import IndexFolder
from storage.process_setup import set_up_process


def test_settings_caches_and_indexes_are_those_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cached in (digest_cache, user_models, allowed_names):
        cached.cache_clear()
    monkeypatch.setenv("PYRAMIDION_CONFIG", str(tmp_path / "settings"))
    monkeypatch.setenv("PYRAMIDION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYRAMIDION_INDEXES", str(tmp_path / "indexes"))
    try:
        set_up_process()
        user_models().set_offline(True)
        allowed_names().allow(NameKind.SERVER, "http://localhost:9200")
        indexes = provider.index_provider()
        again = AllowedNames()
        again.use_folder(tmp_path / "settings")
        assert UserModelStore(tmp_path / "settings").is_offline
        assert again.has(NameKind.SERVER, "http://localhost:9200")
        assert digest_cache().folder == DigestCache(tmp_path / "cache").folder
        assert isinstance(indexes, IndexFolder)
    finally:
        provider.set_index_provider(provider.EmptyIndexProvider)
        for cached in (digest_cache, user_models, allowed_names):
            cached.cache_clear()
