"""The tests of the same name in tests/storage/repositories, on a server."""

from tests.storage.repositories.test_imports import *  # noqa: F403
