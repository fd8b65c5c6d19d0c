"""Records for recall tests, and the index behind an answer seen from outside."""

from datetime import UTC, datetime
from pathlib import Path

from doll.reconcile.refreshing import Fresh, Site, clean, refresh
from doll.services.opening import Place, Vault, open_vault
from doll.services.recalling.gathering import site_of
from doll.services.recalling.searching import recall

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)


def memory(title: str, body: str = "", **fields: str) -> str:
    """Return the text of a memory file."""
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\nschema: doll/memory/1\ntitle: {title}\n{lines}---\n{body}\n"


def entry(summary: str, body: str = "", **fields: str) -> str:
    """Return the text of an experience file of the project `atlas`."""
    given = {
        "project": "atlas",
        "kind": "attempt",
        "assertion": "user_recorded",
        "at": "2026-08-01T00:00:00Z",
    } | fields
    lines = "".join(f"{key}: {value}\n" for key, value in given.items())
    return f"---\nschema: doll/experience/1\nsummary: {summary}\n{lines}---\n{body}\n"


def opened(root: Path) -> Vault:
    """Open a vault as a new process would."""
    return open_vault(Place(root, None, root))


def ids(root: Path, query: str, limit: int = 1000) -> list[str]:
    """Return the ids that answer a query, best first."""
    return [hit.id for hit in recall(opened(root), query, NOW, limit=limit).answer.hits]


def site(root: Path) -> Site:
    """Return where the index of a vault belongs."""
    return site_of(opened(root))


def content(fresh: Fresh) -> dict[str, object]:
    """Return all that an index says, by path and term, without serials and stamps."""
    paths = {row.serial: row.path for row in fresh.rows if row.serial}
    postings = {}
    for term in fresh.index.terms():
        live = [(paths[n], weight) for n, weight in fresh.index.postings(term) if n in paths]
        if live:
            postings[term] = sorted(live)
    rows = [(row.path, row.digest, row.length, row.serial > 0) for row in fresh.rows]
    return {"rows": rows, "postings": postings, "unreadable": fresh.unreadable}


def agrees(root: Path) -> bool:
    """Return whether the kept index, brought up to date, is what one made from nothing is."""
    where = site(root)
    return content(refresh(where)) == content(clean(where))
