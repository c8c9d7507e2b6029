// SPDX-License-Identifier: Apache-2.0
/// The share of something that is sent.
struct SampleRate: Sendable {
    /// From 0 to 1; what is no number there sends everything.
    let value: Double

    init(_ value: Double) {
        self.value = value.isNaN ? 1 : min(max(value, 0), 1)
    }

    func takesOne() -> Bool { value >= 1 || Double.random(in: 0..<1) < value }

    /// For the wire: nil where each is sent.
    var told: Double? { value < 1 ? value : nil }
}
