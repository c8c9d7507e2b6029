// SPDX-License-Identifier: Apache-2.0

/// One element of a recorded screen, as it is drawn: a box of its kind, with a text where that may be told. Nothing names it.
public struct RecordingDrawing: Hashable, Sendable {
    /// What is known of it beside its place.
    public struct Marks: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Nothing of it and of what lies in it is told but this box.
        public static let masked = Marks(rawValue: 1)
        /// It has a text, which is not told.
        public static let withheld = Marks(rawValue: 2)
        public static let focused = Marks(rawValue: 4)
        public static let disabled = Marks(rawValue: 8)
        static let all = Marks(rawValue: 15)
    }

    /// One of ``kinds``.
    public var kind: ElementRole
    /// In points, from the upper left corner of what was recorded.
    public var x: Int32
    public var y: Int32
    public var width: Int32
    public var height: Int32
    public var marks: Marks
    public var text: String?

    /// A drawing.
    public init(
        kind: ElementRole, x: Int32, y: Int32, width: Int32, height: Int32, marks: Marks = [], text: String? = nil
    ) {
        self.kind = kind
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.marks = marks
        self.text = text
    }

    /// Roles that recordings tell; every other is drawn as a group, for a host's own word may tell anything.
    public static let kinds: Set<ElementRole> = [
        .window, .dialog, .group, .toolbar, .text, .image, .button, .link, .checkbox, .radioButton, .toggle, .slider,
        .comboBox, .textField, .textArea, .searchField, .secureTextField, .list, .listItem, .scrollArea, .tab, .menu,
        .menuItem, .progress, .webView, .video, .keyboard,
    ]
}

extension RecordingDrawing: Codable, JSONWritable {
    /// `[kind, x, y, width, height, marks]`, and the text where there is one.
    public init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        kind = try values.decode(ElementRole.self)
        x = try values.decode(Int32.self)
        y = try values.decode(Int32.self)
        width = try values.decode(Int32.self)
        height = try values.decode(Int32.self)
        marks = Marks(rawValue: try values.decode(UInt8.self))
        text = values.isAtEnd ? nil : try values.decode(String.self)
    }

    /// The same.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(kind)
        for number in [x, y, width, height] { try values.encode(number) }
        try values.encode(marks.rawValue)
        if let text { try values.encode(text) }
    }

    package func write(to json: inout JSONBytes) {
        json.mark("[")
        json.write(kind.rawValue)
        for number in [x, y, width, height] {
            json.mark(",")
            json.write(number)
        }
        json.mark(",")
        json.write(marks.rawValue)
        if let text {
            json.mark(",")
            json.write(text)
        }
        json.mark("]")
    }
}
