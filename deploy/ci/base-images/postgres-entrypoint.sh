#!/bin/bash
# First start with an empty PGDATA: creates the cluster from POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB, then runs
# the *.sql and *.sh of /docker-entrypoint-initdb.d. If started as root, it switches to the user postgres.
set -euo pipefail

[ "${1:-}" != '' ] && [ "${1#-}" = "$1" ] || set -- postgres "$@"
if [ "$1" = postgres ] && [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres -m 0700 "$PGDATA"
  chown -R postgres:postgres "$PGDATA"
  chown postgres:postgres /run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups -- "$0" "$@"
fi

user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}

make_cluster() {
  if [ -z "${POSTGRES_PASSWORD:-}" ]; then
    echo 'error: the database is not initialized and POSTGRES_PASSWORD is not set' >&2
    exit 1
  fi
  initdb --username="$user" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") \
    --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 ${POSTGRES_INITDB_ARGS:-}
  printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  # Only on the socket until everything is created, so that no client sees an incomplete server as ready.
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  local run=(psql --no-psqlrc -v ON_ERROR_STOP=1 -U "$user")
  [ "$database" = postgres ] || "${run[@]}" -d postgres -v name="$database" <<<'CREATE DATABASE :"name";'
  local file
  for file in /docker-entrypoint-initdb.d/*; do
    case $file in
      *.sql) "${run[@]}" -d "$database" -f "$file" ;;
      *.sh) bash "$file" ;;
    esac
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
  echo 'PostgreSQL init process complete; ready for start up.'
}

if [ "$1" = postgres ]; then
  [ -s "$PGDATA/PG_VERSION" ] || make_cluster
  shift
  set -- postgres -c listen_addresses='*' "$@"
fi
exec "$@"
