// SPDX-License-Identifier: Apache-2.0

/// Where a distribution gives the debug information of its packages, by the debuginfod protocol.
struct DistributionServer {
    var distribution: String
    var url: String

    /// By `ID` of os-release(5); of one that is not known, the server that asks all others.
    static func of(_ id: String?) -> DistributionServer {
        guard let id, let known = known[id] else {
            return DistributionServer(
                distribution: id.map { "the distribution (\($0.prefix(40)))" } ?? "the distribution",
                url: "https://debuginfod.elfutils.org")
        }
        return known
    }

    private static let known: [String: DistributionServer] = [
        "arch": .init(distribution: "Arch Linux", url: "https://debuginfod.archlinux.org"),
        "centos": .init(distribution: "CentOS", url: "https://debuginfod.centos.org"),
        "debian": .init(distribution: "Debian", url: "https://debuginfod.debian.net"),
        "fedora": .init(distribution: "Fedora", url: "https://debuginfod.fedoraproject.org"),
        "opensuse-leap": .init(distribution: "openSUSE", url: "https://debuginfod.opensuse.org"),
        "opensuse-tumbleweed": .init(distribution: "openSUSE", url: "https://debuginfod.opensuse.org"),
        "ubuntu": .init(distribution: "Ubuntu", url: "https://debuginfod.ubuntu.com"),
    ]
}
