"""Redaction: values of a committed entry of experience are replaced, and nothing else changes."""
