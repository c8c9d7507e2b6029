// SPDX-License-Identifier: Apache-2.0
import VakaModel

@testable import VakaNetwork

/// A capture whose SDK is a `MemorySink`.
struct CaptureSetup {
    let sink = MemorySink()
    let capture: NetworkCapture

    init(faults: FaultRules = FaultRules(isInForce: true)) {
        capture = NetworkCapture(sink, faults: faults)
        capture.navigation.sdkStarted()
    }

    var recorder: NetworkCaptureRecorder { capture.recorder }

    func descriptor(_ transport: HostTransport) -> CapabilityDescriptor? {
        capture.transportCapabilities().first { $0.id == transport.rawValue }
    }
}
