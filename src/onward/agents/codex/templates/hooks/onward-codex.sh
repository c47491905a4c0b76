#!/bin/sh
# onward: every hook of Codex. $1 is the event, $2 the client's process.
set -- "${1-}" "${2-}" codex
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
