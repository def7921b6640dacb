"""Commands made from declared actions: menus, shortcuts, command palette and docs/actions.md."""
