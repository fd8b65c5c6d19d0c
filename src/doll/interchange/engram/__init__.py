"""PLUR engrams: stores and packs into memory candidates, episodes into experience candidates.

Pure: bytes in, values out. docs/interchange.md says what becomes of every field. The format has no
version of its own: entries are taken by their shape, profiles `engram-2/0.18` and `engram-2/0.20`.
Source: the published sources and packages of `plur`, versions 0.18.0 and 0.20.0.
"""
