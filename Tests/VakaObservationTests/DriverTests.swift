// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import ObservationClient
import Testing
import VakaModel
import VakaObservation

/// Taps and strokes: when the bridge does them, when the fallback stands in, and when nothing is done.
@Suite struct DriverTests {
    private let native = ScreenNode(bounds: ShopHost.at(700), contentDescription: "Native", role: .button)

    // MARK: Tapping

    @Test func aTargetOfTheBridgeIsTappedThroughIt() throws {
        let setup = try DriverSetup()
        let result = try setup.driver.tapOn(ScreenSelector(elementId: "buy"))
        #expect(result.backend == .sdk && result.fallbackReason == nil && result.nextObservationIdentity != nil)
        let press = try setup.driver.tapOn(ScreenSelector(text: "buy"), .long(durationMs: 30))
        #expect(press.backend == .sdk)
        #expect(setup.shop.host.performed.map(\.kind) == [.tap, .longPress])
        // An accepted tap is never repeated by other means.
        #expect(setup.fallback.done.isEmpty)
    }

    @Test func anOtherTargetIsTheFallbacks() throws {
        let setup = try DriverSetup(inApplication: [native])
        let result = try setup.driver.tapOn(ScreenSelector(text: "native"))
        #expect(result.backend == nil && result.fallbackReason == nil)
        #expect(setup.fallback.done == ["tap 110,720"] && setup.shop.host.performed.isEmpty)
    }

    @Test func theFallbackStandsInForWhatTheBridgeHasNot() throws {
        let setup = try DriverSetup(actions: [.longPress])
        let tap = try setup.driver.tapOn(ScreenSelector(elementId: "buy"))
        #expect(tap.backend == .fallback && tap.fallbackReason == .unsupported)
        let double = try setup.driver.tapOn(ScreenSelector(elementId: "buy"), .double)
        #expect(double.backend == .fallback && double.fallbackReason == .unsupported)
        #expect(setup.fallback.done == ["tap 110,170", "double"])
    }

    @Test func theFallbackStandsInForABridgeThatIsGone() throws {
        let setup = try DriverSetup()
        let target = try #require(try setup.node("buy"))
        setup.shop.registry.unregister()
        let result = try setup.driver.tapOn(target)
        #expect(result.backend == .fallback && result.fallbackReason == .unavailable)
    }

    @Test func everyOtherResultFailsClosed() throws {
        let setup = try DriverSetup()
        let host = setup.shop.host
        let stale = try #require(try setup.node("buy"))
        _ = try setup.driver.observe()
        #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.tapOn(stale) } == "stale_observation")
        let off = ScreenSelector(elementId: "sold-out")
        #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.tapOn(off) } == "element_not_actionable")
        let twin = ScreenSelector(elementId: "twin")
        #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.tapOn(twin) } == "unknown_element")
        for refusal in [ObservationRejection.actionInFlight, .actionQueueOverloaded, .actionCancelled] {
            host.change { $0.refusal = refusal }
            let buy = ScreenSelector(elementId: "buy")
            #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.tapOn(buy) } == refusal.rawValue)
        }
        let target = try #require(try setup.node("buy"))
        host.change { $0.isActive = false }
        #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.tapOn(target) } == "app_not_active")
        #expect(setup.fallback.done.isEmpty && host.performed.isEmpty)
    }

    @Test func aTimeoutAfterTheActionMayHaveRunFailsClosed() async throws {
        let setup = try DriverSetup()
        setup.shop.host.change { $0.holdsActions = true }
        let buy = ScreenSelector(elementId: "buy")
        #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.tapOn(buy) } == "bad_reply")
        #expect(setup.fallback.done.isEmpty)
        setup.shop.host.letGo()
        try await until { !setup.shop.host.performed.isEmpty }
    }

    @Test func withoutAFallbackNothingStandsIn() throws {
        let shop = try ServedShop(actions: [])
        let driver = ScreenDriver(client: shop.client)
        do throws(DriverError) {
            _ = try driver.tapOn(ScreenSelector(elementId: "buy"))
            #expect(Bool(false))
        } catch {
            #expect(error.reason == "no_fallback")
        }
    }

    @Test func aTargetThatIsNotThereIsNotTapped() throws {
        let setup = try DriverSetup()
        let nothing = ScreenSelector(elementId: "nothing")
        #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.tapOn(nothing) } == "no_target")
    }

    // MARK: Strokes

    private let up = Stroke(from: ScreenPoint(x: 100, y: 700), to: ScreenPoint(x: 100, y: 200), durationMs: 50)

