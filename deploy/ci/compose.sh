#!/usr/bin/env bash
# Runs the compose file for tests, isolated from other projects: own project name, random ports, own secrets.
#   COLLECTOR_REPLICAS=3 compose.sh up   builds the image, starts, waits for health; addresses as JSON on stdout
#   compose.sh run ARGUMENTS...           runs any other Compose command on the same project, for example: run logs nats
#   compose.sh demo                       starts the demo profile like README; fails if this changes replicas
#   compose.sh down                       stops and removes everything, volumes included
# RINGDOWN_PROJECT names the project (default ringdown-test). RINGDOWN_BASE_IMAGES=public uses the public images
# instead of the replacements of make-base-images.sh. RINGDOWN_COMPOSE_OVERLAY names a file that is used beside
# docker-compose.yml, such as deploy/cluster.yml.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/engine.sh"

project=${RINGDOWN_PROJECT:-ringdown-test}
folder=$state/$project
env_file=$folder/.env
wait_s=${RINGDOWN_COMPOSE_WAIT_S:-180}
files=(--file "$checkout/docker-compose.yml")
if [ -n "${RINGDOWN_COMPOSE_OVERLAY:-}" ]; then files+=(--file "$checkout/$RINGDOWN_COMPOSE_OVERLAY"); fi

# Settings in the file override those in the caller's environment, for example PORT.
in_project() {
  (
    while IFS= read -r line; do
      [[ $line != [A-Z]*=* ]] || export "${line%%=*}=${line#*=}"
    done <"$env_file"
    compose --project-name "$project" --env-file "$env_file" "${files[@]}" "$@"
  )
}

up() {
  engine_answers || fail 'no Docker engine answers: run deploy/ci/ensure-docker.sh first'
  [ ! -e "$env_file" ] || fail "$project is already running, or was not removed: run deploy/ci/compose.sh down"
  mkdir -p "$folder"
  trap 'show_trouble; down' EXIT
  write_env
  # Passwords are new: a run that was cut may have left volumes with its own.
  remove >"$state/remove-$project.log" 2>&1
  timed 'build the image of the services' build
  if [ "${RINGDOWN_COMPOSE_OVERLAY:-}" = deploy/cluster.yml ]; then timed 'build the image of the databases' build_patroni; fi
  timed "start $project" in_project up --detach --no-build "$@" >&2
  timed "start a sender for each front end" in_project up --detach --no-build --no-deps sender-fe1 sender-fe2 >&2
  timed "wait for health" wait_for_health
  collect_secrets
  trap - EXIT
  print_addresses
}

write_env() {
  local ports web feed fe1 fe2
  ports=$(free_ports 4)
  read -r web feed fe1 fe2 <<<"$ports"
  RINGDOWN_ENV_FILE=$env_file "$checkout/deploy/make-env.sh" "https://localhost:$web"
  printf 'COLLECTOR_PORT=%s\n' "$feed" >>"$env_file"
  printf '%s_REPLICAS=%s\n' COLLECTOR "${COLLECTOR_REPLICAS:-1}" AGGREGATOR "${AGGREGATOR_REPLICAS:-1}" >>"$env_file"
  printf 'SENDER_FE%s_HEP=127.0.0.1:%s\n' 1 "$fe1" 2 "$fe2" >>"$env_file"
  if [ "${RINGDOWN_BASE_IMAGES:-}" != public ]; then cat "$checkout/deploy/ci/images.env" >>"$env_file"; fi
}

# The requested number of free ports, below the range for outgoing connections.
free_ports() {
  node -e "
    const { createServer } = require('node:net');
    const found = [];
    const look = () => {
      if (found.length === $1) return console.log(found.join(' '));
      const port = 16384 + Math.floor(Math.random() * 16384);
      const server = createServer().listen(port, () => {
        if (!found.includes(port)) found.push(port);
        server.close(look);
      });
      server.on('error', look);
    };
    look();"
}

