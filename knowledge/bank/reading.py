"""Reading topic files: YAML into questions, with errors that name file, question and field."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError

from interviewer.errors import BankError
from interviewer.models import LANGUAGES, Localized, Question, Source

BANK = "bank"
"""Name of the shipped set."""

_SOURCE = Source(title="Interviewer question bank", licence="Apache-2.0")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""How topics and questions are named."""
_HEAD = ("topic", "title", "questions")
_NEXT = "Correct the file, then run `interviewer bank check`; docs/bank.md describes every field."


class TopicFile(NamedTuple):
    """A topic file as read: its path, the topic's id, its title by language, its questions in order."""

    path: Path
    topic: str
    title: Localized
    questions: tuple[Question, ...]


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Safe YAML in which a repeated key is an error: plain YAML would silently keep the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in seen:
                problem = f"the key {key.value!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return mapping


def read_topic_files(paths: Iterable[Path], set_name: str = BANK) -> tuple[TopicFile, ...]:
    """Several topic files as one set: a question id may stand in one place only."""
    files = tuple(read_topic_file(path, set_name) for path in paths)
    ids: dict[str, Path] = {}
    for file in files:
        for question in file.questions:
            if question.id in ids:
                raise _broken(file.path, f"question {question.id!r}, id", f"stands in {ids[question.id].name} already")
            ids[question.id] = file.path
    return files


def read_topic_file(path: Path, set_name: str = BANK) -> TopicFile:
    """One topic file.

    Args:
        path: A YAML file with `topic`, `title` and `questions`.
        set_name: The set its questions belong to.

    Raises:
        BankError: naming file, question and field.
    """
    document = _document(path)
    topic = _topic(path, document)
    title = _title(path, document)
    rows = document.get("questions") or []
    if not isinstance(rows, list):
        raise _broken(path, "questions", "must be a list")
    questions = tuple(_question(path, number, row, topic, set_name) for number, row in enumerate(rows, 1))
    return TopicFile(path, topic, title, questions)


def _document(path: Path) -> Mapping[str, Any]:
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except OSError as error:
        raise BankError(f"{path} can't be read: {error.strerror}.", next_step="Check the path.") from error
    except UnicodeDecodeError as error:
        raise BankError(f"{path.name} is not UTF-8.", next_step="Save it as UTF-8.") from error
    except yaml.YAMLError as error:
        raise _broken(path, "YAML", _where(error)) from error
    if not isinstance(document, dict):
        raise _broken(path, "head", "the file must hold `topic`, `title` and `questions`")
    unknown = [str(key) for key in document if key not in _HEAD]
    if unknown:
        raise _broken(path, "head", f"knows {', '.join(_HEAD)}, not {', '.join(unknown)}")
    return document


def _where(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    return f"line {mark.line + 1}: {problem}" if mark else problem


def _topic(path: Path, document: Mapping[str, Any]) -> str:
    topic = document.get("topic")
    if not isinstance(topic, str) or not SLUG.fullmatch(topic):
        raise _broken(path, "topic", f"must be a slug such as `rag-agents`, not {topic!r}")
    return topic


def _title(path: Path, document: Mapping[str, Any]) -> Localized:
    title = document.get("title")
    if isinstance(title, dict) and set(title) == set(LANGUAGES) and all(_is_text(t) for t in title.values()):
        return title
    raise _broken(path, "title", "must give the topic's title in zh and in en")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _question(path: Path, number: int, row: object, topic: str, set_name: str) -> Question:
    if not isinstance(row, dict):
        raise _broken(path, f"question {number}", "must be a mapping of fields")
    name = row.get("id")
    label = f"question {name!r}" if isinstance(name, str) else f"question {number}"
    if not isinstance(name, str) or not SLUG.fullmatch(name):
        raise _broken(path, f"{label}, id", f"must be a slug such as `training-zero-stages`, not {name!r}")
    for given in ("set", "topic", "source"):
        if given in row:
            raise _broken(path, f"{label}, {given}", "follows from the file; leave it out")
    try:
        return Question.model_validate({**row, "set": set_name, "topic": topic, "source": _SOURCE})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "points"
        raise _broken(path, f"{label}, {field}", _reason(first["msg"], first["input"])) from error


def _reason(message: str, given: object) -> str:
    if isinstance(given, (bool, int, float)):
        return f"{message}, not {given!r}; text that YAML takes for a number or a truth value needs quotes"
    return message


def _broken(path: Path, place: str, problem: str) -> BankError:
    return BankError(f"{path.name}, {place}: {problem.rstrip('.')}.", next_step=_NEXT)
