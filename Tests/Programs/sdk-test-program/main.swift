// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import Vaka

// A program that uses the SDK as its arguments say: URL STORAGE STEP…
//
// An option stands before the other steps: `interval=SECONDS`, `batch=N`, `release=TEXT`, `key=TEXT`, `untracked`,
// `uncaught`, `bare`, `hangs=SECONDS`. Then, in order: `breadcrumb=TEXT`, `tag=KEY=VALUE`, `user=ID`, `screen=NAME`,
// `track=NAME`, `error`, `message=TEXT`, `messages=N`, `capturing`, `sleep=SECONDS`, `await=FILE`, `snapshot=TEXT`,
// `serve=SECONDS`, `spin=FILE`, `deadlock`, `main-queue=FILE`, `queue=FILE`, `actor=FILE`, `flush`, `flush=SECONDS`, `say=TEXT`, `fork`,
// `source`, `wait`, `crash`, `exit=STATUS`. ProgramSteps.swift has more of both, LifecycleSteps.swift more steps.

/// Unbuffered, for a crash would lose what is in a buffer.
func say(_ value: some CustomStringConvertible) {
    let bytes = Array("\(value)\n".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

struct SampleError: Error {
    var number = 7
}

@inline(never)
func captureSample() {
    Vaka.capture(SampleError())
    say("captured")
}

@inline(never)
func takeSnapshot(_ message: String) {
    say(Vaka.snapshot(message))
}

func words(_ text: Substring) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
}

func configure(_ options: inout Vaka.Options, _ name: String, _ value: String) -> Bool {
    switch name {
    case "interval": options.flushInterval = .seconds(Double(value) ?? 10)
    case "batch": options.maxBatchSize = Int(value) ?? 50
    case "release": options.release = value
    case "key": options.key = value
    case "untracked": options.sessionTracking = false
    case "uncaught": options.crashReporting = false
    case "bare": options.stackMemory = false
    case "pointers": options.memoryPointersOnly = true
    case "hangs": options.hangDetection = .seconds(Double(value) ?? 5)
    default: return configureMore(&options, name, value)
    }
    return true
}

/// Swift hides fork(), which it cannot make safe; the SDK has to bear a host that calls it all the same. It is looked up at
/// the start: a lookup waits for a library that is being loaded.
nonisolated(unsafe) let forkFunction = dlsym(nil, "fork")

func forkChild() {
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = forkFunction else { exit(3) }
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
        Vaka.capture(message: "from the child")
        exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    say("child ended with \(status)")
}

@inline(never)
func countDown(_ left: Int) -> Int {
    let rest = left == 0 ? 0 : countDown(left &- 1)
    return rest ^ (rest &* left)
}

func overflowOnAThread() {
    Thread { say("\(countDown(-1))") }.start()
    while true { pause() }
}

/// As servers do it.
nonisolated(unsafe) var source: (any DispatchSourceSignal)?

func takeTermination() {
    signal(SIGTERM, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    source?.setEventHandler {
        say("taken")
        exit(0)
    }
    // Until the source is there, the signal is ignored.
    let isThere = DispatchSemaphore(value: 0)
    source?.setRegistrationHandler { isThere.signal() }
    source?.resume()
    isThere.wait()
}

/// Keeps the SDK's writer at work, until the process ends.
func captureOnAThread() {
    Thread {
        for number in 0... {
            Vaka.setTag("round", "\(number)")
            Vaka.addBreadcrumb(category: "test", message: "round \(number)")
            Vaka.capture(message: "message \(number)")
            usleep(500)
        }
    }.start()
}

func perform(_ name: String, _ value: String) {
    switch name {
    case "breadcrumb": Vaka.addBreadcrumb(category: "test", message: value, data: ["n": 1])
    case "tag":
        let (key, text) = words(value[...])
        Vaka.setTag(key, text)
    case "user": Vaka.identify(value)
    case "screen": Vaka.screen(value)
    case "track": Vaka.track(value, ["plan": "pro", "seats": 3])
    case "error": captureSample()
    case "message": Vaka.capture(message: value, level: .warning)
    case "messages": for number in 0..<(Int(value) ?? 0) { Vaka.capture(message: "message \(number)") }
    case "capturing": captureOnAThread()
    case "sleep": usleep(useconds_t((Double(value) ?? 0) * 1e6))
    case "await": while access(value, F_OK) != 0 { usleep(1_000) }
    case "snapshot": takeSnapshot(value)
    case "serve": serve(Double(value) ?? 1)
    case "spin": spin(until: value)
    case "deadlock": deadlock()
    case "main-queue": hangTheMainQueue(until: value)
    case "queue": hangAQueue(until: value)
    case "actor": hangAnActor(until: value)
    case "flush": if value.isEmpty { Vaka.flush() } else { say(Vaka.flush(timeout: .seconds(Double(value) ?? 0))) }
    case "say": say(value)
    case "fork": forkChild()
    case "source": takeTermination()
    case "wait": while true { pause() }
    case "crash":
        UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
    case "overflow": overflowOnAThread()
    case "exit": exit(Int32(value) ?? 0)
    default:
        guard performMore(name, value) || performLifecycle(name, value) else {
            say("no such step: \(name)")
            exit(2)
        }
    }
}

/// The main thread does what the main queue holds.
func serve(_ seconds: Double) {
    let end = Date() + seconds
    while Date() < end { RunLoop.main.run(until: Date() + 0.05) }
}

@inline(never)
func spin(until file: String) {
    while access(file, F_OK) != 0 {}
}

@inline(never)
func takeSecond(_ first: NSLock, _ second: NSLock, _ both: DispatchSemaphore, _ other: DispatchSemaphore) {
    first.lock()
    both.signal()
    other.wait()
    second.lock()
}

@inline(never)
func deadlock() {
    let (left, right) = (NSLock(), NSLock())
    let (mine, theirs) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let thread = Thread { takeSecond(right, left, theirs, mine) }
    thread.name = "other"
    thread.start()
    takeSecond(left, right, mine, theirs)
}

/// No thread is the main queue's own then.
func hangTheMainQueue(until file: String) -> Never {
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
        spin(until: file)
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { exit(0) }
    }
    dispatchMain()
}

func hangAQueue(until file: String, after: () -> Void = {}) {
    let queue = DispatchQueue(label: "render")
    Vaka.watch(queue, bound: .milliseconds(500))
    after()
    sleep(1)
    queue.async { spin(until: file) }
    queue.sync {}
    sleep(1)
}

actor Blocked {
    func spinHere(_ file: String) { spin(until: file) }
}

func hangAnActor(until file: String) {
    let blocked = Blocked()
    let watch = Vaka.watch(blocked, name: "blocked", bound: .milliseconds(500))
    sleep(1)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await blocked.spinHere(file)
        done.signal()
    }
    done.wait()
    sleep(1)
    watch.stop()
}

let arguments = CommandLine.arguments
guard arguments.count > 2, let endpoint = URL(string: arguments[1]) else { exit(2) }
var options = Vaka.Options(
    key: "vk_test", endpoint: endpoint, release: "app@1.0", debug: true,
    storageDirectory: URL(filePath: arguments[2]))
var steps = arguments.dropFirst(3).map { words($0[...]) }[...]
while let (name, value) = steps.first, configure(&options, name, value) { steps.removeFirst() }
startedWith = options
Vaka.start(options)
say("started")
for (name, value) in steps { perform(name, value) }
