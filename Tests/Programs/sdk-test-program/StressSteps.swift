// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import Synchronization
import Vaka

// Step: `stress=SECONDS`. Eight threads call everything while the SDK stops, and starts under one of three keys. Half of the
// time queued events are erased, too. Says what became of each name: `kept NAME`, `refused CODE NAME`; `wrong N`, how many
// callbacks were not called once; `settled MILLISECONDS`, the time since when nothing is erased any more.

private let keys = ["vk_0", "vk_1", "vk_2"]

private struct Named: Error, CustomStringConvertible {
    let description: String
}

/// What the callbacks said.
private final class Answers: Sendable {
    private let open = Mutex<[String: Int]>([:])

    func expect(_ name: String) -> Vaka.Callback {
        open.withLock { $0[name] = 1 }
        return { [self] error in
            say(error.map { "refused \($0.code) \(name)" } ?? "kept \(name)")
            open.withLock { $0[name, default: 0] -= 1 }
        }
    }

    /// Those whose callback was not called once.
    var wrong: Int { open.withLock { $0.values.count { $0 != 0 } } }
}

private final class Stress: Sendable {
    /// While it settles nobody begins to erase any more.
    enum Phase { case erasing, settling, keeping, over }

    static let workers = 8
    let answers = Answers()
    let phase = Mutex(Phase.erasing)
    private let erasing = DispatchGroup()

    init() {
        for _ in 0..<Self.workers { erasing.enter() }
    }

    /// From when it returns no queued event is erased.
    func settle() {
        phase.withLock { $0 = .settling }
        erasing.wait()
    }

    func work(_ worker: Int) {
        var generator = SystemRandomNumberGenerator()
        var isErasing = true
        for number in 0... {
            let phase = self.phase.withLock { $0 }
            if isErasing, phase != .erasing {
                isErasing = false
                erasing.leave()
            }
            if phase == .over { return }
            let name = "\(phase == .keeping ? "b" : "a")-\(worker)-\(number)"
            for _ in 0..<2 { report(UInt8.random(in: 0..<12, using: &generator), name) }
            know(UInt8.random(in: 0..<8, using: &generator), name)
            if Bool.random(using: &generator) { command(UInt8.random(in: 0..<40, using: &generator), phase) }
            usleep(10_000)
        }
    }

    private func report(_ which: UInt8, _ name: String) {
        let name = "\(name)-\(UInt32.random(in: 0 ... .max))"
        switch which {
        case 0...3: Vaka.track(name, callback: answers.expect(name))
        case 4...6: Vaka.screen(name, callback: answers.expect(name))
        case 7, 8: Vaka.capture(message: name, callback: answers.expect(name))
        case 9: Vaka.capture(Named(description: name), callback: answers.expect(name))
        default: Vaka.logHealthMessage("h" + name, callback: answers.expect("h" + name))
        }
    }

    private func know(_ which: UInt8, _ name: String) {
        switch which {
        case 0: Vaka.setTag("name", name)
        case 1: Vaka.setTag("name", nil)
        case 2: Vaka.identify(name)
        case 3: Vaka.identify(nil)
        case 4: Vaka.addBreadcrumb(category: "stress", message: name, data: ["n": 1])
        case 5: Vaka.setActive(true)
        case 6: Vaka.countRequest(.ok)
        default:
            Vaka.withScope(name) { _ in
                Vaka.setTag("scoped", name)
                Vaka.capture(message: name + "-scoped", callback: answers.expect(name + "-scoped"))
            }
        }
    }

    private func command(_ which: UInt8, _ phase: Phase) {
        switch which {
        case 0: Vaka.flush()
        case 1: Vaka.flush(timeout: .milliseconds(50))
        case 2: Vaka.clearHealthMessages()
        case 3: Vaka.clearScreenRecordings()
        case 4: Vaka.clearStoredData()
        case 5: Vaka.setActive(false)
        case 6 where phase == .erasing: Vaka.clearRequestQueues()
        case 7: _ = Vaka.attachFile("/proc/self/status")
        default: break
        }
    }
}

private func options(_ key: String) -> Vaka.Options? {
    var options = startedWith
    options?.key = key
    options?.flushInterval = .milliseconds(20)
    options?.maxBatchSize = 20
    options?.sessionTimeout = .milliseconds(30)
    options?.trackSampleRate = 0.9
    // Few, for each event takes them along.
    options?.beforeBreadcrumb = { $0.message?.hasSuffix("7") == true ? $0 : nil }
    options?.beforeSend = { $0.errors.first?.message?.contains("77") == true ? nil : $0 }
    if key == keys[2] { options?.sessionMode = .window(.milliseconds(30)) }
    return options
}

/// Stops and starts in each way, until the time is over.
private func stopAndStart(for seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        usleep(.random(in: 1000...40_000))
        let options = options(keys.randomElement() ?? "")
        switch UInt8.random(in: 0..<5) {
        case 0: Vaka.restart(config: options)
        case 1: waitForRestart(options)
        case 2:
            Vaka.stop()
            Vaka.restart(user: Vaka.User(userId: "again"), config: options)
        case 3:
            stop(waiting: true)
            if let options { Vaka.start(options) }
        default:
            Vaka.restart(config: options)
            Vaka.stop()
            if let options { Vaka.start(options) }
        }
    }
}

private func waitForRestart(_ options: Vaka.Options?) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await Vaka.restart(config: options)
        done.signal()
    }
    done.wait()
}

func stress(seconds: Double) {
    let stress = Stress()
    let workers = DispatchGroup()
    for worker in 0..<Stress.workers {
        workers.enter()
        Thread {
            stress.work(worker)
            workers.leave()
        }.start()
    }
    stopAndStart(for: seconds / 2)
    stress.settle()
    // Its sessions are whole.
    waitForRestart(options(keys[1]))
    say("settled \(Int(Date().timeIntervalSince1970 * 1000))")
    stress.phase.withLock { $0 = .keeping }
    stopAndStart(for: seconds / 2)
    stress.phase.withLock { $0 = .over }
    workers.wait()
    waitForRestart(options(keys[0]))
    let end = ContinuousClock.now + .seconds(60)
    // What is counted while it sends travels with the next.
    while !(Vaka.flush(timeout: .seconds(60)) && Vaka.flush(timeout: .seconds(60))), ContinuousClock.now < end {
        usleep(100_000)
    }
    stop(waiting: true)
    say("wrong \(stress.answers.wrong)")
}
