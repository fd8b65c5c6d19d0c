"""Fixtures that every test may use: isolated git, the folder of foreign fixtures."""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

_FOREIGN = Path(__file__).resolve().parents[2] / "shared" / "fixtures"

# Time is measured in tests/benchmarks, never by a deadline that a loaded machine misses.
settings.register_profile("doll", deadline=None, max_examples=50)
settings.load_profile("doll")

# Tests never see the machine's own git settings, hooks, identity or vault. What they see instead
# spares each commit a process and a wait for the disk; it decides nothing that a test looks at.
for _name in [name for name in os.environ if name.startswith(("GIT_", "DOLL_"))]:
    del os.environ[_name]
os.environ |= {
    "GIT_CONFIG_GLOBAL": str(Path(__file__).with_name("gitconfig")),
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada Tester",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada Tester",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    # Shells, editors and hooks find the doll that is tested, its environment activated or not.
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a person have the generated parts of the docs and goldens written anew."""
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="write generated documentation and goldens anew; review them in the diff",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to `pytest -m soak` what is not in the sample of the suite.

    Of a marked test that is one of each so many of its cases, of a marked module one of each so
    many of its tests.
    """
    seen: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None:
            own = any(each.name == "sampled" for each in item.own_markers)
            name = item.nodeid.partition("[" if own else "::")[0]
            if seen[name] % mark.args[0]:
                item.add_marker("soak")
            seen[name] += 1


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than there are processors: tests wait for git, locks and limits."""
    return (os.cpu_count() or 1) + 2


@pytest.fixture
def update_goldens(request: pytest.FixtureRequest) -> bool:
    """Whether to write goldens instead of comparing with them."""
    return bool(request.config.getoption("--update-goldens"))


@pytest.fixture
def foreign() -> Path:
    """The folder with real files of other systems; the test is skipped where it is absent."""
    if not _FOREIGN.is_dir():
        pytest.skip(f"real files of other systems are not here: {_FOREIGN}")
    return _FOREIGN
