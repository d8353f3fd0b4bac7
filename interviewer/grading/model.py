"""The grader that asks a chat model: verdicts with proof, held against the answer and the built-in grader."""

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic_core import from_json

from interviewer.chat import ChatMessage, ChatModel
from interviewer.errors import ChatModelError
from interviewer.fencing import fenced, unfenced
from interviewer.grading.examples import Examples
from interviewer.grading.model_check import Clash, clashes, overruled, settled, without_borrowed
from interviewer.grading.model_notes import explained
from interviewer.grading.model_prompt import GradingPrompt, fenced_question, grading_prompt, point_line
from interviewer.grading.model_reply import (
    GradeReply,
    PointReply,
    Read,
    RecheckReply,
    read_grade,
    read_recheck,
    reply_schema,
)
from interviewer.grading.points import with_points
from interviewer.grading.protocol import Grader, GradingContext, OnProgress, Progress
from interviewer.grading.quotes import locate, verify_quotes
from interviewer.models import Beyond, Grade, GraderInfo, Language, PointGrade, PromptRef, Question, Verdict
from interviewer.prompts import find_prompt
from interviewer.wording import say

_log = logging.getLogger(__name__)
_MAX_COMMENT = 600
_MAX_BEYOND = 3
_MAX_REPAIRED = 6000
_UNSEEN_CONFIDENCE = 0.5

_TOO_LONG: dict[Language, str] = {
    "zh": "回答太长，中间有 {cut} 个字符没有交给模型；没看到的部分可能被判为没说到。",
    "en": "The answer is long: {cut} characters of its middle were not shown to the model and may count as missing.",
}
_NO_POINTS: dict[Language, str] = {
    "zh": "这道题没有可以核对的要点。",
    "en": "This question has no points to check an answer against.",
}
_EMPTY: dict[Language, str] = {"zh": "没有作答。", "en": "Nothing was said."}
_UNPROVEN: dict[Language, str] = {
    "zh": "{id} 判为 {verdict}，但 quote 不在回答里：请照抄一段能证明它的原文，或者判为 missing。",
    "en": "{id} is {verdict}, and its quote is not in the answer: copy one that proves it, or say missing.",
}


class _Asked(NamedTuple):
    read: Read
    error: ChatModelError | None


