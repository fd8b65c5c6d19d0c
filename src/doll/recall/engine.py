"""Whoosh's names, as untyped values: the only module that imports them from Whoosh.

Whoosh's own annotations are partial and differ between its distributions, so they are not used.
Only what every distribution of Whoosh from 2.7.4 on has is taken.
"""

from typing import Any

import whoosh as _whoosh
from whoosh import columns as _columns
from whoosh import fields as _fields
from whoosh import formats as _formats
from whoosh import reading as _reading
from whoosh.codec import whoosh3 as _codec
from whoosh.filedb import filestore as _filestore
from whoosh.filedb import structfile as _structfile
from whoosh.lang import porter2 as _porter

VERSION: str = ".".join(map(str, _whoosh.__version__))

BufferFile: Any = _structfile.BufferFile
COLUMN: Any = _fields.COLUMN
Existence: Any = _formats.Existence
FieldType: Any = _fields.FieldType
NumericColumn: Any = _columns.NumericColumn
RamStorage: Any = _filestore.RamStorage
Schema: Any = _fields.Schema
SegmentReader: Any = _reading.SegmentReader
W3Codec: Any = _codec.W3Codec
BlockMatcher: Any = _codec.W3LeafMatcher

# Not `whoosh.lang.porter`, which leaves doubled consonants: running, planned.
porter_stem: Any = _porter.stem


def segment_writer(index: Any, codec: Any) -> Any:
    """Return Whoosh's writer on an index; its module is not needed to read one."""
    from whoosh import writing

    writer: Any = writing.SegmentWriter
    return writer(index, codec=codec)
