# AgentPR with git, bubblewrap and its own Node. What a container needs so that boxes can be built in it:
# docs/operating.md. Agents other than `script` and `builtin` go into an image of yours that begins FROM this one.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
# Packages first: they are the same for most changes of the sources.
COPY package.json package-lock.json ./
COPY playground/package.json playground/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run -s build && npm pack ./dist --silent --pack-destination /tmp
RUN npm install --prefix /opt/agentpr --omit=optional --no-audit --no-fund /tmp/agentpr-*.tgz

FROM ${NODE_IMAGE}
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends bubblewrap ca-certificates git openssh-client tini \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home agentpr \
 && install -d -o agentpr -g agentpr -m 700 /data
COPY --from=build /opt/agentpr /opt/agentpr
RUN ln -s /opt/agentpr/node_modules/.bin/agentpr /usr/local/bin/agentpr
USER agentpr
# agentpr.config.json is read here.
WORKDIR /home/agentpr
ENV AGENTPR_DATA_DIR=/data AGENTPR_HTTP_HOST=0.0.0.0 AGENTPR_HTTP_PORT=8787
# One heap of glibc, given back early: docs/bench.md says what that saves.
ENV MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const { AGENTPR_HTTP_HOST: host, AGENTPR_HTTP_PORT: port } = process.env; fetch(`http://${host}:${port}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Somebody must bury the processes that agents leave behind.
ENTRYPOINT ["tini", "--", "agentpr"]
CMD ["start"]
