// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationNetworking
import Testing
import VakaModel

@testable import VakaNetwork

/// What can be captured, and why not.
@Suite struct CapabilityTests {
    let setup = CaptureSetup()

    private func registerAll() {
        setup.capture.registerURLSession(.ephemeral)
        _ = setup.capture.registerURLSessionDelegate(.ephemeral)
        _ = setup.capture.registerWebSocket()
        _ = setup.capture.registerSocket()
    }

    private func states() -> [CapabilityState] { setup.capture.transportCapabilities().map(\.state) }
    private func reasons() -> [CapabilityReason?] { setup.capture.transportCapabilities().map(\.reason) }

    @Test func oneDescriptorForEachHostTransportInDeclarationOrder() {
        #expect(
            setup.capture.transportCapabilities().map(\.id) == [
                "network.transport.urlsession", "network.transport.urlsession.background",
                "network.transport.urlsession.delegate", "network.transport.websocket",
                "network.transport.nwconnection",
                "network.transport.socket", "network.transport.other",
            ])
    }

    @Test func anUnregisteredFamilyIsHostOptInAndNeverSupported() {
        #expect(
            states() == [.disabled, .unsupported, .disabled, .disabled, .unsupported, .disabled, .unsupported])
        #expect(
            reasons() == [
                .hostOptIn, .noAdapter, .hostOptIn, .hostOptIn, .noAdapter, .hostOptIn, .noAdapter,
            ])
    }

    @Test func aRegisteredFamilyIsSupportedWithoutAReason() {
        registerAll()
        #expect(
            states() == [.supported, .unsupported, .supported, .supported, .unsupported, .supported, .unsupported])
        #expect(reasons() == [nil, .noAdapter, nil, nil, .noAdapter, nil, .noAdapter])
    }

    @Test func captureThatIsSwitchedOffAtRunTimeIsDisabled() {
        setup.capture.registerURLSession(.ephemeral)
        setup.capture.isEnabled = false
        #expect(setup.descriptor(.urlSession)?.state == .disabled)
        #expect(setup.descriptor(.urlSession)?.reason == .networkCaptureDisabled)
        // What is not registered is so whatever the switch says.
        #expect(setup.descriptor(.webSocket)?.reason == .hostOptIn)
        setup.capture.isEnabled = true
        #expect(setup.descriptor(.urlSession)?.state == .supported)
        // The service's switch.
        setup.sink.set { $0.captures = false }
        #expect(setup.descriptor(.urlSession)?.reason == .networkCaptureDisabled)
    }

    @Test func anSDKThatIsNotStartedOrStartedWithoutCaptureIsNotInitialized() {
        registerAll()
        for settings in [nil, NetworkSettingsOff.value] {
            setup.sink.state.withLock { $0.settings = settings }
            #expect(setup.descriptor(.urlSession)?.state == .notInitialized)
            #expect(setup.descriptor(.urlSession)?.reason == .networkCaptureNotInitialized)
            #expect(setup.descriptor(.socket)?.state == .notInitialized)
            // What has no adapter has none whatever the SDK does.
            #expect(setup.descriptor(.other)?.state == .unsupported)
        }
    }

    @Test func onlyASupportedTransportReportsEnforcement() {
        #expect(
            setup.capture.transportCapabilities().allSatisfy { $0.faultEnforcement == .none && $0.faultActions.isEmpty }
        )
        registerAll()
        setup.capture.isEnabled = false
        #expect(setup.capture.transportCapabilities().allSatisfy { $0.faultEnforcement == .none })
    }

    @Test func enforcementAndActionsByTransport() {
        registerAll()
        #expect(setup.descriptor(.urlSession)?.faultEnforcement == .enforced)
        #expect(
            setup.descriptor(.urlSession)?.faultActions
                == [.latency, .error, .closeConnection, .status, .response, .dropBytes])
        #expect(setup.descriptor(.urlSessionDelegate)?.faultEnforcement == .evaluateOnly)
        #expect(setup.descriptor(.urlSessionDelegate)?.faultActions == [])
        for transport in [HostTransport.webSocket, .socket] {
            #expect(setup.descriptor(transport)?.faultEnforcement == .enforced)
            #expect(setup.descriptor(transport)?.faultActions == [.latency, .error, .closeConnection])
        }
        for transport in [HostTransport.urlSessionBackground, .nwConnection, .other] {
            #expect(setup.descriptor(transport)?.faultEnforcement == FaultEnforcement.none)
        }
    }

    @Test func aReleaseBuildReportsNoEnforcement() {
        var state = CaptureState(isInitialized: true, registered: Set(HostTransport.allCases))
        state.hasFaultRules = false
        #expect(state.descriptors.contains { $0.state == .supported })
        #expect(state.descriptors.allSatisfy { $0.faultEnforcement == .none && $0.faultActions.isEmpty })
    }

    @Test func aRepeatedRegistrationDoesNotChangeTheDescriptors() {
        registerAll()
        let before = setup.capture.transportCapabilities()
        let told = setup.sink.state.withLock { $0.told.count }
        registerAll()
        #expect(setup.capture.transportCapabilities() == before)
        #expect(setup.sink.state.withLock { $0.told.count } == told)
    }

    @Test func registrationsAtOnceLeaveTheWholeOfThem() {
        for _ in 0..<50 {
            let setup = CaptureSetup()
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                switch number {
                case 0: setup.capture.registerURLSession(.ephemeral)
                case 1: _ = setup.capture.registerURLSessionDelegate(.ephemeral)
                case 2: _ = setup.capture.registerWebSocket()
                default: _ = setup.capture.registerSocket()
                }
            }
            let told = setup.sink.capabilities
            #expect(Array(told.prefix(HostTransport.allCases.count)) == setup.capture.transportCapabilities())
            #expect(told.filter { $0.state == .supported && $0.id.hasPrefix("network.") }.count == 4)
        }
    }

    @Test func aResetClearsTheRegisteredFamilies() {
        registerAll()
        setup.capture.addFaultRule(FaultRule(id: "a", fault: .latency))
        setup.capture.reset()
        #expect(states().allSatisfy { $0 != .supported })
        #expect(setup.capture.faultRules.isEmpty)
    }

    @Test func aChangeIsToldWithEveryFamilyInOrder() {
        setup.capture.registerURLSession(.ephemeral)
        let told = setup.sink.state.withLock { $0.told.last } ?? []
        #expect(told.map(\.id) == HostTransport.allCases.map(\.rawValue) + NavigationFamily.allCases.map(\.rawValue))
        #expect(told.first?.state == .supported)
    }
}

private enum NetworkSettingsOff {
    static var value: MemorySink.Settings { MemorySink.Settings(isInitialized: false) }
}
