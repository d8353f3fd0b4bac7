"""The command line: `interviewer <command>`. Each command imports what it needs when it runs."""

import sys

from interviewer.errors import InterviewerError


def main() -> None:
    """Runs the command; an error the user can act on is printed as such, with exit code 1."""
    from interviewer.cli.app import app

    try:
        app()
    except InterviewerError as error:
        print(f"interviewer: {error}", file=sys.stderr)  # noqa: T201 - the edge where errors meet the user
        sys.exit(1)
