"""The entry point of the `doll` command."""

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    from doll.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
