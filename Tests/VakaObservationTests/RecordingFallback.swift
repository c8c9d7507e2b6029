// SPDX-License-Identifier: Apache-2.0
import ObservationClient
import VakaModel

/// Keeps what it is asked to do, and shows what the test says.
final class RecordingFallback: FallbackExecutor {
    var root: ScreenNode
    var done: [String] = []
    var displayIsUnchanged = true
    /// Called with each stroke, for screens that change by it.
    var onSwipe: () -> Void = {}
    var onTap: () -> Void = {}

    init(_ root: ScreenNode) { self.root = root }

    func hierarchy() throws -> ScreenNode { root }
    func tap(at point: ScreenPoint) throws {
        done.append("tap \(Int(point.x)),\(Int(point.y))")
        onTap()
    }
    func doubleTap(at point: ScreenPoint) throws { done.append("double") }
    func longPress(at point: ScreenPoint, durationMs: Int) throws { done.append("long \(durationMs)") }
    func type(_ text: String) throws { done.append("type \(text)") }
    func clear() throws { done.append("clear") }
    func press(_ key: KeyboardKey) throws { done.append("press \(key)") }
    func swipe(from start: ScreenPoint, to end: ScreenPoint, durationMs: Int) throws {
        done.append("swipe \(durationMs)")
        onSwipe()
    }
    func isDisplayUnchanged() -> Bool { displayIsUnchanged }
}
