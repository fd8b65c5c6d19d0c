"""What came earlier in the history and excuses what a commit does.

A merge may take over a redaction that one of its sides made, and a record that left `confirmed/`
may come back. The examined commits are noted as they pass; the history before them is read only
when something needs an excuse, and only what is in the history of that commit counts.
"""

import functools
from collections import defaultdict
from collections.abc import Sequence

from doll.services.verifying.redactions import Likeness, likeness, own_change
from doll.services.verifying.steps import steps
from doll.vault.layout import is_record
from doll.vcs.plumbing.contents import Contents
from doll.vcs.plumbing.history import Step, is_ancestor
from doll.vcs.plumbing.repository import Repository


class Earlier:
    """Redactions and records that left `confirmed/`, each with its commit.

    `cut`: the history is cut off, so that something may be missing.
    """

    def __init__(
        self, repository: Repository, prefix: str, known: Sequence[str], contents: Contents
    ) -> None:
        """Take the repository, the vault's place in it, and where the examined history begins."""
        self.cut = False
        self._repository = repository
        self._prefix = prefix
        self._unread = tuple(known)
        self._contents = contents
        # (path, blob) → the blobs that it was redacted to, with the commits.
        self._redacted: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        self._left: defaultdict[str, list[str]] = defaultdict(list)
        self._is_before = functools.lru_cache(4096)(self._ask_before)

    def note(self, step: Step) -> None:
        """Note what a commit may excuse; its paths are relative to the vault."""
        change = own_change(step) if step.trailers else None
        if change and likeness(step, change, self._contents) is Likeness.WHOLE:
            self._redacted[change.path, change.old_oid].append((change.oid, step.commit))
        for side in step.sides:
            for change in side:
                if change.status == "D" and _is_confirmed(change.path):
                    self._left[change.old_oid].append(step.commit)

    def redacted(self, path: str, old: str, new: str, commit: str) -> bool:
        """Return whether redactions before `commit` lead from one blob of a path to another."""
        self._read()
        waiting, seen = [old], {old}
        while waiting:
            for oid, by in self._redacted.get((path, waiting.pop()), ()):
                if oid not in seen and self._is_before(by, commit):
                    if oid == new:
                        return True
                    seen.add(oid)
                    waiting.append(oid)
        return False

    def left(self, oid: str, commit: str) -> bool:
        """Return whether these bytes were in `confirmed/` before `commit`, and left it."""
        self._read()
        return any(self._is_before(by, commit) for by in self._left.get(oid, ()))

    def _read(self) -> None:
        """Read the history before the examined one, at the first question."""
        known, self._unread = self._unread, ()
        if known:
            for step in steps(self._repository, self._prefix, known, ()):
                self.note(step)

    def _ask_before(self, one: str, commit: str) -> bool:
        return one != commit and is_ancestor(self._repository, one, commit)


def _is_confirmed(path: str) -> bool:
    return path.startswith("confirmed/") and is_record(path)
