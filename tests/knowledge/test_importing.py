"""Imports into a store: once, again, after a change; problems; odd names; points; progress."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from interviewer.errors import ChatModelError
from interviewer.models import Kind, Point, Question
from interviewer.storage.questions import QuestionStore
from interviewer.worded import WordedError
from knowledge.import_report import MAX_EXCERPT
from knowledge.importing import import_documents, preview
from tests.databases import open_database

NOTES = """# 存储

## 1. 什么是写前日志?

先写日志,再改数据页。

## 2. 如何设计一个缓存?

- 选淘汰策略
- 选过期时间

```python
cache = {}
```
"""


class Counts(NamedTuple):
    added: int
    updated: int
    unchanged: int
    clashes: tuple[str, ...] = ()


class MemoryStore:
    """The store's port, in memory, with everything that was asked of it."""

    def __init__(self) -> None:
        self.questions: dict[str, Question] = {}
        self.documents: dict[tuple[str, str], tuple[str, str, Any, Any]] = {}
        self.saves: list[int] = []
        self.retired: list[str] = []

    def questions_of(self, set: str, document: str) -> tuple[Question, ...]:
        return tuple(q for q in self.questions.values() if q.set == set and q.source.document == document)

    def save(self, questions: Sequence[Question], *, reason: str) -> Counts:
        assert reason == "import"
        self.saves.append(len(questions))
        added = sum(1 for q in questions if q.id not in self.questions)
        self.questions |= {q.id: q for q in questions}
        return Counts(added, len(questions) - added, 0)

    def retire(self, question_ids: Iterable[str]) -> int:
        gone = list(question_ids)
        for question_id in gone:
            self.retired.append(question_id)
            del self.questions[question_id]
        return len(gone)

    def found_again(self, question_ids: Sequence[str]) -> None:
        assert set(question_ids) <= self.questions.keys()

    def save_document(
        self, set: str, document: str, sha256: str, kind: str, report_json: Any, blueprint_json: Any | None
    ) -> None:
        self.documents[set, document] = (sha256, kind, report_json, blueprint_json)

    def all_texts(self, set: str) -> Iterable[tuple[str, str]]:
        return [(q.id, text) for q in self.questions.values() if q.set == set for text in q.question.values()]


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_text(NOTES, encoding="utf-8")
    return path


def test_questions_are_complete(store: MemoryStore, notes: Path) -> None:
    report = import_documents([notes], set_name="mine", store=store)
    first, second = store.questions.values()
    assert (report.counts.added, report.questions, report.found) == (2, (), 2)
    assert (first.question, first.reference) == ({"zh": "什么是写前日志?"}, {"zh": "先写日志,再改数据页。"})
    assert (first.set, first.topic, first.source.document, first.source.number) == ("mine", "存储", "notes.md", "1")
    assert second.kind is Kind.DESIGN
    assert (second.difficulty, second.frequency) == (3, 3)
    assert [p.in_language("zh") for p in second.points][:1] == ["选淘汰策略"]
    assert store.documents["mine", "notes.md"][1] == "qa"


CHOICE = "## 1. 请列举两种缓存淘汰策略。\n\n- 最近最少使用的先淘汰\n- 使用次数最少的先淘汰\n- 最早进入的先淘汰\n\n## 2. 什么是写前日志？\n\n先写日志，再改数据页。\n"


def test_a_question_that_asks_for_two_of_three_says_so(store: MemoryStore, notes: Path) -> None:
    notes.write_text(CHOICE, encoding="utf-8")
    import_documents([notes], set_name="mine", store=store)
    question, _ = store.questions.values()
    assert [(len(choice.points), choice.enough) for choice in question.choices] == [(3, 2)]
    assert {point.weight for point in question.points} == {1.0}
    # A point that is new gets an id that was never used, and the choice has it.
    notes.write_text(
        CHOICE.replace("最早进入", "最久没有写过").replace("- 最近", "- 随机挑一个淘汰\n- 最近"), encoding="utf-8"
    )
    import_documents([notes], set_name="mine", store=store)
    question, _ = store.questions.values()
    assert [choice.points for choice in question.choices] == [tuple(point.id for point in question.points)]
    assert len(question.points) == 4
    # What people or models made of it is no reason to import it anew.
    assert import_documents([notes], set_name="mine", store=store).counts.unchanged == 2


