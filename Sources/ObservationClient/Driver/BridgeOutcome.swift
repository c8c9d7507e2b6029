// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What became of something that a bridge or a web view was asked to do: what it did, or why the fallback may stand in.
/// Everything else is an error: whatever is now at that place could be another element.
enum BridgeOutcome: Sendable {
    case done(next: CaptureIdentity?)
    case standIn(FallbackReason)

    static func of(
        _ work: () throws(ObservationRequestError) -> ObservationActionResult
    ) throws(DriverError) -> BridgeOutcome {
        do throws(ObservationRequestError) {
            let result = try work()
            guard !result.success else { return .done(next: result.nextObservationIdentity) }
            if result.reason == .unsupportedAction { return .standIn(.unsupported) }
            throw rejected(result.reason?.rawValue)
        } catch {
            return try standIn(error)
        }
    }

    static func web(
        _ work: () throws(ObservationRequestError) -> WebActionResult
    ) throws(DriverError) -> BridgeOutcome {
        do throws(ObservationRequestError) {
            let result = try work()
            guard !result.success else { return .done(next: nil) }
            throw rejected(result.reason?.rawValue)
        } catch {
            return try standIn(error)
        }
    }

    private static func rejected(_ reason: String?) -> ObservationRequestError {
        ObservationRequestError(ObservationFailure(rawValue: reason ?? ObservationFailure.badReply.rawValue), "")
    }

    private static func standIn(_ error: ObservationRequestError) throws(DriverError) -> BridgeOutcome {
        guard error.failure == .bridgeUnavailable else { throw DriverError(error.failure.rawValue, error.message) }
        return .standIn(.unavailable)
    }
}
