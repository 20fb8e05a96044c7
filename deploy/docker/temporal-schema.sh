#!/bin/sh
# Updates Temporal's tables in both databases. Compose runs it before each start of the server, so also before the
# first start of a new version.
set -eu

schema=${TEMPORAL_SCHEMA:-/etc/temporal/schema/postgresql/v12}
SQL_PASSWORD=$(cat "$SQL_PASSWORD_FILE")
export SQL_PASSWORD

prepare() {
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-dir "$schema/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
