"""kill -9 at every step of every command: what is found is the old or the new, never a third.

The steps are those of `doll.vault.disk` and every git that writes. Whatever was killed, the next
readers say what is true, and the same command, typed again, ends where it would have ended.
"""

import itertools
from collections.abc import Iterator

import click
import pytest

from doll.cli.main import doll as command_line
from tests.flows import FLOWS
from tests.judging import after_kill
from tests.sampling import cases
from tests.sweeping import EVERY, World, points

PARTS = 32
STEP = 600


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each sweep its parts."""
    if "part" in metafunc.fixturenames:
        every = list(itertools.product(sorted(EVERY), range(PARTS)))
        metafunc.parametrize(("name", "part"), cases(metafunc.config, every, STEP))


def commands(command: click.Command, name: str = "") -> Iterator[str]:
    """Yield every command of the command line, and each group that does something itself."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from commands(found, f"{name} {each}".strip())
    if name and (not isinstance(command, click.Group) or command.invoke_without_command):
        yield name


def test_every_command_has_a_flow() -> None:
    """A new command comes with a flow here, or a word that it is asked to change nothing."""
    missing = set(commands(command_line)) - set(EVERY)
    assert not missing


def test_killed(world: World, name: str, part: int) -> None:
    flow = EVERY[name]
    world.renew(flow)
    old = world.state(flow)
    whole = world.type(flow)
    assert whole.code in (0, 1), whole.err
    new = world.state(flow)
    assert whole.steps or name not in FLOWS, "a flow that changes the disk has no step"
    thirds = {}
    for fault in points(whole.steps)[part::PARTS]:
        if faults := list(after_kill(world, flow, fault, old, new)):
            thirds[f"{fault.how} step {fault.number}: {whole.steps[fault.number]}"] = faults
    assert not thirds, "\n".join(f"{step}\n    {faults}" for step, faults in thirds.items())
