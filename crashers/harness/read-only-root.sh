#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs a program where nothing can be written but in /tmp: read-only-root.sh COMMAND…
exec unshare --user --map-root-user --mount sh -c '
    mount --rbind /tmp /tmp && mount -o remount,ro,bind / || exit 125
    touch /read-only-root 2> /dev/null && exit 125
    exec "$@"' sh "$@"
