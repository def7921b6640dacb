"""Python runs this at the start of every process that a test starts."""

import own_folders

own_folders.set_up()
