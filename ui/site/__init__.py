"""Plain pages beside the gradio ones: server-rendered HTML with forms that post and redirect."""
