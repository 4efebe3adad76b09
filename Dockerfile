# The program as an image: built in one stage, run by an unprivileged user in another; see docs/deploy.md.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY svelte.config.js vite.config.ts tsconfig.json ./
COPY livechat livechat
COPY network network
COPY warehouse warehouse
COPY etl etl
COPY src src
# What is left of the packages afterwards is what runs, with the Node that package-lock.json names: no headers, maps, types, or bundles for browsers.
RUN PATH=/app/node_modules/.bin:$PATH npm run build \
  && npm prune --omit=dev --legacy-peer-deps --no-audit --no-fund \
  && rm -rf node_modules/node-linux-*/include node_modules/echarts/dist node_modules/.cache \
  && find node_modules -type f -regextype posix-extended -regex '.*\.([cm]?[jt]s\.map|d\.[cm]?ts)' -delete

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libstdc++6 \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 chatledger \
  && useradd --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin chatledger \
  && install -d -o 10001 -g 10001 -m 0700 /data /backups
WORKDIR /app
COPY --from=build /app /app
COPY LICENSE ./
ENV PATH=/app/node_modules/.bin:$PATH \
    NODE_ENV=production \
    CHATLEDGER_DATA=/data \
    CHATLEDGER_EMBEDDED_SERVICE=off \
    CHATLEDGER_LOG=json
USER 10001:10001
VOLUME /data
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
# Nothing is there to show until the first pull has published, which takes minutes.
HEALTHCHECK --interval=30s --timeout=5s --start-period=15m \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.CHATLEDGER_PORT ?? 3000}/api/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/server/chatledger.js", "start"]
