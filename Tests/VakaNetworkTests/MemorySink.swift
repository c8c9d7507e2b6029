// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Synchronization
import VakaModel

@testable import Vaka
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
        /// As the SDK has it: whatever came late is not heeded.
        var telling = CapabilityTelling()
    }

    /// The slots of a run file, by number.
    final class Slots: Sendable {
        let kept = Mutex<[Int: [UInt8]]>([:])
    }

    /// The table of a run, and what it wrote.
    private struct Run: Sendable {
        let slots: Slots
        let table: ExchangeTable

        init() {
            let slots = Slots()
            self.slots = slots
            table = ExchangeTable { slot, _, json in slots.kept.withLock { $0[slot] = json } }
        }
    }

    let state = Mutex(State())
    private let run = Mutex(Run())
    private var table: ExchangeTable { run.withLock { $0.table } }
    private var slots: Slots { run.withLock { $0.slots } }

    /// As after a stop and a start.
    func startAnew() { run.withLock { $0 = Run() } }

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
        return table.begin(record)
    }
    func holds(_ token: ExchangeToken?) -> Bool { table.holds(token) }
    func end(_ token: ExchangeToken?, _ record: NetworkRequestEvent) {
        state.withLock { $0.ended.append(record) }
        table.end(token, record)
    }
    func drop(_ token: ExchangeToken?) { table.drop(token) }
    func tell(_ capabilities: [CapabilityDescriptor], number: UInt64) {
        state.withLock { state in
            state.told.append(capabilities)
            _ = state.telling.tell(capabilities, number: number)
        }
    }

    /// The capabilities that count.
    var capabilities: [CapabilityDescriptor] { state.withLock { $0.telling.told ?? [] } }
    /// Which exchanges a crash would tell to be in flight.
    var inFlight: Set<String> {
        let kept = slots.kept.withLock { Array($0.values) }
        let records = kept.compactMap { try? ModelCoding.decode(NetworkRequestEvent.self, from: Data($0)) }
        return Set(records.filter { $0.phase == .started }.compactMap(\.requestID))
    }
    /// Slots that are in use.
    var slotCount: Int { slots.kept.withLock { $0.count } }
    var records: [NetworkRequestEvent] { state.withLock { $0.records } }
    /// As `SEND progress`, in the order of their numbers.
    var story: [String] {
        records.sorted { ($0.sequenceNumber ?? 0) < ($1.sequenceNumber ?? 0) }.map { record in
            (record.direction.map { $0.rawValue + " " } ?? "") + record.phase.rawValue
        }
    }
    var terminals: [NetworkRequestEvent] { records.filter(\.phase.isTerminal) }
}
