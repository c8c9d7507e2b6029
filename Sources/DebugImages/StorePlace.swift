// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import VakaModel

/// The files of one build id and machine in an image store. Used under the store's lock, save for reading.
struct StorePlace {
    enum Slot: String, CaseIterable {
        case executable, debuginfo

        func prefers(_ one: ImageQuality, to other: ImageQuality) -> Bool {
            self == .executable ? one.unwinds(betterThan: other) : one.names(betterThan: other)
        }
    }

    let folder: String
    var reader = CandidateReader()

    /// Of the files that are there; nil when there are none.
    var machine: String? {
        Slot.allCases.lazy.compactMap { slot in
            existing(slot).flatMap { try? reader.identify($0) }?.machine
        }.first
    }

    func existing(_ slot: Slot) -> String? {
        access(path(slot), R_OK) == 0 ? path(slot) : nil
    }

    /// Puts the file into each slot where it is better than what is there.
    func add(
        _ check: ImageCheck, _ identity: ELFIdentity, move: Bool, _ files: StoreFiles
    ) throws(DebugImageError) -> ImageStore.AddOutcome {
        let quality = ImageQuality(check)
        let slots = Self.slots(identity)
        var stored: [(Slot, ImageQuality?)] = []
        for slot in slots { stored.append((slot, try self.quality(slot, against: check.path))) }
        let wanted = stored.filter { slot, known in known.map { slot.prefers(quality, to: $0) } ?? true }.map(\.0)
        guard !wanted.isEmpty else {
            let isEqual = stored.contains { slot, known in known.map { !slot.prefers($0, to: quality) } ?? false }
            return isEqual ? .alreadyThere : .poorerThanStored
        }
        try write(check.path, to: wanted, quality, move: move, files)
        return .stored
    }

    private func path(_ slot: Slot) -> String { folder + "/" + slot.rawValue }
    private func note(_ slot: Slot) -> String { folder + "/." + slot.rawValue + ".json" }

    /// A whole unstripped file serves as both.
    private static func slots(_ identity: ELFIdentity) -> [Slot] {
        Slot.allCases.filter { slot in
            slot == .executable ? identity.hasCode : identity.hasDebugInfo || !identity.hasCode
        }
    }

    /// Of what is in a slot; nil where there is nothing, or a file that is not read any more, which any other replaces.
    private func quality(_ slot: Slot, against path: String) throws(DebugImageError) -> ImageQuality? {
        guard let stored = existing(slot) else { return nil }
        guard let reason = reader.refusals.reason(stored) else { return quality(slot) }
        if FileManager.default.contentsEqual(atPath: stored, andPath: path) {
            throw DebugImageError(
                .malformed, path: path, "is stored already and is not read any more: \(reason); build it again")
        }
        return nil
    }

    /// As it was noted when the file came, or measured again where the note is not of this file.
    private func quality(_ slot: Slot) -> ImageQuality {
        if let data = try? Data(contentsOf: URL(filePath: note(slot))),
            let note = try? ModelCoding.decode(Note.self, from: data), note.file == FileVersion(path: path(slot))
        {
            return note.quality
        }
        reader.activity?.reads(path(slot))
        return ImageQuality(ImageCheck(path: path(slot), surroundings: .store(ImageStore(folder: ""))))
    }

    private struct Note: Codable {
        var file: FileVersion?
        var quality: ImageQuality
    }

    private func write(
        _ source: String, to slots: [Slot], _ quality: ImageQuality, move: Bool, _ files: StoreFiles
    ) throws(DebugImageError) {
        let temporary = folder + "/.incoming-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(temporary) }
        try files.bring(source, to: temporary, move: move)
        for slot in slots {
            let name = temporary + "-" + slot.rawValue
            guard link(temporary, name) == 0 else { throw files.failure("link", name) }
            guard rename(name, path(slot)) == 0 else {
                let failure = files.failure("rename to", path(slot))
                unlink(name)
                throw failure
            }
            // Without its note the file is measured again when another comes.
            let note = Note(file: FileVersion(path: path(slot)), quality: quality)
            try? ModelCoding.encode(note).write(to: URL(filePath: self.note(slot)), options: .atomic)
        }
        files.sync(folder: folder)
    }
}
