"""The study database: engine, schema, migrations, writer, locks, backups."""
