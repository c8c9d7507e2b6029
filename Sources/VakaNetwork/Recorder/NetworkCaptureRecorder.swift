// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Vaka
public import VakaModel

/// Makes one ordered story of what the callbacks of a transport tell, on whatever threads they come.
///
/// An exchange begins with `didStart`, and ends with the first of `didComplete`, `didFail` and `didCancel`; what comes for it
/// afterwards is dropped. Each record has a sequence number, which tells the order where delivery does not. At most 1024
/// exchanges last at a time; more are counted and not recorded. Thread-safe; no lock is held while records are handed on.
public final class NetworkCaptureRecorder: Sendable {
    private let exchanges = Mutex(OpenExchanges())
    private let lastSequence = Atomic<Int64>(0)
    let context: CaptureContext

    init(_ context: CaptureContext) {
        self.context = context
    }

    /// Exchanges that last.
    package var openCount: Int { exchanges.withLock { $0.count } }

    private var sequence: Int64 { lastSequence.add(1, ordering: .relaxed).newValue }

    // MARK: The story of an exchange

    /// It begins. A second beginning of the same id changes nothing, also after its end.
    public func didStart(_ requestID: String, _ facts: ExchangeFacts) {
        start(requestID, facts, isConnection: false)
    }

    func start(_ id: String, _ facts: @autoclosure () -> ExchangeFacts, isConnection: Bool) {
        switch exchanges.withLock({ $0.beginning(of: id) }) {
        case .known: return
        case .begun: begin(id, facts(), isConnection: isConnection)
        case .tooMany: if context.capturing != nil { context.sink.note(lost: 1) }
        }
    }

    private func begin(_ id: String, _ facts: ExchangeFacts, isConnection: Bool) {
        // Of what begins unseen no later callback may tell a whole.
        guard let settings = context.capturing else {
            return exchanges.withLock { $0.miss(id, isConnection: isConnection) }
        }
        let options = context.options
        var exchange = Exchange(id, facts, isConnection: isConnection)
        exchange.isToldWhole = settings.keepsWholeURLs
        let record = exchange.record(.started, sequence: sequence, options, settings)
        // Before anybody can end it.
        exchange.token = context.sink.begin(record)
        let beginning = exchanges.withLock { $0.add(exchange) }
        guard beginning == .begun else {
            context.sink.drop(exchange.token)
            if beginning == .tooMany { context.sink.note(lost: 1) }
            return
        }
        // It may have been switched off or started anew meanwhile, by somebody who did not find this one.
        if context.capturing?.keepsWholeURLs != settings.keepsWholeURLs || !context.sink.holds(exchange.token) {
            captureChanged()
        }
        if isConnection || options.recordsEveryStep, context.capturing != nil { context.emit(record) }
    }

    /// The head of the answer is there.
    public func didReceiveResponse(_ requestID: String, _ answer: AnswerFacts) {
        guard let moment = change(requestID, { $0.answer = answer }) else { return }
        let options = context.options
        guard options.recordsEveryStep, let settings = context.capturing else { return }
        context.emit(moment.exchange.record(.progress, sequence: moment.sequence, options, settings))
    }

    /// So many more bytes of the body have left.
    public func didSendBody(_ requestID: String, bytes: Int64) {
        _ = change(requestID) { $0.add(bytes, .send) }
    }

    /// More bytes of the answer's body are there; they are looked at only while bodies are captured.
    public func didReceiveBody(_ requestID: String, _ bytes: some Collection<UInt8>) {
        let limit = context.options.bodyLimit
        // Before the lock is taken: the collection is the caller's.
        let count = Int64(bytes.count)
        let start = limit.map { Array(bytes.prefix($0 + 1)) } ?? []
        _ = change(requestID) { $0.add(received: count, start, keeping: limit) }
    }

    /// How many bytes went either way, where that is known of the whole only; nil leaves what was counted.
    func didMove(_ requestID: String, sent: Int64?, received: Int64?) {
        _ = change(requestID) { exchange in
            exchange.sent = sent ?? exchange.sent
            exchange.received = received ?? exchange.received
        }
    }

    /// The answer's body is whole. Where none of it came by, `known` is its size.
    func didFinishBody(_ requestID: String, known: Int64?) {
        _ = change(requestID) { $0.received = $0.received ?? known }
    }

    /// Adds to the exchange's metadata.
    public func note(_ requestID: String, _ metadata: [String: JSONValue]) {
        _ = noted(requestID, metadata)
    }

