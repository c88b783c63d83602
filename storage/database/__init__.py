"""The study file: engine, schema, migrations, writer, locks, backups."""
