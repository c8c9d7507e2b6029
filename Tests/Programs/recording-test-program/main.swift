// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import Vaka
import VakaModel
import VakaObservation
import VakaRecording

// A program whose screen is recorded, as its arguments say: URL STORAGE STEP…
//
// `unstarted`, `usual`, `registers` and `key=TEXT` stand for how it begins. Steps, in order: `frames=N` (waits until the host was asked N more times), `taken=N` (until N frames more are in the file that a
// crash takes along), `tap=X,Y`, `screen=NAME`, `request`, `busy` (every capture shows something else), `away`, `back`, `stop`,
// `start`, `restart`, `fill` (from here on the concurrency pool has no thread left), `clear`, `flush`, `await=FILE`, `say=TEXT`, `crash`, `kill`, `exit`.

func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

let arguments = CommandLine.arguments
// `usual`: where a program keeps its things that says nothing of it.
let storage =
    arguments.contains("usual") ? arguments[2] + "/vaka/recording-test-program" : arguments[2]
var options = Vaka.Options(key: "vk_test", endpoint: URL(string: arguments[1])!, release: "app@1.0")
if !arguments.contains("usual") { options.storageDirectory = URL(filePath: storage) }
options.flushInterval = .seconds(3600)
// And what registers point into.
if arguments.contains("registers") { options.registerMemory = true }
for argument in arguments where argument.hasPrefix("key=") { options.key = String(argument.dropFirst(4)) }
let host = SampleHost()
ScreenRecording.attach(host)
if !arguments.contains("unstarted") { Vaka.start(options, user: Vaka.User(userId: "someone")) }

func wait(_ what: String, until isDone: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(120)
    while !isDone() {
        guard ContinuousClock.now < deadline else {
            say("nothing came of \(what)")
            exit(3)
        }
        usleep(2000)
    }
}

/// Of the pool, for each priority, no thread is left when it returns.
func fillPool() {
    let count = ProcessInfo.processInfo.activeProcessorCount
    for priority in [nil, TaskPriority.high, .medium, .low, .background] {
        for _ in 0..<count * 2 { Task.detached(priority: priority) { Blocked.forEver() } }
    }
    wait("a full pool") { Blocked.count.withLock { $0 } >= count }
    // What could still begin does.
    usleep(300_000)
}

enum Blocked {
    static let count = Mutex(0)

    static func forEver() {
        count.withLock { $0 += 1 }
        while true { pause() }
    }
}

/// What the files hold that a crash takes along, beside their heads: each thing is a gzip member.
@MainActor func recorded() -> Int {
    let folder = storage + "/recordings"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(0) { sum, name in
        let data = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
        return sum + max(0, data.ranges(of: [0x1f, 0x8b, 0x08]).count - 1)
    }
}

@MainActor func perform(_ name: String, _ value: String) {
    switch name {
    case "frames":
        let target = host.captures + (Int(value) ?? 1)
        wait("frames") { host.captures >= target }
    case "taken":
        for _ in 0..<(Int(value) ?? 1) {
            let before = recorded()
            wait("a frame in the file") { recorded() > before }
        }
    case "tap":
        let numbers = value.split(separator: ",").compactMap { Double($0) }
        ScreenRecording.tap(at: ScreenPoint(x: numbers[0], y: numbers[1]))
    case "screen": Vaka.screen(value)
    case "request": Vaka.requestScreenRecordingCapture()
    case "busy": host.set { $0.isBusy = true }
    case "away": host.set { $0.isActive = false }
    case "back": host.set { $0.isActive = true }
    case "stop":
        let done = DispatchSemaphore(value: 0)
        Vaka.stop(on: .global()) { done.signal() }
        done.wait()
    case "start": Vaka.start(options)
    case "restart": Vaka.restart()
    case "fill": fillPool()
    case "clear": Vaka.clearScreenRecordings()
    case "flush": say("\(Vaka.flush(timeout: .seconds(20)))")
    case "await": wait(value) { access(value, F_OK) == 0 }
    case "asked": say("asked \(host.captures)")
    case "say": say(value)
    case "crash": TypedSecret().crash()
    case "kill": raise(SIGKILL)
    case "exit": exit(0)
    default: break
    }
}

for argument in arguments.dropFirst(3) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    perform(parts[0], parts.count > 1 ? parts[1] : "")
}
