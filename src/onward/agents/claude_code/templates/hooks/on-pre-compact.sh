#!/bin/sh
# onward: PreCompact, manual and automatic.
set -- compact "${1-}"
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
