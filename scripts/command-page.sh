#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# command-page.sh VAKA: prints docs/command.md, made of what --help says.
set -euo pipefail
vaka=$1
printf '# The command\n\nGenerated from `vaka --help` by `make docs`.\n\n```\n'
"$vaka" --help
printf '```\n'
"$vaka" --help | sed -n 's/^  \([a-z]\+\)  *[a-z].*$/\1/p' | grep -v '^vaka$' | while read -r subcommand; do
    printf '\n## vaka %s\n\n```\n' "$subcommand"
    "$vaka" "$subcommand" --help
    printf '```\n'
done
