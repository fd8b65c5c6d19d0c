"""A hundred planted secrets of twenty kinds, over every way into the vault: refused, and nowhere.

The secrets are made from parts when the test runs, so that no text in this repository looks like
one.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from doll.secrets import DETECTORS
from tests.desk import Desk, Result
from tests.editors import typing
from tests.engram_documents import engram, text
from tests.pam_documents import encoded, memory, store
from tests.projectmem_documents import event, line
from tests.unit.test_secrets_planted import KINDS

pytestmark = pytest.mark.sampled(4)

CHOSEN = (
    "PEM",
    "OpenSSH",
    "Anthropic",
    "OpenAI project",
    "Groq",
    "Hugging Face",
    "GitHub",
    "GitHub fine",
    "GitLab",
    "AWS id",
    "Azure storage",
    "Google",
    "Slack",
    "Stripe",
    "npm",
    "Telegram",
    "JWT",
    "URL",
    "API key",
    "password",
)
EACH = 5
ENTRY = """---
project: atlas
kind: attempt
assertion: model_proposed
origin: model
at: 2026-08-20T14:32:05Z
summary: {0}
---

{1}
"""

Way = Callable[[Desk, str, int], Result]


def _beside(desk: Desk, name: str, data: bytes) -> str:
    place = desk.root.parent / "exports" / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(data)
    return str(place)


def _pam(desk: Desk, secret: str, at: int) -> Result:
    document = store(memory("Keeps bees.", id="a"), memory(f"Note {at}: {secret} end", id="b"))
    return desk.doll("import", "pam", _beside(desk, f"{at}.json", encoded(document)))


def _engram(desk: Desk, secret: str, at: int) -> Result:
    place = _beside(desk, f"store-{at}.yaml", text(engram(f"Use it: {secret} always")))
    return desk.doll("import", "engram", place)


def _projectmem(desk: Desk, secret: str, at: int) -> Result:
    rows = line(event(f"it was {secret} then", id=f"evt_{at}")) + b"\n"
    return desk.doll("import", "projectmem", _beside(desk, f"{at}.jsonl", rows), "--project=atlas")


def _markdown(desk: Desk, secret: str, at: int) -> Result:
    place = _beside(desk, f"note-{at}.md", f"# Deploy {at}\n\nFor later:\n\n{secret}\n".encode())
    return desk.doll("import", "markdown", place)


def _propose(desk: Desk, secret: str, at: int) -> Result:
    sent = f"---\ntitle: Note {at}\n---\n\nFor later:\n{secret}\n"
    return desk.doll("propose", "memory", "--by", "model:x", stdin=sent.encode())


def _propose_json(desk: Desk, secret: str, at: int) -> Result:
    sent = {"title": f"Note {at}", "tags": ["a", secret]}
    return desk.doll("propose", "memory", "--by", "model:x", stdin=json.dumps(sent).encode())


def _propose_experience(desk: Desk, secret: str, at: int) -> Result:
    sent = ENTRY.format(f"Note {at}", f"# {secret}")
    return desk.doll("propose", "experience", "--by", "model:x", stdin=sent.encode())


def _new(desk: Desk, secret: str, at: int) -> Result:
    return desk.doll("new", "memory", f"note-{at}", "--body", f"For later:\n{secret}\n")


def _new_field(desk: Desk, secret: str, at: int) -> Result:
    return desk.doll("new", "memory", f"note-{at}", "--title", "X", "--set", f"tags={secret}")


def _new_by_model(desk: Desk, secret: str, _: int) -> Result:
    return desk.doll("new", "memory", "x", "--title", f"it is {secret}", "--by", "model:x")


def _log(desk: Desk, secret: str, _: int) -> Result:
    return desk.doll("log", "lesson", "Know it", "--project=atlas", "--body", secret)


def _log_evidence(desk: Desk, secret: str, _: int) -> Result:
    return desk.doll("log", "lesson", "Know it", "--project=atlas", "--evidence", secret)


def _correct(desk: Desk, secret: str, _: int) -> Result:
    return desk.doll("correct", "there", f"it was {secret}")


def _confirm(desk: Desk, secret: str, at: int) -> Result:
    path = f"experience/atlas/bad-{at}.md"
    desk.put(path, ENTRY.format("Not committed", secret))
    result = desk.doll("confirm", f"bad-{at}")
    (desk.root / path).unlink()
    return result


def _edit(desk: Desk, secret: str, at: int) -> Result:
    data = f"---\ntitle: Tea\n---\n\nGreen {at}.\n{secret}\n".encode()
    result = desk.doll("edit", "tea", EDITOR=typing(desk.root.parent, data))
    # What the user typed is kept until the user takes it away, and where is said.
    kept = desk.root / ".git/doll/edits"
    assert str(kept) in result.err
    shutil.rmtree(kept)
    return result


def _block(desk: Desk, secret: str, _: int) -> Result:
    return desk.doll("work", "block", "task", "--reason", f"waits for {secret}")


def _reject(desk: Desk, secret: str, _: int) -> Result:
    return desk.doll("review", "reject", "proposals/some", "--reason", f"it is {secret}")


def _redact(desk: Desk, secret: str, _: int) -> Result:
    return desk.doll("redact", "there", "--field", "body", "--reason", f"it was {secret}")


WAYS: dict[str, Way] = {
    "import pam": _pam,
    "import engram": _engram,
    "import projectmem": _projectmem,
    "import markdown": _markdown,
    "propose": _propose,
    "propose json": _propose_json,
    "propose experience": _propose_experience,
    "new": _new,
    "new --set": _new_field,
    "new --by": _new_by_model,
    "log": _log,
    "log --evidence": _log_evidence,
    "correct": _correct,
    "confirm": _confirm,
    "edit": _edit,
    "work block": _block,
    "review reject": _reject,
    "redact": _redact,
}
# These take one line.
SHORT = {"new --set", "new --by", "log --evidence", "correct", "work block", "review reject"}
SHORT |= {"redact"}


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A vault with a memory, an entry, a work item and a candidate, and doll's hook."""
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\n\nGreen.\n")
    desk.put("authority/work-items/task.md", "---\nproject: atlas\nstatus: ready\n---\n")
    desk.put("experience/atlas/there.md", ENTRY.format("It failed", "Somehow."))
    desk.put("staging/proposals/some.md", "---\nschema: doll/memory/1\ntitle: Some\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "begin")
    desk.ok("hooks", "install", "--vault", ".")
    return desk


def planted() -> list[tuple[str, str]]:
    """Return (kind, secret) for each of the hundred."""
    found = [
        (kind, KINDS[kind].make(Random(f"{kind} {n}"))) for n in range(EACH) for kind in CHOSEN
    ]
    assert len(found) == len({secret for _, secret in found}) == 100
    return found


def pieces(secret: str) -> list[bytes]:
    """Return what would give a secret away: its long words; of a block each of its lines."""
    words = secret.split() if "\n" not in secret else secret.splitlines()[1:-1]
    return [word.encode() for word in words if len(word) >= 12] or [secret.encode()]


def is_refused(result: Result, secret: str) -> bool:
    """Return whether a run was refused for a secret, naming the detector and not the value."""
    said = result.out + result.err
    assert not any(piece.decode() in said for piece in pieces(secret)), said
    return result.code in (1, 4, 5) and any(name in said for name in DETECTORS)


def everything(root: Path) -> bytes:
    """Return the bytes of all files in a vault with its index, its cache and its git objects."""
    names = [path for path in root.rglob("*") if path.is_file()]
    files = b"\n".join(str(path).encode() + b"\n" + path.read_bytes() for path in names)
    done = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects", "--unordered"],
        cwd=root,
        capture_output=True,
        check=True,
    )
    return files + done.stdout


