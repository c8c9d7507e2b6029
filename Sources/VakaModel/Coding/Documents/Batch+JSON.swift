// SPDX-License-Identifier: Apache-2.0

extension Batch: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var version: Int?
        var sdk: SDKInfo?
        var installID: String?
        var sequence: UInt64?
        var sentAt: Timestamp?
        var items: [BatchItem]?
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .schemaVersion: version = try json.value()
            case .sdk: sdk = try json.value()
            case .installID: installID = try json.value()
            case .sequence: sequence = try json.value()
            case .sentAt: sentAt = try json.value()
            case .items: items = try json.value()
            }
        }
        schemaVersion = try json.require(version, CodingKeys.schemaVersion)
        self.sdk = try json.require(sdk, CodingKeys.sdk)
        self.installID = try json.require(installID, CodingKeys.installID)
        self.sequence = try json.require(sequence, CodingKeys.sequence)
        self.sentAt = try json.require(sentAt, CodingKeys.sentAt)
        self.items = try json.require(items, CodingKeys.items)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.installID, installID)
            try json.member(CodingKeys.items, items)
            try json.member(CodingKeys.schemaVersion, schemaVersion)
            try json.member(CodingKeys.sdk, sdk)
            try json.member(CodingKeys.sentAt, sentAt)
            try json.member(CodingKeys.sequence, sequence)
        }
    }
}

extension BatchItem: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var kind: ItemKind?
        var id: String?
        var payload: JSONValue?
        var parts: Int?
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .kind: kind = try json.value()
            case .id: id = try json.value()
            case .payload: payload = try json.value()
            case .parts: parts = try json.value()
            }
        }
        self.kind = try json.require(kind, CodingKeys.kind)
        self.id = try json.require(id, CodingKeys.id)
        self.payload = try json.require(payload, CodingKeys.payload)
        self.parts = parts
    }

    package func write(to json: inout JSONBytes) throws {
        try Self.write(kind: kind, id: id, parts: parts, payload: payload, to: &json)
    }

    /// An item whose payload need not be a `JSONValue` first.
    package static func write(
        kind: ItemKind, id: String, parts: Int? = nil, payload: some JSONWritable, to json: inout JSONBytes
    ) throws {
        try json.object { json in
            try json.member(CodingKeys.id, id)
            try json.member(CodingKeys.kind, kind)
            if let parts { try json.member(CodingKeys.parts, parts) }
            try json.member(CodingKeys.payload, payload)
        }
    }
}

extension SDKInfo: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var name: String?
        var version: String?
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .name: name = try json.value()
            case .version: version = try json.value()
            }
        }
        self.init(
            name: try json.require(name, CodingKeys.name), version: try json.require(version, CodingKeys.version))
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.name, name)
            try json.member(CodingKeys.version, version)
        }
    }
}
