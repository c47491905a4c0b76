#!/bin/sh
# onward: SessionEnd.
set -- end "${1-}"
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
