"""The verbs' options, each kind in one place; nothing here imports the engine, so that help is quick."""
