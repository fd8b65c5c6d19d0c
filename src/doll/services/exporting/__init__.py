"""Exporting: accepted memories to a document of another format, with what it does not hold."""
