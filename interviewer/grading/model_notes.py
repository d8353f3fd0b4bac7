"""What went wrong with a model, as one sentence for the candidate in the language of the interview.

The full story (endpoint, status, what the server said) is in the error itself, for the log and `interviewer doctor`.
"""

from interviewer.errors import ChatModelError
from interviewer.models import Language
from interviewer.wording import keys, say


def note_key(error: ChatModelError) -> str:
    """The sentence about such a failure in `interviewer/locales/models.*.toml`; it has to be told the `model`."""
    key = f"model_{error.kind}"
    return key if key in keys("en") else "model_other"


def explained(error: ChatModelError, model: str, language: Language) -> str:
    """One sentence: what happened and what to do."""
    return say(note_key(error), language, model=model)
