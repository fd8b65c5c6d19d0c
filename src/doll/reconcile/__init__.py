"""Keeping the recall index in step with the disk. Knows records' files, never changes them."""
