"""Why it is not sure what counts, in words, with the line that mends it."""

import shlex
from collections.abc import Iterator

from doll.errors import Problem
from doll.services.opening import Vault
from doll.services.signing.asked import SIGNERS
from doll.services.signing.grading import Grader
from doll.services.signing.kept import Standing
from doll.vault.layout import MARKER
from doll.vcs.plumbing.signatures import GRADES, SSH, UNCHECKED

_PATIENTLY = "doll preflight    checks them without a limit, and remembers them"
_WHOLE = "git fetch --unshallow    brings the rest of it"


def doubts(vault: Vault, grader: Grader, found: Standing, part: str) -> Iterator[Problem]:
    """Yield why it is not sure what counts in a part of the vault at a commit."""
    if found.hidden:
        message = f"which signed version of {part} counts lies before the cut of a shallow clone"
        yield Problem("", 0, 0, "history.shallow", message, hint=_WHOLE)
    unchecked = [each for each in found.apart.values() if UNCHECKED in each.grades]
    if unchecked and grader.late:
        yield _late()
    elif unchecked and SSH in grader.unchecked and grader.trust.fault:
        yield grader.trust.fault
    elif unchecked:
        yield _unchecked(grader)
    for path, apart in sorted(found.apart.items()):
        if len(apart.versions) > 1:
            yield _joined(vault, path, len(apart.versions))


def _late() -> Problem:
    message = "there was no time to check every signature, so it is not sure what counts"
    return Problem("", 0, 0, "signature.unchecked", message, hint=_PATIENTLY)


def _unchecked(grader: Grader) -> Problem:
    if grader.mute:
        programs = sorted(grader.trust.programs[kind] for kind in grader.mute)
        message = f"signatures cannot be checked here: {' and '.join(programs)} gives no answer"
        hint = "git config --show-origin --get-regexp '^gpg[.]'    tells what sets it; mend that"
        return Problem("", 0, 0, "signature.unchecked", message, hint=hint)
    programs = sorted({grader.trust.missing.get(kind, "") for kind in grader.unchecked} - {""})
    message = f"signatures cannot be checked here without {' and '.join(programs)}"
    return Problem("", 0, 0, "signature.unchecked", message, hint="install it, or mend its setting")


def _joined(vault: Vault, path: str, number: int) -> Problem:
    place = vault.in_vault(path) or path
    message = f"{number} signed versions were merged by a commit that is not signed"
    return Problem(place, 0, 0, "signature.concurrent", message, hint=adopting(vault))


def unsigned_settings(vault: Vault, grade: str) -> Problem:
    """Return the problem of a `doll.yaml` that asks for signatures and is not signed itself.

    `grade` is that of its signature, "" for none.
    """
    why = f": {GRADES[grade]}" if grade else ""
    message = f"{MARKER} asks for signatures, and no signed commit says so{why}"
    hint = f"{adopting(vault)}\ngit config {SIGNERS}    names the file of the keys that are trusted"
    return Problem(MARKER, 0, 0, "signature.settings", message, hint=hint)


def adopting(vault: Vault) -> str:
    """Return the line that signs all that is committed as it stands, and says so.

    It merges nothing, signed: a merge decides every path that one of its parents has otherwise.
    """
    git = f"git -C {shlex.quote(str(vault.root))}"
    nothing = f'"$({git} commit-tree -m Nothing "$({git} mktree </dev/null)")"'
    return (
        f"{git} merge -S -s ours --allow-unrelated-histories -m 'Sign all as it stands' {nothing}\n"
        "signs all that is committed as it stands: look at it first"
    )
