"""What is said after a review: committed, or the line that commits it."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from doll.cli.committed import committed_lines, unfinished
from doll.render.text import visible
from doll.vault.typed import typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doll.services.opening import Vault

_TYPED = 20


def git_here(vault: "Vault") -> str:
    """Return how git is called for the vault's files from where one is."""
    here = Path.cwd().resolve() == vault.root
    return "git" if here else f"git -C {shlex.quote(str(vault.root))}"


def next_steps(
    vault: "Vault", subject: str, commit: str, paths: "Sequence[str]", *, staged: bool
) -> list[str]:
    """Return the lines to print when a review has changed files at `paths` of the vault."""
    if commit:
        return committed_lines(vault, commit, subject)
    if waiting := unfinished(vault):
        return [f"not committed; it goes along when you finish: {visible(waiting.finish)}"]
    git = git_here(vault)
    if not staged:
        return [f"  next: {visible(git)} add staging, and commit it with the import"]
    # All else that is staged stays so: a rule that is committed is accepted.
    few = paths if len(paths) <= _TYPED else sorted({path.partition("/")[0] for path in paths})
    line = f"{git} commit -m {shlex.quote(subject)} -- {' '.join(map(typed, few))}"
    return [f"staged, not committed; next: {visible(line)}"]
