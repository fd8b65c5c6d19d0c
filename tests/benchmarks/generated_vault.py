"""A generated vault of a given size, and a PAM export: the same bytes for the same numbers.

Not real text: words of a fixed list in a fixed pseudo-random order, about 80 a record.
"""

import hashlib
import itertools
import json
import random
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

WORDS = """
orders table migration online offline lock index rollback deploy staging review coffee
garden sensor battery firmware release note book chapter travel ferry invoice customer
warehouse shelf label printer scanner queue worker retry timeout cache cluster replica
backup restore snapshot vacuum partition column schema query planner statistics weekly
meeting decision budget contract hiring interview language spanish german japanese tea
espresso grinder recipe bread flour oven temperature window heating winter summer
holiday bicycle repair tyre chain route hiking map compass weather forecast rain storm
harbour
""".split()  # noqa: SIM905 - a paragraph reads better than a list
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()  # noqa: SIM905
RARE = ["".join(parts) for parts in itertools.product(SYLLABLES, repeat=3)]
START = datetime(2024, 1, 1, tzinfo=UTC)
FOLDERS = {
    "policy": "policies",
    "decision": "decisions",
    "work-item": "work-items",
    "procedure": "procedures",
}
SPECIFIC = {
    "policy": "effect: advise\nenabled: true\nprojects: [{project}]\nactions: [{action}]\n",
    "decision": "project: {project}\nstatus: accepted\nactions: [{action}]\ndecided_at: {at}\n",
    "work-item": "project: {project}\nstatus: ready\nkind: task\npriority: normal\n",
    "procedure": 'project: {project}\nstatus: approved\nrequired_for: [{action}]\nversion: "1"\n',
}


def write_vault(root: Path, records: int, projects: int = 20) -> None:
    """Write and commit a vault: half memories, 45 % experience, 5 % authority."""
    root.mkdir(parents=True)
    (root / "doll.yaml").write_text(
        "format: 1\nid: 0123456789abcdef0123456789abcdef\nbranch: main\n"
        'actions:\n  - paths: ["migrations/**"]\n    actions: [db.migrate]\n'
    )
    (root / ".gitignore").write_text(".doll/cache/\n.doll/usage/\n")
    (root / ".gitattributes").write_text("*.md -text\ndoll.yaml -text\n")
    for path, text in _files(records, projects):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    for command in (
        ["init", "-q", "-b", "main"],
        ["config", "user.name", "Bench"],
        ["config", "user.email", "bench@example.org"],
        ["config", "gc.auto", "0"],
        ["config", "doll.branch", "main"],  # as `doll init` does
        ["add", "-A"],
        ["commit", "-q", "-m", "Generated vault"],
    ):
        subprocess.run(["git", *command], cwd=root, check=True)


def _files(records: int, projects: int) -> Iterator[tuple[str, str]]:
    dice = random.Random(7)
    memories, experience = records // 2, records * 45 // 100
    for number in range(memories):
        yield f"confirmed/memory-{number:06}.md", _memory(dice, number)
    for number in range(experience):
        name = f"project-{number % projects:02}"
        yield _experience(dice, number, name)
    for number in range(projects):
        text = f"---\nschema: doll/project/1\ntitle: Project {number}\nstatus: active\n---\n"
        yield f"authority/projects/project-{number:02}.md", text
    for number in range(records - memories - experience - projects):
        yield _authority(dice, number, f"project-{number % projects:02}")


def _common(dice: random.Random, number: int) -> str:
    at = (START + timedelta(minutes=13 * number)).isoformat().replace("+00:00", "Z")
    return (
        f"tags: [{dice.choice(WORDS)}, {dice.choice(WORDS)}]\nsensitivity: personal\n"
        f"created: {at}\nupdated: {at}\norigin: user\n"
    )


def _body(dice: random.Random) -> str:
    words = some_words(dice, 80)
    return "\n".join(" ".join(words[at : at + 12]) for at in range(0, 80, 12)) + "\n"


