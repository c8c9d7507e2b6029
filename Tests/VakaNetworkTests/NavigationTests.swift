// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import VakaModel

@testable import VakaNetwork

/// Where people go in a program.
@Suite struct NavigationTests {
    private final class Kept: Sendable {
        let events = Mutex<[NavigationEvent]>([])
    }

    private let kept: Kept
    private let navigation: NavigationCapture

    init() {
        let kept = Kept()
        self.kept = kept
        navigation = NavigationCapture { event in kept.events.withLock { $0.append(event) } }
    }

    private var events: [NavigationEvent] { kept.events.withLock { $0 } }
    private var states: [CapabilityState] { navigation.hostIntegrationCapabilities().map(\.state) }

    @Test func fiveDescriptorsInTheTablesOrder() {
        #expect(
            navigation.hostIntegrationCapabilities().map(\.id) == [
                "webview.wkwebview", "navigation.uikit", "navigation.swiftui", "navigation.deeplink",
                "navigation.custom",
            ])
    }

    @Test func hostOptInUntilRegisteredAndSupportedWhileTheSDKRuns() {
        navigation.sdkStarted()
        #expect(states == [.unsupported, .unsupported, .unsupported, .disabled, .disabled])
        #expect(navigation.hostIntegrationCapabilities()[3].reason == .hostOptIn)
        navigation.registerDeepLinks()
        navigation.registerCustomRouter()
        #expect(states == [.unsupported, .unsupported, .unsupported, .supported, .supported])
        #expect(navigation.hostIntegrationCapabilities()[3].reason == nil)
    }

    @Test func aStoppedSDKTakesPrecedence() {
        navigation.registerDeepLinks()
        #expect(states[3] == .notInitialized && navigation.hostIntegrationCapabilities()[3].reason == .notInitialized)
    }

    @Test func enforcementIsAlwaysNone() {
        navigation.sdkStarted()
        navigation.registerDeepLinks()
        #expect(
            navigation.hostIntegrationCapabilities().allSatisfy {
                $0.faultEnforcement == .none && $0.faultActions.isEmpty
            })
    }

    @Test func networkSettingsDoNotAffectTheMatrix() {
        let setup = CaptureSetup()
        setup.capture.navigation.registerCustomRouter()
        setup.capture.isEnabled = false
        #expect(setup.capture.navigation.hostIntegrationCapabilities()[4].state == .supported)
        #expect(!setup.capture.transportCapabilities().contains { $0.id.hasPrefix("navigation") })
    }

    @Test func registrationMayPrecedeInitialization() {
        let links = navigation.registerDeepLinks()
        links.record("app://early")
        #expect(events.isEmpty)
        navigation.sdkStarted()
        links.record("app://u:p@late/x?secret=1#y", source: "https://u:p@h/from?secret#secret")
        links.record("app://late/y", source: "com.example.mail")
        #expect(events.map(\.destination) == ["app://late/x", "app://late/y"])
        #expect(events.map(\.source) == ["https://h/from", "com.example.mail"])
        #expect(events.first?.family == .deepLink)
    }

    @Test func shutdownClearsTheRegistrationsSoARestartNeedsThemAgain() {
        let router = navigation.registerCustomRouter()
        navigation.sdkStarted()
        navigation.sdkStopped()
        navigation.sdkStarted()
        #expect(states[4] == .disabled)
        router.record(to: "lost")
        #expect(events.isEmpty)
        navigation.registerCustomRouter()
        router.record(to: "kept")
        #expect(events.map(\.destination) == ["kept"])
    }

    @Test func incompleteTransitionsAreDropped() {
        navigation.sdkStarted()
        let router = navigation.registerCustomRouter()
        router.record(to: "a", isComplete: false)
        router.record(to: "b", from: "a", trigger: "push", arguments: ["n": 1])
        #expect(events.count == 1)
        #expect(events.first?.source == "a" && events.first?.trigger == "push" && events.first?.arguments == ["n": 1])
    }

    @Test func aRepeatedRegistrationKeepsTheInstalledRedactor() {
        navigation.sdkStarted()
        navigation.registerCustomRouter { event in
            var event = event
            event.arguments = [:]
            return event.destination == "secret" ? nil : event
        }
        let links = navigation.registerDeepLinks()
        let router = navigation.registerCustomRouter()
        router.record(to: "secret")
        router.record(to: "open", arguments: ["password": "x"])
        links.record("secret")
        #expect(events.map(\.destination) == ["open"] && events.first?.arguments.isEmpty == true)
    }

    /// Would hang where it were called under the lock.
    @Test func redactionRunsOutsideOfLocks() {
        navigation.sdkStarted()
        let navigation = navigation
        let router = navigation.registerCustomRouter { event in
            navigation.registerDeepLinks()
            _ = navigation.hostIntegrationCapabilities()
            return event
        }
        router.record(to: "a")
        #expect(events.count == 1)
    }
}
