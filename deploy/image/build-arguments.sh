#!/bin/sh
# build-arguments.sh: prints the arguments for docker, podman or buildah that fill the labels of the image: version and revision
# of this checkout, the time of the build, and where the checkout was cloned from, if that is a host and not a folder.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^  "version": "\([^"]*\)",$/\1/p' package.json)
revision=$(git rev-parse HEAD)
# Files that are not committed yet are in the image as well.
if [ -n "$(git status --porcelain)" ]; then revision=$revision-dirty; fi
# As an address of the web, without user name and password.
source=$({ git remote get-url origin 2>/dev/null || true; } | sed -nE -e 's|\.git/?$||' \
  -e 's#^(https?)://([^/@]*@)?(.+)$#\1://\3#p' -e 's#^(ssh://)?[^/@:]+@([^/:]+)(:[0-9]+)?[:/](.+)$#https://\2/\4#p')

printf '%s ' "--build-arg VERSION=$version" "--build-arg REVISION=$revision" \
  "--build-arg CREATED=$(date -u +%Y-%m-%dT%H:%M:%SZ)" ${source:+"--label org.opencontainers.image.source=$source"}
echo
