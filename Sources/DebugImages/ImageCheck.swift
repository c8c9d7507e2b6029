// SPDX-License-Identifier: Apache-2.0

/// What an ELF file can give a crash report, what it lacks, and what would mend that.
package struct ImageCheck: Sendable, Hashable, Codable {
    /// One line of the answer.
    package struct Item: Sendable, Hashable, Codable {
        package enum State: String, Sendable, Codable {
            case ok, partial, missing
        }

        package var name: String
        package var state: State
        package var detail: String
        /// The command, or the option, that would mend it; nil where nothing needs to be.
        package var cure: String?
    }

    package struct Failure: Sendable, Hashable, Codable {
        package var code: DebugImageError.Code
        package var message: String
    }

    package var path: String
    /// Nil when the file is no whole ELF file; then `error` says why.
    package var identity: ELFIdentity?
    package var dwarf: DWARFSummary?
    package var items: [Item]
    package var error: Failure?

    /// Frames in this image will have function, file and line.
    package var isComplete: Bool { error == nil && items.allSatisfy { $0.state == .ok || $0.name == "source" } }

    /// Reads the file; never throws, as a file that cannot be read is an answer too. Any thread.
    package init(path: String) {
        self.path = path
        items = []
        do {
            let identity = try ELFIdentifier.identify(path: path)
            self.identity = identity
            dwarf = identity.hasDebugInfo ? DWARFSummary(path: path) : nil
            items = ImageCheckItems(path: path, identity: identity, dwarf: dwarf).all
        } catch {
            self.error = Failure(code: error.code, message: error.message)
        }
    }

    /// A few lines for a terminal, without a line end after the last.
    package var text: String {
        guard let identity else { return "\(path): \(error?.message ?? "cannot be read")" }
        let kind = "\(identity.machine), \(identity.bits) bits, \(Self.kind(identity))"
        let width = items.map(\.name.count).max() ?? 0
        let lines = items.map { item in
            let name = item.name + String(repeating: " ", count: width - item.name.count)
            let cure = item.cure.map { "\n  \(String(repeating: " ", count: width + 10))→ \($0)" } ?? ""
            return "  \(Self.word(item.state)) \(name)  \(item.detail)\(cure)"
        }
        return (["\(path): \(kind)"] + lines).joined(separator: "\n")
    }

    private static func word(_ state: Item.State) -> String {
        switch state {
        case .ok: "ok     "
        case .partial: "partial"
        case .missing: "missing"
        }
    }

    private static func kind(_ identity: ELFIdentity) -> String {
        switch identity.fileType {
        case .executable: identity.hasCode ? "program at fixed addresses" : "debug companion of a program"
        case .shared: identity.hasCode ? "program or library" : "debug companion"
        case .relocatable: "object file"
        case .core: "core"
        case .other: "of unknown type"
        }
    }
}
