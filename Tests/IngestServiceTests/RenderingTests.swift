// SPDX-License-Identifier: Apache-2.0
import EventText
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// Pages are made in the service's own process: no number that a report may hold ends it.
struct RenderingTests {
    private static let numbers: [JSONValue] = [
        .integer(.min), .integer(.max), .integer(-1), .integer(0), .integer(1 << 53), .number(-1e308), .number(1e308),
        .number(1e-308),
        .number(-0.5), .number(9.3e18),
    ]
    private static let times = [
        "0000-01-01T00:00:00Z", "0001-01-01T00:00:00.001Z", "9999-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z",
        "2026-01-01T00:00:00.5+14:00",
    ]
    private static let texts = ["", "0xffffffffffffffff", "0x0", "fatal", "crash", "\u{0}", "𝕏\u{202E}", "-1", "1e400"]

    /// Everything that a page reads has a value.
    private var whole: Event {
        var event = Samples.crash(1)
        event.contexts = ["process": ["pid": 1, "memory": ["rss": 5, "deep": ["a": ["b": ["c": ["d": 1]]]]]]]
        event.session = Session(id: "s", started: Timestamp(milliseconds: 1), status: .crashed)
        event.user = ["id": "u"]
        event.tags = ["a": "b"]
        event.hang = Hang(watch: "main", bound: 2, stuck: 3)
        event.threads[0].registers = ["rip": HexAddress(0x1010), "rsp": HexAddress(0x7000), "r8": HexAddress(1)]
        event.threads[0].frames[0].file = "/a.swift"
        event.threads[0].frames[0].line = 3
        event.threads[0].frames[0].column = 9
        event.threads[0].frames[0].sourceContext = SourceContext(
            pre: ["a"], line: "b", post: ["c"], origin: .bundle, verified: true)
        event.threads[0].stack = MemoryRegion(address: HexAddress(0x7000), data: Data(repeating: 7, count: 64))
        event.threads.append(ThreadState(id: 8, name: "b", frames: event.threads[0].frames))
        event.errors = [ReportedError(type: "e", message: "m")]
        event.breadcrumbs = (0..<3).map { number in
            Breadcrumb(
                timestamp: Timestamp(milliseconds: 1_699_999_000_000 + Int64(number)), category: "http", message: "m",
                data: [
                    "url": "u", "status": 200, "duration_ms": 5, "duration_s": 0.5, "request_bytes": 1,
                    "response_bytes": 2,
                    "nested": ["a": 1],
                ])
        }
        return event
    }

    private func mutated(_ value: JSONValue, _ chance: Int, _ random: inout SeededRandom) -> JSONValue {
        switch value {
        case .object(let members): return .object(members.mapValues { mutated($0, chance, &random) })
        case .array(let elements): return .array(elements.map { mutated($0, chance, &random) })
        case _ where Int.random(in: 0..<chance, using: &random) > 0: return value
        case .integer, .number: return Self.numbers.randomElement(using: &random) ?? value
        case .string(let text) where text.contains("T") && text.hasSuffix("Z"):
            return .string(Self.times.randomElement(using: &random) ?? text)
        case .string: return .string(Self.texts.randomElement(using: &random) ?? "")
        default: return value
        }
    }

    @Test func `events with any numbers, times and addresses are rendered`() throws {
        var random = SeededRandom(seed: 11)
        let document = try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(whole))
        let rounds = ProcessInfo.processInfo.environment["VAKA_SOAK"] == nil ? 200 : 20_000
        var rendered = 0
        for round in 0..<rounds {
            let changed = mutated(document, round % 2 == 0 ? 3 : 12, &random)
            guard let event = try? EventRepair(ModelCoding.encode(changed)).event else { continue }
            var page = ""
            let views: [HTML] = [
                SubjectThreadView(event: event, thread: event.subjectThread ?? event.threads.first, links: nil).content,
                ThreadsView(event: event, shown: nil, links: nil).content, BreadcrumbsView(event: event).content,
                ContextView(event: event).content,
                DebuggerView(event: event, memory: .kept, project: "p", url: "http://h:1", mayDownload: true).content,
            ]
            views.forEach { $0.write(to: &page) }
            #expect(!page.isEmpty && !ReportText(event).text.isEmpty)
            let registers = event.threads.flatMap(\.registers).map {
                MachineState.Register(name: $0.key, value: $0.value, place: nil)
            }
            var state = MachineState(thread: 1)
            state.registers = registers
            state.memory = CapturedRegions(event, hidden: false).around(registers, stackPointer: ["rsp"])
            MachinePage(eventID: "1", title: "t", state: state).content.forEach { $0.write(to: &page) }
            rendered += 1
        }
        #expect(rendered > rounds / 3, "\(rendered)")
    }
}
