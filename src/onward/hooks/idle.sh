#!/bin/sh
# onward: waits beside a session until it has been idle, does one job, and ends.
# idle.sh PAUSE STEPS PID TRANSCRIPT WORDS...: looks every PAUSE seconds, ends when process PID
# is gone, runs WORDS (the job is on stdin) once the transcript has not grown for STEPS looks.
pause=$1 steps=$2 pid=$3 transcript=$4
shift 4
seen=-1 quiet=0
while [ "$quiet" -lt "$steps" ]; do
  sleep "$pause" || exit 0
  kill -0 "$pid" || exit 0
  size=$(wc -c <"$transcript") || exit 0
  if [ "$size" = "$seen" ]; then
    quiet=$((quiet + 1))
  else
    seen=$size quiet=0
  fi
done
exec "$@"