    /// False where it does not last.
    func noted(_ requestID: String, _ metadata: [String: JSONValue]) -> Bool {
        change(requestID) { $0.metadata.merge(metadata) { $1 } } != nil
    }

    /// It is over, whatever the status.
    public func didComplete(_ requestID: String) { end(requestID, .completed, nil) }
    /// It failed.
    public func didFail(_ requestID: String, error: String) { end(requestID, .failed, error) }
    /// It was given up.
    public func didCancel(_ requestID: String) { end(requestID, .cancelled, nil) }

    /// A connection that lasts is another now.
    func didAdvance(_ connectionID: String, _ metadata: [String: JSONValue]) {
        guard let moment = change(connectionID, { _ in }), let settings = context.capturing else { return }
        var record = moment.exchange.step(.progress, sequence: moment.sequence, settings, at: .now)
        record.metadata?.merge(metadata) { $1 }
        context.emit(record)
    }

    /// Something went one way over a connection that lasts. `body` is asked for only while bodies are captured.
    func recordFrame(
        _ connectionID: String, _ direction: NetworkDirection, size: Int, body: () -> [UInt8]?,
        metadata: [String: JSONValue], error: String?
    ) {
        let moment = change(connectionID) { $0.add(Int64(error == nil ? size : 0), direction) }
        guard let moment, let settings = context.capturing else { return }
        var record = moment.exchange.step(.progress, sequence: moment.sequence, settings, at: .now)
        record.direction = direction
        record.error = error.map(settings.told)
        record.metadata?.merge(metadata) { $1 }
        let text = context.options.bodyLimit.flatMap { limit in body().flatMap { BodyText.text($0, limit: limit) } }
        if direction == .send {
            (record.requestBodySize, record.requestBody) = (Int64(size), text)
        } else {
            (record.responseBodySize, record.responseBody) = (Int64(size), text)
        }
        context.emit(record)
    }

    /// A connection of an id whose last one has ended is another one.
    func startAnew(_ id: String, _ facts: ExchangeFacts) {
        exchanges.withLock { $0.forget(id) }
        start(id, facts, isConnection: true)
    }

    /// What its records have as their request's id, which of a connection is another one for each that an id names; nil where it
    /// does not last.
    func story(of id: String) -> String? {
        exchanges.withLock { $0.requestID(of: id) }
    }

    /// Where nothing is recorded now, a crash no longer takes along what lasts; where something is, it takes along all of it.
    func captureChanged() {
        var settings: NetworkSettings?
        repeat {
            settings = context.capturing
            if let settings {
                for exchange in exchanges.withLock({ $0.all })
                where !context.sink.holds(exchange.token) || exchange.isToldWhole != settings.keepsWholeURLs {
                    begin(again: exchange, settings)
                }
            } else {
                for token in exchanges.withLock({ $0.takeTokens() }) { context.sink.drop(token) }
            }
            // Somebody may have switched it meanwhile, who found things as they were before.
        } while settings?.keepsWholeURLs != context.capturing?.keepsWholeURLs
    }

    private func begin(again exchange: Exchange, _ settings: NetworkSettings) {
        let token = context.sink.begin(exchange.record(.started, sequence: sequence, context.options, settings))
        let isSet = exchanges.withLock { $0.set(token, of: exchange, isToldWhole: settings.keepsWholeURLs) }
        // Of another run the old one means nothing.
        context.sink.drop(isSet ? exchange.token : token)
    }

    // MARK: The one place for each

    /// An exchange as it was at one moment, and the number of that moment.
    private struct Moment {
        let exchange: Exchange
        let sequence: Int64
    }

    private func change(_ id: String, _ change: (inout Exchange) -> Void) -> Moment? {
        // The number under the lock, too: what happens afterwards has a higher one.
        exchanges.withLock { open in
            open.change(id, change).map { Moment(exchange: $0, sequence: sequence) }
        }
    }

    private func end(_ id: String, _ phase: NetworkPhase, _ error: String?) {
        let moment = exchanges.withLock { open in
            open.end(id).map { Moment(exchange: $0, sequence: sequence) }
        }
        guard let moment else { return }
        let exchange = moment.exchange
        guard let settings = context.capturing else { return context.sink.drop(exchange.token) }
        var record = exchange.record(phase, sequence: moment.sequence, context.options, settings)
        record.error = error.map(settings.told)
        Measurement.mark(
            &record,
            measured: Measurement.counts(exchange.address, status: exchange.answer?.statusCode, settings))
        context.sink.end(exchange.token, record)
        context.emit(record)
    }
}
