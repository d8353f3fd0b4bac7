"""The index as a whole, on the embedded store and on a Chroma server."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from interviewer.errors import EmbeddingError, IndexMismatchError
from interviewer.models import Question
from knowledge.index import IndexState, QuestionIndex
from knowledge.index.dense import BuildProgress
from knowledge.index.vectors import StoreError, open_store
from tests.knowledge.index.conftest import WordModel, make_index, make_question


@pytest.fixture(params=["embedded", "server"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path, model: WordModel) -> Iterator[QuestionIndex]:
    """An index on each kind of store; the server's is emptied afterwards."""
    url = request.getfixturevalue("chroma_url") if request.param == "server" else ""
    with closing(make_index(tmp_path, model, url)) as index:
        yield index
    if url:
        with closing(open_store(tmp_path, url)) as store:
            store.drop()


def ids(index: QuestionIndex, query: str, **how: object) -> list[str]:
    return [hit.question_id for hit in index.search(query, **how)]  # type: ignore[arg-type]


def test_build_reports_progress_and_search_finds_by_meaning(anywhere: QuestionIndex, questions: list[Question]) -> None:
    seen: list[BuildProgress] = []
    assert anywhere.status().state is IndexState.LEXICAL or anywhere.status().state is IndexState.MISSING
    anywhere.build(questions, seen.append)
    assert seen[0].stage == "loading"
    assert seen[-1].done == seen[-1].total == anywhere.status().stored
    assert anywhere.status().state is IndexState.READY
    assert anywhere.status().dense == "ready"
    assert ids(anywhere, "梯度怎么汇总", side="dense")[0] == "allreduce"
    assert ids(anywhere, "fuses kernels", limit=1) == ["compile"]


def test_second_build_encodes_nothing(anywhere: QuestionIndex, questions: list[Question], model: WordModel) -> None:
    anywhere.build(questions)
    model.encoded.clear()
    anywhere.build(questions)
    assert model.encoded == []


def test_update_encodes_only_what_changed(anywhere: QuestionIndex, questions: list[Question], model: WordModel) -> None:
    anywhere.build(questions)
    model.encoded.clear()
    anywhere.update([*questions, make_question("new", en="What is beam search?|It keeps several hypotheses.")])
    assert all("beam" in text or "hypotheses" in text for text in model.encoded)
    assert anywhere.status().state is IndexState.READY
    assert ids(anywhere, "beam search hypotheses")[0] == "new"


def test_removed_question_is_gone_from_the_store(anywhere: QuestionIndex, questions: list[Question]) -> None:
    anywhere.build(questions)
    before = anywhere.status().stored
    anywhere.remove(["cache", "unknown"])
    status = anywhere.status()
    assert status.state is IndexState.READY
    assert status.stored < before
    assert status.stored == status.records
    assert "cache" not in ids(anywhere, "缓存键值 caching keys", side="hybrid")
    assert all(passage.question_id != "cache" for passage in anywhere.related("the new token", limit=20))


def test_only_the_sets_asked_for_are_searched(anywhere: QuestionIndex, questions: list[Question]) -> None:
    anywhere.build(questions)
    hits = anywhere.search("模型 GPU torch 权重 gradients", limit=20, sets=("mine",))
    assert {hit.set for hit in hits} == {"mine"}
    assert anywhere.search("模型", sets=("no such set",)) == ()


def test_another_model_is_refused_until_a_rebuild(
    anywhere: QuestionIndex, request: pytest.FixtureRequest, tmp_path: Path, questions: list[Question], model: WordModel
) -> None:
    anywhere.build(questions)
    other = WordModel("2")
    newer = make_index(tmp_path, other, anywhere._chroma_url)
    request.addfinalizer(newer.close)
    newer.load(questions)
    assert newer.status().state is IndexState.MISMATCH
    with pytest.raises(IndexMismatchError, match="--rebuild"):
        newer.prepare()
    with pytest.raises(IndexMismatchError):
        newer.search("梯度")
    with pytest.raises(IndexMismatchError):
        newer.update([make_question("new", en="Anything?")])
    assert newer.related("gradient", limit=3)
    assert other.encoded == []
    newer.build(questions, rebuild=True)
    assert newer.status().state is IndexState.READY
    assert ids(newer, "梯度汇总")[0] == "allreduce"


def test_newer_default_model_rebuilds_the_index_of_the_older_one(tmp_path: Path, questions: list[Question]) -> None:
    for version in ("1", "2"):
        model = WordModel(version)
        with closing(QuestionIndex(tmp_path / "index", locate=model.locate, load=model.load)) as index:
            index.load(questions)
            assert index.status().needs_build
            index.prepare()
            assert index.status().state is IndexState.READY
            assert len(model.encoded) == index.status().records


