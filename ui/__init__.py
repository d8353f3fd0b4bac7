"""The Gradio pages."""