@pytest.mark.parametrize(("made", "chosen"), [(3, 3), (2, 0)])
def test_a_models_points_are_chosen_among_where_there_are_more_than_enough(
    store: MemoryStore, notes: Path, made: int, chosen: int
) -> None:
    def model(question: Question) -> tuple[Point, ...]:
        return tuple(Point(id=f"m{at}", text={"zh": f"模型的要点 {at}"}) for at in range(made))

    notes.write_text(CHOICE, encoding="utf-8")
    import_documents([notes], set_name="mine", store=store, point_model=model)
    question, _ = store.questions.values()
    assert sum(len(choice.points) for choice in question.choices) == chosen


def test_importing_twice_adds_nothing(store: MemoryStore, notes: Path) -> None:
    import_documents([notes], set_name="mine", store=store)
    before = dict(store.questions)
    report = import_documents([notes], set_name="mine", store=store)
    assert (report.counts.added, report.counts.updated, report.counts.unchanged) == (0, 0, 2)
    assert store.questions == before
    assert store.saves == [2]


def test_points_that_an_earlier_version_found_are_found_anew(store: MemoryStore, notes: Path) -> None:
    """Until version 17 a point came without what it is about, so that a set imported then asked for half of it."""
    notes.write_text("# 1. What cuts memory?\n\n- **ZeRO**: it shards the states\n- **FSDP**: it shards the weights\n")
    import_documents([notes], set_name="mine", store=store)
    (question,) = store.questions.values()
    old = tuple(p.model_copy(update={"text": {"en": p.text["en"].partition(": ")[2]}}) for p in question.points)
    store.questions[question.id] = question.model_copy(update={"points": old})
    report = import_documents([notes], set_name="mine", store=store)
    assert (report.counts.added, report.counts.updated, report.counts.unchanged) == (0, 1, 0)
    assert store.questions == {question.id: question}


def test_points_that_were_written_stay_where_the_document_is_imported_again(store: MemoryStore, notes: Path) -> None:
    import_documents([notes], set_name="mine", store=store)
    question, _ = store.questions.values()
    written = (Point(id="m1", text={"zh": "提交前日志已经在盘上，数据页可以晚些再写"}),)
    store.questions[question.id] = question.model_copy(update={"points": written})
    report = import_documents([notes], set_name="mine", store=store)
    assert (report.counts.updated, report.counts.unchanged) == (0, 2)
    assert store.questions[question.id].points == written


def test_the_same_file_by_another_name_adds_nothing(store: MemoryStore, notes: Path, tmp_path: Path) -> None:
    import_documents([notes], set_name="mine", store=store)
    copy = tmp_path / "copy.md"
    copy.write_text(NOTES, encoding="utf-8")
    report = import_documents([copy], set_name="mine", store=store)
    assert report.counts.added == 0
    assert report.documents[0].count("repeated") == 2


def test_another_set_takes_the_same_questions(store: MemoryStore, notes: Path) -> None:
    import_documents([notes], set_name="mine", store=store)
    assert import_documents([notes], set_name="theirs", store=store).counts.added == 2
    assert len(store.questions) == 4


def test_a_changed_document_keeps_its_questions_ids(store: MemoryStore, notes: Path) -> None:
    import_documents([notes], set_name="mine", store=store)
    ids = list(store.questions)
    changed = NOTES.replace("先写日志", "总是先写日志").replace("如何设计一个缓存?", "如何设计一个本地缓存?")
    notes.write_text(changed + "\n## 3. 什么是检查点?\n\n日志截断的位置。\n", encoding="utf-8")
    report = import_documents([notes], set_name="mine", store=store)
    assert (report.counts.added, report.counts.updated, report.counts.retired) == (1, 2, 0)
    assert list(store.questions)[:2] == ids
    assert store.questions[ids[0]].reference == {"zh": "总是先写日志,再改数据页。"}
    assert store.questions[ids[1]].question == {"zh": "如何设计一个本地缓存?"}


def test_questions_that_move_keep_their_ids(store: MemoryStore, notes: Path) -> None:
    import_documents([notes], set_name="mine", store=store)
    ids = {q.asked_in("zh"): q.id for q in store.questions.values()}
    notes.write_text(
        "# 存储\n\n## 1. 什么是页?\n\n一块数据。\n\n"
        + NOTES.replace("2.", "3.").replace("1.", "2.").removeprefix("# 存储\n"),
        encoding="utf-8",
    )
    import_documents([notes], set_name="mine", store=store)
    now = {q.asked_in("zh"): q.id for q in store.questions.values()}
    assert {text: now[text] for text in ids} == ids
    assert len(now) == 3


