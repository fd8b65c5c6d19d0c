"""Signatures of commits, as git verifies them: whether each is good and by a trusted key.

git asks `ssh-keygen` or GPG about each commit: that takes milliseconds each, so ask about few.
Whose SSH keys are trusted is the caller's to say; GPG's and X.509's trust is the user's keyring.
"""

import os
import signal
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

# No grade of git: the program that checks it gave no proper answer. git then says that it is bad,
# or none, as of one that is refused; of each of those ssh-keygen says this, and GPG something.
MUTE = "!"
_REFUSED = "BN"

SSH, OPENPGP, X509 = "ssh", "openpgp", "x509"
_SAYS = {SSH: "Could not verify signature"}
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


def grades(
    repository: Repository, commits: Sequence[str], signers: Path | None, kind: str
) -> dict[str, str]:
    """Return git's grade of the signature of each commit, a key of `GRADES` or `MUTE`.

    All are signatures of this kind. `signers` is the file of the trusted SSH keys; None leaves it
    to git's own configuration. git holds a key's dates against the committer's date, which the
    signer chose. Where the repository has a deadline, what is not verified some time before it is
    `UNCHECKED`.
    """
    wanted = list(dict.fromkeys(commits))
    if not wanted:
        return {}
    if repository.deadline is not None:
        repository = repository._replace(deadline=repository.deadline - _REST)
    try:
        output = _verified(repository, wanted, signers, "--format=%H %G?")
        if output is None:
            return dict.fromkeys(wanted, MUTE)
        lines = (line.split(" ") for line in output.splitlines())
        found = {oid: grade for oid, grade in lines if grade in GRADES}
        if found.keys() != set(wanted):
            raise GitError("`git log` does not say of every commit how it is signed")
        refused = [oid for oid, grade in found.items() if grade in _REFUSED]
        return found | dict.fromkeys(_mute(repository, refused, signers, kind), MUTE)
    except TimeLimitError:
        return dict.fromkeys(wanted, UNCHECKED)


def _mute(
    repository: Repository, commits: Sequence[str], signers: Path | None, kind: str
) -> Iterable[str]:
    """Return the commits about whose signature the program that checks it says nothing proper."""
    output = _verified(repository, commits, signers, "-z", "--format=%H%n%GG") if commits else ""
    if output is None:
        return commits
    answers = (record.partition("\n") for record in output.split("\0"))
    said = _SAYS.get(kind, "")
    return [oid for oid, _, answer in answers if oid and not (said in answer and answer.strip())]


def _verified(
    repository: Repository, commits: Sequence[str], signers: Path | None, *form: str
) -> str | None:
    """Return what `git log` says of commits, None where a program does not take what git tells."""
    trust = ("-c", f"gpg.ssh.allowedSignersFile={signers}") if signers else ()
    plain = ("--no-walk=unsorted", "--no-show-signature", "--no-color", *form, "--stdin")
    feed = "".join(f"{oid}\n" for oid in commits).encode("ascii")
    known = (0, -signal.SIGPIPE)
    output = ask(repository, *trust, "log", *plain, feed=feed, expected=known)
    return output.stdout.decode("utf-8", "replace") if output.code == 0 else None


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
