"""Whatever a document holds: every letter is in a question, an answer or the report, and nothing breaks."""

import json
import re
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interviewer.errors import DocumentError
from knowledge.documents.decoding import decode
from knowledge.import_report import ImportReport
from knowledge.importing import preview

WORDS = st.lists(
    st.sampled_from(
        ["锁", "队列", "写前日志", "lock", "queue", "shard", "复制", "什么是", "如何", "why", "fsync()", "x=1", "a_b"]
    ),
    min_size=1,
    max_size=6,
)
SENTENCES = WORDS.map(lambda words: "".join(words)) | WORDS.map(" ".join)
LINES = st.one_of(
    SENTENCES,
    SENTENCES.map(lambda s: s + "。"),
    SENTENCES.map(lambda s: s + "?"),
    st.builds(
        lambda n, sep, s, end: f"{n}{sep}{s}{end}",
        st.integers(1, 30),
        st.sampled_from([". ", "、", ") ", "."]),
        SENTENCES,
        st.sampled_from(["?", "", "。"]),
    ),
    st.builds(lambda n, s: f"Q{n}: {s}?", st.integers(1, 9), SENTENCES),
    st.builds(
        lambda mark, s: f"{mark}{s}",
        st.sampled_from(["- ", "-\n", "  - ", "• ", "## ", "# ", "**Q:** ", "> "]),
        SENTENCES,
    ),
    st.builds(lambda s, t: f"{s}。 - {t}", SENTENCES, SENTENCES),
    st.sampled_from(
        [
            "答案:",
            "答:锁",
            "A: lock",
            "",
            "-",
            "·",
            "---",
            "```",
            "参考答案",
            "第二部分:存储",
            "写在最后",
            "更多推荐",
            "| a | b |",
            "目录",
        ]
    ),
)
TEXTS = st.lists(LINES, max_size=40).map("\n".join)
RELAXED = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Each example reads two documents, and whether ids are the same again hardly depends on what is in them.
TWICE = settings(RELAXED, max_examples=40)


def letters(text: str) -> Counter[str]:
    return Counter(re.findall(r"[A-Za-z\u4e00-\u9fff]", text))


def previewed(name: str, content: bytes) -> ImportReport:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return preview([path])


def kept(report: ImportReport) -> Counter[str]:
    told = [f"{q.question}\n{q.answer}\n{q.topic}" for q in report.questions]
    told += [problem.excerpt for document in report.documents for problem in document.problems]
    return letters("\n".join(told))


def marks(text: str) -> Counter[str]:
    """Letters that mark and say nothing: of questions, of answers, of numbered questions."""
    return letters(" ".join(re.findall(r"Q\d*|问题|答案|答|\bA\b|参考答案", text)))


@RELAXED
@given(TEXTS)
def test_every_letter_of_a_text_is_accounted_for(text: str) -> None:
    lost = letters(text) - kept(previewed("any.txt", text.encode())) - marks(text)
    assert not lost, (lost, text)


@RELAXED
@given(TEXTS)
def test_every_letter_of_markdown_is_accounted_for(text: str) -> None:
    lost = letters(text) - kept(previewed("any.md", text.encode())) - marks(text)
    assert not lost, (lost, text)


@RELAXED
@given(
    st.binary(max_size=400),
    st.sampled_from(["a.txt", "a.md", "a.html", "a.csv", "a.tsv", "a.json", "a.jsonl", "a.yaml", "a.pdf", "a.docx"]),
)
def test_any_bytes_give_a_report(content: bytes, name: str) -> None:
    report = previewed(name, content)
    assert len(report.documents) == 1
    json.dumps(report.as_json())


@RELAXED
@given(st.text(max_size=300), st.sampled_from(["a.txt", "a.md", "a.html", "a.csv", "a.json", "a.yaml"]))
def test_any_text_gives_a_report(content: str, name: str) -> None:
    report = previewed(name, content.encode("utf-8", "surrogatepass"))
    assert len(report.documents) == 1


@RELAXED
@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
)
def test_unicode_comes_back_from_its_encodings(text: str, encoding: str) -> None:
    try:
        assert decode(text.encode(encoding)) == text.removeprefix("\ufeff") or encoding == "utf-8"
    except DocumentError:
        raise AssertionError(text) from None


@TWICE
@given(TEXTS)
def test_ids_are_stable_and_unique(text: str) -> None:
    first, again = (previewed("any.txt", text.encode()).questions for _ in range(2))
    assert [q.id for q in first] == [q.id for q in again]
    assert len({q.id for q in first}) == len(first)
