#!/usr/bin/env bash
# Builds the image of the whole system: build-ringdown.sh [tag [docker build option]...] (default tag ringdown:local).
# RINGDOWN_TARBALL names a tarball of `npm run package`; without it, one of this checkout is made. RINGDOWN_DEBIAN_IMAGE names another base image.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../ci/engine.sh"
. "$(dirname "${BASH_SOURCE[0]}")/labels.sh"

tag=${1:-ringdown:local}
[ $# = 0 ] || shift
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT

if [ -n "${RINGDOWN_TARBALL:-}" ]; then
  # Its name is known here, and a link would not be followed.
  ln "$RINGDOWN_TARBALL" "$context/" 2>/dev/null || cp "$RINGDOWN_TARBALL" "$context/"
else
  node "$checkout/scripts/run.cjs" package/package --only tarball --compression none --out "$context" >&2
fi

image_labels
options=(--tag "$tag" --file "$checkout/deploy/images/ringdown.Dockerfile" "${labels[@]}")
if [ -n "${RINGDOWN_DEBIAN_IMAGE:-}" ]; then options+=(--build-arg "DEBIAN_IMAGE=$RINGDOWN_DEBIAN_IMAGE"); fi

build_image "${options[@]}" "$@" "$context"
