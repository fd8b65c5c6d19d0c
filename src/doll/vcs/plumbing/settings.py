"""What git's configuration says: settings, the author's identity, where hooks live."""

import os
from pathlib import Path

from doll.vcs.plumbing.process import Output, environment, failure, run
from doll.vcs.plumbing.repository import Repository, ask

# Outside a repository only the user's and the machine's settings count: in a folder that happens
# to lie in some repository too.
_NOWHERE = {"GIT_DIR": os.devnull}


def config(
    repository: Repository | None, key: str, *, kind: str = "", local: bool = False
) -> str | None:
    """Return the last value of a setting, None when it is not set.

    `kind` is a type of `git config` (`bool`, `int`, `path`, which expands `~`) and makes git
    check and normalise the value: GitError when it does not fit. `local` looks at the
    repository's own file only. Without a repository: the user's and the machine's settings.
    """
    arguments = ["config", "-z"]
    if local:
        arguments.append("--local")
    if kind:
        arguments.append(f"--type={kind}")
    output = _read(repository, *arguments, "--get", key)
    return None if output.code else os.fsdecode(output.stdout).removesuffix("\0")


def config_flag(repository: Repository | None, key: str) -> bool:
    """Return a boolean setting as git reads it (`yes`, `on`, `1`, no value); False when not set."""
    return config(repository, key, kind="bool") == "true"


def config_section(
    repository: Repository | None, section: str, *, local: bool = False
) -> dict[str, str]:
    """Return the settings of a section by their name after its dot, read by one process.

    Names are in lower case, as git compares them; a subsection keeps its case. The last value
    counts; a name without a value has the value ``.
    """
    where = ["--local"] if local else []
    pattern = f"^{section.replace('.', '[.]')}[.]"
    output = _read(repository, "config", "-z", *where, "--get-regexp", pattern)
    found = {}
    for record in os.fsdecode(output.stdout).split("\0")[:-1]:
        key, _, value = record.partition("\n")
        found[key[len(section) + 1 :]] = value
    return found


def identity(repository: Repository | None) -> str | None:
    """Return the author git would write, `Name <mail>`; None when git refuses to name one."""
    output = _read(repository, "var", "GIT_AUTHOR_IDENT")
    if output.code:
        return None
    # The author's time and zone stand at the end.
    return output.stdout.decode("utf-8", "replace").strip().rsplit(" ", 2)[0]


def editor(repository: Repository, *, default: bool = True) -> str | None:
    """Return the command line of the editor that git would start, None when it knows none.

    It is `GIT_EDITOR`, `core.editor`, `VISUAL`, `EDITOR`, else git's default (git-var(1)). Without
    `default` it is one of the first two: what somebody has set for git.
    """
    if not default:
        return os.environ.get("GIT_EDITOR") or config(repository, "core.editor") or None
    output = _read(repository, "var", "GIT_EDITOR")
    return os.fsdecode(output.stdout).strip() or None


def hooks_folder(repository: Repository) -> Path:
    """Return the folder in which git looks for this repository's hooks.

    It knows `core.hooksPath` (relative to the top of the work tree, `~`), linked work trees and
    submodules. The folder need not exist. With an empty `core.hooksPath` it is the root.
    """
    arguments = ("rev-parse", "--path-format=absolute", "--git-path", "hooks")
    output = ask(repository, *arguments, expected=(0, 128))
    if output.code != 0:
        # It leads through a file, or is empty: git then looks for hooks in the root.
        value = config(repository, "core.hooksPath", kind="path")
        if value is None:
            raise failure(arguments, output.code, output.stderr)
        return repository.top / value if value else Path("/")
    return Path(os.fsdecode(output.stdout.removesuffix(b"\n")))


def _read(repository: Repository | None, *arguments: str) -> Output:
    expected = (0, 1, 128) if arguments[0] == "var" else (0, 1)
    if repository is not None:
        return ask(repository, *arguments, expected=expected)
    return run(arguments, Path("/"), environment(own=False) | _NOWHERE, expected=expected)
