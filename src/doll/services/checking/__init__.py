"""Validate: what is wrong with the files of a vault, and between them, against HEAD."""
