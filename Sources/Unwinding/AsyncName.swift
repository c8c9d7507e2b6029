// SPDX-License-Identifier: Apache-2.0

/// What the linkage name of a Swift function says of its being async.
package enum AsyncName {
    /// The name of top-level code that awaits: the only async function whose name is not mangled.
    package static let topLevelCode = "async_Main"

    /// A part of an async function that runs after an await or a switch of executors: the mangled suffix `TQ<n>_` or
    /// `TY<n>_`.
    package static func resumes(_ name: String) -> Bool {
        guard isSwift(name), name.last == "_" else { return false }
        let digits = name.dropLast().reversed().prefix { $0.isASCII && $0.isNumber }.count
        let marker = name.dropLast(1 + digits).suffix(2)
        return digits > 0 && (marker == "TY" || marker == "TQ")
    }

    /// Such a part, or a function whose type is async (`Ya` in the mangled type).
    package static func isAsync(_ name: String) -> Bool {
        resumes(name) || isSwift(name) && (name.contains("Ya") || name == topLevelCode)
    }

    private static func isSwift(_ name: String) -> Bool {
        name.hasPrefix("$s") || name.hasPrefix(topLevelCode)
    }
}
