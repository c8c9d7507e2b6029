// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension ObservationAction {
    /// How long it is to take.
    var duration: Duration {
        switch self {
        case .longPress(_, _, let milliseconds), .swipe(_, _, _, let milliseconds): .milliseconds(milliseconds)
        default: .zero
        }
    }
}
