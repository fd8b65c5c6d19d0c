"""A watcher that reads only what changed says at each look what `doll validate` says."""

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.errors import Problem
from doll.services.checking.work_tree import validate
from doll.services.watching.looking import Looker
from tests.desk import make_vault
from tests.gitbox import git
from tests.recall_vault import agrees, entry, memory, opened

NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)
KEY = "AKIA" + "Q3EGRT5WMXZP7HJK"
TEXTS = [
    memory("A", "see [[b]]"),
    memory("B", "text", supersedes="[a]"),
    memory("C", "text", aliases="[b, a]"),
    "---\ntitle: a: b\n---\n",
    memory("D", f"the key is {KEY}"),
    entry("E", "text", related="[a]"),
    memory("A", "no link"),
]
PATHS = [
    *(f"confirmed/{name}.md" for name in ("a", "b", "deep/c")),
    *("experience/atlas/x.md", "staging/proposals/p.md", "experience/atlas/note.txt"),
]
edits = st.tuples(st.sampled_from(PATHS), st.sampled_from([*TEXTS, None]))
steps = st.lists(st.one_of(st.lists(edits, min_size=1, max_size=3), st.none()), max_size=8)


def _edit(root: Path, path: str, text: str | None) -> None:
    place = root / path
    if text is None:
        place.unlink(missing_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_after_any_edits(turns: list[list[tuple[str, str | None]] | None]) -> None:
    """None commits what there is, which changes what is wrong as well."""
    with TemporaryDirectory() as folder:
        root = make_vault(Path(folder) / "notes")
        looker = Looker(root, allow_mass_delete=False)
        said: set[Problem] = set()
        for turn in [[], *turns]:
            for path, text in turn or ():
                _edit(root, path, text)
            if turn is None:
                git(root, "add", "-A")
                git(root, "commit", "-q", "--allow-empty", "-m", "turn")
            look = looker.look(NOW, None)
            said = said.difference(look.settled).union(look.new)
            expected = validate(opened(root), NOW).problems
            assert said == set(expected)
            assert look.errors == sum(each.severity == "error" for each in expected)
            assert all(looker.compare())
        assert agrees(root)


def test_a_second_edit_under_one_stamp_is_seen(tmp_path: Path) -> None:
    """Within a step of the file system's clock the stamp stays: so what is fresh is read again."""
    root = make_vault(tmp_path / "notes")
    _edit(root, "confirmed/a.md", memory("A", "0123"))
    looker = Looker(root, allow_mass_delete=False)
    assert looker.look(NOW, None).errors == 0
    before = (root / "confirmed/a.md").stat()
    with (root / "confirmed/a.md").open("r+") as file:
        file.write("+++")
    import os

    os.utime(root / "confirmed/a.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert looker.look(NOW, None).errors == 1
