// SPDX-License-Identifier: Apache-2.0

/// How long things took, as Prometheus counts it.
struct Histogram {
    /// Upper bounds in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    /// The last is of what took longer than all bounds.
    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    private var sum = 0.0

    mutating func add(_ seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    /// - Parameter labels: as they stand between the braces; empty for none.
    func lines(_ name: String, labels: String) -> [String] {
        let others = labels.isEmpty ? "" : labels + ","
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        var total = 0
        var lines: [String] = []
        for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts) {
            total += count
            lines.append("\(name)_bucket{\(others)le=\"\(bound)\"} \(total)")
        }
        return lines + ["\(name)_sum\(braces) \(sum)", "\(name)_count\(braces) \(total)"]
    }
}
