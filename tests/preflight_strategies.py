"""Hypothesis strategies for vaults as values, hostile ones among them, and requests about them.

Shadowing ids, captured aliases, links at everything, claims of more than their origin allows.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from hypothesis import strategies as st

from doll.preflight import Entry, Request
from doll.preflight.codes import ASSERTIONS
from doll.records.model import Record, RecordType
from tests.preflight_builders import AS_OF, ATLAS, GARDEN, record

IDS = ("f1", "f2", "f3", "F1", "g1", "g2")
ACTIONS = ("a", "a.b", "b", "b.c")
PATHS = ("p/**", "*.sql", "q", "[redacted]", "p/x")
STRONG = ("user_recorded", "user_confirmed", "deterministic_system")

some_actions = st.lists(st.sampled_from(ACTIONS), max_size=2)
some_paths = st.lists(st.sampled_from(PATHS), max_size=2)
some_ids = st.lists(st.sampled_from((*IDS, "deny", "atlas")), max_size=3) | st.just(list(IDS))
projects = st.sampled_from(("atlas", "atlas", "atlas", "atlas-old", "garden", "nobody"))
scopes = ("env=prod", "env=test", "region=eu")
moments = st.sampled_from(
    [(AS_OF + timedelta(days=days)).isoformat() for days in (-900, -2, 0, 3, 900)]
)


_OTHERS: tuple[RecordType, ...] = ("decision", "procedure", "work-item", "capability")


class Vault(NamedTuple):
    """Authority and experience of one generated vault."""

    authority: list[Record]
    experience: list[Entry]


@st.composite
def authority(draw: st.DrawFn, origins: Sequence[str], prefix: str) -> Record:
    kind: RecordType = draw(
        st.sampled_from(("policy", "policy", "permission", "permission", *_OTHERS))
    )
    name = f"{prefix}-{draw(st.integers(0, 9))}"
    fields: dict[str, Any] = {"origin": draw(st.sampled_from(origins))}
    if fields["origin"] != "user":
        fields["aliases"] = draw(st.lists(st.sampled_from(("atlas", "w", *IDS)), max_size=2))
        fields |= {"reviewed_by": "Ada <ada@example.org>", "reviewed_sha256": "0" * 64}
        fields["reviewed_at"] = "2026-08-01T10:00:00Z"
    if kind in ("policy", "decision"):
        fields |= {"actions": draw(some_actions), "paths": draw(some_paths)}
    if kind == "policy":
        effects = ("deny", "require_confirmation", "advise")
        fields["effect"] = draw(st.sampled_from(effects))
        fields["enabled"] = draw(st.booleans())
        fields["projects"] = draw(st.lists(st.sampled_from(("atlas", "garden")), max_size=1))
    if kind == "procedure":
        fields["required_for"] = draw(some_actions)
        fields["status"] = draw(st.sampled_from(("draft", "approved", "retired")))
    if kind == "capability":
        name = draw(st.sampled_from(ACTIONS))
        fields["risk"] = draw(st.sampled_from(("low", "high")))
        fields["release"] = draw(st.sampled_from(("available", "available", "excluded")))
    if kind == "permission":
        fields["capability"] = draw(st.sampled_from((*ACTIONS, "nothing")))
        fields["mode"] = draw(st.sampled_from(("deny", "ask", "allow_once", "allow", "allow")))
        fields["scope"] = draw(st.lists(st.sampled_from(scopes), max_size=2, unique=True))
        fields["projects"] = draw(st.lists(st.sampled_from(("atlas", "garden")), max_size=1))
        fields["valid_until"] = draw(st.none() | moments)
    return record(kind, name, path=f"authority/{prefix}/{kind}/{name}.md", **fields)


@st.composite
def experience(
    draw: st.DrawFn, assertions: Sequence[str], origins: Sequence[str], *, committed: bool
) -> Entry:
    name = draw(st.sampled_from((*IDS, "x1", "x2", "x3")))
    fields = {
        "project": draw(projects),
        "assertion": draw(st.sampled_from(assertions)),
        "origin": draw(st.sampled_from(origins)),
        "at": draw(moments),
        "outcome": draw(st.sampled_from(("failed", "failed", "failed", "worked", None))),
        "actions": draw(some_actions),
        "paths": draw(some_paths),
        "work_item": draw(st.sampled_from((None, "w", "v"))),
        "supersedes": draw(some_ids),
        "resolves": draw(some_ids),
    }
    folder = draw(st.sampled_from(("atlas", "garden")))
    made = record("experience", name, path=f"experience/{folder}/{name}.md", **fields)
    return Entry(made, committed)


WORK_ITEMS = [record("work-item", "w", status="blocked"), record("work-item", "v")]


def vaults(assertions: Sequence[str], origins: Sequence[str]) -> st.SearchStrategy[Vault]:
    one = experience(assertions, origins, committed=True)
    entries = st.lists(one, max_size=6, unique_by=lambda entry: entry.record.path)
    rules = st.lists(authority(["user"], "mine"), max_size=4, unique_by=lambda r: r.path)
    return st.builds(lambda r, e: Vault([ATLAS, GARDEN, *WORK_ITEMS, *r], e), rules, entries)


strong_vaults = vaults(STRONG, ["user"])
all_vaults = vaults(ASSERTIONS, ["user", "system", "import", "model"])
uncommitted = st.lists(
    experience(ASSERTIONS, ["user", "import", "model"], committed=False), max_size=5
)
weak = st.lists(
    experience(ASSERTIONS, ["import", "model"], committed=True)
    | experience(("imported_external", "model_proposed"), ["user"], committed=True)
    | experience(ASSERTIONS, ["user", "system"], committed=False),
    max_size=6,
)
foreign_authority = st.lists(authority(["import", "model", "system"], "theirs"), max_size=3)
requests = st.builds(
    Request,
    project=st.sampled_from(("atlas", "atlas", "garden", None)),
    actions=st.none() | st.lists(st.sampled_from(ACTIONS), max_size=2).map(tuple),
    paths=st.none() | st.lists(st.sampled_from(("p/x", "1.sql", "z")), max_size=2).map(tuple),
    work_item=st.sampled_from((None, None, "w", "v")),
    scope=st.none() | st.lists(st.sampled_from(scopes[1:]), max_size=2, unique=True).map(tuple),
) | st.builds(
    Request,
    project=st.just("atlas"),
    actions=st.just(()),
    paths=st.lists(st.sampled_from(("p/x", "1.sql", "z")), max_size=2).map(tuple),
    hook=st.just(True),
)
