"""How a line that doll prints gets to the vault from where it is typed."""

from pathlib import Path

from doll.errors import DollError
from doll.render.leading import Way
from doll.services.locating import Place, find


def way(place: Place, root: Path | None = None) -> Way:
    """Return the way from the working folder to the vault that `place` leads to.

    `root` is its folder where that is known; else it is looked for. Where git's variables name a
    repository, as in a hook, nobody knows where one is. A vault that an option or the environment
    names is named by each line, but where every other way to look for a vault from here leads to
    the same one.
    """
    root = root or _found(place)
    named = place.explicit or place.environment
    if root is None:
        return Way("", str(place.cwd / named) if named else "")
    is_here = not place.tied and place.cwd.resolve() == root
    needs = named and not _is_found_without(place, root)
    return Way("" if is_here else str(root), str(root) if needs else "")


def _is_found_without(place: Place, root: Path) -> bool:
    plain = place._replace(explicit=None, environment=None)
    others = [plain, plain._replace(environment=place.environment)] if place.explicit else [plain]
    return all(_found(other) == root for other in others)


def _found(place: Place) -> Path | None:
    try:
        return find(place)[0]
    except DollError:
        return None
