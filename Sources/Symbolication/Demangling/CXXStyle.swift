// SPDX-License-Identifier: Apache-2.0

/// Rewrites what libstdc++'s demangler gives into the form of LLVM's tools, so that answers can be compared: `>>` for
/// `> >`, `'lambda'(int)` for `{lambda(int)#1}`, `'unnamed'` for `{unnamed type#1}`.
struct CXXStyle {
    private static let lambda = Array("{lambda(".utf8)
    private static let unnamed = Array("{unnamed type#".utf8)

    /// A lambda whose end was not reached yet: where its number goes, and the parentheses open at its start.
    private struct OpenLambda {
        var number: Int
        var depth: Int
    }

    private let input: [UInt8]
    private var position = 0
    private var output: [UInt8] = []
    private var depth = 0
    private var lambdas: [OpenLambda] = []

    static func modern(_ name: String) -> String {
        var style = CXXStyle(input: Array(name.utf8))
        style.run()
        return String(decoding: style.output, as: UTF8.self)
    }

    private init(input: [UInt8]) {
        self.input = input
    }

    private mutating func run() {
        output.reserveCapacity(input.count)
        while position < input.count {
            let byte = input[position]
            if starts(Self.lambda) {
                output += Array("'lambda'".utf8)
                lambdas.append(OpenLambda(number: output.count - 1, depth: depth))
                position += Self.lambda.count - 1
            } else if starts(Self.unnamed), let (number, next) = number(after: position + Self.unnamed.count) {
                output += Array("'unnamed\(suffix(number))'".utf8)
                position = next
            } else if byte == UInt8(ascii: " "), output.last == UInt8(ascii: ">"), position + 1 < input.count,
                input[position + 1] == UInt8(ascii: ">")
            {
                position += 1
            } else {
                copy(byte)
            }
        }
    }

    private mutating func copy(_ byte: UInt8) {
        output.append(byte)
        position += 1
        if byte == UInt8(ascii: "(") { depth += 1 }
        guard byte == UInt8(ascii: ")") else { return }
        depth -= 1
        guard let open = lambdas.last, open.depth == depth, position < input.count,
            input[position] == UInt8(ascii: "#"),
            let (number, next) = number(after: position + 1)
        else { return }
        lambdas.removeLast()
        output.insert(contentsOf: Array(suffix(number).utf8), at: open.number)
        position = next
    }

    private func starts(_ text: [UInt8]) -> Bool {
        input[position...].starts(with: text)
    }

    /// Decimal digits and the brace behind them.
    private func number(after start: Int) -> (Int, next: Int)? {
        let digits = input[start...].prefix { (0x30...0x39).contains($0) }
        guard digits.count < 10, digits.endIndex < input.count, input[digits.endIndex] == UInt8(ascii: "}"),
            let number = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        return (number, digits.endIndex + 1)
    }

    /// The first has none, the second 0.
    private func suffix(_ number: Int) -> String { number < 2 ? "" : String(number - 2) }
}
