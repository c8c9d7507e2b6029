// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import Vaka

// Options: `hook=drop|redact|throw|crash|hang|capture`, `throws`, `rate=ERRORS`, `ca=FILE`, `window=SECONDS`, `slow-end`. Steps:
// `scopes=N`, `scoped-crash`, `thrown`, `thrown-afar`, `throwing=TIMES`, `requests=OUTCOME,…`, `attach=PATH,…`, `attached`,
// `self-test`, `take-segv`, `serviced=cancel|end`, `run=ok|fail|cancel`.

func configureMore(_ options: inout Vaka.Options, _ name: String, _ value: String) -> Bool {
    switch name {
    case "hook": options.beforeSend = { try hook(value, $0) }
    case "throws": options.throwStacks = true
    case "ca": options.certificateAuthorities = URL(filePath: value)
    case "slow-end": atexit { usleep(1_000_000) }
    case "window": options.sessionMode = .window(.seconds(Double(value) ?? 60))
    case "rate": options.errorSampleRate = Double(value) ?? 1
    default: return false
    }
    return true
}

private func hook(_ kind: String, _ event: Vaka.Event) throws -> Vaka.Event? {
    var event = event
    switch kind {
    case "drop": return nil
    case "redact": event.breadcrumbs = []
    case "throw": throw SampleError()
    case "crash": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
    case "hang": while true { pause() }
    case "capture":
        Vaka.capture(message: "from the hook")
        Vaka.addBreadcrumb(category: "hook", message: "seen")
        event.tags["hook"] = "seen"
    default: break
    }
    return event
}

func performMore(_ name: String, _ value: String) -> Bool {
    switch name {
    case "scopes": scopes(Int(value) ?? 2)
    case "scoped-crash": crashInAScope()
    case "thrown": do { try throwSample() } catch { captureAgain(error) }
    case "thrown-afar": throwAfar()
    case "requests": countRequests(value)
    case "attach": attachFiles(value)
    case "attached": captureAttached()
    case "self-test": say(Vaka.selfTest())
    case "take-segv": signal(SIGSEGV, SIG_DFL)
    case "serviced": runAService(value)
    case "run": runAJob(value)
    case "throwing": throwOnThreads(Int(value) ?? 1000)
    default: return false
    }
    return true
}

/// Waits for it, on a thread that is none of the pool.
private func wait(for work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await work()
        done.signal()
    }
    done.wait()
}

/// Requests side by side, each with a scope, a child task, and what it leaves behind.
private func scopes(_ count: Int) {
    wait {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count { group.addTask { await request(number) } }
        }
    }
}

private func request(_ number: Int) async {
    await Vaka.withScope("request \(number)") { scope in
        Vaka.setTag("request", "\(number)")
        Vaka.identify("user \(number)")
        Vaka.addBreadcrumb(category: "request", message: "\(number) begins")
        await Task.yield()
        async let child: Void = Vaka.addBreadcrumb(category: "request", message: "\(number) in a child")
        await child
        await Task.yield()
        Vaka.capture(SampleError(number: number))
        Vaka.withoutScope { Vaka.addBreadcrumb(category: "global", message: "after \(number)") }
    }
}

private func crashInAScope() {
    Vaka.withScope("GET /orders") { scope in
        Vaka.setTag("order", "42")
        scope.addBreadcrumb(category: "request", message: "reads the order")
        say(scope.id)
        UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
    }
}

@inline(never)
func throwSample() throws {
    throw SampleError(number: 9)
}

@inline(never)
func captureAgain(_ error: any Error) {
    Vaka.capture(error)
    say("captured")
}

/// Thrown on one thread, captured on another.
private func throwAfar() {
    wait {
        let task = Task.detached { try throwSample() }
        do { try await task.value } catch { captureAgain(error) }
    }
}

/// Errors come and go on several threads.
private func throwOnThreads(_ times: Int) {
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for number in 0..<times {
            do { try throwNumber(number) } catch let error as NumberError {
                if error.number != number { say("wrong") }
            } catch {}
        }
    }
}

private final class Payload: Sendable {}

private struct NumberError: Error {
    var number: Int
    /// Freed with the error.
    var payload = Payload()
}

@inline(never)
private func throwNumber(_ number: Int) throws {
    throw NumberError(number: number)
}

private func countRequests(_ outcomes: String) {
    for outcome in outcomes.split(separator: ",") {
        Vaka.countRequest(Vaka.RequestOutcome(rawValue: String(outcome)))
    }
}

private func attachFiles(_ paths: String) {
    for path in paths.split(separator: ",") { say(Vaka.attachFile(String(path))) }
}

private func captureAttached() {
    let request = Vaka.Attachment(name: "request.json", data: Data("{\"n\":1}".utf8), contentType: "application/json")
    let long = Vaka.Attachment(name: "long", data: Data(repeating: 65, count: (1 << 20) + 5))
    Vaka.capture(message: "attached", attachments: [request, long])
}

/// As a service group does it: cancels or says that it is to end, and waits for the end.
private func runAService(_ kind: String) {
    wait {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let service = Vaka.Service(bound: .seconds(30)) { for await _ in ends {} }
        let task = Task { try await service.run() }
        Vaka.capture(message: "from a service")
        if kind == "cancel" { task.cancel() } else { end.finish() }
        _ = await task.result
        say("service is over")
    }
}

private func runAJob(_ kind: String) {
    wait {
        let task = Task {
            try await Vaka.run(bound: .seconds(30)) {
                if kind == "fail" { throw SampleError(number: 3) }
                if kind == "cancel" { try await Task.sleep(for: .seconds(3600)) }
            }
        }
        if kind == "cancel" { task.cancel() }
        switch await task.result {
        case .success: say("done")
        case .failure(let error): say("threw \(error)")
        }
    }
}
