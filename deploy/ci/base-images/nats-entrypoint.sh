#!/bin/sh
# A first word that is a flag is an argument of nats-server.
set -e
if [ "${1#-}" != "$1" ]; then set -- nats-server "$@"; fi
exec "$@"
