"""Law 1: recall never rewrites memory, and no cache has a say in any answer.

No reading command changes a byte, a mode or a time outside `.doll/cache`, `.doll/usage` and
`<git dir>/doll`, git's index included. A cache that is lost, damaged, locked, linked, tracked, or
forged with care changes no answer, and nothing in it runs.
"""

import importlib
import os
import pickle
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click
import msgspec
import pytest

from doll.cli.table import COMMANDS
from doll.records.model import TYPES
from doll.vault.entries import _Cached, _Segment, _segment_name
from doll.vault.sealed import KEY_BYTES, Cache
from doll.vault.settings import Settings, frozen_settings, thawed_settings
from doll.vault.snapshot import RACY_NS
from tests.desk import Desk
from tests.footprint import OWN, contents, footprint
from tests.gitbox import git, put
from tests.ordinary import ordinary
from tests.pam_documents import encoded, full_memory, memory, store

AS_OF = ("--as-of", "2026-09-20T12:00:00Z")
ASKED = ("--project", "atlas", *AS_OF)
FAILURE = "20260820T143205Z-attempt-online-orders-migration-k3v9q2xw7d"

READING: dict[str, list[tuple[str, ...]]] = {
    "where": [(), ("--path",), ("--json",)],
    "status": [(), ("--json",)],
    "list": [(), ("--json",), ("-0",), ("--staging", "--type", "memory"), ("--status", "failed")],
    "show": [("espresso-order",), (FAILURE, "--json"), ("backup-recovery-sheet", "--reveal")],
    "validate": [(), ("--json",), ("--staged",), ("--staged", "--json")],
    "verify": [(), ("--json",), ("--full",), ("--range", "HEAD~1..HEAD")],
    "recall": [
        ("online", "migration", *AS_OF, "--explain"),
        ("espresso", "--json", "--limit", "1"),
        ("会议",),
        ("nothing-like-this", "--explain", "--json"),
        ("espreso", "--all", "--explain"),
        ("migration", "--type", "experience", "--project", "atlas", "--outcome", "failed"),
        ("migration", "--tag", "coffee", "--kind", "fact", "--since", "2026", "--until", "2026-12"),
        ("order", "--include-staging", "--json"),
    ],
    "feedback": [
        ("espresso-order", "helpful"),
        (FAILURE, "new", "contradicted", "--json", "--by", "model:m"),
    ],
    "context": [
        ("online", "migration", *AS_OF),
        ("espresso", *ASKED, "--path", "migrations/1.sql", "--json", "--budget", "400"),
    ],
    "duplicates": [
        (*AS_OF, "--json"),
        ("--type", "memory", "--type", "experience", "--project", "atlas", *AS_OF),
        ("--judged",),
    ],
    "index": [(), ("--check",), ("--rebuild", "--json")],
    "preflight": [
        (*ASKED, "--action", "db.migrate", "--path", "migrations/1.sql", "--json"),
        (*ASKED, "--action", "db.migrate.online"),
        (*ASKED, "--draft", "--work-item", "atlas-partition-orders"),
        ("--staged", "--json"),
        ("--project", "nobody"),
        (*ASKED, "--range", "HEAD~1..HEAD", "--scope", "env=test"),
        (*ASKED, "--action", "db.*", "--explain"),
        (*ASKED, "--path", "migrations/1.sql", "--format", "gitlab"),
    ],
    "review": [
        (),
        ("--json",),
        ("list", "--digests"),
        ("show", "{id}"),
        ("diff", "{id}", "--json"),
    ],
    "import": [
        ("pam", "../store.json", "--dry-run"),
        ("pam", "../store.json", "--dry-run", "--json"),
    ],
    "imports": [(), ("--json",)],
    "export": [
        ("pam", "--all", "--owner", "ada"),
        ("pam", "--query", "sugar migration", "--owner", "ada", "--json", *AS_OF),
        ("pam", "--tag", "coffee", "--owner", "ada"),
    ],
    "schema": [("--list",), *((name,) for name in TYPES)],
    "hooks": [
        *(("status",), ("status", "--json"), ("run", "pre-commit"), ("run", "pre-merge-commit")),
        *(("run", "commit-msg", "doll.yaml"), ("run", "pre-push", "origin")),
    ],
    "doctor": [(), ("--json",)],
}
WRITING = {"init", "new", "log", "correct", "confirm", "redact", "work", "propose", "edit", "mv"}
WRITING |= {"tour", "sync", "watch"}  # a watcher syncs, where it is asked to


