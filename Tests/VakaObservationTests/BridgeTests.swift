// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import VakaModel
import VakaObservation

@Suite struct BridgeTests {
    private let host = ShopHost()
    private let registry = ObservationRegistry()

    /// Registered, with a first capture.
    private func start(
        _ actions: [ObservationActionKind] = ObservationActionKind.allCases, first: UInt64 = 41
    ) async throws -> ObservationSnapshot {
        registry.register(ObservationBridge(host, firstIdentity: first), supportedActions: actions)
        return try await registry.snapshot()
    }

    private func tap(_ id: String, _ snapshot: ObservationSnapshot) -> ObservationAction {
        .tap(observationIdentity: snapshot.captureIdentity, elementId: id)
    }

    // MARK: Registering

    @Test func theSDKNeverMakesABridgeByItself() async throws {
        #expect(registry.state == .unavailable(.notRegistered))
        await #expect(throws: ObservationFailure.bridgeUnavailable) { try await registry.snapshot() }
    }

    @Test func supportedActionsAreAllByDefaultAndSorted() {
        registry.register(ObservationBridge(host))
        #expect(
            registry.state.supportedActions == ["clearText", "insertText", "longPress", "scroll", "swipe", "tap"])
        registry.register(ObservationBridge(host), supportedActions: [.tap, .insertText, .scroll])
        #expect(registry.state.supportedActions == ["insertText", "scroll", "tap"])
        #expect(registry.state.available && registry.state.reason == nil && registry.state.schemaVersion == 1)
    }

    @Test func nothingIsServedAfterUnregistering() async throws {
        _ = try await start()
        registry.unregister()
        #expect(registry.state == .unavailable(.notRegistered))
        await #expect(throws: ObservationFailure.bridgeUnavailable) { try await registry.snapshot() }
    }

    @Test func aProgramInTheBackgroundServesNothing() async throws {
        let snapshot = try await start()
        host.change { $0.isActive = false }
        await #expect(throws: ObservationFailure.appNotActive) { try await registry.snapshot() }
        await #expect(throws: ObservationFailure.appNotActive) { try await registry.perform(tap("buy", snapshot)) }
        #expect(host.performed.isEmpty)
    }

    // MARK: The checks, in their order

    @Test func unsupportedActionComesFirst() async throws {
        let snapshot = try await start([.scroll])
        _ = try await registry.snapshot()
        // Stale, too, and of an element that is not there.
        #expect(try await registry.perform(tap("nothing", snapshot)) == .rejected(.unsupportedAction))
    }

    @Test func aStaleObservationComesBeforeAnUnknownElement() async throws {
        let snapshot = try await start()
        let next = try await registry.snapshot()
        #expect(next.captureIdentity > snapshot.captureIdentity)
        #expect(try await registry.perform(tap("nothing", snapshot)) == .rejected(.staleObservation))
        #expect(try await registry.perform(tap("nothing", next)) == .rejected(.unknownElement))
    }

    @Test func anActionWithoutACaptureIsStale() async throws {
        registry.register(ObservationBridge(host, firstIdentity: 7))
        let action = ObservationAction.tap(observationIdentity: CaptureIdentity(rawValue: 7), elementId: "buy")
        #expect(try await registry.perform(action) == .rejected(.staleObservation))
    }

    @Test(arguments: ["sold-out", "hidden", "flat", "within-off", "within-away", "away"])
    func whatIsDisabledOrHiddenIsNotActionable(id: String) async throws {
        let snapshot = try await start()
        #expect(try await registry.perform(tap(id, snapshot)) == .rejected(.elementNotActionable))
    }

    @Test func anIdThatTwoElementsBearNamesNone() async throws {
        let snapshot = try await start()
        #expect(try await registry.perform(tap("twin", snapshot)) == .rejected(.unknownElement))
    }

    @Test func anElementTakesWhatItsRoleTakesOrTheHostSays() async throws {
        let mute = Element(id: "mute", role: .button, bounds: ShopHost.at(0), actions: [.longPress])
        host.change { $0.tree.elements.append(mute) }
        let snapshot = try await start()
        let identity = snapshot.captureIdentity
        let text = ObservationAction.insertText(observationIdentity: identity, elementId: "buy", text: "x")
        #expect(try await registry.perform(text) == .rejected(.elementNotActionable))
        let scroll = ObservationAction.scroll(
            observationIdentity: identity, elementId: "title", delta: ScreenPoint(x: 0, y: 9))
        #expect(try await registry.perform(scroll) == .rejected(.elementNotActionable))
        #expect(try await registry.perform(tap("mute", snapshot)) == .rejected(.elementNotActionable))
        let press = ObservationAction.longPress(observationIdentity: identity, elementId: "mute", durationMs: 5)
        #expect(try await registry.perform(press).success)
    }

    @Test func anActionInFlightComesLast() async throws {
        let snapshot = try await start()
        host.change { $0.holdsActions = true }
        async let first = registry.perform(tap("buy", snapshot))
        try await until { host.held == 1 }
        #expect(try await registry.perform(tap("search", snapshot)) == .rejected(.actionInFlight))
        #expect(try await registry.perform(tap("sold-out", snapshot)) == .rejected(.elementNotActionable))
        host.letGo()
        let result = try await first
        #expect(result.success)
        #expect(host.performed == [tap("buy", snapshot)])
    }

    // MARK: What is done

    @Test func anAcceptedActionCarriesTheCaptureAfterIt() async throws {
        let snapshot = try await start()
        #expect(snapshot.captureIdentity.rawValue == 41)
        let result = try await registry.perform(tap("buy", snapshot))
        #expect(result == .accepted(next: CaptureIdentity(rawValue: 42)))
        // The next goes by it, without another snapshot; the one before is stale.
        let action = ObservationAction.clearText(
            observationIdentity: CaptureIdentity(rawValue: 42), elementId: "search")
        #expect(try await registry.perform(tap("buy", snapshot)) == .rejected(.staleObservation))
        #expect(try await registry.perform(action).success)
    }

    @Test func everyKindOfActionReachesTheHost() async throws {
        var identity = try await start().captureIdentity
        let point = ScreenPoint(x: 3, y: -4)
        let actions: [(CaptureIdentity) -> ObservationAction] = [
            { .tap(observationIdentity: $0, elementId: "buy") },
            { .longPress(observationIdentity: $0, elementId: "buy", durationMs: 700) },
            { .insertText(observationIdentity: $0, elementId: "search", text: "né\u{0}\"") },
            { .clearText(observationIdentity: $0, elementId: "password") },
            { .scroll(observationIdentity: $0, elementId: "list", delta: point) },
            { .swipe(observationIdentity: $0, start: point, end: point, durationMs: 20) },
        ]
        for make in actions {
            let action = make(identity)
            let document = try ModelCoding.encode(action)
            #expect(try ModelCoding.decode(ObservationAction.self, from: document) == action)
            identity = try #require(try await registry.perform(action).nextObservationIdentity)
            #expect(host.performed.last == action)
        }
        #expect(host.performed.map(\.kind) == [.tap, .longPress, .insertText, .clearText, .scroll, .swipe])
    }

    @Test(arguments: [
        ObservationRejection.actionQueueOverloaded, .actionCancelled, .elementNotActionable, .unknownElement,
    ])
    func theHostMayRefuse(reason: ObservationRejection) async throws {
        let snapshot = try await start()
        host.change { $0.refusal = reason }
        #expect(try await registry.perform(tap("buy", snapshot)) == .rejected(reason))
        // Nothing was done: the observation still counts.
        host.change { $0.refusal = nil }
        #expect(try await registry.perform(tap("buy", snapshot)).success)
    }

    @Test func aStopWhileActingCancels() async throws {
        let snapshot = try await start()
        host.change { $0.holdsActions = true }
        async let first = registry.perform(tap("buy", snapshot))
        try await until { host.held == 1 }
        registry.unregister()
        host.letGo()
        let result = try await first
        #expect(result == .rejected(.actionCancelled))
        #expect(host.performed.isEmpty)
    }

    @Test func whatWasDoneBeforeTheStopIsNotCalledCancelled() async throws {
        let bridge = ObservationBridge(host)
        let snapshot = await bridge.snapshot()
        #expect(await bridge.perform(tap("buy", snapshot)).success)
        bridge.stop()
        #expect(await bridge.perform(tap("buy", await bridge.snapshot())) == .rejected(.actionCancelled))
    }

    @Test func identitiesOfAnotherRunAreNotTheseOnes() async {
        let snapshots = [await ObservationBridge(host).snapshot(), await ObservationBridge(host).snapshot()]
        #expect(snapshots[0].captureIdentity != snapshots[1].captureIdentity)
        // Beyond what doubles hold, so that who reads them as numbers is found out.
        #expect(snapshots.allSatisfy { $0.captureIdentity.rawValue > 1 << 53 })
    }
}
