// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import VakaNetwork

/// Callbacks of many exchanges, in any order, on several queues at once: by seeds, so that a finding can be repeated.
@Suite struct InterleavingTests {
    private static let chunk = 7

    private static func facts() -> ExchangeFacts {
        ExchangeFacts(url: "http://u:secret@h/x?secret", method: "GET", headers: ["Cookie": "secret", "Accept": "a"])
    }

    /// What one queue tells of an exchange: one beginning, parts of the body, and ends, shuffled.
    private static func calls(
        _ id: String, _ recorder: NetworkCaptureRecorder, _ random: inout SeededRandom
    ) -> [@Sendable () -> Void] {
        var calls: [@Sendable () -> Void] = [
            { recorder.didStart(id, facts()) },
            { recorder.didReceiveResponse(id, AnswerFacts(statusCode: 200, headers: ["Set-Cookie": "secret"])) },
            { recorder.note(id, ["note": 1]) },
        ]
        for _ in 0..<4 {
            calls.append { recorder.didReceiveBody(id, Array(repeating: 0x61, count: chunk)) }
            calls.append { recorder.didSendBody(id, bytes: Int64(chunk)) }
        }
        let ends: [@Sendable () -> Void] = [
            { recorder.didComplete(id) }, { recorder.didFail(id, error: "x") }, { recorder.didCancel(id) },
        ]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            calls.append(ends[Int.random(in: 0..<3, using: &random)])
        }
        calls.shuffle(using: &random)
        return calls
    }

    @Test(arguments: 1...(Soak.isOn ? 2000 : 50))
    func neverTwoTerminalRecordsATornSizeOrAnUnredactedHeader(_ seed: UInt64) {
        let setup = CaptureSetup()
        setup.capture.options.capturesHeaders = true
        setup.capture.options.recordsEveryStep = true
        var random = SeededRandom(seed: seed)
        let queues = 4
        var work: [[@Sendable () -> Void]] = (0..<queues).map { _ in [] }
        let ids = (0..<40).map { "\(seed)-\($0)" }
        for id in ids {
            // The same story told by two queues at once.
            for _ in 0..<2 {
                work[Int.random(in: 0..<queues, using: &random)] += Self.calls(id, setup.recorder, &random)
            }
        }
        let shuffled = work
        DispatchQueue.concurrentPerform(iterations: queues) { queue in
            for call in shuffled[queue] { call() }
        }
        check(setup.sink.records, ids)
    }

    private func check(_ records: [NetworkRequestEvent], _ ids: [String]) {
        #expect(Set(records.compactMap(\.sequenceNumber)).count == records.count)
        for id in ids {
            let own = records.filter { $0.requestID == id }.sorted {
                ($0.sequenceNumber ?? 0) < ($1.sequenceNumber ?? 0)
            }
            let ends = own.filter(\.phase.isTerminal)
            // None where its end came before its beginning.
            #expect(ends.count <= 1)
            guard let end = ends.first else { continue }
            #expect(own.first?.phase == .started && own.filter { $0.phase == .started }.count == 1)
            for record in own {
                for size in [record.requestBodySize ?? 0, record.responseBodySize ?? 0] {
                    #expect(size % Int64(Self.chunk) == 0 && size <= Int64(Self.chunk * 8))
                }
                #expect(record.url == "http://h/x")
                #expect(record.requestHeaders == ["Cookie": "<redacted>", "Accept": "a"])
                #expect(record.responseHeaders.map { $0 == ["Set-Cookie": "<redacted>"] } ?? true)
            }
            // An end that was told has all that was counted before it.
            #expect((end.responseBodySize ?? 0) >= (own.dropLast().compactMap(\.responseBodySize).max() ?? 0))
        }
    }

    /// Each exchange told by the thread that owns it: exactly one story, with every byte.
    @Test func eachStoryIsWholeWhereItsOwnCallsAreInOrder() {
        let setup = CaptureSetup()
        setup.capture.options.recordsEveryStep = true
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            let id = "\(number)"
            setup.recorder.didStart(id, Self.facts())
            setup.recorder.didReceiveResponse(id, AnswerFacts(statusCode: 200))
            for _ in 0..<number { setup.recorder.didReceiveBody(id, [1, 2, 3]) }
            setup.recorder.didComplete(id)
        }
        for number in 0..<64 {
            let own = setup.sink.records.filter { $0.requestID == "\(number)" }
            let story = own.sorted { ($0.sequenceNumber ?? 0) < ($1.sequenceNumber ?? 0) }.map(\.phase)
            #expect(story == [.started, .progress, .completed])
            let end = own.first { $0.phase == .completed }
            #expect(end?.responseBodySize ?? 0 == Int64(number * 3))
        }
        #expect(setup.recorder.openCount == 0)
    }
}
