"""Search indexes in a folder or on an Elasticsearch server."""
