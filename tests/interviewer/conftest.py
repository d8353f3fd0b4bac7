"""A small bank and a clock for the tests of the core."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from interviewer.models import Misconception, Point, Question


def make_question(id: str = "q1", *, set: str = "bank", topic: str = "training", **changes: object) -> Question:
    """A question with two points in both languages; `changes` replace its fields."""
    fields: dict[str, object] = {
        "id": id,
        "set": set,
        "topic": topic,
        "question": {"zh": f"什么是梯度累积?({id})", "en": f"What is gradient accumulation? ({id})"},
        "reference": {
            "zh": "多个小批次的梯度先相加再更新一次参数。显存占用不随有效批大小增长。",
            "en": "Gradients of several micro-batches are summed before one update. Memory does not grow with the batch.",
        },
        "points": (
            Point(
                id="sum",
                weight=3,
                text={"zh": "多个小批次的梯度相加后才更新参数", "en": "gradients are summed before one optimizer step"},
                probe={"zh": "什么时候更新参数?", "en": "When are the parameters updated?"},
                hint={"zh": "想想 optimizer.step 的时机", "en": "Think of when optimizer.step runs"},
            ),
            Point(
                id="memory",
                weight=1,
                text={"zh": "显存不随有效批大小增长", "en": "memory does not grow with the effective batch size"},
                probe={"zh": "资源上有什么好处?", "en": "What does it save?"},
                hint={"zh": "想想一次前向要放下多少样本", "en": "How many samples must fit at once?"},
            ),
        ),
        "misconceptions": (
            Misconception(
                text={"zh": "它让训练更快", "en": "it makes training faster"},
                correction={"zh": "它省显存,不省时间", "en": "it saves memory, not time"},
            ),
        ),
    }
    return Question.model_validate(fields | changes)


class Clock:
    """A clock that moves a second at every look, or as far as it is told."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time

    def forward(self, **delta: float) -> None:
        self.time += timedelta(**delta)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def question() -> Callable[..., Question]:
    return make_question
