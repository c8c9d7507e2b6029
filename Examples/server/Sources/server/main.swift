// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import Glibc
import Vaka

// A server that lives for weeks: server PORT. It answers a line with its length; `fail` fails, `crash` crashes.

func startReporting() {
    let variables = ProcessInfo.processInfo.environment
    guard let key = variables["VAKA_KEY"], let url = variables["VAKA_URL"].flatMap({ URL(string: $0) }) else { return }
    var options = Vaka.Options(key: key, endpoint: url, release: "server@1.0")
    options.storageDirectory = variables["VAKA_STORAGE"].map { URL(filePath: $0) }
    // A session is an hour, so that the share of those without a crash means something.
    options.sessionMode = .window(.seconds(3600))
    // No names of users leave the machine.
    options.beforeSend = { event in
        var event = event
        event.user = nil
        return event
    }
    Vaka.start(options)
}

startReporting()
// Ends in an orderly way when it is asked to: what waits is sent, and the session ends.
signal(SIGTERM, SIG_IGN)
let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
termination.setEventHandler { exit(0) }
termination.resume()

let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0
let listener = try Listener(port: port)
print("listening on \(listener.port)")
fflush(nil)
listener.serve { line in try await Requests.answer(line) }
dispatchMain()
