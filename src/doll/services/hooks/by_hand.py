"""What a user adds to a hook that doll leaves alone, in the words of its language. Pure.

Every line lets git go on but where doll says that it must stop: a doll that is not there stops
nobody.
"""

import re

from doll.services.hooks.block import NO_REDACTION, interpreter, is_shell_script

# In a folder that other repositories share, only those with a vault are asked about.
_ASKED = '[ -z "$(git config doll.vault)" ] || '

# The ids of `.pre-commit-hooks.yaml`.
LISTED = {
    "pre-commit": "doll-preflight",
    "pre-merge-commit": "doll-preflight-merge",
    "commit-msg": "doll-preflight-message",
    "pre-push": "doll-preflight-push",
}

_PYTHON = (
    "import subprocess, sys\n"
    'if subprocess.call(["sh", "-c", {line!r}, "doll", *sys.argv[1:]]) == 1: sys.exit(1)'
)
_PYTHON_LISTENING = (
    "import io, subprocess, sys\n"
    "refs = sys.stdin.buffer.read()\n"
    "sys.stdin = io.TextIOWrapper(io.BytesIO(refs))\n"
    'if subprocess.run("doll hooks run {kind}", shell=True, input=refs).returncode == 1: '
    "sys.exit(1)"
)
# One line, which stands being set in when it is copied; a here-document would not.
_LISTENING = (
    'doll_file=$(mktemp); cat >"$doll_file"; exec <"$doll_file"; '
    '{asked}doll hooks run {kind} <"$doll_file" || {going}doll_stop=1; '
    'rm -f "$doll_file"; [ -z "${{doll_stop-}}" ] || exit 1'
)


def line_by_hand(kind: str, *, shared: bool = False) -> str:
    """Return the line of shell that does the block's main work in a hook that doll leaves alone.

    `shared`: other repositories run the hook too. What git tells a hook on standard input, the
    rest of it finds there again.
    """
    asked = _ASKED if shared else ""
    if kind in ("pre-push", "pre-receive"):
        # A server takes nothing unchecked.
        going = "" if kind == "pre-receive" else "[ $? -ne 1 ] || "
        return _LISTENING.format(kind=kind, asked=asked, going=going)
    stop = "[ $? -ne 1 ] || exit 1"
    if kind == "commit-msg":
        asked += f"{{ ! grep -qi '^doll-' \"$1\" && {NO_REDACTION}; }} || "
        return f'{asked}doll hooks run {kind} "$1" </dev/null || {stop}'
    return f"{asked}doll hooks run {kind} </dev/null || {stop}"


def advice_by_hand(data: bytes | None, kind: str, hook: str, *, shared: bool = False) -> str:
    """Return what to do by hand in a hook that doll leaves alone; None stands for no hook yet."""
    line = line_by_hand(kind, shared=shared)
    if data is None:
        return f"make {hook}, executable, of these lines:\n#!/bin/sh\n{line}"
    if is_shell_script(data):
        return f"add to {hook}, near its top:\n{line}"
    if b"\0" not in data and interpreter(data.split(b"\n", 1)[0]).startswith("python"):
        listening = kind in ("pre-push", "pre-receive")
        script = _PYTHON_LISTENING if listening else _PYTHON
        return f"add to {hook}, near its top:\n{script.format(kind=kind, line=line)}"
    return f"call `doll hooks run {kind}` from {hook}, and stop when it exits 1"


def is_called(data: bytes, kind: str) -> bool:
    """Tell whether the text calls `doll hooks run` for this kind, in a line of anybody's."""
    called = re.compile(
        rb"^[^#\n]*\bdoll['\"]?,?[ ]+['\"]?hooks['\"]?,?[ ]+['\"]?run['\"]?,?[ ]+['\"]?%b(?![\w-])"
        % re.escape(kind.encode()),
        re.MULTILINE,
    )
    return called.search(data) is not None


def is_listed(data: bytes, kind: str) -> bool:
    """Tell whether the pre-commit framework's file lists doll's hook of this kind by its id.

    Source: `.pre-commit-hooks.yaml`.
    """
    name = LISTED.get(kind, "").encode()
    line = rb"^[ \t-]*id:[ \t]*['\"]?%b['\"]?[ \t\r]*(?:#.*)?$" % re.escape(name)
    return bool(name) and re.search(line, data, re.MULTILINE) is not None
