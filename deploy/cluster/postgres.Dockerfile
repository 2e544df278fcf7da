# PostgreSQL with Patroni, which decides by etcd which server is the primary.
ARG POSTGRES_IMAGE=postgres:17.11-bookworm
FROM ${POSTGRES_IMAGE}
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends patroni python3-etcd \
  && rm -rf /var/lib/apt/lists/* \
  && patroni --version
USER postgres
