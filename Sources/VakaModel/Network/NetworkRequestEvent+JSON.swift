// SPDX-License-Identifier: Apache-2.0

extension NetworkRequestEvent: JSONReadable, JSONWritable {
    /// Throws `UnsupportedNetworkSchema` before anything else is looked at: a later version may have other values.
    package init(from json: inout JSONReader) throws {
        let version = try NetworkSchema.version(in: json)
        var (time, url, method): (Timestamp?, String?, String?)
        var legacyProtocol: String?
        self.init(timestamp: Timestamp(milliseconds: 0), url: "", method: "")
        try json.openObject()
        while let key = try json.next(ReadKey.self) {
            switch key {
            case .legacyProtocol: legacyProtocol = try json.optional()
            case .wire(.timestamp): time = try json.value()
            case .wire(.url): url = try json.value()
            case .wire(.method): method = try json.value()
            case .wire(let key): try readFact(key, &json)
            }
        }
        timestamp = try json.require(time, CodingKeys.timestamp)
        self.url = try json.require(url, CodingKeys.url)
        self.method = try json.require(method, CodingKeys.method)
        if protocolName == nil { protocolName = legacyProtocol }
        set(schemaVersion: version)
    }

    /// What a record may be without.
    private mutating func readFact(_ key: CodingKeys, _ json: inout JSONReader) throws {
        switch key {
        case .schemaVersion, .timestamp, .url, .method: try json.skip()
        case .eventType:
            let type: String? = try json.optional()
            guard type == nil || type == Self.eventType else { throw json.corrupted("is no \"\(Self.eventType)\"") }
        case .requestID: requestID = try json.optional()
        case .connectionID: connectionID = try json.optional()
        case .direction: direction = try json.optional()
        case .protocolName: protocolName = try json.optional()
        case .metadata: metadata = try json.optional()
        case .sequenceNumber: sequenceNumber = try json.optional()
        case .requestHeaders: requestHeaders = try json.optional()
        case .requestBodySize: requestBodySize = try json.optional()
        case .statusCode: statusCode = try json.optional()
        case .responseHeaders: responseHeaders = try json.optional()
        case .responseBodySize: responseBodySize = try json.optional()
        case .durationMilliseconds: durationMilliseconds = try json.optional()
        case .error: error = try json.optional()
        case .host: host = try json.optional()
        case .path: path = try json.optional()
        case .requestBody: requestBody = try json.optional()
        case .responseBody: responseBody = try json.optional()
        case .contentType: contentType = try json.optional()
        }
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.memberIfKnown(CodingKeys.connectionID, connectionID)
            try json.memberIfKnown(CodingKeys.contentType, contentType)
            try json.memberIfKnown(CodingKeys.direction, direction)
            try json.memberIfKnown(CodingKeys.durationMilliseconds, durationMilliseconds)
            try json.memberIfKnown(CodingKeys.error, error)
            try json.member(CodingKeys.eventType, eventType)
            try json.memberIfKnown(CodingKeys.host, host)
            try json.memberIfKnown(CodingKeys.metadata, metadata)
            try json.member(CodingKeys.method, method)
            try json.memberIfKnown(CodingKeys.path, path)
            try json.memberIfKnown(CodingKeys.protocolName, protocolName)
            try json.memberIfKnown(CodingKeys.requestBody, requestBody)
            try json.memberIfKnown(CodingKeys.requestBodySize, requestBodySize)
            try json.memberIfKnown(CodingKeys.requestHeaders, requestHeaders)
            try json.memberIfKnown(CodingKeys.requestID, requestID)
            try json.memberIfKnown(CodingKeys.responseBody, responseBody)
            try json.memberIfKnown(CodingKeys.responseBodySize, responseBodySize)
            try json.memberIfKnown(CodingKeys.responseHeaders, responseHeaders)
            try json.member(CodingKeys.schemaVersion, schemaVersion)
            try json.memberIfKnown(CodingKeys.sequenceNumber, sequenceNumber)
            try json.memberIfKnown(CodingKeys.statusCode, statusCode)
            try json.member(CodingKeys.timestamp, timestamp)
            try json.member(CodingKeys.url, url)
        }
    }
}

extension NetworkRequestEvent {
    /// What is read: the keys that are written, and one that only old documents have.
    private enum ReadKey: JSONKey {
        static let names = JSONNames(Self.self)
        static let allCases = CodingKeys.allCases.map(ReadKey.wire) + [.legacyProtocol]

        case wire(CodingKeys)
        case legacyProtocol

        var stringValue: String {
            switch self {
            case .wire(let key): key.rawValue
            case .legacyProtocol: "protocol"
            }
        }

        var intValue: Int? { nil }
        init?(intValue: Int) { nil }
        init?(stringValue: String) {
            guard let key = Self.allCases.first(where: { $0.stringValue == stringValue }) else { return nil }
            self = key
        }
    }
}

extension NetworkDirection: JSONReadable, JSONWritable {}
