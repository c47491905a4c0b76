"""The verbs, one file each: they join the rim to the core and return a `Result`.

None of them prints, asks or reads the clock or the environment; a `World` brings those in.
"""
