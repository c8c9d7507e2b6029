// SPDX-License-Identifier: Apache-2.0
import CDemangle
import CoreFile

/// The C++ exception that a terminating thread's stack leads to, by the Itanium C++ ABI: what is thrown lies behind a
/// header of the unwinder, and that behind the exception's own, with its type. What an exception's `what()` returns is
/// known without running it where its class derives from `std::runtime_error` or `std::logic_error` and has no other.
struct CxxException {
    /// "GNUCC++" and "CLNGC++", in the order of the number's bytes.
    private static let classes: Set<UInt64> = [0x474e_5543_432b_2b00, 0x434c_4e47_432b_2b00]
    private static let stackWords: UInt64 = 2048
    private static let typeOffset: UInt64 = 80
    private static let objectOffset: UInt64 = 32
    private static let longestText = 4096
    private static let mostBases = 16
    /// Classes whose objects begin with the table of functions and the address of their text.
    private static let withText: Set<String> = ["St13runtime_error", "St11logic_error"]

    /// The type's name, and the text behind a colon.
    let text: String

    /// The innermost one of the stack; nil where there is none.
    init?(stackPointer: UInt64, memory: any ProcessMemory) {
        for word in 0..<Self.stackWords {
            guard let header = memory.value(UInt64.self, at: stackPointer &+ word &* 8) else { return nil }
            guard header.isMultiple(of: 8), header > Self.typeOffset,
                let kind = memory.value(UInt64.self, at: header), Self.classes.contains(kind),
                let type = memory.value(UInt64.self, at: header - Self.typeOffset),
                let name = Self.name(ofType: type, memory)
            else { continue }
            let what = Self.what(object: header &+ Self.objectOffset, type: type, memory)
            let readable = Self.readable(name)
            text = what.map { "\(readable): \($0)" } ?? readable
            return
        }
        return nil
    }

    /// A type's record: the table of its functions, its mangled name (a '*' before one that is not unique) and, where it
    /// has one base, that base's.
    private static func name(ofType type: UInt64, _ memory: any ProcessMemory) -> String? {
        guard let address = memory.value(UInt64.self, at: type &+ 8), address != 0 else { return nil }
        let (bytes, isCut) = memory.string(at: address, longest: longestText)
        let name = String(decoding: bytes.first == UInt8(ascii: "*") ? bytes.dropFirst() : bytes[...], as: UTF8.self)
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        return isCut || name.isEmpty || !isPlain ? nil : name
    }

    private static func what(object: UInt64, type: UInt64, _ memory: any ProcessMemory) -> String? {
        var type = type
        for _ in 0..<mostBases {
            guard let name = name(ofType: type, memory) else { return nil }
            if withText.contains(name) {
                guard let start = memory.value(UInt64.self, at: object &+ 8), start != 0 else { return nil }
                let (bytes, _) = memory.string(at: start, longest: longestText)
                return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
            guard let base = memory.value(UInt64.self, at: type &+ 16) else { return nil }
            type = base
        }
        return nil
    }

    private static func readable(_ name: String) -> String {
        let prefix = "typeinfo for "
        var out = [CChar](repeating: 0, count: 1024)
        let length = vaka_demangle_cxx("_ZTI" + name, &out, out.count)
        let text = String(decoding: out.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : name
    }
}
