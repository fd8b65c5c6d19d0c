"""A step that the system refuses: an error that is true, and every file as it was.

Each step of each command once, with each error; and a disk that stays full, or read-only, from a
step on. Where a command ends well nevertheless, it did all that it was to do.
"""

import itertools

import pytest

from tests.faults import ERRORS, LASTING
from tests.judging import after_error, after_lasting
from tests.sampling import cases
from tests.sweeping import EVERY, World, refusals

PARTS = 32
STEP = 1500


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each sweep its parts."""
    if "part" in metafunc.fixturenames:
        every = list(itertools.product(sorted(EVERY), range(PARTS)))
        metafunc.parametrize(("name", "part"), cases(metafunc.config, every, STEP))


def test_refused_once(world: World, name: str, part: int) -> None:
    swept(world, name, part, ERRORS)


def test_refused_from_then_on(world: World, name: str, part: int) -> None:
    swept(world, name, part, LASTING)


def swept(world: World, name: str, part: int, kinds: tuple[str, ...]) -> None:
    flow = EVERY[name]
    world.renew(flow)
    old = world.state(flow)
    whole = world.type(flow)
    new = world.state(flow)
    judge = after_error if kinds == ERRORS else after_lasting
    wrong = {}
    for fault in refusals(whole.steps, kinds)[part::PARTS]:
        if faults := list(judge(world, flow, fault, old, new)):
            wrong[f"{fault.how} at step {fault.number}: {whole.steps[fault.number]}"] = faults
    assert not wrong, "\n".join(f"{step}\n    {faults}" for step, faults in wrong.items())
