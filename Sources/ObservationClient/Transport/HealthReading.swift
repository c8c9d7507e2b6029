// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import VakaModel

/// What a program's `/health` says, as far as it can be read: one part that is not as it should be does not spoil the rest.
package struct HealthReading: Sendable {
    package private(set) var program: ObservationHealth.Program?
    package private(set) var bridge: BridgeAvailability
    package private(set) var webViews: [WebViewState] = []

    /// Nil for what is no JSON object.
    package init?(_ body: [UInt8]) {
        guard let value = try? ModelCoding.decode(JSONValue.self, from: Data(body)), let object = value.object else {
            return nil
        }
        program = Self.read(ObservationHealth.Program.self, object["program"])
        bridge = Self.availability(object["observationBridge"])
        webViews = Self.read(WebViewBridgeState.self, object["webViewBridge"])?.webViews ?? []
    }

    private static func availability(_ value: JSONValue?) -> BridgeAvailability {
        guard let value, value != .null else { return .unavailable(.sdkTooOld) }
        guard let state = read(ObservationBridgeState.self, value), state.schemaVersion >= 1,
            state.available == (state.reason == nil), state.supportedActions.count <= 256,
            state.available || state.supportedActions.isEmpty
        else { return .unavailable(.malformedResponse) }
        guard let reason = state.reason else {
            return .available(
                schemaVersion: state.schemaVersion, supportedActions: Set(state.supportedActions).sorted())
        }
        // A later version may know reasons that this one does not.
        return .unavailable(ObservationUnavailability.known.contains(reason) ? reason : .unknown)
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ value: JSONValue?) -> Value? {
        guard let value, let data = try? ModelCoding.encode(value) else { return nil }
        return try? ModelCoding.decode(type, from: data)
    }
}
