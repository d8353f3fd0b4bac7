"""A context that is used again holds nothing of the visitor before."""

from tests.browser.visitor import Visitor

KEEP = """async () => {
    localStorage.kept = sessionStorage.kept = document.cookie = "kept=1";
    await new Promise(done => { indexedDB.open("kept").onsuccess = done; });
    await caches.open("kept");
}"""
FIND = """async () => [
    localStorage.length, sessionStorage.length, document.cookie,
    (await indexedDB.databases()).length, (await caches.keys()).length,
]"""


def test_the_next_visitor_finds_nothing_and_is_watched_alone(contexts, server):
    options = {"locale": "en-GB"}
    context = contexts.take(server.url, **options)
    first = Visitor(context, server.url)
    first.page.goto(f"{server.url}/healthz")
    first.page.evaluate(KEEP)
    assert 0 not in first.page.evaluate(FIND)
    first.leave()
    contexts.give_back(context, first.origins, **options)

    assert contexts.take(server.url, **options) is context
    next_one = Visitor(context, server.url)
    next_one.page.goto(f"{server.url}/healthz")
    assert next_one.page.evaluate(FIND) == [0, 0, "", 0, 0]
    first.origins.clear()
    next_one.page.reload()
    assert first.origins == set()
    assert next_one.origins == {server.url}
    next_one.leave()
    contexts.give_back(context, next_one.origins, **options)
