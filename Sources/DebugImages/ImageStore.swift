// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

/// A folder of debug images by build id: `ab/cdef…/executable` (what was loaded) and `ab/cdef…/debuginfo` (what names it).
/// Files that claim the same build id for another machine are set aside in `ab/cdef…/MACHINE/`.
///
/// Safe for many threads and processes: every file is written under a temporary name, synced and renamed, and additions to
/// one build id are serialised by a lock on its folder.
package struct ImageStore: Sendable {
    package enum AddOutcome: Sendable, Equatable {
        case stored
        /// Stored, but aside: what came first under this build id is for the machine told.
        case storedAside(from: String)
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

    package let folder: String
    let reader: CandidateReader

    /// The folder is made when the first file is added.
    ///
    /// - Parameters:
    ///   - refusals: stored files that are not to be read: any other file is better than those.
    ///   - activity: where to say which stored file is being read.
    package init(folder: String, refusals: ImageRefusals = .none, activity: ImageActivity? = nil) {
        self.folder = folder
        reader = CandidateReader(refusals: refusals, activity: activity)
    }

    /// Adds a file. With `move` the file at `path` is gone afterwards, whatever the outcome; only an error leaves it.
    package func add(file path: String, move: Bool) throws(DebugImageError) -> AddOutcome {
        try add(ImageCheck(path: path, surroundings: .store(self)), move: move)
    }

    /// Adds the file that was checked.
    package func add(_ check: ImageCheck, move: Bool) throws(DebugImageError) -> AddOutcome {
        let path = check.path
        let (buildID, identity) = try Self.admissible(check)
        let files = StoreFiles(root: folder)
        let root = self.root(buildID)
        try files.makeFolder(root)
        let outcome: AddOutcome = try files.locked(root) { () throws(DebugImageError) in
            var place = StorePlace(folder: root, reader: reader)
            let first = place.machine
            if let first, first != identity.machine {
                place = StorePlace(folder: root + "/" + Self.name(ofMachine: identity.machine), reader: reader)
                try files.makeFolder(place.folder)
            }
            let outcome = try place.add(check, identity, move: move, files)
            guard outcome == .stored, let first, first != identity.machine else { return outcome }
            return .storedAside(from: first)
        }
        if move { unlink(path) }
        return outcome
    }

    /// The file that was loaded, for unwinding; nil when the store has none. With `machine` (as in `ELFIdentity`), the
    /// one for that machine.
    package func executable(_ buildID: BuildID, machine: String? = nil) -> String? {
        find(buildID, .executable, machine)
    }

    /// The file that names addresses best: the one with DWARF, or a companion with symbols.
    package func debugInfo(_ buildID: BuildID, machine: String? = nil) -> String? {
        find(buildID, .debuginfo, machine)
    }

    /// Every file that may be the image's, those for the machine first; none of them is read.
    func files(_ buildID: BuildID, machine: String?) -> [String] {
        let root = root(buildID)
        let folders = (machine.map { [root + "/" + Self.name(ofMachine: $0)] } ?? []) + [root]
        return folders.flatMap { folder in
            [.debuginfo, .executable].compactMap { StorePlace(folder: folder).existing($0) }
        }
    }

    /// Everything in the store, by build id; what was set aside is not listed.
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

    /// Throws what keeps a file out of any store.
    private static func admissible(_ check: ImageCheck) throws(DebugImageError) -> (BuildID, ELFIdentity) {
        let path = check.path
        guard let identity = check.identity else {
            throw DebugImageError(check.error?.code ?? .malformed, path: path, check.error?.message ?? "cannot be read")
        }
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
        // Such a file would name nothing, whatever its build id promises.
        if identity.hasDebugInfo, check.dwarf == nil, identity.unreadableSections.isEmpty {
            throw DebugImageError(
                .malformed, path: path, "has damaged debug information (.debug_info); build or copy it again")
        }
        return (buildID, identity)
    }

    /// The folder of a build id's files.
    package func root(_ buildID: BuildID) -> String {
        let hex = buildID.description
        return folder + "/" + hex.prefix(2) + "/" + hex.dropFirst(2)
    }

    /// `other(8)` is no name for a folder.
    private static func name(ofMachine machine: String) -> String {
        String(machine.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    }

    private func find(_ buildID: BuildID, _ slot: StorePlace.Slot, _ machine: String?) -> String? {
        let root = root(buildID)
        let first = StorePlace(folder: root).existing(slot)
        guard let machine else { return first }
        let aside = StorePlace(folder: root + "/" + Self.name(ofMachine: machine)).existing(slot)
        return aside
            ?? first.flatMap { path in
                (try? reader.identify(path))?.machine == machine ? path : nil
            }
    }
}
