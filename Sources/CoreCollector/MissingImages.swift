// SPDX-License-Identifier: Apache-2.0
import CoreFile
import VakaModel

/// Decides, while a core comes, of which images the code and what unwinds it are to be kept: those whose file is not at
/// hand, where the core has their contents.
struct MissingImages {
    static let page: UInt64 = 4096
    private static let imageBytes: UInt64 = 16 << 20
    private static let allBytes: UInt64 = 64 << 20

    private let images: CoreImages
    private let open: OpenImages
    private let mappings: FileMappings
    /// How much may still be kept of each image that was looked at, and of all.
    private var rest: [UInt64: UInt64] = [:]
    private var allRest = allBytes

    init(notes: CoreNotes, spool: CoreSpool, open: OpenImages, mappings: FileMappings) {
        images = CoreImages(notes: notes, memory: spool)
        self.open = open
        self.mappings = mappings
    }

    /// Whether a part begins with the first page of a file, which tells what the others are.
    func beginsImage(_ part: CoreHead.Part) -> Bool { mappings.imageStart(of: part.address) == part.address }

    /// What of a part is to be kept for its image's sake. The image's first page must be in the spool.
    mutating func kept(of part: CoreHead.Part) -> Range<UInt64>? {
        guard let start = mappings.imageStart(of: part.address) else { return nil }
        if rest[start] == nil { rest[start] = isMissing(start) ? Self.imageBytes : 0 }
        let bytes = min(part.bytes, rest[start] ?? 0, allRest)
        guard bytes > 0 else { return nil }
        rest[start]? -= bytes
        allRest -= bytes
        return part.address..<part.address + bytes
    }

    private func isMissing(_ start: UInt64) -> Bool {
        images.image(at: start, path: "").map { open.file(of: $0.image) == nil } ?? false
    }
}
