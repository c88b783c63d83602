"""The tests of the same name in tests/storage/repositories, on a server."""

from tests.storage.repositories.test_nuggets import *  # noqa: F403

del test_edits_of_earlier_versions_can_be_undone  # noqa: F821 - it writes into a file
