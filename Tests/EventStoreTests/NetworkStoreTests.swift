// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// Network records, capabilities and diagnostics in every kind of database.
struct NetworkStoreTests {
    private func add(
        _ fixture: StoreFixture, _ record: NetworkRequestEvent, id: String, install: String? = "i1",
        at time: Int64 = 5000
    ) throws {
        try fixture.accept(id, kind: "network")
        guard let item = try fixture.store.claimSpoolItem() else { return }
        try fixture.store.complete([
            ReadyExchange(
                sequence: item.sequence, project: 1, itemID: id, installID: install,
                receivedAt: Timestamp(milliseconds: time), record: record)
        ])
    }

    private func record(_ id: String?, phase: NetworkPhase? = nil, path: String = "/p") -> NetworkRequestEvent {
        var record = NetworkRequestEvent(
            timestamp: Timestamp(milliseconds: 1000), url: "http://h" + path, method: "GET", requestID: id)
        record.metadata = phase.map { ["phase": .string($0.rawValue)] }
        return record
    }

    private func ids(_ fixture: StoreFixture, _ change: (inout NetworkQuery) -> Void = { _ in }) throws -> [String] {
        var query = NetworkQuery()
        change(&query)
        return try fixture.store.exchanges(project: 1, query, after: nil, limit: 100).items.map {
            "\($0.record.requestID ?? "-") \($0.phase)"
        }
    }

