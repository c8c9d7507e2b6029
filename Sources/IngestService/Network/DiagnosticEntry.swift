// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What the service says of a batch, on its way through the spool like the batch itself, so that it is as durable.
enum DiagnosticEntry {
    /// No batch may have items of this kind.
    static let kind = "vaka.diagnostic"
    /// Of network records.
    static let networkTag = "SdkNetworkWire"
    static let warning = "warning"

    static func entry(_ diagnostic: NetworkSchemaDiagnostic, installID: String?) throws -> SpoolEntry {
        let id = String(UInt64.random(in: 0 ... .max), radix: 16) + String(UInt64.random(in: 0 ... .max), radix: 16)
        return SpoolEntry(
            kind: kind, itemID: id, payload: try SpoolPayload.packed(ModelCoding.encode(diagnostic)),
            installID: installID)
    }

    /// As it is stored; nil of a payload that is none.
    static func diagnostic(_ payload: Data, _ item: SpoolItem) -> StoredDiagnostic? {
        guard let diagnostic = try? ModelCoding.decode(NetworkSchemaDiagnostic.self, from: payload) else { return nil }
        return StoredDiagnostic(
            id: 0, at: item.receivedAt, level: warning, tag: networkTag, code: diagnostic.code,
            installID: item.entry.installID, message: String(decoding: payload, as: UTF8.self))
    }
}

extension Service {
    /// Says in the log, and in what is kept, which versions of network records were refused; nothing of most of them.
    func diagnostics(_ result: BatchReader.Result, _ project: Project) throws -> [SpoolEntry] {
        try result.unsupported.compactMap { refused in
            let key = SchemaDiagnostics.Key(
                installID: result.installID ?? "", application: project.slug, version: refused.told)
            guard let suppressed = schemaDiagnostics.take(key) else { return nil }
            let diagnostic = refused.diagnostic(of: project.slug, suppressed: suppressed)
            log.warning(
                diagnostic.code,
                "network records of schema version \(refused.told) are not read here: "
                    + String(decoding: try ModelCoding.encode(diagnostic), as: UTF8.self),
                [
                    "project": .string(project.slug), "install_id": result.installID.map { .string($0) } ?? .null,
                    "received_version": .string(refused.told),
                    "suppressed": .integer(Int64(suppressed)),
                ])
            return try DiagnosticEntry.entry(diagnostic, installID: result.installID)
        }
    }
}
