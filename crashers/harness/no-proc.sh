#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs a program without /proc: no-proc.sh COMMAND…
exec unshare --user --map-root-user --mount sh -c '
    mount -t tmpfs none /proc || exit 125
    exec "$@"' sh "$@"
