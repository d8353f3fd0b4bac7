"""Named rules that turn a document's lines into questions with answers, and account for every line."""
