// SPDX-License-Identifier: Apache-2.0

/// One level of the answer to an address: innermost first, the physical function last.
package struct LookupFrame: Sendable, Hashable {
    /// The linkage name, or the plain one where the language has no other.
    package var symbol: String?
    /// The name as a person reads it.
    package var function: String?
    package var file: String?
    /// Nil where there is none; compiler-generated code has a file and no line.
    package var line: Int?
    package var column: Int?
    package var inlined: Bool
    /// `nearest_line`: the line is that of the nearest code of the same function.
    /// `compiler_generated`: the code has no line of its own.
    /// `symbol_table`: the name comes from the symbol table alone.
    /// `cold`, `part`, `specialised`: the code is a part of the function that the compiler set apart, or a copy for some
    /// callers.
    /// `alias: …`: another symbol of the same code. `folded: …`: another function, whose code the linker found to be equal.
    package var notes: [String]

    package init(
        symbol: String? = nil, function: String? = nil, file: String? = nil, line: Int? = nil, column: Int? = nil,
        inlined: Bool = false, notes: [String] = []
    ) {
        self.symbol = symbol
        self.function = function
        self.file = file
        self.line = line
        self.column = column
        self.inlined = inlined
        self.notes = notes
    }

    package var hasLine: Bool { file != nil && line != nil }

    package static let nearestLine = "nearest_line"
    package static let compilerGenerated = "compiler_generated"
    package static let symbolTable = "symbol_table"
    package static let alias = "alias: "
    package static let folded = "folded: "
}