    @Test(arguments: Backend.all) func `every field of a record is stored, and read as it was`(_ backend: Backend)
        throws
    {
        let fixture = try StoreFixture(backend)
        let full = FullNetworkRecord.make()
        try add(fixture, full, id: "full")
        let row = try #require(
            try fixture.store.exchanges(project: 1, NetworkQuery(), after: nil, limit: 9).items.first)
        let stored = try #require(try fixture.store.exchange(project: 1, id: row.id))
        #expect(stored.record == full)
        #expect(stored.installID == "i1" && stored.receivedAt.milliseconds == 5000 && stored.phase == .failed)
        #expect(stored.site == "host.example" && stored.route == "POST /a/b")
        // A list has neither headers nor bodies nor their sizes.
        var summary = full
        (summary.requestHeaders, summary.responseHeaders, summary.requestBody, summary.responseBody) = (
            nil, nil, nil, nil
        )
        (summary.requestBodySize, summary.responseBodySize) = (nil, nil)
        #expect(row.record == summary)
        #expect(try fixture.store.exchange(project: 2, id: row.id) == nil)
        #expect(try fixture.store.exchange(project: 1, id: row.id + 1) == nil)
    }

    @Test(arguments: Backend.all) func `absent sizes are -1, the status 0, the duration that of the metadata or 0`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        try add(fixture, record("none"), id: "none")
        var told = record("told")
        told.metadata = ["duration_ms": 12.5]
        try add(fixture, told, id: "told")
        var never = record("never")
        never.metadata = ["duration_ms": "inf", "zero\0": "a\0b"]
        try add(fixture, never, id: "never")
        let rows = try fixture.store.exchanges(project: 1, NetworkQuery(), after: nil, limit: 9).items
        let all = try rows.map { try #require(try fixture.store.exchange(project: 1, id: $0.id)).record }
        #expect(all.map(\.durationMilliseconds) == [0, 12.5, 0])
        #expect(all.allSatisfy { $0.requestBodySize == -1 && $0.responseBodySize == -1 && $0.statusCode == 0 })
        let none = try #require(all.last)
        #expect(none.connectionID == nil && none.error == nil && none.requestHeaders == nil && none.metadata == nil)
        #expect(none.host == nil && none.requestBody == nil && none.sequenceNumber == nil && none.direction == nil)
    }

    @Test(arguments: Backend.all) func `a record that comes again is there once`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        for _ in 0..<3 { try add(fixture, record("a"), id: "one") }
        #expect(try ids(fixture) == ["a completed"])
        // Also when its id was forgotten meanwhile.
        _ = try fixture.store.forget(.acceptedItems(before: Timestamp(milliseconds: .max / 2)), limit: 100)
        try add(fixture, record("b"), id: "one")
        #expect(try ids(fixture) == ["a completed"])
        #expect(try fixture.store.spoolState().items == 0)
    }

    @Test(arguments: Backend.all) func `several are stored at once, and none of what somebody else holds`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        try fixture.accept("a", "b", "c", kind: "network")
        let items = try fixture.store.claimSpoolItems(most: 9, bytes: 1 << 20)
        #expect(items.count == 3)
        func ready(_ item: SpoolItem) -> ReadyExchange {
            ReadyExchange(
                sequence: item.sequence, project: 1, itemID: item.entry.itemID, installID: nil,
                receivedAt: item.receivedAt, record: record(item.entry.itemID))
        }
        try fixture.store.complete(items.prefix(2).map(ready))
        #expect(try ids(fixture) == ["b completed", "a completed"])
        #expect(try fixture.store.spoolState().items == 1)
        // Those that are done already are nobody's.
        try fixture.store.complete(items.map(ready))
        #expect(try ids(fixture).count == 3 && fixture.store.spoolState().items == 0)
    }

    @Test(arguments: Backend.all) func `what is in flight, failed and slow, and of a host, route and exchange`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        try add(fixture, record("done", phase: .started), id: "1")
        try add(fixture, record("open", phase: .started), id: "2")
        try add(fixture, record("open", phase: .progress), id: "3")
        var ended = record("done", phase: .completed)
        (ended.statusCode, ended.durationMilliseconds) = (404, 1000)
        try add(fixture, ended, id: "4")
        // Another installation has an exchange of the same name.
        try add(fixture, record("done", phase: .started), id: "5", install: "i2")
        var failed = record("bad", phase: .failed, path: "/users/17")
        failed.error = "timed out"
        try add(fixture, failed, id: "6")
        #expect(try ids(fixture) { $0.state = .live } == ["done started", "open progress"])
        #expect(try ids(fixture) { $0.state = .error } == ["bad failed", "done completed"])
        #expect(try ids(fixture) { $0.state = .slow } == ["done completed"])
        #expect(
            try ids(fixture) {
                $0.state = .slow
                $0.slow = 1000.5
            } == [])
        #expect(try ids(fixture) { $0.route = "GET /users/{id}" } == ["bad failed"])
        #expect(try ids(fixture) { $0.requestID = "open" } == ["open progress", "open started"])
        #expect(try ids(fixture) { $0.installID = "i2" } == ["done started"])
        #expect(try ids(fixture) { $0.site = "h" }.count == 6 && ids(fixture) { $0.site = "x" }.isEmpty)
        let measures = try fixture.store.measures(project: 1, since: Timestamp(milliseconds: 0), limit: 9)
        #expect(measures.map(\.isError) == [true, true] && measures.map(\.milliseconds) == [0, 1000])
        #expect(try fixture.store.measures(project: 1, since: Timestamp(milliseconds: 5001), limit: 9).isEmpty)
        let first = try fixture.store.exchanges(project: 1, NetworkQuery(), after: nil, limit: 4)
        let rest = try fixture.store.exchanges(project: 1, NetworkQuery(), after: first.next, limit: 4)
        #expect(first.items.count == 4 && rest.items.count == 2 && rest.next == nil)
        #expect(first.items.map(\.id) + rest.items.map(\.id) == [6, 5, 4, 3, 2, 1])
    }

    @Test func `a body is read up to 10240 UTF-16 units, no pair of surrogates is cut, and its size stays`() throws {
        let fixture = try StoreFixture()
        var long = record("long")
        long.requestBody = "a" + String(repeating: "😀", count: 6000)
        long.responseBody = String(repeating: "é", count: 10_240)
        (long.requestBodySize, long.responseBodySize) = (24_001, 99_999)
        try add(fixture, long, id: "long")
        let stored = try #require(try fixture.store.exchange(project: 1, id: 1)).record
        #expect(stored.requestBody?.utf16.count == 10_239 && stored.requestBody?.last == "😀")
        #expect(stored.responseBody == long.responseBody)
        #expect(stored.requestBodySize == 24_001 && stored.responseBodySize == 99_999)
    }

    @Test(arguments: Backend.all) func `records go by age and number, and with the user's other data`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...6 {
            try add(
                fixture, record("r\(number)"), id: "\(number)", install: number == 5 ? "theirs" : "i1",
                at: Int64(number) * 1000)
        }
        let store = fixture.store
        #expect(try store.forget(.exchanges(before: Timestamp(milliseconds: 3000), project: 1), limit: 100) == 2)
        #expect(try store.forget(.exchanges(before: Timestamp(milliseconds: 9000), project: 2), limit: 100) == 0)
        #expect(try store.forget(.exchangesBeyond(most: 3, project: 1), limit: 100) == 1)
        #expect(try ids(fixture).map { $0.prefix(2) } == ["r6", "r5", "r4"])
        try fixture.accept("c", kind: "capabilities")
        let item = try #require(try store.claimSpoolItem())
        try store.complete(
            capabilities: CapabilityReport(timestamp: Timestamp(milliseconds: 1), session: "s", capabilities: []),
            installID: "theirs", receivedAt: Timestamp(milliseconds: 1), sequence: item.sequence, project: 1)
        _ = try store.removeData(ofUser: "install theirs", project: 1, limit: 10)
        #expect(try ids(fixture).map { $0.prefix(2) } == ["r6", "r4"])
        #expect(try store.capabilities(project: 1, after: nil, limit: 9).items.isEmpty)
        #expect(try store.giveUpExchanges(limit: 1) == 1)
        #expect(try ids(fixture).map { $0.prefix(2) } == ["r6"])
    }

    @Test(arguments: Backend.all) func `an installation's records are read whole, a part after the other`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...5 {
            try add(fixture, record("r\(number)"), id: "\(number)", install: number == 3 ? "other" : "theirs")
        }
        let full = FullNetworkRecord.make()
        try add(fixture, full, id: "full", install: "theirs")
        let store = fixture.store
        let first = try store.exchanges(ofInstallations: ["theirs"], project: 1, after: nil, limit: 3)
        let rest = try store.exchanges(ofInstallations: ["theirs"], project: 1, after: first.next, limit: 3)
        #expect(first.items.first?.record == full && rest.next == nil)
        #expect((first.items + rest.items).dropFirst().map(\.record.requestID) == ["r5", "r4", "r2", "r1"])
        #expect(try store.exchanges(ofInstallations: ["theirs"], project: 2, after: nil, limit: 3).items.isEmpty)
        #expect(try store.exchanges(ofInstallations: [], project: 1, after: nil, limit: 3).items.isEmpty)
        // Of more installations than one statement names, named twice and in whatever order.
        let many = (0..<1200).map { "none \($0)" }
        let begun = try store.exchanges(
            ofInstallations: ["other"] + many + ["theirs", "other"], project: 1, after: nil, limit: 4)
        let ended = try store.exchanges(
            ofInstallations: ["theirs"] + many + ["other"], project: 1, after: begun.next, limit: 4)
        #expect(begun.items.count == 4 && ended.next == nil)
        #expect(
            (begun.items + ended.items).dropFirst().map(\.record.requestID) == ["r5", "r4", "r3", "r2", "r1"])
        #expect(try store.installations(ofSessions: ["s"], project: 1) == [])
        #expect(try store.diagnostics(ofInstallation: "theirs", project: 1, limit: 9).isEmpty)
        #expect(try store.capabilities(ofInstallation: "theirs", project: 1, limit: 9).isEmpty)
    }

    @Test(arguments: Backend.all) func `a session's later report replaces the earlier one, and an old one does not`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        func add(_ state: CapabilityState, session: String?, at time: Int64) throws {
            try fixture.accept("c\(state)\(time)\(session ?? "")", kind: "capabilities")
            let item = try #require(try fixture.store.claimSpoolItem())
            var report = CapabilityReport(
                timestamp: Timestamp(milliseconds: time), session: session,
                capabilities: [CapabilityDescriptor(id: "network.transport.websocket", state: state)])
            report.release = "app@1"
            try fixture.store.complete(
                capabilities: report, installID: "i", receivedAt: Timestamp(milliseconds: time),
                sequence: item.sequence, project: 1)
        }
        try add(.disabled, session: "s", at: 10)
        try add(.supported, session: "s", at: 20)
        try add(.unsupported, session: "s", at: 5)
        try add(.disabled, session: nil, at: 7)
        let found = try #require(try fixture.store.capabilities(project: 1, session: "s"))
        #expect(found.capabilities.map(\.state) == [.supported] && found.release == "app@1" && found.session == "s")
        #expect(try fixture.store.capabilities(project: 1, session: "other") == nil)
        #expect(try fixture.store.capabilities(project: 1, session: "") == nil)
        let all = try fixture.store.capabilities(project: 1, after: nil, limit: 9).items
        #expect(all.map(\.report.session) == [nil, "s"] && all.map(\.installID) == ["i", "i"])
        #expect(try fixture.store.forget(.capabilities(before: Timestamp(milliseconds: 10), project: 1), limit: 9) == 1)
        #expect(try fixture.store.forget(.capabilitiesBeyond(most: 0, project: 1), limit: 9) == 1)
    }

    @Test(arguments: Backend.all) func `diagnostics are listed, the latest first, and go by age and number`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...3 {
            try fixture.accept("d\(number)", kind: "vaka.diagnostic")
            let item = try #require(try fixture.store.claimSpoolItem())
            try fixture.store.complete(
                diagnostic: StoredDiagnostic(
                    id: 0, at: Timestamp(milliseconds: Int64(number)), level: "warning", tag: "t", code: "c",
                    installID: number == 1 ? nil : "i", message: "{}"),
                sequence: item.sequence, project: 1)
        }
        let first = try fixture.store.diagnostics(project: 1, after: nil, limit: 2)
        #expect(first.items.map(\.at.milliseconds) == [3, 2] && first.items.map(\.installID) == ["i", "i"])
        let rest = try fixture.store.diagnostics(project: 1, after: first.next, limit: 2)
        #expect(rest.items.map(\.id) == [1] && rest.items.first?.installID == nil)
        #expect(try fixture.store.forget(.diagnostics(before: Timestamp(milliseconds: 2), project: 1), limit: 9) == 1)
        #expect(try fixture.store.forget(.diagnosticsBeyond(most: 1, project: 1), limit: 9) == 1)
    }

    @Test func `a migration takes them along, with bodies as long as they are`() throws {
        let fixture = try StoreFixture()
        var full = FullNetworkRecord.make()
        full.responseBody = String(repeating: "long ", count: 1000)
        try add(fixture, full, id: "full")
        try add(fixture, record("second"), id: "second")
        let database = try PostgresTestDatabase()
        fixture.store.close()
        try StoreMigration.run(from: fixture.folder.path + "/vaka.db", to: database.address)
        let moved = try SQLEventStore(postgres: database.address)
        defer { moved.close() }
        #expect(try moved.exchange(project: 1, id: 1)?.record == full)
        #expect(try moved.exchange(project: 1, id: 2)?.record.requestID == "second")
    }

    @Test(arguments: [
        ("/users/17", "GET /users/{id}"), ("/a/0123456789abcdef0123456789abcdef/b", "GET /a/{id}/b"),
        ("/v1/orders/", "GET /v1/orders"), ("/f47ac10b-58cc-4372-a567-0e02b2c3d479", "GET /{id}"),
        ("/users/ann@example.com/inbox", "GET /users/{id}/inbox"), ("", "GET /"), ("/über/bar", "GET /über/bar"),
        ("/items/a1b2c3d4?x=1#y", "GET /items/{id}"), ("/deadbeef/facade", "GET /deadbeef/facade"),
        (String(repeating: "/p", count: 20), "GET " + String(repeating: "/p", count: 12) + "/…"),
        ("/session/eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "GET /session/{id}"),
    ]) func `what looks like an id is no part of a route`(path: String, route: String) {
        #expect(NetworkRoute(record("r", path: path)).route == route)
    }

    @Test func `where a record names no host, it is that of the address`() {
        var named = record("r")
        named.url = "https://user:pw@api.example:8443?x"
        #expect(NetworkRoute(named) == NetworkRoute(site: "api.example:8443", route: "GET /"))
        named.host = "other"
        #expect(NetworkRoute(named).site == "other")
        named.url = "no address"
        named.host = nil
        #expect(NetworkRoute(named) == NetworkRoute(site: "", route: "GET /no address"))
    }
}
