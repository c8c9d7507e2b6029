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