def _memory(dice: random.Random, number: int) -> str:
    title = " ".join(dice.choices(WORDS, k=4))
    return (
        f"---\nschema: doll/memory/1\ntitle: {title} {number}\nsummary: {title}, in one line\n"
        f"kind: fact\nstatus: active\nvalid_from: 2024-01-01T00:00:00Z\n"
        f"related: [memory-{number // 2:06}]\n{_common(dice, number)}---\n{_body(dice)}"
    )


def _experience(dice: random.Random, number: int, project: str) -> tuple[str, str]:
    at = START + timedelta(minutes=17 * number)
    summary = " ".join(dice.choices(WORDS, k=7))
    token = hashlib.sha256(str(number).encode()).hexdigest()[:10].translate(_TOKEN)
    name = f"{at:%Y%m%dT%H%M%SZ}-attempt-{summary.replace(' ', '-')[:50].rstrip('-')}-{token}"
    action = f"{dice.choice(WORDS)}.{dice.choice(WORDS)}"
    outcome = dice.choice(["worked", "failed", "partial", "unknown"])
    return f"experience/{project}/{name}.md", (
        f"---\nschema: doll/experience/1\nsummary: {summary}\nproject: {project}\nkind: attempt\n"
        f"assertion: user_recorded\nat: {at:%Y-%m-%dT%H:%M:%SZ}\noutcome: {outcome}\n"
        f'actions: [{action}]\npaths: ["{dice.choice(WORDS)}/**"]\n'
        f'evidence: ["commit:{number:07x}"]\n{_common(dice, number)}---\n{_body(dice)}'
    )


_TOKEN = str.maketrans("0189", "wxyz")


def _authority(dice: random.Random, number: int, project: str) -> tuple[str, str]:
    kind = list(SPECIFIC)[number % 4]
    action = f"{dice.choice(WORDS)}.{dice.choice(WORDS)}"
    title = " ".join(dice.choices(WORDS, k=5))
    at = f"{START + timedelta(days=number % 300):%Y-%m-%dT%H:%M:%SZ}"
    specific = SPECIFIC[kind].format(project=project, action=action, at=at)
    return f"authority/{FOLDERS[kind]}/{kind}-{number:06}.md", (
        f"---\nschema: doll/{kind}/1\ntitle: {title} {number}\nsummary: {title}\n{specific}"
        f"{_common(dice, number)}---\n{_body(dice)}"
    )


def some_words(dice: random.Random, number: int) -> list[str]:
    """Return words as text has them: a few of a subject, the others by Zipf's law."""
    rare = [RARE[int(len(RARE) ** dice.random()) - 1] for _ in range(number * 9 // 10)]
    words = rare + dice.choices(WORDS, k=number - len(rare))
    dice.shuffle(words)
    return words


def write_pam(path: Path, memories: int) -> None:
    """Write a PAM 1.0 memory store of that many memories, without an integrity block."""
    dice = random.Random(11)
    entries = []
    for number in range(memories):
        content = f"{number} {' '.join(some_words(dice, 80))}"
        digest = hashlib.sha256(content.encode()).hexdigest()
        entries.append(
            {
                "id": f"mem-{number:06}",
                "type": "fact",
                "status": "active",
                "content": content,
                "content_hash": f"sha256:{digest}",
                "summary": " ".join(dice.choices(WORDS, k=6)),
                "tags": dice.sample(WORDS, 2),
                "confidence": {"initial": 0.9, "current": 0.8, "decay_model": "none"},
                "temporal": {"created_at": "2026-01-05T10:00:00Z"},
                "provenance": {"platform": "bench"},
            }
        )
    store = {
        "schema": "portable-ai-memory",
        "schema_version": "1.0",
        "owner": {"id": "bench"},
        "memories": entries,
    }
    path.write_text(json.dumps(store))
