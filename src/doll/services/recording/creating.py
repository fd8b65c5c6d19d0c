"""New records from their templates: memory and authority by the user, proposals by a model.

Experience is recorded by `recording.experience`. Nothing here changes a record that is there.
"""

import json
import re
from string import Template
from typing import NamedTuple

from doll.errors import UsageError
from doll.interchange.stems import identity, stems
from doll.records import times
from doll.records.digest import sha256
from doll.records.fields import fields_of
from doll.records.handler import scalar
from doll.records.model import RecordType
from doll.records.names import id_fault, slug
from doll.records.references import TARGETS
from doll.records.splice import splice
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.services.reading.referring import Known, canonical
from doll.services.recording import assignments, writing
from doll.services.recording.assignments import Value, parse_assignments, resolved
from doll.services.recording.authorship import require_user
from doll.services.recording.wording import one_line, readable
from doll.services.recording.writing import Draft, Manner, Written
from doll.services.templates import template
from doll.vault.layout import PROPOSALS, path_of
from doll.vault.lock import writing as writer_lock

_ACTION = re.compile(r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)*")


class Order(NamedTuple):
    """The record that is wanted, as it was typed. `settings` are the texts of `--set`."""

    type: RecordType
    id: str | None = None
    title: str | None = None
    project: str | None = None
    settings: tuple[str, ...] = ()
    body: str = ""


def new(vault: Vault, order: Order, manner: Manner) -> Written:
    """Write a new record of any type but experience.

    A model's memory becomes a proposal in staging. Raises UsageError (something does not fit),
    ConflictError (the id is taken, a secret, or authority by a model), BusyError, GitError.
    """
    _refuse(order, manner)
    allowed = writing.prepare(vault, manner)
    values = parse_assignments(order.type, order.settings)
    title = one_line(order.title, "--title") if order.title is not None else None
    record_id = _id(order, title, values)
    with writer_lock(vault.state):
        known = referring.load(vault)
        values = _with_project(order, resolved(known, order.type, values), known)
        _check_aliases(known, values)
        notes = tuple(assignments.notes_on(values))
        name = title or record_id
        shown = record_id if values.get("sensitivity") == "secret" else name
        data = _filled(order, name, values, times.render(manner.now))
        if manner.author.model is not None:
            draft = _proposal(order, shown, data, manner.author.model, notes)
        else:
            path = path_of(order.type, record_id)
            draft = Draft(path, data, f"new: {order.type} {shown}", notes)
        return writing.write(vault, known, draft, manner, allowed)


def _refuse(order: Order, manner: Manner) -> None:
    if order.type == "experience":
        raise UsageError(
            "experience is written by `doll log`, which names the file too",
            hint='doll log observation "what happened" --project PROJECT',
        )
    if order.type != "memory":
        require_user(
            manner.author,
            f"write a {order.type}",
            "tell the user, who writes it; as a model: doll new memory …, or doll log …",
        )


def _id(order: Order, title: str | None, values: dict[str, Value]) -> str:
    """Return the id that was given, else the slug of the title; UsageError for an invalid one."""
    if order.id is None:
        if title is None:
            raise UsageError(
                "a record needs an id or a title",
                hint=f'doll new {order.type} espresso --title "Espresso, no sugar"',
            )
        if values.get("sensitivity") == "secret":
            raise UsageError(
                "the id of a secret record is shown where its title is not: name it yourself",
                hint=f"doll new {order.type} ID --title …    with an ID that says nothing secret",
            )
        return slug(title)
    record_id = readable(order.id, "ID")
    if fault := id_fault(record_id) if record_id else "it is empty":
        near = f"such as {slug(record_id)}" if record_id else "such as espresso"
        raise UsageError(
            f"ID: {record_id[:80]!r} is no valid id: {fault}",
            hint=f"write letters and digits, {near}",
        )
    if order.type == "capability" and not _ACTION.fullmatch(record_id):
        raise UsageError(
            f"ID: the id of a capability is the name of an action, and {record_id[:80]!r} is none",
            hint="write a dotted lower-case name such as db.migrate",
        )
    return record_id


def _with_project(order: Order, values: dict[str, Value], known: Known) -> dict[str, Value]:
    """Return the values with the one of `--project` in the field that the type has for it."""
    fields = fields_of(order.type)
    field = "project" if "project" in fields else "projects"
    if order.project is None:
        if field == "project" and field in fields and values.get(field) is None:
            raise UsageError(
                f"a {order.type} belongs to a project",
                hint="--project ID; doll list --type project",
            )
        return values
    if field not in fields:
        raise UsageError(f"--project: a {order.type} belongs to no project", hint="leave it out")
    if values.get(field) is not None:
        raise UsageError(f"--project and --set {field} are both given", hint="keep one of them")
    project = canonical(known, order.type, field, [order.project], "--project")[0].id
    return {**values, field: project if field == "project" else [project]}


def _check_aliases(known: Known, values: dict[str, Value]) -> None:
    aliases = values.get("aliases") or []
    assert isinstance(aliases, list)
    for alias in aliases:
        fault = id_fault(alias)
        if fault:
            raise UsageError(f"--set aliases: {alias[:80]!r} is no valid id: {fault}")
        if holder := known.holder(alias):
            raise UsageError(f"--set aliases: {alias} is taken by {holder}", hint="leave it out")


def _filled(order: Order, title: str, values: dict[str, Value], now: str) -> bytes:
    """Return the template of the type with its placeholders, fields and body put in."""
    text = template(order.type)
    for key in values:
        # The field takes the place of the comment that offers it.
        text = re.sub(rf"(?m)^# {re.escape(key)}:.*$", f"{key}:", text, count=1)
    project = values.get("project")
    filled = Template(text).substitute(
        id=scalar(order.id or ""),
        title=scalar(title),
        now=now,
        project=scalar(project if isinstance(project, str) else ""),
    )
    data = splice(filled.encode(), values)
    _refuse_placeholder(order.type, values)
    if order.body:
        end = data.index(b"\n---\n", 3) + len(b"\n---\n")
        data = data[:end] + writing.below(order.body).encode()
    return data


def _refuse_placeholder(record_type: RecordType, values: dict[str, Value]) -> None:
    """Refuse a reference that only the template gives: it names no record."""
    for field in fields_of(record_type).values():
        if field.required and (record_type, field.name) in TARGETS and not values.get(field.name):
            raise UsageError(
                f"a {record_type} needs --set {field.name}=ID",
                hint=f"{field.name}: {field.description}",
            )


def _proposal(order: Order, name: str, data: bytes, model: str, notes: tuple[str, ...]) -> Draft:
    """Return a model's memory as a candidate; the same proposal has the same name again."""
    data = splice(data, {"origin": "model", "origin_source": model})
    said = json.dumps([order.title, order.id, sorted(order.settings), order.body])
    entry = identity("proposals", model, "", sha256(said.encode()))
    stem = stems([slug(name)], [entry])[0]
    waits = f"it waits for the user's review: doll review show proposals/{stem}"
    path = f"{PROPOSALS}/{stem}.md"
    return Draft(path, data, f"propose: {order.type} {name}", (*notes, waits))
