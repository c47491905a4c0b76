#!/bin/sh
# onward: SessionStart, at startup, resume, clear and compact.
set -- start "${1-}"
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
