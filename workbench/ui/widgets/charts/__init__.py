"""Charts, and how pictures of them are saved, used by two panels or more."""
