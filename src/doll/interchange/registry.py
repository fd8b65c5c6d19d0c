"""The adapters that there are, by name; each is loaded when it is asked for."""

from collections.abc import Callable

from doll.errors import UsageError
from doll.interchange.base import Adapter


def _pam() -> Adapter:
    from doll.interchange.pam.adapter import PamAdapter

    return PamAdapter()


ADAPTERS: dict[str, Callable[[], Adapter]] = {"pam": _pam}


def adapter(name: str) -> Adapter:
    """Return the adapter called `name`; UsageError for one that does not exist."""
    if name not in ADAPTERS:
        known = ", ".join(sorted(ADAPTERS))
        raise UsageError(f"there is no adapter {name!r}", hint=f"adapters: {known}")
    return ADAPTERS[name]()
