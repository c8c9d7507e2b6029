// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import Glibc
import Vaka

// measure STORAGE [nothing|start|idle|all]: lines of `name value unit`.

func report(_ name: String, _ value: Double, _ unit: String) {
    let hundredths = Int((value * 100).rounded())
    let fraction = String(hundredths % 100 + 100).dropFirst()
    print("\(name) \(hundredths / 100).\(fraction) \(unit)")
}

/// The best of several rounds: what other programs take away is not this one's cost.
func nanoseconds(_ count: Int, _ work: (Int) -> Void) -> Double {
    var best = Double.infinity
    for _ in 0..<5 {
        let took = ContinuousClock().measure { for number in 0..<count { work(number) } }
        best = min(best, took / .nanoseconds(1) / Double(count))
    }
    return best
}

/// Of a process or a thread.
func status(_ name: String, of task: String = "/proc/self") -> Double {
    let text = (try? String(contentsOf: URL(filePath: task + "/status"), encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return Double(line?.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "") ?? 0
}

/// The threads beside the main one, and how often each has run so far.
func others() -> [String: Double] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    var turns: [String: Double] = [:]
    for task in tasks where task != String(getpid()) {
        let path = "/proc/self/task/" + task
        turns[task] = status("voluntary_ctxt_switches", of: path) + status("nonvoluntary_ctxt_switches", of: path)
    }
    return turns
}

/// Nothing is reported, and nothing waits.
func idle(_ storage: String) {
    var options = configuration(storage)
    options.sessionTracking = false
    Vaka.start(options)
    // Dispatch keeps a thread for some seconds after its last work.
    sleep(20)
    let before = others()
    sleep(10)
    let after = others()
    report("sdk_threads_idle", Double(after.count), "threads")
    report("sdk_thread_turns_idle", after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }, "per_10_s")
}

struct Thrown: Error {}

@inline(never)
func throwOne() throws { throw Thrown() }

func throwing(_ count: Int) -> Double {
    nanoseconds(count) { _ in do { try throwOne() } catch {} }
}

func configuration(_ storage: String) -> Vaka.Options {
    var options = Vaka.Options(
        key: "vk_benchmark", endpoint: URL(string: "http://127.0.0.1:9/") ?? URL(filePath: "/"),
        release: "benchmark@1", flushInterval: .seconds(3600), maxBatchSize: 1_000_000,
        storageDirectory: URL(filePath: storage))
    options.throwStacks = true
    return options
}

func start(_ storage: String) {
    let options = configuration(storage)
    let before = status("VmRSS")
    let took = ContinuousClock().measure { Vaka.start(options) }
    report("sdk_start", took / .milliseconds(1), "ms")
    report("sdk_memory_added", status("VmRSS") - before, "KiB")
}

func all(_ storage: String) {
    let bare = throwing(10_000)
    start(storage)
    report("sdk_throw_bare", bare, "ns")
    report("sdk_throw_with_stack", throwing(10_000), "ns")
    report("sdk_breadcrumb", nanoseconds(20_000) { _ in Vaka.addBreadcrumb(category: "a", message: "message") }, "ns")
    report(
        "sdk_breadcrumb_with_data",
        nanoseconds(5_000) { Vaka.addBreadcrumb(category: "a", message: "message", data: ["n": .integer(Int64($0))]) },
        "ns")
    report("sdk_count_request", nanoseconds(100_000) { _ in Vaka.countRequest(.ok) }, "ns")
    report("sdk_scope", nanoseconds(20_000) { _ in Vaka.withScope { _ in } }, "ns")
    report("sdk_track", nanoseconds(200) { _ in Vaka.track("event", ["plan": "pro"]) }, "ns")
    report("sdk_capture_first", nanoseconds(1) { _ in Vaka.capture(Thrown()) } / 1000, "us")
    report("sdk_capture", nanoseconds(200) { _ in Vaka.capture(Thrown()) } / 1000, "us")
}

let arguments = CommandLine.arguments.dropFirst() + [""]
switch arguments.dropFirst().first {
case "nothing":
    DispatchQueue.global().sync {}
    print(URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent)
case "start": start(arguments.first ?? "")
case "idle": idle(arguments.first ?? "")
default: all(arguments.first ?? "")
}
fflush(nil)
// What was collected is not worth sending.
_exit(0)
