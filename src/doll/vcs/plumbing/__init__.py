"""Reading git: one subprocess for each question, values for answers.

This package writes nothing, fetches nothing, takes no optional lock and knows no GitPython: it is
on preflight's hot path. Writing belongs to `doll.vcs.porcelain`.

Every failure is a `GitError` with the command, its exit code and git's own words. Paths are text
as `os.fsdecode` makes it (undecodable bytes survive as surrogates), with `/` between their parts,
relative to the top of the work tree.
"""

from doll.vcs.plumbing.index import Change, skipped, staged, tracked, tracks
from doll.vcs.plumbing.objects import (
    TreeEntry,
    blobs,
    branch,
    broken_branch,
    folders,
    head,
    head_found,
    is_here,
    lost_branch,
    merge_base,
    position,
    resolve,
    trailers,
    tree,
)
from doll.vcs.plumbing.process import LOCAL_VARIABLES, MINIMUM, require_version, version
from doll.vcs.plumbing.repository import (
    Position,
    Repository,
    find,
    is_whole,
    same_repository,
    same_work_tree,
)
from doll.vcs.plumbing.settings import (
    config,
    config_flag,
    config_section,
    hooks_folder,
    identity,
)

__all__ = [
    "LOCAL_VARIABLES",
    "MINIMUM",
    "Change",
    "Position",
    "Repository",
    "TreeEntry",
    "blobs",
    "branch",
    "broken_branch",
    "config",
    "config_flag",
    "config_section",
    "find",
    "folders",
    "head",
    "head_found",
    "hooks_folder",
    "identity",
    "is_here",
    "is_whole",
    "lost_branch",
    "merge_base",
    "position",
    "require_version",
    "resolve",
    "same_repository",
    "same_work_tree",
    "skipped",
    "staged",
    "tracked",
    "tracks",
    "trailers",
    "tree",
    "version",
]
