"""Signatures of commits, as git verifies them: whether each is good and by a trusted key.

git asks `ssh-keygen` or GPG about each commit: that takes milliseconds each, so ask about few.
Whose SSH keys are trusted is the caller's to say; GPG's and X.509's trust is the user's keyring.
"""

import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from doll.errors import GitError, TimeLimitError
from doll.vcs.plumbing.repository import Repository, ask

# The only grade that counts: a good signature by a trusted key.
GOOD = "G"
# What git says of a signature in `%G?`, and what doll says where git was not asked.
UNCHECKED = "?"
GRADES = {
    GOOD: "well signed",
    "B": "its signature is bad, or its key was revoked",
    "U": "its key is not trusted",
    "X": "its signature has expired",
    "Y": "its key has expired",
    "R": "its key was revoked",
    "E": "the key of its signature is not known here",
    "N": "it is not signed",
    UNCHECKED: "its signature cannot be checked here",
}

SSH, OPENPGP, X509 = "ssh", "openpgp", "x509"
# How a signature begins, as git tells the kinds apart.
_BEGINNINGS = {
    b"-----BEGIN SSH SIGNATURE-----": SSH,
    b"-----BEGIN PGP SIGNATURE-----": OPENPGP,
    b"-----BEGIN PGP MESSAGE-----": OPENPGP,
    b"-----BEGIN SIGNED MESSAGE-----": X509,
}
# Of the time that a hook has, so much is for what is not about signatures.
_REST = 1.5
_KEYRING = (
    *("pubring.kbx", "pubring.gpg", "public-keys.d/pubring.db", "trustdb.gpg", "tofu.db"),
    *("gpg.conf", "gpgsm.conf", "trustlist.txt"),
)
_HOUR = 3_600_000_000_000
_HEADERS = {"sha1": b"\ngpgsig ", "sha256": b"\ngpgsig-sha256 "}


def kinds(repository: Repository, commits: Iterable[str]) -> dict[str, str]:
    """Return the kind of signature that each commit carries, "" for none or an unknown one.

    One process reads all; nothing is verified. Commits are full ids; GitError for one that the
    repository does not hold.
    """
    wanted = list(dict.fromkeys(commits))
    if not wanted:
        return {}
    feed = "".join(f"{oid}\n" for oid in wanted).encode("ascii")
    output = ask(repository, "cat-file", "--batch", "--buffer", feed=feed).stdout
    found, at = {}, 0
    for oid in wanted:
        end = output.find(b"\n", at)
        facts = output[at:end].split(b" ")
        if end < 0 or len(facts) != 3 or facts[1] != b"commit":
            raise GitError(f"git cannot give the commit {oid}")
        start, at = end + 1, end + 1 + int(facts[2]) + 1
        found[oid] = _kind(output[start : at - 1], _HEADERS[repository.algorithm])
    return found


def _kind(commit: bytes, header: bytes) -> str:
    head = commit[: commit.find(b"\n\n") + 1]
    start = head.find(header)
    if start < 0:
        return ""
    first = head[start + len(header) : head.find(b"\n", start + 1)]
    return next((kind for text, kind in _BEGINNINGS.items() if first.startswith(text)), "")


def grades(repository: Repository, commits: Sequence[str], signers: Path | None) -> dict[str, str]:
    """Return git's grade of the signature of each commit, a key of `GRADES`, by one process.

    `signers` is the file of the trusted SSH keys; None leaves it to git's own configuration. git
    holds a key's dates against the committer's date, which the signer chose. Where the repository
    has a deadline, what is not verified some time before it is `UNCHECKED`.
    """
    if not commits:
        return {}
    trust = ("-c", f"gpg.ssh.allowedSignersFile={signers}") if signers else ()
    form = ("--no-walk=unsorted", "--no-show-signature", "--no-color", "--format=%H %G?")
    feed = "".join(f"{oid}\n" for oid in dict.fromkeys(commits)).encode("ascii")
    if repository.deadline is not None:
        repository = repository._replace(deadline=repository.deadline - _REST)
    try:
        output = ask(repository, *trust, "log", *form, "--stdin", feed=feed).stdout
    except TimeLimitError:
        return dict.fromkeys(commits, UNCHECKED)
    lines = (line.split(" ") for line in output.decode("ascii", "replace").splitlines())
    found = {oid: grade for oid, grade in lines if grade in GRADES}
    if found.keys() != set(commits):
        raise GitError("`git log` does not say of every commit how it is signed")
    return found


def keyring() -> list[str]:
    """Return what tells that GPG may answer otherwise than before: its files, and the hour.

    A key or a signature may expire at any moment; only GPG knows when.
    """
    home = Path(os.environ.get("GNUPGHOME") or Path.home() / ".gnupg")
    found = [str(home), str(time.time_ns() // _HOUR)]
    for name in _KEYRING:
        with suppress(OSError):
            status = (home / name).stat()
            found.append(f"{name} {status.st_size} {status.st_mtime_ns} {status.st_ino}")
    return found
