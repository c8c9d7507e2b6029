// SPDX-License-Identifier: Apache-2.0
// Refuses a configuration with no port.

@inline(never)
func port(_ configuration: [String: Int]) -> Int {
    guard let port = configuration["port"] else {
        fatalError("the configuration names no port")
    }
    return port
}

@inline(never)
func startServer(_ configuration: [String: Int]) -> String {
    let chosen = port(configuration)
    return "listening on \(chosen)"
}

let configuration = ["workers": CommandLine.arguments.count]
print(startServer(configuration))