    @Test func aContainerOfTheBridgeScrolls() throws {
        let setup = try DriverSetup()
        let result = try setup.driver.swipeOn(up, in: ScreenSelector(elementId: "list"))
        #expect(result.backend == .sdk && result.durationIgnored == true && result.warning != nil)
        guard case .scroll(_, "list", let delta) = setup.shop.host.performed.first else { return #expect(Bool(false)) }
        // Swiping up goes further down in it.
        #expect(delta == ScreenPoint(x: 0, y: 500))
        var plain = up
        plain.durationMs = nil
        let quiet = try setup.driver.swipeOn(plain, in: ScreenSelector(elementId: "list"))
        #expect(quiet.durationIgnored == true && quiet.warning == nil)
    }

    @Test func aScreenWithNodesOfTheBridgeIsSwipedByIt() throws {
        let setup = try DriverSetup()
        let result = try setup.driver.swipeOn(up)
        #expect(result.backend == .sdk && result.durationIgnored == nil)
        guard case .swipe(let identity, up.start, up.end, 50) = setup.shop.host.performed.first else {
            return #expect(Bool(false))
        }
        #expect(result.nextObservationIdentity?.rawValue == identity.rawValue + 1)
        #expect(setup.fallback.done.isEmpty)
    }

    @Test func edgesBoomerangsAndOtherContainersAreTheFallbacks() throws {
        let list = ScreenNode(bounds: ShopHost.at(700), resourceId: "native-list", role: .list)
        let setup = try DriverSetup(inApplication: [list])
        var edge = up
        edge.isFromEdge = true
        #expect(try setup.driver.swipeOn(edge).backend == nil)
        #expect(try setup.driver.swipeOn(up, in: ScreenSelector(elementId: "native-list")).backend == nil)
        var boomerang = up
        boomerang.isBoomerang = true
        let result = try setup.driver.swipeOn(boomerang)
        #expect(result.backend == .fallback && result.fallbackReason == .unsupported)
        let within = try setup.driver.swipeOn(boomerang, in: ScreenSelector(elementId: "list"))
        #expect(within.backend == .fallback && within.fallbackReason == .unsupported)
        #expect(setup.fallback.done.count == 6 && setup.shop.host.performed.isEmpty)
    }

    @Test func strokesFailClosedAndFallBackAsTapsDo() throws {
        let setup = try DriverSetup(actions: [.tap, .scroll])
        #expect(try setup.driver.swipeOn(up).fallbackReason == .unsupported)
        setup.shop.host.change { $0.refusal = .actionQueueOverloaded }
        let list = ScreenSelector(elementId: "list")
        #expect(
            setup.reason { () throws(DriverError) in _ = try setup.driver.swipeOn(up, in: list) }
                == "action_queue_overloaded")
    }

    @Test func aDisplayThatChangedIsNotSwiped() throws {
        let setup = try DriverSetup()
        setup.fallback.displayIsUnchanged = false
        #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.swipeOn(up) } == "display_changed")
        var edge = up
        edge.isFromEdge = true
        #expect(setup.reason { () throws(DriverError) in _ = try setup.driver.swipeOn(edge) } == "display_changed")
        #expect(setup.shop.host.performed.isEmpty && setup.fallback.done.isEmpty)
    }

    @Test func theBudgetIsTheGesturesTimeAndThreeSeconds() {
        let identity = CaptureIdentity(rawValue: 1)
        func budget(_ duration: Int) -> Duration {
            ScreenDriver.budget(of: .longPress(observationIdentity: identity, elementId: "a", durationMs: duration))
        }
        #expect(budget(0) == .seconds(5) && budget(2000) == .seconds(5) && budget(9000) == .seconds(12))
        #expect(ScreenDriver.budget(of: .tap(observationIdentity: identity, elementId: "a")) == .seconds(5))
    }

    // MARK: Searching

    @Test func aSearchSwipesWithTheFallback() throws {
        let setup = try DriverSetup()
        let (fallback, native) = (setup.fallback, native)
        fallback.onSwipe = { if fallback.done.count == 3 { fallback.root.children.append(native) } }
        let found = try setup.driver.lookFor(ScreenSelector(text: "Native"), swiping: up)
        #expect(found.swipes == 3 && found.result.backend == nil && setup.shop.host.performed.isEmpty)
        let nothing = ScreenSelector(text: "nothing")
        #expect(
            setup.reason { () throws(DriverError) in _ = try setup.driver.lookFor(nothing, swiping: up, atMost: 2) }
                == "no_target")
    }
}
