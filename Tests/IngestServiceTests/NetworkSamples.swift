// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

@testable import EventStore
@testable import IngestService

/// Network records as programs send them.
enum NetworkSamples {
    static func item(_ record: NetworkRequestEvent, id: String) throws -> String {
        item(String(decoding: try ModelCoding.encode(record), as: UTF8.self), id: id)
    }

    static func item(_ payload: String, id: String, kind: String = "network") -> String {
        "{\"kind\":\"\(kind)\",\"id\":\"\(id)\",\"payload\":\(payload)}"
    }

    static func batch(_ items: [String], install: String = "i", sequence: Int = 1) -> String {
        "{\"schema_version\":1,\"install_id\":\"\(install)\",\"sequence\":\(sequence),"
            + "\"sent_at\":\"2026-01-01T00:00:00.000Z\",\"items\":[\(items.joined(separator: ","))]}"
    }

    static func record(
        _ id: String, phase: NetworkPhase? = nil, url: String = "https://api.example/users/17", status: Int? = nil,
        milliseconds: Double? = nil
    ) -> NetworkRequestEvent {
        var record = NetworkRequestEvent(
            timestamp: Timestamp(milliseconds: 1_700_000_000_000), url: url, method: "GET", requestID: id)
        record.metadata = phase.map { ["phase": .string($0.rawValue)] }
        record.statusCode = status
        record.durationMilliseconds = milliseconds
        return record
    }

    /// A record of a version, as JSON.
    static func versioned(_ version: String, id: String) -> String {
        item(
            #"{"schemaVersion":\#(version),"timestamp":"2026-01-31T12:00:00.000Z","url":"http://h/p","method":"GET"}"#,
            id: id)
    }
}

extension ServerProcess {
    func send(_ items: [String], install: String = "i", sequence: Int = 1) throws -> IngestReply {
        try accepted(NetworkSamples.batch(items, install: install, sequence: sequence))
    }

    /// A list once it has so many.
    func list(_ name: String, _ query: String = "", count: Int) throws -> [JSONValue] {
        try eventually {
            let list = try json(name + query)[name]?.array ?? []
            return list.count == count ? list : nil
        }
    }
}

extension JSONValue {
    /// A row's number.
    var row: Int64? { if case .integer(let number) = self { number } else { nil } }
}
