"""Plain text, Markdown, HTML and PDF as lines."""

from knowledge.documents.html import read_html
from knowledge.documents.markdown import read_markdown
from knowledge.documents.model import LineKind
from knowledge.documents.plain import read_plain


def kinds(text: str) -> list[str]:
    return [line.kind.value for line in read_plain(text, "t").lines]


def test_plain_lines_have_roles() -> None:
    text = "# Title\ntext\n- item\n• dot\n-\n| a | b |\n---\n\n```\n# code\n```\nend"
    assert kinds(text) == [
        "heading",
        "text",
        "item",
        "item",
        "item",
        "table",
        "rule",
        "blank",
        "code",
        "code",
        "code",
        "text",
    ]


def test_a_shell_comment_with_its_command_is_no_heading() -> None:
    assert kinds("# 测速 tool --fast --size=3") == ["text"]


def test_code_without_a_fence_is_found() -> None:
    text = "A loop:\n# count\nfor i in range(3):\n    total += i\nprint(total)\nThat was it."
    assert kinds(text) == ["text", "code", "code", "code", "code", "text"]


def test_prose_is_never_code() -> None:
    assert "code" not in kinds(
        "Use a lock (always).\nA = B is an equation.\nReturn early, he said.\nimport duties rise."
    )


def test_hidden_characters_and_line_ends_are_made_plain() -> None:
    lines = read_plain("a\u200bb\x00c\r\nd\x0ce\u2028f", "t").lines
    assert [line.text for line in lines] == ["abc", "d", "e", "f"]


def test_markdown_knows_code_in_lists_and_tables() -> None:
    text = "1. ### What?\n\n    Text.\n\n    ```js\n    # no heading\n    ```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nTitle\n=====\n"
    by_kind = {line.text.strip(): line.kind for line in read_markdown(text, "t").lines if line.text}
    assert by_kind["# no heading"] is LineKind.CODE
    assert by_kind["| 1 | 2 |"] is LineKind.TABLE
    assert by_kind["Title"] is LineKind.HEADING
    assert by_kind["Text."] is LineKind.TEXT


def test_a_dash_below_a_line_is_no_heading() -> None:
    assert read_markdown("答案:\n-\n第一点", "t").lines[0].kind is LineKind.TEXT


def test_summaries_become_lines_of_their_own_and_line_numbers_stay() -> None:
    text = "intro\n<details><summary>What does `a < b` mean?</summary>Less.</details>\n<!-- note -->\n`<br>` stays\nend<br>more"
    document = read_markdown(text, "t")
    assert [(line.number, line.text) for line in document.lines if line.text] == [
        (1, "intro"),
        (2, "**What does `a < b` mean?**"),
        (2, "Less."),
        (4, "`<br>` stays"),
        (5, "end"),
        (5, "more"),
    ]
    assert [(p.rule, p.line) for p in document.left_out] == [("html_script", 3)]


def test_front_matter_gives_the_title() -> None:
    document = read_markdown("---\ntitle: My notes\ntags: a\n---\n# x", "file")
    assert document.title == "My notes"
    assert document.left_out[0].rule == "front_matter"


def test_furniture_of_a_page_is_left_out_by_name() -> None:
    page = (
        "<html><head><title>FAQ</title><style>p{}</style></head><body><nav>Home</nav><script>alert('Q: x?')</script>"
        "<header><a href=/>Logo</a></header><main><header><h2>What is it?</h2></header><p>A thing.</p></main>"
        "<aside>Buy now</aside><footer>Imprint</footer></body></html>"
    )
    document = read_html(page, "t")
    assert document.title == "FAQ"
    assert [p.text for p in document.left_out] == ["Home", "Logo", "Buy now", "Imprint"]
    assert [line.text for line in document.lines if line.text] == ["What is it?", "A thing."]


def test_code_of_a_page_keeps_its_language_and_marks() -> None:
    page = '<h2>How?</h2><pre><code class="language-go">if a &lt; b {\n\treturn\n}</code></pre><dl><dt>Term?</dt><dd>Meaning.</dd></dl>'
    raws = [line.raw for line in read_html(page, "t").lines if line.raw.strip()]
    assert raws[:2] == ["## How?", "```go"]
    assert "if a < b {" in raws
    assert "**Term?**" in raws
