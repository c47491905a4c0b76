#!/bin/sh
# onward: UserPromptSubmit.
set -- prompt "${1-}"
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
