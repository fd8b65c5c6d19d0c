"""A file of which git's index alone has a text is held back from a sync, and the rest goes on."""

from tests.laws.test_law3_experience_is_history import NAME, PATH, commit_entries
from tests.sync_desk import Two, head, memory, values


def stage(two: Two, path: str, staged: str, on_disk: str | None) -> None:
    """Stage a text of a file, then have another one on disk, or none."""
    two.one.put(path, staged)
    two.one.git("add", path)
    if on_disk is None:
        (two.one.root / path).unlink()
    else:
        two.one.put(path, on_disk)


def test_a_text_that_only_the_index_has_is_held_back(two: Two) -> None:
    paths = [memory(two.one, name) for name in ("tea", "mate", "cacao")]
    two.one.ok("sync")
    text = two.one.read(paths[0])
    stage(two, paths[0], text + "staged\n", text + "disk\n")
    stage(two, paths[1], text + "staged\n", None)
    stage(two, paths[2], text + "staged\n", two.one.read(paths[2]))
    stage(two, "confirmed/new.md", text + "staged\n", text + "disk\n")
    memory(two.one, "other")
    held = values(two.one, code=1)["held"]
    assert sorted(each["path"] for each in held) == sorted([*paths, "confirmed/new.md"])
    assert {each["code"] for each in held} == {"sync.staged"}
    assert two.tip == head(two.one)
    assert two.one.git("show", "--name-only", "--format=", "HEAD") == "confirmed/other.md"
    for path in (*paths, "confirmed/new.md"):
        assert two.one.git("show", f":{path}").endswith("staged")
    lines = [x.partition("    ")[0] for each in held for x in each["hint"].splitlines()]
    first = lines[: len(lines) // 4]
    assert first[0].endswith(f"show :./{held[0]['path']}")
    assert first[1].endswith(f"add --all -- {held[0]['path']}")
    two.one.type(first[1])
    two.one.type(first[2])
    assert all(two.one.git("show", f"HEAD:{each['path']}").endswith("staged") for each in held[1:])
    assert values(two.one)["held"] == []


def test_what_moved_there_stays_with_it(two: Two) -> None:
    memory(two.one, "other")
    two.one.put("staging/one/tea.md", "---\ntitle: Tea\n---\n")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "tea")
    two.one.git("mv", "staging/one/tea.md", "confirmed/tea.md")
    stage(two, "confirmed/tea.md", "---\ntitle: Tea\n---\nstaged\n", "---\ntitle: Tea\n---\nb\n")
    held = values(two.one, code=1)["held"]
    assert [(each["path"], each["code"]) for each in held] == [
        ("confirmed/tea.md", "sync.staged"),
        ("staging/one/tea.md", "sync.needs"),
    ]


def test_what_is_no_text_of_its_own_is_committed_as_ever(two: Two) -> None:
    path = memory(two.one, "tea")
    two.one.git("add", path)
    (two.one.root / path).chmod(0o755)
    two.one.put("confirmed/empty.md", "")
    two.one.git("add", "confirmed/empty.md")
    memory(two.one, "empty")
    memory(two.one, "later")
    two.one.git("add", "-N", "confirmed/later.md")
    assert values(two.one)["held"] == []
    assert two.one.git("status", "--porcelain") == ""


def test_no_commit_is_offered_where_it_would_change_experience(two: Two) -> None:
    commit_entries(two.one)
    before = two.one.read(PATH)
    stage(two, PATH, before + "staged\n", before)
    (held,) = values(two.one, code=1)["held"]
    assert held["path"] == PATH
    assert " commit " not in held["hint"]
    assert NAME in held["hint"]
    two.one.type(held["hint"].splitlines()[1].partition("    ")[0])
    assert values(two.one)["held"] == []
