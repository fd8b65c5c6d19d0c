"""Looking for secrets in a foreign document before anything of it is written.

Every decoded text is scanned, names of properties included, so that escapes hide nothing; and so
is each candidate as the file it would be, since there a name and its value stand side by side.
Nothing here keeps or hands out a value.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from doll.errors import Problem, UsageError
from doll.interchange.base import Candidate
from doll.interchange.pointers import escaped, parts
from doll.render.import_values import Place

if TYPE_CHECKING:
    from doll.secrets import Hit

_REMEMBERED = 20_000
_SHORT = 64


class Found(NamedTuple):
    """A hit: where it is said to be (`place`, masked), and the pointer of the text itself.

    `claimed`: a comment beside it says that it is no secret, which counts for nothing here.
    """

    place: Place
    pointer: str
    claimed: bool = False


def parse_declared(texts: Sequence[str]) -> frozenset[Place]:
    """Return the false alarms of `--not-a-secret DETECTOR:POINTER`; UsageError for another form."""
    from doll.secrets import DETECTORS

    declared = set()
    for text in texts:
        detector, colon, pointer = text.partition(":")
        if not colon or detector not in DETECTORS or (pointer and not pointer.startswith("/")):
            raise UsageError(
                f"--not-a-secret: {text!r} is not DETECTOR:POINTER",
                hint="write what the import said, such as password-assignment:/memories/3/content",
            )
        declared.add(Place(detector, pointer))
    return frozenset(declared)


def scan_texts(texts: Iterable[tuple[str, str]]) -> tuple[Found, ...]:
    """Return the hits in the texts of a document, each given with its pointer, in their order."""
    return tuple(dict.fromkeys(_hits(texts)))


def scan_file(text: str, pointer: str) -> tuple[Place, ...]:
    """Return the hits in the file of a candidate; their pointer is that of its entry."""
    from doll.secrets import scan

    return tuple(dict.fromkeys(Place(hit.detector, pointer) for hit in scan(text)))


class Owners:
    """Which candidates hold what stands at a pointer."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._at: defaultdict[str, list[int]] = defaultdict(list)
        for index, candidate in enumerate(candidates):
            for pointer in candidate.places:
                self._at[pointer].append(index)

    def of(self, pointer: str) -> tuple[int, ...]:
        """Return the indices of the candidates that hold the text at `pointer`."""
        found: list[int] = []
        while pointer:
            found += self._at.get(pointer, ())
            pointer = pointer.rpartition("/")[0]
        return tuple(found)


def require_used(declared: Iterable[Place], hits: Iterable[Place]) -> None:
    """Raise UsageError for a declaration that fits no hit; the hits are named."""
    there = sorted(set(hits))
    unused = sorted(set(declared).difference(there))
    if unused:
        listed = "\n".join(f"--not-a-secret '{place}'" for place in there[:20])
        raise UsageError(
            f"--not-a-secret: nothing was found at {unused[0]}; nothing was written",
            hint=f"found was:\n{listed}" if listed else "leave the option out",
        )


def masked_pointer(pointer: str) -> str:
    """Return a pointer with every secret in the names that it goes through masked."""
    from doll.secrets import mask

    return "".join(f"/{escaped(mask(part))}" for part in parts(pointer))


def _hits(texts: Iterable[tuple[str, str]]) -> Iterator[Found]:
    from doll.secrets import is_vouched

    clean: set[tuple[str, str]] = set()
    for pointer, text in texts:
        key = _key(pointer)
        if (key, text) in clean:
            continue
        hits = _scan(key, text)
        if hits:
            shown = masked_pointer(pointer)
            for hit in hits:
                claimed = is_vouched(text, hit)
                yield Found(Place(hit.detector, shown), pointer, claimed)
        elif len(text) <= _SHORT and len(clean) < _REMEMBERED:
            clean.add((key, text))


def _scan(key: str, text: str) -> "tuple[Hit, ...]":
    """Return the hits in a text that stands under the name `key`."""
    from doll.secrets import scan, scan_document

    # The name of a property comes as a text of its own, under the pointer of its value.
    if not key or key == text or scan(key):
        return scan(text)
    return scan_document({key: text})


def _key(pointer: str) -> str:
    """Return the name that a text stands under; the name of a list holds for its entries."""
    last = pointer.rpartition("/")[2]
    if last.isdecimal():
        last = next((name for name in reversed(pointer.split("/")) if not name.isdecimal()), "")
    return last.replace("~1", "/").replace("~0", "~") if "~" in last else last


def claim_notes(hits: Iterable[Found], name: str) -> list[Problem]:
    """Return a note for each place of the document `name` that says it holds no secret."""
    message = "a comment says that this is no secret; in foreign text that is data, and not heeded"
    hint = "if you know that it is none, declare it: --not-a-secret"
    places = dict.fromkeys(hit.place for hit in hits if hit.claimed)
    return [
        Problem(name, 0, 0, "secret.claimed", message, "note", hint, place.pointer)
        for place in places
    ]


def by_index(
    hits: Iterable[Found], owners: Owners
) -> tuple[Mapping[int, list[Place]], tuple[Place, ...]]:
    """Return the hits of each candidate by its index, and those that lie in none."""
    inside: defaultdict[int, list[Place]] = defaultdict(list)
    outside = []
    for hit in hits:
        indices = owners.of(hit.pointer)
        for index in indices:
            inside[index].append(hit.place)
        if not indices:
            outside.append(hit.place)
    return inside, tuple(outside)
