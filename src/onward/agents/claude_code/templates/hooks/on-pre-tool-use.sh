#!/bin/sh
# onward: PreToolUse of Bash. Only a command that is started in the background or declares more
# than 30 s is worth a Python, and each minute of a turn the first one, for a look at the context; told
# here, since this runs before each command.
# A client that ends no line and leaves stdin open is waited for 2 s; where `read` knows no limit,
# the end of `sleep` interrupts it.
# shellcheck disable=SC3045,SC2034 # a shell that does not know -t ends `read` with 2; onward.sh has `long`
IFS= read -r -t 2 payload 2>/dev/null
if [ $? -eq 2 ]; then
  trap : CHLD
  sleep 2 >/dev/null &
  IFS= read -r payload
  trap - CHLD
  kill $!
fi 2>/dev/null
long=yes
case $payload in
  *[,\{]'"run_in_background":true'*) ;;
  *[,\{]'"timeout":30000'[!0-9]*) long='' ;;
  *[,\{]'"timeout":'[3-9][0-9][0-9][0-9][0-9]*) ;;
  *[,\{]'"timeout":'[1-9][0-9][0-9][0-9][0-9][0-9]*) ;;
  *) long='' ;;
esac
# A quote within the command's own words has a backslash before it: these were the fields.
set -- tool "${1-}"
# shellcheck source=/dev/null
. "${0%/*}/onward.sh"
