"""Import mappings: files of other projects read as a document of data says, instead of by code."""
