"""Whose signatures count in a repository, and what keeps doll from knowing it.

Trusted keys lie outside the vault: what a commit can change has no say about commits.
Source: docs/security.md, "Signatures".
"""

import os
import shutil
import stat
from pathlib import Path
from typing import NamedTuple

from doll.errors import Problem
from doll.records.digest import sha256
from doll.services.opening import Vault
from doll.services.signing.asked import SIGNERS
from doll.vcs.plumbing.repository import Repository, ask
from doll.vcs.plumbing.signatures import OPENPGP, SSH, X509, keyring

# Raise it when what an answer of git rests on changes, beside what `trust` reads.
_FORMAT = 2
_GITS, _REVOKED = "gpg.ssh.allowedsignersfile", "gpg.ssh.revocationfile"
_LEVEL = "gpg.mintrustlevel"
_PROGRAMS = {
    SSH: (("gpg.ssh.program",), "ssh-keygen"),
    OPENPGP: (("gpg.openpgp.program", "gpg.program"), "gpg"),
    X509: (("gpg.x509.program",), "gpgsm"),
}
_READ = "|".join(
    name.lower().replace(".", "[.]")
    for name in (
        *(SIGNERS, _GITS, _REVOKED, _LEVEL),
        *(name for names, _ in _PROGRAMS.values() for name in names),
    )
)
_MOST = 1 << 20
_NEW = "~/.config/git/allowed_signers"
_NAMING = f"git config --global {SIGNERS} {_NEW}"


class Trust(NamedTuple):
    """Whose signatures count.

    `signers` is the file of the trusted SSH keys, None where SSH signatures cannot be checked:
    `fault` says why. `digest` is of all that an answer about an SSH signature rests on beside the
    commit; `moment` of all that any other one does: it holds for this keyring, within this hour.
    `programs` check signatures, by their kind; `missing` are those of them that are not here.
    """

    signers: Path | None
    digest: str
    moment: str
    fault: Problem | None
    missing: dict[str, str]
    programs: dict[str, str]


def trust(vault: Vault) -> Trust:
    """Return whose signatures count in the vault, as git's configuration says; asks git once."""
    asked = ("config", "-z", "--type=path", "--get-regexp", f"^({_READ})$")
    output = ask(vault.repository, *asked, expected=(0, 1)).stdout
    records = (record.partition("\n") for record in os.fsdecode(output).split("\0")[:-1])
    found = {name: value for name, _, value in records if value}
    programs = {
        kind: next((found[name] for name in names if name in found), usual)
        for kind, (names, usual) in _PROGRAMS.items()
    }
    missing = {kind: name for kind, name in programs.items() if not shutil.which(name)}
    signers, keys = _file(vault, found.get(SIGNERS.lower()) or found.get(_GITS), "of trusted keys")
    revoked, revocations = None, b""
    if _REVOKED in found:
        revoked, revocations = _file(vault, found[_REVOKED], "of revoked keys")
    fault = next((each for each in (signers, revoked) if isinstance(each, Problem)), None)
    said = (fault.message if fault else "", programs[SSH], found.get(_LEVEL, ""))
    facts = (str(_FORMAT), *said, sha256(keys), sha256(revocations))
    digest = sha256("\n".join(facts).encode("utf-8", "surrogateescape"))
    file = signers if isinstance(signers, Path) and fault is None else None
    moment = sha256(
        "\n".join((digest, *programs.values(), *keyring())).encode("utf-8", "surrogateescape")
    )
    return Trust(file, digest, moment, fault, missing, programs)


def _file(vault: Vault, named: str | None, what: str) -> tuple[Path | Problem, bytes]:
    """Return the file of keys and its bytes, or why it cannot be used."""
    if named is None:
        said = "no file says whose signatures are trusted"
        return _fault(said, f"{_NAMING}    one line for each key: its mail, then the key"), b""
    place = vault.repository.top / named
    try:
        real = place.resolve(strict=True)
        data = _bytes(real)
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        said = f"the file {what} {place} cannot be read: {why}"
        return _fault(said, "mend it, or name another one: " + _NAMING), b""
    if data is None:
        said = f"the file {what} {place} is no regular file of at most {_MOST >> 20} MiB"
        return _fault(said, "name another one: " + _NAMING), b""
    if _in_reach(real, vault):
        said = f"the file {what} {place} lies with the vault, where a commit can change it"
        return _fault(said, f"put it elsewhere and name it: {_NAMING}"), b""
    return place, data


def _bytes(file: Path) -> bytes | None:
    """Return the bytes of a file, None for one that is no regular file or too large.

    OSError where it cannot be read. Neither waits for a pipe nor reads a device.
    """
    descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as opened:
        data = opened.read(_MOST + 1)
    return data if len(data) <= _MOST else None


def _in_reach(file: Path, vault: Vault) -> bool:
    """Return whether a file lies in the vault, or in a work tree of its repository."""
    homes = (vault.root, vault.repository.top, vault.repository.common_dir)
    return any(
        any(_same(folder, home) for home in homes) or _is_linked(folder / ".git", vault.repository)
        for folder in file.parents
    )


def _is_linked(link: Path, repository: Repository) -> bool:
    """Return whether the `.git` of a folder leads to the repository."""
    if _same(link, repository.common_dir):
        return True
    try:
        text = link.read_text(encoding="utf-8", errors="surrogateescape") if link.is_file() else ""
    except OSError:
        return False
    named = (link.parent / text.partition("gitdir:")[2].strip()).resolve()
    return bool(text) and any(
        _same(each, repository.common_dir) for each in (named, *named.parents)
    )


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _fault(message: str, hint: str) -> Problem:
    return Problem("", 0, 0, "signature.trust", message, hint=hint)
