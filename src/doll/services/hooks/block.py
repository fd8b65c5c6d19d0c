"""The text of doll's block in a git hook: put in, found, taken out. Pure functions of bytes.

A hook is the user's file. Only the lines between the two markers are doll's, and every other byte
comes out as it went in. The block stands right after the first line, since a hook may end in
`exit 0` or `exec …` and would never reach the end of its file.
"""

import re
from typing import Literal, NamedTuple

# What `hooks install` puts in, in the order in which git comes to them.
LOCAL = ("pre-commit", "pre-merge-commit", "commit-msg", "pre-push")
KINDS = (*LOCAL, "pre-receive")

SHELLS = frozenset({"sh", "bash", "dash", "ash", "ksh", "mksh", "lksh", "zsh", "yash", "posh"})

# Only for a file that `hooks install` made: it goes when nothing but the block is left in it.
_OWN_START = b"#!/bin/sh\n"

# Exit 1 of doll stops git, but a Python that cannot load doll ends with 1 as well: then
# `doll --version` fails too. Everything stands in a subshell, so that no variable, option or
# argument of the hook changes. `python -P` keeps the repository's own modules out of doll.
_BLOCK = """\
# >>> doll: {kind}{made} >>> (from `doll hooks install`; `doll hooks uninstall` takes it out)
{before}(
{only}  if command -v doll >/dev/null 2>&1; then set -- doll
  else set -- "$(git config --get doll.python)" -P -m doll; fi
  command -v "$1" >/dev/null 2>&1 && "$@" hooks run {kind}{more}
  code=$?
  [ $code -eq 0 ] && exit 0
  [ $code -eq 1 ] && "$@" --version >/dev/null 2>&1 && exit 1
{unable}
  exit 1
) || exit 1
{after}# <<< doll: {kind} <<<
"""

# What is no boolean, to which git answers with 128, counts as true.
_UNABLE = """\
  echo "doll: NOT CHECKED: doll is not found or failed (exit $code); see: doll hooks status" >&2
  case "$(git config --type=bool --get doll.strict || echo $?)" in true | 128) ;; *) exit 0 ;; esac
  echo "doll: doll.strict is set, so this stops here; to go on: git {verb} --no-verify" >&2"""

# On a server what cannot be checked is not taken: nobody would see what comes in unchecked.
_UNABLE_SERVER = """\
  echo "doll: NOT CHECKED: doll is not found or failed on the server (exit $code)" >&2
  [ "$(git config --type=bool --get doll.strict)" = false ] && exit 0
  echo "doll: nothing is taken unchecked, but for: git config doll.strict false    there" >&2"""

# /dev/null leaves a hook its standard input; what git says on it, the rest of the hook finds again.
_QUIET = {"before": "", "only": "", "more": " </dev/null", "after": ""}
_LISTENING = {
    "before": "doll_input=$(cat) || :\n",
    "only": "",
    "more": " <<doll_end\n$doll_input\ndoll_end",
    "after": '[ -z "$doll_input" ] || exec <<doll_end\n$doll_input\ndoll_end\nunset doll_input\n',
}
# No message without such a line costs a start of Python, unless the commit may be a redaction,
# which needs one. An answer that is neither yes nor no is for doll to say.
NO_REDACTION = (
    "git diff --cached --quiet --no-ext-diff --diff-filter=M -- ':(top,glob)**/experience/**'"
)
_MESSAGE = {
    "before": "",
    "only": f"""\
  message=${{1-}}
  grep -qi '^doll-' "$message"
  [ $? -eq 1 ] && {NO_REDACTION} && exit 0
""",
    "more": ' "$message" </dev/null',
    "after": "",
}
_FORMS = {
    "pre-commit": {**_QUIET, "unable": _UNABLE.format(verb="commit")},
    "pre-merge-commit": {**_QUIET, "unable": _UNABLE.format(verb="commit")},
    "commit-msg": {**_MESSAGE, "unable": _UNABLE.format(verb="commit")},
    "pre-push": {
        **_LISTENING,
        "only": '  [ -n "$doll_input" ] || exit 0\n',
        "unable": _UNABLE.format(verb="push"),
    },
    "pre-receive": {**_LISTENING, "unable": _UNABLE_SERVER},
}
_MADE = ", whole file"

# A script that some interpreter reads again through its own name: `exec python3 "$0" "$@"`.
_READS_ITSELF = re.compile(
    rb"^[^#\n]*(?:\bexec\b['\"]*|\btail[ \t]+-n?[ \t]*\+?\d|\bsed[ \t]+-n)[^\n]*?[ \t]"
    rb"['\"]?\$(?:0|\{0\})['\"]?(?:[ \t|;<>]|$)",
    re.MULTILINE,
)

# `exec` with nothing but redirections goes on.
_ENDS = re.compile(rb"exit\b|exec[ \t]+(?![0-9]*[<>])|return\b")

State = Literal["absent", "installed", "outdated", "damaged"]


class _Span(NamedTuple):
    start: int
    end: int
    made: bool


def block(kind: str, *, made: bool = False) -> bytes:
    """Return the block for a hook of that kind; `made`: in a file that doll makes."""
    return _BLOCK.format(kind=kind, made=_MADE if made else "", **_FORMS[kind]).encode()


