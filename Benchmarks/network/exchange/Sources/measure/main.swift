// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc
import Vaka
import VakaNetwork

// What it costs to have exchanges recorded: STORAGE PORT, of an HTTP server on loopback. One `name value unit` line each.

let arguments = CommandLine.arguments
guard arguments.count == 3, let port = Int(arguments[2]), let nowhere = URL(string: "http://127.0.0.1:9"),
    let address = URL(string: "http://127.0.0.1:\(port)/")
else { exit(64) }

func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Of the whole process, in microseconds.
func cpu() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

func tell(_ name: String, _ value: Double, _ unit: String) {
    print(name, String(format: "%.2f", value), unit)
}

var options = Vaka.Options(key: "vk_bench", endpoint: nowhere, storageDirectory: URL(fileURLWithPath: arguments[1]))
options.flushInterval = .seconds(3600)
Vaka.start(options)
let recorder = NetworkCapture.shared.recorder
NetworkCapture.shared.registerURLSession(.ephemeral)
guard NetworkCapture.shared.addFaultRule(FaultRule(id: "r", fault: .closeConnection)) == false else {
    print("fault rules in a release build")
    exit(1)
}
guard !NetworkCaptureOptions.keepsBodies else {
    print("bodies in a release build")
    exit(1)
}

let part = [UInt8](repeating: 0x61, count: 4096)

/// An exchange as URLSession tells of it.
func exchange(_ number: Int) {
    let id = "exchange-\(number)"
    recorder.didStart(
        id,
        ExchangeFacts(
            url: "https://api.example.com/v1/orders/\(number)?token=secret", method: "GET",
            headers: ["Accept": "application/json", "Authorization": "Bearer secret"]))
    recorder.didReceiveResponse(id, AnswerFacts(statusCode: 200, headers: ["Content-Type": "application/json"]))
    recorder.didReceiveBody(id, part)
    recorder.didComplete(id)
}

// Within the first burst: what is more is only counted.
for number in 0..<200 { exchange(number) }
// The first sending loads libraries.
sleep(2)
var times: [Double] = []
let cpuBefore = cpu()
for round in 0..<7 {
    let begin = now()
    for number in 0..<100 { exchange(1000 + round * 100 + number) }
    times.append((now() - begin) / 100)
    usleep(300_000)
}
tell("network_exchange", times.sorted()[3], "us")
// With what is written in the background.
tell("network_exchange_cpu", (cpu() - cpuBefore) / 700, "us")
for number in 0..<2000 { exchange(5000 + number) }
let begin = now()
for number in 0..<10_000 { exchange(10_000 + number) }
tell("network_exchange_over_limit", (now() - begin) / 10_000, "us")

/// The most memory that the process ever had, in KiB.
func peak() -> Double {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Double($0.filter(\.isNumber)) } ?? 0
}

// No byte of a body is kept, nor copied on the way: what the peak grows by with 64 MiB that go by.
let body = [UInt8](repeating: 0x61, count: 64 << 20)
recorder.didStart("large", ExchangeFacts(url: "https://api.example.com/large", method: "POST"))
let before = peak()
recorder.didReceiveBody("large", body)
let after = peak()
recorder.didComplete("large")
tell("network_body_copied", after - before, "KiB")

/// The median time of a request on loopback, of sessions that take turns.
func requests(_ sessions: [URLSession]) -> [Double] {
    var times = [[Double]](repeating: [], count: sessions.count)
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<300 {
        for (index, session) in sessions.enumerated() {
            let begin = now()
            session.dataTask(with: address) { _, _, _ in done.signal() }.resume()
            done.wait()
            times[index].append(now() - begin)
        }
    }
    return times.map { $0.sorted()[150] }
}

let registered = URLSession(configuration: NetworkCapture.shared.registerURLSession(.ephemeral).configuration)
let result = requests([URLSession(configuration: .ephemeral), registered])
tell("network_request_plain", result[0], "us")
tell("network_request_recorded", result[1], "us")
