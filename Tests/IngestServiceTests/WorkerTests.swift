// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The worker process dies or hangs; the server goes on.
struct WorkerTests {
    /// The server's child processes.
    private func workers(of server: ServerProcess) -> [pid_t] {
        let parent = server.process.processID
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
        return tasks.flatMap { task -> [pid_t] in
            // A file of /proc says it is empty, so it is read as a stream.
            guard let file = fopen("/proc/\(parent)/task/\(task)/children", "r") else { return [] }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = fread(&buffer, 1, buffer.count, file)
            return String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
        }
    }

    @Test func `a worker that hangs is killed and the report is worked on by the next`() throws {
        let server = try ServerProcess(["--worker-seconds", "1"])
        let worker = try #require(workers(of: server).first)
        kill(worker, SIGSTOP)
        _ = try server.accepted(try Samples.batch(Samples.crash(1)))
        #expect(try server.event(1).loss.allSatisfy { $0.what != "symbolication" })
        #expect(kill(worker, 0) != 0, "it is gone")
        #expect(try metric(server, "vaka_worker_deaths_total") == 1)
    }

    @Test func `workers killed over and over lose no report`() throws {
        let server = try ServerProcess()
        let total = 120
        for number in 1...total {
            _ = try server.accepted(try Samples.batch(Samples.crash(number)))
            if number % 5 == 0 { workers(of: server).forEach { kill($0, SIGKILL) } }
        }
        try server.eventually { try metric(server, "vaka_events_stored_total") == total ? true : nil }
        for number in 1...total { #expect(try server.get("events/\(Samples.eventID(number))").status == 200) }
        #expect(try server.client.send("GET", "/readyz").status == 200)
    }

    @Test func `who waits for machine states holds few of the threads that answer`() throws {
        let server = try ServerProcess()
        var event = Samples.crash(1)
        event.threads[0].registers = ["rip": HexAddress(0x1010)]
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.event(1)
        let path = "events/\(Samples.eventID(1))/machine"
        let others = workers(of: server)
        #expect(try server.get(path).status == 200)
        let reader = try #require(workers(of: server).first { !others.contains($0) })
        kill(reader, SIGSTOP)
        defer { kill(reader, SIGCONT) }
        let answers = Monitor([HTTPClient.Response?]())
        for _ in 1...12 {
            startThread {
                let answer = try? server.get(path)
                answers.update { $0.append(answer) }
            }
        }
        let refused = try #require(answers.wait(seconds: 30) { $0.count >= 7 ? $0 : nil })
        #expect(refused.allSatisfy { $0?.status == 429 && $0?.headers["retry-after"] != nil }, "\(refused)")
        #expect(try server.get("events/\(Samples.eventID(1))/core").status == 429)
        kill(reader, SIGCONT)
        let all = try #require(answers.wait(seconds: 30) { $0.count == 12 ? $0 : nil })
        #expect(all.map { $0?.status }.dropFirst(7) == [200, 200, 200, 200, 200])
        #expect(try server.get(path).status == 200)
    }

    private func metric(_ server: ServerProcess, _ name: String) throws -> Int {
        let text = try server.client.send("GET", "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }
}
