"""The five shared documents come in whole: exact counts, every line accounted for, structure kept."""

import re
from collections import Counter
from pathlib import Path

import pytest

from knowledge.import_report import DocumentReport, ImportReport, ReportedQuestion
from knowledge.importing import preview


@pytest.fixture(scope="module")
def seeds(shared: Path) -> Path:
    return shared / "seeds"


@pytest.fixture(scope="module")
def report(seeds: Path) -> ImportReport:
    return preview([seeds])


def document(report: ImportReport, prefix: str) -> DocumentReport:
    return next(d for d in report.documents if d.path.startswith(prefix))


def questions(report: ImportReport, prefix: str) -> list[ReportedQuestion]:
    return [q for q in report.questions if q.source.startswith(prefix)]


def one(report: ImportReport, prefix: str, number: str) -> ReportedQuestion:
    return next(q for q in questions(report, prefix) if q.number == number)


@pytest.mark.parametrize(
    ("prefix", "numbers"),
    [
        ("000", range(226, 251)),
        ("001", range(31, 51)),
        ("002", range(201, 216)),
        ("004", range(1, 4)),
    ],
)
def test_every_question_is_found_in_order(report: ImportReport, prefix: str, numbers: range) -> None:
    assert [q.number for q in questions(report, prefix)] == [str(n) for n in numbers]
    assert document(report, prefix).questions == len(numbers)


def test_the_third_document_has_two_numberings(report: ImportReport) -> None:
    numbers = [q.number for q in questions(report, "003")]
    assert numbers == [*map(str, range(1, 7)), *map(str, [*range(1, 12), 20])]


def test_the_question_without_an_answer_is_reported(report: ImportReport) -> None:
    missing = [p for p in document(report, "003").problems if p.kind == "no_answer"]
    assert [p.line for p in missing] == [110]


def test_repeated_questions_are_folded_and_reported(report: ImportReport) -> None:
    repeated = [p for p in document(report, "003").problems if p.kind == "repeated"]
    assert [p.line for p in repeated] == list(range(136, 152, 2))
    assert all("of 003" in p.detail for p in repeated)


def test_nothing_vanishes_silently(report: ImportReport, seeds: Path) -> None:
    """Every word and Chinese character of a document is in a question, an answer, the blueprint or a problem."""
    for path in seeds.glob("*.txt"):
        kept = [f"{q.number} {q.question} {q.answer}" for q in report.questions if q.source == path.name]
        kept += [p.excerpt for p in document(report, path.name).problems]
        if document(report, path.name).kind == "blueprint":
            kept.append(_printed(report))
        text = path.read_text(encoding="utf-8")
        lost = _words(text) - _words("\n".join(kept)) - _words(_marks(text))
        assert not lost, (path.name, lost.most_common(20))


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[A-Za-z\u4e00-\u9fff]", text))


def _marks(text: str) -> str:
    """What is a mark and no content: of answers and questions, of rounds and levels, table headers, units."""
    tables = re.findall(r"^\| (?:考点|阶段) .*$", text, re.MULTILINE)
    return " ".join([*tables, *re.findall(r"第.轮|Level \d|Q\d+:|^A:|^答案|分钟", text, re.MULTILINE)])


def _printed(report: ImportReport) -> str:
    assert report.blueprint is not None
    return report.blueprint.model_dump_json()


FOREIGN = re.compile(
    r"更多推荐|所有评论|第\s*\d+部分|二维码|完结撒花|下一步|面试题展示|祝面试|参考答案[:：]|^-\s*$|^\s*·\s*$|\*\*[:：]\*\*|\\\d\.|\]\[\d",
    re.MULTILINE,
)


def test_no_answer_holds_what_belongs_to_the_page(report: ImportReport) -> None:
    for question in report.questions:
        assert not FOREIGN.search(question.answer), (question.source, question.number)
        assert not question.answer.startswith(("答案", "A:"))


def test_no_answer_holds_a_neighbours_question(report: ImportReport) -> None:
    for question in report.questions:
        others = [q.question for q in report.questions if q.source == question.source and q.id != question.id]
        assert not [other for other in others if other in question.answer]


def test_lists_are_nested_again(report: ImportReport) -> None:
    def levels(prefix: str, number: str) -> list[int]:
        answer = one(report, prefix, number).answer
        return [len(line) - len(line.lstrip()) for line in answer.split("\n") if line.lstrip().startswith("- ")]

    assert levels("000", "226") == [0, 0, 0, 2, 2, 0]
    assert levels("000", "232") == [0, 0, 2, 2, 2]
    assert levels("001", "31") == [0, 2, 2, 2, 0, 2, 2, 2, 4, 4, 4, 0, 2, 4, 6, 6, 4, 6, 6, 6, 6, 2]
    assert levels("001", "40").count(0) == 3
    assert levels("002", "203") == [0, 2, 2, 0, 2, 2, 0, 2, 2, 0, 2, 2, 2]
    assert levels("002", "206") == [0] * 5