def test_questions_that_are_gone_are_retired(store: MemoryStore, notes: Path) -> None:
    import_documents([notes], set_name="mine", store=store)
    gone = list(store.questions)[1]
    notes.write_text(NOTES.split("## 2.")[0], encoding="utf-8")
    report = import_documents([notes], set_name="mine", store=store)
    assert store.retired == [gone]
    assert report.counts.retired == 1


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02" * 300, "只是一段话。".encode()])
def test_a_document_that_became_useless_retires_nothing(store: MemoryStore, notes: Path, content: bytes) -> None:
    import_documents([notes], set_name="mine", store=store)
    notes.write_bytes(content)
    import_documents([notes], set_name="mine", store=store)
    assert len(store.questions) == 2


def test_the_real_store_keeps_history(tmp_path: Path, notes: Path) -> None:
    store = QuestionStore(open_database(f"sqlite:///{tmp_path / 'q.sqlite'}"))
    import_documents([notes], set_name="mine", store=store)
    notes.write_text(NOTES.replace("先写日志", "总是先写日志"), encoding="utf-8")
    report = import_documents([notes], set_name="mine", store=store)
    assert (report.counts.updated, report.counts.unchanged) == (1, 1)
    changed = next(q for q in store.questions_of("mine", "notes.md") if q.source.number == "1")
    assert [v.reference_in("zh") for v in store.versions(changed.id)] == [
        "先写日志,再改数据页。",
        "总是先写日志,再改数据页。",
    ]
    assert store.document_hash("mine", "notes.md")


def test_a_model_makes_better_points_and_may_fail(store: MemoryStore, notes: Path) -> None:
    def model(question: Question) -> tuple[Point, ...]:
        if question.source.number == "2":
            raise ChatModelError("The model did not answer.", kind="timeout")
        return (Point(id="m1", text={"zh": "模型的要点"}),)

    report = import_documents([notes], set_name="mine", store=store, point_model=model)
    first, second = store.questions.values()
    assert [p.id for p in first.points] == ["m1"]
    assert len(second.points) == 2
    assert report.documents[0].count("points_by_structure") == 1
    assert import_documents([notes], set_name="mine", store=store, point_model=model).counts.unchanged == 2


def test_a_model_that_fails_again_and_again_is_asked_no_more(store: MemoryStore, tmp_path: Path) -> None:
    """One that hangs costs a timeout for each of hundreds of questions."""
    asked: list[str] = []

    def model(question: Question) -> tuple[Point, ...]:
        asked.append(question.source.number)
        if len(asked) == 2:
            return (Point(id="m1", text={"en": "A point."}),)
        raise WordedError("model_timeout", model="slow")

    report = import_documents([many_locks(tmp_path)], set_name="mine", store=store, point_model=model)
    assert asked == ["1", "2", "3", "4", "5"]
    problems = [p for p in report.documents[0].problems if p.kind == "points_by_structure"]
    assert len(problems) == len(WORDS) - 1
    assert {(p.reason, p.values["model"]) for p in problems} == {("model_timeout", "slow")}


def test_a_model_whose_replies_prove_nothing_is_asked_about_every_question(store: MemoryStore, tmp_path: Path) -> None:
    """That says something about a question, not about the next one."""
    asked: list[str] = []

    def model(question: Question) -> tuple[Point, ...]:
        asked.append(question.source.number)
        raise WordedError("model_unproven", model="small")

    report = import_documents([many_locks(tmp_path)], set_name="mine", store=store, point_model=model)
    assert len(asked) == len(WORDS) == report.documents[0].count("points_by_structure")


def many_locks(folder: Path) -> Path:
    text = "\n\n".join(
        f"{n}. What is the {w} lock?\n\nA: A {w} lock is {w * 3} and holds its thread." for n, w in enumerate(WORDS, 1)
    )
    (folder / "many.md").write_text(text, encoding="utf-8")
    return folder / "many.md"


WORDS = ("spin", "ticket", "queued", "shared", "recursive", "biased", "adaptive", "fair")


def test_one_bad_document_does_not_stop_the_rest(store: MemoryStore, notes: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-rubbish")
    (tmp_path / "pic.png").write_bytes(b"\x89PNG")
    (tmp_path / ".hidden").write_text("Q: x?\nA: y")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "notes.md").write_text("Q: What is a lock?\nA: A way to exclude others.")
    report = import_documents([tmp_path, tmp_path / "missing.md"], set_name="mine", store=store)
    assert {d.path: d.is_read for d in report.documents} == {
        "bad.pdf": False, "notes.md": True, "pic.png": False, "sub/notes.md": True, "missing.md": False,
    }  # fmt: skip
    assert all(p.detail.count(". ") for d in report.documents for p in d.problems if p.kind == "unreadable")
    assert len(store.questions) == 3


