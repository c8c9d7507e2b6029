// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Privacy

/// Takes secrets out of what is stored already, by the rules that hold now; a part at a time.
struct Rescrub {
    static let step = 100

    struct Part {
        var looked = 0
        var changed = 0
        /// Nil at the end.
        var next: Cursor?
    }

    let store: any EventStore
    let scrubber: PayloadScrubber
    let project: Int64

    func run(after cursor: Cursor?) throws -> Part {
        guard let place = StoredTextPlace(rawValue: Int(clamping: cursor?.first ?? 0)) else { return Part() }
        let texts = try store.storedTexts(
            place, project: project, after: cursor?.second ?? 0, limit: Self.step)
        let changes = texts.compactMap { text in scrubbed(text.data, place).map { (old: text, new: $0) } }
        var part = Part(looked: texts.count, changed: try store.replace(changes, in: place))
        if texts.count == Self.step, let last = texts.last {
            part.next = Cursor(Int64(place.rawValue), last.row)
        } else if let following = StoredTextPlace(rawValue: place.rawValue + 1) {
            part.next = Cursor(Int64(following.rawValue))
        }
        return part
    }

    /// Nil where nothing is taken out, and of what cannot be read.
    private func scrubbed(_ data: Data, _ place: StoredTextPlace) -> Data? {
        switch place {
        case .documents, .reports: compressed(data, .event)
        case .otherItems, .recordings: compressed(data, .other)
        case .attachments: scrubber.scrub(file: data)
        case .exchangeURLs, .exchangePaths: scrubber.scrub(address: data)
        case .exchangeMetadata, .exchangeRequestHeaders, .exchangeResponseHeaders: document(data)
        default: scrubber.scrub(text: data)
        }
    }

    private func document(_ data: Data) -> Data? {
        guard let scrubbed = try? scrubber.scrub(data, .other), scrubbed != data else { return nil }
        return scrubbed
    }

    private func compressed(_ data: Data, _ kind: PayloadScrubber.Kind) -> Data? {
        guard let document = try? Zstandard.decompress(data), let scrubbed = try? scrubber.scrub(document, kind),
            scrubbed != document
        else { return nil }
        return try? Zstandard.compress(scrubbed)
    }
}
