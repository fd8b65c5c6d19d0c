"""Every command that changes the disk, as it is typed in one small world: for sweeps of faults.

The world is a folder with a vault `notes`, a repository `code` beside it, and what the commands
need. `READS` are the commands that are asked to change nothing; what they write lies in the
cache, the usage log or `<git dir>/doll`.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from doll.records.digest import sha256
from tests.children import run
from tests.desk import make_vault
from tests.engram_documents import engram, text
from tests.foreign_desk import AWS, three
from tests.gitbox import git, make, put
from tests.pam_documents import encoded, memory, store
from tests.projectmem_documents import event, line
from tests.system.test_duplicates import ORDER

ENTRY = "20260820T143205Z-attempt-locked-k3v9q2xw7d"
RECORDS = {
    "authority/projects/atlas.md": "---\nschema: doll/project/1\ntitle: Atlas\nstatus: active\n"
    "aliases: [at]\n---\n",
    "authority/work-items/fresh.md": "---\nproject: atlas\nstatus: proposed\n---\n",
    "authority/work-items/open.md": "---\nproject: atlas\nstatus: ready\n---\n",
    "authority/work-items/going.md": "---\nproject: atlas\nstatus: in_progress\n---\n",
    "authority/work-items/stuck.md": "---\nproject: atlas\nstatus: blocked\n"
    "blocked_by: weather\n---\n",
    "confirmed/order.md": f"---\ntitle: Order\nsummary: Order\n---\n{ORDER}",
    "confirmed/other.md": "---\ntitle: Order\nsummary: Order\n---\n"
    + ORDER.replace("espresso", "cortado"),
    "confirmed/about.md": "---\ntitle: About\n---\nSee [[atlas]].\n",
    f"experience/atlas/{ENTRY}.md": "---\nschema: doll/experience/1\nproject: atlas\n"
    "kind: attempt\nassertion: user_recorded\noutcome: failed\nat: 2026-08-20T14:32:05Z\n"
    "summary: Locked by Quillfeather\nactions: db.migrate\n---\n",
}
PROPOSAL = b"---\ntitle: Tea\n---\nSaid so twice.\n"
NOTES = "# Notes\n\n- Likes rain.\n"


class Flow(NamedTuple):
    """A command as it is typed in `folder` of the world.

    Words such as `{digest}` stand for values of the world. `whole`: all its files come at once.
    `chained`: its files may have other bytes on the way, with which the vault is valid.
    `adds`: typed again it makes another record. `again` is what else finishes it. `before` is typed
    into a shell first, and `first` is a command of doll's that is typed first. `stop`: after so
    many seconds Ctrl-C is typed. `indexes`: it keeps the recall index. `keeps`: words of an error
    after which what was made so far stays. `waits`: what is written and not committed stays so,
    for the user to commit. `makes` is a vault that it makes. `objects` is the code of the errors
    that `validate` has until it is done.
    """

    line: str
    stdin: bytes = b""
    folder: str = "notes"
    whole: bool = False
    chained: bool = False
    adds: bool = False
    again: str = ""
    before: str = ""
    first: str = ""
    stop: float = 0
    indexes: bool = False
    keeps: str = ""
    waits: bool = False
    makes: str = ""
    objects: str = ""
    variables: Mapping[str, str] = {}

    @property
    def vault(self) -> str:
        """The folder of the vault that it is about."""
        return "laptop" if self.folder == "laptop" else "notes"

    def words(self, values: Mapping[str, str], line: str = "") -> list[str]:
        """Return the arguments of `doll`."""
        return [word.format_map(values) for word in shlex.split(line or self.line)]


FLOWS: dict[str, Flow] = {
    "init among files": Flow(
        "init ../fresh",
        keeps="the same command finishes it",
        makes="fresh",
        before="mkdir ../fresh && echo x > ../fresh/.gitignore",
    ),
    "init": Flow("init ../fresh", keeps="the same command finishes it", makes="fresh"),
    "new": Flow("new memory tea --title Tea --commit"),
    "new plain": Flow("new memory tea --title Tea"),
    "new with a declaration": Flow(f"new memory tea --title {AWS} --not-a-secret aws-key:title"),
    "edit": Flow("edit about --commit", waits=True, variables={"EDITOR": "{editor}"}),
    "mv": Flow("mv atlas map --commit", chained=True),
    "log": Flow("log attempt Tried --project atlas --commit", adds=True),
    "log in the first project": Flow("log lesson Tried --project garden", adds=True),
    "correct": Flow(f"correct {ENTRY} Unlocked --commit", adds=True),
    "confirm": Flow(f"confirm {ENTRY} --commit", adds=True),
    "redact": Flow(f"redact {ENTRY} --field summary --reason privacy --commit"),
    "work ready": Flow("work ready fresh --commit"),
    "work start": Flow("work start open --commit"),
    "work block": Flow("work block open --reason rain --commit"),
    "work unblock": Flow("work unblock stuck --commit"),
    "work done": Flow("work done going --commit"),
    "work cancel": Flow("work cancel open --commit"),
    "propose": Flow("propose memory --by model:m --commit", stdin=PROPOSAL, whole=True),
    "import pam": Flow("import pam ../more.json --name more --commit", whole=True, waits=True),
    "import engram": Flow(
        "import engram ../engram.yaml --name more --commit", whole=True, waits=True
    ),
    "import markdown": Flow(
        "import markdown ../notes.md --name more --commit", whole=True, waits=True
    ),
    "import projectmem": Flow(
        "import projectmem ../events.jsonl --project atlas --name more --commit",
        whole=True,
        waits=True,
    ),
    "imports drop plain": Flow("imports drop mine"),
    "imports drop": Flow("imports drop mine --commit", waits=True),
    "export pam": Flow("export pam --all --owner ada --out ../out.json"),
    "export pam over": Flow("export pam --all --owner ada --out ../old.json"),
    "review approve": Flow("review approve {candidate} --digest {digest} --commit"),
    "review approve many": Flow("review approve --from ../approve.txt --commit"),
    "review approve --staged": Flow(
        "review approve --staged --commit",
        before="mkdir -p confirmed && git mv staging/pam/mine/three-bees-*.md confirmed/",
        objects="review.missing",
    ),
    "review approve plain": Flow("review approve {candidate} --digest {digest}"),
    "review reject plain": Flow("review reject {candidate} --reason no"),
    "review reject": Flow("review reject {candidate} --reason no --commit"),
    "feedback": Flow("feedback order helpful", adds=True, keeps="no record changed"),
    "duplicates": Flow("duplicates --propose --commit"),
    "duplicates judge": Flow("duplicates judge order other --distinct --commit"),
    "duplicates judge --undo": Flow(
        "duplicates judge order other --undo --commit",
        first="duplicates judge order other --distinct --commit",
    ),
    "hooks install": Flow("hooks install --vault ../notes --project atlas", folder="code"),
    "hooks install beside": Flow(
        "hooks install --vault ../notes --project atlas",
        folder="code",
        before="cp -p ../editor.sh .git/hooks/pre-commit",
    ),
    "hooks uninstall": Flow("hooks uninstall", folder="hooked", keeps="it is as it was"),
    "hooks uninstall beside": Flow(
        "hooks uninstall",
        folder="hooked",
        keeps="it is as it was",
        before="echo true >> .git/hooks/pre-commit",
    ),
    "sync ahead": Flow(
        "sync",
        folder="laptop",
        chained=True,
        keeps="not synced",
        before="rm confirmed/laptop.md",
    ),
    "sync": Flow("sync", folder="laptop", chained=True, indexes=True, keeps="not synced"),
    "tour": Flow("tour"),
}
READS: dict[str, Flow] = {
    "where": Flow("where"),
    "import": Flow("import --detect ../more.json"),
    "status": Flow("status"),
    "show": Flow("show order"),
    "list": Flow("list"),
    "validate": Flow("validate"),
    "verify": Flow("verify"),
    "schema": Flow("schema memory"),
    "imports": Flow("imports"),
    "imports show": Flow("imports show mine"),
    "review": Flow("review"),
    "review list": Flow("review list"),
    "review show": Flow("review show {candidate}"),
    "review diff": Flow("review diff {candidate}"),
    "recall": Flow("recall order", indexes=True),
    "context": Flow("context order --project atlas"),
    "index": Flow("index --rebuild", indexes=True),
    "preflight": Flow("preflight --project atlas --action db.migrate"),
    "hooks run": Flow("hooks run pre-commit", folder="hooked"),
    "hooks status": Flow("hooks status", folder="hooked"),
    "doctor": Flow("doctor"),
    "watch": Flow("watch --poll", stop=1.0, indexes=True),
}


def make_world(folder: Path) -> dict[str, str]:
    """Make the world in an empty folder, and return its values."""
    notes = make_vault(folder / "notes")
    for path, words in RECORDS.items():
        put(notes, path, words)
    git(notes, "add", "-A")
    git(notes, "commit", "-qm", "records")
    for name, data in {
        "mine.json": encoded(three()),
        "more.json": encoded(store(memory("Sings.", id="mem-9", summary="Sings"))),
        "engram.yaml": text(engram()),
        "notes.md": NOTES.encode(),
        "events.jsonl": line(event()),
    }.items():
        (folder / name).write_bytes(data)
    for name in ("code", "hooked"):
        make(folder / name)
    editor = put(folder, "editor.sh", '#!/bin/sh\ngrep -q typed "$1" || echo typed >> "$1"\n')
    editor.chmod(0o755)
    _type(notes, "import", "pam", "../mine.json", "--name", "mine", "--commit")
    _type(notes, "export", "pam", "--all", "--owner", "ada", "--out", "../old.json")
    _type(folder / "hooked", "hooks", "install", "--vault", "../notes", "--project", "atlas")
    candidates = sorted((notes / "staging/pam/mine").glob("[!_]*.md"))
    digests = [sha256(each.read_bytes()) for each in candidates]
    ids = [f"mine/{each.stem}" for each in candidates]
    lines = [f"{digest}  {name}\n" for digest, name in zip(digests[1:], ids[1:], strict=True)]
    put(folder, "approve.txt", "".join(lines))
    put(notes, "confirmed/more.md", "---\ntitle: More\n---\n")
    git(notes, "add", "-A")
    git(notes, "commit", "-qm", "more")
    _add_laptop(folder, notes)
    return {"candidate": ids[0], "digest": digests[0], "editor": str(editor)}


def _add_laptop(folder: Path, notes: Path) -> None:
    """Add a clone of the vault, with something to commit, to merge and to push."""
    git(folder, "clone", "-q", "--bare", str(notes), "remote.git")
    for name in ("laptop", "desktop"):
        git(folder, "clone", "-q", "remote.git", name)
    put(folder / "desktop", "confirmed/desktop.md", "---\ntitle: Desktop\n---\n")
    put(folder / "laptop", "confirmed/laptop.md", "---\ntitle: Laptop\n---\n")
    git(folder / "desktop", "add", "-A")
    git(folder / "desktop", "commit", "-qm", "desktop")
    git(folder / "desktop", "push", "-q")
    shutil.rmtree(folder / "desktop")


def _type(folder: Path, *words: str) -> None:
    def typed() -> int:
        from doll.cli import run as doll

        os.chdir(folder)
        with Path(os.devnull).open("w") as nothing:
            sys.stdout = sys.stderr = nothing
            return doll(words)

    (ended,) = run(typed)
    assert ended.result == 0, (words, ended)
