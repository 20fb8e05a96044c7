# One image for the service, the gateway, the worker and the preparation of Temporal; the command chooses.

FROM node:24.21.0-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The bundler of the workflows comes with the worker's SDK: nothing here needs what is for development only.
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN node worker/build.ts workflows.js

FROM node:24.21.0-bookworm-slim
# What runs here installs nothing.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack
# The slim image has none, and Temporal's client takes the system's when it speaks TLS.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
WORKDIR /app
COPY --from=build /app ./
ENV NODE_ENV=production
ENV LOCKERFLOW_WORKFLOW_BUNDLE=/app/workflows.js
# Owned by root, run by somebody who can change nothing of it.
USER node
STOPSIGNAL SIGTERM
CMD ["node", "service/main.ts"]
