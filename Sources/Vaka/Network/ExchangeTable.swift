// SPDX-License-Identifier: Apache-2.0
import CVakaCrash
import Synchronization
import VakaModel

/// Names an exchange in the table of the run that it began in.
package struct ExchangeToken: Hashable, Sendable {
    fileprivate let run: UInt64
    fileprivate let order: UInt64
}

/// Which exchange is in which slot of the run file: those in flight, and of the others the last. Thread-safe.
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

    func begin(_ record: NetworkRequestEvent) -> ExchangeToken {
        let json = ExchangeText.bytes(of: record)
        return state.withLock { state in
            state.last += 1
            put(json, order: state.last, isInFlight: true, &state)
            return ExchangeToken(run: run, order: state.last)
        }
    }

    /// Without a token, or where its slot was taken meanwhile, the record gets one as if it began now.
    func end(_ token: ExchangeToken?, _ record: NetworkRequestEvent) {
        let json = ExchangeText.bytes(of: record)
        state.withLock { state in
            if let token, token.run == run, let slot = state.slots.firstIndex(where: { $0.order == token.order }) {
                state.slots[slot].isInFlight = false
                // Under the lock: nobody else may write the slot meanwhile.
                write(slot, token.order, json)
            } else {
                state.last += 1
                put(json, order: state.last, isInFlight: false, &state)
            }
        }
    }

    func drop(_ token: ExchangeToken?) {
        guard let token, token.run == run else { return }
        state.withLock { state in
            guard let slot = state.slots.firstIndex(where: { $0.order == token.order }) else { return }
            state.slots[slot] = Slot()
            write(slot, token.order, nil)
        }
    }

    private func put(_ json: [UInt8]?, order: UInt64, isInFlight: Bool, _ state: inout State) {
        let slot = state.nextSlot
        state.slots[slot] = Slot(order: order, isInFlight: isInFlight)
        write(slot, order, json)
    }
}
