#!/bin/sh
# The command of an installed Ringdown: runs the Node of the package, so that nothing else has to be installed.
set -eu
here=$(readlink -f -- "$0")
root=$(dirname -- "$(dirname -- "$here")")

# The bus inside needs it; what the loader says of an older one does not tell what to do.
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || echo unknown)
minor=${libc#glibc 2.}
case $minor in
  *[!0-9]* | '') ;;
  *)
    if [ "$minor" -lt 34 ]; then
      echo "ringdown: this machine has $libc, and glibc 2.34 or later is needed (Debian 12, Ubuntu 22.04, RHEL 9)" >&2
      exit 1
    fi
    ;;
esac

# Compiled code of the last start makes this one quicker; a folder that cannot be written is not used.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/ringdown}"
# As in npm start and the images (docs/adr/0011).
exec "$root/node/bin/node" --max-semi-space-size=8 "$root/dist/ringdown/commands.js" "$@"
