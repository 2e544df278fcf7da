#!/usr/bin/env bash
# name.sh IMAGES NAME VERSION DIGEST...: gives one name to images that were pushed without one (publish.sh), one for each kind of processor, and prints
# the digest of the list of them. Needs docker-buildx, signed in.
set -euo pipefail
images=$1 name=$2 version=$3
shift 3

docker buildx imagetools create --tag "$images/$name:$version" "${@/#/$images/$name@}" >&2
# Not by `--format '{{.Manifest.Digest}}'`: of a list, buildx prints a table for it.
docker buildx imagetools inspect --raw "$images/$name:$version" | sha256sum | sed 's/^\([0-9a-f]*\).*/sha256:\1/'
