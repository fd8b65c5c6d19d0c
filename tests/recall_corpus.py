"""Records ranked without a vault: parsed and indexed in memory, with the scores of a real index."""

from collections.abc import Mapping
from datetime import UTC, datetime

from doll.recall.by_serial import Listed
from doll.recall.document import document
from doll.recall.query import ask
from doll.recall.ranking import Algorithm, Corpus, Text
from doll.recall.rows import Row, row
from doll.records.codec import parse
from doll.vault.layout import expected_type, record_id

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)


class Plain:
    """Postings in lists."""

    def __init__(self) -> None:
        self.held: dict[str, list[tuple[int, float]]] = {}

    def postings(self, term: str) -> list[tuple[int, float]]:
        return self.held.get(term, [])


class Records:
    """The records of a vault, from the texts of their files by path."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.index = Plain()
        self.rows: dict[int, Row] = {}
        self._read: dict[int, Text] = {}
        for serial, (path, text) in enumerate(texts.items(), 1):
            record, problems, body = parse(
                text.encode(), path, record_id(path), expected_type(path)
            )
            assert record is not None, problems
            terms, length = document(record, body)
            made = row(record, serial, length)
            assert made is not None
            if made.serial:
                self.rows[serial] = made
                self._read[serial] = Text(record, body)
                for term, weight in terms.items():
                    self.index.held.setdefault(term, []).append((serial, weight))
        self.lengths = {serial: held.length for serial, held in self.rows.items()}

    @property
    def corpus(self) -> Corpus:
        """The records as an algorithm is given them."""
        return Corpus(self.index, Listed(self.rows), self.lengths, self._read.get)

    def scored(self, algorithm: Algorithm, query: str, as_of: datetime = NOW) -> dict[str, int]:
        """Return the scores by id, best first, equal ones by id."""
        scores = algorithm.rank(self.corpus, ask(query), as_of).scores
        found = ((self.rows[serial].id, score) for serial, score in scores.items())
        return dict(sorted(found, key=lambda one: (-one[1], one[0])))
