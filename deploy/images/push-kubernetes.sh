#!/usr/bin/env bash
# push-kubernetes.sh IMAGES VERSION FILE: publishes the manifests of Kubernetes (scripts/images/pin.mjs) as an artefact of OCI, and prints its digest.
# Flux and Argo CD read it from the registry, `oras pull` gets the file. Needs oras (Debian 13), signed in. The same commit makes the same digest.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../ci/engine.sh"

images=$1 version=$2 file=$3
reference=$images/ringdown-kubernetes:$version
created=$(TZ=UTC git -C "$checkout" log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)
annotations=(--annotation "org.opencontainers.image.created=$created" --annotation "org.opencontainers.image.version=$version")
annotations+=(--annotation "org.opencontainers.image.licenses=Apache-2.0" --annotation "org.opencontainers.image.revision=$(git -C "$checkout" rev-parse HEAD)")

# From its folder: the name of the file is a part of the artefact.
cd "$(dirname "$file")"
oras push --no-tty "${annotations[@]}" --artifact-type application/vnd.ringdown.kubernetes.v1 \
  "$reference" "$(basename "$file"):application/vnd.oci.image.layer.v1.tar+gzip" >&2
oras resolve "$reference"
