# shellcheck shell=sh
# onward: the part that all hooks share. on-*.sh reads this file with $1, the event, and $2, the
# client's process; it ends the process, always with status 0. `payload` of a tool call stands for
# stdin. Nothing but the answer of a Python that ended well reaches stdout.
trap 'exit 0' 0 # also where the shell gives up because no process can be started
event=$1
[ "$event" = tool ] || payload='' # one that the user exports is not ours

# The folder that `onward` uses on this machine.
if [ -n "${ONWARD_DATA-}" ]; then
  data=$ONWARD_DATA
elif [ -n "${MSYSTEM-}" ]; then
  data=${LOCALAPPDATA:-${HOME-}/AppData/Local}/onward
else
  case ${XDG_DATA_HOME-} in
    /*) data=$XDG_DATA_HOME/onward ;;
    *) if [ -d /System/Library/CoreServices ]; then
        data="${HOME-}/Library/Application Support/onward"
      else
        data=${HOME-}/.local/share/onward
      fi ;;
  esac
fi

# The time of this file lies ahead: where the transcript is newer, the context is to be looked at.
if [ "$event" = tool ] && [ -z "$long" ]; then
  # Looking for a field in a text that lacks it takes the square of its length in some shells.
  [ "${#payload}" -lt 20000 ] || exit 0
  session=${payload#*'"session_id":"'} transcript=${payload#*'"transcript_path":"'}
  session=${session%%'"'*} transcript=${transcript%%'"'*}
  case $session in
    *[!A-Za-z0-9_-]*) exit 0 ;;
  esac
  # shellcheck disable=SC3013 # a shell that does not know -nt looks at no context
  [ -f "$data/live/$session/look" ] && [ "$transcript" -nt "$data/live/$session/look" ] || exit 0
fi 2>/dev/null

# One line in our log, if there is one.
note() {
  sh "${0%/*}/onward-log.sh" "$event:" "$1"
} >/dev/null 2>&1

# One line for a new session, at most once a day: else nobody would learn that nothing is captured.
tell_missing() {
  [ "$event" = start ] && [ -d "$data" ] || return
  today=$(date +%Y-%m-%d) last=''
  if [ -r "$data/missing-told" ]; then IFS= read -r last <"$data/missing-told"; fi
  if [ "$today" != "$last" ] && (umask 077 && echo "$today" >"$data/missing-told"); then
    echo "onward was not found on this machine: this session is not captured." \
      "Tell the user to install onward again, then to run: onward doctor --fix"
  fi
} 2>/dev/null

# The client's time limit: the whole group gets SIGTERM, and SIGKILL soon after (measured).
# shellcheck disable=SC2317 # the trap below calls it
stopped() {
  trap '' TERM HUP INT
  # The client does not wait for this one: that a session ends before it does is no fault.
  [ "$event" = compacted ] || note "stopped by the client, which waits no longer"
  kill "$child" 2>/dev/null
  exit 0
}

python='' entry=''
if [ -r "$data/launcher" ]; then
  { IFS= read -r python && IFS= read -r entry; } <"$data/launcher"
fi
if [ -x "$python" ] && [ -f "$entry" ]; then
  set -- "$python" -I -S -X utf8 "$entry" "${3:-claude-code}" "$event" "$2"
elif command -v onward >/dev/null; then
  set -- onward hook "${3:-claude-code}" "$event" "$2" # also writes the launcher anew
else
  note "there is no Python with onward"
  tell_missing
  exit 0
fi

exec 3<&0 # what runs in the background would read from /dev/null
child=''
trap stopped TERM HUP INT
if [ -n "${payload-}" ]; then
  printf '%s\n' "$payload" | "$@" 3<&- &
else
  "$@" <&3 3<&- &
fi
child=$!
wait "$child"
status=$?
[ "$status" -eq 0 ] || note "ended with status $status"
exit 0
