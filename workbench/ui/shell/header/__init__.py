"""Header of the window: menus, workspaces, corpus, run, training and search."""
