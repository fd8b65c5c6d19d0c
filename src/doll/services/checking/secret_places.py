"""Secrets in files of the vault as problems, save those that the user declared to be none."""

from collections import defaultdict
from collections.abc import Iterable

from doll.errors import Problem
from doll.services.checking.declarations import declarations
from doll.services.checking.false_alarms import false_alarms
from doll.services.opening import Vault
from doll.services.trailers import FALSE_ALARM
from doll.vault import layout
from doll.vault.entries import parse_file
from doll.vault.typed import typed
from doll.vcs.plumbing.underway import underway

CODE = "secret.found"
LISTED = 20
_MEND = "remove it from the file, and change it where it is used"
_SAYING = "if you know that it is none, say so in the commit that brings the file:"
_FOREIGN = "; the comment beside it that says otherwise counts in the user's own text alone"


def secret_places(vault: Vault, path: str, text: str, *, name: bool = False) -> tuple[Problem, ...]:
    """Return a problem for each place of `text` that looks like a secret and counts as one.

    `name`: the text is that of the file's name, and no comment can stand beside it.
    """
    from doll.secrets import is_vouched, scan

    hits = scan(text)
    claimed = {hit for hit in hits if is_vouched(text, hit)}
    if claimed and is_users(path, text):
        hits = tuple(hit for hit in hits if hit not in claimed)
    if not hits:
        return ()
    # In a merge git commits no single file.
    names = "" if underway(vault.repository) else f" -- {typed(path)}"
    what = "the name of this file" if name else "this"
    alarms = false_alarms(vault)
    data = text.encode("utf-8", "surrogateescape")
    declared = declarations(vault).detectors(vault.in_git(path), data)
    return tuple(
        Problem(
            path,
            0 if name else hit.line,
            0 if name else hit.column,
            CODE,
            f"{what} looks like a secret ({hit.detector}){_FOREIGN if hit in claimed else ''}",
            hint=f"{_MEND}\n{_SAYING}\n{_declaring(path, hit.detector)}{names}",
        )
        for hit in hits
        if hit.detector not in declared and not alarms.cover(path, hit.detector)
    )


def is_users(path: str, text: str) -> bool:
    """Return whether a file of the vault is the user's own, by its folder and what it says.

    A candidate never is, nor a record of another origin, also once it is approved, nor one that
    cannot be read.
    """
    if path.startswith("staging/"):
        return False
    if not layout.is_record(path):
        return True
    record, _ = parse_file(text.encode(), path)
    return record is not None and record.fields.origin == "user"


def _declaring(path: str, detector: str) -> str:
    # A hook does not know the message of its commit, so it cannot see the declaration there.
    trailer = f'"{FALSE_ALARM}: {detector}:file"'
    return f"git add -- {typed(path)} && git commit --no-verify --trailer {trailer}"


def committed(problems: Iterable[Problem]) -> tuple[list[Problem], list[str]]:
    """Return the problems with hints for files that are committed already, and lines for later.

    These say that it is no secret, once the commits that bring the files are taken back.
    """
    found, lines = list[Problem](), list[str]()
    for problem in problems:
        mend, _, rest = problem.hint.partition(f"\n{_SAYING}\n")
        found.append(problem._replace(hint=mend))
        lines += [rest] if rest else []
    said = ["if you know that one is none, say so when you commit it anew:"] if lines else []
    return found, [*said, *dict.fromkeys(lines)]


def listed(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems; of many secrets in one file the first, and how many more there are."""
    kept, secrets = list[Problem](), defaultdict[str, list[Problem]](list)
    for problem in problems:
        (secrets[problem.path] if problem.code == CODE else kept).append(problem)
    for found in secrets.values():
        found.sort()
        said = set[str]()
        for problem in found[:LISTED]:
            # How to declare it is said once for each kind.
            hint = problem.hint.partition("\n")[0] if problem.message in said else problem.hint
            said.add(problem.message)
            kept.append(problem._replace(hint=hint))
        if rest := found[LISTED:]:
            message = f"and {len(rest):,} more places of this file look like secrets"
            kept.append(rest[0]._replace(message=message, hint="mend the others first"))
    return kept
