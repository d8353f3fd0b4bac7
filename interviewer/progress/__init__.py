"""How far somebody has come: what they know by topic, how their scores went, what they missed once and know now."""
