"""Commands made from declared actions: groups of them, menus, shortcuts, the command palette, and
docs/actions.md.
"""
