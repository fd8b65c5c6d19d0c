"""The adapters that there are, by name; each is loaded when it is asked for."""

from collections.abc import Callable, Mapping

from doll.errors import UsageError
from doll.interchange.base import Adapter, Layout, Remark


def _pam() -> Adapter:
    from doll.interchange.pam.adapter import PamAdapter

    return PamAdapter()


def _engram() -> Adapter:
    from doll.interchange.engram.adapter import EngramAdapter

    return EngramAdapter()


def _markdown() -> Adapter:
    from doll.interchange.markdown.adapter import MarkdownAdapter

    return MarkdownAdapter()


def _projectmem() -> Adapter:
    from doll.interchange.projectmem.adapter import ProjectmemAdapter

    return ProjectmemAdapter()


ADAPTERS: dict[str, Callable[[], Adapter]] = {
    "engram": _engram,
    "markdown": _markdown,
    "pam": _pam,
    "projectmem": _projectmem,
}


def _pam_remarks(claims: Mapping[str, str]) -> tuple[Remark, ...]:
    from doll.interchange.pam.remarks import remarks

    return remarks(claims)


REMARKS: dict[str, Callable[[Mapping[str, str]], tuple[Remark, ...]]] = {"pam": _pam_remarks}
"""What a reviewer should see first of the claims of a record, by the adapter it came through."""

LAYOUTS: dict[str, Layout] = {
    "engram": Layout(
        ("engrams.yaml",),
        ("SKILL.md", "INTEGRITY", "episodes.yaml", "tensions.yaml", "history/*.jsonl"),
        "give the folder that holds engrams.yaml, or that file",
    ),
    "pam": Layout(
        ("memory-store.json",),
        ("conversations/*.json", "embeddings.json"),
        "give the folder of the export, its zip archive, or its memory-store.json",
    ),
    "projectmem": Layout(
        ("events.jsonl", ".projectmem/events.jsonl"),
        absent="projectmem's log is ignored by git, so a clone has none: take it from where it was "
        "written;\n--lossy imports the summary as text",
    ),
}
"""Which files of a folder an adapter reads, for those whose source can be a folder."""


def adapter(name: str) -> Adapter:
    """Return the adapter called `name`; UsageError for one that does not exist."""
    if name not in ADAPTERS:
        known = ", ".join(sorted(ADAPTERS))
        raise UsageError(f"there is no adapter {name!r}", hint=f"adapters: {known}")
    return ADAPTERS[name]()
