"""How much of what the work goes on to use does a briefing carry: `python -m evals DIR`.

Real transcripts are cut where work really went on without its context. What came before the
cut is briefed; what came after it is the judge. `docs/explanation/carry-over.md` has the
method, the figures and what they cannot see.

Transcripts are read here from their raw JSON, by code that `onward` does not use: a scorer
that shared its reader would be blind to the reader's faults.
"""
