# PostgreSQL with Patroni, which decides by etcd which server is the primary.
ARG POSTGRES_IMAGE=postgres:17.11-bookworm
FROM ${POSTGRES_IMAGE}
# As in deploy/images/Dockerfile: nothing is built under the name of a published image.
ARG IMAGE=ringdown-patroni:local
USER root
RUN case $IMAGE in *:local) ;; *) \
  echo "$IMAGE is a published image, which is not built here. Get it first (docker compose pull), or unset RINGDOWN_PATRONI_IMAGE" >&2; \
  exit 1 ;; esac
RUN apt-get update \
  && apt-get install -y --no-install-recommends patroni python3-etcd \
  && rm -rf /var/lib/apt/lists/* \
  && patroni --version
LABEL org.opencontainers.image.title="Ringdown: PostgreSQL with Patroni" org.opencontainers.image.licenses=PostgreSQL
USER postgres
