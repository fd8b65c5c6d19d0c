"""The ways of a work item: one table, as docs/vault-format.md states it."""

import pytest

from doll.records.fields import fields_of
from doll.records.work_items import VERBS, WAYS, ends_block, open_ways, way_to_done


def test_the_states_are_those_of_the_field() -> None:
    assert tuple(WAYS) == fields_of("work-item")["status"].choices


def test_the_ways_are_those_of_the_format() -> None:
    ways = {(state, target) for state, targets in WAYS.items() for target in targets}
    onwards = {("proposed", "ready"), ("ready", "in_progress"), ("in_progress", "completed")}
    blocks = {("ready", "blocked"), ("in_progress", "blocked")}
    back = {("blocked", "ready"), ("blocked", "in_progress")}
    open_states = ("proposed", "ready", "in_progress", "blocked")
    assert ways == onwards | blocks | back | {(state, "cancelled") for state in open_states}


def test_every_way_has_a_verb_and_no_verb_leads_elsewhere() -> None:
    by_verb = {(source, verb.target) for verb in VERBS.values() for source in verb.sources}
    assert by_verb == {(state, target) for state, targets in WAYS.items() for target in targets}


@pytest.mark.parametrize(
    ("state", "ways"),
    [
        ("proposed", ["ready", "cancel"]),
        ("ready", ["start", "block", "cancel"]),
        ("in_progress", ["done", "block", "cancel"]),
        ("blocked", ["unblock", "start", "cancel"]),
        ("completed", []),
        ("cancelled", []),
    ],
)
def test_the_verbs_that_are_open(state: str, ways: list[str]) -> None:
    assert [verb for verb, _ in open_ways(state)] == ways


@pytest.mark.parametrize("state", WAYS)
def test_the_way_to_done_is_open_at_every_step(state: str) -> None:
    here = state
    for verb in way_to_done(state):
        assert here in VERBS[verb].sources
        here = VERBS[verb].target
    assert here == ("completed" if "cancelled" in WAYS[state] else state)


def test_what_blocked_it_goes_where_the_work_goes_on() -> None:
    assert ends_block("blocked", "ready")
    assert ends_block("blocked", "in_progress")
    assert not ends_block("blocked", "cancelled")
    assert not ends_block("ready", "in_progress")
