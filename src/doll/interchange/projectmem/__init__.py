"""projectmem logs: `events.jsonl` into experience candidates of a project that the user names.

Pure: bytes in, values out. docs/interchange.md says what becomes of every field. The log has no
version: rows are taken by their shape, profile `projectmem-events/0.1.4-0.3.4`.
Source: the published package `projectmem`, versions 0.1.4 to 0.3.4.
"""
