// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Vaka

@Suite struct SamplingTests {
    /// By kind.
    func leftOut(_ server: ScriptedServer) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for item in try server.requests().flatMap(\.items) where item["kind"] == "client_report" {
            guard case .array(let entries) = item["payload"]?["dropped"] else { continue }
            for entry in entries where entry["reason"] == "sample_rate" {
                if case .integer(let count) = entry["count"] {
                    counts[entry["kind"]?.string ?? "", default: 0] += count
                }
            }
        }
        return counts
    }

    @Test func whatIsSentAndWhatIsLeftOutAreAll() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) {
            $0.sessionTracking = true
            $0.errorSampleRate = 0.5
            $0.trackSampleRate = 0.5
            $0.maxBatchSize = 5000
        }
        for number in 0..<400 {
            setup.client.capture(Unexpected(), stack: CallStack(limit: 1))
            setup.client.track("\(number)", [:])
        }
        setup.client.end(within: .seconds(10))
        let events = try server.events()
        // Twelve standard deviations.
        #expect((80...320).contains(events.count))
        #expect(events.allSatisfy { $0.sampleRate == 0.5 })
        let tracks = try server.requests().flatMap(\.items).filter { $0["kind"] == "track" }
        #expect(tracks.allSatisfy { $0["payload"]?["sample_rate"] == 0.5 })
        #expect(try leftOut(server) == ["event": Int64(400 - events.count), "track": Int64(400 - tracks.count)])
        // The session counts them all.
        #expect(try server.sessions().last?.errors == 400)
        #expect(try server.sessions().last?.sampleRate == nil)
    }

    @Test(arguments: [0, -1]) func aSessionIsLeftOutWhole(rate: Double) throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) {
            $0.sessionTracking = true
            $0.sessionSampleRate = rate
        }
        setup.client.capture(Unexpected(), stack: CallStack())
        setup.client.setActive(true)
        setup.client.end(within: .seconds(10))
        #expect(try server.sessions().isEmpty)
        #expect(try server.events().map(\.session) == [nil])
        #expect(try leftOut(server) == ["session": 1])
    }

    @Test(arguments: [1, 2, .nan]) func withoutARateEverythingIsSent(rate: Double) throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) {
            $0.sessionTracking = true
            ($0.errorSampleRate, $0.trackSampleRate, $0.sessionSampleRate) = (rate, rate, rate)
        }
        for _ in 0..<20 { setup.client.capture(message: "m", level: .info) }
        setup.client.end(within: .seconds(10))
        #expect(try server.events().count == 20)
        #expect(try server.events().allSatisfy { $0.sampleRate == nil })
        #expect(try server.sessions().count == 2)
        #expect(try leftOut(server).isEmpty)
    }
}
