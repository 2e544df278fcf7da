# Sourced by the scripts beside it, after deploy/ci/engine.sh: what an image says of itself, as options of `docker build`.
# shellcheck shell=bash

# Sets `labels`: version, commit (RINGDOWN_REVISION), and the address of the repository (RINGDOWN_SOURCE), as far as they are known.
# shellcheck disable=SC2034 # used by those scripts
image_labels() {
  local version revision source
  version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$checkout/package.json")
  revision=${RINGDOWN_REVISION:-$(git -C "$checkout" rev-parse HEAD 2>/dev/null || true)}
  source=${RINGDOWN_SOURCE:-}
  labels=(--label "org.opencontainers.image.version=$version")
  if [ -n "$revision" ]; then labels+=(--label "org.opencontainers.image.revision=$revision"); fi
  if [ -n "$source" ]; then labels+=(--label "org.opencontainers.image.source=$source"); fi
}
