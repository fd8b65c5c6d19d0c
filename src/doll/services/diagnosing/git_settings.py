"""Settings of git that change records, keep hooks from running, or keep commits from being made."""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from doll.errors import Problem
from doll.services.checking import attribute_files
from doll.services.diagnosing.subject import Subject, setting
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing import ignoring

_TRUE = ("true", "yes", "on", "1", "")
# A record of each area, the marker, and a source: what bytes must survive a checkout.
_SAMPLES = ("confirmed/a.md", layout.MARKER, "staging/a/b/source/c")
# With these git stores other bytes than it checks out. Source: gitattributes(5).
_CHANGING = ("filter", "ident", "working-tree-encoding")
_NOTHING = ("unset", "unspecified")


def version(_: Subject) -> Iterator[Problem]:
    """Yield nothing: GitError where the installed git is older than doll needs."""
    plumbing.require_version()
    return iter(())


def identity(subject: Subject) -> Iterator[Problem]:
    """Yield that git knows nobody who commits."""
    if plumbing.identity(subject.vault.repository) is None:
        message = "git does not know who you are, so it makes no commit"
        hint = (
            'git config --global user.name "Your Name"\n'
            'git config --global user.email "you@example.org"'
        )
        yield setting("git.identity", message, hint, "error")


def line_endings(subject: Subject) -> Iterator[Problem]:
    """Yield a `core.autocrlf`, as bad as it is for records."""
    value = plumbing.config(subject.vault.repository, "core.autocrlf")
    if value is None or (value.lower() not in _TRUE and value.lower() != "input"):
        return
    kept = ignoring.attributes(
        subject.vault.repository, [subject.vault.in_git(path) for path in _SAMPLES], ("text",)
    )
    hint = subject.line("config core.autocrlf false")
    if all(said == "unset" for said in kept.values()):
        message = (
            f"core.autocrlf is {value or 'true'}: .gitattributes keeps records from it, "
            "and no other file of the vault"
        )
        yield setting("git.line_endings", message, hint, "note")
        return
    message = (
        f"core.autocrlf is {value or 'true'}, and .gitattributes does not keep records from it: "
        "a checkout changes their line endings, and then no digest fits"
    )
    yield setting("git.line_endings", message, hint, "error")


def attributes(subject: Subject) -> Iterator[Problem]:
    """Yield each attribute under which git keeps other bytes of records than are here."""
    paths = {subject.vault.in_git(path): path for path in _SAMPLES}
    said = ignoring.attributes(subject.vault.repository, paths, _CHANGING)
    for name in _CHANGING:
        touched = [path for at, path in paths.items() if said[at, name] not in _NOTHING]
        if touched:
            value = said[subject.vault.in_git(touched[0]), name]
            message = (
                f"the attribute {name}={value} lets git keep other bytes of records than are here"
            )
            yield from _changing(subject, name, touched, message)


def _changing(subject: Subject, name: str, paths: Sequence[str], message: str) -> Iterator[Problem]:
    """Yield a finding for each file of attributes in which a line takes the attribute away."""
    patterns = {"confirmed/a.md": "*.md", layout.MARKER: layout.MARKER}
    lines = defaultdict[Path, list[str]](list)
    for path in paths:
        place = attribute_files.deciding(subject.vault, path, (name,))
        lines[place].append(f"{patterns.get(path, 'staging/**/source/**')} -{name}")
    for place, own in lines.items():
        where = attribute_files.named(subject.vault, place)
        hint = attribute_files.adding(subject.vault, place, own)
        yield Problem(where, 0, 0, "git.attributes", message, "warning", hint)


def rebase(subject: Subject) -> Iterator[Problem]:
    """Yield a pull that makes commits anew."""
    branch = subject.vault.branch
    keys = [f"branch.{branch}.rebase"] if branch else []
    for key in (*keys, "pull.rebase"):
        value = plumbing.config(subject.vault.repository, key)
        if value is None:
            continue
        if value.lower() not in ("false", "no", "off", "0"):
            message = (
                f"{key} is {value or 'true'}: `git pull` makes commits anew, "
                "and signatures and reviews are lost"
            )
            hint = f"{subject.git} config {_shell(key)} false"
            yield setting("git.rebase", message, hint)
        return  # that of the branch goes before that of all


def hooks_path(subject: Subject) -> Iterator[Problem]:
    """Yield a `core.hooksPath` that leads nowhere: then git runs no hook of the vault."""
    repository = subject.vault.repository
    value = plumbing.config(repository, "core.hooksPath", kind="path")
    if value is None or os.path.isdir(repository.top / value):  # noqa: PTH112
        return
    own = plumbing.config(repository, "core.hooksPath", local=True) is not None
    message = f"core.hooksPath is {value}, which is no folder: git runs no hook here"
    line = "config --unset core.hooksPath" if own else "config --global --unset core.hooksPath"
    yield setting("git.hooks_path", message, subject.line(line))


def case(subject: Subject) -> Iterator[Problem]:
    """Yield a `core.ignoreCase` that is not what the file system of the vault does."""
    said = plumbing.config_flag(subject.vault.repository, "core.ignoreCase")
    alike = _tells_no_case_apart(subject)
    if alike is None or alike == said:
        return
    does = "tells no case apart" if alike else "tells upper and lower case apart"
    is_set = "true" if said else "false"
    message = f"the file system {does}, and core.ignoreCase is {is_set}: git mixes up names"
    value = "true" if alike else "false"
    yield setting("git.case", message, subject.line(f"config core.ignoreCase {value}"))


def _tells_no_case_apart(subject: Subject) -> bool | None:
    """Return whether `DOLL.YAML` is `doll.yaml` here, None where that file is not there."""
    place = subject.vault.root / layout.MARKER
    try:
        return place.with_name(layout.MARKER.upper()).samefile(place)
    except FileNotFoundError:
        return False if os.path.lexists(place) else None
    except OSError:
        return None


def _shell(text: str) -> str:
    import shlex

    return shlex.quote(text)
