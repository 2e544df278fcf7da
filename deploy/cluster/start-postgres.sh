#!/bin/bash
# Patroni, which creates, starts and stops the PostgreSQL of this container.
set -euo pipefail
PATRONI_POSTGRESQL_BIN_DIR=$(dirname "$(readlink -f "$(command -v postgres)")")
export PATRONI_POSTGRESQL_BIN_DIR
# PostgreSQL starts only in a folder that nobody else can read.
install -d -m 0700 /var/lib/postgresql/data/cluster
exec patroni /etc/ringdown-cluster/patroni.yml
