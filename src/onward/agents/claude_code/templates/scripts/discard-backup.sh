#!/bin/sh
# Discard a pending backup, unread, and its line in the marker: the newest, or the one of a number (1 is
# the newest). onward does it where it is on the PATH; the rest is for a machine without it. That moves
# one file of raw/ into raw/discarded/, and touches nothing else but the marker and the log. With
# --without-onward it does nothing beside onward, and the number is what is typed on stdin.
project=$(dirname "$0")/../..
number=${1-}
if command -v onward >/dev/null 2>&1; then
  [ "$number" != --without-onward ] || exit 0
  cd "$project" && exec onward backup discard ${number:+"$number"}
fi
if [ "$number" = --without-onward ]; then
  number=''
  while [ ! -t 0 ] && IFS= read -r line; do
    [ "$line" = '"' ] || number=$number$line
  done
fi
case $number in
  *[!0-9]* | 0* | ??????*)
    echo "That is no number of a backup that waits: nothing was discarded."
    exit 1
    ;;
esac

memory=$project/.claude/memory
marker=$memory/.pending-backup
rest=$marker.onward-tmp
for link in "$project/.claude" "$memory" "$memory/raw" "$memory/raw/discarded" "$marker" "$rest" "$memory/.backup-log"; do
  if [ -L "$link" ]; then
    echo "$link is a link: nothing was discarded"
    exit 1
  fi
done

chosen='' count=0
if [ -f "$marker" ]; then
  while [ -z "$chosen" ] && { IFS= read -r line || [ -n "$line" ]; }; do
    line=$(printf '%s' "$line" | tr -d '\r')
    [ -z "$line" ] || count=$((count + 1))
    [ "$count" -ne "${number:-1}" ] || chosen=$line
    line=''
  done <"$marker"
fi
if [ "$count" -eq 0 ]; then
  echo "No backup is pending."
  exit 0
elif [ -z "$chosen" ]; then
  echo "There is no $number to discard: $count wait."
  exit 1
fi

# Only its name counts: a marker that came with a repository must not lead us elsewhere, nor speak.
name=${chosen##*[/\\]}
case $name in
  *[!A-Za-z0-9._-]* | .* | '') name='' ;;
  *.jsonl) ;;
  *) name='' ;;
esac
umask 077
grep -vF -e "${name:-$chosen}" "$marker" >"$rest"
# The marker names only backups that are there, so its line goes first.
if [ -s "$rest" ]; then mv -f "$rest" "$marker"; else rm -f "$marker" "$rest"; fi || exit 1
if [ -z "$name" ]; then
  echo "Removed a line of the marker that named no backup."
  exit 0
fi
echo "$(date +%Y-%m-%dT%H:%M:%S%z) discarded $name" >>"$memory/.backup-log"
if [ -f "$memory/raw/$name" ] && [ ! -L "$memory/raw/$name" ]; then
  mkdir -p "$memory/raw/discarded" && mv -f "$memory/raw/$name" "$memory/raw/discarded/$name" || exit 1
fi
echo "Discarded .claude/memory/raw/$name: it is in .claude/memory/raw/discarded/ now, as onward is not on the PATH."
echo "To let it wait again, move it back and add its path as a line to .claude/memory/.pending-backup."
