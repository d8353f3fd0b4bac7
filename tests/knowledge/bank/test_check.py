"""Each rule, tripped by a question that breaks it and nothing else it need not break."""

from collections.abc import Callable
from typing import Any

import pytest

from interviewer.models import Point, Question
from knowledge.bank.check import MAX_OVERLAP, MIN_RECALL, check_bank, check_question
from knowledge.bank.terms import content_terms, mentions, recall, size, technical_terms

Change = Callable[[dict[str, Any]], None]


def changed(question: Question, change: Change) -> Question:
    data = question.model_dump()
    change(data)
    return Question.model_validate(data)


def rules(question: Question) -> set[str]:
    return {problem.rule for problem in check_question(question)}


def set_at(*path: Any, to: Any) -> Change:
    def change(data: dict[str, Any]) -> None:
        at: Any = data
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = to

    return change


def phases(**change: Any) -> Change:
    """Two phases that keep every rule, the first of them changed."""
    first = {
        "id": "one",
        "minutes": 5,
        "title": {"zh": "热点失效", "en": "Popular items"},
        "prompt": {
            "zh": "先讲最热的那一条刚好没了的情况。",
            "en": "Begin with the most popular item being gone.",
        },
        "points": ["mutex"],
    }
    second = {
        "id": "two",
        "minutes": 10,
        "title": {"zh": "其余情况", "en": "The rest"},
        "prompt": {"zh": "再讲讲另外两种情况和各自的做法。", "en": "Now the other two cases and what you do in each."},
        "points": ["bloom", "jitter"],
    }
    return set_at("phases", to=[first | change, second])


def drop(*path: Any) -> Change:
    def change(data: dict[str, Any]) -> None:
        at: Any = data
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]

    return change


def test_a_good_question_has_no_problem(question: Question) -> None:
    assert check_bank([question]) == ()


def test_a_good_question_in_phases_has_no_problem(question: Question) -> None:
    assert check_bank([changed(question, phases())]) == ()


