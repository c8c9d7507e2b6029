// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import DebugImages
import FoundationEssentials
import Grouping
import Symbolication
import VakaModel

/// The way of an event through the service, and what must hold on it.
enum EventChecks {
    /// Reads nothing but the named files.
    static func symbolicated(_ event: Event, symbolPaths: [String] = []) -> Event {
        let finder = ImageFinder(symbolPaths: symbolPaths, useSystem: false)
        return Symbolicator(finder: finder).symbolicate(event)
    }

    static func check(_ event: Event, symbolPaths: [String] = []) {
        let result = symbolicated(event.keepingReferencedImages(), symbolPaths: symbolPaths)
        precondition(result.threads.count == event.threads.count, "a thread is lost")
        let first = Grouping.group(result)
        precondition(!first.keys.isEmpty, "an event without a key")
        precondition(first.title.utf8.count <= 1 << 16, "a title without bound")
        guard let document = try? ModelCoding.encode(result) else { preconditionFailure("cannot be written") }
        guard let read = try? ModelCoding.decode(Event.self, from: document) else { preconditionFailure("nor read") }
        precondition((try? ModelCoding.encode(read)) == document, "another event is read than was written")
        precondition(Grouping.group(read).keys == first.keys, "equal events fall into different groups")
        _ = Grouping.group(event)
    }
}
