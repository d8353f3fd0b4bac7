"""What each rule that leaves text out means, for the report."""

MEANINGS = {
    "page_controls": "a button, counter or copyright note of the page",
    "advertisement": "an advertisement",
    "image_placeholder": "a picture, or the words that stand for one",
    "titled_contents": "a table of contents",
    "contents_list": "a list of parts, chapters or links",
    "debris": "marks left by the page's layout",
    "front_matter": "the document's front matter",
    "html_script": "a comment, script or style of the page",
    "page_furniture": "navigation, header or footer of the page",
    "running_head": "a running head or page number",
    "no_question_found": "no question was recognised here",
    "before_the_first_question": "text before the first question",
    "between_questions": "text between questions whose answers stand elsewhere",
    "outside_the_tables": "text around the tables that were read",
    "section_title": "the title of a section",
    "afterword": "closing words after the last answer",
    "repeated_fragment": "a fragment that the page's conversion repeated",
    "answer_mark": "text beside the answer's mark",
    "listed_again": "the same question, listed without its answer",
    "table_header": "the table's header",
    "unused_column": "columns that hold neither question nor answer",
    "unused_field": "fields that hold neither question nor answer",
    "group_title": "the title of a group",
    "bad_json_line": "a line that is no valid JSON",
}
"""Rule -> what it leaves out."""
