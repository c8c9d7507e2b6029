// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import Foundation
import Glibc
import TestSupport
import Vaka
import VakaModel
import VakaObservation
import VakaRecording

func put(_ name: String, _ value: Double, _ unit: String) {
    print("\(name) \(String(format: "%.3f", value)) \(unit)")
}

/// The middle of many.
func median(_ count: Int, _ body: (Int) -> Void) -> Double {
    var times: [Double] = []
    for number in 0..<count {
        let begin = ContinuousClock.now
        body(number)
        times.append((ContinuousClock.now - begin) / .milliseconds(1))
    }
    return times.sorted()[count / 2]
}

// MARK: A frame

let count = 2000

/// 2,000 elements in groups of 20, of which each `changing`th says something else in each frame.
func tree(_ frame: Int, changing: Int) -> ElementTree {
    let groups = (0..<(count / 20)).map { group in
        let children = (1..<20).map { number in
            let index = group * 20 + number
            let label = index % changing == 0 ? "Item \(index) of frame \(frame)" : "Item \(index) of the list"
            return Element(
                id: "item-\(index)-in-the-window", role: index % 3 == 0 ? .button : .text, label: label,
                bounds: ElementBounds(x: Double(number) * 40, y: Double(group) * 8, width: 38, height: 7))
        }
        return Element(
            id: "group-\(group)", role: .group,
            bounds: ElementBounds(x: 0, y: Double(group) * 8, width: 800, height: 8),
            children: children)
    }
    return ElementTree(bounds: ElementBounds(x: 0, y: 0, width: 800, height: 800), elements: groups)
}

func part() -> RecordingPart {
    RecordingPart(
        Recording(
            recordingID: BatchQueue.newID(), part: 0, started: .now, privacy: .none, quality: .medium),
        started: .zero)
}

func frameCost(changing: Int) -> (take: Double, compress: Double) {
    let trees = (0..<8).map { tree($0, changing: changing) }
    var growing = part()
    var frames: [Data] = []
    let take = median(200) { number in
        if number % 50 == 0 { growing = part() }
        let screen = ScreenReading.read(trees[number % 8], privacy: .none, quality: .medium)
        if let frame = growing.add(screen, at: .seconds(number), isNew: false) { frames.append(frame) }
    }
    let last = frames.last ?? Data()
    return (take, median(50) { _ in _ = try? Gzip.compress(last) })
}

let usual = frameCost(changing: 100)
let worst = frameCost(changing: 1)
put("recording_frame_2000_elements", usual.take, "ms")
put("recording_frame_2000_elements_all_changed", worst.take, "ms")
put("recording_frame_compressed", usual.compress, "ms")
put("recording_frame_compressed_all_changed", worst.compress, "ms")

// MARK: The budget

/// Takes 30 ms for its tree, of which every element changes.
final class BusyHost: ObservationHost {
    private let spent = Spent()

    final class Spent: @unchecked Sendable {
        private let lock = NSLock()
        private var captures: [(end: ContinuousClock.Instant, cost: Duration)] = []

        func add(_ begin: ContinuousClock.Instant) {
            lock.withLock { captures.append((.now, .now - begin)) }
        }

        var all: [(end: ContinuousClock.Instant, cost: Duration)] { lock.withLock { captures } }
    }

    var captures: [(end: ContinuousClock.Instant, cost: Duration)] { spent.all }

    func elementTree() async -> ElementTree {
        let begin = ContinuousClock.now
        let made = tree(Int(clock()), changing: 1)
        while ContinuousClock.now - begin < .milliseconds(30) {}
        spent.add(begin)
        return made
    }

    func perform(_ action: ObservationAction, on element: Element?) async throws(ObservationRejection) {}
}

let server = try ScriptedServer()
try server.setSettings([
    "version": "1", "settings": ["screen_recording": true, "screen_recording_privacy": "mask_none"],
])
let folder = try TemporaryFolder()
var options = Vaka.Options(key: "vk_bench", endpoint: URL(string: server.url)!, release: "bench@1")
options.storageDirectory = URL(filePath: folder.path)
options.crashReporting = false
let host = BusyHost()
ScreenRecording.attach(host)
Vaka.start(options)
let begin = ContinuousClock.now
while ContinuousClock.now - begin < .seconds(12) {
    Vaka.requestScreenRecordingCapture()
    usleep(1000)
}
let captures = host.captures.dropFirst(2)
let worstSecond =
    captures.map { last in
        captures.filter { $0.end <= last.end && $0.end > last.end - .seconds(1) }.reduce(Duration.zero) { $0 + $1.cost }
    }.max() ?? .zero
let all = captures.reduce(Duration.zero) { $0 + $1.cost }
let span = (captures.last?.end ?? .now) - (captures.first?.end ?? .now)
put("recording_budget_captures", Double(captures.count) / (span / .seconds(1)), "1/s")
put("recording_budget_spent_by_host", (all / .milliseconds(1)) / (span / .seconds(1)), "ms/s")
put("recording_budget_worst_second", worstSecond / .milliseconds(1), "ms")
exit(0)
