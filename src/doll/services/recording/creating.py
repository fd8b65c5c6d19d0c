"""New records from their templates: memory and authority by the user, proposals by a model.

Experience is recorded by `recording.experience`. Nothing here changes a record that is there.
"""

import re
from string import Template
from typing import NamedTuple

from doll.errors import Problem, UsageError
from doll.records import times
from doll.records.codec import parse, values_of
from doll.records.fields import fields_of
from doll.records.handler import scalar
from doll.records.model import RecordType, with_article
from doll.records.names import id_fault, slug
from doll.records.references import TARGETS
from doll.records.splice import splice
from doll.services.opening import Vault
from doll.services.proposing import naming, rules
from doll.services.reading import referring
from doll.services.reading.referring import Known, canonical
from doll.services.recording import assignments, writing
from doll.services.recording.assignments import Value, parse_assignments, resolved
from doll.services.recording.authorship import require_user
from doll.services.recording.counting import branch_notes
from doll.services.recording.projects import NO_PROJECT, configured_id
from doll.services.recording.wording import one_line, typed_id
from doll.services.recording.writing import Draft, Manner, Written
from doll.services.templates import template
from doll.services.writer import writing as writer_lock
from doll.vault.layout import path_of
from doll.vault.layout import record_id as record_id_of

# Fields whose default would be a choice that nobody made: the template's stands for no other.
_CHOSEN: dict[tuple[RecordType, str], str] = {
    ("policy", "effect"): "deny: blocked; require_confirmation: asks; advise: a warning",
}
_TEMPLATE_COMMENT = re.compile(r"(?m)^# .*\n|[ ]{2,}# .*$")


class Order(NamedTuple):
    """The record that is wanted, as it was typed. `settings` are the texts of `--set`.

    `configured` is the project of the repository one is in; it counts where a type needs one and
    none was given.
    """

    type: RecordType
    id: str | None = None
    title: str | None = None
    project: str | None = None
    settings: tuple[str, ...] = ()
    body: str = ""
    configured: str | None = None

    @property
    def is_filled(self) -> bool:
        """Whether it says what stands in the record, beside its id and project."""
        return bool(self.title or self.settings or self.body)


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
    with writer_lock(vault):
        known = referring.load(vault)
        values = _with_project(order, resolved(known, order.type, values), known)
        _check_aliases(known, values)
        notes = (
            *assignments.notes_on(values),
            *(branch_notes(vault) if order.type != "memory" else ()),
        )
        name = title or record_id
        shown = record_id if values.get("sensitivity") == "secret" else name
        data = _filled(order, name, values, times.render(manner.now))
        path = path_of(order.type, record_id)
        draft = Draft(path, data, f"new: {order.type} {shown}", notes)
        if manner.author.model is not None:
            draft = _proposal(values, record_id, draft, manner.author.model, order.body)
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
            f"write {with_article(order.type)}",
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
    return typed_id(order.id, "ID", order.type)


def _with_project(order: Order, values: dict[str, Value], known: Known) -> dict[str, Value]:
    """Return the values with the one of `--project` in the field that the type has for it."""
    fields = fields_of(order.type)
    field = "project" if "project" in fields else "projects"
    if order.project is None:
        if field == "project" and field in fields and values.get(field) is None:
            return {**values, field: _needed_project(order, known)}
        return values
    if field not in fields:
        raise UsageError(
            f"--project: {with_article(order.type)} belongs to no project", hint="leave it out"
        )
    if values.get(field) is not None:
        raise UsageError(f"--project and --set {field} are both given", hint="keep one of them")
    project = canonical(known, order.type, field, [order.project], "--project")[0].id
    return {**values, field: project if field == "project" else [project]}


def _needed_project(order: Order, known: Known) -> str:
    """Return the project of the repository one is in; UsageError where there is none."""
    if order.configured is None:
        raise UsageError(f"{with_article(order.type)} belongs to a project", hint=NO_PROJECT)
    return configured_id(known, order.type, order.configured)


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
    """Return the template of the type with its placeholders, fields and body put in.

    The comments that explain the template stay only where nothing was said: then it is a form.
    """
    text = template(order.type)
    for key in values:
        # The field takes the place of the comment that offers it.
        text = re.sub(rf"(?m)^# {re.escape(key)}:.*$", f"{key}:", text, count=1)
    if order.is_filled:
        # Before anything typed is put in: a `#` of the user's own is no comment of the template.
        text = _TEMPLATE_COMMENT.sub("", text)
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
    """Refuse what only the template says: a reference to no record, a rule's effect."""
    for field in fields_of(record_type).values():
        place = (record_type, field.name)
        if not field.required or values.get(field.name):
            continue
        if place in TARGETS or place in _CHOSEN:
            wanted = "ID" if place in TARGETS else "VALUE"
            raise UsageError(
                f"{with_article(record_type)} needs --set {field.name}={wanted}",
                hint=_CHOSEN.get(place) or f"{field.name}: {field.description}",
            )


def _proposal(
    values: dict[str, Value], record_id: str, draft: Draft, model: str, body: str
) -> Draft:
    """Return a model's memory as a candidate, named after its id, under the rules of proposals."""
    beyond = list(rules.claims(values, model))
    if beyond:
        raise UsageError(
            "a proposal cannot say all of this; nothing was written",
            problems=[Problem(f"--set {f}", 0, 0, rules.CODE, m, hint=h) for f, m, h in beyond],
        )
    data = splice(draft.data, {"origin": "model", "origin_source": model})
    record = parse(data, draft.path, record_id, "memory").record
    if record is None:  # what is wrong is told where it is written
        return draft
    path = naming.path_of(record.fields, values_of(data), body, record_id)
    waits = f"it waits for the user's review: doll review show {record_id_of(path)}"
    subject = draft.subject.replace("new:", "propose:", 1)
    return Draft(path, data, subject, (*draft.notes, waits))
