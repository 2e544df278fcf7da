#!/usr/bin/env bash
# Builds the replacements for the public base images (names in images.env) from Debian's packages: for machines that reach
# a Debian mirror but no registry. Needs root, debootstrap, a running engine and a checkout after `npm ci`.
# An argument `etcd` also makes that one, for deploy/cluster.yml.
# Existing images from the same recipe and younger than two weeks are kept.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/engine.sh"
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"
export PATH=$PATH:/usr/sbin:/sbin
set -a
. "$checkout/deploy/ci/images.env"
set +a

suite=bookworm
debian_image=$RINGDOWN_DEBIAN_IMAGE
recipes=$checkout/deploy/ci/base-images
max_age_s=$((14 * 86400))
work=$(mktemp -d "$state/base-images.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT

main() {
  engine_answers || fail 'no Docker engine answers: run deploy/ci/ensure-docker.sh first'
  local debian_recipe target image recipe
  debian_recipe=$(declare -f make_debian | sha256sum | cut -c1-16)
  if ! fresh "$debian_image" "$debian_recipe"; then
    timed "make $debian_image" make_debian "$debian_recipe"
  fi
  for target in node nats postgres caddy haproxy "$@"; do
    image=$(name_of "$target")
    recipe=$(recipe_of "$target")
    if fresh "$image" "$recipe"; then
      say "$image exists"
    else
      timed "make $image" make_stand_in "$target" "$image" "$recipe"
    fi
  done
  # Images of older recipes.
  docker image prune --force --filter label=ringdown.recipe >/dev/null
}

name_of() {
  local variable=RINGDOWN_${1^^}_IMAGE
  printf '%s\n' "${!variable}"
}

recipe_of() {
  {
    cat "$recipes"/*
    docker image inspect --format '{{.Id}}' "$debian_image"
    [ "$1" != node ] || "$(node_binary)" --version
  } | sha256sum | cut -c1-16
}

fresh() {
  local image=$1 recipe=$2 found created
  found=$(docker image inspect --format '{{index .Config.Labels "ringdown.recipe"}} {{.Created}}' "$image" 2>/dev/null) ||
    return 1
  created=${found#* }
  [ "${found%% *}" = "$recipe" ] && [ $(($(date +%s) - $(date -d "$created" +%s))) -lt $max_age_s ]
}

# The mirrors and proxies are those of this machine's apt; if it has none for the suite, debootstrap's default.
make_debian() {
  local root=$work/root targets mirror
  command -v debootstrap >/dev/null || install_debootstrap
  targets=$(apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == "Debian" && $4 == "main" && ($2 == suite || index($2, suite "-") == 1)' | sort -u)
  mirror=${RINGDOWN_DEBIAN_MIRROR:-$(awk -v suite="$suite" '$2 == suite { print $3; exit }' <<<"$targets")}
  # shellcheck disable=SC2086 # without a mirror there is no argument
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" ${mirror:-} >"$state/debootstrap.log" 2>&1 || {
    tail -n 20 "$state/debootstrap.log" >&2
    fail "debootstrap could not create $suite (whole output: $state/debootstrap.log)"
  }
  if [ -n "$targets" ]; then awk '{ print "deb", $3, $2, $4 }' <<<"$targets" >"$root/etc/apt/sources.list"; fi
  apt-config dump | grep -E '^Acquire::(http|https|Check|Retries)' >"$root/etc/apt/apt.conf.d/90builder" || true
  echo 'Acquire::Languages "none";' >>"$root/etc/apt/apt.conf.d/90builder"
  printf 'path-exclude=%s\n' '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/info/*' '/usr/share/locale/*' \
    >"$root/etc/dpkg/dpkg.cfg.d/90slim"
  rm -rf "$root"/usr/share/{doc,man,info,locale}/* "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root"/var/log/*
  tar -C "$root" --one-file-system --numeric-owner -c . |
    docker import -c "LABEL ringdown.recipe=$1" -c 'ENV DEBIAN_FRONTEND=noninteractive' -c 'CMD ["bash"]' - "$debian_image" >/dev/null
  rm -rf --one-file-system "$root"
}

make_stand_in() {
  local target=$1 image=$2 recipe=$3 context=$work/$1
  mkdir -p "$context"
  cp "$recipes"/* "$context"
  if [ "$target" = node ]; then
    cp -L "$(node_binary)" "$context/node"
    cp -RL "$(npm_folder)" "$context/npm"
  fi
  build_image --network host --target "$target" --tag "$image" --label "ringdown.recipe=$recipe" \
    --build-arg DEBIAN_IMAGE="$debian_image" "$context" >"$state/build-$target.log" 2>&1 || {
    tail -n 30 "$state/build-$target.log" >&2
    fail "the recipe of $image failed (whole output: $state/build-$target.log)"
  }
}

# Node 24 comes from the npm package for this system, independent of the machine's own Node.
node_binary() {
  local file=$checkout/node_modules/.bin/node
  [ -x "$file" ] || fail 'no Node binary in node_modules: run npm ci first'
  printf '%s\n' "$file"
}

npm_folder() {
  local folder
  folder=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  [ -f "$folder/bin/npm-cli.js" ] || fail "npm is not a link into its own folder: $(command -v npm)"
  printf '%s\n' "$folder"
}

main "$@"
