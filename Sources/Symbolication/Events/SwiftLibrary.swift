// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Which Swift code in a program's image the program did not write: generic code of Swift's own libraries, which is copied
/// into it, and what the compiler makes for each type.
enum SwiftLibrary {
    /// Swift's own modules whose code ends up in programs.
    private static let modules: Set<Substring> = [
        "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization", "Distributed",
        "_Differentiation", "Observation", "RegexBuilder", "Foundation", "FoundationEssentials",
        "FoundationInternationalization", "FoundationNetworking", "Dispatch", "Glibc",
    ]

    private static let extensionMark = "(extension in "

    /// A function of one of Swift's own modules. An extension of one of their types is its own module's.
    static func owns(_ symbol: String) -> Bool {
        guard let module = SwiftSymbolModule.of(symbol), modules.contains(module[...]) else { return false }
        guard symbol.utf8.contains(UInt8(ascii: "E")), let full = Demangler.swiftInFull(symbol),
            let mark = full.firstRange(of: extensionMark)
        else { return true }
        return modules.contains(full[mark.upperBound...].prefix { $0 != ")" })
    }

    /// What the names of functions begin with that nobody wrote.
    private static let glue = [
        "assignWithCopy for ", "assignWithTake for ", "initializeBufferWithCopyOfBuffer for ",
        "initializeWithCopy for ", "initializeWithTake for ", "destroy for ", "getEnumTag for ",
        "getEnumTagSinglePayload for ", "storeEnumTagSinglePayload for ", "destructiveInjectEnumTag for ",
        "destructiveProjectEnumData for ", "outlined ", "lazy protocol witness ", "base witness table accessor for ",
        "associated type witness table accessor ", "associated type metadata accessor ", "type metadata ",
        "metadata instantiation ", "instantiation function for ", "protocol witness for ", "thunk for ",
        "partial apply forwarder for ", "dispatch thunk of ", "reabstraction thunk ", "value witness ",
    ]

    static func isGlue(_ function: String) -> Bool { glue.contains { function.hasPrefix($0) } }
}
