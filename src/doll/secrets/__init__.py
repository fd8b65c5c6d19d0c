"""Secrets: text in, places out.

This package finds what looks like a credential, names its kind and its place, and covers it in
output. It reads no files, settings or clock, keeps nothing it has seen, and never hands out the
secret itself. docs/secrets.md says what it finds, how a false alarm is declared, and what it
cannot find.
"""

from doll.secrets.documents import scan_document
from doll.secrets.hits import Hit
from doll.secrets.masking import mask, mask_first, mask_within
from doll.secrets.scanning import DETECTORS, scan
from doll.secrets.vouching import is_vouched

__all__ = [
    "DETECTORS",
    "Hit",
    "is_vouched",
    "mask",
    "mask_first",
    "mask_within",
    "scan",
    "scan_document",
]
