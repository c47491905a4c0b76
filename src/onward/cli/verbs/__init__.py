"""The verbs by subject: their arguments and their help. What they do stands in `commands`."""
