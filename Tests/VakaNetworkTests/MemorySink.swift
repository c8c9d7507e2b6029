// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Vaka
import VakaModel

@testable import VakaNetwork

/// Keeps what the SDK would be handed, and answers for it.
final class MemorySink: NetworkSink {
    struct State {
        var settings: NetworkSettings? = MemorySink.running
        var records: [NetworkRequestEvent] = []
        var lost: Int64 = 0
        /// What a crash would take along.
        var begun: [NetworkRequestEvent] = []
        var ended: [NetworkRequestEvent] = []
        var told: [[CapabilityDescriptor]] = []
    }

    let state = Mutex(State())

    typealias Settings = NetworkSettings

    static var running: NetworkSettings { NetworkSettings(isInitialized: true) }

    var settings: NetworkSettings? { state.withLock { $0.settings } }
    func set(_ change: (inout NetworkSettings) -> Void) {
        state.withLock { state in
            guard var settings = state.settings else { return }
            change(&settings)
            state.settings = settings
        }
    }

    func record(_ record: NetworkRequestEvent) { state.withLock { $0.records.append(record) } }
    func note(lost count: Int64) { state.withLock { $0.lost += count } }
    func begin(_ record: NetworkRequestEvent) -> ExchangeToken? {
        state.withLock { $0.begun.append(record) }
        return nil
    }
    func end(_ token: ExchangeToken?, _ record: NetworkRequestEvent) { state.withLock { $0.ended.append(record) } }
    func drop(_ token: ExchangeToken?) {}
    func tell(_ capabilities: [CapabilityDescriptor]) { state.withLock { $0.told.append(capabilities) } }

    var records: [NetworkRequestEvent] { state.withLock { $0.records } }
    /// As `SEND progress`, in the order of their numbers.
    var story: [String] {
        records.sorted { ($0.sequenceNumber ?? 0) < ($1.sequenceNumber ?? 0) }.map { record in
            (record.direction.map { $0.rawValue + " " } ?? "") + record.phase.rawValue
        }
    }
    var terminals: [NetworkRequestEvent] { records.filter(\.phase.isTerminal) }
}

/// A capture whose SDK is a `MemorySink`.
struct CaptureSetup {
    let sink = MemorySink()
    let capture: NetworkCapture

    init(faults: FaultRules = FaultRules(isInForce: true)) {
        capture = NetworkCapture(sink, faults: faults)
        capture.navigation.sdkStarted()
    }

    var recorder: NetworkCaptureRecorder { capture.recorder }

    func descriptor(_ transport: HostTransport) -> CapabilityDescriptor? {
        capture.transportCapabilities().first { $0.id == transport.rawValue }
    }
}
