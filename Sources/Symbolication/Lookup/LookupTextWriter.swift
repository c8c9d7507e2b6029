// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols

/// Writes answers in the shape of `llvm-symbolizer` without making strings of them: for long lists of addresses.
///
/// Not thread-safe.
package struct LookupTextWriter {
    private let file: DebugFile
    private let inlines: Bool
    private let demangle: Bool
    private var names: [UnsafePointer<CChar>: [UInt8]] = [:]
    /// What was written and not taken yet.
    package private(set) var bytes: [UInt8] = []

    private static let mostKept = 1 << 17

    package init(file: DebugFile, inlines: Bool, demangle: Bool) {
        self.file = file
        self.inlines = inlines
        self.demangle = demangle
    }

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// The answer to an address as linked; nil stands for what is no address.
    package mutating func write(_ address: UInt64?) {
        guard let address, let cache = file.cache(at: address) else { return writeNothing() }
        if file.hasClosedCaches || names.count > Self.mostKept { names = [:] }
        let known = cache.withFrames(at: address, nearest: false) { levels in
            guard let first = levels.first, let last = levels.last else { return false }
            if inlines {
                for level in levels { write(level, place: level) }
            } else {
                write(last, place: first)
            }
            return true
        }
        known ? bytes.append(UInt8(ascii: "\n")) : writeNothing()
    }

    private mutating func writeNothing() {
        bytes.append(contentsOf: "??\n??:0:0\n\n".utf8)
    }

    private mutating func write(_ level: vaka_cache_frame, place: vaka_cache_frame) {
        writeName(level)
        bytes.append(UInt8(ascii: "\n"))
        if place.file.size == 0 {
            bytes.append(contentsOf: "??".utf8)
        } else {
            if place.folder.size > 0 {
                bytes.append(contentsOf: place.folder.bytes)
                if bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
            }
            bytes.append(contentsOf: place.file.bytes)
        }
        bytes.append(UInt8(ascii: ":"))
        write(number: place.line)
        bytes.append(UInt8(ascii: ":"))
        write(number: place.column)
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func writeName(_ level: vaka_cache_frame) {
        guard let start = level.name.start else { return bytes.append(contentsOf: "??".utf8) }
        guard demangle else { return bytes.append(contentsOf: level.name.bytes) }
        if let known = names[start] { return bytes.append(contentsOf: known) }
        let symbol = level.name.string ?? "??"
        let made = Array((level.readable.string ?? Demangler.readable(symbol)).utf8)
        names[start] = made
        bytes.append(contentsOf: made)
    }

    private mutating func write(number: UInt32) {
        if number < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
        write(number: number / 10)
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
