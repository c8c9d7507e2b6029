// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

/// A folder of debug images by build id: `ab/cdef…/executable` (what was loaded) and `ab/cdef…/debuginfo` (what names it).
///
/// Safe for many threads and processes: every file is written under a temporary name, synced and renamed, and additions to
/// one build id are serialised by a lock on its folder.
package struct ImageStore: Sendable {
    package enum AddOutcome: Sendable, Equatable {
        case stored
        /// The store has as good a file for this build id.
        case alreadyThere
        /// The store has a better one, which stays: a stripped file never replaces one with debug information.
        case poorerThanStored
    }

    /// What the store has for one build id.
    package struct Entry: Sendable, Equatable {
        package var buildID: BuildID
        package var executable: String?
        package var debugInfo: String?
    }

    private enum Slot: String, CaseIterable {
        case executable, debuginfo
    }

    package let folder: String

    /// The folder is made when the first file is added.
    package init(folder: String) {
        self.folder = folder
    }

    /// Adds a file. With `move` the file at `path` is gone afterwards, whatever the outcome; only an error leaves it.
    package func add(file path: String, identity: ELFIdentity, move: Bool) throws(DebugImageError) -> AddOutcome {
        guard let buildID = identity.buildID, buildID.bytes.count > 1 else {
            throw DebugImageError(
                .noBuildID, path: path, "has no build id; link it with -Wl,--build-id=sha1 and upload it again")
        }
        guard identity.fileType != .relocatable, identity.fileType != .core else {
            throw DebugImageError(
                .unsupported, path: path,
                "is an object file or a core; upload the linked program, library or .debug file"
            )
        }
        if identity.hasDebugInfo { try DebugInfoProbe.check(path: path) }
        let files = StoreFiles(root: folder)
        let place = self.place(buildID)
        try files.makeFolder(place)
        let outcome: AddOutcome = try files.locked(place) { () throws(DebugImageError) in
            let slots = slots(identity)
            let wanted = slots.filter { rank(place, $0).map { $0 < identity.symbolRank } ?? true }
            guard !wanted.isEmpty else {
                return slots.contains { rank(place, $0) == identity.symbolRank } ? .alreadyThere : .poorerThanStored
            }
            try write(path, to: wanted.map { place + "/" + $0.rawValue }, in: place, move: move, files)
            return .stored
        }
        if move, outcome != .stored { unlink(path) }
        return outcome
    }

    /// The file that was loaded, for unwinding; nil when the store has none.
    package func executable(_ buildID: BuildID) -> String? { existing(buildID, .executable) }

    /// The file that names addresses best: the one with DWARF, or a companion with symbols.
    package func debugInfo(_ buildID: BuildID) -> String? { existing(buildID, .debuginfo) }

    /// Everything in the store, by build id.
    package func list() -> [Entry] {
        StoreFiles.entries(folder).filter { $0.utf8.count == 2 }.flatMap { prefix in
            StoreFiles.entries(folder + "/" + prefix).compactMap { rest in
                guard let buildID = BuildID(hex: prefix + rest) else { return nil }
                let entry = Entry(
                    buildID: buildID, executable: executable(buildID), debugInfo: debugInfo(buildID))
                return entry.executable == nil && entry.debugInfo == nil ? nil : entry
            }
        }
    }

    private func place(_ buildID: BuildID) -> String {
        let hex = buildID.description
        return folder + "/" + hex.prefix(2) + "/" + hex.dropFirst(2)
    }

    private func existing(_ buildID: BuildID, _ slot: Slot) -> String? {
        let path = place(buildID) + "/" + slot.rawValue
        return access(path, R_OK) == 0 ? path : nil
    }

    /// A whole unstripped file serves as both.
    private func slots(_ identity: ELFIdentity) -> [Slot] {
        Slot.allCases.filter { slot in
            slot == .executable ? identity.hasCode : identity.hasDebugInfo || !identity.hasCode
        }
    }

    private func rank(_ place: String, _ slot: Slot) -> Int? {
        (try? ELFIdentifier.identify(path: place + "/" + slot.rawValue))?.symbolRank
    }

    private func write(
        _ source: String, to targets: [String], in place: String, move: Bool, _ files: StoreFiles
    ) throws(DebugImageError) {
        let temporary = place + "/.incoming-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(temporary) }
        try files.bring(source, to: temporary, move: move)
        for (index, target) in targets.enumerated() {
            let name = temporary + "-\(index)"
            guard link(temporary, name) == 0 else { throw files.failure("link", name) }
            guard rename(name, target) == 0 else {
                let failure = files.failure("rename to", target)
                unlink(name)
                throw failure
            }
        }
        files.sync(folder: place)
    }
}
