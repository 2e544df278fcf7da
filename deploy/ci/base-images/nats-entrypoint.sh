#!/bin/sh
# Flags alone are meant for nats-server.
set -e
if [ "${1#-}" != "$1" ]; then set -- nats-server "$@"; fi
exec "$@"
