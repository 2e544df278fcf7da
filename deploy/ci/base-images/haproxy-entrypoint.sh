#!/bin/sh
# Master-worker mode in the foreground, like the public image, so that the stop signal is a soft stop.
set -e
if [ "${1#-}" != "$1" ]; then set -- haproxy "$@"; fi
if [ "$1" = haproxy ]; then
  shift
  set -- haproxy -W -db "$@"
fi
exec "$@"
