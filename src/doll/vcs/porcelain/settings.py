"""Changing the repository's own settings."""

import time

from doll.errors import GitError
from doll.vcs.plumbing.repository import Repository
from doll.vcs.porcelain import running

# git takes the lock of its settings without waiting for it; it holds it for milliseconds.
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)


def set_config(repository: Repository, key: str, value: str) -> None:
    """Set a setting in the repository's own file, which linked work trees share."""
    _config(repository, "--replace-all", "--", key, value)


def unset_config(repository: Repository, key: str) -> None:
    """Take a setting out of the repository's own file, if it is there."""
    _config(repository, "--unset-all", key, expected=(0, 5))


def _config(repository: Repository, *arguments: str, expected: tuple[int, ...] = (0,)) -> None:
    """Change the repository's own file, waiting while another git does."""
    for pause in (*_PAUSES, None):
        try:
            with running.tied(repository):
                running.git(
                    repository.top, "config", "--local", *arguments, expected=expected, plain=True
                )
        except GitError as error:
            held = "lock config file" in error.message and "File exists" in error.message
            if not held:
                raise
            if pause is None:
                raise running.lock_error(repository.common_dir / "config.lock") or error from error
        else:
            return
        time.sleep(pause)