build() {
  (
    # Packages come from the machine's own registry, found with its own DNS.
    if [ "${RINGDOWN_BASE_IMAGES:-}" != public ]; then
      RINGDOWN_NODE_IMAGE=$(setting RINGDOWN_NODE_IMAGE)
      export RINGDOWN_NODE_IMAGE RINGDOWN_BUILD_NETWORK=host
    fi
    "$checkout/deploy/images/build.sh" "$(setting RINGDOWN_IMAGE ringdown-services:local)" >"$state/build-ringdown.log" 2>&1
  ) || {
    tail -n 40 "$state/build-ringdown.log" >&2
    fail "the image could not be built (whole output: $state/build-ringdown.log)"
  }
}

build_patroni() {
  build_image --network host --build-arg "POSTGRES_IMAGE=$(setting RINGDOWN_POSTGRES_IMAGE postgres:17.11-bookworm)" \
    --tag "$(setting RINGDOWN_PATRONI_IMAGE ringdown-patroni:local)" --file "$checkout/deploy/cluster/postgres.Dockerfile" \
    "$checkout/deploy/cluster" >"$state/build-patroni.log" 2>&1 || {
    tail -n 40 "$state/build-patroni.log" >&2
    fail "the image could not be built (whole output: $state/build-patroni.log)"
  }
}

setting() {
  local line
  line=$(grep "^$1=" "$env_file") || line="$1=${2:-}"
  printf '%s\n' "${line#*=}"
}

containers() { docker ps --all --quiet --filter "label=com.docker.compose.project=$project"; }

# One line per container: service, state, health (or none), exit code.
states() {
  containers | xargs -r docker inspect --format \
    '{{index .Config.Labels "com.docker.compose.service"}} {{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}} {{.State.ExitCode}}'
}

wait_for_health() {
  local deadline=$((SECONDS + wait_s)) waiting
  while true; do
    waiting=$(states | grep -vE ' running healthy | exited none 0$' || true)
    [ -n "$waiting" ] || return 0
    if [ $SECONDS -ge $deadline ]; then
      say "not healthy after $wait_s s:"
      say "$waiting"
      return 1
    fi
    sleep 1
  done
}

collect_secrets() {
  (
    umask 077
    docker exec "$(container discovery-auth)" cat /data/first-users.json >"$folder/first-users.json"
    docker exec "$(container edge)" cat /data/caddy/pki/authorities/local/root.crt >"$folder/ca.crt"
  )
}

container() { containers | xargs docker inspect --format '{{index .Config.Labels "com.docker.compose.service"}} {{.Id}}' | awk -v name="$1" '$1 == name { print $2; exit }'; }

print_addresses() {
  local fe1 fe2
  fe1=$(setting SENDER_FE1_HEP) fe2=$(setting SENDER_FE2_HEP)
  printf '{"project":"%s","origin":"%s","collector":"http://localhost:%s","caFile":"%s","firstUsersFile":"%s","envFile":"%s","senders":"%s"}\n' \
    "$project" "$(setting PUBLIC_ORIGIN)" "$(setting COLLECTOR_PORT)" "$folder/ca.crt" "$folder/first-users.json" "$env_file" \
    "fe1.example.test=${fe1##*:},fe2.example.test=${fe2##*:}"
}

# The replicas that .env asks for are still the same containers after the profile has been started.
demo() {
  local before after
  before=$(replicas)
  in_project --profile demo up --detach --no-build >&2
  after=$(replicas)
  [ "$before" = "$after" ] || fail "the demo profile changed the replicas, before:
$before
after:
$after"
  say "$(wc -l <<<"$after") replicas before and after"
}

replicas() {
  containers | xargs docker inspect --format \
    '{{index .Config.Labels "com.docker.compose.service"}} {{.Id}} {{.State.Status}}' | grep -E '^(collector|aggregator) ' | sort
}

show_trouble() {
  [ -n "$(containers)" ] || return 0
  say "== $project: states"
  states >&2 || true
  say "== $project: last lines"
  in_project logs --tail 25 >&2 || true
}

remove() { in_project --profile demo down --volumes --remove-orphans --timeout 30; }

down() {
  if [ -e "$env_file" ]; then remove >&2; fi
  rm -rf "$folder"
}

case ${1:-} in
  up) shift && up "$@" ;;
  down) timed "take $project down" down ;;
  demo) demo ;;
  run) shift && in_project "$@" ;;
  *) fail 'usage: compose.sh up|demo|down|run' ;;
esac
