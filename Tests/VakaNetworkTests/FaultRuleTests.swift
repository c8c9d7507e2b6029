// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import VakaModel

@testable import VakaNetwork

/// Which rule meets which exchange, and how often.
@Suite struct FaultRuleTests {
    private func rules(_ rules: FaultRule..., isInForce: Bool = true) -> FaultRules {
        let all = FaultRules(isInForce: isInForce)
        for rule in rules { _ = all.add(rule) }
        return all
    }

    private func subject(
        _ transport: HostTransport = .urlSession, _ method: String = "GET", _ url: String = "https://a.example/x/y?z",
        _ direction: NetworkDirection? = nil
    ) -> FaultSubject {
        FaultSubject(transport, method: method, url: url, direction: direction)
    }

    @Test func anEmptyMatchMeansEverything() {
        #expect(rules(FaultRule(id: "a", fault: .latency)).decide(subject())?.ruleID == "a")
    }

    @Test(arguments: [
        (FaultRule.Match(transport: .socket), false), (FaultRule.Match(transport: .urlSession), true),
        (FaultRule.Match(method: "get"), true), (FaultRule.Match(method: "POST"), false),
        (FaultRule.Match(host: "A.example"), true), (FaultRule.Match(host: "*.example"), true),
        (FaultRule.Match(host: "example"), false), (FaultRule.Match(pathPrefix: "/x"), true),
        (FaultRule.Match(pathPrefix: "/y"), false), (FaultRule.Match(direction: .send), false),
        (FaultRule.Match(transport: .urlSession, method: "GET", host: "a.example", pathPrefix: "/x/y"), true),
    ])
    func rulesMatchByWhatTheySay(_ match: FaultRule.Match, _ means: Bool) {
        let rule = FaultRule(id: "a", match: match, fault: .latency)
        #expect((rules(rule).decide(subject()) != nil) == means)
    }

    @Test func framesMatchByDirection() {
        let all = rules(FaultRule(id: "a", match: .init(direction: .receive), fault: .latency))
        #expect(all.decide(subject(.webSocket, "SEND", "ws://a/", .send)) == nil)
        #expect(all.decide(subject(.webSocket, "RECEIVE", "ws://a/", .receive)) != nil)
    }

    @Test func theFirstRuleThatMeansItDecides() {
        let all = rules(
            FaultRule(id: "a", match: .init(method: "POST"), fault: .latency),
            FaultRule(id: "b", fault: .closeConnection),
            FaultRule(id: "c", fault: .latency))
        #expect(all.decide(subject())?.ruleID == "b")
    }

    @Test func aRuleForOneShotMeetsOneExchange() {
        let all = rules(FaultRule(id: "a", fault: .latency, limit: 1), FaultRule(id: "b", fault: .latency, limit: 2))
        #expect((0..<4).map { _ in all.decide(subject())?.ruleID } == ["a", "b", "b", nil])
        #expect(all.rules.isEmpty)
    }

    @Test func aLifetimeEndsByTheMonotonicClock() {
        let now = Mutex(ContinuousClock.now)
        let all = FaultRules(isInForce: true) { now.withLock { $0 } }
        _ = all.add(FaultRule(id: "a", fault: .latency, lifetime: .seconds(5)))
        now.withLock { $0 += .milliseconds(4999) }
        #expect(all.decide(subject()) != nil && all.rules.count == 1)
        now.withLock { $0 += .milliseconds(1) }
        #expect(all.decide(subject()) == nil && all.rules.isEmpty)
    }

    @Test func aRuleOfTheSameIdTakesItsPlace() {
        let all = rules(FaultRule(id: "a", fault: .latency, limit: 1), FaultRule(id: "a", fault: .status(500)))
        #expect(all.rules.map(\.fault) == [.status(500)])
        all.remove("a")
        #expect(all.decide(subject()) == nil)
    }

    @Test func ruleCountIsBounded() {
        let all = FaultRules(isInForce: true)
        let added = (0..<FaultRules.limit + 1).map { all.add(FaultRule(id: "\($0)", fault: .latency)) }
        #expect(added.filter { !$0 }.count == 1 && added.last == false)
    }

    @Test func aReleaseBuildHasNoRules() {
        let all = FaultRules(isInForce: false)
        #expect(!all.add(FaultRule(id: "a", fault: .latency)) && all.rules.isEmpty && all.decide(subject()) == nil)
    }

    @Test func anyOtherActionIsMatchedAndUnsupported() {
        let all = rules(FaultRule(id: "a", fault: .status(500), delay: .seconds(1)))
        let decision = all.decide(subject(.webSocket))
        #expect(decision?.outcome == .unsupported && decision?.isApplied == false)
        #expect(
            decision?.metadata == [
                "fault_id": "a", "fault_action": "status", "fault_outcome": "unsupported", "fault_delay_ms": .number(0),
            ])
        #expect(all.decide(subject(.urlSession))?.outcome == .applied)
        #expect(all.decide(subject(.urlSessionDelegate))?.outcome == .evaluated)
        #expect(all.decide(subject(.other))?.outcome == .unsupported)
    }

    @Test func aFailureIsNamedAfterRuleAndAction() {
        let decision = rules(FaultRule(id: "slow", fault: .closeConnection, delay: .milliseconds(1500))).decide(
            subject())
        #expect(decision?.errorText == "fault:slow:closeConnection")
        #expect(decision?.metadata["fault_delay_ms"] == .number(1500))
    }

    @Test func manyThreadsAreMetAsOftenAsTheLimitSays() async {
        let all = rules(FaultRule(id: "a", fault: .latency, limit: 100))
        let met = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { (0..<100).filter { _ in all.decide(self.subject()) != nil }.count } }
            return await group.reduce(0, +)
        }
        #expect(met == 100)
    }
}
