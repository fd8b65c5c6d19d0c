"""Whose name a commit or a review bears: git's identity, or the lines that set one."""

from doll.errors import ConflictError
from doll.vcs import plumbing


def require_identity(repository: plumbing.Repository | None) -> str:
    """Return `Name <mail>` of the author git would write; ConflictError when git knows none."""
    identity = plumbing.identity(repository)
    if identity is None:
        raise ConflictError(
            "git does not know who you are; nothing was changed",
            hint='git config --global user.name "Your Name"\n'
            'git config --global user.email "you@example.org"',
        )
    return identity
