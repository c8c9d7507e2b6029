// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import VakaModel

/// Eight threads call everything while the SDK stops, starts again under another key, and erases: what was told to be kept
/// is stored, once, and nothing else is; what is not is counted with its reason.
@Suite struct StressTests {
    /// What the program said.
    private struct Said {
        var kept: Set<String> = []
        /// By the code of the refusal.
        var refused: [Int: Int] = [:]
        var settled: Int64 = 0
        var wrong: String?

        init(_ output: String) {
            for line in output.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                switch words.first {
                case "kept": kept.insert(words[1])
                case "refused": refused[Int(words[1]) ?? 0, default: 0] += 1
                case "settled": settled = Int64(words[1]) ?? 0
                case "wrong": wrong = words[1]
                default: break
                }
            }
        }
    }

    /// What a service would have stored: each item that it took, once.
    private struct Stored {
        private(set) var items: [String: JSONValue] = [:]

        init(_ requests: [ScriptedServer.Request]) {
            for request in requests where request.status / 100 == 2 {
                for item in request.items { items[item["id"]?.string ?? ""] = item }
            }
        }

        func kind(_ kind: String) -> [JSONValue] {
            items.values.filter { $0["kind"]?.string == kind }.compactMap { $0["payload"] }
        }

        var names: [String] {
            kind("track").compactMap { $0["name"]?.string } + kind("screen").compactMap { $0["name"]?.string }
                + kind("event").compactMap { event in
                    guard case .array(let errors) = event["errors"] else { return nil }
                    return errors.first?["message"]?.string
                }
        }

        var healthMessages: [String] { kind("health").compactMap { $0["message"]?.string } }

        /// Of what was dropped, by reason.
        var dropped: [String: Int] {
            var counts: [String: Int] = [:]
            for report in kind("client_report") {
                guard case .array(let entries) = report["dropped"] else { continue }
                for entry in entries {
                    guard case .integer(let count) = entry["count"] else { continue }
                    counts[entry["reason"]?.string ?? "", default: 0] += Int(count)
                }
            }
            return counts
        }
    }

    private static let misbehaviour: [ScriptedServer.Answer] = [
        .init(), .init(itemsLimit: 5), .init(status: 500), .init(cut: true), .init(), .init(delay: 0.3),
        .init(status: 429),
    ]

    @Test func everythingAtOnce() throws {
        let run = try ProgramRun()
        let isLong = getenv("VAKA_SOAK") != nil
        let server = try ScriptedServer(
            answers: Array(repeatElement(Self.misbehaviour, count: isLong ? 30 : 2).joined()))
        let process = try run.start(server, "stress=\(isLong ? 60 : 2)")
        let result = try process.wait(seconds: isLong ? 400 : 120)
        #expect(result.status == .exited(0), "\(result.errors.suffix(2000))")
        let said = Said(result.output)
        let stored = Stored(try server.requests())
        #expect(said.wrong == "0")
        #expect(run.waiting.isEmpty)

        // Health messages are erased all the time, queued events until it settles.
        let names = stored.names
        #expect(Set(names).count == names.count)
        #expect(said.kept.isSuperset(of: names))
        #expect(said.kept.isSuperset(of: stored.healthMessages))
        let lost = said.kept.filter { $0.hasPrefix("b-") }.subtracting(names)
        #expect(lost.isEmpty)

        #expect(stored.dropped["sample_rate"] ?? 0 == said.refused[-6] ?? 0)
        #expect(stored.dropped["before_send"] ?? 0 == said.refused[-7] ?? 0)
        // Calls without a callback are given up, too.
        #expect(stored.dropped["memory_overflow"] ?? 0 >= said.refused[-5] ?? 0)
        try expectWholeSessions(stored, since: said.settled)
    }

    private func expectWholeSessions(_ stored: Stored, since: Int64) throws {
        let sessions = try stored.kind("session").map {
            try ModelCoding.decode(Session.self, from: ModelCoding.encode($0))
        }
        .filter { $0.started.milliseconds > since }
        let (begun, ended) = (sessions.filter { $0.status == .ok }, sessions.filter { $0.status != .ok })
        #expect(!begun.isEmpty)
        #expect(Set(begun.map(\.id)) == Set(ended.map(\.id)))
        #expect(Set(ended.map(\.id)).count == ended.count)
    }
}
