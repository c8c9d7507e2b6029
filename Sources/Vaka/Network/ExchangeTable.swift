// SPDX-License-Identifier: Apache-2.0
import CVakaCrash
import Synchronization
import VakaModel

/// Names an exchange in the table of the run that it began in.
package struct ExchangeToken: Hashable, Sendable {
    fileprivate let run: UInt64
    fileprivate let order: UInt64
}

/// The exchanges that reports take along, each in a slot of the run file: those in flight, and of the others the last.
/// Thread-safe.
final class ExchangeTable: Sendable {
    /// What writes a slot; nil empties it.
    typealias Write = @Sendable (_ slot: Int, _ order: UInt64, _ json: [UInt8]?) -> Void

    static let slots = Int(VAKA_CRASH_EXCHANGES)

    private struct Slot {
        var order: UInt64 = 0
        var isInFlight = false
    }

    private struct State {
        var slots = [Slot](repeating: Slot(), count: ExchangeTable.slots)
        /// By slot, the same as in the run file.
        var records = [NetworkRequestEvent?](repeating: nil, count: ExchangeTable.slots)
        var last: UInt64 = 0

        /// An unused one, else that of the oldest exchange that has ended, else that of the oldest of all.
        var nextSlot: Int {
            let ended = slots.indices.filter { !slots[$0].isInFlight }
            return (ended.isEmpty ? Array(slots.indices) : ended).min { slots[$0].order < slots[$1].order } ?? 0
        }
    }

    private let state = Mutex(State())
    private let write: Write
    /// Of another run the tokens mean nothing.
    private let run = UInt64.random(in: 1 ... .max)

    init(write: @escaping Write) {
        self.write = write
    }

    /// Oldest first; nil where there are none.
    var history: NetworkHistory? {
        let (slots, kept) = state.withLock { ($0.slots, $0.records) }
        let records = slots.indices.sorted { slots[$0].order < slots[$1].order }.compactMap { kept[$0] }
        return records.isEmpty ? nil : NetworkHistory(records)
    }

    func holds(_ token: ExchangeToken?) -> Bool { token?.run == run }

    func begin(_ record: NetworkRequestEvent) -> ExchangeToken {
        let kept = ExchangeText.kept(of: record)
        return state.withLock { state in
            state.last += 1
            put(kept, order: state.last, isInFlight: true, &state)
            return ExchangeToken(run: run, order: state.last)
        }
    }

    /// Without a token, or where its slot was taken meanwhile, the record gets one as if it began now.
    func end(_ token: ExchangeToken?, _ record: NetworkRequestEvent) {
        let kept = ExchangeText.kept(of: record)
        state.withLock { state in
            if let token, token.run == run, let slot = state.slots.firstIndex(where: { $0.order == token.order }) {
                put(kept, in: slot, order: token.order, isInFlight: false, &state)
            } else {
                state.last += 1
                put(kept, order: state.last, isInFlight: false, &state)
            }
        }
    }

    func drop(_ token: ExchangeToken?) {
        guard let token, token.run == run else { return }
        state.withLock { state in
            guard let slot = state.slots.firstIndex(where: { $0.order == token.order }) else { return }
            state.slots[slot] = Slot()
            state.records[slot] = nil
            write(slot, token.order, nil)
        }
    }

    private typealias Kept = (record: NetworkRequestEvent, json: [UInt8])

    private func put(_ kept: Kept?, order: UInt64, isInFlight: Bool, _ state: inout State) {
        put(kept, in: state.nextSlot, order: order, isInFlight: isInFlight, &state)
    }

    /// Under the lock: nobody else may write the slot meanwhile.
    private func put(_ kept: Kept?, in slot: Int, order: UInt64, isInFlight: Bool, _ state: inout State) {
        state.slots[slot] = Slot(order: order, isInFlight: isInFlight)
        state.records[slot] = kept?.record
        write(slot, order, kept?.json)
    }
}
