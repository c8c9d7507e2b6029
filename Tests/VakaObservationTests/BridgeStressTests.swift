// SPDX-License-Identifier: Apache-2.0
import Testing
import VakaModel
import VakaObservation

/// Threads that observe, act and stop at once.
@Suite struct BridgeStressTests {
    @Test(arguments: 1...6)
    func oneActionAtATimeAndEachByTheLatestObservation(seed: Int) async {
        let host = ShopHost()
        let bridge = ObservationBridge(host)
        let results = await withTaskGroup(of: [ObservationActionResult].self) { group in
            for thread in 0..<8 {
                group.addTask {
                    var results: [ObservationActionResult] = []
                    var identity = await bridge.snapshot().captureIdentity
                    for round in 0..<40 {
                        if (thread + round * seed) % 5 == 0 { identity = await bridge.snapshot().captureIdentity }
                        let result = await bridge.perform(.tap(observationIdentity: identity, elementId: "buy"))
                        identity = result.nextObservationIdentity ?? identity
                        results.append(result)
                        if thread == 0, round == 30, seed % 2 == 0 { bridge.stop() }
                    }
                    return results
                }
            }
            var all: [ObservationActionResult] = []
            for await some in group { all += some }
            return all
        }
        let reasons: Set<ObservationRejection> = [.staleObservation, .actionInFlight, .actionCancelled]
        let accepted = results.filter(\.success)
        #expect(results.count == 320 && !accepted.isEmpty)
        for result in results where !result.success { #expect(reasons.contains(result.reason ?? .unknownElement)) }
        // What was said to be done was done, once; an observation was good for one accepted action.
        #expect(host.performed.count == accepted.count)
        #expect(Set(host.performed.map(\.observationIdentity)).count == host.performed.count)
        #expect(Set(accepted.compactMap(\.nextObservationIdentity)).count == accepted.count)
        #expect(host.state.withLock { $0.mostAtOnce } == 1)
        if seed % 2 == 0 {
            let identity = await bridge.snapshot().captureIdentity
            let late = await bridge.perform(.tap(observationIdentity: identity, elementId: "buy"))
            #expect(late == .rejected(.actionCancelled))
        }
    }

    @Test func aHostThatHangsIsNotAskedWithoutEnd() async throws {
        let host = ShopHost()
        let registry = ObservationRegistry()
        registry.register(ObservationBridge(host))
        host.change { $0.holdsCaptures = true }
        let outcomes = await withTaskGroup(of: ObservationFailure?.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    do throws(ObservationFailure) {
                        _ = try await registry.snapshot()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var refused: [ObservationFailure?] = []
            for await outcome in group {
                refused.append(outcome)
                // Those that do not fit are told at once, while the others wait.
                if refused.count == 24 {
                    #expect(refused.allSatisfy { $0 == .badReply })
                    host.letGo()
                }
            }
            return refused
        }
        #expect(outcomes.count { $0 == nil } == 16)
        #expect(try await registry.snapshot().elements.count == 12)
    }

    /// A capture that began earlier never gets the newer identity.
    @Test func capturesAreTakenOneAfterTheOther() async throws {
        let host = ShopHost()
        let bridge = ObservationBridge(host)
        host.change { $0.holdsCaptures = true }
        async let first = bridge.snapshot()
        try await until { host.held == 1 }
        async let second = bridge.snapshot()
        // Nothing may get through while the first is held up; the second is let go with it.
        #expect(host.state.withLock { $0.captures } == 0 && host.held == 1)
        host.letGo()
        let identities = [await first.captureIdentity, await second.captureIdentity]
        #expect(identities[0] < identities[1])
    }
}
