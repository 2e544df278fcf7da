#!/usr/bin/env bash
# publish.sh ARCH OUT: builds the images of a release for one kind of processor (amd64, arm64), with SBOM and provenance, and pushes each without
# a name. Writes their digests to OUT/NAME.ARCH. For .github/workflows/release.yml: needs docker-buildx with a builder that can attest, the tarball in
# `out`, and in the environment IMAGES (registry and owner) and the base images with their digests (scripts/images/pin.mjs).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../ci/engine.sh"
. "$(dirname "${BASH_SOURCE[0]}")/labels.sh"

arch=$1 out=$2
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
mkdir -p "$out"
cp "$checkout"/out/ringdown-*-linux-"$arch".tar.xz "$context/"

image_labels
committed=$(git -C "$checkout" log -1 --format=%ct)
while read -r name recipe target folder; do
  if [ "$folder" = tarball ]; then from=$context; else from=$checkout/$folder; fi
  options=(--file "$checkout/$recipe" --platform "linux/$arch" --sbom true --provenance mode=max "${labels[@]}")
  options+=(--build-arg NODE_IMAGE --build-arg DEBIAN_IMAGE --build-arg POSTGRES_IMAGE --build-arg "SOURCE_DATE_EPOCH=$committed")
  if [ "$target" != - ]; then options+=(--target "$target"); fi
  docker buildx build "${options[@]}" --metadata-file "$context/metadata.json" \
    --output "type=image,name=$IMAGES/$name,push-by-digest=true,name-canonical=true,push=true" "$from" </dev/null
  node --print 'require(process.argv[1])["containerimage.digest"]' "$context/metadata.json" >"$out/$name.$arch"
done < <(node "$checkout/scripts/images/images.mjs")
