# The whole system in one container, as `npm start` runs it: the tarball of `npm run package`, which has Node, nats-server and PostgreSQL inside.
# Built by build-ringdown.sh; its context is a folder with that tarball.
ARG DEBIAN_IMAGE=debian:trixie-slim
FROM ${DEBIAN_IMAGE}
# Unpacked by the engine. The name has the version; links do not.
ADD ringdown-*-linux-*.tar* /opt/
# PostgreSQL asks for the name of its user.
RUN ln -s /opt/ringdown-* /opt/ringdown \
  && ln -s /opt/ringdown/bin/ringdown /usr/local/bin/ringdown \
  && groupadd --gid 1000 ringdown \
  && useradd --uid 1000 --gid ringdown --home-dir /data --no-create-home --shell /usr/sbin/nologin ringdown \
  && install -d -o ringdown -g ringdown -m 0700 /data /etc/ringdown
LABEL org.opencontainers.image.title="Ringdown" \
  org.opencontainers.image.description="The whole system in one container" \
  org.opencontainers.image.licenses=Apache-2.0
# All that is kept is in one volume. Only what is published can be reached, so that the feed may listen; it accepts private addresses.
ENV NODE_ENV=production \
  DATA_DIR=/data/ringdown \
  RINGDOWN_BACKUPS=/data/backups \
  RINGDOWN_ENV_FILE=/etc/ringdown/ringdown.env \
  NODE_COMPILE_CACHE=/data/cache \
  COLLECTOR_HOST=0.0.0.0
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8443 8080
# Without a shell, so that signals reach the program.
ENTRYPOINT ["/opt/ringdown/node/bin/node", "--max-semi-space-size=8", "/opt/ringdown/dist/ringdown/commands.js"]
CMD ["run"]
# As the services are asked (Dockerfile). The first start creates the database.
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=12 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/${INNER_PORT:-8790} || exit 1; printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3; grep -q '^HTTP/1.1 200 ' <&3"]
