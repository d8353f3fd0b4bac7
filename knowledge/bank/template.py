"""A new question to fill in: it loads at once, and fails the check until no ✎ is left."""

import re
from pathlib import Path
from textwrap import indent

from interviewer.errors import BankError
from knowledge.bank.reading import SLUG, TopicFile, read_topic_file

_HEAD = """\
topic: {topic}
title:             # shown to candidates
  zh: {topic}
  en: {topic}

questions:
"""

_POINT = """\
- id: point-{number}
  weight: {weight}
  text:
    zh: ✎ 要点 {number}，一句可以判断对错的话
    en: ✎ Point {number}, one statement that is true or false
  aliases:
    zh: [✎ 别名 {number}]
    en: [✎ alias {number}]
  probe:
    zh: ✎ 追问 {number}，不能把答案说出来
    en: ✎ Probe {number}, which must not give the answer away
  hint:
    zh: ✎ 提示 {number}，比追问更进一步
    en: ✎ Hint {number}, a nudge beyond the probe
"""

_QUESTION = """\
- id: {id}
  kind: concept    # concept, troubleshooting, experience or design
  difficulty: 3    # 1 warm-up to 5 expert
  frequency: 3     # 1 rare to 5 asked everywhere
  level: 2         # 1 basics, 2 principles, 3 practice
  tags: [✎ tag]
  question:
    zh: ✎ 面试官怎么问
    en: ✎ What the interviewer asks
  reference:
    zh: |
      ✎ 参考答案，用 Markdown 写，包含下面每一个要点
    en: |
      ✎ The model answer in Markdown, stating every point below
  # 3 to 6 points. The id stays the same for ever; weights are relative to each other. Aliases are other names a
  # candidate may use: synonyms, abbreviations, symbols. Probe and hint hold neither them nor the point's key terms.
  points:
{points}\
  # A question that is talked through in phases, as a design interview is, says so; each point belongs to one phase:
  #   phases:
  #     - id: requirements
  #       minutes: 5
  #       title: {{zh: 需求澄清, en: Requirements}}
  #       prompt: {{zh: 先问清楚什么？, en: What would you ask first?}}    # gives none of the points away
  #       points: [point-1]
  # Where some of the points are enough, as for "name two":
  #   choices:
  #     - enough: 2
  #       points: [point-1, point-2, point-3]
  # 1 to 16 misconceptions; `point` names the point it contradicts, leave it out where there is none.
  misconceptions:
    - text:
        zh: ✎ 常见的错误说法
        en: ✎ A wrong statement people often make
      correction:
        zh: ✎ 正确的说法
        en: ✎ What is right
      point: point-1
  # Primary sources: title and section, no links.
  further:
    - ✎ Source, section
"""


def add_question(path: Path, topic: str, question_id: str) -> TopicFile:
    """Writes a question to fill in at the end of a topic file, making the file where there is none.

    Args:
        path: The topic file.
        topic: Its topic; must be the one an existing file has.
        question_id: A slug that the file does not use yet.

    Raises:
        BankError: if the id or topic does not fit, or the file can't be written; the file is then as before.
    """
    _check_names(path, topic, question_id)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    text = _appended(before or _HEAD.format(topic=topic), question_id)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BankError(f"{path} can't be written: {error.strerror}.", next_step="Give --file PATH.") from error
    try:
        return read_topic_file(path)
    except BankError:
        path.write_text(before, encoding="utf-8")
        raise


def _check_names(path: Path, topic: str, question_id: str) -> None:
    for name in (topic, question_id):
        if not SLUG.fullmatch(name):
            raise BankError(f"{name!r} is not a slug.", next_step="Write it like `training-zero-stages`.")
    if not path.exists():
        return
    file = read_topic_file(path)
    if file.topic != topic:
        raise BankError(f"{path.name} is about {file.topic!r}, not {topic!r}.", next_step="Choose another file.")
    if any(question.id == question_id for question in file.questions):
        raise BankError(f"{path.name} has a question {question_id!r} already.", next_step="Choose another id.")


def _appended(text: str, question_id: str) -> str:
    text = re.sub(r"^questions:[ \t]*(\[\s*\]|null|~)?[ \t]*$", "questions:", text, flags=re.MULTILINE)
    first = re.search(r"^([ ]*)- id:", text, flags=re.MULTILINE)
    points = "".join(_POINT.format(number=number, weight=weight) for number, weight in ((1, 3), (2, 2), (3, 2)))
    question = _QUESTION.format(id=question_id, points=indent(points, "    "))
    return text.rstrip() + "\n\n" + indent(question, first[1] if first else "  ")
