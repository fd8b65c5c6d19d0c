"""Records: the model, its codec, splice edits, names and digests.

Everything here works on values and bytes; nothing reads a disk, a clock or an environment.
"""
