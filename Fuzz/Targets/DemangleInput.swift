// SPDX-License-Identifier: Apache-2.0
import Grouping
import Symbolication

/// A linkage name, through the demanglers and the names' normal form.
enum DemangleInput {
    private static let prefixes = ["", "_Z", "_ZN", "_R", "$s", "_T0"]

    static func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for prefix in prefixes {
            let symbol = prefix + text
            let name = Demangler.readable(symbol)
            precondition(name.utf8.count <= 1 << 20, "a name without bound")
            _ = Demangler.isMangled(symbol)
            let normal = NameNormalizer.normalise(function: name, symbol: symbol)
            precondition(normal == NameNormalizer.normalise(function: name, symbol: symbol), "not the same twice")
        }
        _ = NameNormalizer.normalise(function: text, symbol: nil)
    }
}
