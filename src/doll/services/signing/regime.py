"""What a vault asks for at a commit: its newest well-signed `doll.yaml` says it.

What an unsigned change of `doll.yaml` says cannot lift what a signed one asks for. Source:
docs/preflight.md, "Signed".
"""

import msgspec

from doll.errors import Problem
from doll.services.opening import Vault
from doll.services.signing.asked import may_ask
from doll.services.signing.doubts import doubts, unsigned_settings
from doll.services.signing.grading import Grader
from doll.services.signing.kept import standing
from doll.services.signing.standing import Apart
from doll.vault.layout import MARKER
from doll.vault.settings import Settings
from doll.vcs import plumbing
from doll.vcs.plumbing.signatures import UNCHECKED

_NAME = "signed/regime"
_KEPT = 8


class Regime(msgspec.Struct, frozen=True, array_like=True):
    """What is asked for at a commit, and which `doll.yaml` says so.

    `authority`, `review`: whether signatures are required there. `markers` are the blobs of the
    `doll.yaml` that count where `authority` is True; else the committed one does. `apart` tells of
    changes of it that are not signed. `problems` say why the answer is not sure.
    """

    authority: bool = False
    review: bool = False
    markers: tuple[str, ...] = ()
    apart: Apart | None = None
    problems: tuple[Problem, ...] = ()


def regime(vault: Vault, grader: Grader, commit: str) -> Regime:
    """Return what the vault asks for at a commit.

    GitError when git fails, also for history that is not here.
    """
    if not may_ask(vault, commit):
        return Regime()
    is_whole = plumbing.is_whole(vault.repository)
    known = (grader.load(_NAME, dict[str, Regime]) if is_whole else None) or {}
    if commit not in known:
        found = _decided(vault, grader, commit)
        known = {commit: found, **dict([*known.items()][: _KEPT - 1])}
        if is_whole:
            grader.store(_NAME, known)
    return known[commit]


def _decided(vault: Vault, grader: Grader, commit: str) -> Regime:
    found = standing(vault, grader, commit, MARKER)
    path = vault.in_git(MARKER)
    items = plumbing.tree(vault.repository, commit, [path])
    said = {item.oid: _said(vault, item.oid) for item in {*items, *found.counting(items)}}
    markers = [item.oid for item in found.counting(items)]
    read = [settings for oid in markers if (settings := said[oid])]
    # Nobody knows what a signed `doll.yaml` that cannot be read asks for.
    authority = len(read) < len(markers) or any(each.authority_signed for each in read)
    review = any(each.review_signed for each in read)
    problems = list(doubts(vault, grader, found, MARKER))
    asked = [settings for item in items if (settings := said[item.oid])]
    wanted = any(s.authority_signed > authority or s.review_signed > review for s in asked)
    apart = found.apart.get(path)
    claims = apart.grades.strip("N" + UNCHECKED) if apart and not markers else ""
    # Where nobody could look, that is said, and nothing of the settings is to be mended.
    unseen = grader.late or bool(grader.mute)
    if (wanted or claims) and not (unseen and apart is not None and UNCHECKED in apart.grades):
        problems.append(unsigned_settings(vault, claims[:1]))
    return Regime(authority, review, tuple(markers), apart, tuple(problems))


def _said(vault: Vault, oid: str) -> Settings | None:
    return vault.parse_settings(plumbing.blobs(vault.repository, [oid])[oid])[0]
