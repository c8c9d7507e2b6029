// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The ELF files under the paths that a person named, by build id. Built once, bounded, following links to each folder once.
struct SymbolPathIndex: Sendable {
    private(set) var byBuildID: [BuildID: [Candidate]] = [:]
    /// Files without a build id, by name: they can only be matched by name and size.
    private(set) var withoutBuildID: [String: [Candidate]] = [:]
    /// What could not be read, for `detail`.
    private(set) var problems: [DebugImageError] = []
    /// The search ended at a bound.
    private(set) var isPartial = false

    private static let maximumProblems = 20
    /// Of an ELF header.
    private static let smallestSize = 52

    private let reader: CandidateReader

    init(_ paths: [String], reader: CandidateReader = CandidateReader()) {
        self.reader = reader
        let walk = FolderWalk(paths) { file in
            if file.size >= Self.smallestSize { identify(file) }
        }
        for path in walk.missing {
            note(DebugImageError(.unreadable, path: path, "does not exist or cannot be read; check --symbols"))
        }
        isPartial = walk.isPartial
    }

    private mutating func identify(_ file: FolderWalk.File) {
        do {
            let identity = try reader.identify(file.path)
            guard identity.fileType != .relocatable, identity.fileType != .core else { return }
            let source = file.isNamed ? "symbols file \(file.path)" : "symbols folder \(file.root)"
            let candidate = Candidate(path: file.path, identity: identity, source: source)
            if let buildID = identity.buildID {
                byBuildID[buildID, default: []].append(candidate)
            } else {
                withoutBuildID[String(file.path.split(separator: "/").last ?? ""), default: []].append(candidate)
            }
        } catch {
            // A folder holds all kinds of files; only broken ELF files and files named one by one are worth a word.
            if file.isNamed || error.code != .notELF { note(error) }
        }
    }

    private mutating func note(_ problem: DebugImageError) {
        if problems.count < Self.maximumProblems { problems.append(problem) }
    }
}
