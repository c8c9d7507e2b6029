// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel

/// The rules that are in force. Thread-safe.
final class FaultRules: Sendable {
    /// Whether this build has any.
    static var exist: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    static let limit = 256

    private struct Entry {
        var rule: FaultRule
        var added: ContinuousClock.Instant
        var met = 0

        func isOver(at now: ContinuousClock.Instant) -> Bool {
            if let limit = rule.limit, met >= limit { return true }
            return rule.lifetime.map { now - added >= $0 } ?? false
        }
    }

    private let entries = Mutex<[Entry]>([])
    private let isInForce: Bool
    private let clock: @Sendable () -> ContinuousClock.Instant

    init(isInForce: Bool = FaultRules.exist, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.isInForce = isInForce
        self.clock = clock
    }

    var rules: [FaultRule] {
        let now = clock()
        return entries.withLock { $0.filter { !$0.isOver(at: now) }.map(\.rule) }
    }

    /// False where there are none in this build, or too many.
    func add(_ rule: FaultRule) -> Bool {
        guard isInForce else { return false }
        let now = clock()
        return entries.withLock { entries in
            entries.removeAll { $0.rule.id == rule.id || $0.isOver(at: now) }
            guard entries.count < Self.limit else { return false }
            entries.append(Entry(rule: rule, added: now))
            return true
        }
    }

    func remove(_ id: String) {
        entries.withLock { $0.removeAll { $0.rule.id == id } }
    }

    func removeAll() {
        entries.withLock { $0 = [] }
    }

    /// The decision of the first rule that means it, which counts it; to be asked once for an exchange.
    func decide(_ subject: @autoclosure () -> FaultSubject) -> FaultDecision? {
        guard isInForce, entries.withLock({ !$0.isEmpty }) else { return nil }
        let (subject, now) = (subject(), clock())
        return entries.withLock { entries in
            guard let index = entries.firstIndex(where: { !$0.isOver(at: now) && $0.rule.match.means(subject) }) else {
                return nil
            }
            entries[index].met += 1
            return Self.decision(entries[index].rule, subject.transport)
        }
    }

    private static func decision(_ rule: FaultRule, _ transport: HostTransport) -> FaultDecision {
        let outcome: FaultDecision.Outcome =
            switch transport.faultEnforcement {
            case .enforced: transport.faultActions.contains(rule.fault.action) ? .applied : .unsupported
            case .evaluateOnly: .evaluated
            default: .unsupported
            }
        return FaultDecision(ruleID: rule.id, fault: rule.fault, delay: max(.zero, rule.delay), outcome: outcome)
    }
}
