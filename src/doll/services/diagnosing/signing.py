"""Whether git can sign, where it is set to sign every commit: else it makes none at all."""

import os
import shutil
from collections.abc import Iterator

from doll.errors import Problem
from doll.services.diagnosing.subject import Subject, setting
from doll.vcs import plumbing

# By `gpg.format`: the settings that name the program, and git's own. Source: git-config(1).
_PROGRAMS = {
    "openpgp": (("gpg.openpgp.program", "gpg.program"), "gpg"),
    "x509": (("gpg.x509.program",), "gpgsm"),
    "ssh": (("gpg.ssh.program",), "ssh-keygen"),
}


def signing(subject: Subject) -> Iterator[Problem]:
    """Yield a `commit.gpgSign` whose program is not there."""
    repository = subject.vault.repository
    if not plumbing.config_flag(repository, "commit.gpgSign"):
        return
    known = plumbing.config(repository, "gpg.format") or "openpgp"
    names, program = _PROGRAMS.get(known, _PROGRAMS["openpgp"])
    for name in names:
        if value := plumbing.config(repository, name, kind="path"):
            program = value
            break
    # One with a slash is taken from the top of the work tree.
    if shutil.which(os.path.join(repository.top, program) if "/" in program else program):  # noqa: PTH118
        return
    message = f"commit.gpgSign is true, and {program} is not there: git makes no commit"
    without = subject.line("config commit.gpgSign false")
    hint = (
        f"# install {program}, or name it: git config {names[0]} PROGRAM\n"
        f"{without}    makes commits without a signature here"
    )
    yield setting("git.signing", message, hint, "error")
