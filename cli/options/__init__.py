"""Command line options, one module per topic; none imports the engine, so that help is quick."""
