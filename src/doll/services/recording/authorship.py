"""Who writes: the user, or a model that says so with `--by` or `DOLL_BY`.

What a model writes stays below the user: this module says who it is and refuses what is the
user's alone. It trusts nobody upwards: there is no form that makes a model's text the user's.
"""

import re
from typing import NamedTuple

from doll.errors import ConflictError, UsageError

_FORM = re.compile(r"model:[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,99}")
_HINT = "write model: and a name of letters, digits and ._:/@+-, such as model:claude-opus-4"


class Author(NamedTuple):
    """Who writes; `model` is `model:NAME`, or None for the user."""

    model: str | None = None


USER = Author()


def author(by: str | None, environment: str | None) -> Author:
    """Return who writes, from the option `--by` and the variable `DOLL_BY` (None: not given).

    UsageError for any other form than `model:NAME`, an empty one too: an agent whose environment
    is set up wrongly must not pass for the user. `--by` cannot undo or rename `DOLL_BY`.
    ConflictError for a name that looks like a secret.
    """
    option = None if by is None else _checked(by, "--by")
    variable = None if environment is None else _checked(environment, "DOLL_BY")
    if option and variable and option != variable:
        raise UsageError(
            f"--by {option}: DOLL_BY says that {variable} is writing, and --by cannot change it",
            hint="leave --by out",
        )
    return Author(variable or option)


def _checked(value: str, where: str) -> str:
    if _FORM.fullmatch(value):
        _refuse_secret(value, where)
        return value
    if not value:
        raise UsageError(
            f"{where} is empty, and '' says no model", hint=f"the user unsets it; {_HINT}"
        )
    if value == "user":
        raise UsageError(
            f"{where}: nobody becomes the user by saying so",
            hint="the user leaves it out; " + _HINT,
        )
    raise UsageError(f"{where}: {value[:120]!r} says no model", hint=_HINT)


def _refuse_secret(value: str, where: str) -> None:
    """Raise ConflictError for a name that looks like a secret: it would be written as it stands."""
    from doll.secrets import scan

    if hits := scan(value):
        raise ConflictError(
            f"{where}: this looks like a secret ({hits[0].detector}); nothing was written",
            hint=_HINT,
        )


def require_user(who: Author, what: str, instead: str) -> None:
    """Raise ConflictError when a model is at work: `what` is the user's; `instead` is the hint."""
    if who.model is not None:
        raise ConflictError(f"{who.model} cannot {what}: that is the user's", hint=instead)