class ModelGrader:
    """Grades with a chat model. One call when all is well; one more for a reply that breaks the form or quotes what
    was not said, one more to settle clashes.

    Args:
        chat: The model.
        builtin: The built-in grader, never shown to the model; None leaves verdicts unchecked against it.
        examples: Finds worked examples for the prompt; None shows none.
    """

    def __init__(self, chat: ChatModel, builtin: Grader | None = None, examples: Examples | None = None) -> None:
        self._examples = examples
        self._chat = chat
        self._builtin = builtin

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        """Verdicts for every point; `ungraded` with the model's failure as reason where it gave nothing usable.

        A question without points is graded by those of its reference's structure, as the built-in grader does.
        """
        question = with_points(question, context.language)
        if not question.points:
            return self._ungraded(_NO_POINTS[context.language], context)
        if not answer.strip():
            return self._nothing_said(question, context)
        examples = self._examples.similar(question, answer, context) if self._examples else ()
        judged = _only(question, context.only)
        if not judged.points:
            return self._ungraded(_NO_POINTS[context.language], context)
        prompt = grading_prompt(judged, answer, context, examples)
        asked = self._ask(prompt, context.language, on_progress or (lambda _: None))
        if asked.error:
            _log.warning("No grade from the model: %s", asked.error)
            return self._ungraded(explained(asked.error, self._chat.name, context.language), context)
        first = self._verified(judged, context, prompt, asked.read)
        return self._checked(question, answer, prompt.shown, context, first)

    def _ask(self, prompt: GradingPrompt, language: Language, tell: OnProgress) -> _Asked:
        """The model's reply, asked for once more where it breaks the form or credits what it doesn't prove."""
        form = find_prompt("grade-answer", language)
        messages, schema = form.render(prompt.values), reply_schema(GradeReply, form, prompt.ids)
        tell(Progress("waiting", 0, len(prompt.ids)))
        try:
            text, error = self._listen(messages, schema, len(prompt.ids), tell)
        except ChatModelError as failed:
            return _Asked(Read({}, (), "", ()), failed)
        first = read_grade(text, prompt.ids, language)
        unproven = _unproven(first, prompt.shown)
        problems = (*first.problems, *(_UNPROVEN[language].format(id=i, verdict=v) for i, v in unproven))
        if not problems:
            return _Asked(first, None)
        again = None
        try:
            repair = _repair(messages, text, problems, language)
            text, short = self._listen(repair, schema, len(prompt.ids), tell)
            again, error = read_grade(text, prompt.ids, language), short or error
        except ChatModelError as failed:
            error = failed
        # What one reply doesn't prove is voided later; the rest of it is a grade all the same.
        usable = (read for read in (again, first) if read and not read.problems)
        read = next((read for read in usable if not _proves_nothing(read, prompt.shown)), None)
        return _Asked(read, None) if read else _Asked(first, error or _unusable(self._chat.name))

    def _listen(
        self, messages: list[ChatMessage], schema: dict[str, Any], total: int, tell: OnProgress
    ) -> tuple[str, ChatModelError | None]:
        """The whole reply, with progress told while it arrives; one that is no whole JSON object comes back as it is,
        with what is wrong with it.
        """
        text, last = "", Progress("waiting", 0, total)
        try:
            for piece in self._chat.stream_json(messages, schema):
                text += piece
                now = _progress(text, total)
                if now != last:
                    tell(now)
                    last = now
        except ChatModelError as error:
            if error.kind not in ("invalid_output", "truncated"):
                raise
            return text, error
        return text, None

    def _verified(self, question: Question, context: GradingContext, prompt: GradingPrompt, read: Read) -> Grade:
        """The reply as a grade: quotes checked, borrowed words voided, what was not shown less sure."""
        points = [
            _point_grade(point.id, point.in_language(context.language), point.weight, read, short, prompt.cut)
            for short, point in zip(prompt.ids, question.points, strict=True)
        ]
        note = _TOO_LONG[context.language].format(cut=prompt.cut) if prompt.cut else None
        raw = Grade(
            status="graded",
            points=tuple(points),
            choices=question.choices,
            beyond=_beyond(read, prompt),
            comment=read.comment[:_MAX_COMMENT],
            grader=self._info(context.language, note),
            language=context.language,
        )
        verified = verify_quotes(raw, prompt.shown)
        own = without_borrowed(verified.points, prompt.shown, _spoken(question, context), context.language)
        return verified.model_copy(update={"points": tuple(own)})

    def _checked(self, question: Question, answer: str, shown: str, context: GradingContext, grade: Grade) -> Grade:
        """The grade held against the built-in grader's."""
        unprompted = context.model_copy(update={"only": "", "objection": ""})
        builtin = self._builtin.grade(question, answer, unprompted) if self._builtin else None
        if why := overruled(grade.points, builtin, shown):
            _log.warning("The model %r tells no point from another (%s).", self._chat.name, why)
            return self._ungraded(say(why, context.language, model=self._chat.name), context)
        clashing = clashes(grade.points, builtin, question, shown, _spoken(question, context))
        opinions = self._second_opinions(question, context, clashing) if clashing else {}
        points = settled(grade.points, builtin, clashing, opinions, context.language)
        return grade.model_copy(update={"points": points})

    def _second_opinions(
        self, question: Question, context: GradingContext, clashing: Sequence[Clash]
    ) -> dict[str, Verdict]:
        """The model's verdicts on the clashing quotes alone, by point id; empty where it fails."""
        quoted = [clash for clash in clashing if clash.quote]
        if not quoted:
            return {}
        ids = [f"p{n}" for n in range(1, len(quoted) + 1)]
        lines = [
            f"{point_line(short, question.point(clash.model.id), context)}\n{fenced(clash.quote)}"
            for short, clash in zip(ids, quoted, strict=True)
        ]
        values = {"question": fenced_question(question, context), "items": "\n".join(lines)}
        form = find_prompt("recheck-points", context.language)
        schema = reply_schema(RecheckReply, form, ids)
        try:
            found = read_recheck("".join(self._chat.stream_json(form.render(values), schema)))
        except ChatModelError:
            return {}
        return {clash.model.id: found[short] for short, clash in zip(ids, quoted, strict=True) if short in found}

    def _info(self, language: Language, note: str | None = None) -> GraderInfo:
        return GraderInfo(name="model", model=self._chat.name, prompt=_ref(language), note=note)

    def _ungraded(self, reason: str, context: GradingContext) -> Grade:
        info = self._info(context.language)
        return Grade(status="ungraded", reason=reason, grader=info, language=context.language)

    def _nothing_said(self, question: Question, context: GradingContext) -> Grade:
        reason = _EMPTY[context.language]
        points = tuple(
            PointGrade(
                id=p.id, text=p.in_language(context.language), weight=p.weight, verdict=Verdict.MISSING, reason=reason
            )
            for p in question.points
        )
        return Grade(
            status="graded",
            points=points,
            choices=question.choices,
            grader=self._info(context.language),
            language=context.language,
        )


