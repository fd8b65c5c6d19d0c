"""The ranking algorithms by name. Imports each where it is asked for, and nothing before."""

from typing import TYPE_CHECKING

from doll.errors import UsageError

if TYPE_CHECKING:
    from doll.recall.ranking import Algorithm

DEFAULT = "associative/1"
NAMES = ("lexical/1", "associative/1", "activation/1")


def algorithm(name: str = DEFAULT) -> "Algorithm":
    """Return the algorithm of a name such as `lexical/1`. Raises UsageError for any other."""
    if name == "lexical/1":
        from doll.recall.lexical import Lexical

        return Lexical()
    if name == "associative/1":
        from doll.recall.associative import Associative

        return Associative()
    if name == "activation/1":
        from doll.recall.activation import Activation

        return Activation(algorithm("associative/1"))
    raise UsageError(
        f"no ranking algorithm is called {name}", hint=f"--algorithm {' or '.join(NAMES)}"
    )


def described(chosen: "Algorithm") -> dict[str, object]:
    """Return an algorithm as an answer names it: name, version, constants."""
    return {"name": chosen.name, "version": chosen.version, **chosen.constants}
