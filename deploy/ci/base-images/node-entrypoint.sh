#!/bin/sh
# A first word that is a flag, or not a command on the PATH, is an argument of node.
set -e
if [ "${1#-}" != "$1" ] || ! command -v "$1" >/dev/null; then set -- node "$@"; fi
exec "$@"
