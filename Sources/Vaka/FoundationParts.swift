// SPDX-License-Identifier: Apache-2.0

/// What an `NSError`, a `CocoaError` or a `URLError` says of itself, by reflection: the SDK does not link Foundation, which
/// takes most of a small program's time to start.
struct FoundationParts {
    private(set) var domain: String?
    private(set) var code: Int?
    private(set) var causes: [any Error] = []

    init(_ error: any Error) {
        guard String(reflecting: type(of: error)).hasPrefix("Foundation") else { return }
        read(error)
    }

    private mutating func read(_ value: Any) {
        var mirror = Mirror(reflecting: value)
        while mirror.displayStyle == .optional, let wrapped = mirror.children.first?.value {
            mirror = Mirror(reflecting: wrapped)
        }
        var next: Mirror? = mirror
        while let level = next {
            for child in level.children { take(child.label ?? "", child.value) }
            next = level.superclassMirror
        }
    }

    private mutating func take(_ label: String, _ value: Any) {
        switch label {
        case "domain", "_domain": domain = domain ?? value as? String
        case "code", "_code": code = code ?? value as? Int ?? Self.rawValue(value)
        case "userInfo", "_userInfo": takeCauses(value as? [String: Any] ?? [:])
        case "_nsError": read(value)
        default: break
        }
    }

    private mutating func takeCauses(_ information: [String: Any]) {
        causes += [information["NSUnderlyingError"] as? any Error].compactMap { $0 }
        causes += information["NSMultipleUnderlyingErrorsKey"] as? [any Error] ?? []
    }

    /// Of a code that is a type of its own.
    private static func rawValue(_ value: Any) -> Int? {
        Mirror(reflecting: value).children.first { $0.label == "rawValue" }?.value as? Int
    }
}
