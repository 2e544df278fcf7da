#!/usr/bin/env bash
# Builds the image of the services: build.sh [tag [docker build option]...] (default tag
# ringdown-services:local, the name in docker-compose.yml). With `--target collector` the image of that service alone.
# `docker compose build` does the same if packages come from the public registry directly. This script also passes,
# as build secrets that no layer stores, this machine's npm registry and certificates.
# RINGDOWN_NPMRC names an .npmrc to use instead; RINGDOWN_NODE_IMAGE another base image.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../ci/engine.sh"
. "$(dirname "${BASH_SOURCE[0]}")/labels.sh"

tag=${1:-ringdown-services:local}
[ $# = 0 ] || shift
secrets=$(mktemp -d)
trap 'rm -rf "$secrets"' EXIT

image_labels
options=(--tag "$tag" --file "$checkout/deploy/images/Dockerfile" "${labels[@]}")
if committed=$(git -C "$checkout" log -1 --format=%ct 2>/dev/null); then options+=(--build-arg "SOURCE_DATE_EPOCH=$committed"); fi
if [ -n "${RINGDOWN_NODE_IMAGE:-}" ]; then options+=(--build-arg "NODE_IMAGE=$RINGDOWN_NODE_IMAGE"); fi
if [ -n "${RINGDOWN_BUILD_NETWORK:-}" ]; then options+=(--network "$RINGDOWN_BUILD_NETWORK"); fi

npmrc=${RINGDOWN_NPMRC:-$secrets/npmrc}
if [ -z "${RINGDOWN_NPMRC:-}" ] && command -v npm >/dev/null; then
  printf 'registry=%s\n' "$(npm config get registry 2>/dev/null)" >"$npmrc"
fi
if [ -f "$npmrc" ]; then options+=(--secret "id=npmrc,src=$npmrc"); fi
# Debian's Node trusts the system's certificates; the one in the image has only its own list.
certificates=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
if [ -f "$certificates" ]; then options+=(--secret "id=ca,src=$certificates"); fi

build_image "${options[@]}" "$@" "$checkout"