BROKEN: dict[str, tuple[str, Change]] = {
    "a phase without Chinese": ("language-missing", phases(prompt={"en": "Begin with the most popular item."})),
    "a phase's title in one language": ("language-missing", phases(title={"zh": "热点失效"})),
    "a phase in the wrong language": (
        "language-mixed",
        phases(prompt={"zh": "先讲最热的那一条。", "en": "先讲最热的那一条刚好没了的情况。"}),
    ),
    "a phase that says too little": ("length", phases(prompt={"zh": "先讲最热的那一条。", "en": "And then?"})),
    "a phase that names an alias of its point": (
        "phase-leak",
        phases(prompt={"zh": "先讲怎样用互斥锁保护数据库。", "en": "Begin with the most popular item being gone."}),
    ),
    "a phase that names an alias of a later point": (
        "phase-leak",
        phases(prompt={"zh": "先讲最热的那一条。", "en": "Begin with the most popular item, then the Bloom filter."}),
    ),
    "a phase that repeats its point": (
        "phase-leak",
        phases(
            prompt={"zh": "先讲最热的那一条。", "en": "Which single request may rebuild the stale entry, who waits?"}
        ),
    ),
    "a choice of a point that is not there": (
        "choice-points",
        set_at("choices", to=[{"points": ["mutex", "bloom", "gone"], "enough": 1}]),
    ),
    "a choice that leaves none": ("choice-size", set_at("choices", to=[{"points": ["mutex", "bloom"], "enough": 2}])),
    "a phase id twice": ("phase-id", phases(id="two")),
    "a phase without points": (
        "phase-empty",
        lambda data: (phases(points=[])(data), data["phases"][1].update(points=["mutex", "bloom", "jitter"])),
    ),
    "no English question": ("language-missing", drop("question", "en")),
    "no Chinese probe": ("language-missing", drop("points", 0, "probe", "zh")),
    "blank hint": ("language-missing", set_at("points", 0, "hint", "en", to=" ")),
    "English under zh": ("language-mixed", set_at("points", 0, "hint", "zh", to="Does everyone need to walk there?")),
    "Chinese under en": (
        "language-mixed",
        set_at("misconceptions", 0, "text", "en", to="A Bloom filter 会漏掉键 that exist"),
    ),
    "short reference": ("length", set_at("reference", "en", to="A mutex, a Bloom filter and random jitter help.")),
    "short probe": ("length", set_at("points", 0, "probe", "en", to="And then?")),
    "one language says half": ("length-ratio", lambda data: data["reference"].update(zh=data["reference"]["zh"] * 3)),
    "two points": ("point-count", lambda data: data.update(points=data["points"][:1] + data["points"][2:])),
    "no misconception": ("misconception-count", set_at("misconceptions", to=[])),
    "no tags": ("tags", set_at("tags", to=[])),
    "no source": ("sources", set_at("further", to=[])),
    "one point is most of the score": ("weight", set_at("points", 0, "weight", to=9)),
    "a point that asks": (
        "point-statement",
        set_at("points", 2, "text", "en", to="How does random jitter spread the misses in time?"),
    ),
    "a point that tells what to do": (
        "point-statement",
        set_at("points", 2, "text", "zh", to="说明给过期时间加随机抖动可以把失效分散开"),
    ),
    "a point the reference lacks": (
        "point-in-reference",
        set_at("points", 2, "text", "en", to="Consistent hashing keeps most entries in place when nodes join or leave"),
    ),
    "a point the Chinese reference lacks": (
        "point-in-reference",
        set_at("points", 2, "text", "zh", to="一致性哈希让节点增减时大部分数据不用搬家"),
    ),
    "two points that say the same": (
        "point-duplicate",
        lambda data: data["points"][2].update(text=data["points"][1]["text"]),
    ),
    "no English alias": ("alias-missing", drop("points", 0, "aliases", "en")),
    "an alias in the question": ("alias-in-question", set_at("points", 0, "aliases", "en", to=["mutex", "cache"])),
    "an alias of two points": ("alias-shared", set_at("points", 1, "aliases", "zh", to=["空结果", "互斥锁"])),
    "an alias inside another": ("alias-shared", set_at("points", 1, "aliases", "en", to=["random jitter"])),
    "an alias in another point's text": (
        "alias-elsewhere",
        set_at("points", 0, "aliases", "en", to=["mutex", "expiry time"]),
    ),
    "a probe with the alias": (
        "probe-leak",
        set_at("points", 1, "probe", "en", to="Would a Bloom filter be of any help in such a case?"),
    ),
    "a probe with the other language's alias": (
        "probe-leak",
        set_at("points", 0, "probe", "zh", to="这种时候要不要考虑 mutex 一类的办法？"),
    ),
    "a probe with another point's alias": (
        "probe-leak",
        set_at("points", 0, "probe", "en", to="Everything vanishes at once and jitter is no option. What now?"),
    ),
    "a probe that repeats the point": (
        "probe-leak",
        set_at("points", 2, "probe", "zh", to="过期时间上做什么处理，可以把失效分散到不同时刻？"),
    ),
    "a hint with the alias": (
        "hint-leak",
        set_at("points", 1, "hint", "zh", to="想一想布隆过滤器这种数据结构的特点。"),
    ),
    "a hint that repeats the probe": (
        "hint-repeats-probe",
        lambda data: data["points"][0].update(hint=data["points"][0]["probe"]),
    ),
    "a misconception about no point": ("misconception-point", set_at("misconceptions", 0, "point", to="nothing")),
    "a correction that repeats": (
        "misconception-correction",
        lambda data: data["misconceptions"][0].update(correction=data["misconceptions"][0]["text"]),
    ),
    "a link": ("link", set_at("further", to=["see https://example.org/paper"])),
    "a Markdown link": ("link", lambda data: data["reference"].update(en=data["reference"]["en"] + " [here](page)")),
    "a bare host": ("link", set_at("further", to=["docs.example.com, section 3"])),
    "a template left open": ("unfilled", set_at("points", 0, "text", "en", to="✎ Point 1")),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_rule_is_named(question: Question, case: str) -> None:
    rule, change = BROKEN[case]
    broken = changed(question, change)
    assert rule in rules(broken)
    assert rule not in rules(question)


def test_most_faults_trip_their_rule_alone(question: Question) -> None:
    alone = [case for case, (rule, change) in BROKEN.items() if rules(changed(question, change)) == {rule}]
    assert len(alone) >= len(BROKEN) * 0.7


def test_a_repeated_id_is_found(question: Question) -> None:
    assert "duplicate-id" in {problem.rule for problem in check_bank([question, question])}


def test_the_same_question_under_another_id_is_found(question: Question) -> None:
    other = changed(question, set_at("id", to="cache-again"))
    problems = check_bank([question, other])
    assert {(problem.question_id, problem.rule) for problem in problems} == {("cache-again", "duplicate-question")}


def test_questions_beside_are_compared_but_not_checked(question: Question) -> None:
    beside = changed(changed(question, set_at("id", to="cache-beside")), set_at("tags", to=[]))
    problems = check_bank([question], [beside])
    assert {(problem.question_id, problem.rule) for problem in problems} == {("cache-failures", "duplicate-question")}


def test_a_resource_name_is_no_link(question: Question) -> None:
    fine = changed(question, set_at("tags", to=["nvidia.com/gpu"]))
    assert "link" not in rules(fine)


def test_a_template_is_reported_once(question: Question) -> None:
    left = changed(question, set_at("reference", "zh", to="✎ 参考答案"))
    problems = check_question(left)
    assert [problem.rule for problem in problems] == ["unfilled"]
    assert "the reference" in problems[0].message


def test_terms_of_english_fold_case_and_endings() -> None:
    assert content_terms("Gathered parameters", "en") == content_terms("gathering the Parameter", "en")


def test_terms_of_chinese_are_pairs_and_latin_words() -> None:
    assert content_terms("梯度的 AllReduce", "zh") == {"梯度", "allreduce"}


def test_technical_terms_are_names_not_plain_words() -> None:
    assert technical_terms("It uses NVLink and a GPU for ZeRO", "en") == {"nvlink", "zero"}
    assert technical_terms("用 nvlink 传输", "zh") == {"nvlink"}


@pytest.mark.parametrize(
    ("text", "term", "expected"),
    [
        ("two buckets", "bucket", True),
        ("the bucketing", "bucket", False),
        ("our HTTP server", "TP", False),
        ("tp and pp", "TP", True),
        ("把梯度装进桶里", "桶", True),
        ("复杂度 O(n²)", "n2", True),
    ],
)
def test_a_text_mentions_a_term(text: str, term: str, expected: bool) -> None:
    assert mentions(text, term) is expected


def test_recall_is_the_share_that_is_found() -> None:
    assert recall(frozenset("abcd"), frozenset("abx")) == 0.5
    assert recall(frozenset(), frozenset("a")) == 1.0


def test_size_counts_words_and_characters() -> None:
    assert size("two words", "en") == 2
    assert size("两个 word", "zh") == 3


def test_the_recall_rule_tells_own_points_from_foreign_ones() -> None:
    """The threshold lies between what a point finds in its own reference and in another question's."""
    from knowledge.bank import load_bank

    bank = load_bank()
    for language in ("zh", "en"):
        foreign = [
            recall(content_terms(point.text[language], language), content_terms(other.reference[language], language))
            for question, other in zip(bank, (*bank[1:], bank[0]), strict=True)
            for point in question.points
        ]
        assert sum(share >= MIN_RECALL for share in foreign) <= len(foreign) * 0.02


def test_probes_stay_below_the_stated_overlap() -> None:
    assert MAX_OVERLAP["probe"] < MAX_OVERLAP["hint"] < MIN_RECALL


def test_every_alias_is_compared_across_languages(question: Question) -> None:
    point = Point.model_validate({**question.points[1].model_dump(), "aliases": {"zh": ["mutex"], "en": ["bloom"]}})
    mixed = question.model_copy(update={"points": (question.points[0], point, question.points[2])})
    assert "alias-shared" in rules(mixed)
