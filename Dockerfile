# One image for the service, the gateway, the worker and the preparation of Temporal. The command selects one of them.

FROM node:24.21.0-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4 AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/api/package.json packages/api/package.json
COPY packages/client/package.json packages/client/package.json
COPY packages/lockerflow/package.json packages/lockerflow/package.json
COPY packages/testing/package.json packages/testing/package.json
# The worker's SDK contains the bundler of the workflows, so the build needs no development packages.
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN node worker/build.ts workflows.js

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# A running container installs no packages.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack
# The slim image has no certificates, and Temporal's client reads the system's for TLS.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
WORKDIR /app
COPY --from=build /app ./
ENV NODE_ENV=production
ENV LOCKERFLOW_WORKFLOW_BUNDLE=/app/workflows.js
# The files belong to root, so the process cannot change them.
USER node
STOPSIGNAL SIGTERM
CMD ["node", "service/main.ts"]
