"""Recall: from a query to records that are read again, and the index by hand."""
