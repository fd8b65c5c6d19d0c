"""The entry point of the `doll` command."""

import os
import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    _read_names_as_utf8()
    from doll.cli import run

    sys.exit(run(sys.argv[1:]))


def _read_names_as_utf8() -> None:
    """Start anew in Python's UTF-8 mode where the locale would read file names otherwise.

    Names are ids: they are the same in every locale, and references in records, which are UTF-8,
    name them. What is printed keeps the encoding of the console.
    """
    if sys.getfilesystemencoding().lower() == "utf-8":
        return
    if sys.stdout is not None:
        os.environ.setdefault("PYTHONIOENCODING", f"{sys.stdout.encoding}:backslashreplace")
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606


if __name__ == "__main__":
    main()
