// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// What the service says of a batch: kept with it, and said in the log once it is.
struct DiagnosticNotes: Sendable {
    private struct Said: Sendable {
        var diagnostic: NetworkSchemaDiagnostic
        var document: String
        var installID: String?
    }

    private(set) var entries: [SpoolEntry] = []
    private var said: [Said] = []
    private var notices: [SchemaDiagnostics.Notice] = []

    static let none = DiagnosticNotes()

    private init() {}

    /// Which versions of network records were refused; nothing of most of them.
    init(_ result: BatchReader.Result, _ project: Project, _ diagnostics: SchemaDiagnostics) throws {
        do {
            for refused in result.unsupported {
                let key = SchemaDiagnostics.Key(
                    installID: result.installID ?? "", application: project.slug, version: refused.told)
                let notice = diagnostics.take(key)
                notices.append(notice)
                guard let suppressed = notice.suppressed else { continue }
                let diagnostic = refused.diagnostic(of: project.slug, suppressed: suppressed)
                entries.append(try DiagnosticEntry.entry(diagnostic, installID: result.installID))
                said.append(
                    Said(
                        diagnostic: diagnostic,
                        document: String(decoding: try ModelCoding.encode(diagnostic), as: UTF8.self),
                        installID: result.installID))
            }
        } catch {
            diagnostics.undo(notices)
            throw error
        }
    }

    /// The batch is kept.
    func tell(_ log: Log) {
        for one in said {
            let diagnostic = one.diagnostic
            log.warning(
                diagnostic.code,
                "network records of schema version \(diagnostic.receivedVersion) are not read here: " + one.document,
                [
                    "project": .string(diagnostic.bundleID), "install_id": one.installID.map { .string($0) } ?? .null,
                    "received_version": .string(diagnostic.receivedVersion),
                    "suppressed": .integer(Int64(diagnostic.suppressedCount ?? 0)),
                ])
        }
    }

    /// It is not, and comes again.
    func undo(_ diagnostics: SchemaDiagnostics) { diagnostics.undo(notices) }
}
