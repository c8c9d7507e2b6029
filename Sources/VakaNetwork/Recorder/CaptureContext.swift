// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Vaka
import VakaModel

/// What recorders and adapters share: the switches, and the one way out. Thread-safe; hands on with no lock held.
final class CaptureContext: Sendable {
    private struct State {
        var options = NetworkCaptureOptions()
        var isEnabled = true
    }

    let sink: any NetworkSink
    let faults: FaultRules
    private let state = Mutex(State())

    init(_ sink: any NetworkSink, faults: FaultRules = FaultRules()) {
        self.sink = sink
        self.faults = faults
    }

    var options: NetworkCaptureOptions {
        get {
            var options = state.withLock { $0.options }
            if sink.settings?.capturesBodies ?? false { options.capturesBodies = true }
            return options
        }
        set { state.withLock { $0.options = newValue } }
    }

    var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// Nil while nothing is recorded.
    var capturing: NetworkSettings? {
        guard isEnabled, let settings = sink.settings, settings.isInitialized, settings.captures else { return nil }
        return settings
    }

    /// What a rule wants of it, counted; to be asked once for an exchange. No rule takes effect while nothing is recorded.
    func decide(_ subject: @autoclosure () -> FaultSubject) -> FaultDecision? {
        capturing == nil ? nil : faults.decide(subject())
    }

    /// The last bound before a record leaves: whoever made it, the same is kept of it.
    func emit(_ record: NetworkRequestEvent) {
        sink.record(bounded(record))
    }

    /// The same for what the host made itself.
    func emitManual(_ record: NetworkRequestEvent) {
        guard let settings = capturing else { return }
        var record = record
        let address = Address(record.url, keepsAll: settings.keepsWholeURLs)
        record.url = address.url
        record.host = record.host ?? address.host
        record.path = Address(record.path ?? address.path, keepsAll: settings.keepsWholeURLs).url
        record.error = record.error.map(settings.told)
        if record.phase.isTerminal {
            Measurement.mark(&record, measured: Measurement.counts(address, status: record.statusCode, settings))
        }
        record = bounded(record)
        // What has not ended has nothing that would end it there.
        if record.phase.isTerminal { sink.end(nil, record) }
        sink.record(record)
    }

    private func bounded(_ record: NetworkRequestEvent) -> NetworkRequestEvent {
        let options = options
        var record = record
        // JSON has no others: they would lose the record.
        record.durationMilliseconds = record.durationMilliseconds.flatMap { $0.isFinite ? $0 : nil }
        record.metadata = record.metadata?.mapValues(Self.finite)
        record.requestHeaders = options.capturesHeaders ? record.requestHeaders.map(told) : nil
        record.responseHeaders = options.capturesHeaders ? record.responseHeaders.map(told) : nil
        let limit = options.sentBodyLimit
        record.requestBody = limit.flatMap { limit in record.requestBody.map { BodyText.truncate($0, limit: limit) } }
        record.responseBody = limit.flatMap { limit in record.responseBody.map { BodyText.truncate($0, limit: limit) } }
        return record
    }

    private static func finite(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): number.isFinite ? value : .null
        case .array(let values): .array(values.map(finite))
        case .object(let values): .object(values.mapValues(finite))
        default: value
        }
    }

    private func told(_ headers: [String: String]) -> [String: String] {
        let redacted = HeaderRedaction.redact(headers)
        return sink.settings?.keepsWholeURLs ?? false ? redacted : HeaderRedaction.shortened(redacted)
    }
}
