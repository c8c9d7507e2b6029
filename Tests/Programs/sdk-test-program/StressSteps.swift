// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import Vaka

// Step: `stress=SECONDS`. Eight threads call everything while the SDK stops, and starts under one of three keys. Half of the
// time queued events are erased, too. Says what became of each name: `kept NAME`, `refused CODE NAME`; `wrong N`, how many
// callbacks were not called once; `settled MILLISECONDS`, the time since when nothing is erased any more.

private let keys = ["vk_0", "vk_1", "vk_2"]

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
