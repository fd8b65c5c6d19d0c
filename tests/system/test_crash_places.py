"""Every place in the source that writes is passed by a flow of the sweep, or named here with why.

Long: it runs every flow once.
"""

import pytest

from tests.sweeping import EVERY, World
from tests.write_paths import Place, places

# By module: what the flows of the small world do not pass, and what tries it instead.
ELSEWHERE = {
    "doll.cli.crash": "a bug: tests/system/test_boundary.py",
    "doll.reconcile.pulse": "a hint for `doll status`, written by the clock: test_watch_*.py",
    "doll.reconcile.shelf": "the base of a large index: a sealed file of the cache as any other",
    "doll.reconcile.words": "a sealed file of the cache as any other",
    "doll.services.consolidating.judging": "a judgement over one that does not hold any more",
    "doll.services.hooks.pins": "settings of an earlier install: test_hooks_install.py",
    "doll.services.signing.grading": "a sealed file of the cache as any other",
    "doll.services.syncing.both_sides": "a conflict of a sync: tests/system/test_sync_*.py",
    "doll.services.syncing.finishing": "a conflict of a sync: tests/system/test_sync_*.py",
    "doll.services.syncing.made": "a conflict of a sync: tests/system/test_sync_*.py",
    "doll.services.syncing.rescuing": "a rewritten remote: tests/system/test_sync_*.py",
    "doll.services.touring": "a temporary folder with nothing of the user's",
    "doll.vault.heartbeat": "a hint for `doll status`, written by the clock: test_watch_*.py",
    "doll.vault.naming": "a system without renameat2: tests/system/test_mv.py",
}


@pytest.mark.soak
def test_every_place_that_writes_is_swept(world: World) -> None:
    passed: set[tuple[str, int]] = set()
    for name, flow in EVERY.items():
        if name == "tour":
            continue
        world.renew(flow)
        ran = world.type(flow)
        assert ran.code in (0, 1), (name, ran.err)
        passed.update(line for step in ran.steps for line in step.lines)
    missing = [place for place in places() if not _is_passed(place, passed)]
    assert not [place for place in missing if place.module not in ELSEWHERE]


def _is_passed(place: Place, passed: set[tuple[str, int]]) -> bool:
    lines = range(place.first, place.last + 1)
    return any((place.module, line) in passed for line in lines)


def test_places_are_found() -> None:
    found = {place.module for place in places()}
    assert len(found) > 30
    assert "doll.vault.files" in found
