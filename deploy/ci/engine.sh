# Sourced by the scripts beside it: folders of the checkout and the state, Docker and Compose commands to use.
# shellcheck shell=bash

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# Logs, process ids and generated settings of what these scripts start; never committed.
state=${RINGDOWN_CI_STATE:-$checkout/.cache/ci}
mkdir -p "$state"

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "error: $*"
  exit 1
}

engine_answers() { docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }

# The recipes need BuildKit. A recent client without its buildx plug-in silently falls back to the old builder,
# while Debian's 20.10 client includes BuildKit: use the first client that really has it.
build_command() {
  local client
  for client in "$(command -v docker || true)" /usr/bin/docker; do
    [ -x "$client" ] || continue
    if "$client" buildx version >/dev/null 2>&1 || [[ $("$client" --version) == *' 20.10.'* ]]; then
      printf '%s\n' "$client"
      return
    fi
  done
  fail 'no docker client with BuildKit: install the docker-buildx plug-in or Debian'"'"'s docker.io'
}

build_image() { DOCKER_BUILDKIT=1 "$(build_command)" build --progress=plain "$@"; }

# Compose v2 if it is installed, else docker-compose 1.29: the compose file works with both.
compose() {
  if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi
}

# Prints the duration of a step in seconds, to find slow steps.
timed() {
  local label=$1 start=$SECONDS
  shift
  say "== $label"
  "$@" || return
  say "== $label: $((SECONDS - start)) s"
}
