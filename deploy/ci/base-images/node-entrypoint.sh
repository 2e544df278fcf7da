#!/bin/sh
# A first word that is a flag or no command on the PATH is meant for node.
set -e
if [ "${1#-}" != "$1" ] || ! command -v "$1" >/dev/null; then set -- node "$@"; fi
exec "$@"
