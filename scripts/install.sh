#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh PROGRAMS LIBRARIES DESTINATION PREFIX: puts what was built into place.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=$1 libraries=$2 destination=$3 prefix=$4

install -d "$destination"/{bin,lib/pkgconfig,include,share/man/man1}
install -d "$destination"/lib/systemd/system
install -d "$destination"/share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
install -s -m 755 "$programs/vaka" "$programs/vaka-server" "$destination/bin/"
install -m 644 "$libraries/libvakacrash.a" "$destination/lib/"
install -m 755 "$libraries/libvakacrash.so" "$destination/lib/"
install -m 644 CSupport/CVakaCrash/include/vaka_crash.h "$destination/include/"
install -m 644 Packaging/vaka.socket "$destination/lib/systemd/system/"
sed "s#@PREFIX@#$prefix#" Packaging/vaka.service >"$destination/lib/systemd/system/vaka.service"
chmod 644 "$destination/lib/systemd/system/vaka.service"

vaka=$destination/bin/vaka
version=$("$vaka" --version | cut -d' ' -f2)
cat >"$destination/lib/pkgconfig/vakacrash.pc" <<PC
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: vakacrash
Description: Crash capture for native programs
Version: $version
Libs: -L\${libdir} -lvakacrash
Libs.private: -lpthread -ldl
Cflags: -I\${includedir}
PC

# A page for each program and each subcommand, made from what --help says.
page() { # NAME SUMMARY WORDS…
    local name=$1 summary=$2
    shift 2
    {
        printf '.TH %s 1 "" "vaka %s" "Vaka"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n' \
            "$(tr '[:lower:]' '[:upper:]' <<<"$name")" "$version" "$name" "$summary"
        "$@" --help | sed -e 's/\\/\\\\/g' -e 's/^\([.'"'"']\)/\\\&\1/' -e 's/-/\\-/g'
        printf '.fi\n'
    } >"$destination/share/man/man1/$name.1"
}
page vaka "read, name, upload and send crash reports" "$vaka"
page vaka-server "the crash reporting service" "$destination/bin/vaka-server"
"$vaka" --help | sed -n 's/^  \([a-z]\+\)  *\([a-z].*\)$/\1 \2/p' | grep -v '^vaka ' | while read -r subcommand summary; do
    page "vaka-$subcommand" "$summary" "$vaka" "$subcommand"
done

"$vaka" completions bash >"$destination/share/bash-completion/completions/vaka"
"$vaka" completions zsh >"$destination/share/zsh/site-functions/_vaka"
"$vaka" completions fish >"$destination/share/fish/vendor_completions.d/vaka.fish"
echo "installed vaka $version under $destination"
