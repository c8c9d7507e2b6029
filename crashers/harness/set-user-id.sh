#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs a program as nobody, from a copy that belongs to root and sets its user id: set-user-id.sh COMMAND… The command is
# one of `env`, with VAKA_STORAGE among its variables: the copy lies there.
command -v setpriv > /dev/null && [ "$(id -u)" = 0 ] || exit 125
[ $# -gt 1 ] || exec "$@"
storage=
for word; do
    shift
    case $word in
    VAKA_STORAGE=*)
        storage=${word#*=}
        chmod 755 "$storage"
        ;;
    /*/crashers/*)
        [ -n "$storage" ] || exit 125
        copy=$storage/${word##*/}
        cp "$word" "$copy" && chmod 4755 "$copy" || exit 125
        word=$copy
        ;;
    esac
    set -- "$@" "$word"
done
exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
