#!/bin/sh
# onward: Stop, when the agent has answered.
set -- turn "${1-}"
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
