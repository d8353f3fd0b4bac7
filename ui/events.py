"""How our own markup talks to handlers."""

CLICKS = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('[data-action]');
  if (button) trigger('click', {action: button.dataset.action, id: button.dataset.id || ''});
});
"""
"""For `gr.HTML(js_on_load=...)`: a click on `<button data-action data-id>` becomes a click event with both."""
