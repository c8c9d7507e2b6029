// SPDX-License-Identifier: Apache-2.0

/// A release's name as a semantic version (semver.org, 2.0.0): `NAME@1.2.3-beta.1+build`, the name and `v` left out or not.
///
/// Two to four numbers are taken, for many programs have such.
package struct ReleaseVersion: Sendable {
    /// What stands before the version; only versions of one name are compared.
    let name: Substring
    private let numbers: [UInt64]
    private let prerelease: [Substring]

    /// Nil for any other name.
    package init?(_ release: String) {
        let at = release.lastIndex(of: "@")
        name = at.map { release[..<$0] } ?? ""
        var rest = at.map { release[release.index(after: $0)...] } ?? release[...]
        if rest.first == "v" { rest = rest.dropFirst() }
        rest = rest.prefix { $0 != "+" }
        let core = rest.prefix { $0 != "-" }
        let parts = core.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.utf8.allSatisfy(Self.isDigit) ? UInt64(part) : nil }
        guard (2...4).contains(parts.count), numbers.count == parts.count else { return nil }
        self.numbers = numbers
        let tail = rest.dropFirst(core.count + 1)
        prerelease = tail.isEmpty ? [] : tail.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Negative when this one is earlier; nil where the names differ, or where neither is earlier.
    func order(to other: ReleaseVersion) -> Int? {
        guard name == other.name else { return nil }
        for index in 0..<max(numbers.count, other.numbers.count) {
            let (mine, its) = (numbers.dropFirst(index).first ?? 0, other.numbers.dropFirst(index).first ?? 0)
            if mine != its { return mine < its ? -1 : 1 }
        }
        // A version comes after its own pre-releases.
        if prerelease.isEmpty != other.prerelease.isEmpty { return prerelease.isEmpty ? 1 : -1 }
        for (mine, its) in zip(prerelease, other.prerelease) where mine != its { return Self.order(mine, its) }
        let difference = prerelease.count - other.prerelease.count
        return difference == 0 ? nil : difference
    }

    private static func order(_ mine: Substring, _ its: Substring) -> Int {
        switch (mine.utf8.allSatisfy(isDigit) ? UInt64(mine) : nil, its.utf8.allSatisfy(isDigit) ? UInt64(its) : nil) {
        case (let left?, let right?): left < right ? -1 : 1
        case (_?, nil): -1
        case (nil, _?): 1
        case (nil, nil): mine.utf8.lexicographicallyPrecedes(its.utf8) ? -1 : 1
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
