"""A work tree beside the vault's, in which lines to type make a commit on top of another one.

So they write over nothing that is not committed here, and commit nothing but what they name. Each
line is joined by `&&`: where a step fails, none follows. Reads only.
"""

import os
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from doll.services.opening import Vault
from doll.services.syncing.values import Target
from doll.services.syncing.wording import git, remote
from doll.vault.typed import typed

_FORWARD = "--ff-only --no-overwrite-ignore"


class Aside(NamedTuple):
    """Pieces of lines: `begin` makes the work tree, `end` takes it away.

    `git` is how git is called in it, at the top of the repository; `here` the same in the vault's.
    """

    begin: str
    git: str
    here: str
    end: str

    def pushed(self, vault: Vault, target: Target, steps: Sequence[str], subject: str) -> str:
        """Return the line that makes a commit by `steps` and pushes it to the target.

        A sync then takes it over with all that it looks at. Nothing is forced.
        """
        # From here, since the place of a remote may be named from where git runs.
        push = f"{self.here} push -q {remote(vault, target)} {self._made}:{typed(target.ref)}"
        return self._line(steps, subject, push)

    def taken_over(self, steps: Sequence[str], subject: str) -> str:
        """Return the line that makes a commit by `steps` and moves the branch here on to it.

        git refuses where what is not committed here is in the way.
        """
        return self._line(steps, subject, f"{self.here} merge -q {_FORWARD} {self._made}")

    @property
    def _made(self) -> str:
        # Empty it would take the branch away at a remote.
        return f'"$({self.git} rev-parse HEAD)^0"'

    def _line(self, steps: Sequence[str], subject: str, last: str) -> str:
        commit = f"{self.git} commit -qm {typed(subject)}"
        line = " && ".join([self.begin, *steps, commit, last, self.end])
        return f"{line}    then doll sync"


def aside(vault: Vault, commit: str) -> Aside:
    """Return the pieces of lines for a work tree that has `commit`, a word of a line."""
    numbered = (f"mending-{number}" for number in count(1))
    names = (name for name in numbered if not os.path.lexists(vault.state / name))
    place, here = typed(str(vault.state / next(names))), git(vault)
    return Aside(
        f"{here} worktree add -q --detach {place} {commit}",
        f"git -C {place}",
        here,
        f"{here} worktree remove --force {place}",
    )
