#!/bin/sh
# Discard the newest pending backup and its line in the marker, unread. onward does it where it is
# on the PATH; the rest is for a machine without it. That touches nothing but files of raw/, and does
# the plain case alone: it takes no number, and keeps nothing in a trash.
project=$(dirname "$0")/../..
if command -v onward >/dev/null 2>&1; then
  [ "${1-}" != --without-onward ] || exit 0
  cd "$project" && exec onward backup discard
fi

memory=$project/.claude/memory
marker=$memory/.pending-backup
rest=$marker.onward-tmp
for link in "$project/.claude" "$memory" "$memory/raw" "$marker" "$rest" "$memory/.backup-log"; do
  if [ -L "$link" ]; then
    echo "$link is a link: nothing was discarded"
    exit 1
  fi
done

first=''
if [ -f "$marker" ]; then
  while [ -z "$first" ] && IFS= read -r line || [ -n "$line" ]; do
    first=$(printf '%s' "$line" | tr -d '\r')
    line=''
  done <"$marker"
fi
if [ -z "$first" ]; then
  echo "No backup is pending."
  exit 0
fi

# Only its name counts: a marker that came with a repository must not lead us elsewhere, nor speak.
name=${first##*[/\\]}
case $name in
  *[!A-Za-z0-9._-]* | .* | '') name='' ;;
  *.jsonl) ;;
  *) name='' ;;
esac
umask 077
grep -vF -e "${name:-$first}" "$marker" >"$rest"
# The marker names only backups that are there, so its line goes first.
if [ -s "$rest" ]; then mv -f "$rest" "$marker"; else rm -f "$marker" "$rest"; fi || exit 1
if [ -z "$name" ]; then
  echo "Removed a line of the marker that named no backup."
  exit 0
fi
if [ -f "$memory/raw/$name" ] && [ ! -L "$memory/raw/$name" ]; then
  rm -f "$memory/raw/$name" || exit 1
fi
echo "$(date +%Y-%m-%dT%H:%M:%S%z) discarded $name" >>"$memory/.backup-log"
echo "Discarded .claude/memory/raw/$name for good, the newest one: onward is not on the PATH."
