"""The study on disk: SQL and file formats, behind the protocols of `core.ports`."""
