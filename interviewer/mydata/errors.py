"""What a file of data is refused for, said in the reader's language."""

from interviewer.accounts.errors import RefusedError
from interviewer.errors import ConflictError


class BadDataFileError(RefusedError):
    """A file that is no export, or not a whole and honest one; nothing of it was kept.

    Its sentences are in `interviewer/locales/mydata.*.toml`.
    """


class BusyError(BadDataFileError, ConflictError):
    """Another file is being brought in at this moment."""
