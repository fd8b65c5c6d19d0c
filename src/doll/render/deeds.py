"""What git is about to do when a hook runs, in words: how it is named, and how it goes on."""

from typing import NamedTuple


class Deed(NamedTuple):
    """What a hook can stop: `noun` names it, `past` is what does it all the same."""

    noun: str
    past: str


COMMIT = Deed("commit", "`git commit --no-verify` commits all the same")
# git keeps a merge that its hook stopped: a commit concludes it, and `git merge` would refuse.
MERGE = Deed("merge", "`git commit --no-verify` concludes it all the same")
PUSH = Deed("push", "`git push --no-verify` pushes all the same")

DEEDS = {
    "pre-commit": COMMIT,
    "commit-msg": COMMIT,
    "pre-merge-commit": MERGE,
    "pre-push": PUSH,
}
