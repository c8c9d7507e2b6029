// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import Vaka

// Steps: `stop`, `stop=now`, `restart=KEY`, `restarted-queue=FILE`, `breadcrumbs=N`, `named-user`, `tracking=PREFIX`;
// StressSteps.swift has one more.

/// What the SDK was started with.
nonisolated(unsafe) var startedWith: Vaka.Options?

func performLifecycle(_ name: String, _ value: String) -> Bool {
    switch name {
    case "stop": stop(waiting: value != "now")
    case "restart": restart(key: value)
    case "restarted-queue":
        hangAQueue(until: value) {
            stop(waiting: true)
            restart(key: "")
        }
    case "breadcrumbs":
        for number in 0..<(Int(value) ?? 0) { Vaka.addBreadcrumb(category: "step", message: "step \(number)") }
    case "named-user":
        Vaka.restart(user: Vaka.User(userId: "42", yearOfBirth: 1999, email: "mail@me.com", other: ["plan": "pro"]))
        Vaka.flush(timeout: .seconds(30))
    case "tracking": track(value)
    case "stress": stress(seconds: Double(value) ?? 1)
    default: return false
    }
    return true
}

func stop(waiting: Bool) {
    guard waiting else { return Vaka.stop() }
    let done = DispatchSemaphore(value: 0)
    Vaka.stop { done.signal() }
    done.wait()
    say("stopped")
}

/// Without a key, with what the most recent start had.
private func restart(key: String) {
    var config = startedWith
    config?.key = key
    Vaka.restart(config: key.isEmpty ? nil : config)
}

/// Says what was taken; then waits for ever.
private func track(_ prefix: String) {
    for number in 0..<400 {
        Vaka.track("\(prefix)-\(number)")
        say("\(prefix)-\(number)")
        if number % 10 == 9 { usleep(1000) }
    }
    while true { pause() }
}
