// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc
import Vaka
import VakaNetwork

// A program that exchanges with servers as its arguments say: URL STORAGE HTTP WEBSOCKET SOCKET STEP…
//
// The three are ports on loopback. Options stand before the other steps: `every-step`, `headers`, `bodies`, `uncaptured`,
// `unregistered`. Then, in order: the steps of HTTPSteps.swift, EdgeSteps.swift and ConnectionSteps.swift, `capabilities`, `link=URL`,
// `route=NAME`, `rule=ID:FAULT[:DELAY-MS[:LIMIT]]`, `off`, `on`, `flush`, `say=TEXT`, `supported`, `stop`, `restart`, `crash`.

/// Unbuffered, for a crash would lose what is in a buffer.
func say(_ value: some CustomStringConvertible) {
    let bytes = Array("\(value)\n".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

func words(_ text: String, _ separator: Character, _ limit: Int = 9) -> [String] {
    text.split(separator: separator, maxSplits: limit, omittingEmptySubsequences: false).map(String.init)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 5, let service = URL(string: arguments[0]) else { exit(64) }
let http = Int(arguments[2]) ?? 0
let webSocketPort = Int(arguments[3]) ?? 0
let socketPort = Int(arguments[4]) ?? 0
let steps = arguments.dropFirst(5)

var options = Vaka.Options(
    key: "vk_test", endpoint: service, release: "app@1.0", environment: "test",
    storageDirectory: URL(fileURLWithPath: arguments[1]))
if let key = ProcessInfo.processInfo.environment["NETWORK_TEST_KEY"] { options.key = key }
options.networkCapture = !steps.contains("uncaptured")
NetworkCapture.shared.options.recordsEveryStep = steps.contains("every-step")
NetworkCapture.shared.options.capturesHeaders = steps.contains("headers")
NetworkCapture.shared.options.capturesBodies = steps.contains("bodies")

// Before the start: the order does not matter.
let transports = Transports(isRegistered: !steps.contains("unregistered"))
Vaka.start(options)

@MainActor func perform(_ name: String, _ value: String) {
    switch name {
    case "every-step", "headers", "bodies", "uncaptured", "unregistered": break
    case "capabilities":
        for capability in NetworkCapture.shared.transportCapabilities()
            + NavigationCapture.shared.hostIntegrationCapabilities()
        {
            let actions = capability.faultActions.map(\.rawValue).joined(separator: ",")
            say(
                "\(capability.id) \(capability.state) \(capability.reason?.rawValue ?? "-") \(capability.faultEnforcement) \(actions)"
            )
        }
    case "link": NavigationCapture.shared.registerDeepLinks().record(value)
    case "route": NavigationCapture.shared.registerCustomRouter().record(to: value, from: "home", trigger: "push")
    case "rule": say(NetworkCapture.shared.addFaultRule(rule(value)))
    case "off": NetworkCapture.shared.isEnabled = false
    case "on": NetworkCapture.shared.isEnabled = true
    case "stop":
        let done = DispatchSemaphore(value: 0)
        Vaka.stop { done.signal() }
        done.wait()
    case "restart": Vaka.start(options)
    case "flush": say(Vaka.flush(timeout: .seconds(30)))
    case "say": say(value)
    case "supported": say(URLSessionWebSocketTask.isSupported)
    case "crash": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
    default:
        guard performHTTP(name, value) || performConnection(name, value) else {
            say("no step \(name)")
            exit(64)
        }
    }
}

func rule(_ text: String) -> FaultRule {
    let parts = words(text, ":")
    let fault: FaultRule.Fault =
        switch parts.count > 1 ? parts[1] : "" {
        case "reset": .error(.connectionReset)
        case "timeout": .error(.timeout)
        case "unreachable": .error(.hostUnreachable)
        case "close": .closeConnection
        case "status": .status(503)
        case "response": .response(status: 418, headers: ["X-Made": "up"], body: Array("made up".utf8))
        case "drop": .dropBytes(3, of: Array("made up".utf8))
        default: .latency
        }
    return FaultRule(
        id: parts[0], fault: fault, delay: .milliseconds(parts.count > 2 ? Int(parts[2]) ?? 0 : 0),
        limit: parts.count > 3 ? Int(parts[3]) : nil)
}

for step in steps {
    let parts = words(step, "=", 1)
    perform(parts[0], parts.count > 1 ? parts[1] : "")
}
