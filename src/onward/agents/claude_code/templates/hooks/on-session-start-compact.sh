#!/bin/sh
# onward: SessionStart after a compaction, beside on-session-start.sh: what the summary leaves out.
set -- compacted "${1-}"
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
