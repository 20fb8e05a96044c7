#!/bin/sh
# Writes the secrets of docker-compose.yml into files of a folder: sh deploy/docker/secrets.sh [folder]
# Files that exist stay as they are. Only the owner can open the folder, so the users of the containers can read its files.
set -eu
umask 022
folder=${1:-secrets}
examples=$(dirname "$0")
mkdir -p "$folder"
chmod 700 "$folder"

write() {
  [ -e "$folder/$1" ] || printf '%s\n' "$2" > "$folder/$1"
}

for name in postgres-password temporal-password client-secret callback-key; do
  secret=$(openssl rand -hex 24)
  write "$name" "$secret"
done
password=$(openssl rand -hex 24)
write database-url "postgres://lockerflow:$password@postgres:5432/lockerflow"
key=$(openssl rand -base64 32)
write store-keys "$(date +%Y-%m):$key"
secret=$(cat "$folder/client-secret")
topology=$(sed "s/the-same-as-LOCKERFLOW_CLIENT_SECRET/$secret/" "$examples/topology.example.yaml")
write topology.yaml "$topology"
