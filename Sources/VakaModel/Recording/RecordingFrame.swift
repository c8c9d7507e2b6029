// SPDX-License-Identifier: Apache-2.0

/// What a screen showed from one moment on, as what changed since the frame before. The first of a part begins with nothing.
public struct RecordingFrame: Hashable, Sendable {
    /// Milliseconds since the part began.
    public var at: Int
    /// In points.
    public var width: Int32
    public var height: Int32
    /// Another screen, as the program or its host said.
    public var isNewScreen: Bool
    /// The screen had more elements than are recorded.
    public var isTruncated: Bool
    public var changes: [RecordingChange]

    /// A frame.
    public init(
        at: Int, width: Int32, height: Int32, isNewScreen: Bool = false, isTruncated: Bool = false,
        changes: [RecordingChange]
    ) {
        self.at = at
        self.width = width
        self.height = height
        self.isNewScreen = isNewScreen
        self.isTruncated = isTruncated
        self.changes = changes
    }
}

extension RecordingFrame: Codable, JSONWritable {
    private enum CodingKeys: String, CodingKey {
        case at, width, height
        case isNewScreen = "new_screen"
        case isTruncated = "truncated"
        case changes
    }

    /// Marks that are false may be left out.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        at = try values.decode(Int.self, forKey: .at)
        width = try values.decode(Int32.self, forKey: .width)
        height = try values.decode(Int32.self, forKey: .height)
        isNewScreen = try values.decodeIfPresent(Bool.self, forKey: .isNewScreen) ?? false
        isTruncated = try values.decodeIfPresent(Bool.self, forKey: .isTruncated) ?? false
        changes = try values.decode([RecordingChange].self, forKey: .changes)
    }

    /// The same.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(at, forKey: .at)
        try values.encode(width, forKey: .width)
        try values.encode(height, forKey: .height)
        if isNewScreen { try values.encode(true, forKey: .isNewScreen) }
        if isTruncated { try values.encode(true, forKey: .isTruncated) }
        try values.encode(changes, forKey: .changes)
    }

    package func write(to json: inout JSONBytes) {
        json.write(ascii: "{\"at\":")
        json.write(at)
        json.write(ascii: ",\"changes\":[")
        for (number, change) in changes.enumerated() {
            json.write(ascii: number == 0 ? "{\"drawings\":[" : ",{\"drawings\":[")
            for (number, drawing) in change.drawings.enumerated() {
                if number > 0 { json.mark(",") }
                drawing.write(to: &json)
            }
            json.write(ascii: "],\"index\":")
            json.write(change.index)
            json.write(ascii: ",\"removed\":")
            json.write(change.removed)
            json.mark("}")
        }
        json.write(ascii: "],\"height\":")
        json.write(height)
        if isNewScreen { json.write(ascii: ",\"new_screen\":true") }
        if isTruncated { json.write(ascii: ",\"truncated\":true") }
        json.write(ascii: ",\"width\":")
        json.write(width)
        json.mark("}")
    }
}
