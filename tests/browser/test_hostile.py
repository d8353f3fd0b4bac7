"""Text from people and documents stays text, in a real browser."""

from playwright.sync_api import expect

MINE = "window.hacked = true"
HOSTILE = [
    f"<script>{MINE}</script>",
    f'<img src=x onerror="{MINE}">',
    f"<svg onload='{MINE}'></svg>",
    f"[click](javascript:{MINE.replace(' ', '')}) ![x](http://evil.example/x.png)",
    "<iframe srcdoc='<script>parent.hacked=true</script>'></iframe>",
    "${window.hacked = true} {{#with this}}{{constructor}}{{/with}} @children",
    f"</textarea></div><b onmouseover={MINE}>bold</b><style>body{{display:none}}</style>",
    "\u202eevil\u2066 \u200b\ufeff zero-width \U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 العربية עברית",
    "$$\\href{javascript:window.hacked=true}{x}$$ \\(\\url{javascript:1}\\)",
]


def nothing_ran(page) -> bool:
    return page.evaluate(
        """() => !window.hacked && !document.querySelector(`#chat script, #chat img, #chat iframe, #chat svg[onload],
        #chat [onerror], #chat [onmouseover], #chat .iv-msg style, a[href^="javascript"], .iv-report script, .iv-report img`)"""
    )


def test_hostile_answers_stay_text_in_conversation_report_and_history(visitor):
    me = visitor("en").practise()
    text = "\n".join(HOSTILE)
    me.say(text)
    me.wait_for_phase("answering", "reviewing")
    assert nothing_ran(me.page)
    shown = me.messages("candidate").locator(".iv-text").first.inner_text()
    for line in HOSTILE[:6]:
        assert line in shown
    me.page.reload()
    expect(me.messages("candidate").first).to_be_visible()
    assert nothing_ran(me.page)
    me.end()
    me.press("report")
    expect(me.page.locator(".iv-report")).to_be_visible()
    assert nothing_ran(me.page)
    me.go("history")
    expect(me.page.locator(".iv-history")).to_be_visible()
    assert nothing_ran(me.page)


def test_a_very_long_answer_is_bounded_and_scrolls(visitor):
    me = visitor("en").practise()
    me.say(("A mutex is held by one thread. " * 3300)[:100_000])
    bubble = me.messages("candidate").locator(".iv-text").first
    height, whole = bubble.evaluate("(node) => [node.clientHeight, node.scrollHeight]")
    assert height < 600 < whole
    assert me.overflow() <= 0
    me.wait_for_phase("answering", "reviewing")
    assert me.overflow() <= 0


def test_an_answer_too_long_stays_in_the_box(visitor):
    me = visitor("en").practise()
    me.box.fill("x" * 100_001)
    me.box.press("Enter")
    expect(me.page.locator(".iv-notice")).to_contain_text("100000")
    assert len(me.box.input_value()) == 100_001
    expect(me.messages("candidate")).to_have_count(0)


def test_hostile_documents_and_file_names_stay_text(visitor, imported, tmp_path):
    file = tmp_path / "..%2f..%2fx$(id)<img src=x onerror=window.hacked=true>.md"
    question = f"What is <img src=x onerror=window.hacked=true> {tmp_path.name}?"
    body = "An answer that is long enough to be kept, with [a link](javascript:window.hacked=true) and some more words."
    file.write_text(f"# Notes\n\n## {question}\n\n{body}\n\n## What is a <b>lock</b> for?\n\n{body}\n", "utf-8")
    me = visitor("en").open("/en/#/questions")
    page = me.page
    page.locator("#import button").first.click()
    page.locator("#files input[type=file]").set_input_files(file)
    expect(page.locator("#files")).to_contain_text(".md")
    page.locator("#set-name").locator("input, textarea").fill(imported)
    page.locator("#do-import").click()
    expect(page.locator(".iv-imported")).to_be_visible()
    assert nothing_ran(page)
    row = page.locator(".iv-questions a").first
    expect(row).to_contain_text("What is")
    row.click()
    page.locator("#detail details summary").first.click()
    expect(page.locator("#detail .iv-md")).to_contain_text("long enough")
    assert nothing_ran(page)
    assert page.locator('#detail a[href^="javascript"]').count() == 0
