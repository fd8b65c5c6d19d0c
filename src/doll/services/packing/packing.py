"""Packing: from a task to the context pack for it. Writes nothing but caches.

What is in the vault's work tree and not accepted is never in a pack; neither are candidates.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import Problem, UsageError
from doll.preflight.request import REQUEST
from doll.recall.query import ask
from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import Notice
from doll.render.context_values import Head, Pack, Section
from doll.render.recall_values import Answer
from doll.render.tokens import tokens
from doll.secrets import mask
from doll.services.opening import Vault
from doll.services.packing.asked import Asked, Tally
from doll.services.packing.authority import decisions, open_work
from doll.services.packing.candidates import Bounds, Candidate
from doll.services.packing.choosing import choose, limit_of
from doll.services.packing.failures import failures
from doll.services.packing.ground import Ground, ground_for, tally_pending
from doll.services.packing.memory import memories
from doll.services.packing.searching import Searched, search


class Packed(NamedTuple):
    """A pack, and what is to be said beside it: what could not be looked at or read, the index."""

    pack: Pack
    problems: tuple[Problem, ...]
    notices: tuple[Notice, ...]


def pack(vault: Vault, asked: Asked, as_of: datetime, progress: Progress | None = None) -> Packed:
    """Return the context pack for a task at a moment.

    Raises UsageError (no task, no such project, a path that leads out), NoVaultError,
    ConfigurationError (nothing is accepted, `git config doll.project` is wrong), GitError.
    """
    if not asked.task.strip():
        raise UsageError("the task is empty", hint='doll context "what I am about to do"')
    ground = ground_for(vault, asked, as_of)
    searched = search(vault, asked, ground.project, as_of, progress)
    terms = {each.term: each.said for each in ask(asked.task).asked}
    bounds = Bounds(terms, limit_of(asked.budget))
    tally = Tally()
    found = _found(ground, searched, asked, bounds, tally)
    tally_pending(ground, asked, tally)
    for answer in (searched.memories, searched.failures):
        _tally_answer(answer, tally)
    problems = _problems(ground, searched.memories)
    tally.count("unreadable", len({each.path for each in problems if each.path}))
    head = _head(ground, asked, as_of, complete=not problems)
    items, text = choose(head, found, tally)
    made = Pack(
        head=head,
        items=items,
        found={section: len(some) for section, some in found.items()},
        left_out=tuple(tally.all()),
        text=text,
        tokens=tokens(f"{text}\n"),
        algorithm=searched.memories.algorithm,
        index_digest=searched.memories.index_digest,
    )
    return Packed(made, problems, searched.notices)


def _found(
    ground: Ground, searched: Searched, asked: Asked, bounds: Bounds, tally: Tally
) -> Mapping[Section, Sequence[Candidate]]:
    """Return what may be chosen, in the order of the sections and within them."""
    return {
        "work": tuple(open_work(ground, asked, bounds, tally)),
        "decisions": tuple(decisions(ground, asked, bounds, tally)),
        "failures": tuple(failures(ground, searched.failures.hits, asked, bounds, tally)),
        "memory": tuple(memories(ground, searched.memories.hits, asked, bounds, tally)),
    }


def _head(ground: Ground, asked: Asked, as_of: datetime, *, complete: bool) -> Head:
    return Head(
        task=mask(asked.task),
        project=ground.project,
        actions=asked.actions or (),
        paths=asked.paths or (),
        sensitivity=asked.sensitivity,
        as_of=as_of,
        commit=ground.commit,
        budget=asked.budget,
        complete=complete,
    )


def _tally_answer(answer: Answer, tally: Tally) -> None:
    """Count what matched and is not among the hits: the search says how many, and not which."""
    if answer.changed:
        tally.count("changed", answer.changed)
    more = answer.matches - len(answer.hits) - answer.changed
    if more > 0:
        tally.count("weaker_match", more)


def _problems(ground: Ground, answer: Answer) -> tuple[Problem, ...]:
    """Return what could not be read or looked at, one problem for each file."""
    obstacles = (each.problem for each in ground.report.obstacles if each.problem.path != REQUEST)
    unreadable = ground.judged.inputs.unreadable_experience
    first: dict[tuple[str, str], Problem] = {}
    for problem in (*obstacles, *unreadable, *answer.unreadable):
        first.setdefault((problem.path, "" if problem.path else problem.message), problem)
    return tuple(first.values())
