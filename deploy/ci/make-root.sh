#!/usr/bin/env bash
# make-root.sh SUITE: an archive of the smallest Debian (debootstrap --variant=minbase, nothing added), in which packages are tried.
# Prints its path. One that is younger than two weeks is kept. Needs root and debootstrap.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/engine.sh"
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"
export PATH=$PATH:/usr/sbin:/sbin

suite=$1
# Outside of the checkout: a fresh clone has none.
roots=${RINGDOWN_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/ringdown-roots}
archive=$roots/$suite.tar
max_age_days=14

if [ -z "$(find "$archive" -mtime -$max_age_days 2>/dev/null)" ]; then
  command -v debootstrap >/dev/null || install_debootstrap
  mkdir -p "$roots"
  work=$(mktemp -d "$roots/$suite.XXXXXX")
  trap 'rm -rf --one-file-system "$work"' EXIT
  mirror=$(debian_mirror)
  # shellcheck disable=SC2086 # without a mirror there is no argument
  debootstrap --variant=minbase "$suite" "$work/root" ${mirror:-} >"$state/debootstrap-$suite.log" 2>&1 || {
    tail -n 20 "$state/debootstrap-$suite.log" >&2
    fail "debootstrap could not create $suite (whole output: $state/debootstrap-$suite.log)"
  }
  # What was downloaded is not part of an installed system.
  rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
  tar -C "$work/root" --one-file-system --numeric-owner --exclude='./dev/*' -cf "$work/root.tar" .
  mv "$work/root.tar" "$archive"
fi
printf '%s\n' "$archive"
