// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What an event says of the machine and the program, as far as it tells where images come from.
struct SupplyContext {
    /// Folders that packages of the distribution fill.
    private static let systemFolders = ["/usr/", "/lib/", "/lib32/", "/lib64/", "/libx32/", "/bin/", "/sbin/"]
    /// Folders below those that they leave alone.
    private static let ownFolders = ["/usr/local/", "/usr/src/"]
    private static let deleted = " (deleted)"

    let event: Event
    let service: String

    func supply(of image: DebugImage?, frames: Int) -> ImageSupply {
        guard let image else {
            return ImageSupply(
                buildID: nil, codeFile: nil, frames: frames, supplier: .nobody,
                reason: "the code lies in no file: a program made it as it ran (JIT), or the address is wrong",
                command: nil)
        }
        let path = image.codeFile.map { $0.hasSuffix(Self.deleted) ? String($0.dropLast(Self.deleted.count)) : $0 }
        let (supplier, reason, command) = origin(image, path ?? "")
        return ImageSupply(
            buildID: image.buildID, codeFile: image.codeFile, frames: frames, supplier: supplier, reason: reason,
            command: command)
    }

    private typealias Origin = (ImageSupply.Supplier, reason: String, command: String?)

    private func origin(_ image: DebugImage, _ path: String) -> Origin {
        if isKernels(path) { return (.nobody, "the kernel's own code, of which there is no file", nil) }
        guard path.hasPrefix("/"), !path.hasPrefix("/memfd:"), !path.hasPrefix("/dev/"), !path.hasPrefix("/SYSV") else {
            return (.nobody, "it was no file: a program made it as it ran", nil)
        }
        guard let buildID = image.buildID else {
            return (
                .you, "it has no build id, by which it could be found",
                "link it with -Wl,--build-id=sha1 and deploy it anew"
            )
        }
        guard isOfDistribution(path) else { return own(image, path) }
        let server = DistributionServer.of(event.contexts["os"]?["id"]?.string)
        return (
            .distribution, "it belongs to \(server.distribution)",
            """
            vaka upload debug --url \(service) "$(DEBUGINFOD_URLS=\(server.url) debuginfod-find debuginfo \(buildID))"
            """
        )
    }

    private func own(_ image: DebugImage, _ path: String) -> Origin {
        let reason: String =
            switch image.status {
            case .found?:
                "the file that is there names too little: upload it as it was before it was stripped, or its .debug file"
            case .malformed?: "the file that is there cannot be read: build it again"
            case .mismatched?: "the file that is there is of another build"
            default: "nobody uploaded it"
            }
        return (.you, reason, "vaka upload debug --url \(service) \(Self.quoted(path))")
    }

    private func isKernels(_ path: String) -> Bool {
        path.hasPrefix("[vdso") || path.hasPrefix("[vsyscall") || path.hasPrefix("linux-vdso")
            || path.hasPrefix("linux-gate")
    }

    /// The program itself is taken for its builder's wherever it lies, unless it is no one's own code.
    private func isOfDistribution(_ path: String) -> Bool {
        guard Self.systemFolders.contains(where: path.hasPrefix), !Self.ownFolders.contains(where: path.hasPrefix)
        else {
            return false
        }
        return event.contexts["process"]?["executable"]?.string != path
    }

    private static func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            byte < 128
                && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
                    || "/._-+:@%".utf8.contains(byte))
        }
        return plain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
