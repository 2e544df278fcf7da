#!/usr/bin/env bash
# Stops the dockerd that ensure-docker.sh of this checkout started by hand, with its containers, and no other.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/engine.sh"

pid_file=$state/dockerd.pid
[ -s "$pid_file" ] || exit 0
pid=$(cat "$pid_file")
runs() { [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = dockerd ]; }

if runs; then
  kill -TERM "$pid"
  deadline=$((SECONDS + 40))
  while runs && [ $SECONDS -lt $deadline ]; do sleep 0.2; done
  if runs; then
    say 'docker: dockerd did not stop in 40 s and is killed'
    kill -KILL "$pid"
  else
    say 'docker: dockerd stopped'
  fi
fi
rm -f "$pid_file"
