// SPDX-License-Identifier: Apache-2.0

extension RustV0Demangler {
    private static let basicTypes: [Character: String] = [
        "b": "bool", "c": "char", "e": "str", "u": "()", "a": "i8", "s": "i16", "l": "i32", "x": "i64", "n": "i128",
        "i": "isize", "h": "u8", "t": "u16", "m": "u32", "y": "u64", "o": "u128", "j": "usize", "f": "f32", "d": "f64",
        "z": "!", "p": "_", "v": "...",
    ]

    mutating func typeBody() throws(Malformed) {
        let start = reader.position
        let tag = Character(Unicode.Scalar(try reader.next()))
        if let basic = Self.basicTypes[tag] { return try put(basic) }
        switch tag {
        case "A", "S": try array(hasLength: tag == "A")
        case "T":
            try put("(")
            let count = try list { (inner) throws(Malformed) in try inner.type() }
            try put(count == 1 ? ",)" : ")")
        case "R", "Q": try reference(isMutable: tag == "Q")
        case "P", "O":
            try put(tag == "P" ? "*const " : "*mut ")
            try type()
        case "F": try binder { (inner) throws(Malformed) in try inner.functionType() }
        case "D":
            try put("dyn ")
            try binder { (inner) throws(Malformed) in try inner.dynamicBounds() }
            guard reader.take("L") else { throw Malformed() }
            let index = try reader.base62()
            if index > 0 {
                try put(" + ")
                try lifetime(index)
            }
        case "B": try backReference { (inner) throws(Malformed) in try inner.type() }
        default:
            reader.seek(start)
            try path(inValue: false)
        }
    }

    private mutating func array(hasLength: Bool) throws(Malformed) {
        try put("[")
        try type()
        if hasLength {
            try put("; ")
            try constant()
        }
        try put("]")
    }

    private mutating func reference(isMutable: Bool) throws(Malformed) {
        try put("&")
        if reader.take("L") {
            let index = try reader.base62()
            if index > 0 {
                try lifetime(index)
                try put(" ")
            }
        }
        if isMutable { try put("mut ") }
        try type()
    }

    private mutating func functionType() throws(Malformed) {
        if reader.take("U") { try put("unsafe ") }
        if reader.take("K") {
            let convention = reader.take("C") ? "C" : try reader.plainIdentifier()
            try put("extern \"\(String(convention.map { $0 == "_" ? "-" : $0 }))\" ")
        }
        try put("fn(")
        try list { (inner) throws(Malformed) in try inner.type() }
        try put(")")
        if reader.take("u") { return }
        try put(" -> ")
        try type()
    }

    private mutating func dynamicBounds() throws(Malformed) {
        var isFirst = true
        while !reader.take("E") {
            if !isFirst { try put(" + ") }
            isFirst = false
            try dynamicTrait()
        }
    }

    /// A trait whose generic arguments and associated types share one pair of angle brackets.
    private mutating func dynamicTrait() throws(Malformed) {
        var isOpen = try openPath()
        while reader.take("p") {
            try put(isOpen ? ", " : "<")
            isOpen = true
            try put(try reader.plainIdentifier() + " = ")
            try type()
        }
        if isOpen { try put(">") }
    }

    /// Writes a path but leaves its last angle bracket open; true where there is one.
    private mutating func openPath() throws(Malformed) -> Bool {
        if reader.take("B") {
            var isOpen = false
            try backReference { (inner) throws(Malformed) in isOpen = try inner.openPath() }
            return isOpen
        }
        guard reader.take("I") else {
            try path(inValue: false)
            return false
        }
        try path(inValue: false)
        try put("<")
        try list { (inner) throws(Malformed) in try inner.genericArgument() }
        return true
    }

    mutating func constant() throws(Malformed) {
        if reader.take("p") { return try put("_") }
        if reader.take("B") {
            return try backReference { (inner) throws(Malformed) in try inner.constant() }
        }
        switch Character(Unicode.Scalar(try reader.next())) {
        case "h", "t", "m", "y", "o", "j": try put(number(try reader.hexDigits()))
        case "a", "s", "l", "x", "n", "i":
            let sign = reader.take("n") ? "-" : ""
            try put(sign + number(try reader.hexDigits()))
        case "b":
            switch try reader.hexDigits() {
            case "0": try put("false")
            case "1": try put("true")
            default: throw Malformed()
            }
        case "c":
            guard let value = UInt32(try reader.hexDigits(), radix: 16), let scalar = Unicode.Scalar(value) else {
                throw Malformed()
            }
            try put("'\(scalar.escaped(asASCII: false))'")
        default: throw Malformed()
        }
    }

    private func number(_ digits: String) -> String {
        if digits.isEmpty { return "0" }
        return UInt64(digits, radix: 16).map { String($0) } ?? "0x" + digits
    }
}