def state(data: bytes, kind: str) -> State:
    """Return what the text has of doll: nothing, the current block, another one, or half a one."""
    spans = _spans(data, kind)
    if spans is None:
        return "damaged"
    if not spans:
        return "absent"
    (first, *others) = spans
    current = block(kind, made=first.made).removesuffix(b"\n")
    return "installed" if not others and data[first.start : first.end] == current else "outdated"


class Before(NamedTuple):
    """The first line of somebody else's that a hook runs before the block.

    `ends`: a line there looks as if nothing behind it were run; then it is that one.
    """

    number: int
    text: str
    ends: bool


def before(data: bytes, kind: str) -> Before | None:
    """Return what runs before the block; None where only the first line and comments stand there.

    What a line means in a shell is not asked: `exit` in a condition counts as an end too.
    """
    spans = _spans(data, kind)
    if not spans:
        return None
    lines = data[: spans[0].start].splitlines()
    others = [
        Before(number, line.strip().decode("utf-8", "replace"), bool(_ENDS.match(line)))
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith(b"#")
    ]
    return next((each for each in others if each.ends), others[0] if others else None)


def fault(data: bytes, kind: str) -> str | None:
    """Return why this hook's text is not edited, in words that follow its name; None: it can be."""
    if b"\0" in data:
        return "holds NUL bytes, so it is a program and no script"
    if data.startswith(b"\xef\xbb\xbf"):
        return "begins with a byte order mark"
    if b"\r\n" in data:
        return "has CRLF line endings"
    first = data.split(b"\n", 1)[0]
    if first.startswith(b"#!") and not _is_shell(first):
        return f"is no shell script ({first.decode('utf-8', 'replace')})"
    if _READS_ITSELF.search(data):
        return "hands its own text to another program"
    if _spans(data, kind) is None:
        return "has one of the two marker lines of doll's block without the other"
    return None


def insert(data: bytes | None, kind: str) -> bytes:
    """Return the hook with the current block in it; None stands for no hook.

    An older block is replaced where it stands. The text must have no `fault`.
    """
    if data is None:
        return _OWN_START + block(kind, made=True)
    spans = _spans(data, kind)
    if spans:
        first = spans[0]
        for span in reversed(spans[1:]):
            data = _without(data, span)
        current = block(kind, made=first.made).removesuffix(b"\n")
        return data[: first.start] + current + data[first.end :]
    if not data.startswith(b"#!"):
        return block(kind) + data
    start, newline, rest = data.partition(b"\n")
    if newline:
        return start + newline + block(kind) + rest
    return start + b"\n" + block(kind).removesuffix(b"\n")


def remove(data: bytes, kind: str) -> bytes | None:
    """Return the hook without doll's block; None when the file was doll's and nothing else is left.

    The text must have no `fault`.
    """
    spans = _spans(data, kind) or []
    for span in reversed(spans):
        data = _without(data, span)
    made = any(span.made for span in spans)
    return None if made and data.strip() == _OWN_START.strip() else data


def _without(data: bytes, span: _Span) -> bytes:
    if data[span.end : span.end + 1] == b"\n":
        return data[: span.start] + data[span.end + 1 :]
    # The block ends the file without a line feed: the one before it was put there for it.
    return data[: max(span.start - 1, 0)] + data[span.end :]


def _spans(data: bytes, kind: str) -> list[_Span] | None:
    """Return the blocks, without their last line feed; None when markers do not come in pairs."""
    name, made = re.escape(kind.encode()), re.escape(_MADE.encode())
    marker = re.compile(
        rb"^# (?:>>> doll: %b(?P<made>%b)? >>>.*|<<< doll: %b <<<[^\n]*)$" % (name, made, name),
        re.MULTILINE,
    )
    spans = []
    opened: re.Match[bytes] | None = None
    for found in marker.finditer(data):
        opens = found.group().startswith(b"# >>>")
        if opens == (opened is not None):
            return None
        if opened is not None:
            spans.append(_Span(opened.start(), found.end(), opened["made"] is not None))
        opened = found if opens else None
    return None if opened is not None else spans


def is_shell_script(data: bytes) -> bool:
    """Tell whether a POSIX shell runs this text, and nothing else reads it again."""
    first = data.split(b"\n", 1)[0]
    shell = not first.startswith(b"#!") or _is_shell(first)
    return shell and b"\0" not in data and not _READS_ITSELF.search(data)


def _is_shell(first: bytes) -> bool:
    """Tell whether a `#!` line names a POSIX shell, straight or through `env` or busybox."""
    return interpreter(first) in SHELLS


def interpreter(first: bytes) -> str:
    """Return the program that a `#!` line names, straight or through `env` or busybox."""
    words = [word.decode("utf-8", "replace") for word in first[2:].split()]
    names = [word.rpartition("/")[2] for word in words]
    if names[:1] == ["env"]:
        names = names[2:] if words[1:2] == ["-S"] else names[1:]
    if names[:1] == ["busybox"]:
        names = names[1:]
    return names[0] if names else ""
