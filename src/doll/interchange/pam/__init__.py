"""Portable AI Memory (PAM) 1.0: full memory stores into memory candidates.

Pure: bytes in, values out. docs/interchange.md says what becomes of every field.
Source: the published specification v1.0 and the JSON Schemas of the `portable-ai-memory` package.
"""
