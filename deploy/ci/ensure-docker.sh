#!/usr/bin/env bash
# Makes sure that a Docker engine runs. Uses an existing one; otherwise, on Debian and as root, installs
# Debian's docker.io and docker-compose and starts dockerd by hand (no init system needed).
# stop-docker.sh stops what this script started.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/engine.sh"
export PATH=$PATH:/usr/sbin:/sbin

log=$state/dockerd.log
pid_file=$state/dockerd.pid

main() {
  if engine_answers; then
    say "docker: engine $(docker version --format '{{.Server.Version}}') answers"
    install_missing_tools
    return
  fi
  [ -z "${DOCKER_HOST:-}" ] || fail "no Docker engine answers at DOCKER_HOST=$DOCKER_HOST"
  [ "$(id -u)" = 0 ] || fail 'no Docker engine answers; start Docker yourself, or run this as root on Debian to have one installed'
  install_missing_tools
  if [ -d /run/systemd/system ] && systemctl start docker 2>>"$log" && wait_for_engine; then
    say 'docker: started by systemd'
    return
  fi
  start_by_hand
}

install_missing_tools() {
  local wanted=()
  command -v dockerd >/dev/null || engine_answers || wanted+=(docker.io iptables)
  command -v docker-compose >/dev/null || docker compose version >/dev/null 2>&1 || wanted+=(docker-compose)
  (build_command) >/dev/null 2>&1 || wanted+=(docker.io)
  [ ${#wanted[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || fail "missing: ${wanted[*]}; install Docker with Compose for this system"
  [ "$(id -u)" = 0 ] || fail "missing: ${wanted[*]}; install them, or run this as root"
  timed "install ${wanted[*]}" apt_install "${wanted[@]}"
}

apt_install() {
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install -y --no-install-recommends "$@"; } >"$state/apt.log" 2>&1 || {
    tail -n 20 "$state/apt.log" >&2
    fail "apt-get could not install $* (whole output: $state/apt.log)"
  }
}

# First without flags. If the log of a failed start names a feature that this kernel or sandbox lacks, again without it.
start_by_hand() {
  local flags=() attempt
  command -v dockerd >/dev/null || fail 'dockerd is not installed'
  for attempt in 1 2 3 4; do
    forget_dead_engine
    say "docker: starting dockerd ${flags[*]}"
    : >"$log"
    setsid dockerd "${flags[@]}" >>"$log" 2>&1 </dev/null &
    echo $! >"$pid_file"
    if wait_for_engine; then
      say "docker: dockerd runs, log in $log"
      return
    fi
    bash "$checkout/deploy/ci/stop-docker.sh"
    if ! mountpoint -q /sys/fs/cgroup && grep -qi cgroup "$log"; then
      mount_cgroups
    elif [[ ${flags[*]} != *iptables* ]] && grep -qiE 'iptables|nf_tables|NAT chain' "$log"; then
      flags+=(--iptables=false --ip-masq=false)
    elif [[ ${flags[*]} != *storage* ]] && grep -qiE 'overlay|graphdriver|storage.driver' "$log"; then
      flags+=(--storage-driver=vfs)
    else
      break
    fi
  done
  fail "dockerd does not start here: $(reason)"
}

reason() {
  local line
  line=$(grep -E 'failed to start daemon|level=(fatal|error)|^Error' "$log" | tail -n 1 || true)
  printf '%s (whole log: %s)' "${line:-$(tail -n 1 "$log")}" "$log"
}

wait_for_engine() {
  local deadline=$((SECONDS + 60))
  until engine_answers; do
    [ $SECONDS -lt $deadline ] || return 1
    # Started by hand and already ended: do not wait.
    if [ -s "$pid_file" ] && ! kill -0 "$(cat "$pid_file")" 2>/dev/null; then return 1; fi
    sleep 0.5
  done
}

# A killed engine leaves process id files; dockerd does not start if a new process has the same id.
forget_dead_engine() {
  local name file
  for name in dockerd:/run/docker.pid containerd:/run/docker/containerd/containerd.pid; do
    file=${name#*:}
    [ -s "$file" ] || continue
    [ "$(cat "/proc/$(cat "$file")/comm" 2>/dev/null)" = "${name%%:*}" ] || rm -f "$file"
  done
}

mount_cgroups() {
  local controller
  mount -t tmpfs -o uid=0,gid=0,mode=0755 cgroup /sys/fs/cgroup
  for controller in $(awk '!/^#/ && $4 == 1 { print $1 }' /proc/cgroups); do
    mkdir -p "/sys/fs/cgroup/$controller"
    mount -n -t cgroup -o "$controller" cgroup "/sys/fs/cgroup/$controller" || rmdir "/sys/fs/cgroup/$controller"
  done
}

main
