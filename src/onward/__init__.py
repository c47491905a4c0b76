"""Save your place in a coding-agent session; carry on from exactly there, days later."""

__version__ = "0.1.0"
