#!/bin/sh
# onward: waits beside a session until it has been idle, does one job, and ends.
# idle.sh PAUSE STEPS PID TRANSCRIPT WORDS...: looks every PAUSE seconds, ends when process PID
# is gone, runs WORDS (the job is on stdin) once the transcript has not grown for STEPS looks.
pause=$1 steps=$2 pid=$3 transcript=$4
shift 4

# Whether the client has ended: a zombie has, though it can be signalled until somebody looks.
gone() {
  kill -0 "$pid" || return 0
  [ -r "/proc/$pid/stat" ] || return 1
  IFS= read -r stat <"/proc/$pid/stat" || return 0
  case ${stat##*) } in [ZX]*) return 0 ;; esac
  return 1
}

# Sleeps for PAUSE, and looks for the client every 10 s: it may be ending while this begins.
rest() {
  left=$pause
  while [ "${left%.*}" -gt 10 ]; do
    sleep 10 || return 1
    ! gone || exit 0
    left=$((${left%.*} - 10))
  done
  sleep "$left"
}

seen=-1 quiet=0
while [ "$quiet" -lt "$steps" ]; do
  ! gone || exit 0
  rest || exit 0
  ! gone || exit 0
  size=$(wc -c <"$transcript") || exit 0
  if [ "$size" = "$seen" ]; then
    quiet=$((quiet + 1))
  else
    seen=$size quiet=0
  fi
done
exec "$@"