def test_code_stands_in_fences_and_is_laid_out_where_certain(report: ImportReport) -> None:
    with_code = {(q.source[:3], q.number) for q in report.questions if q.has_code}
    assert with_code == {("001", "34"), ("001", "38"), ("001", "41"), ("001", "46"), ("003", "3")}
    hook = one(report, "001", "34").answer
    assert re.search(r"\n( *)if p\.grad is None:\n\1    print\(\"No grad for:\", name\)\n", hook)
    op = one(report, "001", "41").answer
    assert re.search(r"\n( *)@staticmethod\n\1def backward\(ctx, grad_output\):\n\1    \(input,\)", op)
    assert "deterministic = True\n" in one(report, "001", "46").answer
    assert "```bash\n# " in one(report, "003", "3").answer


def test_formulas_are_kept(report: ImportReport) -> None:
    assert r"$\frac{\partial L}{\partial x}$" in one(report, "001", "31").answer
    assert r"$v_{t+1} = \mu v_t + \nabla L(\theta_t)$" in one(report, "001", "36").answer
    assert r"\mathrm{softmax}(\frac{QK^\top}{\sqrt{d_k}})V$" in one(report, "001", "48").answer


def test_inline_code_is_in_its_sentence(report: ImportReport) -> None:
    assert "max_scheduler_capacity或者block_size" in one(report, "000", "226").answer.replace("\n", "")
    assert "(nvidia-smi):" in one(report, "002", "203").answer
    assert "\nconfig.json" not in one(report, "000", "226").answer


def test_repeated_fragments_are_dropped_and_told(report: ImportReport) -> None:
    dropped = [p for d in report.documents for p in d.problems if p.detail.startswith("repeated_fragment")]
    assert {d.path[:3]: sum(1 for p in d.problems if p in dropped) for d in report.documents} == {
        "000": 8, "001": 17, "002": 27, "003": 0, "004": 0,
    }  # fmt: skip
    for question in report.questions:
        lines = [line.strip() for line in question.answer.split("\n")]
        items = [line for line in lines if line.startswith("- ") and len(line) > 12 and line[-1] not in ":："]
        starts = Counter(items)
        assert all(count == 1 for count in starts.values()), (question.source, question.number)


def test_every_question_has_points_and_its_language(report: ImportReport) -> None:
    assert all(q.language == "zh" and 1 <= len(q.points) <= 8 for q in report.questions)
    assert len({q.id for q in report.questions}) == 81


def test_topics_are_titles_of_sections_or_documents(report: ImportReport) -> None:
    [topic] = {q.topic for q in questions(report, "000")}
    assert "MindIE" in topic
    assert not re.search(r"部分|226", topic)
    assert {q.topic for q in questions(report, "004")} == {"面试常见问题"}
    assert all(q.topic.startswith("1000") for q in [*questions(report, "001"), *questions(report, "002")])


def test_the_blueprint_is_whole(report: ImportReport) -> None:
    blueprint = report.blueprint
    assert blueprint is not None
    assert document(report, "004").kind == "blueprint"
    assert [t.frequency for t in blueprint.topics] == [5, 4, 4, 4, 3, 3, 5, 4, 4, 4, 3, 4, 4, 4, 3, 3]
    assert [t.difficulty for t in blueprint.topics] == [3, 3, 4, 3, 3, 3, 3, 3, 3, 3, 4, 3, 4, 4, 4, 4]
    assert len({t.group for t in blueprint.topics}) == 3
    assert [len(r.items) for r in blueprint.rounds] == [3, 3, 3, 3]
    assert [p.minutes for p in blueprint.phases] == [5, 10, 15, 10]
    assert [len(level.items) for level in blueprint.levels] == [4, 4, 4]
    assert [len(c.sections) for c in blueprint.chapters] == [5, 4, 4]
    assert [s.questions for s in blueprint.chapters[0].sections] == ["Q1-Q6", "Q7-Q9", "Q10-Q11", "Q12-Q13", ""]
    assert len(blueprint.areas) == 15
    assert sum(len(area.items) for area in blueprint.areas) == 55


def test_the_five_come_in_by_any_suffix(seeds: Path, tmp_path: Path) -> None:
    """Saved as Markdown the same pages give the same questions."""
    for path in seeds.glob("*.txt"):
        (tmp_path / f"{path.stem}.md").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert [d.questions for d in preview([tmp_path]).documents] == [25, 20, 15, 18, 3]
