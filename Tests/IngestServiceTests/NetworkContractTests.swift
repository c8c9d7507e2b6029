// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// The network record from the wire to the answers: a field that is on one side only is found here.
struct NetworkContractTests {
    /// Each name of the wire, and the column and the name in answers that it goes by; nil for what says only how a record
    /// is read.
    private static let map: [String: (column: String, output: String, isOfSummary: Bool)?] = [
        "eventType": nil, "schemaVersion": nil, "timestamp": ("timestamp", "timestamp", true),
        "url": ("url", "url", true), "method": ("method", "method", true),
        "requestId": ("request_id", "requestId", true), "connectionId": ("connection_id", "connectionId", true),
        "direction": ("direction", "direction", true), "protocolName": ("protocol", "protocol", true),
        "metadata": ("metadata_json", "metadata", true),
        "sequenceNumber": ("sequence_number", "sequenceNumber", true),
        "requestHeaders": ("request_headers_json", "requestHeaders", false),
        "requestBodySize": ("request_body_size", "requestBodySize", false),
        "statusCode": ("status_code", "statusCode", true),
        "responseHeaders": ("response_headers_json", "responseHeaders", false),
        "responseBodySize": ("response_body_size", "responseBodySize", false),
        "durationMs": ("duration_ms", "durationMs", true), "error": ("error", "error", true),
        "host": ("host", "host", true), "path": ("path", "path", true),
        "requestBody": ("request_body", "requestBody", false), "responseBody": ("response_body", "responseBody", false),
        "contentType": ("content_type", "contentType", true),
    ]

    /// What the service adds.
    private static let own: Set<String> = ["id", "phase", "site", "route", "receivedAt", "installId"]

    @Test func `the names of the wire are those that are mapped`() {
        #expect(Set(NetworkRequestEvent.wireKeys) == Set(Self.map.keys))
        #expect(NetworkRequestEvent.wireKeys.count == 23)
        let stored = Self.map.compactMapValues { $0 }
        #expect(Set(NetworkColumn.allCases.map(\.rawValue)) == Set(stored.keys))
        #expect(NetworkColumn.unstored == Set(Self.map.filter { $0.value == nil }.keys))
        for column in NetworkColumn.allCases {
            let mapped = stored[column.rawValue]
            #expect(column.column == mapped?.column && column.outputName == mapped?.output)
            #expect(column.isOfSummary == mapped?.isOfSummary)
        }
    }

    @Test(arguments: [false, true]) func `each has a column in the database`(isPostgres: Bool) throws {
        let columns: Set<String>
        if isPostgres {
            let database = try PostgresTestDatabase()
            let store = try SQLEventStore(postgres: database.address)
            defer { store.close() }
            columns = Set(
                try store.read { (connection) throws(StoreError) in
                    try connection.query(
                        """
                        SELECT CAST(column_name AS TEXT) FROM information_schema.columns
                        WHERE table_name = 'network_exchanges' AND table_schema = current_schema()
                        """
                    ) { $0.text(0) }
                })
        } else {
            let folder = try TemporaryFolder()
            let store = try SQLEventStore(path: folder.path + "/vaka.db")
            defer { store.close() }
            columns = Set(
                try store.read { (connection) throws(StoreError) in
                    try connection.query("SELECT name FROM pragma_table_info('network_exchanges')") { $0.text(0) }
                })
        }
        let others: Set = [
            "id", "project_id", "item_id", "install_id", "received_at", "phase", "is_terminal", "is_measured", "site",
            "route",
        ]
        #expect(columns.subtracting(others) == Set(Self.map.values.compactMap { $0?.column }))
    }

