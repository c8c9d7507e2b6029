// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import IngestService
import JSONScan
import Privacy
import VakaModel

/// A network record, a list of capabilities, or what an event tells of its network.
enum NetworkInput {
    static func run(_ bytes: [UInt8]) {
        let data = Data(bytes)
        if let record = try? ModelCoding.decode(NetworkRequestEvent.self, from: data) { check(record) }
        if let history = try? ModelCoding.decode(NetworkHistory.self, from: data) {
            for record in history.exchanges { check(record) }
            isReadAlike(history.exchanges)
        }
        if let descriptor = try? ModelCoding.decode(CapabilityDescriptor.self, from: data) { isReadAlike(descriptor) }
        if let report = try? ModelCoding.decode(CapabilityReport.self, from: data) { isReadAlike(report) }
        shorten(data)
    }

    private static func check(_ record: NetworkRequestEvent) {
        let versions = 0...NetworkRequestEvent.currentSchemaVersion
        precondition(versions.contains(record.schemaVersion), "a version that is not read was accepted")
        precondition(record.knownDuration?.isFinite != false, "no number of milliseconds")
        isReadAlike(record)
        let counted = NetworkRoute(record)
        precondition(counted.route.unicodeScalars.count <= 200 && counted.site.unicodeScalars.count <= 200, "too long")
        for body in [record.requestBody, record.responseBody].compactMap({ $0 }) {
            let read = BodyText.bounded(body)
            precondition(read.utf16.count <= BodyText.longest && body.utf8.starts(with: read.utf8), "cut otherwise")
        }
    }

    private static func isReadAlike<Value: Codable & Equatable>(_ value: Value) {
        guard let written = try? ModelCoding.encode(value) else { preconditionFailure("cannot be written") }
        precondition((try? ModelCoding.decode(Value.self, from: written)) == value, "read as something else")
    }

    /// Of the addresses of whatever document it is, nothing more is left than may be.
    private static func shorten(_ document: Data) {
        let scrubber = PayloadScrubber(.usual)
        guard let scrubbed = try? scrubber.scrub(document, .network) else { return }
        precondition((try? scrubber.scrub(scrubbed, .network)) == scrubbed, "not all is taken out at once")
        guard let url = (try? ModelCoding.decode(JSONValue.self, from: scrubbed))?["url"]?.string else { return }
        precondition(!url.contains("?") && !url.contains("#"), "a query or a fragment is left")
    }
}
