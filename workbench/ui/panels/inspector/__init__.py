"""Inspector panel: facts about the selected word."""
