// SPDX-License-Identifier: Apache-2.0

/// A piece of a page. Text is escaped where it is written out: there is no way to put raw markup in.
indirect enum HTML: Sendable, ExpressibleByStringInterpolation {
    struct Attribute: Sendable {
        var name: StaticString
        var value: String

        init(_ name: StaticString, _ value: String) {
            self.name = name
            self.value = value
        }

        static func className(_ value: String) -> Attribute { Attribute("class", value) }
        /// A path on this server: its parts must be coded by the caller.
        static func href(_ path: String) -> Attribute { Attribute("href", path) }
    }

    case text(String)
    case element(StaticString, [Attribute], [HTML])
    case group([HTML])

    init(stringLiteral value: String) { self = .text(value) }

    static let nothing = HTML.group([])

    private static let withoutEnd: Set<String> = ["meta", "link", "input", "br", "hr"]

    func write(to output: inout String) {
        switch self {
        case .text(let text): Self.escape(text, to: &output)
        case .group(let children): children.forEach { $0.write(to: &output) }
        case .element(let name, let attributes, let children):
            output += "<\(name)"
            for attribute in attributes {
                output += " \(attribute.name)=\""
                Self.escape(attribute.value, to: &output)
                output += "\""
            }
            output += ">"
            guard !Self.withoutEnd.contains("\(name)") else { return }
            children.forEach { $0.write(to: &output) }
            output += "</\(name)>"
        }
    }

    /// Bytes that need an escape, or begin scalars that may: control characters, and those of U+0080 to U+009F and U+2000 to U+2FFF.
    private static func isSuspect(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\t"): false
        case ..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
            true
        case 0x7f, 0xc2, 0xe2: true
        default: false
        }
    }

    private static func escape(_ text: String, to output: inout String) {
        // Most texts have nothing to escape, and are appended whole.
        guard text.utf8.contains(where: isSuspect) else {
            output += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            // Control characters have no place in a page, and directional ones can turn its text around.
            case "\n", "\t": output.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value): output += "\u{FFFD}"
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
    }
}

/// An element with attributes and children.
func tag(_ name: StaticString, _ attributes: [HTML.Attribute] = [], _ children: HTML...) -> HTML {
    .element(name, attributes, children)
}

func tag(_ name: StaticString, _ attributes: [HTML.Attribute] = [], children: [HTML]) -> HTML {
    .element(name, attributes, children)
}
