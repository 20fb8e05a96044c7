# One image for the service, the gateway, the worker and the preparation of Temporal. The command selects one of them.

FROM node:24.21.0-bookworm AS build
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

FROM node:24.21.0-bookworm-slim
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
