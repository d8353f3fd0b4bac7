"""A small question that keeps every rule, to break in one place at a time."""

import pytest

from interviewer.models import Misconception, Point, Question

ZH = (
    "**缓存击穿**：一个热点键过期的瞬间，大量请求同时落到数据库上。用互斥锁只让一个请求去重建缓存，其余请求等待或者返回旧值。"
    "锁要设置超时时间，并且只允许持有者释放，否则重建失败时会一直堵住。\n\n"
    "**缓存穿透**：查询的键根本不存在，每次都绕过缓存。用布隆过滤器在入口挡住不存在的键，或者把空结果缓存一小段时间。"
    "布隆过滤器可能误判存在，但不会漏判，所以不存在的结论可以相信。\n\n"
    "**缓存雪崩**：大批键在同一时刻过期，或者缓存节点整体宕机。给过期时间加随机抖动可以把失效分散开，"
    "再配合多副本和限流降级，数据库就不会被瞬间压垮。上线之前应当用压测验证每一种情况下的数据库负载。"
)
EN = (
    "**Hot key expiry**: the moment a hot key expires, many requests hit the database at once. A mutex lets a single "
    "request rebuild the entry while the others wait or return the stale value. Give the lock a timeout and let only "
    "its owner release it, or a failed rebuild blocks everyone.\n\n"
    "**Lookups of keys that do not exist**: such a request passes the cache every time. A Bloom filter at the entrance "
    "stops unknown keys, or cache the empty result for a short while. A Bloom filter may claim that a key exists when "
    "it does not, but never the reverse, so its negative answer can be trusted.\n\n"
    "**Mass expiry**: many keys expire at the same moment, or the whole cache goes down. Random jitter on the expiry "
    "time spreads the misses; together with replicas and rate limits the database is not crushed. Before release, a "
    "load test should verify the load on the database in each of these cases."
)


def _point(name: str, weight: float, zh: str, en: str, aliases: dict[str, list[str]], ask: dict[str, str]) -> Point:
    return Point.model_validate(
        {
            "id": name,
            "weight": weight,
            "text": {"zh": zh, "en": en},
            "aliases": aliases,
            "probe": {"zh": ask["zh"], "en": ask["en"]},
            "hint": {"zh": ask["hint_zh"], "en": ask["hint_en"]},
        }
    )


@pytest.fixture
def question() -> Question:
    """A question that keeps every rule."""
    mutex = _point(
        "mutex",
        2,
        "用互斥锁只让一个请求去重建缓存，其余请求等待或者返回旧值",
        "A mutex lets a single request rebuild the entry while the others wait or return the stale value",
        {"zh": ["互斥锁", "分布式锁"], "en": ["mutex", "distributed lock"]},
        {
            "zh": "最热的那一条刚好失效，同时来了一万个人，你怎么办？",
            "en": "The most popular item is just gone and ten thousand users arrive. What now?",
            "hint_zh": "一万个人都有必要亲自去后厨拿菜吗？",
            "hint_en": "Do all ten thousand have to walk into the kitchen themselves?",
        },
    )
    bloom = _point(
        "bloom",
        2,
        "用布隆过滤器在入口挡住不存在的键，或者把空结果缓存一小段时间",
        "A Bloom filter at the entrance stops unknown keys, or cache the empty result for a short while",
        {"zh": ["布隆过滤器", "空结果"], "en": ["Bloom filter", "empty result"]},
        {
            "zh": "有人不停地查一些编造出来的编号，怎样保护后面的系统？",
            "en": "Somebody keeps asking for invented numbers. How do you protect the system behind?",
            "hint_zh": "可以在门口放一份名单，也可以记住刚才已经白跑过一趟。",
            "hint_en": "Keep a list at the door, or remember that the last trip was in vain.",
        },
    )
    jitter = _point(
        "jitter",
        2,
        "给过期时间加随机抖动可以把失效分散开",
        "Random jitter on the expiry time spreads the misses",
        {"zh": ["随机抖动", "随机过期"], "en": ["jitter", "randomised expiry"]},
        {
            "zh": "零点一到，很多内容一起没了，事先能做什么？",
            "en": "At midnight a lot of content vanishes together. What could be done beforehand?",
            "hint_zh": "如果不是整点一起发生呢？",
            "hint_en": "What if it did not all happen on the hour?",
        },
    )
    wrong = Misconception(
        text={"zh": "布隆过滤器会漏掉存在的键", "en": "A Bloom filter misses keys that exist"},
        correction={"zh": "它只会误判存在，不会漏判", "en": "It only errs towards existence, never away from it"},
        point="bloom",
    )
    return Question(
        id="cache-failures",
        set="own",
        topic="systems",
        tags=("cache",),
        question={
            "zh": "缓存有哪几种典型的失效场景，分别怎么应对？",
            "en": "In which typical ways does a cache fail, and how do you deal with each of them?",
        },
        reference={"zh": ZH, "en": EN},
        points=(mutex, bloom, jitter),
        misconceptions=(wrong,),
        further=("Nishtala et al., Scaling Memcache at Facebook, section 3",),
    )
