"""Bounds on what a record file may be. Beyond them a file is a problem, not a slow read."""

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_BLOCK_BYTES = 64 * 1024
# What is left free in a candidate for what is added later: a review, the record that it updates.
ROOM_FOR_REVIEW = 1024
MAX_DEPTH = 6
MAX_KEY = 1000
# As many problems of one file are listed at once; the rest follow when these are mended.
MAX_PROBLEMS = 100
