// SPDX-License-Identifier: Apache-2.0

/// What a `Range` header asks for of a body.
enum ByteRange: Equatable {
    case all
    case part(Range<UInt64>)
    /// There are no such bytes.
    case none

    /// Headers of several ranges, of other units, or that are none, are as good as absent.
    static func wanted(_ header: String?, of size: UInt64) -> ByteRange {
        guard let header, header.hasPrefix("bytes=") else { return .all }
        let parts = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return .all
        }
        switch (UInt64(parts[0]), UInt64(parts[1])) {
        case (let first?, let last?):
            guard first <= last else { return .all }
            return first < size ? .part(first..<min(size, last == .max ? size : last + 1)) : .none
        case (let first?, nil):
            guard parts[1].isEmpty else { return .all }
            return first < size ? .part(first..<size) : .none
        case (nil, let count?):
            guard parts[0].isEmpty else { return .all }
            return count > 0 && size > 0 ? .part(size - min(size, count)..<size) : .none
        case (nil, nil):
            return .all
        }
    }
}
