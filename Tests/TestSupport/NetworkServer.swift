// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// Real HTTP, WebSocket and TCP servers on loopback (Tests/Support/network_server.py). They end with the value.
package final class NetworkServer: Sendable {
    package let http: Int
    package let webSocket: Int
    package let socket: Int
    private let process: ChildProcess

    package init() throws {
        let python = BuildProducts.root + "/build/venv/bin/python3"
        guard FileManager.default.fileExists(atPath: python) else {
            throw ChildProcess.Failure(description: "\(python) is not there: make build/venv/ready")
        }
        process = try ChildProcess(python, [BuildProducts.root + "/Tests/Support/network_server.py"])
        try process.waitForOutput("ready\n")
        var ports: [String: Int] = [:]
        for line in process.outputSoFar.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 { ports[String(words[0])] = Int(words[1]) }
        }
        (http, webSocket, socket) = (ports["http"] ?? 0, ports["websocket"] ?? 0, ports["socket"] ?? 0)
    }

    deinit {
        process.kill(SIGKILL)
        _ = try? process.wait()
    }

    package var httpURL: String { "http://127.0.0.1:\(http)" }

    /// `METHOD PATH BYTES` of each request that came.
    package var requests: [String] {
        process.outputSoFar.split(separator: "\n").map(String.init).filter { $0.split(separator: " ").count == 3 }
    }

    package func waitForRequest(_ line: String) throws {
        try process.waitForOutput(line + "\n")
    }

    /// For the program of the tests.
    package var ports: [String] { [String(http), String(webSocket), String(socket)] }
}
