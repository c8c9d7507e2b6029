// SPDX-License-Identifier: Apache-2.0

/// What became of a web view's action.
public struct WebActionResult: Codable, Hashable, Sendable {
    public var success: Bool
    /// Why it was not done.
    public var reason: WebRejection?

    private init(success: Bool, reason: WebRejection?) {
        self.success = success
        self.reason = reason
    }

    /// It was done.
    public static let accepted = WebActionResult(success: true, reason: nil)

    /// It was not.
    public static func rejected(_ reason: WebRejection) -> WebActionResult {
        WebActionResult(success: false, reason: reason)
    }
}
