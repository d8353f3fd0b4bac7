"""Components that carry our own markup."""

from typing import Any, Literal

import gradio as gr

CLICKS = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('[data-action]');
  if (button) trigger('click', {action: button.dataset.action, id: button.dataset.id || ''});
});
"""
"""A click on `<button data-action data-id>` becomes a click event with both."""


def markup(value: str = "", *, clicks: bool = False, **options: Any) -> gr.HTML:
    """Our own HTML without gradio's styles for prose; `clicks` makes its buttons reach handlers."""
    return gr.HTML(value, js_on_load=CLICKS if clicks else None, apply_default_css=False, **options)


def contest_bridge(place: Literal["interview", "report"]) -> gr.HTML:
    """Where the buttons beside verdicts arrive: those in the conversation can't reach a handler by themselves."""
    script = f"window.interviewerDispute.connect('{place}', (detail) => trigger('submit', detail));"
    return gr.HTML(value={}, html_template="<i hidden></i>", js_on_load=script)