def _unproven(read: Read, shown: str) -> list[tuple[str, str]]:
    """Id and verdict of each point whose quote is not in the answer."""
    return [
        (point_id, reply.verdict)
        for point_id, reply in read.points.items()
        if _credits(reply) and not locate(shown, unfenced(reply.quote))
    ]


def _proves_nothing(read: Read, shown: str) -> bool:
    """Whether there are verdicts other than missing, and none has its quote in the answer."""
    credited = sum(map(_credits, read.points.values()))
    return 0 < credited == len(_unproven(read, shown))


def _credits(reply: PointReply) -> bool:
    """Whether a verdict needs proof: any but missing does."""
    return Verdict(reply.verdict) is not Verdict.MISSING


def _point_grade(point_id: str, text: str, weight: float, read: Read, short: str, cut: int) -> PointGrade:
    reply = read.points[short]
    verdict = Verdict(reply.verdict)
    unseen = bool(cut) and verdict == Verdict.MISSING
    return PointGrade(
        id=point_id,
        text=text,
        weight=weight,
        verdict=verdict,
        quote=unfenced(reply.quote) if verdict != Verdict.MISSING else "",
        confidence=_UNSEEN_CONFIDENCE if unseen else 1.0,
        reason=reply.reason.strip(),
        correction=(reply.correction.strip() or text) if verdict == Verdict.CONTRADICTED else "",
    )


def _beyond(read: Read, prompt: GradingPrompt) -> tuple[Beyond, ...]:
    """What is right beyond the reference: named passages only, and nothing that already proves a point."""
    used = [reply.quote for reply in read.points.values() if reply.quote]
    found = []
    for item in read.beyond:
        quote = unfenced(item.quote)
        known = 1 <= item.passage <= len(prompt.passages)
        if known and quote and not any(locate(other, quote) or locate(quote, other) for other in used):
            passage = prompt.passages[item.passage - 1]
            found.append(Beyond(quote=quote, passage=passage.text, question_id=passage.question_id))
    return tuple(found[:_MAX_BEYOND])


def _only(question: Question, point_id: str) -> Question:
    """The question with the one point that is to be judged; with all of them where none is named."""
    if not point_id:
        return question
    return question.model_copy(update={"points": tuple(p for p in question.points if p.id == point_id), "phases": ()})


def _spoken(question: Question, context: GradingContext) -> tuple[str, ...]:
    """Everything the interviewer said on the question."""
    return (*question.question.values(), *context.asked)


def _repair(messages: list[ChatMessage], text: str, problems: Sequence[str], language: Language) -> list[ChatMessage]:
    listed = "\n".join(f"- {problem}" for problem in problems)
    asked = find_prompt("repair-reply", language).render({"problems": listed})
    return [*messages, ChatMessage("assistant", text[:_MAX_REPAIRED] or "{}"), *asked]


def _progress(text: str, total: int) -> Progress:
    """How far a reply under way has come; a point counts once the next thing has begun."""
    try:
        value = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return Progress("reading", 0, total)
    if not isinstance(value, dict):
        return Progress("reading", 0, total)
    items = value.get("points")
    begun = len(items) if isinstance(items, (dict, list)) else 0
    ended = "beyond" in value or "comment" in value
    comment = value.get("comment")
    done = begun if ended else max(0, begun - 1)
    return Progress("reading", min(done, total), total, comment if isinstance(comment, str) else "")


def _ref(language: Language) -> PromptRef:
    return find_prompt("grade-answer", language).ref


def _unusable(name: str) -> ChatModelError:
    return ChatModelError(
        f"The model {name!r} did not reply in the form asked for, twice.",
        kind="invalid_output",
        next_step="Try again, or use a larger model.",
    )
