"""The tests of the same name in tests/storage/repositories, on a server."""

from tests.storage.repositories.test_scales import *  # noqa: F403

del test_anchors_that_nobody_wrote_are_reported_as_damage  # noqa: F821 - it writes into a file
