// SPDX-License-Identifier: Apache-2.0

/// A route's pattern, taken apart once.
struct PathPattern: Sendable {
    private enum Part {
        case word([UInt8])
        case one(name: String)
        /// All that follows, one part at least.
        case rest(name: String)
    }

    let text: String
    let isFixed: Bool
    private let parts: [Part]

    init(_ text: String) {
        self.text = text
        isFixed = !text.contains("{")
        parts = text.split(separator: "/").map { part in
            if part.hasSuffix("...}") { return .rest(name: String(part.dropFirst().dropLast(4))) }
            if part.hasPrefix("{") { return .one(name: String(part.dropFirst().dropLast())) }
            return .word(Array(part.utf8))
        }
    }

    /// Of a path's parts; nil where they are not of this pattern.
    func parameters(_ path: ArraySlice<Substring.UTF8View>) -> [String: String]? {
        var result: [String: String] = [:]
        var left = path
        for part in parts {
            guard let next = left.first else { return nil }
            switch part {
            case .word(let word):
                guard next.elementsEqual(word) else { return nil }
            case .one(let name):
                guard !next.isEmpty else { return nil }
                result[name] = String(Substring(next))
            case .rest(let name):
                result[name] = left.map { String(Substring($0)) }.joined(separator: "/")
                return result
            }
            left = left.dropFirst()
        }
        return left.isEmpty ? result : nil
    }
}
