"""What is right beyond the reference: sentences that serve no point but that a passage of the bank supports."""

from collections.abc import Sequence

from interviewer.grading.contradiction import clash, clauses
from interviewer.grading.evidence import Matrix, Reader, match_words, recall
from interviewer.grading.protocol import Passage
from interviewer.grading.windows import Answer, Window
from interviewer.language import sentences
from interviewer.models import Beyond

_MOST = 3
_MOST_SENTENCES = 60
_SIMILAR = 0.72
_FEWEST_WORDS = 4
_SHARED = 0.6
_SHARED_WORDS_ONLY = 0.75


def find_beyond(reader: Reader, answer: Answer, used: Sequence[str], passages: Sequence[Passage]) -> tuple[Beyond, ...]:
    """At most three sentences of the answer, each with the sentence of the bank that says the same.

    Args:
        used: Quotes that already count for a point, or against one.
        passages: Retrieved passages of other questions.
    """
    free = [w for w in answer.windows if w.sentences == 1 and len(set(w.keys)) >= _FEWEST_WORDS]
    free = [w for w in free if not any(w.text in quote or quote in w.text for quote in used if quote)]
    pool = [(p, s) for p in passages for s in sentences(p.text) if len(s) > 12][:_MOST_SENTENCES]
    if not free or not pool:
        return ()
    similar = _similarities(reader, [w.text for w in free], [text for _, text in pool])
    found: list[Beyond] = []
    for row, window in enumerate(free):
        best = max(range(len(pool)), key=lambda at: _support(reader, similar, row, at, window, pool[at][1]))
        if _support(reader, similar, row, best, window, pool[best][1]) > 0:
            found.append(Beyond(quote=window.text, passage=pool[best][1], question_id=pool[best][0].question_id))
    return tuple(found[:_MOST])


def _similarities(reader: Reader, ours: list[str], theirs: list[str]) -> Matrix | None:
    if reader.encoder is None:
        return None
    return reader.texts(ours) @ reader.texts(theirs).T


def _support(reader: Reader, similar: Matrix | None, row: int, at: int, window: Window, text: str) -> float:
    """Above 0 where the passage's sentence says what the window says, and does not contradict it."""
    if similar is not None and similar[row, at] < _SIMILAR:
        return 0.0
    words = reader.read(window.text)
    _, soft = match_words(words, reader.read(text))
    shared = recall(soft, words.weights)
    enough = _SHARED if similar is not None else _SHARED_WORDS_ONLY
    if shared < enough or clash(clauses(text), clauses(window.text)):
        return 0.0
    return shared + (float(similar[row, at]) if similar is not None else 0.0)
