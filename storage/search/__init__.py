"""Indexes that documents are found by: in the user's own folder, or on an Elasticsearch server."""
