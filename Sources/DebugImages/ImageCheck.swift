// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What an ELF file can give a crash report, what it lacks, and what would mend that.
package struct ImageCheck: Sendable, Hashable, Codable {
    /// What is looked at besides the file itself.
    package enum Surroundings: Sendable {
        /// Its debug companion, `.dwo` files and source, where they are on this machine.
        case machine
        /// What a store has under the same build id: the file was built elsewhere.
        case store(ImageStore)
    }

    package struct Failure: Sendable, Hashable, Codable {
        package var code: DebugImageError.Code
        package var message: String

        package init(code: DebugImageError.Code, message: String) {
            self.code = code
            self.message = message
        }
    }

    package var path: String
    /// Nil when the file is no whole ELF file; then `error` says why.
    package var identity: ELFIdentity?
    package var debugID: String?
    package var dwarf: DWARFSummary?
    package var coverage: ImageCoverage?
    package var items: [ImageFinding]
    package var error: Failure?

    private enum CodingKeys: String, CodingKey {
        case path, identity
        case debugID = "debug_id"
        case dwarf, coverage, items, error
    }

    /// Frames in this image will have function, file and line.
    package var isComplete: Bool { error == nil && items.allSatisfy { $0.state == .ok || $0.name == "source" } }

    /// Reads the whole file; never throws, as a file that cannot be read is an answer too. Any thread.
    package init(path: String, surroundings: Surroundings = .machine) {
        self.path = path
        items = []
        do {
            let identity = try ELFIdentifier.identify(path: path)
            self.identity = identity
            debugID = identity.buildID?.debugID
            if identity.hasDebugInfo { dwarf = DWARFSummary(path: path) }
            if identity.fileType == .executable || identity.fileType == .shared { coverage = ImageCoverage(path: path) }
            items =
                ImageCheckItems(
                    path: path, identity: identity, dwarf: dwarf, coverage: coverage, surroundings: surroundings
                ).all
        } catch {
            self.error = Failure(code: error.code, message: error.message)
        }
    }

    /// For a file whose reading was given up from outside.
    package init(path: String, failure: Failure) {
        self.path = path
        items = []
        error = failure
    }

    /// A few lines for a terminal, without a line end after the last.
    package var text: String {
        guard let identity else { return "\(path): \(error?.message ?? "cannot be read")".printable() }
        let kind = "\(identity.machine), \(identity.bits) bits, \(Self.kind(identity))"
        let width = items.map(\.name.count).max() ?? 0
        let lines = items.map { item in
            let name = item.name + String(repeating: " ", count: width - item.name.count)
            let state = "\(item.state)".padded(to: 7)
            let cure = item.cure.map { "\n  \(String(repeating: " ", count: width + 10))→ \($0.printable())" } ?? ""
            return "  \(state) \(name)  \(item.detail.printable())\(cure)"
        }
        return (["\(path.printable()): \(kind)"] + lines).joined(separator: "\n")
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

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