def test_a_hundred_planted_secrets_are_refused_and_leave_no_byte(desk: Desk) -> None:
    ways, missed, used = list(WAYS), [], set()
    at = 0
    for number, (kind, secret) in enumerate(planted()):
        while "\n" in secret and ways[at % len(ways)] in SHORT:
            at += 1
        name = ways[at % len(ways)]
        at += 1
        used.add((kind, name))
        if not is_refused(WAYS[name](desk, secret, number), secret):
            missed.append((kind, name))
    assert {name for _, name in used} == set(ways)
    assert {kind for kind, _ in used} == set(CHOSEN)
    assert len(CHOSEN) == 20
    assert len(missed) <= 2, missed
    desk.ok("recall", "tea")
    desk.doll("index", "--rebuild")
    held = everything(desk.root)
    for kind, secret in planted():
        if kind not in {each for each, _ in missed}:
            assert not any(piece in held for piece in pieces(secret)), kind


PLACES = (
    "confirmed/x.md",
    "staging/proposals/x.md",
    "experience/atlas/x.md",
    "authority/decisions/x.md",
    "confirmed/README.md",
    "experience/atlas/trace.log",
    ".doll/judged/x.json",
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", PLACES)
def test_what_is_staged_is_scanned_by_the_hook(desk: Desk, path: str) -> None:
    missed = []
    for kind in CHOSEN[PLACES.index(path) % 4 :: 4]:
        secret = KINDS[kind].make(Random(f"{kind} {path}"))
        desk.put(path, f"---\ntitle: X\n---\n\nFor later:\n{secret}\n")
        desk.git("add", "-f", path)
        result = desk.doll("validate", "--staged", "--json")
        codes = {(p["code"], p["path"]) for p in result.json["problems"]}
        if ("secret.found", path) not in codes:
            missed.append(kind)
        assert not any(piece.decode() in result.out for piece in pieces(secret))
    assert not missed
    said = desk.type("git commit -qm x", 1)
    assert "secret.found" in said


def test_a_broken_byte_hides_nothing(desk: Desk) -> None:
    key = KINDS["AWS id"].make(Random(1))
    (desk.root / "experience/atlas/trace.log").write_bytes(b"caf\xe9\n" + key.encode())
    desk.git("add", "-A")
    problems = desk.doll("validate", "--staged", "--json").json["problems"]
    assert [(p["code"], p["line"]) for p in problems] == [("secret.found", 2)]


def test_the_name_of_a_file_is_looked_at(desk: Desk) -> None:
    key = KINDS["AWS id"].make(Random(1))
    assert "id" in desk.refused(5, "mv", "tea", key)
    desk.put(f"confirmed/{key}.md", "---\ntitle: X\n---\n")
    desk.git("add", "-A")
    problems = desk.doll("validate", "--staged", "--json").json["problems"]
    assert [(p["code"], p["line"]) for p in problems] == [("secret.found", 0)]


PRAGMA = "pragma: allowlist secret"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("comment", [f"# {PRAGMA}", f"<!-- {PRAGMA} -->", f"// {PRAGMA}"])
def test_the_users_own_comment_counts_in_the_users_own_file(desk: Desk, comment: str) -> None:
    key = KINDS["AWS id"].make(Random(1))
    desk.put("confirmed/x.md", f"---\ntitle: X\n---\n\nIt is {key} {comment}\n")
    desk.put("confirmed/README.md", f"It is {key} {comment}\n")
    assert desk.doll("validate").code == 0
    desk.git("add", "-A")
    desk.git("commit", "-qm", "mine")
    desk.ok("new", "memory", "y", "--body", f"It is {key} {comment}")
    desk.put("confirmed/z.md", f"---\ntitle: X\n---\n\n{comment}\nIt is {key}\n")
    assert "secret.found" in desk.doll("validate").err + desk.doll("validate").out


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("path", "front"),
    [
        ("staging/proposals/x.md", "schema: doll/memory/1\ntitle: X"),
        ("staging/pam/x/x.md", "schema: doll/memory/1\ntitle: X"),
        ("confirmed/x.md", "title: X\norigin: model\nreviewed_by: me"),
        ("confirmed/x.md", "title: X\norigin: import"),
        ("experience/atlas/x.md", "project: atlas\norigin: model"),
        ("confirmed/x.md", "title: X\ntitle: X"),
    ],
)
def test_in_foreign_text_the_comment_is_data_and_is_reported(
    desk: Desk, path: str, front: str
) -> None:
    key = KINDS["AWS id"].make(Random(1))
    desk.put(path, f"---\n{front}\n---\n\nIt is {key} # {PRAGMA}\n")
    problems = desk.doll("validate", "--json").json["problems"]
    (found,) = [p for p in problems if p["code"] == "secret.found"]
    assert "the comment beside it" in found["message"]


def test_a_model_and_an_import_cannot_vouch(desk: Desk) -> None:
    key = KINDS["AWS id"].make(Random(1))
    said = f"It is {key} # {PRAGMA}"
    for words in (
        ("log", "lesson", "Fine", "--project=atlas", "--body", said),
        ("new", "memory", "x", "--body", said),
    ):
        told = desk.refused(5, *words, "--by", "model:x")
        assert "counts in the user's text alone" in told
    sent = f"---\ntitle: X # {PRAGMA} {key}\n---\n"
    desk.refused(5, "propose", "memory", "--by", "model:x", stdin=sent.encode())
    result = _pam(desk, f"{key} # {PRAGMA}", 1)
    assert result.code == 1
    assert "[secret.claimed]" in result.err + result.out
