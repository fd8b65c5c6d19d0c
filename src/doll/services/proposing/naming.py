"""The names of proposals, and whether one is there already. Reads only.

The same proposal has the same name, so that it is made once: one that waits, was approved or was
rejected does not come a second time. All that writes to `staging/proposals/` asks here.
"""

import json
from collections.abc import Mapping
from typing import Literal, NamedTuple

from doll.interchange import experience
from doll.interchange.stems import identity, stems
from doll.records.digest import sha256
from doll.records.model import Experience, Fields
from doll.records.names import fold, slug
from doll.services.opening import Vault
from doll.services.reviewing.candidates import Approved
from doll.vault import files
from doll.vault.entries import parse_file
from doll.vault.layout import PROPOSALS, record_id

State = Literal["new", "there already", "approved", "rejected"]

# What doll writes of a proposal beside what was said: the same words at another time are the same.
_OURS = ("schema", "created", "origin", "origin_source", "assertion")


class Standing(NamedTuple):
    """Whether a proposal is there, and where it lies by now; `reason` is that of a rejection."""

    state: State
    path: str
    reason: str = ""


def path_of(fields: Fields, values: Mapping[str, object], body: str, words: str) -> str:
    """Return where a model's proposal belongs: its name is made of `words` and of what it says.

    `values` are the front matter as given. One for experience has the name of an entry from the
    start: its time, its kind, and the same.
    """
    said = {key: value for key, value in values.items() if key not in _OURS}
    text = json.dumps([said, body.strip()], sort_keys=True, ensure_ascii=True)
    entry = identity("proposals", fields.origin_source or "", "", sha256(text.encode()))
    if isinstance(fields, Experience):
        stem = experience.name(fields.at, fields.kind, words, entry)
    else:
        stem = stems([slug(words)], [entry])[0]
    return f"{PROPOSALS}/{stem}.md"


def standing(vault: Vault, path: str, approved: Approved) -> Standing:
    """Return how the proposal that belongs at `path` stands to what there is."""
    stem = fold(record_id(path).rpartition("/")[2])
    if stem in approved.paths:
        return Standing("approved", approved.paths[stem])
    if not (vault.root / path).exists():
        return Standing("new", path)
    try:
        record, _ = parse_file(files.read(vault.root, path), path)
    except OSError:
        record = None
    if record is not None and record.fields.review == "rejected":
        return Standing("rejected", path, record.fields.review_reason or "")
    return Standing("there already", path)
