"""The ground of a pack: accepted authority and history, judged by preflight for the task.

Everything but the search comes from here, and from the accepted commit alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, cast

from doll.errors import ConfigurationError, UsageError
from doll.preflight import Report, Request
from doll.preflight.context import Context, prepare
from doll.preflight.history import History
from doll.preflight.request import REQUEST
from doll.records import fences
from doll.records.model import Record
from doll.render.context_values import Reason
from doll.services.gating import Judged, judge, look, ruling
from doll.services.opening import Vault
from doll.services.packing.asked import Asked, Tally
from doll.vault import files, layout
from doll.vcs import plumbing

# Every finding is wanted: the budget bounds the pack.
_ALL = 1_000_000


class Ground(NamedTuple):
    """What is accepted.

    `history` are the committed entries. `oids` are the blobs of the authority that counts, by path,
    `unsettled` the paths that have several signed versions.
    """

    vault: Vault
    commit: str
    judged: Judged
    context: Context
    history: History
    oids: Mapping[str, str]
    unsettled: frozenset[str]

    @property
    def report(self) -> Report:
        """What preflight says about the task."""
        return self.judged.report

    @property
    def project(self) -> str | None:
        """The id of the project that was asked for."""
        return self.context.request.project

    @property
    def is_unproven(self) -> bool:
        """Whether `doll.yaml` asks for signatures and none shows that it may: so nothing is signed.

        It is for preflight to warn of more than there may be, and for a pack to show less.
        """
        return any(each.problem.code == "signature.settings" for each in self.report.obstacles)

    def named_project(self, name: str) -> str | None:
        """Return the id of the project that a record names; None where nobody can say."""
        project = self.context.resolver.record(name, "project")
        return project.id if project else None

    def bodies(self, records: Iterable[Record]) -> Mapping[str, str]:
        """Return the bodies of accepted records, by path: of exactly the bytes that count.

        GitError for bytes that git does not hold.
        """
        records = list(records)
        root = self.vault.root
        read = ((r.path, files.read_as(root, r.path, r.digest)) for r in records)
        data = {path: found for path, found in read if found is not None}
        rest = [record.path for record in records if record.path not in data]
        oids = {path: self.oids[path] for path in rest if path in self.oids}
        oids |= committed(self.vault, self.commit, [path for path in rest if path not in oids])
        blobs = plumbing.blobs(self.vault.repository, oids.values())
        data |= {path: blobs[oid] for path, oid in oids.items()}
        return {record.path: _body(data[record.path]) for record in records}


def ground_for(vault: Vault, asked: Asked, as_of: datetime) -> Ground:
    """Return what is accepted and concerns a task.

    Raises UsageError and ConfigurationError for a project that does not resolve, UsageError for an
    action or path that can match nothing, and what `gating.look` does.
    """
    request = Request(project=asked.project, actions=asked.actions, paths=asked.paths)
    found = look(vault)
    judged = judge(vault, found, ruling(vault, found), request, as_of, cap=_ALL)
    _refuse(judged.report, asked)
    context, _ = prepare(judged.inputs, request, as_of)
    entries = [entry for entry in judged.inputs.experience if entry.committed]
    oids = {vault.in_vault(item.path) or "": item.oid for item in found.authority}
    versions = Counter(vault.in_vault(item.path) or "" for item in found.authority)
    return Ground(
        vault,
        found.accepted.commit,
        judged,
        context,
        History(entries, context.resolver),
        oids,
        frozenset(path for path, number in versions.items() if number > 1),
    )


def committed(vault: Vault, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the blob ids that a commit has at paths of the vault; links are no files."""
    wanted = [vault.in_git(path) for path in paths]
    items = plumbing.tree(vault.repository, commit, wanted) if wanted else ()
    files = (item for item in items if item.mode in ("100644", "100755"))
    return {cast("str", vault.in_vault(item.path)): item.oid for item in files}


def tally_pending(ground: Ground, asked: Asked, tally: Tally) -> None:
    """Count the changes of work items and decisions that are not accepted.

    What cannot be read may be about a secret, so it is not named.
    """
    pending = [p for p in ground.judged.inputs.pending if _is_packed(p.path)]
    if not pending:
        return
    records = [*ground.vault.load(["authority"]).records, *ground.judged.inputs.authority]
    labels: dict[str, list[bool]] = {}
    for record in records:
        labels.setdefault(record.path, []).append(asked.may_show(record.fields.sensitivity))
    for path, _, code in pending:
        reason: Reason = "not_signed" if code == "authority.not_signed" else "not_committed"
        named = all(labels.get(path, [False]))
        tally.add(reason, layout.record_id(path), named=named)


def _is_packed(path: str) -> bool:
    return path.startswith(("authority/work-items/", "authority/decisions/"))


def _refuse(report: Report, asked: Asked) -> None:
    """Refuse a request that names what is not there: nothing is taken for what was meant."""
    for obstacle in report.obstacles:
        problem = obstacle.problem
        if problem.path != REQUEST:
            continue
        if problem.code.startswith("reference.") and not asked.typed:
            said = f"git config doll.project: {problem.message}"
            raise ConfigurationError(said, hint=problem.hint)
        raise UsageError(problem.message, hint=problem.hint)


def _body(data: bytes) -> str:
    """Return the body of a record file that has been read before, and is sound."""
    return fences.body(data.decode())
