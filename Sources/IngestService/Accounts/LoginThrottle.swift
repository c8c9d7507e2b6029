// SPDX-License-Identifier: Apache-2.0
import CSodium
import Synchronization

/// How often somebody may try to log in: by address, and by account from addresses that never got in. Failures count,
/// also of accounts that there are not.
///
/// The memory is fixed: names and addresses share counters by a keyed hash. Who shares one with a guesser waits, too.
final class LoginThrottle: Sendable {
    /// So many failures pass at once; then one in `seconds`.
    static let burst: Double = 10
    static let seconds: Double = 30
    private static let counters = 1 << 14
    private static let mostFriends = 1 << 12

    private struct Counter {
        var failures: Double = 0
        /// Seconds since the start.
        var at: Double = 0
    }

    private struct State {
        var addresses = [Counter](repeating: Counter(), count: counters)
        var accounts = [Counter](repeating: Counter(), count: counters)
        /// Account and address together that got in: a guesser elsewhere does not lock them out.
        var friends: Set<UInt64> = []
    }

    private let state = Mutex(State())
    private let key: [UInt8]
    private let start = ContinuousClock.now

    init() {
        var key = [UInt8](repeating: 0, count: Int(crypto_shorthash_keybytes()))
        randombytes_buf(&key, key.count)
        self.key = key
    }

    /// Takes an attempt down as failed, until it has succeeded; else the seconds to wait. `account` is nil where only a
    /// secret is tried.
    func begin(account: String?, address: String) -> Int? {
        let now = uptime
        let place = index(address)
        let accountPlace = account.map(index)
        let friend = account.map { hash($0 + "\0" + address) }
        return state.withLock { state in
            let isFriend = friend.map(state.friends.contains) ?? true
            let checked = isFriend ? nil : accountPlace
            let waits = [
                Self.wait(state.addresses[place], now), checked.map { Self.wait(state.accounts[$0], now) } ?? 0,
            ]
            let wait = waits.max() ?? 0
            guard wait <= 0 else { return max(1, Int(wait.rounded(.up))) }
            Self.add(1, &state.addresses[place], now)
            if let checked { Self.add(1, &state.accounts[checked], now) }
            return nil
        }
    }

    /// Gives back what `begin` took.
    func succeeded(account: String?, address: String) {
        let now = uptime
        let place = index(address)
        state.withLock { state in
            Self.add(-1, &state.addresses[place], now)
            guard let account else { return }
            let friend = hash(account + "\0" + address)
            if !state.friends.contains(friend) { Self.add(-1, &state.accounts[index(account)], now) }
            if state.friends.count >= Self.mostFriends { state.friends.removeFirst() }
            state.friends.insert(friend)
        }
    }

    private var uptime: Double {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    private static func left(_ counter: Counter, _ now: Double) -> Double {
        max(0, counter.failures - (now - counter.at) / seconds)
    }

    private static func wait(_ counter: Counter, _ now: Double) -> Double {
        (left(counter, now) - (burst - 1)) * seconds
    }

    private static func add(_ count: Double, _ counter: inout Counter, _ now: Double) {
        counter = Counter(failures: max(0, left(counter, now) + count), at: now)
    }

    private func index(_ text: String) -> Int { Int(truncatingIfNeeded: hash(text) % UInt64(Self.counters)) }

    private func hash(_ text: String) -> UInt64 {
        let bytes = Array(text.utf8)
        var output = [UInt8](repeating: 0, count: 8)
        crypto_shorthash(&output, bytes, UInt64(bytes.count), key)
        return output.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
