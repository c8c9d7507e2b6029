// SPDX-License-Identifier: Apache-2.0

/// Rust's v0 mangling (RFC 2603), written as `rustc-demangle` does in its short form: no hashes of crates, no types of
/// constants.
struct RustV0Demangler {
    typealias Malformed = RustV0Reader.Malformed

    private static let maximumDepth = 200

    var reader: RustV0Reader
    private(set) var output = ""
    private var depth = 0
    private var isSilent = false
    /// Lifetimes bound by the `for<…>` around.
    private var boundLifetimes: UInt64 = 0

    /// Nil when the name does not follow the grammar.
    static func demangle(_ symbol: Substring) -> String? {
        guard symbol.hasPrefix("_R") else { return nil }
        var demangler = RustV0Demangler(reader: RustV0Reader(symbol.dropFirst(2)))
        do {
            try demangler.path(inValue: true)
            if !demangler.reader.isAtEnd {
                // The crate that instantiated it.
                try demangler.silently { (inner) throws(Malformed) in try inner.path(inValue: false) }
            }
        } catch {
            return nil
        }
        return demangler.reader.isAtEnd ? demangler.output : nil
    }

    private init(reader: RustV0Reader) {
        self.reader = reader
    }

    mutating func put(_ text: String) throws(Malformed) {
        guard !isSilent else { return }
        output += text
        guard output.utf8.count <= Demangler.maximumOutput else { throw Malformed() }
    }

    private mutating func silently(_ body: (inout Self) throws(Malformed) -> Void) throws(Malformed) {
        let before = isSilent
        isSilent = true
        try body(&self)
        isSilent = before
    }

    private mutating func nested(_ body: (inout Self) throws(Malformed) -> Void) throws(Malformed) {
        depth += 1
        guard depth <= Self.maximumDepth else { throw Malformed() }
        try body(&self)
        depth -= 1
    }

    /// Writes what stands at an earlier place. Nothing is written twice while silent: repeated references would cost time
    /// without end.
    mutating func backReference(_ body: (inout Self) throws(Malformed) -> Void) throws(Malformed) {
        let start = reader.position - 1
        let target = try reader.base62()
        guard let target = Int(exactly: target), target < start else { throw Malformed() }
        guard !isSilent else { return }
        let behind = reader.position
        reader.seek(target)
        try nested(body)
        reader.seek(behind)
    }

    mutating func path(inValue: Bool) throws(Malformed) {
        try nested { (inner) throws(Malformed) in try inner.pathBody(inValue: inValue) }
    }

    private mutating func pathBody(inValue: Bool) throws(Malformed) {
        switch Character(Unicode.Scalar(try reader.next())) {
        case "C": try put(try reader.identifier().name)
        case "M":
            try implPath()
            try put("<")
            try type()
            try put(">")
        case "X":
            try implPath()
            try traitPath()
        case "Y": try traitPath()
        case "N": try nestedPath(inValue: inValue)
        case "I":
            try path(inValue: inValue)
            try put(inValue ? "::<" : "<")
            try list { (inner) throws(Malformed) in try inner.genericArgument() }
            try put(">")
        case "B": try backReference { (inner) throws(Malformed) in try inner.path(inValue: inValue) }
        default: throw Malformed()
        }
    }

    private mutating func implPath() throws(Malformed) {
        _ = try reader.optional62("s")
        try silently { (inner) throws(Malformed) in try inner.path(inValue: false) }
    }

    private mutating func traitPath() throws(Malformed) {
        try put("<")
        try type()
        try put(" as ")
        try path(inValue: false)
        try put(">")
    }

    private mutating func nestedPath(inValue: Bool) throws(Malformed) {
        let space = Character(Unicode.Scalar(try reader.next()))
        guard space.isASCII, space.isLetter else { throw Malformed() }
        try path(inValue: inValue)
        let (name, disambiguator) = try reader.identifier()
        guard space.isUppercase else { return name.isEmpty ? () : try put("::" + name) }
        let kind = space == "C" ? "closure" : space == "S" ? "shim" : String(space)
        try put("::{\(kind)\(name.isEmpty ? "" : ":" + name)#\(disambiguator)}")
    }

    /// Elements up to `E`, separated by commas; returns their number.
    @discardableResult
    mutating func list(_ element: (inout Self) throws(Malformed) -> Void) throws(Malformed) -> Int {
        var count = 0
        while !reader.take("E") {
            if count > 0 { try put(", ") }
            try element(&self)
            count += 1
        }
        return count
    }

    mutating func genericArgument() throws(Malformed) {
        if reader.take("L") {
            try lifetime(try reader.base62())
        } else if reader.take("K") {
            try constant()
        } else {
            try type()
        }
    }

    /// Numbered from the innermost bound one; 0 is erased.
    mutating func lifetime(_ index: UInt64) throws(Malformed) {
        guard index > 0 else { return try put("'_") }
        guard index <= boundLifetimes else { throw Malformed() }
        let depth = boundLifetimes - index
        if depth < 26, let letter = UInt32(exactly: depth).flatMap({ Unicode.Scalar(97 + $0) }) {
            try put("'\(letter)")
        } else {
            try put("'_\(depth)")
        }
    }

    /// `for<'a>` around `body`, where the name has one.
    mutating func binder(_ body: (inout Self) throws(Malformed) -> Void) throws(Malformed) {
        let count = try reader.optional62("G")
        guard count <= 64 else { throw Malformed() }
        let before = boundLifetimes
        if count > 0 {
            try put("for<")
            for index in 0..<count {
                if index > 0 { try put(", ") }
                boundLifetimes += 1
                try lifetime(1)
            }
            try put("> ")
        }
        try body(&self)
        boundLifetimes = before
    }

    mutating func type() throws(Malformed) {
        try nested { (inner) throws(Malformed) in try inner.typeBody() }
    }
}
