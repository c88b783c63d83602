"""The tests of the same name in tests/storage/repositories, on a server."""

from tests.storage.repositories.test_topic_sets import *  # noqa: F403
