#!/bin/sh
# Brings Temporal's tables up to date, in both databases; does nothing where they are. Run before each start of the
# server, and so with each new version of it.
set -eu

schema=${TEMPORAL_SCHEMA:-/etc/temporal/schema/postgresql/v12}

prepare() {
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-dir "$schema/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
