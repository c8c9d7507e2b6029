// SPDX-License-Identifier: Apache-2.0
import CZlib
import Glibc
import VakaModel

/// Finds the separate debug files of an image: by build id under the system's folder and by `.gnu_debuglink`.
enum DebugLink {
    static let systemFolder = "/usr/lib/debug"

    /// The path under a root that keeps debug files by build id, such as `ROOT/.build-id/ab/cdef….debug`.
    static func path(_ buildID: BuildID, under root: String) -> String {
        let hex = buildID.description
        return "\(root)/.build-id/\(hex.prefix(2))/\(hex.dropFirst(2)).debug"
    }

    /// The companion of a stripped file, verified by build id or, where either has none, by checksum.
    static func companion(
        of file: Candidate, useSystem: Bool, reader: CandidateReader = CandidateReader()
    ) -> Candidate? {
        guard let name = file.identity.debugLink, !name.isEmpty, !name.contains("/") else { return nil }
        let slash = file.path.lastIndex(of: "/")
        let folder = slash.map { String(file.path[..<$0]) } ?? "."
        var places = ["\(folder)/\(name)", "\(folder)/.debug/\(name)"]
        if useSystem, folder.hasPrefix("/") { places.append("\(systemFolder)\(folder)/\(name)") }
        for place in places where place != file.path {
            guard let identity = try? reader.identify(place) else { continue }
            if belongs(identity, at: place, to: file.identity) {
                return Candidate(path: place, identity: identity, source: "debug link beside \(file.source)")
            }
        }
        return nil
    }

    private static func belongs(_ identity: ELFIdentity, at path: String, to code: ELFIdentity) -> Bool {
        guard identity.machine == code.machine else { return false }
        if let one = identity.buildID, let other = code.buildID { return one == other }
        return checksum(path) == code.debugLinkChecksum
    }

    /// The CRC-32 over a whole file that `.gnu_debuglink` carries.
    static func checksum(_ path: String) -> UInt32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var sum = crc32(0, nil, 0)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return UInt32(truncatingIfNeeded: sum) }
            guard count > 0 else { return nil }
            sum = crc32(sum, buffer, UInt32(count))
        }
    }
}