def test_older_text_version_is_a_mismatch(
    index: QuestionIndex, questions: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    index.build(questions)
    monkeypatch.setattr("knowledge.index.survey.TEXT_VERSION", 99)
    assert index.status().state is IndexState.MISMATCH


def test_words_are_searched_before_the_model_is_loaded(index: QuestionIndex, questions: list[Question]) -> None:
    index.load(questions)
    assert index.status().state is IndexState.MISSING
    assert ids(index, "allreduce")[0] == "allreduce"
    assert index.embedder is None


def test_warm_up_completes_the_index_in_a_thread(index: QuestionIndex, questions: list[Question]) -> None:
    index.load(questions)
    index.warm_up().join(60)
    assert index.status().state is IndexState.READY
    assert index.embedder is not None


def test_changed_questions_make_the_index_stale(index: QuestionIndex, questions: list[Question]) -> None:
    index.build(questions)
    index.load(questions[:-1])
    status = index.status()
    assert status.state is IndexState.STALE
    assert status.needs_build
    assert "overfit" not in ids(index, "过拟合 正则 早停")
    index.prepare()
    assert index.status().state is IndexState.READY


def test_model_that_fails_to_load_is_an_error_and_never_replaced(
    tmp_path: Path, questions: list[Question], model: WordModel
) -> None:
    def fail(setting: str) -> WordModel:
        raise EmbeddingError("The embedding model 'big' can't be loaded.", next_step="Choose another one.")

    index = QuestionIndex(tmp_path / "index", embedding_model="big", locate=model.locate, load=fail)
    index.load(questions)
    index.warm_up().join(60)
    assert index.status().dense == "failed"
    with pytest.raises(EmbeddingError, match="Choose another"):
        index.search("梯度")
    assert index.related("gradients", limit=1)[0].question_id == "allreduce"


def test_without_a_model_words_carry_everything(tmp_path: Path, questions: list[Question]) -> None:
    index = QuestionIndex(tmp_path / "index", locate=lambda setting: None)
    index.build(questions)
    status = index.status()
    assert (status.state, status.dense, status.model) == (IndexState.LEXICAL, "off", "")
    assert ids(index, "梯度汇总")[0] == "allreduce"
    assert not (tmp_path / "index").exists()


def test_related_passages_leave_out_what_is_excluded(index: QuestionIndex, questions: list[Question]) -> None:
    index.build(questions)
    found = index.related("All-Reduce 把每张卡的梯度求和再平均", limit=3)
    assert found[0].question_id == "allreduce"
    assert found[0].text in questions[1].reference["zh"]
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    other = index.related(
        "All-Reduce 把每张卡的梯度求和再平均", limit=3, exclude=frozenset({"allreduce"}), sets=("bank",)
    )
    assert {p.question_id for p in other} <= {"cache", "overfit"}


def test_model_that_cannot_read_chinese_ranks_english_only(tmp_path: Path, questions: list[Question]) -> None:
    index = make_index(tmp_path, WordModel(reads_chinese=False))
    index.build(questions)
    assert index.status().reads_chinese is False
    assert "can't read Chinese" in index.status().message
    assert index.search("梯度怎么汇总", side="dense") == ()
    assert index.search("梯度怎么汇总") == index.search("梯度怎么汇总", side="lexical")
    assert set(ids(index, "gradients traced model", side="dense", limit=20)) <= {"cache", "allreduce", "compile"}


@pytest.mark.parametrize(
    "query",
    [
        "",
        " \n",
        "\0",
        "\0梯度\0",
        "🙂" * 50,
        "。，！？",
        "梯度" * 50_000,
        "a" * 100_000,
        "a-" * 50_000,
        "\u202eمرحبا",
        "\ud800",
        "'; DROP--",
    ],
    ids=[
        "empty",
        "blank",
        "nul",
        "nul-inside",
        "emoji",
        "marks",
        "zh-100k",
        "word-100k",
        "dashes",
        "rtl",
        "surrogate",
        "sql",
    ],
)
def test_hostile_queries_are_answered(index: QuestionIndex, questions: list[Question], query: str) -> None:
    index.build(questions)
    assert all(0 < hit.score <= 1 for hit in index.search(query))
    assert len(index.related(query, limit=2)) <= 2


def test_hostile_questions_are_indexed(index: QuestionIndex) -> None:
    texts = ["\0\u202e<script>", "🙂" * 3000, "！？…", "x" * 100_000, "很" * 100_000, "```\nnever closed"]
    index.build([make_question(f"q{i}", en=f"{text}|{text}") for i, text in enumerate(texts)])
    assert index.status().state is IndexState.READY
    assert ids(index, "script")[0] == "q0"


def test_nothing_is_found_for_no_results(index: QuestionIndex, questions: list[Question]) -> None:
    index.build(questions)
    assert index.search("梯度", limit=0) == ()
    assert index.related("梯度", limit=0) == ()


def test_store_that_goes_away_leaves_words(tmp_path: Path, questions: list[Question], model: WordModel) -> None:
    index = make_index(tmp_path, model)
    index.build(questions)
    with closing(open_store(tmp_path / "index")) as store:
        store.drop()
    assert ids(index, "梯度汇总")[0] == "allreduce"
    index.prepare()
    assert index.status().state is IndexState.READY


def test_what_another_process_indexed_is_found_after_preparing(
    anywhere: QuestionIndex, tmp_path: Path, questions: list[Question], model: WordModel
) -> None:
    anywhere.build(questions[:2])
    everything = many_questions()
    script = (
        "import sys; from pathlib import Path\n"
        "from tests.knowledge.index.conftest import WordModel, make_index\n"
        "from tests.knowledge.index.test_question_index import many_questions\n"
        "make_index(Path(sys.argv[1]), WordModel(), sys.argv[2]).build(many_questions())\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path), anywhere._chroma_url]
    subprocess.run(command, check=True, cwd=Path(__file__).resolve().parents[3], timeout=120)
    model.encoded.clear()
    anywhere.build(everything)
    assert model.encoded == []
    assert ids(anywhere, "part number 70", side="dense")[0] == "q70"


def many_questions() -> list[Question]:
    return [make_question(f"q{i}", en=f"What does part number {i} do?|Part {i} moves item {i * 7}.") for i in range(80)]


def test_unreachable_server_is_named(tmp_path: Path, questions: list[Question], model: WordModel) -> None:
    index = make_index(tmp_path, model, "http://127.0.0.1:9")
    index.load(questions)
    status = index.status()
    assert status.state is IndexState.UNREACHABLE
    assert "INTERVIEWER_CHROMA_URL" in status.next_step
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:9"):
        index.prepare()
    assert ids(index, "梯度汇总")[0] == "allreduce"
