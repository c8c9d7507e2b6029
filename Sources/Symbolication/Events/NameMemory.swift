// SPDX-License-Identifier: Apache-2.0
import SourceBundles
import VakaModel

/// What was found out about the addresses of one image, as its files link them: the next event of a program most often has
/// the same. Not thread-safe.
final class NameMemory {
    /// An address as frames show it.
    struct Answer {
        /// Innermost first; empty where nothing is known.
        var levels: [FrameLevel]
        /// The name comes from the symbol table alone.
        var lacksDebugInfo: Bool
    }

    /// So many addresses are kept; the events of one program have fewer.
    private static let mostKept = 4096

    private var answers: [UInt64: Answer] = [:]
    private var calls: [UInt64: Bool?] = [:]
    private var targets: [UInt64: LookupFrame?] = [:]

    func answer(at address: UInt64, _ find: () -> Answer) -> Answer {
        Self.value(&answers, address, find)
    }

    func isBehindCall(_ address: UInt64, _ find: () -> Bool?) -> Bool? {
        Self.value(&calls, address, find)
    }

    func target(ofCallBefore address: UInt64, _ find: () -> LookupFrame?) -> LookupFrame? {
        Self.value(&targets, address, find)
    }

    private static func value<Value>(
        _ known: inout [UInt64: Value], _ address: UInt64, _ find: () -> Value
    ) -> Value {
        if let value = known[address] { return value }
        let value = find()
        if known.count >= mostKept { known = [:] }
        known[address] = value
        return value
    }
}

/// What one level of an answer makes of a frame.
struct FrameLevel {
    private let inlined: Bool
    private let symbol: String?
    private let function: String?
    private let file: String?
    private let line: Int?
    private let column: Int?
    private let notes: [String]
    /// Code in the program's image that is not the program's.
    private let isForeign: Bool

    init(_ level: LookupFrame, inApp: Bool?) {
        inlined = level.inlined
        symbol = level.symbol
        function = level.function.map(Self.commonName)
        file = level.file.flatMap(Self.file)
        line = file == nil ? nil : level.line
        column = file == nil ? nil : level.column
        notes = FrameNotes.of(level, inApp: inApp == true)
        isForeign = inApp == true && InAppRules.isForeign(level)
    }

    /// The physical frame as this level shows it.
    func frame(_ bare: Frame) -> Frame {
        var frame = bare
        frame.inlined = inlined
        frame.symbol = symbol
        frame.function = function
        frame.file = file
        frame.line = line
        frame.column = column
        if !notes.isEmpty { frame.notes += notes }
        if isForeign { frame.inApp = false }
        return frame
    }

    /// glibc's own alias for calls within it (`__GI_abort`) is no name that a person knows.
    private static func commonName(_ function: String) -> String {
        let alias = "__GI_"
        return function.hasPrefix(alias) && function.count > alias.count
            ? String(function.dropFirst(alias.count)) : function
    }

    /// Nil for what the Swift compiler calls the code that it made up, which is a note.
    private static func file(_ path: String) -> String? {
        path.hasSuffix("<compiler-generated>") ? nil : SourcePath.normalized(path)
    }
}
