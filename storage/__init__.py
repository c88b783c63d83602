"""Storage of studies: SQL and file formats that implement the protocols of `core.ports`."""
