"""SQL, one file per kind of thing: values in, values out, on a connection that the caller opened."""
