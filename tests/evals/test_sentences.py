"""Lessons from parallel text: what is told, restated, turned and told as turned."""

import gzip
import json
import re
from collections import Counter
from difflib import SequenceMatcher

import pytest

from evals.grading.sentences import Pair, read_sentences, sentence_lessons
from knowledge.encoder import weights_path
from knowledge.encoder.light import LightEncoder

PROSE = [
    ("The cache is shared by all of the requests that wait.", "所有等待的请求都可以共享同一个缓存。"),
    ("The buffer must be freed before the next request starts.", "缓冲区必须在下一个请求开始之前释放。"),
    ("When the queue is full, new requests are rejected at once.", "队列已满时，新来的请求会立即被拒绝。"),
    ("The scheduler can merge requests that have the same prefix.", "调度器能够合并前缀相同的那些请求。"),
    ("A lock is held while the shared counter is being increased.", "增加共享的计数器时必须一直持有锁。"),
    ("The weights are loaded once and will not change afterwards.", "权重只加载一次，之后不会再发生改变。"),
]
NOT_PROSE = [
    ("SMTP Example", "SMTP 示例"),
    ("The value is `None` when it is not set by the caller at all.", "如果调用者没有设置它，那么值为 `None`。"),
    ("The pool is described at https://example.org and may change.", "线程池的说明见 https://example.org，可能会变。"),
    ("output columns output columns after data preprocessing here", "输出的列输出的列数据预处理之后这里输出的列"),
    ("The cache is " + "very " * 40 + "large.", "缓存非常大，大到装不下了。"),
]


@pytest.fixture(scope="module")
def encoder() -> LightEncoder:
    return LightEncoder(weights_path())


def write(path, rows) -> None:
    text = "".join(json.dumps({"source": "x", "unit": "sentence", "en": en, "zh": zh}) + "\n" for en, zh in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def test_prose_is_read_once_from_plain_and_packed_files_and_the_seed_draws_the_same(tmp_path):
    write(tmp_path / "a.jsonl.gz", [*PROSE[:3], *NOT_PROSE, PROSE[0]])
    write(tmp_path / "b.jsonl", [*PROSE[2:], *NOT_PROSE])
    paths = [tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl"]
    assert Counter(read_sentences(paths)) == Counter(Pair(*each) for each in PROSE)
    few = read_sentences(paths, 3, seed=1)
    assert len(few) == 3
    assert few == read_sentences(paths, 3, seed=1)
    assert read_sentences([]) == []


def restated(text: str, other: str) -> bool:
    """Whether the other has most of the text, in its order."""
    return SequenceMatcher(None, text, other.strip(), autojunk=False).ratio() > 0.6


def test_every_label_follows_from_what_was_done_to_the_sentence(encoder):
    pairs = [Pair(*each) for each in PROSE]
    originals = {text for pair in pairs for text in pair}
    translation = {**{pair.en: pair.zh for pair in pairs}, **{pair.zh: pair.en for pair in pairs}}
    seen: Counter[str] = Counter()
    for seed in range(20):
        for lesson in sentence_lessons(pairs, encoder, seed):
            assert len(lesson["labels"]) == len(lesson["wrong"]) == len(lesson["pairs"]) == len(lesson["shares"])
            assert sum(lesson["shares"]) == pytest.approx(1)
            for (point, said), label, wrong in zip(lesson["pairs"], lesson["labels"], lesson["wrong"], strict=True):
                told = [text for text in (point, translation.get(point)) if text]
                within = [text for text in originals if text in said]
                if label > 0.9 and point in originals and not any(text in said for text in told):
                    assert any(restated(point, text) for text in (said, *re.split("(?<=[.。])", said))), (point, said)
                    assert wrong == 0
                    seen["restated"] += 1
                elif label > 0.9:
                    assert any(text in said for text in told), (point, said)
                    assert wrong == 0
                    seen["told" if point in originals else "told as turned"] += 1
                elif label == 0.5:
                    asked = {text for text in originals if text in point}
                    assert len(asked) == 2
                    assert len(asked & {*within, *(translation[text] for text in within)}) == 1, (point, said)
                    seen["half of a point"] += 1
                elif wrong:
                    assert not any(text in said for text in told), (point, said)
                    seen["point turned" if point not in originals else "said turned"] += 1
                else:
                    assert label == 0
                    assert within
                    assert not {*within} & set(told), (point, said)
                    seen["others" if len(within) > 1 else "another"] += 1
    assert set(seen) == {
        *("told", "restated", "told as turned", "point turned", "said turned", "another", "others", "half of a point")
    }
    assert seen["point turned"] > seen["said turned"] / 2


def test_no_sentence_stands_for_another_that_says_the_same(encoder):
    twins = [Pair(PROSE[0][0], PROSE[0][1]), Pair(PROSE[0][0].replace("The cache", "A cache"), PROSE[0][1])]
    lessons = list(sentence_lessons(twins, encoder))
    assert all(label != 0 for lesson in lessons for label in lesson["labels"])


def test_no_sentences_no_lessons(encoder):
    assert list(sentence_lessons([], encoder)) == []