    /// Records that were made by the SDK, and one that is made here, of which every field is known.
    private static func fixtures() throws -> [(name: String, record: JSONValue)] {
        let folder = BuildProducts.root + "/Tests/Support/network-fixtures"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasSuffix(".json") && $0 != "contract-keys.json" }.sorted()
        var found = try names.flatMap { name in
            let document = try ModelCoding.decode(
                JSONValue.self, from: Data(contentsOf: URL(filePath: folder + "/" + name)))
            return records(in: document).map { (name, $0) }
        }
        let full = try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(FullNetworkRecord.make()))
        found.append(("all", full))
        return found
    }

    private static func records(in document: JSONValue) -> [JSONValue] {
        if case .array(let all) = document { return all.flatMap(records) }
        if let items = document["items"] {
            return items.array.filter { $0["kind"] == "network" }.compactMap { $0["payload"] }
        }
        return [document]
    }

    @Test func `every fixture comes back from list and detail as it was sent`() throws {
        let server = try ServerProcess()
        let fixtures = try Self.fixtures()
        let items = fixtures.enumerated().map { index, fixture in
            let payload = (try? ModelCoding.encode(fixture.record)).map { String(decoding: $0, as: UTF8.self) }
            return NetworkSamples.item(payload ?? "", id: "\(index)")
        }
        #expect(try server.send(items).accepted == items.count)
        let rows = try server.list("network", "?limit=200", count: items.count).reversed()
        var known: Set<String> = []
        for (fixture, summary) in zip(fixtures, rows) {
            let id = try #require(summary["id"]?.row)
            let detail = try server.json("network/\(id)")
            for (key, value) in fixture.record.object ?? [:] where value != .null {
                known.insert(key)
                guard let entry = Self.map[key] else {
                    Issue.record("\(fixture.name): \(key) is not mapped")
                    continue
                }
                guard let mapped = entry else { continue }
                #expect(same(detail[mapped.output], value), "\(fixture.name): \(key)")
                #expect((summary[mapped.output] != nil) == mapped.isOfSummary, "\(fixture.name): \(key)")
            }
            let outputs = Set(Self.map.values.compactMap { $0?.output })
            #expect(Set((detail.object ?? [:]).keys) == outputs.union(Self.own), "\(fixture.name)")
        }
        #expect(known == Set(NetworkRequestEvent.wireKeys), "the fixtures tell every fact")
    }

    /// A whole number may be written with a point, and of a long text the beginning is read.
    private func same(_ one: JSONValue?, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.string(let one)?, .string(let other)): one == other || one == BodyText.bounded(other)
        case (.number(let one)?, .integer(let other)), (.integer(let other)?, .number(let one)): one == Double(other)
        default: one == other
        }
    }

    @Test func `the records that the SDK made tell every fact between them, and one of an error does alone`() throws {
        let made = try Self.fixtures().filter { $0.name != "all" }
        guard !made.isEmpty else { return }
        func told(_ records: [(name: String, record: JSONValue)]) -> Set<String> {
            Set(records.flatMap { ($0.record.object ?? [:]).filter { $0.value != .null }.keys })
        }
        #expect(told(made) == Set(NetworkRequestEvent.wireKeys))
        #expect(told(made.filter { $0.name == "urlsession-error.json" }) == Set(NetworkRequestEvent.wireKeys))
    }

    @Test func `capabilities that the SDK told come back as they were sent`() throws {
        let file = BuildProducts.root + "/Tests/Support/network-fixtures/capabilities.json"
        guard let data = try? Data(contentsOf: URL(filePath: file)) else { return }
        let payload = try #require(
            try ModelCoding.decode(JSONValue.self, from: data)["items"]?.array.first { $0["kind"] == "capabilities" })
        let server = try ServerProcess()
        let item = String(decoding: try ModelCoding.encode(payload), as: UTF8.self)
        #expect(try server.send([item]).accepted == 1)
        let stored = try #require(try server.list("capabilities", count: 1).first)
        #expect(stored["capabilities"] == payload["payload"]?["capabilities"])
    }

    @Test func `the generated list of names is that of the wire`() throws {
        let file = BuildProducts.root + "/Tests/Support/network-fixtures/contract-keys.json"
        guard let data = try? Data(contentsOf: URL(filePath: file)) else { return }
        #expect(try ModelCoding.decode([String].self, from: data) == NetworkRequestEvent.wireKeys)
    }
}
