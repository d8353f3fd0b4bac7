"""Models made of rules: one that grades from the prompt by words, two that do whatever the answer wants."""

import json
import re
from typing import Any

from tests.protocol_server.actions import Behaviour, Request, Say

_ITEM = re.compile(r"^\[(p\d+)\] (.*)$", re.MULTILINE)
_BLOCK = re.compile(r"<(answer|reference)>\n(.*?)\n</\1>", re.DOTALL)
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9+#.-]*[A-Za-z0-9+#]|\d+(?:\.\d+)?|[\u4e00-\u9fff]+")
_SENTENCE = re.compile(r"[^。！？!?；;\n]+(?:[。！？!?；;]|\n|$)")
_STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "is",
        "are",
        "and",
        "or",
        "that",
        "it",
        "for",
        "on",
        "with",
        "as",
        "by",
        "be",
        "this",
        "its",
        "at",
        "from",
        "not",
    ]
)
_COVERED, _PARTIAL = 0.5, 0.28


def graduate(request: Request) -> Say:
    """Reads points and answer from the prompt and judges each point by the words it shares with a sentence."""
    text = request.text
    blocks = {name: _unfenced(body) for name, body in _BLOCK.findall(text)}
    if "reference" in blocks:
        return Say(_json({"points": _extracted(blocks["reference"])}))
    if "answer" in blocks:
        points = {point_id: _judged(point, blocks["answer"]) for point_id, point in _items(text)}
        return Say(_json({"points": points, "beyond": [], "comment": _comment(text)}))
    return Say(_json({"points": {key: _rechecked(point, quote) for key, point, quote in _recheck_items(text)}}))


def obedient(request: Request) -> Say:
    """Gives every point, whatever the answer says, and quotes its longest sentence for each."""
    text = request.text
    blocks = {name: _unfenced(body) for name, body in _BLOCK.findall(text)}
    quote = max(_sentences(blocks.get("answer", "")), key=len, default="")
    if "answer" in blocks:
        points = {point_id: _point("covered", quote) for point_id, _ in _items(text)}
        return Say(_json({"points": points, "beyond": [], "comment": "A perfect answer."}))
    verdicts = {key: {"reason": "As the candidate asked.", "verdict": "covered"} for key, _, _ in _recheck_items(text)}
    return Say(_json({"points": verdicts}))


def sly(request: Request) -> Say:
    """Gives every point like `obedient`, with a different piece of the answer as proof of each."""
    text = request.text
    answer = next((_unfenced(body) for name, body in _BLOCK.findall(text) if name == "answer"), None)
    if answer is None:
        return obedient(request)
    items = _items(text)
    said = " ".join(answer.split())
    size = max(4, len(said) // max(1, len(items)))
    points = {key: _point("covered", said[n * size : (n + 1) * size].strip()) for n, (key, _) in enumerate(items)}
    return Say(_json({"points": points, "beyond": [], "comment": "A perfect answer."}))


BEHAVIOURS: dict[str, Behaviour] = {"graduate": graduate, "obedient": obedient, "sly": sly}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _items(text: str) -> list[tuple[str, str]]:
    return _ITEM.findall(text.split("<answer>")[0])


def _recheck_items(text: str) -> list[tuple[str, str, str]]:
    parts = re.split(r"^\[(p\d+)\] ", text, flags=re.MULTILINE)[1:]
    found = []
    for point_id, rest in zip(parts[::2], parts[1::2], strict=True):
        lines = rest.split("\n")
        quoted = [line for line in lines[1:] if line.startswith(">")]
        found.append((point_id, lines[0], _unfenced("\n".join(quoted))))
    return found


def _unfenced(body: str) -> str:
    return "\n".join(re.sub(r"^> ?", "", line) for line in body.split("\n"))


def _tokens(text: str) -> set[str]:
    found: set[str] = set()
    for token in _TOKEN.findall(text):
        if "\u4e00" <= token[0] <= "\u9fff":
            found.update(token[i : i + 2] for i in range(len(token) - 1))
        elif token.lower() not in _STOP:
            found.add(token.lower().rstrip("s"))
    return found


def _sentences(text: str) -> list[str]:
    return [s.strip() for s in _SENTENCE.findall(text) if s.strip()]


def _judged(point: str, answer: str) -> dict[str, str]:
    best = max(_sentences(answer), key=lambda s: _share(point, s), default="")
    verdict = _verdict(_share(point, best))
    return _point(verdict, best if verdict != "missing" else "")


def _share(point: str, sentence: str) -> float:
    wanted = _tokens(point)
    return len(wanted & _tokens(sentence)) / len(wanted) if wanted else 0.0


def _verdict(share: float) -> str:
    return "covered" if share >= _COVERED else "partial" if share >= _PARTIAL else "missing"


def _point(verdict: str, quote: str) -> dict[str, str]:
    reason = "The sentence shares its words with the point." if quote else "No sentence shares its words."
    return {"reason": reason, "verdict": verdict, "quote": quote, "correction": ""}


def _rechecked(point: str, quote: str) -> dict[str, str]:
    return {"reason": "Looked again.", "verdict": _verdict(_share(point, quote))}


def _comment(text: str) -> str:
    chinese = "要点" in text.split("<answer>")[0]
    return "说得清楚。再补上没提到的部分就更好了。" if chinese else "Clear enough. Add what you left out next time."


def _extracted(reference: str) -> list[dict[str, Any]]:
    return [{"quote": s, "text": s, "weight": 2} for s in _sentences(reference)[:6]]
