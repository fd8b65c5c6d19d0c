"""What HEAD has of a record that is about to change, and a review that is not there yet."""

from collections.abc import Iterable, Iterator

from doll.errors import ConflictError
from doll.records.digest import blob_id
from doll.records.model import Record
from doll.services.checking import review_rules
from doll.services.committing import first
from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing


def at_head(vault: Vault, path: str) -> str | None:
    """Return the blob id of a file at HEAD, None where it has none."""
    found = plumbing.tree(vault.repository, vault.head, [vault.in_git(path)])
    return found[0].oid if found else None


def earlier_changes(vault: Vault, path: str, data: bytes, *, commit: bool) -> Iterator[str]:
    """Yield a note where the bytes that a change starts from are not those of HEAD."""
    known = at_head(vault, path)
    with_it = "committed with it" if commit else "not committed either"
    if known is None:
        whole = ", and is committed whole" if commit else ""
        yield f"{path} was not committed before{whole}"
    elif known != blob_id(data, vault.repository.algorithm):
        yield f"{path} had changes before, which are {with_it}"


def open_reviews(vault: Vault, records: Iterable[Record]) -> frozenset[str]:
    """Return the paths of those records whose review HEAD does not have: it is about their bytes.

    git is asked once for all of them, and not at all where none has a review.
    """
    reviewed = [record for record in records if record.fields.reviewed_sha256 is not None]
    if not reviewed:
        return frozenset()
    folders = [vault.in_git(area) for area in layout.LOCAL_AREAS]
    tree = plumbing.tree(vault.repository, vault.head, folders)
    head = {path: item.oid for item in tree if (path := vault.in_vault(item.path)) is not None}
    gone = [path for path in head if not (vault.root / path).is_file()]
    entering = review_rules.entering(vault, reviewed, head, gone)
    return frozenset(each.record.path for each in entering if not each.was)


def refuse_open_review(vault: Vault, record: Record) -> None:
    """Raise ConflictError for a record whose review HEAD does not have."""
    if open_reviews(vault, [record]):
        raise ConflictError(
            f"the review of {record.id} is not committed yet, and it is about just these bytes; "
            "nothing was changed",
            # What is staged goes along with a merge.
            hint=(
                first(vault.repository)
                or f'git commit -m "review: approve {record.id}" -- {typed(record.path)} staging'
                "    then "
            )
            + "this again",
        )
