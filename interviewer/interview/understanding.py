"""What a candidate's message is: an answer, or a request in words. Named rules, no model, both languages."""

import re
from typing import NamedTuple

from interviewer.interview import phrases_en, phrases_zh
from interviewer.interview.phrases import Intent, Rule, rule
from interviewer.language import fold
from interviewer.models import Language

RULES: tuple[Rule, ...] = (
    *phrases_en.RULES,
    *phrases_zh.RULES,
    rule("a question mark alone", "clarify", r"[?？]+(?=\s*$)"),
)
"""Every phrase that is known; a message means something other than an answer only if these explain all of it."""

_FILLER = re.compile(f"{phrases_en.FILLER}|{phrases_zh.FILLER}")
_LONGEST_REQUEST = 240
_CODE = re.compile(r"```|[{}]|\bdef \w+\(|\bimport \w+|\w\(\)|=\s*\w|^\s*(?:>>>|\$ )", re.MULTILINE)
_ORDER: tuple[Intent, ...] = (
    "stop",
    "retry",
    "reveal",
    "skip",
    "phase",
    "next",
    "hint",
    "pause",
    "resume",
    "repeat",
    "clarify",
    "concede",
    "note",
)
_WORD = re.compile(r"[a-z;´']+")
_APOSTROPHES = str.maketrans("’‘`´", "''''")
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]")


class Understood(NamedTuple):
    """What a message is.

    Attributes:
        intent: `note` is a remark that asks for nothing and answers nothing, such as "let me think".
        text: The message as written, white space at the ends removed.
        rule: The name of the rule that decided; empty for an answer.
    """

    intent: Intent
    text: str
    rule: str = ""


def understand(text: str, *, asking: bool, language: Language) -> Understood:
    """What `text` means.

    A message is a request only if known phrases and fillers explain every word of it: whatever else it contains makes
    it an answer, so that "I don't know exactly, but ZeRO shards the states" is graded.

    Args:
        text: The message as written.
        asking: Whether an answer is expected. Between questions a free text is a `note`, and "next", "skip" and "go
            on" all mean `next`; while a question is open "next question" means `skip` and "next phase" `phase`.
        language: Language of the interview; the rules of both languages always apply, since candidates mix them.
    """
    message = text.strip()
    found = _request(message)
    if found is None:
        return Understood("answer" if asking else "note", message)
    return Understood(_in_phase(found.intent, asking), message, found.name)


def _in_phase(intent: Intent, asking: bool) -> Intent:
    if asking:
        return "resume" if intent == "next" else intent
    return "next" if intent in ("skip", "phase", "concede") else intent


def _request(message: str) -> Rule | None:
    """The weightiest request in a message that consists of nothing but requests and fillers."""
    if not message or len(message) > _LONGEST_REQUEST or _CODE.search(message):
        return None
    folded = _corrected(fold(_EMOJI.sub(" ", message).translate(_APOSTROPHES)))
    found = _explained(folded)
    if found is None:
        return None
    if not found:
        return _ONLY_FILLER if folded.strip(" .。!！,，") else None
    return min(found, key=lambda each: _ORDER.index(each.intent))


_ONLY_FILLER = next(known for known in RULES if known.intent == "note")


def _corrected(folded: str) -> str:
    return _WORD.sub(lambda match: phrases_en.TYPOS.get(match[0], match[0]), folded)


def _explained(folded: str) -> tuple[Rule, ...] | None:
    """The rules whose phrases, with fillers between them, make up the whole text; None where they do not."""
    reached: dict[int, tuple[Rule, ...]] = {0: ()}
    for at in range(len(folded)):
        if at not in reached or not _may_start(folded, at):
            continue
        for known in RULES:
            match = known.pattern.match(folded, at)
            if match and match.end() > at:
                _reach(reached, match.end(), (*reached[at], known))
        filler = _FILLER.match(folded, at)
        if filler and filler.end() > at:
            _reach(reached, filler.end(), reached[at])
    return reached.get(len(folded))


def _reach(reached: dict[int, tuple[Rule, ...]], at: int, rules: tuple[Rule, ...]) -> None:
    """Keeps the reading with the fewest phrases: "don't know how to answer" is one, not "don't know" and more."""
    if at not in reached or 0 < len(rules) < len(reached[at]) or not reached[at]:
        reached[at] = rules


def _may_start(folded: str, at: int) -> bool:
    """A phrase does not begin in the middle of a Latin word."""
    return at == 0 or not (
        folded[at - 1].isascii() and folded[at - 1].isalnum() and folded[at].isascii() and folded[at].isalnum()
    )