@pytest.fixture
def lived_in(example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """The example vault in use: candidates, changes that are staged, not staged, broken, new."""
    root = tmp_path / "notes"
    shutil.copytree(example, root)
    desk = Desk(root, capsys)
    (tmp_path / "first.json").write_bytes(encoded(store(full_memory())))
    desk.ok("import", "pam", "../first.json", "--commit")
    other = encoded(store(full_memory(id="x"), memory("Likes the sea."), export_id="export-2"))
    (tmp_path / "store.json").write_bytes(other)
    desk.put("confirmed/espresso-order.md", desk.read("confirmed/espresso-order.md") + "\nmore\r\n")
    desk.put("confirmed/new.md", "---\ntitle: New\ntags: [1.10, no, 0123]\n---\nno last newline")
    desk.put("confirmed/broken.md", "\ufeff---\r\ntitle: a: b\r\n---\r\n")
    desk.git("add", "confirmed/espresso-order.md", "confirmed/broken.md")
    desk.put("authority/policies/draft.md", "---\neffect: deny\nprojects: atlas\n---\n")
    desk.put("confirmed/espresso-order.md", desk.read("confirmed/espresso-order.md") + "again\n")
    desk.git("config", "doll.project", "atlas")
    return desk


def test_every_command_reads_or_is_known_to_write() -> None:
    assert READING.keys() | WRITING == COMMANDS.keys()
    assert not READING.keys() & WRITING


def test_no_reading_command_changes_anything(lived_in: Desk) -> None:
    (candidate,) = [
        each["id"] for each in lived_in.ok("review", "list", "--json").json["candidates"]
    ]
    shutil.rmtree(lived_in.root / ".doll/cache")
    shutil.rmtree(lived_in.root / ".git/doll")
    before = footprint(lived_in.root.parent, [f"notes/{path}" for path in OWN])
    assert {"notes/.git/index", "notes/.git/HEAD", "notes/confirmed/broken.md"} <= before.keys()
    for _ in ("without a cache", "with one"):
        for command, all_arguments in READING.items():
            for arguments in all_arguments:
                given = [argument.format(id=candidate) for argument in arguments]
                result = lived_in.doll(command, *given)
                assert result.code in (0, 1, 3), (command, given, result.err)
            after = footprint(lived_in.root.parent, [f"notes/{path}" for path in OWN])
            assert after == before, command
    assert (lived_in.root / ".doll/cache/recall/index").is_file()
    assert (lived_in.root / ".doll/cache/parse").is_dir()


def test_no_help_changes_anything(lived_in: Desk) -> None:
    before = footprint(lived_in.root)
    for words in ([], ["--version"], *_commands()):
        assert lived_in.doll(*words, *(["--help"] if words != ["--version"] else [])).code == 0
    assert footprint(lived_in.root) == before


def _commands() -> Iterator[list[str]]:
    for name in COMMANDS:
        command = importlib.import_module(COMMANDS[name].module).command
        yield [name]
        if isinstance(command, click.Group):
            yield from ([name, inner] for inner in command.commands)


class Answers:
    """A vault with a warm cache that is believed, and what it answers; shared by the attacks.

    The times of its files lie far enough back for the cache to be used at all.
    """

    COMMANDS = (
        ("recall", "orders migration", "--explain", "--json", *AS_OF),
        ("recall", "espresso", *AS_OF),
        ("context", "orders migration", "--json", *ASKED),
        ("validate", "--json"),
        ("verify", "--json"),
        ("list", "--json"),
        ("preflight", "--json", *ASKED, "--action", "db.migrate.online"),
        ("preflight", "--json", *ASKED, "--path", "migrations/1.sql"),
    )

    def __init__(self, root: Path, witness: Path) -> None:
        self.root = root
        self.witness = witness
        self.cache = root / ".doll" / "cache"
        self.state = root / ".git" / "doll"
        self.expected: list[str] = []
        self._kept: dict[str, bytes] = {}
        self._key = b""

    def warm_up(self, desk: Desk) -> None:
        """Fill the cache, and remember it and the answers."""
        time.sleep(RACY_NS / 1e9 + 0.1)
        for _ in range(2):
            self.expected = self.ask(desk)
        self._kept = {name: (self.cache / name).read_bytes() for name in self.names()}
        self._key = (self.state / "key").read_bytes()
        assert len(self._kept) >= 5

    def restore(self) -> None:
        """Put the warm cache back, whatever an attack left."""
        _clear(self.root / ".doll" / "cache")
        shutil.rmtree(self.state)
        self.state.mkdir()
        (self.state / "key").write_bytes(self._key)
        for name, data in self._kept.items():
            (self.cache / name).parent.mkdir(parents=True, exist_ok=True)
            (self.cache / name).write_bytes(data)

    def ask(self, desk: Desk) -> list[str]:
        return [desk.doll(*command).out for command in self.COMMANDS]

    def names(self) -> list[str]:
        found = [place for place in self.cache.rglob("*") if place.is_file()]
        return sorted(place.relative_to(self.cache).as_posix() for place in found)

    def own(self) -> Cache:
        """The cache as doll itself opens it, with the vault's own key."""
        return Cache(self.root, self.state)

    def foreign(self) -> Cache:
        """The same folder, sealed with the key of another vault."""
        other = self.witness.parent / "other-state"
        other.mkdir(exist_ok=True)
        (other / "key").write_bytes(bytes(range(KEY_BYTES)))
        return Cache(self.root, other)


def _clear(place: Path) -> None:
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        shutil.rmtree(place)


@pytest.fixture(scope="module")
def prepared(example: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    folder = tmp_path_factory.mktemp("attacked")
    shutil.copytree(example, folder / "notes")
    return Answers(folder / "notes", folder / "witness")


@pytest.fixture
def attacked(prepared: Answers, capsys: pytest.CaptureFixture[str]) -> Iterator["Attacked"]:
    desk = Desk(prepared.root, capsys)
    if not prepared.expected:
        prepared.warm_up(desk)
    prepared.restore()
    yield Attacked(prepared, desk)
    _clear(prepared.root / ".doll" / "cache")


class Attacked:
    """The warm vault with an attack to come."""

    def __init__(self, answers: Answers, desk: Desk) -> None:
        self.answers = answers
        self.desk = desk

    def stands(self, *, times: int = 1) -> None:
        """Hold every answer to its bytes, and everything else to have been left alone."""
        before = contents(self.answers.root)
        for _ in range(times):
            assert self.answers.ask(self.desk) == self.answers.expected
        assert not self.answers.witness.exists()
        assert contents(self.answers.root) == before


def test_the_answers_are_what_they_should_be(attacked: Attacked) -> None:
    recalled, _, packed, _, verified, _, blocked, warned = attacked.answers.expected
    assert '"commits": 1,' in verified
    assert FAILURE in recalled
    assert FAILURE in packed
    assert '"status": "blocked"' in blocked
    assert '"status": "blocked"' in warned or '"status": "warning"' in warned
    attacked.stands()


Damage = Callable[[Path], object]


class _Bomb:
    """An object whose pickle makes a file when it is opened."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (f"touch {self.target}",)


def _fifo(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def _folder(place: Path) -> None:
    place.unlink()
    place.mkdir()


DAMAGE: dict[str, Damage] = {
    "deleted": Path.unlink,
    "truncated": lambda place: place.write_bytes(place.read_bytes()[: place.stat().st_size // 2]),
    "emptied": lambda place: place.write_bytes(b""),
    "garbage": lambda place: place.write_bytes(os.urandom(3000)),
    "one bit": lambda place: place.write_bytes(_flipped(place.read_bytes())),
    "longer": lambda place: place.write_bytes(place.read_bytes() + b"\0"),
    "a fifo": _fifo,
    "a folder": _folder,
}


def _flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", DAMAGE)
def test_every_file_of_the_cache_damaged(attacked: Attacked, name: str) -> None:
    for file in attacked.answers.names():
        DAMAGE[name](attacked.answers.cache / file)
    attacked.stands()


def test_no_cache_and_no_key(attacked: Attacked) -> None:
    shutil.rmtree(attacked.answers.cache)
    attacked.stands(times=2)
    shutil.rmtree(attacked.answers.state)
    attacked.stands(times=2)
    (attacked.answers.state / "key").write_bytes(b"short")
    attacked.stands()


def test_a_pickle_that_would_run(attacked: Attacked) -> None:
    bomb = pickle.dumps(_Bomb(attacked.answers.witness))
    pickle.loads(bomb)
    assert attacked.answers.witness.exists()  # it does what it is for
    attacked.answers.witness.unlink()
    for name in attacked.answers.names():
        data = (attacked.answers.cache / name).read_bytes()
        (attacked.answers.cache / name).write_bytes(data[:46] + bomb)
    attacked.stands()
    attacked.answers.restore()
    for name in attacked.answers.names():
        assert attacked.answers.foreign().store(name, bomb)
    attacked.stands()


def _without_denials(data: bytes) -> bytes:
    """Return a parse segment in which no policy denies any more, plausible in all else."""
    segment = msgspec.msgpack.decode(data, type=_Segment)
    tamed = [_tamed(cached) for cached in segment.entries]
    assert tamed != segment.entries
    return msgspec.msgpack.encode(msgspec.structs.replace(segment, entries=tamed))


def _tamed(cached: _Cached) -> _Cached:
    if cached.type != "policy":
        return cached
    return msgspec.structs.replace(cached, fields=cached.fields.replace(b'"deny"', b'"advise"'))


def _forged(answers: Answers) -> Mapping[str, bytes]:
    """Return what would lift the block if it were believed: parsed policies, the map's actions."""
    own = answers.own()
    authority = _segment_name("authority")
    segment, forged = own.load(authority), {}
    assert segment is not None
    forged[authority] = _without_denials(segment)
    for name in answers.names():
        if name.startswith("settings/"):
            settings = thawed_settings(own.load(name) or b"")
            assert isinstance(settings, Settings)
            assert settings.actions
            forged[name] = frozen_settings(msgspec.structs.replace(settings, actions=()))
    assert len(forged) == 2
    return forged


def test_what_protects_is_the_seal(attacked: Attacked) -> None:
    """With the vault's own key a forgery is believed: the attacks below are no straw men."""
    for name, data in _forged(attacked.answers).items():
        assert attacked.answers.own().store(name, data)
    answers = attacked.answers.ask(attacked.desk)
    assert answers[-2:] != attacked.answers.expected[-2:]
    assert '"status": "blocked"' not in answers[-2]


@pytest.mark.parametrize("how", ["without a seal", "another key", "the old seal", "another name"])
def test_a_forged_cache(attacked: Attacked, how: str) -> None:
    answers = attacked.answers
    for name, data in _forged(answers).items():
        place = answers.cache / name
        if how == "without a seal":
            place.write_bytes(data)
        elif how == "another key":
            assert answers.foreign().store(name, data)
        elif how == "the old seal":
            place.write_bytes(place.read_bytes()[:46] + data)
        else:
            assert answers.own().store(f"{name}-x", data)
            (answers.cache / f"{name}-x").rename(place)
    attacked.stands()


def test_one_sealed_file_stands_for_no_other(attacked: Attacked) -> None:
    answers = attacked.answers
    names = answers.names()
    data = {name: (answers.cache / name).read_bytes() for name in names}
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        (answers.cache / name).write_bytes(data[other])
    attacked.stands()


def test_the_cache_of_another_vault_with_its_own_key(attacked: Attacked, tmp_path: Path) -> None:
    """Same paths, same doll, well sealed there: a copy of a vault in which nothing is denied."""
    root = tmp_path / "notes"
    shutil.copytree(attacked.answers.root, root, ignore=shutil.ignore_patterns("cache", "doll"))
    policy = "authority/policies/no-online-migrations.md"
    put(root, policy, (root / policy).read_text().replace("deny", "advise"))
    git(root, "commit", "-qam", "advise")
    other = Desk(root, attacked.desk._capsys)
    attacked.answers.ask(other)
    shutil.rmtree(attacked.answers.cache)
    shutil.copytree(root / ".doll/cache", attacked.answers.cache)
    attacked.stands()


@pytest.mark.parametrize("where", [".doll", ".doll/cache", ".doll/cache/parse", "the files"])
def test_a_cache_behind_a_link(attacked: Attacked, where: str, tmp_path: Path) -> None:
    """Even one that is well sealed: links lead out of the vault, and nothing is written there."""
    answers = attacked.answers
    for name, data in _forged(answers).items():
        if where != ".doll/cache/parse" or name.startswith("parse/"):
            assert answers.own().store(name, data)
    places = [answers.cache / n for n in answers.names()] if where == "the files" else []
    for number, place in enumerate(places or [answers.root / where]):
        target = tmp_path / f"elsewhere-{number}"
        place.rename(target)
        place.symlink_to(target)
    before = footprint(tmp_path)
    try:
        attacked.stands()
        assert footprint(tmp_path) == before
    finally:
        if where == ".doll":
            (answers.root / where).unlink()
            (tmp_path / "elsewhere-0").rename(answers.root / where)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to another user")
@pytest.mark.parametrize("where", ["the folder", "the files"])
def test_a_cache_of_another_user(attacked: Attacked, where: str) -> None:
    answers = attacked.answers
    for name, data in _forged(answers).items():
        assert answers.own().store(name, data)
    for name in [""] if where == "the folder" else answers.names():
        os.chown(answers.cache / name, 65534, -1)
    attacked.stands()


def test_a_cache_that_is_locked_away(attacked: Attacked, tmp_path: Path) -> None:
    user = ordinary(tmp_path)
    user.folder = attacked.answers.root
    attacked.answers.cache.chmod(0)
    try:
        for command, expected in zip(Answers.COMMANDS, attacked.answers.expected, strict=True):
            assert user.doll(*command).stdout == expected
    finally:
        attacked.answers.cache.chmod(0o700)


def test_a_cache_that_a_clone_brings_along(attacked: Attacked, tmp_path: Path) -> None:
    """Tracked by git, and with the key that sealed it: still not opened, and left as it is."""
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    shutil.copytree(attacked.answers.root, origin)
    git(origin, "add", "-f", ".doll/cache")
    git(origin, "commit", "-qm", "a cache")
    git(tmp_path, "clone", "-q", "origin", "clone")
    desk = Desk(clone, attacked.desk._capsys)
    (clone / ".git/doll").mkdir()
    shutil.copy(origin / ".git/doll/key", clone / ".git/doll/key")
    before = contents(clone / ".doll")
    answers = attacked.answers.ask(desk)
    assert contents(clone / ".doll") == before
    assert "tracked by git" in desk.ok("status").out
    shutil.rmtree(clone / ".doll/cache")
    assert attacked.answers.ask(desk) == answers
    assert [_status(answer) for answer in answers[-2:]] == [
        _status(answer) for answer in attacked.answers.expected[-2:]
    ]


def _status(answer: str) -> object:
    return msgspec.json.decode(answer)["status"]
