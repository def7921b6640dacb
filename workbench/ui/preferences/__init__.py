"""The pages of the preferences: one page is one file in this package."""
