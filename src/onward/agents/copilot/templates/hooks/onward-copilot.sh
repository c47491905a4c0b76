#!/bin/sh
# onward: every hook of Copilot CLI. $1 is the event, $2 the client's process.
set -- "${1-}" "${2-}" copilot
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
