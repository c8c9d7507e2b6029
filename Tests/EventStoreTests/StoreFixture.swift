// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

@testable import EventStore

/// What a store can keep its rows in.
enum Backend: CaseIterable, Sendable {
    case sqlite, postgres
    /// SQLite, into which what is accepted comes by a journal.
    case journal

    static let all = allCases
}

/// A store of a test's own, with one project.
final class StoreFixture: @unchecked Sendable {  // its store is changed by the test alone
    let folder: TemporaryFolder
    private let backend: Backend
    private let database: PostgresTestDatabase?
    private(set) var store: SQLEventStore
    let project: Project

    init(_ backend: Backend = .sqlite) throws {
        folder = try TemporaryFolder()
        database = backend == .postgres ? try PostgresTestDatabase(template: Self.template.get()) : nil
        self.backend = backend
        store = try Self.open(backend, database, folder)
        project = try store.createProject(
            slug: "default", credentials: [Credential(kind: .ingest, prefix: "vk_abc", hash: [1, 2, 3])])
    }

    deinit { store.close() }

    /// A database that was brought up to date once for all.
    private static let template = Result {
        let name = "vaka_template"
        let server = try PostgresServer.shared.get()
        try server.run("CREATE DATABASE \(name)")
        try SQLEventStore(postgres: server.address(name)).close()
        return name
    }

    private static func open(
        _ backend: Backend, _ database: PostgresTestDatabase?, _ folder: TemporaryFolder
    ) throws -> SQLEventStore {
        if let database { return try SQLEventStore(postgres: database.address) }
        let path = folder.path + "/vaka.db"
        guard backend == .journal else { return try SQLEventStore(path: path) }
        return try SQLEventStore(path: path, journal: .own { fatalError($0) })
    }

    /// Another store on the same rows: another process, where there may be many.
    func another() throws -> SQLEventStore {
        try Self.open(backend == .journal ? .sqlite : backend, database, folder)
    }

    /// The name under which the store holds what it works on.
    var node: String { (store.work as? PostgresLedger)?.node.id ?? "" }

    /// As after a restart.
    func reopen() throws {
        store.close()
        store = try Self.open(backend, database, folder)
    }

    func accept(_ ids: String..., kind: String = "event") throws {
        try store.accept(
            ids.map { SpoolEntry(kind: kind, itemID: $0, payload: Data("{}".utf8)) }, project: project.id,
            from: nil)
        try store.settle()
    }

    func event(
        _ source: ProcessedEvent.Source, id: String, keys: [String], basis: KeyBasis = .names, waiting: [String] = [],
        revision: Int64 = 0, title: String = "title", release: String? = nil, environment: String? = nil,
        user: String? = nil, time: Int64 = 1000, texts: [SearchText] = []
    ) -> ProcessedEvent {
        ProcessedEvent(
            source: source, project: project.id, eventID: id, type: "crash", level: "fatal",
            timestamp: Timestamp(milliseconds: time), receivedAt: Timestamp(milliseconds: time + 1000),
            release: release,
            environment: environment, user: user, title: title, culprit: nil, document: Data("doc".utf8),
            grouping: Data("why".utf8),
            report: waiting.isEmpty ? nil : Data("report".utf8), memory: waiting.isEmpty ? .none : .kept,
            waitingFor: waiting, images: waiting, keys: keys.map { IssueKey(kind: String($0.prefix(1)), value: $0) },
            groupingVersion: 1,
            basis: basis, imageRevision: revision, searchTexts: texts)
    }

    /// Accepts, claims and completes an event.
    @discardableResult
    func add(
        _ id: String, keys: [String], basis: KeyBasis = .names, waiting: [String] = [], release: String? = nil,
        environment: String? = nil, user: String? = nil, time: Int64 = 1000, texts: [SearchText] = []
    ) throws -> StoreOutcome {
        try accept(id)
        guard let item = try store.claimSpoolItem() else { return .duplicate }
        return try store.complete(
            event(
                .spool(sequence: item.sequence), id: id, keys: keys, basis: basis, waiting: waiting, release: release,
                environment: environment, user: user, time: time, texts: texts))
    }

    func issue(_ id: Int64 = 1) throws -> Issue? {
        try store.issue(project: project.id, id: id)
    }

    func change(_ changes: IssueChange..., issue: Int64 = 1, at time: Int64 = 5000) throws {
        _ = try store.change(
            project: project.id, issue: issue, changes, by: "ann", now: Timestamp(milliseconds: time))
    }

    @discardableResult
    func upload(_ buildID: String) throws -> Int {
        try store.addArtifact(
            Artifact(
                buildID: buildID, hasCode: true, hasDebugInfo: true, size: 10, name: "app", release: nil,
                uploadedAt: Timestamp(milliseconds: 5)), project: project.id)
    }
}
