"""Writing git, through GitPython: init, stage, commit, settings, fetch, merge, push.

The only package that knows GitPython, and it imports it when it is called (`running`, which starts
every git here). Commits and merges go through `git commit` and `git merge` themselves, so that the
user's hooks and signing run; the user's settings, templates and locale apply. Reading belongs to
`doll.vcs.plumbing`.
"""

from doll.vcs.porcelain.committing import commit, stage
from doll.vcs.porcelain.creating import init
from doll.vcs.porcelain.drafting import draft, put_back
from doll.vcs.porcelain.merging import (
    abort_merge,
    fast_forward,
    finish_merge,
    merge,
    put_files_back,
)
from doll.vcs.porcelain.refs import Move, keep_bytes, move
from doll.vcs.porcelain.remotes import Pushed, fetch, push, tip_of
from doll.vcs.porcelain.settings import set_config, unset_config

__all__ = [
    "Move",
    "Pushed",
    "abort_merge",
    "commit",
    "draft",
    "fast_forward",
    "fetch",
    "finish_merge",
    "init",
    "keep_bytes",
    "merge",
    "move",
    "push",
    "put_back",
    "put_files_back",
    "set_config",
    "stage",
    "tip_of",
    "unset_config",
]