def test_files_of_the_same_name_stay_two_documents(store: MemoryStore, tmp_path: Path) -> None:
    for folder, thing in (("a", "lock"), ("b", "latch")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "n.txt").write_text(f"Q: What is a {thing}?\nA: It is a kind of {thing} with a key.")
    report = import_documents([tmp_path / "a" / "n.txt", tmp_path / "b" / "n.txt"], set_name="mine", store=store)
    assert len({d.path for d in report.documents}) == 2
    assert len(store.questions) == 2


@pytest.mark.parametrize("name", ["<script>alert(1)<_script>.txt", "问题🚀.txt", "\u202egpj.txt", "x" * 180 + ".txt"])
def test_hostile_names_and_text(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(
        "Q: What does <img src=x onerror=alert(1)> do?\nA: Nothing\x00 here, \u202eit is text. <script>x()</script>"
    )
    report = preview([path])
    assert "\u202e" not in report.documents[0].path
    assert report.questions[0].answer == "Nothing here, it is text. <script>x()</script>"
    assert json.loads(json.dumps(report.as_json()))["documents"][0]["questions"] == 1


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = Path(str(tmp_path) + "/\udcff\udcfe.txt")
    path.write_text("Q: What is this?\nA: A file whose name is no text.")
    report = preview([path])
    assert json.dumps(report.as_json(), ensure_ascii=False).encode("utf-8")
    assert report.found == 1


def test_progress_and_batches(store: MemoryStore, tmp_path: Path) -> None:
    rows = [
        {
            "question": f"What is item {n} of kind {n % 7}?",
            "answer": f"It is thing {n}, as the list of kind {n % 7} says.",
        }
        for n in range(1200)
    ]
    (tmp_path / "many.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    seen: list[tuple[int, int, str]] = []
    import_documents(
        [tmp_path / "many.jsonl"], set_name="mine", store=store, on_progress=lambda *step: seen.append(step)
    )
    assert store.saves == [500, 500, 200]
    assert seen[0] == (0, 1, "many.jsonl")
    assert seen[-1] == (1, 1, "many.jsonl")
    assert "many.jsonl (1000)" in [what for _, _, what in seen]


def test_a_preview_keeps_the_contract(notes: Path) -> None:
    content = preview([notes]).as_json()
    assert set(content) == {"documents", "questions", "blueprint"}
    assert set(content["documents"][0]) == {"path", "kind", "questions", "problems"}
    assert set(content["documents"][0]["problems"][0]) == {
        "kind", "detail", "reason", "values", "line", "excerpt", "question", "other", "place", "more",
    }  # fmt: skip
    keys = {"id", "number", "question", "answer", "language", "topic", "source", "points", "has_code"}
    assert set(content["questions"][0]) == keys
    assert [q["has_code"] for q in content["questions"]] == [False, True]
    assert set(content["questions"][1]["points"][0]) == {"id", "text", "weight"}
    assert [q["id"] for q in content["questions"]] == [q["id"] for q in preview([notes]).as_json()["questions"]]


def test_passages_that_are_very_long_are_cut_and_say_so(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("一段没有问题的话。" * 5000, encoding="utf-8")
    [problem] = [p for p in preview([path]).documents[0].problems if p.kind == "left_out"]
    assert len(problem.excerpt) == MAX_EXCERPT
    assert "45,000 characters" in problem.detail


def test_a_question_listed_again_without_its_answer_is_told(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text(
        "题目一览:\n1. 什么是甲?\n2. 什么是乙?\n3. 什么是丙?\n正文\n1. 什么是甲?\n答:甲。\n2. 什么是乙?\n答:乙。\n3. 什么是丙?\n答:丙。",
        encoding="utf-8",
    )
    report = preview([path])
    assert [q.number for q in report.questions] == ["1", "2", "3"]
    assert sum(1 for p in report.documents[0].problems if p.detail.startswith("listed_again")) >= 2
    assert report.documents[0].count("no_answer") <= 1


def test_another_document_of_the_same_name_is_another_document(store: MemoryStore, tmp_path: Path) -> None:
    asked = {"one": ("mutex", "semaphore"), "two": ("dropout", "momentum")}
    for folder, things in asked.items():
        (tmp_path / folder).mkdir()
        text = "".join(f"## What is {thing}?\n\nIt is what people call {thing}.\n\n" for thing in things)
        (tmp_path / folder / "README.md").write_text(text, encoding="utf-8")
    for folder in ("one", "two", "one", "two"):
        report = import_documents([tmp_path / folder / "README.md"], set_name="notes", store=store)
        assert report.counts.retired == 0
    assert store.retired == []
    assert {q.source.document for q in store.questions.values()} == {"README.md", "README.md (2)"}
    assert len(store.questions) == 4
    (tmp_path / "two" / "README.md").write_text("## What is dropout?\n\nIt drops units.\n", encoding="utf-8")
    assert import_documents([tmp_path / "two" / "README.md"], set_name="notes", store=store).counts.retired == 1


@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_the_order_of_an_algorithm_is_no_formula_in_brackets(name: str, tmp_path: Path) -> None:
    text = "Q: Why is bubble sort O(n^2) and not O(n log n)?\nA: It compares O(n^2) pairs, where (x_i) are the items.\n"
    (tmp_path / name).write_text(text, encoding="utf-8")
    (found,) = preview([tmp_path / name]).questions
    assert found.question == "Why is bubble sort O(n^2) and not O(n log n)?"
    assert "O(n^2) pairs" in found.answer


@pytest.mark.parametrize("bar", ["|", "||"])
def test_a_bar_in_a_cell_does_not_cut_the_answer(bar: str, tmp_path: Path) -> None:
    rows = (
        f"<tr><td>How do you count errors?</td><td>With a pipe: grep ERROR log {bar} wc -l, filtered first.</td></tr>"
    )
    page = f"<table><tr><th>Question</th><th>Answer</th></tr>{rows}</table>"
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    (found,) = preview([tmp_path / "a.html"]).questions
    assert found.answer == f"With a pipe: grep ERROR log {bar} wc -l, filtered first."


def test_words_of_pages_are_answers_where_they_stand_among_others(tmp_path: Path) -> None:
    text = (
        "## 推荐会用到哪些行为信号？\n\n- 播放完成率\n- 点赞\n- 评论\n- 分享\n\n"
        "## What are the main objects of Docker?\n\n- Image\n- Container\n- Volume\n\n"
        "## 什么是写前日志？\n\n先写日志，再改数据页。\n\n- 点赞\n- 收藏\n- 分享\n"
    )
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    first, second, third = preview([tmp_path / "a.md"]).questions
    assert first.answer == "- 播放完成率\n- 点赞\n- 评论\n- 分享"
    assert second.answer == "- Image\n- Container\n- Volume"
    assert third.answer == "先写日志，再改数据页。"


def test_headings_that_only_name_what_is_asked_about_are_questions_beside_those_that_ask(tmp_path: Path) -> None:
    asked = ("什么是 HashMap？", "HashMap 扩容机制", "ConcurrentHashMap 如何保证线程安全？", "volatile 关键字")
    text = "# Java 面试题\n\n" + "".join(f"### {title}\n\n这里是关于它的回答，说得很清楚。\n\n" for title in asked)
    (tmp_path / "a.md").write_text(text + "### 总结\n\n多练习。\n", encoding="utf-8")
    assert [found.question for found in preview([tmp_path / "a.md"]).questions] == list(asked)


def test_parts_of_every_answer_are_no_questions(tmp_path: Path) -> None:
    text = "".join(
        f"## {title}\n\n先给结论。\n\n## 核心思路\n\n细节在这里。\n\n## 示例\n\n看这段。\n\n"
        for title in ("什么是事务？", "什么是 MVCC？", "锁有哪些种类？")
    )
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    found = [found.question for found in preview([tmp_path / "a.md"]).questions]
    assert found == ["什么是事务？", "什么是 MVCC？", "锁有哪些种类？"]


def test_numbered_paragraphs_of_word_are_questions_in_turn(tmp_path: Path) -> None:
    import docx

    written = docx.Document()
    for asked, answer in (
        ("什么是事务？", "一组要么全做要么全不做的操作。"),
        ("MySQL 锁的种类", "行锁、表锁和间隙锁。"),
        ("什么是 MVCC？", "用多个版本让读写互不阻塞。"),
        ("隔离级别", "从读未提交到串行化，共四级。"),
    ):
        written.add_paragraph(asked, style="List Number")
        written.add_paragraph(answer)
    written.save(str(tmp_path / "a.docx"))
    found = preview([tmp_path / "a.docx"]).questions
    assert [question.question for question in found] == ["什么是事务？", "MySQL 锁的种类", "什么是 MVCC？", "隔离级别"]
    assert found[0].answer == "一组要么全做要么全不做的操作。"
