// SPDX-License-Identifier: Apache-2.0
import Vaka
import VakaModel

/// One exchange while it lasts. Kept under the recorder's lock.
struct Exchange: Sendable {
    let id: String
    /// In records: the same id, but of connections one that no other run has.
    let requestID: String
    let facts: ExchangeFacts
    /// The shortened one; the whole one is among the facts.
    let address: Address
    /// A connection tells each of its steps.
    let isConnection: Bool
    let time = Timestamp.now
    private let begun = ContinuousClock.now
    var token: ExchangeToken?
    /// Whether what a crash takes along has the whole address.
    var isToldWhole = false
    /// Its beginning was not seen: neither its sizes nor how long it lasted are known.
    var isPartial = false
    var answer: AnswerFacts?
    var sent: Int64?
    var received: Int64?
    var answerBody: [UInt8] = []
    var metadata: [String: JSONValue]

    init(_ id: String, _ facts: ExchangeFacts, isConnection: Bool) {
        self.id = id
        requestID = isConnection ? id + "-" + String(UInt64.random(in: 0 ... .max), radix: 16) : id
        self.facts = facts
        address = Address(facts.url, keepsAll: false)
        self.isConnection = isConnection
        metadata = facts.metadata
    }

    /// Its facts as they are now.
    func record(
        _ phase: NetworkPhase, sequence: Int64, _ options: NetworkCaptureOptions, _ settings: NetworkSettings
    ) -> NetworkRequestEvent {
        var record = step(phase, sequence: sequence, settings)
        record.requestBodySize = isPartial ? nil : sent ?? facts.bodySize
        record.statusCode = answer?.statusCode
        record.contentType = answer?.contentType
        record.responseBodySize = isPartial ? nil : received
        if phase.isTerminal, !isPartial {
            record.durationMilliseconds = (ContinuousClock.now - begun) / .milliseconds(1)
        }
        if options.capturesHeaders {
            record.requestHeaders = HeaderRedaction.redact(facts.headers)
            record.responseHeaders = answer.map { HeaderRedaction.redact($0.headers) }
        }
        if phase.isTerminal, let limit = options.bodyLimit {
            record.requestBody = facts.body.flatMap { BodyText.text($0(), limit: limit) }
            if !answerBody.isEmpty { record.responseBody = BodyText.text(answerBody, limit: limit) }
        }
        return record
    }

    /// A record that tells where it belongs, and of one moment.
    func step(
        _ phase: NetworkPhase, sequence: Int64, _ settings: NetworkSettings, at time: Timestamp? = nil
    ) -> NetworkRequestEvent {
        var record = NetworkRequestEvent(
            timestamp: time ?? self.time, url: settings.keepsWholeURLs ? facts.url : address.url, method: facts.method,
            requestID: requestID)
        record.connectionID = facts.connectionID
        record.protocolName = facts.protocolName ?? (address.scheme.isEmpty ? nil : address.scheme)
        record.metadata = metadata
        record.metadata?[NetworkMetadata.phase] = .string(phase.rawValue)
        record.sequenceNumber = sequence
        record.host = address.host
        record.path = address.path
        return record
    }

    mutating func add(_ count: Int64, _ direction: NetworkDirection) {
        if direction == .send { sent = Self.sum(sent, count) } else { received = Self.sum(received, count) }
    }

    /// The program tells the counts; the largest number stands for all that are larger.
    private static func sum(_ size: Int64?, _ count: Int64) -> Int64 {
        let (sum, isTooLarge) = (size ?? 0).addingReportingOverflow(max(0, count))
        return isTooLarge ? .max : sum
    }

    /// Of the bytes that came, `start` has as many as may be kept.
    mutating func add(received count: Int64, _ start: [UInt8], keeping limit: Int?) {
        received = Self.sum(received, count)
        if let limit, answerBody.count <= limit { answerBody += start.prefix(limit + 1 - answerBody.count) }
    }
}
