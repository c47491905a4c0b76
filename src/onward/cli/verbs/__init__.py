"""One file a verb: its arguments and its help. What it does stands in `commands`."""
