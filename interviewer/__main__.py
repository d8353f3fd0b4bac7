"""`python -m interviewer` is the `interviewer` command."""

from interviewer.cli import main

if __name__ == "__main__":
    main()
