#!/usr/bin/env bash
# Uploads the packages of a release: bash packages/build/upload.sh <folder> <SHA-256 of its SHA256SUMS>
# Its job has the identity that npm trusts, so it runs nothing but npm, and no script of a package.
set -euo pipefail
cd "$1"

# Earlier versions know no trusted publishing and would ask for a token.
oldest=11.5.1
version=$(npm --version)
if [ "$(printf '%s\n' "$oldest" "$version" | sort --version-sort | head -n 1)" != "$oldest" ]; then
  echo "upload: npm must be $oldest or later, got $version." >&2
  exit 1
fi

# The sum comes from the job that built the packages, and not with the files.
printf '%s  SHA256SUMS\n' "$2" | sha256sum --check --strict
sha256sum --check --strict SHA256SUMS

# The list is one of the files with a checksum. So is each package, or the search ends the upload before the first one.
while read -r file; do grep --quiet --fixed-strings "  $file" SHA256SUMS; done < uploads.txt
while read -r file; do
  npm publish "./$file" --access public --provenance --ignore-scripts < /dev/null
done < uploads.txt
