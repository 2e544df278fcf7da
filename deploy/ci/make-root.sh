#!/usr/bin/env bash
# make-root.sh SUITE [systemd]: an archive of the smallest Debian (debootstrap --variant=minbase, nothing added but systemd), in which packages are tried.
# Prints its path. One that is younger than two weeks is kept. Needs root and debootstrap.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/engine.sh"
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"
export PATH=$PATH:/usr/sbin:/sbin

suite=$1
# What is added, by the name of the archive.
with=${2:+-$2}
case $with in
  '') include='' ;;
  -systemd) include=--include=systemd,systemd-sysv ;;
  *) fail "make-root.sh SUITE [systemd]" ;;
esac
# Outside of the checkout: a fresh clone has none.
roots=${RINGDOWN_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/ringdown-roots}
archive=$roots/$suite$with.tar
max_age_days=14

if [ -z "$(find "$archive" -mtime -$max_age_days 2>/dev/null)" ]; then
  command -v debootstrap >/dev/null || install_debootstrap
  mkdir -p "$roots"
  work=$(mktemp -d "$roots/$suite$with.XXXXXX")
  trap 'rm -rf --one-file-system "$work"' EXIT
  mirror=$(debian_mirror)
  # shellcheck disable=SC2086 # arguments that there may be none of
  debootstrap --variant=minbase $include "$suite" "$work/root" ${mirror:-} >"$state/debootstrap-$suite$with.log" 2>&1 || {
    tail -n 20 "$state/debootstrap-$suite$with.log" >&2
    fail "debootstrap could not create $suite (whole output: $state/debootstrap-$suite$with.log)"
  }
  # What was downloaded is not part of an installed system.
  rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
  tar -C "$work/root" --one-file-system --numeric-owner --exclude='./dev/*' -cf "$work/root.tar" .
  mv "$work/root.tar" "$archive"
fi
printf '%s\n' "$archive"
