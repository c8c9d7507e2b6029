// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization
import Vaka

private struct Named: Error, CustomStringConvertible {
    let description: String
}

/// What the callbacks said.
final class Answers: Sendable {
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

/// What the threads of `stress` do.
final class Stress: Sendable {
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
