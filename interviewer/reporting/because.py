"""Why a question was asked, in words."""

from interviewer.interview.state import QuestionState
from interviewer.language import clean
from interviewer.models import Language
from interviewer.wording import say


def asked_because(question: QuestionState, language: Language) -> str:
    """One sentence or two; plain text, which may quote a job description or résumé.

    A question that took the place of an easier or harder one was not itself the weak, new or frequent one; only what a
    description asks for holds for its topic too.
    """
    said = []
    if not question.shift or question.why == "focus":
        key = "why_focus_sentence" if question.why == "focus" and question.sentence else f"why_{question.why}"
        said.append(say(key, language, sentence=" ".join(clean(question.sentence).split())))
    if question.shift:
        said.append(say("why_harder" if question.shift > 0 else "why_easier", language))
    return ("" if language == "zh" else " ").join(said)
