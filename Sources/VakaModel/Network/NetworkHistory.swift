// SPDX-License-Identifier: Apache-2.0

/// The last exchanges before an event, those that were in flight included; an array in the document.
///
/// A crash is not lost for a record in it that cannot be read: that is left out, and counted.
public struct NetworkHistory: Hashable, Sendable {
    public var exchanges: [NetworkRequestEvent]
    /// Records that could not be read, for their version or otherwise; not written.
    public private(set) var unreadable = 0

    public init(_ exchanges: [NetworkRequestEvent]) {
        self.exchanges = exchanges
    }
}

extension Event {
    /// Says of the records that could not be read that they are missing.
    package mutating func noteUnreadableNetwork() {
        guard let unreadable = network?.unreadable, unreadable > 0 else { return }
        loss.append(Loss(what: "network", why: "\(unreadable) exchanges could not be read"))
    }
}

extension NetworkHistory: Codable {
    public init(from decoder: any Decoder) throws {
        self = try ModelCoding.read(Self.self, from: ModelCoding.encode(JSONValue(from: decoder)))
    }

    public func encode(to encoder: any Encoder) throws {
        try exchanges.encode(to: encoder)
    }
}

extension NetworkHistory: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        self.init([])
        try json.openArray()
        while try json.nextElement() {
            var element = json
            try json.skip()
            do {
                exchanges.append(try element.value())
            } catch is DecodingError, is UnsupportedNetworkSchema {
                unreadable += 1
            }
        }
    }

    package func write(to json: inout JSONBytes) throws { try exchanges.write(to: &json) }
}
