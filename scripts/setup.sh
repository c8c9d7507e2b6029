#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of the named sections of packages.txt that are missing.
# "PACKAGE unless COMMAND" is left out where COMMAND is there already, from wherever it came.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=()
for section in "$@"; do
    while read -r package unless command; do
        [[ ${unless:-} == unless ]] && command -v "$command" >/dev/null && continue
        wanted+=("$package")
    done < <(awk -v section="[$section]" '/^\[/ { inside = ($0 == section); next } inside && NF && !/^#/' packages.txt)
done

missing=()
for package in "${wanted[@]}"; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [[ $status == "install ok installed" ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

echo "installing: ${missing[*]}"
elevate=()
if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || { echo "as root: apt-get install ${missing[*]}" >&2; exit 1; }
    elevate=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for step in "apt-get update" "apt-get install -y --no-install-recommends ${missing[*]}"; do
    # shellcheck disable=SC2086
    "${elevate[@]}" $step >"$log" 2>&1 </dev/null || { cat "$log" >&2; exit 1; }
done
