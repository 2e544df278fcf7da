# Sourced by the scripts beside it, after engine.sh: systems of Debian that are made here.
# shellcheck shell=bash

# The mirror of this machine's apt for any suite: that of its own. Nothing where it has none, for debootstrap's default.
debian_mirror() {
  printf '%s\n' "${RINGDOWN_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(CODENAME) $(REPO_URI)' \
    'Created-By: Packages' | awk '$1 == "Debian" && $2 == "main" && $3 !~ /-/ { print $4; exit }')}"
}

install_debootstrap() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
    fail 'debootstrap is missing; it needs root on a Debian-like system. If a registry is reachable, set RINGDOWN_BASE_IMAGES=public instead'
  { apt-get update && apt-get install -y --no-install-recommends debootstrap; } >"$state/apt.log" 2>&1 ||
    fail "apt-get could not install debootstrap (whole output: $state/apt.log)"
}
